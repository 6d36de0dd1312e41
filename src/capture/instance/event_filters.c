/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_filters.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"

/* Calls on_folder for each folder in "DIR/UNDER", with the name "UNDER/FOLDER". Stops at the first
   call that does not return 0, and returns its result. */
static int folders_each(const char *dir, const char *under,
                        int (*on_folder)(void *state, const char *dir, const char *name),
                        void *state)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, under);
	_cleanup_(closedirp) DIR *folder = opendir(path);
	struct dirent *entry;
	int r = 0;

	while (folder && r == 0 && (entry = readdir(folder))) {
		_cleanup_(freep) char *name = xasprintf("%s/%s", under, entry->d_name);

		if (entry->d_name[0] != '.' && entry->d_type == DT_DIR)
			r = on_folder(state, dir, name);
	}
	return r;
}

struct reading {
	struct event_filters *filters;
	struct buffer *why;
};

/* Refuses an event that has a trigger. Without one, the file lists the available triggers in
   comments. */
static int trigger_refuse(const struct reading *reading, const char *dir, const char *event)
{
	_cleanup_(freep) char *file = xasprintf("%s/trigger", event);
	_cleanup_(freep) char *text = text_file_copy_at(dir, file);

	if (!text || text[0] == '\0' || text[0] == '#' || text[0] == '\n')
		return 0;
	buffer_printf(reading->why, "%s/%s has a trigger: %.*s; remove it, or take another "
	                            "instance: a recorder could not restore it", dir, event,
	              (int)strcspn(text, "\n"), text);
	return -EBUSY;
}

/* Adds the event's filter. It is one line; if there are more, the kernel refused the filter, and
   they say why. Such a filter has no effect and is not saved. */
static void filter_add(struct event_filters *filters, const char *dir, const char *event)
{
	_cleanup_(freep) char *file = xasprintf("%s/filter", event);
	_cleanup_(freep) char *text = text_file_copy_at(dir, file);
	char *end = text ? strchr(text, '\n') : NULL;

	if (!end || end[1] || strcmp(text, "none\n") == 0)
		return;
	*end = '\0';
	ARRAY_GROW(filters->filter, filters->count, filters->capacity);
	filters->filter[filters->count++] = (struct event_filter){
		.file = TAKE_PTR(file),
		.text = TAKE_PTR(text),
	};
}

static int event_read(void *state, const char *dir, const char *event)
{
	const struct reading *reading = state;

	filter_add(reading->filters, dir, event);
	return trigger_refuse(reading, dir, event);
}

static int system_read(void *state, const char *dir, const char *system)
{
	return folders_each(dir, system, event_read, state);
}

int event_filters_read(const char *dir, struct event_filters *filters, struct buffer *why)
{
	struct reading reading = {filters, why};

	*filters = (struct event_filters){0};
	return folders_each(dir, "events", system_read, &reading);
}

static int event_clear(void *state, const char *dir, const char *event)
{
	_cleanup_(freep) char *file = xasprintf("%s/trigger", event);
	_cleanup_(freep) char *text = text_file_copy_at(dir, file);

	(void)state;
	if (text && strncmp(text, "stacktrace", strlen("stacktrace")) == 0)
		(void)text_file_write_at(dir, file, "!stacktrace");
	return 0;
}

static int system_clear(void *state, const char *dir, const char *system)
{
	_cleanup_(freep) char *file = xasprintf("%s/filter", system);

	(void)text_file_write_at(dir, file, "0");
	return folders_each(dir, system, event_clear, state);
}

void event_filters_clear(const char *dir)
{
	(void)folders_each(dir, "events", system_clear, NULL);
}

void event_filters_write(const char *dir, const struct event_filters *filters)
{
	for (size_t i = 0; i < filters->count; i++)
		(void)text_file_write_at(dir, filters->filter[i].file, filters->filter[i].text);
}

void event_filters_release(struct event_filters *filters)
{
	for (size_t i = 0; i < filters->count; i++) {
		free(filters->filter[i].file);
		free(filters->filter[i].text);
	}
	free(filters->filter);
	*filters = (struct event_filters){0};
}
