/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version 7: the pages that its BUFFER options speak of.
 */
#pragma once

#include "datfile.h"

/* After all else is known: pages need clocks, packing, and the size of a page. */
void datfile_read_buffers(struct datfile *datfile);
