/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim_cuts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "property/random.h"
#include "report_run.h"

#define CUTS 3

/* Whether a line of a schedule is an event: "TIME/CPU TASK EVENT". */
static bool line_is_event(const char *line)
{
	line += strspn(line, " \t");
	if (!isdigit((unsigned char)*line))
		return false;
	return line[strspn(line, "0123456789.")] == '/';
}

static unsigned events_count(const char *text)
{
	unsigned count = 0;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		count += line_is_event(text);
	return count;
}

/* The time of the event with that number, from 0. */
static double event_time(const char *text, unsigned number)
{
	while (!line_is_event(text) || number-- > 0) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return strtod(text, NULL);
}

/* All lines but the events after that time: what happens at one instant is not torn apart. */
static void schedule_cut(const char *text, double until, struct buffer *to)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		length += text[length] == '\n';
		if (!line_is_event(text) || strtod(text, NULL) <= until)
			buffer_append(to, text, length);
		text += length;
	}
}

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

static unsigned reports_compare(const char *path, double until, const struct json *whole,
                                const struct json *cut)
{
	unsigned failures = 0;

	for (const struct json *wait = waits_of(cut); wait; wait = wait->next) {
		const struct json *same = wait_find(whole, wait);
		const char *kind = json_text(json_find(wait, "aim.kind"));
		const char *was = json_text(json_find(same, "aim.kind"));

		if (!same || !*kind || strcmp(kind, was) == 0)
			continue;
		printf("%s: cut after %g, the wait of task %" PRIu64 " from %" PRIu64
		       " is for \"%s\", with all for \"%s\"\n",
		       path, until, json_u64(json_find(wait, "task.tid")),
		       json_u64(json_find(wait, "begin_ns")), kind, was);
		failures++;
	}
	return failures;
}

/* Whether the schedule may be cut. What the recorder saw in /proc holds at the end of the whole
   recording only; and a line "# not cut: WHY" may say what else only the end shows. */
static bool may_be_cut(const char *events)
{
	return strncmp(events, "waits ", 6) != 0 && !strstr(events, "\nwaits ") &&
	       !strstr(events, "\n# not cut: ");
}

unsigned aim_cuts_check(const char *path, const char *events, const struct machine *machine,
                        uint64_t seed)
{
	struct json *whole = may_be_cut(events) ? report_of(events, machine) : NULL;
	unsigned failures = 0, count = events_count(events);
	struct random random = {seed ^ count};

	for (unsigned i = 0; whole && count > 2 && i < CUTS; i++) {
		double until = event_time(events, 2 + random_below(&random, count - 2));
		struct json *cut;
		struct buffer text;

		buffer_init(&text, strlen(events) + 2);
		schedule_cut(events, until, &text);
		cut = report_of(text.text, machine);
		failures += reports_compare(path, until, whole, cut);
		json_free(cut);
		buffer_release(&text);
	}
	json_free(whole);
	return failures;
}
