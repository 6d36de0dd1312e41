/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recordings FOLDER...: reports every trace of a folder and checks what must hold of any: valid
 * JSON of the known schema, as many events as expected.json says (where it does), a critical path
 * whose parts tile its window, waits in time order, and the same time by aim in all views.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "json/json_reader.h"
#include "vectors/aim_sums.h"
#include "vectors/report_run.h"

#define EXPECTED_LIMIT (1u << 26)
#define SEED           UINT64_C(20261129) /* of windows */

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* NULL where the folder has none that can be read. */
static struct json *expected_read(const char *folder)
{
	char path[4096], chunk[65536];
	struct buffer text, why;
	struct json *json = NULL;
	_cleanup_(fclosep) FILE *file = NULL;

	(void)snprintf(path, sizeof(path), "%s/expected.json", folder);
	file = fopen(path, "r");
	if (!file)
		return NULL;
	buffer_init(&text, EXPECTED_LIMIT);
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	for (size_t got; (got = fread(chunk, 1, sizeof(chunk), file)) > 0;)
		buffer_append(&text, chunk, got);
	if (json_parse(text.text, text.length, &json, &why) < 0)
		printf("%s: %s\n", path, why.text);
	buffer_release(&text);
	buffer_release(&why);
	return json;
}

/* A key of expected.json is a file name and so holds dots: no path for json_find(). */
static const struct json *expected_of(const struct json *expected, const char *name)
{
	for (const struct json *item = expected ? expected->item : NULL; item; item = item->next)
		if (strcmp(item->key, name) == 0)
			return json_find(item, "events");
	return NULL;
}

static unsigned path_check(const char *path, const struct json *critical)
{
	const struct json *parts = json_find(critical, "parts");
	uint64_t at = json_u64(json_find(critical, "begin_ns"));

	for (const struct json *part = parts ? parts->item : NULL; part; part = part->next) {
		if (json_u64(json_find(part, "begin_ns")) != at) {
			printf("%s: the critical path has a hole at %" PRIu64 "\n", path, at);
			return 1;
		}
		at = json_u64(json_find(part, "end_ns"));
	}
	if (at == json_u64(json_find(critical, "end_ns")))
		return 0;
	printf("%s: the critical path ends at %" PRIu64 "\n", path, at);
	return 1;
}

/* A row's segments follow each other, and what is on the path covers the window once. */
static unsigned timeline_check(const char *path, const struct json *timeline)
{
	const struct json *rows = json_find(timeline, "rows");
	uint64_t begin = json_u64(json_find(timeline, "begin_ns")), on_path = 0;
	uint64_t end = json_u64(json_find(timeline, "end_ns"));

	for (const struct json *row = rows ? rows->item : NULL; row; row = row->next) {
		const struct json *segments = json_find(row, "segments");
		uint64_t at = begin;

		for (const struct json *one = segments->item; one; one = one->next) {
			uint64_t from = json_u64(json_find(one, "begin_ns"));
			uint64_t to = json_u64(json_find(one, "end_ns"));

			if (from < at || to <= from || to > end) {
				printf("%s: the timeline's segment at %" PRIu64 " overlaps\n", path,
				       from);
				return 1;
			}
			if (json_find(one, "on_path")->boolean)
				on_path += to - from;
			at = to;
		}
	}
	/* a trace without tasks has no path */
	if (on_path == end - begin || on_path == 0)
		return 0;
	printf("%s: %" PRIu64 " ns of the timeline are on the path, of %" PRIu64 "\n", path, on_path,
	       end - begin);
	return 1;
}

static unsigned waits_check(const char *path, const struct json *waits)
{
	uint64_t at = 0;

	for (const struct json *wait = waits ? waits->item : NULL; wait; wait = wait->next) {
		uint64_t begin = json_u64(json_find(wait, "begin_ns"));

		if (begin < at || json_u64(json_find(wait, "end_ns")) < begin) {
			printf("%s: the wait at %" PRIu64 " is out of order\n", path, begin);
			return 1;
		}
		at = begin;
	}
	return 0;
}

static unsigned report_check(const char *path, const struct json *report,
                             const struct json *expected)
{
	unsigned failures = 0;
	uint64_t events = json_u64(json_find(report, "trace.events"));

	if (strcmp(json_text(json_find(report, "schema")), "ftwait.report/1") != 0) {
		printf("%s: no schema ftwait.report/1\n", path);
		failures++;
	}
	if (expected && json_u64(expected) != events) {
		printf("%s: %" PRIu64 " events, expected %" PRIu64 "\n", path, events,
		       json_u64(expected));
		failures++;
	}
	failures += path_check(path, json_find(report, "critical_path"));
	failures += timeline_check(path, json_find(report, "timeline"));
	return failures + waits_check(path, json_find(report, "waits"));
}

static bool file_check(const char *path, const struct json *expected)
{
	const char *options[] = {"--summary", "--waits", "--chains", "--critical-path",
	                         "--timeline", "--all", NULL};
	struct json *report = NULL;
	struct buffer why;
	unsigned failures = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (report_run(fd, options, &report, &why) < 0) {
		printf("%s: %s\n", path, why.text);
		failures++;
	} else {
		failures += report_check(path, report, expected_of(expected, file_name(path)));
	}
	failures += aim_sums_check(path, fd, SEED ^ (uint64_t)lseek(fd, 0, SEEK_END));
	json_free(report);
	buffer_release(&why);
	(void)close(fd);
	return failures == 0;
}

int main(int argc, char **argv)
{
	unsigned passed = 0, failed = 0;

	for (int i = 1; i < argc; i++) {
		struct json *expected = expected_read(argv[i]);
		char pattern[4096];
		glob_t files;

		(void)snprintf(pattern, sizeof(pattern), "%s/*.dat", argv[i]);
		if (glob(pattern, 0, NULL, &files) == 0) {
			for (size_t f = 0; f < files.gl_pathc; f++) {
				bool is_good = file_check(files.gl_pathv[f], expected);

				passed += is_good;
				failed += !is_good;
			}
			globfree(&files);
		}
		json_free(expected);
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
