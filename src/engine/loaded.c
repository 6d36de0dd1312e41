/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loaded.h"

void loaded_init(struct loaded *loaded, struct source *source)
{
	*loaded = (struct loaded){.source = source};
	for (size_t i = 0; i < source->part_count; i++) {
		const struct source_part *part = &source->parts[i];

		loaded->host[i] = (struct host){
			.name = part->name,
			.arch = part->source->arch,
			.cpu_first = part->cpu_first,
			.root = part->root,
			.via = part->via,
			.bound = part->bound,
			.lead = part->lead,
		};
	}
}

void loaded_release(struct loaded *loaded)
{
	for (size_t i = 0; i < HOSTS_MAX; i++)
		loaded->users[i] = user_frames_free(loaded->users[i]);
}

struct hosts loaded_hosts(struct loaded *loaded)
{
	uint32_t count = (uint32_t)loaded->source->part_count;

	return (struct hosts){count ? loaded->host : NULL, count};
}
