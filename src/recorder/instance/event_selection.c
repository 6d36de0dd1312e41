/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_selection.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/suggest.h"
#include "recorder/machine/text_file.h"
#include "words/kernel/kernel_feature.h"

/* Limit on the recorded list of single event names; further names are left out. */
#define SINGLE_BYTES_MAX 4096
#define DEFAULT_WORD     "default"

static void catalog_add(struct event_catalog *catalog, char *name)
{
	ARRAY_ADD(catalog->name, catalog->count, catalog->capacity) = name;
}

static void catalog_end(struct event_catalog *catalog, const char *dir, struct event_catalog *ret)
{
	_cleanup_(freep) char *strings = xasprintf("%s/" CATALOG_STRINGS_FILE, dir);

	catalog->has_strings = access(strings, F_OK) == 0;
	catalog->dir = xstrdup(dir);
	*ret = *catalog;
}

/* Adds the events of a system; those of "ftrace" cannot be switched on. */
static void catalog_add_system(struct event_catalog *catalog, const char *dir, const char *system)
{
	_cleanup_(freep) char *path = xasprintf("%s/events/%s", dir, system);
	_cleanup_(closedirp) DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		_cleanup_(freep) char *file = xasprintf("%s/%s/enable", path, entry->d_name);

		if (entry->d_name[0] != '.' && access(file, F_OK) == 0)
			catalog_add(catalog, xasprintf("%s:%s", system, entry->d_name));
	}
}

static int name_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int event_catalog_load_instance(const char *dir, struct event_catalog *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/events", dir);
	_cleanup_(closedirp) DIR *folder = opendir(path);
	struct event_catalog catalog = {0};
	struct dirent *entry;

	if (!folder)
		return -errno;
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.' && entry->d_type == DT_DIR)
			catalog_add_system(&catalog, dir, entry->d_name);
	array_sort(catalog.name, catalog.count, sizeof(*catalog.name), name_compare);
	catalog_end(&catalog, dir, ret);
	return 0;
}

