/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vectors FILE.vec...: tables of facts for the wait engine. A file is a schedule (see
 * tests/builder/schedule.h), a line "---", and what `ftwait report` must say of it:
 *
 *	ask TASK [OPTION...]     what follows is about --critical-path of TASK; at first: of A,
 *	                         or of whom the report chooses where none is called so.
 *	                         OPTIONs go to the command line
 *	part DEPTH TASK BEGIN END STATE [KIND[|KIND...]] [KEY=VALUE...]
 *	                         the next part of the path; several that touch and all fit may
 *	                         stand for it
 *	never TASK               no part is of TASK
 *	wait TASK BEGIN END|open [KIND[|KIND...]] [KEY=VALUE...]
 *	                         one of the waits; several lines in any order
 *	waits TASK NUMBER        how many waits TASK has
 *	summary TASK KEY=VALUE...  the task's times in the summary, in ns
 *	health KEY=VALUE...
 *
 * Times are in the unit of the schedule. KEY is looked for in the part or wait, then in its cause;
 * a VALUE may name a task; a stack is its functions with ";" between. KIND "none" is a cause of null. That the parts tile the window is
 * always checked. Every file runs twice, as a little-endian 64-bit machine's version 6 with pages
 * of 4096 bytes, and as a big-endian 32-bit machine's version 7 with many half-empty pages.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "builder/datfile.h"
#include "json/json_reader.h"
#include "report_run.h"

#define WORDS_MAX  32
#define FILE_LIMIT (1u << 28)

static const struct machine machines[] = {
	{.is_big_endian = false, .long_bytes = 8, .page_bytes = 4096, .version = 6},
	{.is_big_endian = true, .long_bytes = 4, .page_bytes = 8192, .fill_bytes = 300,
	 .version = 7},
};

/* One file on one machine. */
struct vector {
	const char *path;
	const struct schedule *schedule;
	int trace;
	struct json *report;    /* of the last ask; NULL: none yet */
	const struct json *part; /* the next one that no line has claimed */
	bool has_parts; /* a line of this ask expects parts */
	unsigned line, failures;
};

