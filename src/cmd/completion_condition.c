/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "recorder/instance/event_selection.h"
#include "capture/instance/tracing_mount.h"
#include "capture/machine/control_group.h"
#include "capture/machine/group_notes.h"
#include "recorder/machine/task_snapshot.h"
#include "recorder/machine/text_file.h"
#include "completion_values.h"
#include "flight/condition.h"
#include "words/cause/cause_kind.h"

#define PROC_TEXT_BYTES 4096
#define WORD_BYTES_MAX  32
/* What a value cannot contain without quotes. */
#define AVOIDED         " \""

/* What the words before the cursor have said. */
struct said {
	int head; /* enum condition_head; -1: not said */
	uint32_t filters; /* mask by enum condition_filter */
	bool is_closed; /* nothing can follow: a quotation is open, or a filter of the kernel */
};

static struct buffer head_word(enum condition_head head)
{
	struct buffer word = {0};

	buffer_init(&word, WORD_BYTES_MAX);
	condition_head_append(&word, head);
	return word;
}

/* The word's head; -1: it has none. */
static int head_of(const char *word)
{
	for (int i = 0; i < CONDITION_HEAD_COUNT; i++) {
		_cleanup_(buffer_release) struct buffer head =
			head_word((enum condition_head)i);

		if (strncmp(word, head.text, head.length) == 0)
			return i;
	}
	return -1;
}

/* The word's filter, and its value; -1: it has none. */
static int filter_of(const char *word, const char **ret_value)
{
	for (int i = 0; i < FILTER_COUNT; i++) {
		const char *name = condition_filter_name((enum condition_filter)i);
		size_t length = strlen(name);

		if (strncmp(word, name, length) == 0 && word[length] == '=') {
			*ret_value = word + length + 1;
			return i;
		}
	}
	return -1;
}

static void said_take(struct said *said, const char *word)
{
	const char *value;
	int filter = filter_of(word, &value);

	if (filter >= 0)
		said->filters |= 1u << filter;
	else if (head_of(word) >= 0)
		said->head = head_of(word);
	else if (said->head == CONDITION_EVENT && strcmp(word, "if") == 0)
		said->is_closed = true;
}

/* Splits `text`. Blanks in a quotation end words here, too: their rest is no word of a condition,
   or the condition is closed. */
static struct said said_read(char *text)
{
	struct said said = {.head = -1};
	bool is_quoted = false;
	char *save;

	for (const char *at = text; *at; at++)
		is_quoted ^= *at == '"';
	said.is_closed = is_quoted;
	for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
		said_take(&said, word);
	return said;
}

static void add_with(struct candidate_list *to, const char *before, const char *value)
{
	_cleanup_(freep) char *text = xasprintf("%s%s", before, value);

	candidate_add(to, text, NULL);
}

static void add_glob_with(struct candidate_list *to, const char *before, const char *name)
{
	_cleanup_(buffer_release) struct buffer glob = {0};

	buffer_init(&glob, BUFFER_LIMIT_DEFAULT);
	completion_glob_append(&glob, name, AVOIDED);
	if (glob.length > 0)
		add_with(to, before, glob.text);
}

static bool proc_read(const char *pid, const char *name, struct buffer *to)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%s/%s", pid, name);

	buffer_init(to, PROC_TEXT_BYTES);
	return text_file_read(path, to) == 0;
}

static void add_group_of(struct candidate_list *to, const char *before, const char *pid)
{
	_cleanup_(buffer_release) struct buffer text = {0};
	_cleanup_(freep) char *path = NULL;
	struct control_group_line line;

	if (!proc_read(pid, "cgroup", &text) || !group_notes_choose(text.text, &line))
		return;
	path = xstrndup(line.path, line.length);
	add_glob_with(to, before, path);
}

/* Adds of each process its name, as a recording has it, its id or its control group. */
static void add_processes_with(struct candidate_list *to, const char *before,
                               enum condition_filter what)
{
	_cleanup_(closedirp) DIR *proc = opendir("/proc");
	const struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		_cleanup_(buffer_release) struct buffer text = {0};
		_cleanup_(freep) char *word = xasprintf("%s%s", before, entry->d_name);
		struct task_stat stat;
		int32_t pid;

		if (parse_pid(entry->d_name, &pid) < 0)
			continue;
		if (what == FILTER_CGROUP)
			add_group_of(to, before, entry->d_name);
		else if (!proc_read(entry->d_name, "status", &text) ||
			 task_stat_parse(text.text, &stat) < 0)
			continue;
		else if (what == FILTER_PID)
			candidate_add(to, word, stat.comm);
		else
			add_glob_with(to, before, stat.comm);
	}
}

