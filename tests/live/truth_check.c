/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * truth_check TRACE TRUTH: does `ftwait report` say what an oracle knows (see oracles/truth.h)?
 * At least GOOD_SHARE of the waiting time inside the oracle's waits must have the right cause, and
 * every fact must keep its own bounds. Prints what differs; status 1 where anything does.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/parse.h"
#include "ftwait/nsec.h"
#include "json/json_reader.h"
#include "vectors/report_run.h"

#define GOOD_SHARE 0.9
#define FAILURES_SHOWN 5
/* What tells a row of a list from others. */
#define MARKS_MAX 4
/* Of one report. */
#define OPTIONS_MAX 8

struct verb;

/* One line of truth; NULL: not told. */
struct fact {
	const struct verb *verb;
	uint64_t tid, begin, end, least, most, woken_from, woken_to, period;
	const char *remote, *reason, *server;
	const char *kind, *state, *name, *purpose, *peer, *waker, *sender, *stopper, *not_waker,
		*of, *own, *late, *depth, *open, *number, *retransmits, *what, *held_back, *list,
		*request, *for_work;
	const char *mark[MARKS_MAX]; /* KEY:VALUE; the first that is NULL ends them */
};

struct verdict {
	const char *trace;
	struct json *report;
	char asked[128]; /* the options that it answers */
	uint64_t good_ns, all_ns; /* over all waits */
	unsigned facts, failures;
};

struct verb {
	const char *name;
	void (*judge)(struct verdict *verdict, const struct fact *fact);
	/* The options that ask for what it judges; NULL: it is in every report without a list. */
	void (*ask)(const struct fact *fact, char *ret, size_t size);
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

static void fact_mark(struct fact *fact, const char *mark)
{
	for (size_t i = 0; i < MARKS_MAX; i++)
		if (!fact->mark[i]) {
			fact->mark[i] = mark;
			return;
		}
}

static void fact_set(struct fact *fact, const char *key, const char *value)
{
	const struct {
		const char *key;
		uint64_t *number;
		const char **text;
	} places[] = {
		{"tid", &fact->tid, NULL},
		{"begin", &fact->begin, NULL},
		{"end", &fact->end, NULL},
		{"least", &fact->least, NULL},
		{"most", &fact->most, NULL},
		{"woken_from", &fact->woken_from, NULL},
		{"woken_to", &fact->woken_to, NULL},
		{"period", &fact->period, NULL},
		{"kind", NULL, &fact->kind},
		{"state", NULL, &fact->state},
		{"name", NULL, &fact->name},
		{"for", NULL, &fact->purpose},
		{"peer", NULL, &fact->peer},
		{"remote", NULL, &fact->remote},
		{"reason", NULL, &fact->reason},
		{"server", NULL, &fact->server},
		{"waker", NULL, &fact->waker},
		{"sender", NULL, &fact->sender},
		{"stopper", NULL, &fact->stopper},
		{"not_waker", NULL, &fact->not_waker},
		{"of", NULL, &fact->of},
		{"own", NULL, &fact->own},
		{"late", NULL, &fact->late},
		{"depth", NULL, &fact->depth},
		{"open", NULL, &fact->open},
		{"number", NULL, &fact->number},
		{"retransmits", NULL, &fact->retransmits},
		{"what", NULL, &fact->what},
		{"held_back", NULL, &fact->held_back},
		{"list", NULL, &fact->list},
		{"request", NULL, &fact->request},
		{"for_work", NULL, &fact->for_work},
	};

	if (strcmp(key, "is") == 0)
		fact_mark(fact, value);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (strcmp(places[i].key, key) != 0)
			continue;
		if (places[i].text)
			*places[i].text = value;
		else
			(void)parse_u64(value, places[i].number);
	}
}

static bool number_is(const struct json *json, const char *text)
{
	uint64_t number;

	return parse_u64(text, &number) == 0 && json && json_u64(json) == number;
}

static bool truth_is(const struct json *json, const char *text)
{
	return json && json->boolean == (strcmp(text, "true") == 0);
}

/* Facts have no spaces: "_" is one. */
static bool purpose_is(const char *text, const char *fact)
{
	for (; *text && (*text == *fact || (*text == ' ' && *fact == '_')); text++)
		fact++;
	return *text == *fact;
}

/* "none": the cause must not have it. */
static bool request_is(const char *text, const char *fact)
{
	return strcmp(fact, "none") == 0 ? !*text : word_in(fact, text);
}

