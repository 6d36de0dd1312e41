/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages between machines, which the sender's net_tracker.c passes to the receiver's. */
#pragma once

#include "base/data/object_pool.h"

/* Makes an empty pool for machine_setup.messages. Call object_pool_release() once no machine uses
   it any more. */
void net_messages_init(struct object_pool *messages);
