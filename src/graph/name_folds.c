/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "name_folds.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"

size_t name_stem(const char *name)
{
	size_t length = strlen(name), stem = length;

	while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
		stem--;
	return stem < length ? stem : 0;
}

void name_folds_init(struct name_folds *folds, struct intern *names)
{
	*folds = (struct name_folds){.names = names};
	map_init(&folds->by_name);
	map_init(&folds->by_stem);
	map_init(&folds->folds);
	intern_init(&folds->stems);
}

void name_folds_release(struct name_folds *folds)
{
	map_release(&folds->by_name);
	map_release(&folds->by_stem);
	map_release(&folds->folds);
	intern_release(&folds->stems);
	free(folds->member);
	free(folds->group);
	*folds = (struct name_folds){0};
}

static uint32_t group_of_stem(struct name_folds *folds, const char *text, size_t stem)
{
	uint32_t id = intern_add(&folds->stems, text, stem);
	uint32_t index = map_get(&folds->by_stem, id);

	if (index != MAP_NONE)
		return index;
	ARRAY_GROW(folds->group, folds->group_count, folds->group_capacity);
	folds->group[folds->group_count] = (struct name_group){.stem = id};
	map_put(&folds->by_stem, id, (uint32_t)folds->group_count);
	return (uint32_t)folds->group_count++;
}

void name_folds_add(struct name_folds *folds, uint32_t name, bool is_asked)
{
	const char *text = intern_text(folds->names, name);
	size_t stem = name_stem(text);
	struct name_member member = {.name = name, .is_asked = is_asked};

	if (!stem || map_get(&folds->by_name, name) != MAP_NONE)
		return;
	member.group = group_of_stem(folds, text, stem);
	folds->group[member.group].count[is_asked]++;
	map_put(&folds->by_name, name, (uint32_t)folds->member_count);
	ARRAY_GROW(folds->member, folds->member_count, folds->member_capacity);
	folds->member[folds->member_count++] = member;
}

/* "worker-*" */
static uint32_t group_name(struct name_folds *folds, const struct name_group *group)
{
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_init(&name, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&name, intern_text(&folds->stems, group->stem));
	buffer_putc(&name, '*');
	return intern_add(folds->names, name.text, name.length);
}

bool name_folds_close(struct name_folds *folds)
{
	for (size_t i = 0; i < folds->member_count; i++) {
		const struct name_member *member = &folds->member[i];
		const struct name_group *group = &folds->group[member->group];
		uint32_t fold;

		/* with enough names that are asked for, all names of the stem fold */
		if (group->count[true] < STEM_LEAST &&
		    (member->is_asked || group->count[false] < STEM_LEAST))
			continue;
		fold = group_name(folds, group);
		map_put(&folds->folds, member->name, fold);
		map_put(&folds->folds, fold, fold);
	}
	return folds->folds.count > 0;
}