static bool cause_fits(const struct fact *fact, const struct json *cause)
{
	const struct {
		const char *path, *tid;
	} parties[] = {
		{"waker.tid", fact->waker},
		{"sender.tid", fact->sender},
		{"stopped_by.tid", fact->stopper},
	};
	const struct json *waker = json_find(cause, "waker.tid");
	bool is_certain = fact->kind && !strchr(fact->kind, '|');

	if (fact->kind && !word_in(fact->kind, json_text(json_find(cause, "kind"))))
		return false;
	if (fact->name && !word_in(fact->name, json_text(json_find(cause, "name"))))
		return false;
	if (fact->purpose && !purpose_is(json_text(json_find(cause, "for")), fact->purpose))
		return false;
	if (fact->peer && !word_in(fact->peer, json_text(json_find(cause, "peer"))))
		return false;
	for (size_t i = 0; i < sizeof(parties) / sizeof(parties[0]); i++) {
		const struct json *party = json_find(cause, parties[i].path);

		if (parties[i].tid && (party || is_certain) && !number_is(party, parties[i].tid))
			return false;
	}
	if (fact->not_waker && waker && number_is(waker, fact->not_waker))
		return false;
	if (fact->number && !number_is(json_find(cause, "number"), fact->number))
		return false;
	if (fact->retransmits &&
	    !number_is(json_find(cause, "retransmits"), fact->retransmits))
		return false;
	if (fact->held_back && !truth_is(json_find(cause, "held_back"), fact->held_back))
		return false;
	if (fact->request && !request_is(json_text(json_find(cause, "request")), fact->request))
		return false;
	if (fact->late && !truth_is(json_find(cause, "late"), fact->late))
		return false;
	return !fact->own || truth_is(json_find(cause, "own"), fact->own);
}

static bool wait_fits(const struct fact *fact, const struct json *wait)
{
	uint64_t woken = json_u64(json_find(wait, "end_ns"));

	return (!fact->open || truth_is(json_find(wait, "open"), fact->open)) &&
	       (!fact->for_work || truth_is(json_find(wait, "for_work"), fact->for_work)) &&
	       word_in(fact->state, json_text(json_find(wait, "state"))) &&
	       woken >= fact->woken_from && woken <= fact->woken_to &&
	       cause_fits(fact, json_find(wait, "cause"));
}

static bool part_fits(const struct fact *fact, const struct json *part)
{
	return (!fact->of || number_is(json_find(part, "tid"), fact->of)) &&
	       (!fact->depth || number_is(json_find(part, "depth"), fact->depth)) &&
	       word_in(fact->state, json_text(json_find(part, "state"))) &&
	       cause_fits(fact, json_find(part, "cause"));
}

/* ns that [begin_ns, end_ns) of a wait or part and the fact share. */
static uint64_t overlap(const struct fact *fact, const struct json *json)
{
	uint64_t begin = nsec_max(fact->begin, json_u64(json_find(json, "begin_ns")));
	uint64_t end = nsec_min(fact->end, json_u64(json_find(json, "end_ns")));

	return end > begin ? end - begin : 0;
}

static void verdict_bounds(struct verdict *verdict, const struct fact *fact, uint64_t bounded,
                           uint64_t good, uint64_t all)
{
	if (bounded >= fact->least && bounded <= fact->most)
		return;
	if (verdict->failures++ >= FAILURES_SHOWN)
		return;
	printf("%s of %" PRIu64 " at %" PRIu64 ": %" PRIu64, fact->verb->name, fact->tid,
	       fact->begin, good);
	if (all)
		printf(" of %" PRIu64 " ns", all);
	printf(" are as expected (at least %" PRIu64, fact->least);
	if (fact->most != UINT64_MAX)
		printf(", at most %" PRIu64, fact->most);
	printf("; what %s, kind %s, waker %s, of %s, state %s)\n", fact->what ? fact->what : "any",
	       fact->kind ? fact->kind : "any", fact->waker ? fact->waker : "any",
	       fact->of ? fact->of : "any", fact->state ? fact->state : "any");
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
		if (wait_fits(fact, wait))
			good += shared;
	}
	verdict->good_ns += good;
	verdict->all_ns += all;
	verdict_bounds(verdict, fact, all, good, all);
}

static void path_judge(struct verdict *verdict, const struct fact *fact)
{
	const struct json *parts = json_find(verdict->report, "critical_path.parts");
	uint64_t good = 0, all = 0;

	for (const struct json *part = parts ? parts->item : NULL; part; part = part->next) {
		uint64_t shared = overlap(fact, part);

		all += shared;
		if (part_fits(fact, part))
			good += shared;
	}
	verdict_bounds(verdict, fact, good, good, all);
}

