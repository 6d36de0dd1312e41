/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vector.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/parse.h"
#include "report_run.h"

#define OPTIONS_OWN 7 /* that every ask has */

static void tiling_check(struct vector *vector)
{
	const struct json *path = json_find(vector->report, "critical_path");
	uint64_t at = json_u64(json_find(path, "begin_ns"));
	const struct json *parts = json_find(path, "parts");

	for (const struct json *part = parts ? parts->item : NULL; part; part = part->next) {
		if (json_u64(json_find(part, "begin_ns")) != at ||
		    json_u64(json_find(part, "end_ns")) < at)
			vector_fail_with(vector, "parts do not tile", part);
		at = json_u64(json_find(part, "end_ns"));
	}
	if (at != json_u64(json_find(path, "end_ns")))
		vector_fail_with(vector, "parts end before the window", path);
}

static uint64_t list_sum(const struct json *list, const char *state)
{
	uint64_t sum = 0;

	for (const struct json *row = list ? list->item : NULL; row; row = row->next) {
		const char *is = json_text(json_find(row, "state"));

		if (!state || (is && strcmp(is, state) == 0))
			sum += json_u64(json_find(row, "total_ns"));
	}
	return sum;
}

/* Whoever had the CPU while the path was runnable had it all the time; where events were lost two
   tasks may seem to have had it at once. */
static void competitors_check(struct vector *vector)
{
	const struct json *path = json_find(vector->report, "critical_path");
	uint64_t had = list_sum(json_find(path, "competitors"), NULL);
	uint64_t runnable = list_sum(json_find(path, "by_kind"), "runnable");

	const struct json *lost = json_find(vector->report, "health.lost_by_cpu");

	if (had < runnable || (had > runnable && !(lost && lost->item)))
		vector_fail(vector, "competitors had the CPU for %" PRIu64 " of %" PRIu64 " ns",
		            had, runnable);
}

void vector_close(struct vector *vector)
{
	if (vector->has_parts && vector->part)
		vector_fail_with(vector, "a part that no line expects", vector->part);
	vector->has_parts = false;
	vector->report = json_free(vector->report);
	vector->part = NULL;
}

/* The report with that task's path (-1: of whom it chooses); NULL with a failure. */
static struct json *report_ask(struct vector *vector, int64_t tid, char **more, size_t count)
{
	char path[64] = "--critical-path";
	const char *options[REPORT_ARGUMENTS_MAX] = {path,       "--waits", "--summary",
	                                             "--chains", "--graph", "--all",
	                                             "--syscall"};
	struct json *report = NULL;
	struct buffer why;

	if (tid >= 0)
		(void)snprintf(path, sizeof(path), "--critical-path=%" PRId64, tid);
	for (size_t i = 0; i < count && i + OPTIONS_OWN < REPORT_ARGUMENTS_MAX - 4; i++)
		options[i + OPTIONS_OWN] = more[i];
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (report_run(vector->trace, options, &report, &why) < 0)
		vector_fail(vector, "%s", why.text);
	buffer_release(&why);
	return report;
}

