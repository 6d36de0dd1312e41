/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "property/random.h"
#include "report_run.h"

static const char *const kinds[] = {
	"answer", "lock", "child",  "pipe",     "condition", "barrier", "semaphore",
	"join",   "disk", "memory", "for-work", "time",      "kernel",
};

#define KINDS ARRAY_SIZE(kinds)

/* By kind, in the order of `kinds`. */
struct sums {
	uint64_t total[KINDS];
};

struct checking {
	const char *name;
	int trace;
	const char *window; /* in words; "": none */
	unsigned failures;
};

static size_t kind_of(const struct json *row)
{
	const char *kind = json_text(json_find(row, "aim.kind"));
	size_t i = 0;

	while (i < KINDS && strcmp(kinds[i], kind) != 0)
		i++;
	return i;
}

static void sums_add(struct sums *sums, const struct json *row, uint64_t time)
{
	size_t kind = kind_of(row);

	if (kind < KINDS)
		sums->total[kind] += time;
}

static bool is_stop(const struct json *wait)
{
	const char *state = json_text(json_find(wait, "state"));

	return strcmp(state, "T") == 0 || strcmp(state, "t") == 0;
}

static const struct json *rows_of(const struct json *report, const char *path)
{
	const struct json *rows = json_find(report, path);

	return rows ? rows->item : NULL;
}

/* Waits are listed whole. */
static struct sums sums_of_waits(const struct json *report, uint64_t begin, uint64_t end)
{
	struct sums sums = {0};

	for (const struct json *wait = rows_of(report, "waits"); wait; wait = wait->next) {
		uint64_t from = json_u64(json_find(wait, "begin_ns"));
		uint64_t to = json_u64(json_find(wait, "end_ns"));

		from = from < begin ? begin : from;
		to = to > end ? end : to;
		if (from < to && !is_stop(wait))
			sums_add(&sums, wait, to - from);
	}
	return sums;
}

static struct sums sums_of_rows(const struct json *report, const char *path)
{
	struct sums sums = {0};

	for (const struct json *row = rows_of(report, path); row; row = row->next)
		sums_add(&sums, row, json_u64(json_find(row, "total_ns")));
	return sums;
}

static struct sums sums_of_member(const struct json *report, const char *path)
{
	const struct json *by_aim = json_find(report, path);
	struct sums sums = {0};

	for (size_t i = 0; i < KINDS; i++)
		sums.total[i] = json_u64(json_find(by_aim, kinds[i]));
	return sums;
}

/* Compares the kinds in `of`, which has blanks around each; NULL: all. */
static void sums_compare(struct checking *checking, const char *view, const struct sums *waits,
                         const struct sums *sums, const char *of)
{
	char word[32];

	for (size_t i = 0; i < KINDS; i++) {
		(void)snprintf(word, sizeof(word), " %s ", kinds[i]);
		if ((of && !strstr(of, word)) || waits->total[i] == sums->total[i])
			continue;
		printf("%s%s: waits for \"%s\" take %" PRIu64 " ns in --waits, %" PRIu64 " in %s\n",
		       checking->name, checking->window, kinds[i], waits->total[i],
		       sums->total[i], view);
		checking->failures++;
	}
}

static struct json *report_of(const struct checking *checking, const char *const *options)
{
	struct json *report = NULL;
	struct buffer why;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (report_run(checking->trace, options, &report, &why) < 0)
		report = NULL;
	buffer_release(&why);
	return report;
}

static void views_compare(struct checking *checking, const struct json *report,
                          const struct sums *waits)
{
	const struct json *root = json_find(report, "costs.root");
	struct sums off_cpu = sums_of_rows(report, "off_cpu");
	struct sums costs = sums_of_rows(report, "costs.rows");
	struct sums summary = sums_of_member(report, "summary.by_aim");
	struct sums lock = sums_of_member(report, "lock.by_aim");
	struct sums net = sums_of_member(report, "net.by_aim");

	sums_compare(checking, "--off-cpu", waits, &off_cpu, NULL);
	if (root && root->type == JSON_NULL)
		sums_compare(checking, "--costs", waits, &costs, NULL);
	sums_compare(checking, "the summary", waits, &summary, NULL);
	sums_compare(checking, "--lock", waits, &lock, " lock condition barrier semaphore join ");
	sums_compare(checking, "--net", waits, &net, " answer ");
}

static void window_check(struct checking *checking, const struct json *whole,
                         struct random *random)
{
	uint64_t begin = json_u64(json_find(whole, "trace.begin_ns"));
	uint64_t length = json_u64(json_find(whole, "trace.end_ns")) - begin;
	uint64_t from = random_next(random) % (length + 1);
	uint64_t to = from + random_next(random) % (length - from + 1);
	char begins[32], ends[32], words[80];
	const char *const options[] = {"--all", "--waits", "--off-cpu", "--costs", "--summary",
	                               "--lock", "--net", "--from", begins, "--to", ends, NULL};
	struct json *report;

