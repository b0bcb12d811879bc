// libwebsockets configures itself by structures of bit fields and by macros, which Swift cannot
// see; what is needed of them is wrapped here: for clients in `client.h`, for servers in
// `server.h`.
#pragma once
#include <libwebsockets.h>
#include <pthread.h>

// Weak, so that all modules that import this share one of each.
__attribute__((weak)) pthread_mutex_t rejoin_context_lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((weak)) int rejoin_tls_is_ready = 0;

// Creates a context, which must have LWS_SERVER_OPTION_EXPLICIT_VHOSTS. Virtual hosts may use TLS
// by LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT.
//
// The library takes that option, on a context, as a wish to register with OpenSSL again, for the
// whole process: every handshake under way in another context would fail, and what that context
// has registered would leak. So it passes the option on once.
static inline struct lws_context *rejoin_create_context(
    const struct lws_context_creation_info *info)
{
    struct lws_context_creation_info once = *info;
    struct lws_context *context;
    pthread_mutex_lock(&rejoin_context_lock);
    if (rejoin_tls_is_ready)
        once.options &= ~(uint64_t)LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    else if (once.options & LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)
        rejoin_tls_is_ready = 1;
    context = lws_create_context(&once);
    pthread_mutex_unlock(&rejoin_context_lock);
    return context;
}

#include "client.h"
#include "server.h"