static void rival_judge(struct verdict *verdict, const struct fact *fact)
{
	const struct json *rivals = json_find(verdict->report, "critical_path.competitors");
	uint64_t had = 0;

	for (const struct json *rival = rivals ? rivals->item : NULL; rival; rival = rival->next)
		if (number_is(json_find(rival, "task.tid"), fact->of))
			had += json_u64(json_find(rival, "total_ns"));
	verdict_bounds(verdict, fact, had, had, 0);
}

static void total_judge(struct verdict *verdict, const struct fact *fact)
{
	const struct json *rows = json_find(verdict->report, "summary.tasks");
	bool is_count = strcmp(fact->what, "rows") == 0;
	uint64_t total = 0;

	for (const struct json *row = rows ? rows->item : NULL; row; row = row->next)
		if (json_u64(json_find(row, "task.tid")) == fact->tid)
			total += is_count ? 1 : json_u64(json_find(row, fact->what));
	verdict_bounds(verdict, fact, total, total, 0);
}

/* What the tid has in the lists `what` (waiters, owners) of that file's locks of that kind. */
static void lock_judge(struct verdict *verdict, const struct fact *fact)
{
	const struct json *rows = json_find(verdict->report, "lock.locks");
	uint64_t total = 0;

	for (const struct json *row = rows ? rows->item : NULL; row; row = row->next) {
		const struct json *parties = json_find(row, fact->what);

		if (!word_in(fact->kind, json_text(json_find(row, "kind"))) ||
		    !number_is(json_find(row, "inode"), fact->number))
			continue;
		for (const struct json *party = parties ? parties->item : NULL; party;
		     party = party->next)
			if (json_u64(json_find(party, "task.tid")) == fact->tid)
				total += json_u64(json_find(party, "total_ns"));
	}
	verdict_bounds(verdict, fact, total, total, 0);
}

/* Of a list of --net the rows that have that text there; NULL: none. */
static uint64_t net_sum(const struct verdict *verdict, const char *list, const char *key,
                        const char *wanted, const char *what)
{
	const struct json *rows = json_find(verdict->report, list);
	uint64_t sum = 0;

	for (const struct json *row = rows && wanted ? rows->item : NULL; row; row = row->next) {
		const struct json *figure = json_find(row, what);
		bool is_client = strcmp(json_text(json_find(row, "role")), "client") == 0;

		if (strcmp(json_text(json_find(row, key)), wanted) == 0 && figure && !is_client)
			sum += figure->boolean ? 1 : json_u64(figure);
	}
	return sum;
}

/* Whether the member of that path is that, of "PATH:VALUE". */
static bool row_is(const struct json *row, const char *mark)
{
	const char *value = mark + strcspn(mark, ":");
	char path[64];
	const struct json *member;

	(void)snprintf(path, sizeof(path), "%.*s", (int)(value - mark), mark);
	value += *value == ':';
	member = json_find(row, path);
	if (!member || member->type == JSON_NULL)
		return strcmp(value, "null") == 0;
	if (member->type == JSON_BOOL)
		return truth_is(member, value);
	return strcmp(member->text ? member->text : "", value) == 0;
}

static bool row_fits(const struct fact *fact, const struct json *row)
{
	for (size_t i = 0; i < MARKS_MAX && fact->mark[i]; i++)
		if (!row_is(row, fact->mark[i]))
			return false;
	return true;
}

/* Of "PATH[+PATH...]" the sum. */
static uint64_t row_sum(const struct json *row, const char *paths)
{
	uint64_t sum = 0;

	while (*paths) {
		size_t length = strcspn(paths, "+");
		char path[64];

		(void)snprintf(path, sizeof(path), "%.*s", (int)length, paths);
		sum += json_u64(json_find(row, path));
		paths += length + (paths[length] == '+');
	}
	return sum;
}

static void net_judge(struct verdict *verdict, const struct fact *fact)
{
	uint64_t sum =
		net_sum(verdict, "net.connections", "remote", fact->remote, fact->what) +
		net_sum(verdict, "net.drops", "reason", fact->reason, fact->what) +
		net_sum(verdict, "net.requests", "address", fact->server, fact->what);

	verdict_bounds(verdict, fact, sum, sum, 0);
}