	(void)snprintf(begins, sizeof(begins), "%.9f", (double)from / 1e9);
	(void)snprintf(ends, sizeof(ends), "%.9f", (double)to / 1e9);
	(void)snprintf(words, sizeof(words), " --from %s --to %s", begins, ends);
	checking->window = words;
	report = report_of(checking, options);
	if (report) {
		struct sums waits = sums_of_waits(report, begin + from, begin + to);

		views_compare(checking, report, &waits);
	}
	json_free(report);
	checking->window = "";
}

/* One kind that the recording has, if it has any. */
static size_t kind_choose(const struct sums *waits, struct random *random)
{
	unsigned count = 0;
	size_t kind = 0;

	for (size_t i = 0; i < KINDS; i++)
		count += waits->total[i] > 0;
	if (count == 0)
		return KINDS;
	count = random_below(random, count);
	while (waits->total[kind] == 0 || count-- > 0)
		kind++;
	return kind;
}

static void kind_check(struct checking *checking, const struct sums *waits, struct random *random)
{
	size_t kind = kind_choose(waits, random);
	const char *const options[] = {"--all", "--waits", "--off-cpu", "--lock", "--kind",
	                               kind < KINDS ? kinds[kind] : "lock", NULL};
	struct json *report = kind < KINDS ? report_of(checking, options) : NULL;
	char of[32], words[32];

	if (!report)
		return;
	(void)snprintf(of, sizeof(of), " %s ", kinds[kind]);
	(void)snprintf(words, sizeof(words), " --kind %s", kinds[kind]);
	checking->window = words;
	{
		struct sums listed = sums_of_waits(report, 0, UINT64_MAX);
		struct sums off_cpu = sums_of_rows(report, "off_cpu");

		sums_compare(checking, "--waits --kind", waits, &listed, of);
		sums_compare(checking, "--off-cpu --kind", waits, &off_cpu, of);
	}
	checking->window = "";
	json_free(report);
}

/* What a rule "time KIND" counts: waits that were for it, or that it ended; not those of the
   recorder, nor those of threads of the kernel beside programs. */
static uint64_t rule_value(const struct json *report, const char *kind)
{
	uint64_t sum = 0;

	for (const struct json *row = rows_of(report, "costs.rows"); row; row = row->next) {
		const char *state = json_text(json_find(row, "state"));
		bool is_end = strcmp(state, "waiting") == 0 &&
		              strcmp(json_text(json_find(row, "kind")), kind) == 0;
		bool is_aim = strcmp(json_text(json_find(row, "aim.kind")), kind) == 0 &&
		              strcmp(state, "recorder") != 0 && strcmp(state, "kernel") != 0;

		if (is_end || is_aim)
			sum += json_u64(json_find(row, "total_ns"));
	}
	return sum;
}

static void rules_compare(struct checking *checking, const struct json *report,
                          const struct json *check)
{
	for (const struct json *rule = rows_of(check, "check.rules"); rule; rule = rule->next) {
		const struct json *value = json_find(rule, "value");
		char kind[32] = "";
		uint64_t expected;

		(void)sscanf(json_text(json_find(rule, "rule")), "time %31s", kind);
		expected = rule_value(report, kind);
		if (!value || value->type == JSON_NULL || (uint64_t)value->real == expected)
			continue;
		printf("%s: \"time %s\" is %.0f ns in check, %" PRIu64 " in --costs\n",
		       checking->name, kind, value->real, expected);
		checking->failures++;
	}
}

/* Memory is left out: rows of costs do not say which waits for locks lie within reclaim. */
static int budget_write(const char *path)
{
	static const char *const named[] = {"answer", "lock", "child", "pipe", "condition",
	                                    "barrier", "semaphore", "join", "disk", "time"};
	FILE *file = fopen(path, "w");

	for (size_t i = 0; file && i < ARRAY_SIZE(named); i++)
		(void)fprintf(file, "time %s < 1ns\n", named[i]);
	return file ? fclose(file) : -1;
}

static void check_check(struct checking *checking, const struct json *report)
{
	char budget[] = "/tmp/ftwait-budget.XXXXXX";
	const char *const options[] = {"--all", "--budget", budget, NULL};
	const struct json *root = json_find(report, "costs.root");
	struct json *check = NULL;
	int file = mkstemp(budget);
	struct buffer why;

	if (file < 0)
		return;
	(void)close(file);
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (root && root->type == JSON_NULL && budget_write(budget) == 0 &&
	    command_run("check", checking->trace, options, &check, &why) == 0)
		rules_compare(checking, report, check);
	json_free(check);
	buffer_release(&why);
	(void)unlink(budget);
}

unsigned aim_sums_check(const char *name, int trace, uint64_t seed)
{
	static const char *const options[] = {"--all", "--waits", "--off-cpu", "--costs",
	                                      "--summary", "--lock", "--net", NULL};
	struct checking checking = {.name = name, .trace = trace, .window = ""};
	struct json *report = report_of(&checking, options);
	struct random random = {seed};
	struct sums waits;

	if (!report)
		return 0;
	waits = sums_of_waits(report, 0, UINT64_MAX);
	views_compare(&checking, report, &waits);
	window_check(&checking, report, &random);
	kind_check(&checking, &waits, &random);
	check_check(&checking, report);
	json_free(report);
	return checking.failures;
}
