/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats of one source by the ids of their records. Each is read when it is first asked
   for. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/data/id_table.h"
#include "ftwait/source.h"
#include "raw_event.h"

struct raw_formats {
	const struct source *source;
	struct id_table by_id;      /* index in the source's formats */
	struct raw_format **format; /* as the source's formats; NULL: not read */
	size_t count;
};

/* Formats are those that the source has now; it must outlive them. */
void raw_formats_init(struct raw_formats *formats, const struct source *source);
void raw_formats_release(struct raw_formats *formats);
/* The format of that id, which stays where it is; NULL: the source does not have it, or it cannot
   be read. Of several the first, as libtraceevent takes it. */
const struct raw_format *raw_formats_find(struct raw_formats *formats, uint32_t id);