static void row_judge(struct verdict *verdict, const struct fact *fact)
{
	const struct json *rows = json_find(verdict->report, fact->list);
	bool is_count = strcmp(fact->what, "rows") == 0;
	uint64_t total = 0;

	for (const struct json *row = rows ? rows->item : NULL; row; row = row->next)
		if (row_fits(fact, row))
			total += is_count ? 1 : row_sum(row, fact->what);
	if (total >= fact->least && total <= fact->most)
		return;
	if (verdict->failures++ >= FAILURES_SHOWN)
		return;
	printf("%s of %s where", fact->what, fact->list);
	for (size_t i = 0; i < MARKS_MAX && fact->mark[i]; i++)
		printf(" %s", fact->mark[i]);
	printf(": %" PRIu64 ", but at least %" PRIu64 " and at most %" PRIu64 " (%s)\n", total,
	       fact->least, fact->most, verdict->asked);
}

static void path_ask(const struct fact *fact, char *ret, size_t size)
{
	(void)snprintf(ret, size, "--waits --summary --all --critical-path=%" PRIu64, fact->tid);
}

/* The view is named by the list; a window has both ends. */
static void row_ask(const struct fact *fact, char *ret, size_t size)
{
	int length = snprintf(ret, size, "--%.*s --all --top=0", (int)strcspn(fact->list, "."),
	                      fact->list);

	if (fact->period)
		length = snprintf(ret, size, "--tid=%" PRIu64 " --top=0 --period=%" PRIu64 "ns",
		                  fact->tid, fact->period);

	for (char *at = ret; *at && *at != ' '; at++) /* views of two words */
		if (*at == '_')
			*at = '-';
	if (fact->end && length > 0 && (size_t)length < size)
		(void)snprintf(ret + length, size - (size_t)length,
		               " --from=%" PRIu64 ".%09" PRIu64 " --to=%" PRIu64 ".%09" PRIu64,
		               fact->begin / 1000000000u, fact->begin % 1000000000u,
		               fact->end / 1000000000u, fact->end % 1000000000u);
}

static void lock_ask(const struct fact *fact, char *ret, size_t size)
{
	(void)fact;
	(void)snprintf(ret, size, "--lock --all");
}

static void net_ask(const struct fact *fact, char *ret, size_t size)
{
	(void)fact;
	(void)snprintf(ret, size, "--net --all");
}

static const struct verb verbs[] = {
	{"wait", wait_judge, NULL},
	{"path", path_judge, path_ask},
	{"rival", rival_judge, path_ask},
	{"total", total_judge, NULL},
	{"row", row_judge, row_ask},
	{"lock", lock_judge, lock_ask},
	{"net", net_judge, net_ask},
};

static bool fact_read(char *line, struct fact *ret)
{
	char *rest = line, *word = strsep(&rest, " \n");

	*ret = (struct fact){.most = UINT64_MAX, .woken_to = UINT64_MAX};
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verbs[i].name, word) == 0)
			ret->verb = &verbs[i];
	if (!ret->verb)
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

/* Splits in place. */
static void options_split(char *text, const char *options[OPTIONS_MAX + 1])
{
	size_t count = 0;
	char *word;

	while (count < OPTIONS_MAX && (word = strsep(&text, " ")))
		options[count++] = word;
	options[count] = NULL;
}

/* Reads the report anew only where a fact needs another one. */
static int report_of(struct verdict *verdict, const struct fact *fact)
{
	char asked[sizeof(verdict->asked)], words[sizeof(verdict->asked)];
	const char *options[OPTIONS_MAX + 1];
	struct buffer why;
	int fd, r;

	if (!fact->verb->ask && verdict->report && json_find(verdict->report, "waits"))
		return 0;
	(fact->verb->ask ? fact->verb->ask : path_ask)(fact, asked, sizeof(asked));
	if (verdict->report && strcmp(verdict->asked, asked) == 0)
		return 0;
	verdict->report = json_free(verdict->report);
	memcpy(verdict->asked, asked, sizeof(asked));
	memcpy(words, asked, sizeof(asked));
	options_split(words, options);
	fd = open(verdict->trace, O_RDONLY | O_CLOEXEC);
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	r = report_run(fd, options, &verdict->report, &why);
	if (r < 0) {
		printf("%s: %s\n", asked, why.text);
		verdict->failures++;
	}
	buffer_release(&why);
	(void)close(fd);
	return r;
}

static void facts_judge(struct verdict *verdict, FILE *truth)
{
	char line[1024];

	while (fgets(line, sizeof(line), truth)) {
		struct fact fact;

		if (!fact_read(line, &fact))
			continue;
		verdict->facts++;
		if (report_of(verdict, &fact) < 0)
			return;
		fact.verb->judge(verdict, &fact);
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