int event_catalog_load(const char *dir, struct event_catalog *ret)
{
	struct event_catalog catalog = {0};
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT * 4);
	char *line, *rest = NULL;
	int r = text_file_read_at(dir, "available_events", &text);

	if (r < 0)
		return r;
	for (line = strtok_r(text.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		catalog_add(&catalog, xstrdup(line));
	catalog_end(&catalog, dir, ret);
	return 0;
}

void event_catalog_release(struct event_catalog *catalog)
{
	for (size_t i = 0; i < catalog->count; i++)
		free(catalog->name[i]);
	free(catalog->name);
	free(catalog->dir);
	*catalog = (struct event_catalog){0};
}

/* "field:unsigned char dst[4];" and "field:int x;" have the fields dst and x. */
static bool format_has(const char *format, const char *field)
{
	size_t length = strlen(field);

	for (const char *at = format; (at = strstr(at, field)); at += length)
		if (at > format && strchr(" *", at[-1]) && at[length] && strchr(";[", at[length]))
			return true;
	return false;
}

bool event_catalog_can_read(const struct event_catalog *catalog, const struct tracepoint *row)
{
	_cleanup_(freep) char *file = xasprintf("events/%s/%s/format", row->system, row->name);
	_cleanup_(freep) char *format = text_file_copy_at(catalog->dir, file);
	bool has_all = true;

	for (size_t i = 0; format && i < TRACEPOINT_FIELDS_MAX && row->field[i].name; i++)
		has_all &= !row->field[i].is_needed || format_has(format, row->field[i].name);
	return has_all;
}

void event_selection_init(struct event_selection *selection, const struct event_catalog *catalog)
{
	*selection = (struct event_selection){.catalog = catalog};
	selection->is_selected = xcalloc(catalog->count, sizeof(selection->is_selected[0]));
	buffer_init(&selection->single, SINGLE_BYTES_MAX);
	selection->filter = xcalloc(catalog->count, sizeof(selection->filter[0]));
	selection->is_filter_asked = xcalloc(catalog->count, sizeof(selection->is_filter_asked[0]));
}

void event_selection_release(struct event_selection *selection)
{
	free(selection->is_selected);
	free(selection->filter);
	free(selection->is_filter_asked);
	free(selection->missing);
	buffer_release(&selection->single);
	*selection = (struct event_selection){0};
}

/* Compares the plain prefix first: fnmatch() converts both to wide characters, for each of some
   2000 events. */
static bool name_matches(const char *pattern, const char *name)
{
	size_t plain = strcspn(pattern, "*?[\\");

	if (strncmp(pattern, name, plain) != 0)
		return false;
	return pattern[plain] ? fnmatch(pattern + plain, name + plain, 0) == 0 : !name[plain];
}

bool event_catalog_has(const struct event_catalog *catalog, const char *name)
{
	for (size_t i = 0; i < catalog->count; i++)
		if (strcmp(catalog->name[i], name) == 0)
			return true;
	return false;
}

bool event_catalog_wants(const struct event_catalog *catalog, const struct tracepoint *row)
{
	return (!row->needs_strings || catalog->has_strings) &&
	       (!row->replaces || !event_catalog_has(catalog, row->replaces));
}

/* Returns how many names of the catalog match the pattern. */
static size_t selection_add_pattern(struct event_selection *selection, const char *pattern,
                                    const char *filter)
{
	size_t found = 0;

	for (size_t i = 0; i < selection->catalog->count; i++) {
		if (!name_matches(pattern, selection->catalog->name[i]))
			continue;
		/* of several requests for an event the widest wins */
		if (!selection->is_selected[i] || !filter)
			selection->filter[i] = filter;
		selection->is_selected[i] = true;
		found++;
	}
	return found;
}

static void selection_miss(struct event_selection *selection, const struct tracepoint *row)
{
	for (size_t i = 0; i < selection->missing_count; i++)
		if (selection->missing[i] == row)
			return;
	/* NOLINTNEXTLINE: pointers are meant */
	ARRAY_ADD(selection->missing, selection->missing_count, selection->missing_capacity) = row;
}

/* Returns how many events the kernel has of those without rows. */
static size_t selection_add_others(struct event_selection *selection,
                                   const struct event_group *group)
{
	const struct event_catalog *catalog = selection->catalog;
	size_t found = 0;

	for (size_t i = 0; group->others && i < catalog->count; i++)
		if (event_group_has_other(group, catalog->name[i]))
			found += selection_add_pattern(selection, catalog->name[i], NULL);
	return found;
}

static void selection_add_group(struct event_selection *selection, const struct event_group *group)
{
	selection->groups |= 1u << (group - event_groups);
	TRACEPOINT_EACH(row) {
		_cleanup_(freep) char *name = NULL;

		if (!tracepoint_is_part_of(row, group) ||
		    !event_catalog_wants(selection->catalog, row))
			continue;
		name = xasprintf("%s:%s", row->system, row->name);
		if (!tracepoint_is_of(row, group))
			(void)selection_add_pattern(selection, name, row->part_filter);
		else if ((!event_catalog_can_read(selection->catalog, row) ||
		          selection_add_pattern(selection, name, row->filter) == 0) &&
		         !row->is_optional)
			selection_miss(selection, row);
	}
}

/* The row of "system:event". */
static const struct tracepoint *row_find(const char *name)
{
	size_t system;

	TRACEPOINT_EACH(row) {
		system = strlen(row->system);
		if (row->group && strncmp(name, row->system, system) == 0 && name[system] == ':' &&
		    strcmp(name + system + 1, row->name) == 0)
			return row;
	}
	return NULL;
}

/* A name without a system is compared with the part after the colon. */
static const char *name_suggest(const struct event_catalog *catalog, const char *name)
{
	size_t limit = catalog->count + event_group_count, count = 0;
	const char **names = xreallocarray(NULL, limit, sizeof(*names));
	const char *near;

	for (size_t i = 0; i < event_group_count && !strchr(name, ':'); i++)
		names[count++] = event_groups[i].name;
	for (size_t i = 0; i < catalog->count; i++) {
		const char *colon = strchr(catalog->name[i], ':');

		names[count++] = !strchr(name, ':') && colon ? colon + 1 : catalog->name[i];
	}
	near = suggest(name, names, count);
	free(names);
	return near;
}

/* `meant`: what may be meant; NULL: not known. */
static int name_refuse(const char *name, const char *meant, bool is_several, struct buffer *why)
{
	buffer_printf(why, "this kernel has no group or event \"%s\"", name);
	if (!meant)
		buffer_puts(why, " (see \"ftwait list\")");
	else if (is_several)
		buffer_printf(why, "; separate groups with a comma: %s", meant);
	else
		buffer_printf(why, "; did you mean \"%s\"?", meant);
	return -EINVAL;
}

int event_selection_add(struct event_selection *selection, const char *name, struct buffer *why)
{
	const struct event_group *group = event_group_find(name);
	const struct tracepoint *row;
	size_t found;

	if (group) {
		selection_add_group(selection, group);
		if (group->others && selection_add_others(selection, group) == 0)
			return buffer_fail(why, -EINVAL, "this kernel has no events of the group "
			                   "\"%s\": %s", group->name, group->others);
		return 0;
	}
	if (strchr(name, ':')) {
		found = selection_add_pattern(selection, name, NULL);
	} else {
		_cleanup_(freep) char *event = xasprintf("*:%s", name);
		_cleanup_(freep) char *system = xasprintf("%s:*", name);

		found = selection_add_pattern(selection, event, NULL) +
		        selection_add_pattern(selection, system, NULL);
	}
	if (found > 0) {
		if (selection->single.length + 1 + strlen(name) < SINGLE_BYTES_MAX)
			buffer_printf(&selection->single, ",%s", name);
		return 0;
	}
	row = row_find(name);
	if (row) {
		selection_miss(selection, row);
		return 0;
	}
	if (strcmp(name, "all") == 0)
		return buffer_fail(why, -EINVAL, "there is no group \"all\"; name groups, as in -e "
		                   "default,syscalls; \"ftwait list\" shows them");
	return name_refuse(name, name_suggest(selection->catalog, name), false, why);
}

/* The filter that keeps the recorder's own system calls out is in the same place. */
static bool is_system_call(const char *name)
{
	return strncmp(name, "syscalls:", strlen("syscalls:")) == 0 ||
	       strncmp(name, "raw_syscalls:", strlen("raw_syscalls:")) == 0;
}

int event_selection_add_filtered(struct event_selection *selection, const char *name,
                                 const char *filter, struct buffer *why)
{
	for (size_t i = 0; i < selection->catalog->count; i++) {
		if (strcmp(selection->catalog->name[i], name) != 0)
			continue;
		if (selection->is_filter_asked[i] && strcmp(selection->filter[i], filter) == 0)
			return 0;
		if (selection->is_filter_asked[i])
			return buffer_fail(why, -EINVAL, "%s can have only one filter: \"%s\" and "
			                   "\"%s\" are asked for; join them with ||", name,
			                   selection->filter[i], filter);
		if (is_system_call(name))
			return buffer_fail(why, -EINVAL, "%s cannot have a filter: it is a system "
			                   "call", name);
		if (selection->is_selected[i] && !selection->filter[i])
			return buffer_fail(why, -EINVAL, "%s cannot have a filter: all of its "
			                   "events are recorded (-e), and reports need them", name);
		selection->is_selected[i] = selection->is_filter_asked[i] = true;
		selection->filter[i] = filter;
		buffer_printf(&selection->single, ",%s", name);
		return 0;
	}
	return buffer_fail(why, -EINVAL, "this kernel has no event %s; see \"ftwait list\"", name);
}

void event_selection_add_default(struct event_selection *selection)
{
	for (size_t i = 0; i < event_group_count; i++)
		if (event_groups[i].is_default)
			selection_add_group(selection, &event_groups[i]);
}

/* "+lock,+irq" of "lock+irq"; returns how many names there are. */
static size_t separated_append(struct buffer *to, const char *names)
{
	size_t count = 0;

	for (names += strspn(names, "+"); *names; names += strspn(names, "+")) {
		size_t length = strcspn(names, "+");

		buffer_puts(to, count++ ? ",+" : "+");
		buffer_puts_clean(to, names, length);
		names += length;
	}
	return count;
}

/* A "+" that does not precede one name. */
static int pluses_refuse(const char *item, struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer meant = buffer_of(BUFFER_LIMIT_DEFAULT);
	size_t count = separated_append(&meant, item);

	return name_refuse(item, count > 0 ? meant.text : NULL, count > 1, why);
}

int event_selection_ask(struct event_selection *selection, const char *item, struct buffer *why)
{
	bool is_added = item[0] == '+';
	const char *name = item + is_added;

	if (!*name || strchr(name, '+'))
		return pluses_refuse(item, why);
	if (is_added || strcmp(name, DEFAULT_WORD) == 0)
		event_selection_add_default(selection);
	return strcmp(name, DEFAULT_WORD) == 0 ? 0 : event_selection_add(selection, name, why);
}

const char *event_word_at(size_t index)
{
	if (index == 0)
		return DEFAULT_WORD;
	return index <= event_group_count ? event_groups[index - 1].name : NULL;
}

const char *event_word_about_at(size_t index)
{
	if (index == 0)
		return "what is recorded without -e";
	return index <= event_group_count ? event_groups[index - 1].summary : NULL;
}

void event_selection_describe(const struct event_selection *selection, struct buffer *to)
{
	bool is_first = true;

	for (size_t i = 0; i < event_group_count; i++) {
		if (!(selection->groups & 1u << i))
			continue;
		buffer_printf(to, "%s%s", is_first ? "" : ",", event_groups[i].name);
		is_first = false;
	}
	buffer_append(to, selection->single.text, selection->single.length);
}

bool event_selection_has(const struct event_selection *selection, const char *pattern)
{
	for (size_t i = 0; i < selection->catalog->count; i++)
		if (selection->is_selected[i] && name_matches(pattern, selection->catalog->name[i]))
			return true;
	return false;
}

bool event_selection_describe_missing(const struct event_selection *selection, struct buffer *to)
{
	for (size_t i = 0; i < selection->missing_count; i++)
		buffer_printf(to, "%s%s:%s", i ? ", " : "", selection->missing[i]->system,
		              selection->missing[i]->name);
	return selection->missing_count > 0;
}

bool event_selection_lacks_strings(const struct event_selection *selection)
{
	if (selection->catalog->has_strings)
		return false;
	for (size_t i = 0; i < event_group_count; i++) {
		if (!(selection->groups & 1u << i))
			continue;
		TRACEPOINT_EACH(row) {
			if (row->needs_strings && tracepoint_is_of(row, &event_groups[i]))
				return true;
		}
	}
	return false;
}

const char *event_selection_missing_since(const struct event_selection *selection)
{
	unsigned latest[KERNEL_RELEASE_NUMBERS] = {0}, release[KERNEL_RELEASE_NUMBERS];
	const char *since = NULL;

	for (size_t i = 0; i < selection->missing_count; i++) {
		const struct tracepoint *row = selection->missing[i];
		_cleanup_(freep) char *name = xasprintf("%s:%s", row->system, row->name);
		const char *of_row = kernel_feature_since(name);

		if (!of_row || !kernel_release_parse(of_row, release))
			return NULL;
		if (kernel_release_compare(release, latest) <= 0)
			continue;
		memcpy(latest, release, sizeof(latest));
		since = of_row;
	}
	return since;
}

bool event_selection_lacks_waking(const struct event_selection *selection)
{
	for (size_t i = 0; i < selection->missing_count; i++)
		if (strcmp(selection->missing[i]->name, "sched_waking") == 0)
			return true;
	return false;
}
