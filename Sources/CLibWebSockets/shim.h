// libwebsockets configures itself by structures of bit fields and by macros, which Swift cannot
// see; what is needed of them is wrapped here: for clients in `client.h`, for servers in
// `server.h`.
#pragma once
#include <libwebsockets.h>
#include "client.h"
#include "server.h"