static void vector_fail(struct vector *vector, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void vector_fail(struct vector *vector, const char *format, ...)
{
	char text[4096];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	printf("%s:%u%s: %s\n", vector->path, vector->line,
	       vector->schedule->machine.is_big_endian ? " (big endian)" : "", text);
	vector->failures++;
}

/* -1: none of that name */
static int64_t task_tid(const struct vector *vector, const char *name)
{
	for (size_t i = 0; i < vector->schedule->task_count; i++)
		if (strcmp(vector->schedule->tasks[i].name, name) == 0)
			return vector->schedule->tasks[i].tid;
	return strcmp(name, "0") == 0 ? 0 : -1;
}

static nsec_t time_read(struct vector *vector, const char *word)
{
	uint64_t value = 0;

	if (parse_u64(word, &value) < 0)
		vector_fail(vector, "\"%s\" is no time", word);
	return value * vector->schedule->unit;
}

static void json_show(const struct json *json, struct buffer *to)
{
	if (!json)
		return;
	if (json->key)
		buffer_printf(to, "%s:", json->key);
	if (json->type == JSON_TEXT || json->type == JSON_NUMBER) {
		buffer_puts(to, json->text);
	} else if (json->type == JSON_BOOL) {
		buffer_puts(to, json->boolean ? "true" : "false");
	} else if (json->type == JSON_NULL) {
		buffer_puts(to, "null");
	} else {
		buffer_puts(to, "{");
		for (const struct json *item = json->item; item; item = item->next) {
			json_show(item, to);
			buffer_puts(to, item->next ? " " : "");
		}
		buffer_puts(to, "}");
	}
}

static void fail_with(struct vector *vector, const char *what, const struct json *got)
{
	struct buffer shown;

	buffer_init(&shown, 1500);
	json_show(got, &shown);
	vector_fail(vector, "%s; got %s", what, got ? shown.text : "nothing");
	buffer_release(&shown);
}

/* An array of texts against "one;two". */
static bool texts_fit(const struct json *json, const char *value)
{
	for (const struct json *item = json->item; item; item = item->next) {
		size_t length = strlen(json_text(item));

		if (strncmp(value, json_text(item), length) != 0 ||
		    value[length] != (item->next ? ';' : '\0'))
			return false;
		value += length + 1;
	}
	return json->item != NULL;
}

static bool value_fits(const struct vector *vector, const struct json *json, const char *value)
{
	uint64_t number;

	if (!json || json->type == JSON_NULL)
		return strcmp(value, "null") == 0;
	switch (json->type) {
	case JSON_BOOL:
		return strcmp(value, json->boolean ? "true" : "false") == 0;
	case JSON_NUMBER:
		return parse_u64(value, &number) == 0 && json_u64(json) == number;
	case JSON_TEXT:
		return strcmp(json->text, value) == 0;
	case JSON_OBJECT:
		return json_find(json, "tid") && task_tid(vector, value) >= 0 &&
		       json_u64(json_find(json, "tid")) == (uint64_t)task_tid(vector, value);
	case JSON_ARRAY:
		return texts_fit(json, value);
	case JSON_NULL:
		break;
	}
	return false;
}

static bool kind_fits(const struct json *cause, const char *kinds)
{
	const char *kind = json_text(json_find(cause, "kind"));

	if (!cause || cause->type == JSON_NULL)
		kind = "none";
	while (*kinds) {
		size_t length = strcspn(kinds, "|");

		if (strlen(kind) == length && strncmp(kind, kinds, length) == 0)
			return true;
		kinds += length + (kinds[length] == '|');
	}
	return false;
}

/* "disk" or "key=value" against a part or wait. */
static bool word_fits(const struct vector *vector, const struct json *json, const char *word)
{
	const char *equals = strchr(word, '=');
	const struct json *cause = json_find(json, "cause"), *found;
	char key[64];

	if (!equals)
		return kind_fits(cause, word);
	(void)snprintf(key, sizeof(key), "%.*s", (int)(equals - word), word);
	found = json_find(json, key);
	return value_fits(vector, found ? found : json_find(cause, key), equals + 1);
}

static bool words_fit(const struct vector *vector, const struct json *json, char **words,
                      size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!word_fits(vector, json, words[i]))
			return false;
	return true;
}

static void tiling_check(struct vector *vector)
{
	const struct json *path = json_find(vector->report, "critical_path");
	uint64_t at = json_u64(json_find(path, "begin_ns"));
	const struct json *parts = json_find(path, "parts");

	for (const struct json *part = parts ? parts->item : NULL; part; part = part->next) {
		if (json_u64(json_find(part, "begin_ns")) != at ||
		    json_u64(json_find(part, "end_ns")) < at)
			fail_with(vector, "parts do not tile", part);
		at = json_u64(json_find(part, "end_ns"));
	}
	if (at != json_u64(json_find(path, "end_ns")))
		fail_with(vector, "parts end before the window", path);
}

/* The lines of the ask before have claimed what they wanted. */
static void ask_close(struct vector *vector)
{
	if (vector->has_parts && vector->part)
		fail_with(vector, "a part that no line expects", vector->part);
	vector->has_parts = false;
	vector->report = json_free(vector->report);
	vector->part = NULL;
}

static void ask_line(struct vector *vector, char **words, size_t count)
{
	char path[64] = "--critical-path";
	const char *options[REPORT_ARGUMENTS_MAX] = {path, "--waits", "--summary", "--all"};
	const struct json *parts;
	struct buffer why;

	ask_close(vector);
	if (count > 1)
		(void)snprintf(path, sizeof(path), "--critical-path=%" PRId64,
		               task_tid(vector, words[1]));
	for (size_t i = 2; i < count && i + 2 < REPORT_ARGUMENTS_MAX - 4; i++)
		options[i + 2] = words[i];
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (report_run(vector->trace, options, &vector->report, &why) < 0)
		vector_fail(vector, "%s", why.text);
	else
		tiling_check(vector);
	parts = json_find(vector->report, "critical_path.parts");
	vector->part = parts ? parts->item : NULL;
	buffer_release(&why);
}

