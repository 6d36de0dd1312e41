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
 *	call TASK NAME KEY=VALUE...  a system call's row, KEY as "waiting_ns.disk"; open-call: of
 *	                         what had not returned; that its time is all of it is checked
 *	calls TASK NUMBER        how many rows TASK has, open ones among them
 *	health KEY=VALUE...
 *	competitor WHO TIME      who (a task, 0, irq, throttled) had the CPU how long while the
 *	                         path's tasks were runnable; that all had it all of that time
 *	                         is always checked
 *	chain NAME;NAME... [KEY=VALUE...]
 *	edge FROM TO [KEY=VALUE...]  of the wait-for graph; "_" stands for a space of a name
 *	graph LIST=NUMBER...     how many edges, nodes, knots it has
 *	knot NAME...             the nodes of one knot
 *	load TIME RUNNING RUNNABLE  how many tasks of the schedule are so at an instant
 *	row LIST KEY=VALUE...    a row of a list of any view, by its path: "row lock.locks
 *	                         kind=mutex owners.0.task=B"
 *	rows LIST NUMBER         how many rows it has
 *
 * Times are in the unit of the schedule. KEY is looked for in the part or wait, then in its cause;
 * a VALUE may name a task; a stack is its functions with ";" between; "_" stands for a space. KIND "none" is a cause of
 * null. That the parts tile the window is always checked, that no recording with less in it gives a
 * wait another aim (aim_less.h), and that all views have the same time by aim (aim_sums.h). Every
 * file runs twice, as a little-endian 64-bit machine's version 6 with pages of 4096 bytes, and as
 * a big-endian 32-bit machine's version 7 with many half-empty pages.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "aim_less.h"
#include "aim_sums.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "builder/datfile.h"
#include "vector.h"

#define WORDS_MAX  32
#define FILE_LIMIT (1u << 28)

static const struct machine machines[] = {
	{.is_big_endian = false, .long_bytes = 8, .page_bytes = 4096, .version = 6},
	{.is_big_endian = true, .long_bytes = 4, .page_bytes = 8192, .fill_bytes = 300,
	 .version = 7},
};

/* Of CUTS_SEED; 0: aims of cut recordings are not checked. */
static uint64_t cuts_seed;

static void expectation_check(struct vector *vector, char *line)
{
	char *words[WORDS_MAX], *rest = line, *comment = strchr(line, '#');
	size_t count = 0;

	if (comment)
		*comment = '\0';
	for (char *word; count < WORDS_MAX && (word = strsep(&rest, " \t"));)
		if (*word)
			words[count++] = word;
	if (count)
		vector_line(vector, words, count);
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
	vector_close(&vector);
	if (cuts_seed && machine == machines) {
		vector.failures += aim_sums_check(path, vector.trace, cuts_seed);
		vector.failures += aim_less_check(path, events, machine, cuts_seed);
	}
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
	const char *seed = getenv("CUTS_SEED");
	unsigned passed = 0, failed = 0;

	cuts_seed = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
	printf("seed of cuts: CUTS_SEED=%llu\n", (unsigned long long)cuts_seed);

	for (int i = 1; i < argc; i++) {
		unsigned failures = 0;
		struct buffer text;

		buffer_init(&text, FILE_LIMIT);
		if (file_read(argv[i], &text) < 0) {
			printf("%s: cannot be read\n", argv[i]);
			failures++;
		}
		for (size_t m = 0; !failures && m < ARRAY_SIZE(machines); m++)
			failures += vector_run(argv[i], text.text, &machines[m]);
		buffer_release(&text);
		passed += failures == 0;
		failed += failures != 0;
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
