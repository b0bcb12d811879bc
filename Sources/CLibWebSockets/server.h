// The server's side: one context with one virtual host, which speaks HTTP/1.1 and WebSocket.
#pragma once
#include <libwebsockets.h>
#include <stdlib.h>
#include <sys/socket.h>

struct rejoin_server_options {
    // An address of this machine; NULL: all of them.
    const char *address;
    int port;
    // PEM files; NULL: no TLS.
    const char *certificate;
    const char *private_key;
    unsigned int header_bytes;
    unsigned int connections;
    unsigned int timeout_seconds;
    unsigned int receive_bytes;
    lws_callback_function *callback;
    // Handed back by rejoin_server_user.
    void *user;
};

struct rejoin_server {
    struct lws_context *context;
    struct lws_vhost *vhost;
    lws_sorted_usec_list_t alarm;
    lws_callback_function *callback;
    // The plain entry, the subprotocols with the best first, and the end.
    struct lws_protocols protocols[5];
};

static inline void rejoin_server_quiet(int level, const char *line)
{
    (void)level;
    (void)line;
}

static inline void rejoin_server_stop(struct rejoin_server *server)
{
    lws_context_destroy(server->context);
    free(server);
}

// NULL where the port cannot be listened on or a file cannot be used.
static inline struct rejoin_server *rejoin_server_start(
    const struct rejoin_server_options *options)
{
    static const char *const names[] = {"rejoin-http", "v12.stomp", "v11.stomp", "v10.stomp"};
    struct rejoin_server *server = calloc(1, sizeof *server);
    struct lws_context_creation_info info = {0};
    if (!server)
        return NULL;
    server->callback = options->callback;
    for (int i = 0; i < 4; i++) {
        server->protocols[i].name = names[i];
        server->protocols[i].callback = options->callback;
        server->protocols[i].rx_buffer_size = options->receive_bytes;
    }
    lws_set_log_level(0, rejoin_server_quiet);
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8 |
        LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS |
        // What is no request that the library knows comes as LWS_CALLBACK_RAW_RX.
        LWS_SERVER_OPTION_FALLBACK_TO_APPLY_LISTEN_ACCEPT_CONFIG;
    if (options->certificate)
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    info.port = options->port;
    info.iface = options->address;
    info.protocols = server->protocols;
    info.gid = (gid_t)-1;
    info.uid = (uid_t)-1;
    info.user = options->user;
    info.vhost_name = "rejoin";
    info.ssl_cert_filepath = options->certificate;
    info.ssl_private_key_filepath = options->private_key;
    // HTTP/2 would be offered otherwise, and its streams are not what this server is written for.
    info.alpn = "http/1.1";
    info.timeout_secs = options->timeout_seconds;
    info.keepalive_timeout = (int)options->timeout_seconds;
    info.max_http_header_data2 = options->header_bytes;
    info.max_http_header_pool2 = options->connections;
    info.fd_limit_per_thread = options->connections + 16;
    info.pt_serv_buf_size = options->receive_bytes;
    server->context = rejoin_create_context(&info);
    if (!server->context) {
        free(server);
        return NULL;
    }
    server->vhost = lws_create_vhost(server->context, &info);
    if (!server->vhost) {
        rejoin_server_stop(server);
        return NULL;
    }
    return server;
}

static inline void *rejoin_server_user(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

static inline void rejoin_server_ring(lws_sorted_usec_list_t *alarm)
{
    struct rejoin_server *server = lws_container_of(alarm, struct rejoin_server, alarm);
    struct lws *none = NULL;
    server->callback(
        none, LWS_CALLBACK_USER, lws_context_user(server->context), NULL, 0);
}

// Calls back with LWS_CALLBACK_USER, and the user as `user`, after so many microseconds;
// a negative number: not at all.
static inline void rejoin_server_set_alarm(struct rejoin_server *server, int64_t microseconds)
{
    lws_sul_schedule(
        server->context, 0, &server->alarm, rejoin_server_ring,
        microseconds < 0 ? LWS_SET_TIMER_USEC_CANCEL : microseconds);
}

static inline size_t rejoin_server_padding(void)
{
    return LWS_PRE;
}

// Drops a connection soon, without a closing handshake.
static inline void rejoin_server_kill(struct lws *wsi)
{
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

// Tells a client that has its last answer that nothing follows, and waits so long for its end.
static inline void rejoin_server_end_writing(struct lws *wsi, int seconds)
{
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, seconds);
    if (!lws_partial_buffered(wsi))
        shutdown(lws_get_socket_fd(wsi), SHUT_WR);
}

static inline void rejoin_server_clear_timeout(struct lws *wsi)
{
    lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
}

static inline void rejoin_server_set_timer(struct lws *wsi, int64_t microseconds)
{
    lws_set_timer_usecs(wsi, microseconds < 0 ? LWS_SET_TIMER_USEC_CANCEL : microseconds);
}