/* part DEPTH TASK BEGIN END STATE [KIND] [KEY=VALUE...] */
static void part_line(struct vector *vector, char **words, size_t count)
{
	uint64_t depth = 0, tid, at, end;

	if (count < 6) {
		vector_fail(vector, "a part needs five words");
		return;
	}
	vector->has_parts = true;
	(void)parse_u64(words[1], &depth);
	tid = (uint64_t)task_tid(vector, words[2]);
	at = time_read(vector, words[3]);
	end = time_read(vector, words[4]);
	do {
		const struct json *part = vector->part;

		if (!part || json_u64(json_find(part, "begin_ns")) != at ||
		    json_u64(json_find(part, "end_ns")) > end ||
		    json_u64(json_find(part, "depth")) != depth ||
		    json_u64(json_find(part, "tid")) != tid ||
		    strcmp(json_text(json_find(part, "state")), words[5]) != 0 ||
		    !words_fit(vector, part, words + 6, count - 6)) {
			fail_with(vector, "expected another part", part);
			vector->part = part ? part->next : NULL;
			return;
		}
		at = json_u64(json_find(part, "end_ns"));
		vector->part = part->next;
	} while (at < end);
}

static void never_line(struct vector *vector, char **words, size_t count)
{
	const struct json *parts = json_find(vector->report, "critical_path.parts");

	(void)count;
	for (const struct json *part = parts ? parts->item : NULL; part; part = part->next)
		if ((int64_t)json_u64(json_find(part, "tid")) == task_tid(vector, words[1]))
			fail_with(vector, "this task must not be on the path", part);
}

static bool wait_is_of(const struct vector *vector, const struct json *wait, const char *name)
{
	return (int64_t)json_u64(json_find(wait, "task.tid")) == task_tid(vector, name);
}

/* wait TASK BEGIN END|open [KIND] [KEY=VALUE...] */
static void wait_line(struct vector *vector, char **words, size_t count)
{
	const struct json *waits = json_find(vector->report, "waits"), *nearest = NULL;
	uint64_t begin;
	bool is_open;

	if (count < 4) {
		vector_fail(vector, "a wait needs three words");
		return;
	}
	begin = time_read(vector, words[2]);
	is_open = strcmp(words[3], "open") == 0;
	for (const struct json *wait = waits ? waits->item : NULL; wait; wait = wait->next) {
		const struct json *open = json_find(wait, "open");

		if (!wait_is_of(vector, wait, words[1]))
			continue;
		nearest = wait;
		if (json_u64(json_find(wait, "begin_ns")) == begin &&
		    (open && open->boolean) == is_open &&
		    (is_open || json_u64(json_find(wait, "end_ns")) ==
		                        time_read(vector, words[3])) &&
		    words_fit(vector, wait, words + 4, count - 4))
			return;
	}
	fail_with(vector, "no such wait", nearest);
}

static void waits_line(struct vector *vector, char **words, size_t count)
{
	const struct json *waits = json_find(vector->report, "waits");
	uint64_t expected = 0, found = 0;

	if (count != 3 || parse_u64(words[2], &expected) < 0 || !waits)
		vector_fail(vector, "a bad line, or no waits in the report");
	for (const struct json *wait = waits ? waits->item : NULL; wait; wait = wait->next)
		found += wait_is_of(vector, wait, words[1]);
	if (found != expected)
		vector_fail(vector, "%s has %" PRIu64 " waits", words[1], found);
}

static void summary_line(struct vector *vector, char **words, size_t count)
{
	const struct json *tasks = json_find(vector->report, "summary.tasks");

	for (const struct json *task = tasks ? tasks->item : NULL; task; task = task->next) {
		if (!wait_is_of(vector, task, words[1]))
			continue;
		for (size_t i = 2; i < count; i++)
			if (!word_fits(vector, task, words[i]))
				fail_with(vector, words[i], task);
		return;
	}
	vector_fail(vector, "the summary has no %s", words[1]);
}

