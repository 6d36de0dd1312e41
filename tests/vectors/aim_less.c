/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim_less.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "builder/schedule_cut.h"
#include "property/random.h"
#include "report_run.h"

#define CUTS 3

/* NULL: the schedule cannot be read, as a cut one may not be, or the report fails. */
static struct json *report_of(const char *events, const struct machine *machine)
{
	static const char *const options[] = {"--waits", "--all", NULL};
	struct json *report = NULL;
	struct buffer why;
	int trace = -1;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (datfile_from_text(events, machine, &trace, &why) == 0) {
		if (report_run(trace, options, &report, &why) < 0)
			report = NULL;
		(void)close(trace);
	}
	buffer_release(&why);
	return report;
}

static const struct json *waits_of(const struct json *report)
{
	const struct json *waits = json_find(report, "waits");

	return waits ? waits->item : NULL;
}

static const struct json *wait_find(const struct json *report, const struct json *like)
{
	uint64_t tid = json_u64(json_find(like, "task.tid"));
	uint64_t begin = json_u64(json_find(like, "begin_ns"));

	for (const struct json *wait = waits_of(report); wait; wait = wait->next)
		if (json_u64(json_find(wait, "task.tid")) == tid &&
		    json_u64(json_find(wait, "begin_ns")) == begin)
			return wait;
	return NULL;
}

/* Compares what waits are for in the report of fewer events, `less`, with that of all. `how` says
   which are missing. */
static unsigned reports_compare(const char *path, const char *how, const struct json *whole,
                                const struct json *less)
{
	unsigned failures = 0;

	for (const struct json *wait = waits_of(less); wait; wait = wait->next) {
		const struct json *same = wait_find(whole, wait);
		const char *kind = json_text(json_find(wait, "aim.kind"));
		const char *was = json_text(json_find(same, "aim.kind"));

		if (!same || !*kind || strcmp(kind, was) == 0)
			continue;
		printf("%s: %s, the wait of task %" PRIu64 " from %" PRIu64
		       " is for \"%s\", with all for \"%s\"\n",
		       path, how, json_u64(json_find(wait, "task.tid")),
		       json_u64(json_find(wait, "begin_ns")), kind, was);
		failures++;
	}
	return failures;
}

/* Whether the schedule may be cut. What the recorder saw in /proc holds at the end of the whole
   recording only; and a line "# not cut: WHY" may say what else only the end shows, as "# needs all
   events: WHY" does for what may not be left out. */
static bool may_be_cut(const char *events)
{
	return strncmp(events, "waits ", 6) != 0 && !strstr(events, "\nwaits ") &&
	       !strstr(events, "\n# not cut: ");
}

static unsigned cuts_check(const char *path, const char *events, const struct machine *machine,
                           const struct json *whole, uint64_t seed)
{
	unsigned failures = 0, count = schedule_event_count(events);
	struct random random = {seed ^ count};

	for (unsigned i = 0; count > 2 && i < CUTS; i++) {
		double until = schedule_event_time(events, 2 + random_below(&random, count - 2));
		struct json *cut;
		struct buffer text;
		char how[64];

		buffer_init(&text, strlen(events) + 2);
		schedule_cut(events, until, &text);
		cut = report_of(text.text, machine);
		(void)snprintf(how, sizeof(how), "cut after %g", until);
		failures += reports_compare(path, how, whole, cut);
		json_free(cut);
		buffer_release(&text);
	}
	return failures;
}

/* Events that a recording may lack: a line is one of them if it has such a word. */
static const struct {
	const char *how, *word;
} lacks[] = {
	{"without stacks", "kernel_stack"},
	{"without system calls", "sys_e"}, /* sys_enter, sys_exit, and those of one call */
};

/* Returns whether a line was left out. */
static bool schedule_lack(const char *text, const char *word, struct buffer *to)
{
	bool has = false;

	while (*text) {
		size_t length = strcspn(text, "\n");
		const char *found = strstr(text, word);
		bool is_gone = schedule_line_is_event(text) && found && found < text + length;

		length += text[length] == '\n';
		has |= is_gone;
		if (!is_gone)
			buffer_append(to, text, length);
		text += length;
	}
	return has;
}

static unsigned lacks_check(const char *path, const char *events, const struct machine *machine,
                            const struct json *whole)
{
	unsigned failures = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lacks); i++) {
		struct buffer text;

		buffer_init(&text, strlen(events) + 2);
		if (schedule_lack(events, lacks[i].word, &text)) {
			struct json *less = report_of(text.text, machine);

			failures += reports_compare(path, lacks[i].how, whole, less);
			json_free(less);
		}
		buffer_release(&text);
	}
	return failures;
}

unsigned aim_less_check(const char *path, const char *events, const struct machine *machine,
                        uint64_t seed)
{
	struct json *whole = report_of(events, machine);
	unsigned failures;

	if (!whole)
		return 0;
	failures = strstr(events, "\n# needs all events: ")
	                   ? 0
	                   : lacks_check(path, events, machine, whole);
	if (may_be_cut(events))
		failures += cuts_check(path, events, machine, whole, seed);
	json_free(whole);
	return failures;
}
