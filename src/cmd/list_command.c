/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "commands.h"
#include "pager.h"
#include "present/text/text_fold.h"
#include "recorder/instance/capture_session.h"
#include "recorder/instance/event_selection.h"
#include "recorder/instance/tracing_access.h"
#include "terminal.h"
#include "words/kernel/kernel_feature.h"

#define NAME_WIDTH 37

/* What the kernel has of an event or a file. */
enum presence {
	MISSING,
	TOO_OLD, /* the event has fewer fields than groups need */
	PRESENT,
};

/* Files of an instance, in addition to its events, that a group uses. */
static const struct group_file {
	const char *group, *name, *use;
} group_files[] = {
	{"syscalls", CAPTURE_TASKS_FILE, "with COMMAND or -p: those of these tasks alone"},
	{"syscalls", CAPTURE_FORKS_FILE, "and of what they fork"},
	{"paths", CATALOG_STRINGS_FILE, "the paths; without it only system calls are recorded"},
};

struct list_options {
	bool is_json;
	bool no_pager;
};

static const struct option_row rows[] = {
	OPT_BOOL(0, "json", struct list_options, is_json, "one JSON object"),
	OPT_BOOL(0, "no-pager", struct list_options, no_pager, OPTION_NO_PAGER_HELP),
};

const struct option_set list_option_set = {
	.command = "list",
	.operands = "[GROUP...]",
	.about = "Shows the groups for \"ftwait record -e\", or those that are named, and which of "
	         "their events this kernel has.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

/* How a listing is shown; names consist of letters, digits, ":" and "_" and need no escapes. */
struct listing {
	bool is_json;
	unsigned width; /* of the terminal; 0: no limit */
	const struct event_catalog *catalog;
	const char *tracefs;
};

/* "--irq", "--disk, --lock": the views that need the group; "" if none does. */
static void views_append(struct buffer *to, const struct event_group *group)
{
	size_t length = strlen(group->name);

	for (size_t i = 0; analyses[i]; i++)
		for (const char *at = analyses[i]->groups; at; at = strchr(at, ',')) {
			at += *at == ',';
			if (strncmp(at, group->name, length) == 0 &&
			    (at[length] == ',' || at[length] == '\0'))
				buffer_printf(to, "%s--%s", to->length ? ", " : "",
				              analyses[i]->name);
		}
}

static void text_group(const struct listing *listing, const struct event_group *group,
                       bool is_first)
{
	_cleanup_(buffer_release) struct buffer views = buffer_of(1000);
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(buffer_release) struct buffer folded = buffer_of(BUFFER_LIMIT_DEFAULT);

	views_append(&views, group);
	buffer_printf(&line, "%s%s%s%s: %s%s%s%s", group->name, group->alias ? ", " : "",
	              group->alias ? group->alias : "", group->is_default ? " (default)" : "",
	              group->summary, views.length ? " (report " : "", views.text,
	              views.length ? ")" : "");
	text_fold_line(&folded, line.text, listing->width);
	(void)printf("%s%s\n", is_first ? "" : "\n", folded.text);
}

/* Prints a line of the list; the text of the use is folded with an indent. */
static void use_print(const struct listing *listing, const char *name, enum presence presence,
                      const char *use, const char *note)
{
	static const char *const words[] = {"missing", "too old", "present"};
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_printf(&line, "  %-*s %-7s ", NAME_WIDTH, name, words[presence]);
	buffer_printf(&text, "%s%s", use, note);
	text_fold_append(&line, text.text, listing->width, line.length, line.length);
	(void)puts(line.text);
}

/* `filter`: the group records only events that this filter of the kernel passes; NULL: all. */
static void text_event(const struct listing *listing, const char *name,
                       const struct tracepoint *row, const char *filter, enum presence presence)
{
	const char *since = presence == PRESENT ? NULL : kernel_feature_since(name);
	_cleanup_(buffer_release) struct buffer note = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (filter)
		buffer_printf(&note, " (only if %s)", filter);
	if (since)
		buffer_printf(&note, " (Linux %s or newer)", since);
	else if (presence != PRESENT && row->is_optional)
		buffer_puts(&note, " (some kernels only)");
	use_print(listing, name, presence, row->use, note.text);
}

static void text_file(const struct listing *listing, const struct group_file *file,
                      enum presence presence)
{
	const char *since = presence == PRESENT ? NULL : kernel_feature_since(file->name);
	_cleanup_(freep) char *note = since ? xasprintf(" (Linux %s or newer)", since) : NULL;

	use_print(listing, file->name, presence, file->use, note ? note : "");
}

static void json_group(const struct event_group *group, bool is_first)
{
	(void)printf("%s\n{\"name\":\"%s\",\"summary\":\"%s\",\"default\":%s,\"events\":[",
	             is_first ? "" : ",", group->name, group->summary,
	             group->is_default ? "true" : "false");
}

/* Filters have quotes, and nothing else that needs an escape. NULL: null. */
static void json_quoted(const char *text)
{
	if (!text) {
		(void)fputs("null", stdout);
		return;
	}
	(void)putchar('"');
	for (; *text; text++) {
		if (*text == '"')
			(void)putchar('\\');
		(void)putchar(*text);
	}
	(void)putchar('"');
}

static void json_event(const char *name, const struct tracepoint *row, const char *filter,
                       enum presence presence, bool is_first)
{
	(void)printf("%s\n{\"event\":\"%s\",\"present\":%s,\"optional\":%s,\"use\":\"%s\","
	             "\"filter\":", is_first ? "" : ",", name,
	             presence == PRESENT ? "true" : "false",
	             row->is_optional ? "true" : "false", row->use);
	json_quoted(filter);
	(void)fputs(",\"since\":", stdout);
	json_quoted(kernel_feature_since(name));
	(void)putchar('}');
}

static void json_file(const struct group_file *file, enum presence presence, bool is_first)
{
	(void)printf("%s\n{\"file\":\"%s\",\"present\":%s,\"use\":\"%s\",\"since\":",
	             is_first ? "],\"files\":[" : ",", file->name,
	             presence == PRESENT ? "true" : "false", file->use);
	json_quoted(kernel_feature_since(file->name));
	(void)putchar('}');
}

static enum presence presence_of(const struct event_catalog *catalog, const char *name,
                                 const struct tracepoint *row)
{
	if (!event_catalog_has(catalog, name) || !event_catalog_wants(catalog, row))
		return MISSING;
	return event_catalog_can_read(catalog, row) ? PRESENT : TOO_OLD;
}

/* Of an event without a row. */
static void other_show(const struct listing *listing, const char *name, enum presence presence,
                       bool is_first)
{
	const struct tracepoint row = {
		.is_optional = true, .use = "counted and paired (report --count, --pair)",
	};

	if (listing->is_json)
		json_event(name, &row, NULL, presence, is_first);
	else
		text_event(listing, name, &row, NULL, presence);
}

/* What the kernel has of the events without rows; of a group of which it has none, the pattern. */
static void others_show(const struct listing *listing, const struct event_group *group,
                        bool is_first)
{
	size_t shown = 0;

	for (size_t i = 0; i < listing->catalog->count; i++)
		if (event_group_has_other(group, listing->catalog->name[i])) {
			other_show(listing, listing->catalog->name[i], PRESENT,
			           is_first && shown == 0);
			shown++;
		}
	if (group->others && shown == 0)
		other_show(listing, group->others, MISSING, is_first);
}

static void events_show(const struct listing *listing, const struct event_group *group)
{
	bool is_first = true;

	TRACEPOINT_EACH(row) {
		const char *filter = tracepoint_is_of(row, group) ? row->filter : row->part_filter;
		_cleanup_(freep) char *name = NULL;
		enum presence presence;

		if (!tracepoint_is_part_of(row, group))
			continue;
		name = xasprintf("%s:%s", row->system, row->name);
		presence = presence_of(listing->catalog, name, row);
		if (listing->is_json)
			json_event(name, row, filter, presence, is_first);
		else
			text_event(listing, name, row, filter, presence);
		is_first = false;
	}
	others_show(listing, group, is_first);
}

/* Returns whether there are any. */
static bool files_show(const struct listing *listing, const struct event_group *group)
{
	bool is_first = true;

	for (size_t i = 0; i < ARRAY_SIZE(group_files); i++) {
		const struct group_file *file = &group_files[i];
		_cleanup_(freep) char *path = xasprintf("%s/%s", listing->tracefs, file->name);
		enum presence presence = access(path, F_OK) == 0 ? PRESENT : MISSING;

		if (strcmp(file->group, group->name) != 0)
			continue;
		if (listing->is_json)
			json_file(file, presence, is_first);
		else
			text_file(listing, file, presence);
		is_first = false;
	}
	return !is_first;
}

static bool group_is_asked(const struct event_group *group, const struct operands *names)
{
	for (size_t i = 0; i < names->count; i++)
		if (event_group_find(names->argv[i]) == group)
			return true;
	return names->count == 0;
}

/* The groups of these names, which exist; without names, all. */
static void groups_show(const struct listing *listing, const struct operands *names)
{
	bool is_first = true, has_files;

	if (listing->is_json)
		(void)fputs("{\"schema\":\"ftwait.list/1\",\"groups\":[", stdout);
	for (size_t i = 0; i < event_group_count; i++) {
		const struct event_group *group = &event_groups[i];

		if (!group_is_asked(group, names))
			continue;
		if (listing->is_json)
			json_group(group, is_first);
		else
			text_group(listing, group, is_first);
		events_show(listing, group);
		has_files = files_show(listing, group);
		if (listing->is_json)
			(void)fputs(has_files ? "]}" : "],\"files\":[]}", stdout);
		is_first = false;
	}
	if (listing->is_json)
		(void)fputs("]}\n", stdout);
}

static int list_run(const struct list_options *options, const struct operands *names)
{
	struct event_catalog catalog = {0};
	struct pager pager = {0};
	char *tracefs = NULL;
	_cleanup_(buffer_release) struct buffer why = buffer_of(4096);
	int r = tracing_mount_find(&tracefs, &why);

	if (r == 0) {
		r = event_catalog_load(tracefs, &catalog);
		if (r < 0)
			(void)tracing_denial_explain_file(tracefs, "available_events", -r, &why);
	}
	if (r < 0) {
		message_error("%s", why.text);
	} else {
		const struct listing listing = {
			options->is_json, terminal_width(stdout), &catalog, tracefs,
		};

		if (!options->no_pager)
			pager_begin(&pager);
		groups_show(&listing, names);
		pager_end(&pager);
	}
	event_catalog_release(&catalog);
	free(tracefs);
	return r < 0 ? STATUS_FAILED : STATUS_FINE;
}

/* Prints an error if one of the names is no group's. */
static bool names_are_right(const struct operands *names)
{
	_cleanup_(buffer_release) struct buffer groups = buffer_of(1000);

	for (size_t i = 0; i < names->count; i++) {
		if (event_group_find(names->argv[i]))
			continue;
		for (size_t group = 0; group < event_group_count; group++)
			buffer_printf(&groups, "%s%s", group ? ", " : "", event_groups[group].name);
		return message_fail(false, "list: no group \"%s\"; there are %s", names->argv[i],
		                    groups.text);
	}
	return true;
}

int list_command(int argc, char **argv)
{
	struct list_options options = {0};
	struct operands operands;
	int status = options_read(&list_option_set, argc, argv, &options, &operands);

	if (status >= 0)
		return status;
	return names_are_right(&operands) ? list_run(&options, &operands) : STATUS_USAGE;
}