static void health_line(struct vector *vector, char **words, size_t count)
{
	const struct json *health = json_find(vector->report, "health");

	for (size_t i = 1; i < count; i++)
		if (!word_fits(vector, health, words[i]))
			fail_with(vector, words[i], health);
}

static const struct {
	const char *word;
	void (*check)(struct vector *vector, char **words, size_t count);
} line_kinds[] = {
	{"ask", ask_line},     {"part", part_line},   {"never", never_line},
	{"wait", wait_line},   {"waits", waits_line}, {"health", health_line},
	{"summary", summary_line},
};

static void expectation_check(struct vector *vector, char *line)
{
	static char ask[] = "ask", first[] = "A";
	char *words[WORDS_MAX], *rest = line, *comment = strchr(line, '#');
	char *ask_words[] = {ask, first};
	size_t count = 0;

	if (comment)
		*comment = '\0';
	for (char *word; count < WORDS_MAX && (word = strsep(&rest, " \t"));)
		if (*word)
			words[count++] = word;
	if (!count)
		return;
	if (!vector->report && strcmp(words[0], "ask") != 0 && !vector->failures)
		ask_line(vector, ask_words, task_tid(vector, first) < 0 ? 1 : 2);
	for (size_t i = 0; i < sizeof(line_kinds) / sizeof(line_kinds[0]); i++) {
		if (strcmp(line_kinds[i].word, words[0]) != 0)
			continue;
		if (count < 2)
			vector_fail(vector, "a line of one word");
		else if (vector->report || line_kinds[i].check == ask_line)
			line_kinds[i].check(vector, words, count);
		return;
	}
	vector_fail(vector, "no expectation begins with \"%s\"", words[0]);
}

static unsigned lines_in(const char *text, size_t length)
{
	unsigned count = 0;

	for (size_t i = 0; i < length; i++)
		count += text[i] == '\n';
	return count;
}

/* Returns the number of failures. */
static unsigned vector_run(const char *path, const char *text, const struct machine *machine)
{
	__attribute__((cleanup(schedule_freep))) struct schedule *schedule = NULL;
	const char *mark = strstr(text, "\n---\n");
	_cleanup_(freep) char *events = NULL, *expectations = NULL;
	struct vector vector = {.path = path, .trace = -1};
	struct buffer why;
	char *rest;

	if (!mark) {
		printf("%s: no line \"---\"\n", path);
		return 1;
	}
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	events = strndup(text, (size_t)(mark - text) + 1);
	expectations = strdup(mark + 5);
	if (schedule_parse(events, strlen(events), machine, &schedule, &why) < 0 ||
	    datfile_from_text(events, machine, &vector.trace, &why) < 0) {
		printf("%s: %s\n", path, why.text);
		buffer_release(&why);
		return 1;
	}
	buffer_release(&why);
	vector.schedule = schedule;
	vector.line = lines_in(text, (size_t)(mark - text) + 5);
	rest = expectations;
	for (char *line; (line = strsep(&rest, "\n"));) {
		vector.line++;
		expectation_check(&vector, line);
	}
	ask_close(&vector);
	(void)close(vector.trace);
	return vector.failures;
}

static int file_read(const char *path, struct buffer *to)
{
	_cleanup_(fclosep) FILE *file = fopen(path, "r");
	char chunk[65536];
	size_t got;

	if (!file)
		return -errno;
	while ((got = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buffer_append(to, chunk, got);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned passed = 0, failed = 0;

	for (int i = 1; i < argc; i++) {
		unsigned failures = 0;
		struct buffer text;

		buffer_init(&text, FILE_LIMIT);
		if (file_read(argv[i], &text) < 0) {
			printf("%s: cannot be read\n", argv[i]);
			failures++;
		}
		for (size_t m = 0; !failures && m < sizeof(machines) / sizeof(machines[0]); m++)
			failures += vector_run(argv[i], text.text, &machines[m]);
		buffer_release(&text);
		passed += failures == 0;
		failed += failures != 0;
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
