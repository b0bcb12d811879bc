// libwebsockets configures itself by structures of bit fields and by macros, which Swift cannot
// see; what is needed of them is wrapped here.
#pragma once
#include <libwebsockets.h>
#include "server.h"
