// libcurl is configured by variadic functions and by macros, which Swift cannot call or see; what
// is needed of them is wrapped here.
#pragma once
#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

// The callbacks of a transfer; each gets `user` back.
struct rejoin_curl_callbacks {
    // One line of the header with its line end. An answer other than `length` ends the transfer.
    size_t (*header)(char *bytes, size_t size, size_t length, void *user);
    // A part of the body. An answer other than `length` ends the transfer.
    size_t (*body)(char *bytes, size_t size, size_t length, void *user);
    // The connection stands and the request goes out next; nonzero ends the transfer.
    int (*sends)(void *user, char *, char *, int, int);
    void *user;
};

// Sets what is the same for each transfer. Nothing of the environment and of earlier transfers
// takes part: no proxy, no netrc, no cookies, no redirects.
static inline void rejoin_curl_prepare(CURL *easy, struct rejoin_curl_callbacks callbacks) {
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    // All encodings that the library can undo; what is counted against the limit is the result.
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    // "/../" in a path means what the server takes it for.
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    // Signals belong to the process's owner; the thread blocks SIGPIPE for itself.
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
    // A transfer that is given up must not make the others wait for its name lookup.
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 128L * 1024);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callbacks.header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, callbacks.user);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callbacks.body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, callbacks.user);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callbacks.sends);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, callbacks.user);
}

// Sets the request. `body` is copied, `headers` is not. The addresses of a host share
// `connect_milliseconds`, so that one that swallows packets does not use up the others' time.
// Nonzero where the library cannot take it.
static inline int rejoin_curl_set_request(
    CURL *easy, const char *url, const char *method, struct curl_slist *headers, int has_body,
    const void *body, size_t length, long connect_milliseconds) {
    if (curl_easy_setopt(easy, CURLOPT_URL, url) != CURLE_OK) return 1;
    if (curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers) != CURLE_OK) return 1;
    if (curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, connect_milliseconds) != CURLE_OK)
        return 1;
    if (has_body) {
        if (curl_easy_setopt(easy, CURLOPT_POST, 1L) != CURLE_OK) return 1;
        if (curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length) != CURLE_OK)
            return 1;
        if (curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, length ? body : "") != CURLE_OK) return 1;
    }
    // The library must know that no body follows, whatever length the answer declares.
    if (strcmp(method, "HEAD") == 0 && curl_easy_setopt(easy, CURLOPT_NOBODY, 1L) != CURLE_OK)
        return 1;
    return curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method) != CURLE_OK;
}

// Limits the connections that are open at once and those that are kept for later.
static inline void rejoin_curl_limit_connections(CURLM *multi, long count) {
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, count);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, count);
}

// The next transfer that has ended, or NULL; `result` says how.
static inline CURL *rejoin_curl_next_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// Keeps a peer that hangs up from ending the process: a library below may write to its socket
// without MSG_NOSIGNAL. For the calling thread alone.
static inline void rejoin_curl_block_sigpipe(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

// Readies the library, once for the process. Nonzero where it cannot be used.
static inline int rejoin_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK;
}