/* ask TASK [OPTION...] */
static void ask_line(struct vector *vector, char **words, size_t count)
{
	const struct json *parts;

	vector_close(vector);
	vector->report = report_ask(vector, vector_tid(vector, words[1]), words + 2, count - 2);
	if (vector->report) {
		tiling_check(vector);
		competitors_check(vector);
	}
	parts = json_find(vector->report, "critical_path.parts");
	vector->part = parts ? parts->item : NULL;
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
	tid = (uint64_t)vector_tid(vector, words[2]);
	at = vector_time(vector, words[3]);
	end = vector_time(vector, words[4]);
	do {
		const struct json *part = vector->part;

		if (!part || json_u64(json_find(part, "begin_ns")) != at ||
		    json_u64(json_find(part, "end_ns")) > end ||
		    json_u64(json_find(part, "depth")) != depth ||
		    json_u64(json_find(part, "tid")) != tid ||
		    strcmp(json_text(json_find(part, "state")), words[5]) != 0 ||
		    !vector_words_fit(vector, part, words + 6, count - 6)) {
			vector_fail_with(vector, "expected another part", part);
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
		if ((int64_t)json_u64(json_find(part, "tid")) == vector_tid(vector, words[1]))
			vector_fail_with(vector, "this task must not be on the path", part);
}

static bool wait_is_of(const struct vector *vector, const struct json *wait, const char *name)
{
	return (int64_t)json_u64(json_find(wait, "task.tid")) == vector_tid(vector, name);
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
	begin = vector_time(vector, words[2]);
	is_open = strcmp(words[3], "open") == 0;
	for (const struct json *wait = waits ? waits->item : NULL; wait; wait = wait->next) {
		const struct json *open = json_find(wait, "open");

		if (!wait_is_of(vector, wait, words[1]))
			continue;
		nearest = wait;
		if (json_u64(json_find(wait, "begin_ns")) == begin &&
		    (open && open->boolean) == is_open &&
		    (is_open || json_u64(json_find(wait, "end_ns")) ==
		                        vector_time(vector, words[3])) &&
		    vector_words_fit(vector, wait, words + 4, count - 4))
			return;
	}
	vector_fail_with(vector, "no such wait", nearest);
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
			if (!vector_word_fits(vector, task, words[i]))
				vector_fail_with(vector, words[i], task);
		return;
	}
	vector_fail(vector, "the summary has no %s", words[1]);
}

/* What a call's time was spent on is all of its time; one that is open has it as time_ns. */
static void call_check(struct vector *vector, const struct json *call)
{
	const struct json *open = json_find(call, "time_ns");
	const struct json *waiting = json_find(call, "waiting_ns");
	uint64_t time = json_u64(open ? open : json_find(call, "latency.total_ns"));
	uint64_t spent = json_u64(json_find(call, "running_ns")) +
	                 json_u64(json_find(call, "runnable_ns"));

	for (const struct json *kind = waiting ? waiting->item : NULL; kind; kind = kind->next)
		spent += json_u64(kind);
	if (spent != time)
		vector_fail_with(vector, "a call's time is not what it was spent on", call);
}

/* call TASK NAME [KEY=VALUE...], open-call: of the last one that has not returned */
static void call_line(struct vector *vector, char **words, size_t count)
{
	bool is_open = strcmp(words[0], "open-call") == 0;
	const struct json *calls =
		json_find(vector->report, is_open ? "syscall.open" : "syscall.calls");

	for (const struct json *call = calls ? calls->item : NULL; call; call = call->next) {
		const char *name = json_text(json_find(call, "name"));

		if (!wait_is_of(vector, call, words[1]) || count < 3 || !name ||
		    strcmp(name, words[2]) != 0)
			continue;
		call_check(vector, call);
		for (size_t i = 3; i < count; i++)
			if (!vector_word_fits(vector, call, words[i]))
				vector_fail_with(vector, words[i], call);
		return;
	}
	vector_fail_with(vector, "no such call", calls);
}

/* calls TASK NUMBER: rows that TASK has, open ones among them */
static void calls_line(struct vector *vector, char **words, size_t count)
{
	static const char *const lists[] = {"syscall.calls", "syscall.open"};
	uint64_t expected = 0, found = 0;

	if (count != 3 || parse_u64(words[2], &expected) < 0)
		vector_fail(vector, "calls TASK NUMBER");
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		const struct json *calls = json_find(vector->report, lists[i]);

		for (const struct json *call = calls ? calls->item : NULL; call;
		     call = call->next)
			found += wait_is_of(vector, call, words[1]);
	}
	if (found != expected)
		vector_fail(vector, "%s has %" PRIu64 " calls", words[1], found);
}

static void health_line(struct vector *vector, char **words, size_t count)
{
	const struct json *health = json_find(vector->report, "health");

	for (size_t i = 1; i < count; i++)
		if (!vector_word_fits(vector, health, words[i]))
			vector_fail_with(vector, words[i], health);
}

