/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the block devices, as sysfs has them, for the lines `device` of ftwait/stream.h. A look
 * takes at most BLOCK_DEVICES_NS; the next one notes what it left out.
 */
#pragma once

#include "base/data/map.h"
#include "base/text/buffer.h"

#define BLOCK_DEVICES_FOLDER "/sys/class/block"
#define BLOCK_DEVICES_NS     50000000u

struct block_devices {
	struct map noted; /* hashes of the lines that were written */
};

void block_devices_init(struct block_devices *devices);
void block_devices_release(struct block_devices *devices);
/* Appends a line for each device of the folder that has not been noted with that name. */
void block_devices_look(struct block_devices *devices, const char *folder, struct buffer *to);
