/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * truth_check TRACE TRUTH: does `ftwait report` say what an oracle knows (see oracles/truth.h)?
 * At least GOOD_SHARE of the waiting time inside the oracle's waits must have the right cause, and
 * every interval must hold as much of it as the oracle is sure of. Prints what differs; status 1
 * where anything does.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "ftwait/nsec.h"
#include "json/json_reader.h"
#include "vectors/report_run.h"

#define GOOD_SHARE 0.9
#define FAILURES_SHOWN 5

/* One line of truth; NULL: not told. */
struct fact {
	bool is_path;
	uint64_t tid, begin, end, least;
	const char *kind, *state, *waker, *not_waker, *of, *own;
};

struct verdict {
	const char *trace;
	struct json *report; /* with the critical path of path_tid */
	uint64_t path_tid;
	uint64_t good_ns, all_ns; /* over all waits */
	unsigned facts, failures;
};

static bool word_in(const char *words, const char *word)
{
	size_t length = strlen(word);

	if (!words)
		return true;
	while (*words) {
		size_t size = strcspn(words, "|");

		if (size == length && strncmp(words, word, length) == 0)
			return true;
		words += size + (words[size] == '|');
	}
	return false;
}

static void fact_set(struct fact *fact, const char *key, const char *value)
{
	const struct {
		const char *key;
		uint64_t *number;
		const char **text;
	} places[] = {
		{"tid", &fact->tid, NULL},      {"begin", &fact->begin, NULL},
		{"end", &fact->end, NULL},      {"least", &fact->least, NULL},
		{"kind", NULL, &fact->kind},    {"state", NULL, &fact->state},
		{"waker", NULL, &fact->waker},  {"not_waker", NULL, &fact->not_waker},
		{"of", NULL, &fact->of},        {"own", NULL, &fact->own},
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (strcmp(places[i].key, key) != 0)
			continue;
		if (places[i].text)
			*places[i].text = value;
		else
			(void)parse_u64(value, places[i].number);
	}
}

static bool fact_read(char *line, struct fact *ret)
{
	char *rest = line, *word = strsep(&rest, " \n");

	*ret = (struct fact){.is_path = strcmp(word, "path") == 0};
	if (!ret->is_path && strcmp(word, "wait") != 0)
		return false;
	while ((word = strsep(&rest, " \n"))) {
		char *equals = strchr(word, '=');

		if (!equals)
			continue;
		*equals = '\0';
		fact_set(ret, word, equals + 1);
	}
	return true;
}

static bool tid_is(const struct json *json, const char *tid)
{
	uint64_t number;

	return parse_u64(tid, &number) == 0 && json && json_u64(json) == number;
}

static bool cause_fits(const struct fact *fact, const struct json *cause)
{
	const struct json *waker = json_find(cause, "waker.tid"), *own = json_find(cause, "own");

	if (fact->kind && !word_in(fact->kind, json_text(json_find(cause, "kind"))))
		return false;
	if (fact->waker && waker && !tid_is(waker, fact->waker))
		return false;
	if (fact->waker && !waker && word_in(fact->kind, "task") && fact->kind &&
	    strcmp(fact->kind, "task") == 0)
		return false;
	if (fact->not_waker && waker && tid_is(waker, fact->not_waker))
		return false;
	return !fact->own || (own && own->boolean == (strcmp(fact->own, "true") == 0));
}

/* ns that [begin_ns, end_ns) of a wait or part and the fact share. */
static uint64_t overlap(const struct fact *fact, const struct json *json)
{
	uint64_t begin = nsec_max(fact->begin, json_u64(json_find(json, "begin_ns")));
	uint64_t end = nsec_min(fact->end, json_u64(json_find(json, "end_ns")));

	return end > begin ? end - begin : 0;
}

