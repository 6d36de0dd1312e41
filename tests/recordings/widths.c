/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * widths FOLDER...: shows all views of every trace of a folder on pages of 40, 80, 120 and 200
 * columns and of some other widths between them, and checks that no line is wider than its page.
 * SEED=... in the environment, which is printed, repeats a run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/utf8.h"
#include "each_recording.h"
#include "engine/report_run.h"
#include "property/random.h"
#include "source/source.h"

#define WIDTH_LEAST  40
#define WIDTH_MOST   200
#define RANDOM_PAGES 3
#define COMPLAINTS   3 /* that are shown of a page */

/* Columns that the line takes, which may hold no escape sequences. */
static unsigned page_check(const char *path, char *text, unsigned width)
{
	unsigned wide = 0;
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (utf8_columns(line) <= width)
			continue;
		if (wide++ < COMPLAINTS)
			printf("%s: %zu columns on %u: %s\n", path, utf8_columns(line), width,
			       line);
	}
	return wide;
}

static unsigned page_show(struct report_run *run, const char *path, unsigned width, unsigned top)
{
	_cleanup_(freep) char *text = NULL;
	size_t length = 0;
	struct report_form form = {
		.out = open_memstream(&text, &length),
		.presenter = presenter_find("text"),
		.options = {.utf8 = width % 2, .is_ascii = width % 2 == 0, .width = width,
		            .top = top},
		.file = path,
	};

	if (!form.out)
		abort();
	report_run_show(run, &form);
	(void)fclose(form.out);
	return page_check(path, text, width);
}

static unsigned pages_check(struct report_run *run, const char *path, struct random *random)
{
	static const unsigned widths[] = {40, 80, 120, 200};
	unsigned wide = 0;

	for (size_t i = 0; i < ARRAY_SIZE(widths); i++)
		wide += page_show(run, path, widths[i], 20);
	for (unsigned i = 0; i < RANDOM_PAGES; i++)
		wide += page_show(run, path,
		                  WIDTH_LEAST + random_below(random, WIDTH_MOST - WIDTH_LEAST + 1),
		                  random_chance(random, 30) ? 2000 : 20);
	return wide;
}

static bool file_check(void *state, const char *path)
{
	_cleanup_(source_closep) struct source *source = recording_open(path);
	struct asked asked = ASKED_EVERYTHING;
	struct loaded loaded;
	struct report_run run;
	unsigned wide = 0;

	if (!source)
		return false;
	asked.is_all = true;
	loaded_init(&loaded, source);
	report_run_init(&run, &loaded, &asked);
	for (size_t i = 0; analyses[i]; i++)
		report_run_ask(&run, analyses[i]);
	report_run_read(&run);
	if (run.health.events > 0)
		wide = pages_check(&run, path, state);
	report_run_release(&run);
	return wide == 0;
}

int main(int argc, char **argv)
{
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	struct random random = {seed};

	printf("SEED=%llu\n", (unsigned long long)seed);
	return each_recording(argc, argv, file_check, &random);
}
