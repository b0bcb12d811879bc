// What the client side needs of libwebsockets beyond what Swift can import: macros, flags that are
// combined by arithmetic, and structures that are best filled by name in C.
#pragma once
#include <libwebsockets.h>
#include <openssl/x509_vfy.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

// The room that lws_write needs before the payload.
static inline size_t rejoin_client_write_prefix(void) { return LWS_PRE; }

// Silences the library. It logs host names and header names, and it logs process-wide.
static inline void rejoin_client_silence(void) { lws_set_log_level(0, NULL); }

// Creates a context that only opens connections.
//
// `protocols` must outlive the context. The library's own time limits are set out of reach: the
// deadlines are the caller's. An empty proxy address keeps the library from taking one from the
// environment, which it would apply to loopback addresses too.
static inline struct lws_context *rejoin_client_create_context(
    const struct lws_protocols *protocols, void *user, const char *authorities,
    unsigned int buffer_size) {
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof(info));
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.protocols = protocols;
    info.user = user;
    info.gid = (gid_t)-1;
    info.uid = (uid_t)-1;
    info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    info.vhost_name = "rejoin-client";
    info.client_ssl_ca_filepath = authorities;
    info.pt_serv_buf_size = buffer_size;
    info.max_http_header_data2 = 16 * 1024;
    info.timeout_secs = 24 * 3600;
    info.connect_timeout_secs = 24 * 3600;
    info.timeout_secs_ah_idle = 24 * 3600;
    info.http_proxy_address = "";
#if defined(LWS_WITH_SOCKS5)
    info.socks_proxy_address = "";
#endif
    struct lws_context *context = rejoin_create_context(&info);
    if (context && !lws_create_vhost(context, &info)) {
        lws_context_destroy(context);
        return NULL;
    }
    return context;
}

// Starts a connection attempt to a numeric address; `host` is what the certificate must name.
// Redirects are not followed, and the library cannot fall back to HTTP/2.
static inline struct lws *rejoin_client_connect(
    struct lws_context *context, const char *address, int port, int tls, const char *path,
    const char *host, const char *subprotocols, const char *local_protocol, uintptr_t identifier) {
    struct lws_client_connect_info info;
    memset(&info, 0, sizeof(info));
    info.context = context;
    info.address = address;
    info.port = port;
    info.ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT | (tls ? LCCSCF_USE_SSL : 0);
    info.path = path;
    info.host = host;
    info.protocol = subprotocols;
    info.local_protocol_name = local_protocol;
    info.alpn = "http/1.1";
    info.ietf_version_or_minus_one = -1;
    // Neither is dereferenced by the library; the first is what callbacks look the connection up
    // by, the second makes the library leave user memory alone.
    info.opaque_user_data = (void *)identifier;
    info.userdata = (void *)identifier;
    return lws_client_connect_via_info(&info);
}

// The identifier that `rejoin_client_connect` was given.
static inline uintptr_t rejoin_client_identifier(struct lws *wsi) {
    return (uintptr_t)lws_get_opaque_user_data(wsi);
}

// Has the library drop the connection at the next turn of its loop, without a closing handshake.
static inline void rejoin_client_kill(struct lws *wsi) {
    int socket = lws_get_socket_fd(wsi);
    if (socket >= 0) shutdown(socket, SHUT_RDWR);
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

// Sends one frame; `opcode` is LWS_WRITE_TEXT, _BINARY, _CONTINUATION or _PING.
static inline int rejoin_client_write(
    struct lws *wsi, unsigned char *payload, size_t length, enum lws_write_protocol opcode,
    int final) {
    int mode = opcode;
    if (!final) mode |= LWS_WRITE_NO_FIN;
    return lws_write(wsi, payload, length, (enum lws_write_protocol)mode);
}

// Waits until the socket has something to read; nonzero if it has.
static inline int rejoin_client_wait_readable(struct lws *wsi, int milliseconds) {
    struct pollfd descriptor = {.fd = lws_get_socket_fd(wsi), .events = POLLIN, .revents = 0};
    return poll(&descriptor, 1, milliseconds) > 0;
}

// Why OpenSSL refuses a certificate; `store` is what
// LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION passes as its user pointer.
static inline int rejoin_client_verify_error(void *store) {
    return X509_STORE_CTX_get_error((X509_STORE_CTX *)store);
}

static inline const char *rejoin_client_verify_text(int error) {
    return X509_verify_cert_error_string(error);
}