/* A task, "0" for idle, "irq" or "throttled". */
static bool competitor_is(const struct vector *vector, const struct json *found, const char *name)
{
	const char *kind = json_text(json_find(found, "kind"));

	if (kind && (strcmp(kind, "irq") == 0 || strcmp(kind, "throttled") == 0))
		return strcmp(kind, name) == 0;
	return wait_is_of(vector, found, name);
}

/* competitor WHO TIME: who had the CPU while the path's tasks stood in its queue */
static void competitor_line(struct vector *vector, char **words, size_t count)
{
	const struct json *list = json_find(vector->report, "critical_path.competitors");

	for (const struct json *found = list ? list->item : NULL; found; found = found->next)
		if (competitor_is(vector, found, words[1]) && count == 3 &&
		    json_u64(json_find(found, "total_ns")) == vector_time(vector, words[2]))
			return;
	vector_fail_with(vector, "no such competitor", list);
}

/* "A;B": the names of a chain's links, outermost first */
static bool chain_is(const struct json *chain, const char *names)
{
	const struct json *links = json_find(chain, "links");

	for (const struct json *link = links ? links->item : NULL; link; link = link->next) {
		const char *name = json_text(json_find(link, "comm"));
		size_t length = strcspn(names, ";");

		if (strlen(name) != length || strncmp(name, names, length) != 0)
			return false;
		names += length + (names[length] == ';');
		if (!link->next)
			return *names == '\0';
	}
	return false;
}

/* chain COMM;COMM... [KEY=VALUE...] */
static void chain_line(struct vector *vector, char **words, size_t count)
{
	const struct json *chains = json_find(vector->report, "chains"), *nearest = NULL;

	for (const struct json *chain = chains ? chains->item : NULL; chain; chain = chain->next) {
		if (!chain_is(chain, words[1]))
			continue;
		nearest = chain;
		if (vector_words_fit(vector, chain, words + 2, count - 2))
			return;
	}
	vector_fail_with(vector, "no such chain", nearest ? nearest : chains);
}

/* A word may have "_" for the spaces of a name. */
static bool name_is(const struct json *json, const char *key, const char *word)
{
	const char *name = json_text(json_find(json, key));

	for (; *name && (*name == *word || (*name == ' ' && *word == '_')); name++)
		word++;
	return *name == *word;
}

/* edge FROM TO [KEY=VALUE...]: an edge of the wait-for graph */
static void edge_line(struct vector *vector, char **words, size_t count)
{
	const struct json *edges = json_find(vector->report, "graph.edges"), *nearest = edges;

	for (const struct json *edge = edges ? edges->item : NULL; edge; edge = edge->next) {
		if (count < 3 || !name_is(edge, "from", words[1]) || !name_is(edge, "to", words[2]))
			continue;
		nearest = edge;
		if (vector_words_fit(vector, edge, words + 3, count - 3))
			return;
	}
	vector_fail_with(vector, "no such edge", nearest);
}

/* graph LIST NUMBER...: how many edges, nodes, knots */
static void graph_line(struct vector *vector, char **words, size_t count)
{
	const struct json *graph = json_find(vector->report, "graph");

	for (size_t i = 1; i < count; i++) {
		const char *equals = strchr(words[i], '=');
		uint64_t expected = 0;
		char list[32];

		if (!equals || parse_u64(equals + 1, &expected) < 0) {
			vector_fail(vector, "graph LIST=NUMBER");
			return;
		}
		(void)snprintf(list, sizeof(list), "%.*s", (int)(equals - words[i]), words[i]);
		if (!json_find(graph, list) || json_count(json_find(graph, list)) != expected)
			vector_fail_with(vector, words[i], graph);
	}
}

