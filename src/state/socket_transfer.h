/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of socket_tracker.c for what tasks write to sockets and read from them. */
#pragma once

#include "state/core/tracker.h"

event_handler socket_on_send, socket_on_take;