static void verdict_fail(struct verdict *verdict, const struct fact *fact, uint64_t good,
                         uint64_t all)
{
	if (verdict->failures++ < FAILURES_SHOWN)
		printf("%s of %" PRIu64 " at %" PRIu64 ": %" PRIu64 " of %" PRIu64
		       " ns are as expected (kind %s, waker %s, of %s, state %s; at least %" PRIu64
		       ")\n",
		       fact->is_path ? "path" : "wait", fact->tid, fact->begin, good, all,
		       fact->kind ? fact->kind : "any", fact->waker ? fact->waker : "any",
		       fact->of ? fact->of : "any", fact->state ? fact->state : "any",
		       fact->least);
}

static void wait_judge(struct verdict *verdict, const struct fact *fact)
{
	const struct json *waits = json_find(verdict->report, "waits");
	uint64_t good = 0, all = 0;

	for (const struct json *wait = waits ? waits->item : NULL; wait; wait = wait->next) {
		uint64_t shared = overlap(fact, wait);

		if (!shared || json_u64(json_find(wait, "task.tid")) != fact->tid)
			continue;
		all += shared;
		if (cause_fits(fact, json_find(wait, "cause")))
			good += shared;
	}
	verdict->good_ns += good;
	verdict->all_ns += all;
	if (all < fact->least)
		verdict_fail(verdict, fact, good, all);
}

static int report_of(struct verdict *verdict, uint64_t tid)
{
	char path[64];
	const char *options[] = {path, "--waits", "--all", NULL};
	int fd = open(verdict->trace, O_RDONLY | O_CLOEXEC), r;
	struct buffer why;

	if (verdict->report && verdict->path_tid == tid) {
		(void)close(fd);
		return 0;
	}
	verdict->report = json_free(verdict->report);
	verdict->path_tid = tid;
	(void)snprintf(path, sizeof(path), "--critical-path=%" PRIu64, tid);
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	r = report_run(fd, options, &verdict->report, &why);
	if (r < 0) {
		printf("%s\n", why.text);
		verdict->failures++;
	}
	buffer_release(&why);
	(void)close(fd);
	return r;
}

static void path_judge(struct verdict *verdict, const struct fact *fact)
{
	const struct json *parts = json_find(verdict->report, "critical_path.parts");
	uint64_t good = 0, all = 0;

	for (const struct json *part = parts ? parts->item : NULL; part; part = part->next) {
		uint64_t shared = overlap(fact, part);

		all += shared;
		if ((!fact->of || tid_is(json_find(part, "tid"), fact->of)) &&
		    word_in(fact->state, json_text(json_find(part, "state"))) &&
		    cause_fits(fact, json_find(part, "cause")))
			good += shared;
	}
	if (good < fact->least)
		verdict_fail(verdict, fact, good, all);
}

static void facts_judge(struct verdict *verdict, FILE *truth)
{
	char line[1024];

	while (fgets(line, sizeof(line), truth)) {
		struct fact fact;

		if (!fact_read(line, &fact))
			continue;
		verdict->facts++;
		if (report_of(verdict, fact.tid) < 0)
			return;
		if (fact.is_path)
			path_judge(verdict, &fact);
		else
			wait_judge(verdict, &fact);
	}
}

int main(int argc, char **argv)
{
	struct verdict verdict = {0};
	_cleanup_(fclosep) FILE *truth = argc == 3 ? fopen(argv[2], "r") : NULL;

	if (!truth) {
		fputs("usage: truth_check TRACE TRUTH\n", stderr);
		return 2;
	}
	verdict.trace = argv[1];
	facts_judge(&verdict, truth);
	if (verdict.facts == 0) {
		printf("the oracle told nothing\n");
		verdict.failures++;
	}
	if ((double)verdict.good_ns < GOOD_SHARE * (double)verdict.all_ns)
		verdict.failures++;
	printf("%u facts, %u wrong; %.1f %% of %" PRIu64 " ns under the right cause\n",
	       verdict.facts, verdict.failures,
	       verdict.all_ns ? 100.0 * (double)verdict.good_ns / (double)verdict.all_ns : 100.0,
	       verdict.all_ns);
	json_free(verdict.report);
	return verdict.failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
