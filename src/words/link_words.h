/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of a chain, in words. */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/report.h"

/* "[disk 254,0]", "[runnable]", "[stopped by gdb]" for a chain's last link; nothing, and false, for
   one that simply runs. Names are not cleaned. */
bool link_end_append(struct buffer *to, const struct chain_link *link);
