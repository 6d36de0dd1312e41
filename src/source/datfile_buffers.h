/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Version 7: the pages of its BUFFER options. */
#pragma once

#include "datfile.h"

/* Call last: pages need clocks, packing, and the page size. */
void datfile_read_buffers(struct datfile *datfile);