static void add_disks(struct candidate_list *to, const char *before)
{
	_cleanup_(closedirp) DIR *disks = opendir("/sys/block");
	const struct dirent *entry;

	while (disks && (entry = readdir(disks)))
		if (entry->d_name[0] != '.')
			add_glob_with(to, before, entry->d_name);
}

static void add_kinds(struct candidate_list *to, const char *before)
{
	for (int kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (cause_ends_waits((enum cause_kind)kind))
			add_with(to, before, cause_kind_name((enum cause_kind)kind));
}

static void add_filter_values(struct candidate_list *to, enum condition_filter filter)
{
	_cleanup_(freep) char *before = xasprintf("%s=", condition_filter_name(filter));

	switch (filter) {
	case FILTER_COMM:
	case FILTER_PID:
	case FILTER_CGROUP:
		add_processes_with(to, before, filter);
		break;
	case FILTER_KIND:
		add_kinds(to, before);
		break;
	case FILTER_DEV:
		add_disks(to, before);
		break;
	case FILTER_NAME: /* of locks, disks, tasks ...: not known before */
	case FILTER_COUNT:
		break;
	}
}

static void add_events_with(struct candidate_list *to, const char *before)
{
	_cleanup_(buffer_release) struct buffer why = {0};
	_cleanup_(freep) char *tracefs = NULL;
	struct event_catalog catalog = {0};

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (tracing_mount_find(&tracefs, &why) < 0)
		return;
	(void)event_catalog_load(tracefs, &catalog);
	for (size_t i = 0; i < catalog.count; i++)
		add_with(to, before, catalog.name[i]);
	event_catalog_release(&catalog);
}

static void add_head_values(struct candidate_list *to, enum condition_head head)
{
	_cleanup_(buffer_release) struct buffer before = head_word(head);
	const char *value = to->beginning + before.length;

	switch (head) {
	case CONDITION_EXIT:
		add_processes_with(to, before.text, FILTER_COMM);
		break;
	case CONDITION_EVENT:
		add_events_with(to, before.text);
		break;
	case CONDITION_RETRANSMIT:
		if (*value && !value[strspn(value, "0123456789")])
			add_with(to, to->beginning, "/s");
		break;
	case CONDITION_HUNG:
		if (*value == '>')
			completion_add_times(to, before.length + 1);
		else
			candidate_add(to, before.text, NULL);
		break;
	case CONDITION_WAIT:
	case CONDITION_OPEN:
	case CONDITION_DISK:
	case CONDITION_LOCK:
	case CONDITION_DELAY:
		completion_add_times(to, before.length);
		break;
	case CONDITION_MARK: /* any text */
	case CONDITION_HEAD_COUNT:
		break;
	}
}

static void add_heads(struct candidate_list *to, uint32_t filters)
{
	for (int i = 0; i < CONDITION_HEAD_COUNT; i++) {
		_cleanup_(buffer_release) struct buffer word =
			head_word((enum condition_head)i);
		bool is_fit = true;

		for (int filter = 0; filter < FILTER_COUNT; filter++)
			if (filters & 1u << filter)
				is_fit &= condition_head_takes((enum condition_head)i,
				                               (enum condition_filter)filter);
		if (is_fit)
			candidate_add(to, word.text, NULL);
	}
}

static void add_filters(struct candidate_list *to, const struct said *said)
{
	for (int i = 0; i < FILTER_COUNT; i++)
		if (!(said->filters & 1u << i) &&
		    (said->head < 0 || condition_head_takes((enum condition_head)said->head,
		                                            (enum condition_filter)i)))
			add_with(to, condition_filter_name((enum condition_filter)i), "=");
}

void completion_condition(const struct completion_request *request, struct candidate_list *ret)
{
	/* of "--trigger=wait>1s comm=x" what is kept begins with the option */
	size_t kept = strlen(request->kept);
	size_t option = kept > request->value ? request->value : kept;
	_cleanup_(freep) char *before = xstrdup(request->kept + option);
	struct said said = said_read(before);
	const char *value;
	int filter = filter_of(request->text, &value), head = head_of(request->text);

	if (said.is_closed)
		return;
	if (filter >= 0) {
		if (!(said.filters & 1u << filter))
			add_filter_values(ret, (enum condition_filter)filter);
	} else if (head >= 0) {
		if (said.head < 0)
			add_head_values(ret, (enum condition_head)head);
	} else {
		if (said.head < 0)
			add_heads(ret, said.filters);
		add_filters(ret, &said);
	}
}