/* knot NAME...: nodes of one knot, and all of it */
static void knot_line(struct vector *vector, char **words, size_t count)
{
	const struct json *nodes = json_find(vector->report, "graph.nodes");
	uint64_t knot = 0;
	size_t members = 0, named = 0;

	for (const struct json *node = nodes ? nodes->item : NULL; node && !knot; node = node->next)
		if (name_is(node, "name", words[1]))
			knot = json_u64(json_find(node, "knot"));
	for (const struct json *node = nodes ? nodes->item : NULL; node; node = node->next) {
		if (json_u64(json_find(node, "knot")) != knot)
			continue;
		members++;
		for (size_t i = 1; i < count; i++)
			named += name_is(node, "name", words[i]);
	}
	if (!knot || members != count - 1 || named != members)
		vector_fail_with(vector, "no such knot", nodes);
}

/* row LIST KEY=VALUE...: one of the rows of a list, by its path */
static void row_line(struct vector *vector, char **words, size_t count)
{
	const struct json *list = json_find(vector->report, words[1]);

	for (const struct json *row = list ? list->item : NULL; row; row = row->next)
		if (vector_words_fit(vector, row, words + 2, count - 2))
			return;
	vector_fail_with(vector, "no such row", list);
}

/* rows LIST NUMBER */
static void rows_line(struct vector *vector, char **words, size_t count)
{
	const struct json *list = json_find(vector->report, words[1]);
	uint64_t expected = 0;

	if (count != 3 || parse_u64(words[2], &expected) < 0)
		vector_fail(vector, "rows LIST NUMBER");
	else if (!list || json_count(list) != expected)
		vector_fail_with(vector, "another number of rows", list);
}

/* The state of the task at the instant; "": it has no part then. */
static const char *state_at(const struct json *report, nsec_t time)
{
	const struct json *parts = json_find(report, "critical_path.parts");

	for (const struct json *part = parts ? parts->item : NULL; part; part = part->next)
		if (json_u64(json_find(part, "begin_ns")) <= time &&
		    json_u64(json_find(part, "end_ns")) > time &&
		    json_u64(json_find(part, "depth")) == 0)
			return json_text(json_find(part, "state"));
	return "";
}

/* load TIME RUNNING RUNNABLE: how many tasks of the schedule run, and how many wait for a CPU */
static void load_line(struct vector *vector, char **words, size_t count)
{
	uint64_t expected[2] = {0, 0}, found[2] = {0, 0};

	if (count != 4 || parse_u64(words[2], &expected[0]) < 0 ||
	    parse_u64(words[3], &expected[1]) < 0) {
		vector_fail(vector, "load TIME RUNNING RUNNABLE");
		return;
	}
	for (size_t i = 0; i < vector->schedule->task_count; i++) {
		struct json *report = report_ask(vector, vector->schedule->tasks[i].tid, NULL, 0);
		const char *state = state_at(report, vector_time(vector, words[1]));

		found[0] += strcmp(state, "running") == 0;
		found[1] += strcmp(state, "runnable") == 0;
		(void)json_free(report);
	}
	if (found[0] != expected[0] || found[1] != expected[1])
		vector_fail(vector, "%" PRIu64 " run, %" PRIu64 " are runnable", found[0], found[1]);
}

static const struct {
	const char *word;
	void (*check)(struct vector *vector, char **words, size_t count);
} line_kinds[] = {
	{"ask", ask_line},
	{"part", part_line},
	{"never", never_line},
	{"wait", wait_line},
	{"waits", waits_line},
	{"health", health_line},
	{"summary", summary_line},
	{"call", call_line},
	{"open-call", call_line},
	{"calls", calls_line},
	{"competitor", competitor_line},
	{"chain", chain_line},
	{"edge", edge_line},
	{"graph", graph_line},
	{"knot", knot_line},
	{"load", load_line},
	{"row", row_line},
	{"rows", rows_line},
};

void vector_line(struct vector *vector, char **words, size_t count)
{
	static char ask[] = "ask", first[] = "A";
	char *ask_words[] = {ask, first};

	if (!vector->report && strcmp(words[0], "ask") != 0 && !vector->failures)
		ask_line(vector, ask_words, 2);
	for (size_t i = 0; i < ARRAY_SIZE(line_kinds); i++) {
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
