/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fork_storm.h"

#include <assert.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "builder/datfile.h"
#include "engine/live_run.h"
#include "flight/condition.h"
#include "flight/watch.h"
#include "live/top_sums.h"
#include "source/source.h"

#define PERIOD    1000000u /* ns from fork to fork */
#define TICK      100u     /* periods between looks */
#define CHILD     3000001  /* the first one */
#define CHILD_MIN 1000000
#define CHILDREN  2000000  /* tids that children use in turn */
#define NAME      "child0000000"
#define PATTERN_MAX 64

/* The life of one child, and what the other tasks do before it. */
static const char life[] =
	"unit us\ncpus 3\n"
	"tasks P=101/parent C=3000001/" NAME " R=102/runner D=103/sleeper\n"
	"  0/0 0  sched_switch 0:R > P\n"
	"  1/1 0  sched_switch 0:R > R\n"
	"  2/2 0  sched_switch 0:R > D\n"
	"  3/2 D  sched_switch D:D > 0\n"
	" 10/0 P  sched_process_fork P C\n"
	" 12/0 P  sched_wakeup_new C\n"
	" 20/0 P  sched_switch P:S > C\n"
	"300/0 C  sched_process_exit C\n"
	"310/0 C  sched_waking P\n"
	"320/0 C  sched_switch C:X > P\n";

/* None of these but the first two is met. */
static const char *const conditions[] = {
	"open>1s", "hung>30s", "wait>50ms", "lock>10ms", "disk>100ms", "delay>10ms", "exit=runner",
};

struct storm {
	struct source source; /* first: the calls get it */
	struct source *inner;
	struct record pattern[PATTERN_MAX];
	uint8_t *bytes[PATTERN_MAX];
	size_t pattern_count, first; /* first: of those that recur */
	uint64_t forks, done;
	struct live_run *run;
	struct top_sums *sums;
	struct watch *watch;
	struct condition condition[ARRAY_SIZE(conditions)];
	nsec_t begin; /* of the first record */
	struct storm_result *result;
};

static uint64_t heap_used(void)
{
	struct mallinfo2 info = mallinfo2();

	return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
}

static void row_take(struct storm_result *result, const struct top_row *row)
{
	if (strncmp(row->name, "child", 5) == 0)
		result->children_running += row->running;
	else if (strcmp(row->name, "runner") == 0)
		result->runner_running += row->running;
	else if (strcmp(row->name, "sleeper") == 0) {
		result->sleeper_waiting += row->waiting;
		result->sleeper_longest = row->longest;
	} else if (strcmp(row->name, "parent") == 0) {
		result->parent_running += row->running;
		result->parent_waiting += row->waiting;
	}
}

static void storm_take_hits(struct storm *storm, nsec_t time)
{
	struct hit hit;

	watch_look(storm->watch, time);
	while (watch_next(storm->watch, &hit)) {
		bool is_sleeper = strcmp(hit.comm, "sleeper") == 0;

		if (is_sleeper && hit.condition == &storm->condition[0])
			storm->result->hits_open++;
		else if (is_sleeper && hit.condition == &storm->condition[1])
			storm->result->hits_hung++;
		else
			storm->result->hits_other++;
	}
}

static void storm_look(struct storm *storm, nsec_t time)
{
	struct top_shot shot;
	uint64_t *heap;

	live_run_reach(storm->run, time);
	top_sums_take(storm->sums, time, &shot);
	for (size_t i = 0; i < shot.row_count; i++)
		row_take(storm->result, &shot.row[i]);
	storm->result->end = time - storm->begin;
	storm_take_hits(storm, time);
	if (live_run_renew(storm->run)) {
		top_sums_turn(storm->sums);
		watch_turn(storm->watch);
	}
	heap = storm->done <= storm->forks / 2 ? &storm->result->heap_early
	                                       : &storm->result->heap_late;
	if (heap_used() > *heap)
		*heap = heap_used();
}

static int32_t child_tid(uint64_t number)
{
	return number == 0 ? CHILD : CHILD_MIN + (int32_t)(number % CHILDREN);
}

/* Another child, later. */
static void pattern_move(struct storm *storm)
{
	int32_t before = child_tid(storm->done - 1), tid = child_tid(storm->done);
	char name[sizeof(NAME)];

	(void)snprintf(name, sizeof(name), "child%07u", (unsigned)(storm->done % 10000000));
	for (size_t i = storm->first; i < storm->pattern_count; i++) {
		struct record *record = &storm->pattern[i];

		record->time += PERIOD;
		for (uint32_t at = 0; at + sizeof(tid) <= record->length; at += 4) {
			if (memcmp(storm->bytes[i] + at, &before, sizeof(before)) == 0)
				memcpy(storm->bytes[i] + at, &tid, sizeof(tid));
			else if (at + sizeof(name) - 1 <= record->length &&
			         memcmp(storm->bytes[i] + at, "child", 5) == 0)
				memcpy(storm->bytes[i] + at, name, sizeof(name) - 1);
		}
	}
}

static enum pull storm_next(struct source *source, size_t stream, struct record_batch *ret)
{
	struct storm *storm = (struct storm *)source;

	if (source->streams[stream].cpu != 0)
		return source_next_batch(storm->inner, stream, ret);
	*ret = (struct record_batch){0};
	if (storm->done > 0 && storm->done % TICK == 0 && storm->run)
		storm_look(storm, storm->pattern[storm->pattern_count - 1].time);
	if (storm->done == storm->forks)
		return PULL_END;
	if (storm->done > 0)
		pattern_move(storm);
	ret->records = storm->pattern + (storm->done ? storm->first : 0);
	ret->count = storm->pattern_count - (storm->done ? storm->first : 0);
	storm->done++;
	return PULL_ITEM;
}

static void storm_close(struct source *source)
{
	(void)source;
}

static const struct source_ops storm_ops = {
	.name = "storm",
	.next_batch = storm_next,
	.close = storm_close,
};

static void pattern_add(struct storm *storm, const struct record *record)
{
	size_t at = storm->pattern_count++;

	storm->bytes[at] = xmalloc(record->length);
	memcpy(storm->bytes[at], record->payload, record->length);
	storm->pattern[at] = *record;
	storm->pattern[at].payload = storm->bytes[at];
}

/* Takes the records of CPU 0; the first one does not recur. */
static void pattern_take(struct storm *storm)
{
	struct record_batch batch;

	for (size_t stream = 0; stream < storm->inner->stream_count; stream++)
		while (storm->inner->streams[stream].cpu == 0 &&
		       source_next_batch(storm->inner, stream, &batch) == PULL_ITEM)
			for (size_t i = 0; i < batch.count; i++)
				pattern_add(storm, &batch.records[i]);
	storm->first = 1;
	storm->begin = storm->pattern[0].time;
}

static void storm_take_span(void *state, const struct span *span)
{
	struct storm *storm = state;

	top_sums_take_span(storm->sums, span);
	watch_take_span(storm->watch, span);
}

static void storm_take_record(void *state, const struct live_record *record)
{
	const struct storm *storm = state;

	watch_take_record(storm->watch, record);
}

static void storm_watch(struct storm *storm)
{
	const struct watch_setup setup = {
		.condition = storm->condition,
		.condition_count = ARRAY_SIZE(conditions),
	};
	struct buffer why;

	buffer_init(&why, 1024);
	for (size_t i = 0; i < ARRAY_SIZE(conditions); i++) {
		int r = condition_parse(conditions[i], &storm->condition[i], &why);

		assert(r == 0);
	}
	buffer_release(&why);
	storm->watch = watch_new(&setup);
}

static void storm_read(struct storm *storm)
{
	const struct top_wanted wanted = {.own_count = 0};
	const struct live_run_setup setup = {
		.source = &storm->source,
		.history_bytes = 1u << 20,
		.on_span = storm_take_span,
		.on_record = storm_take_record,
		.state = storm,
		.overlap = 500 * PERIOD,
		.tracks_max = 2048,
	};

	storm->sums = top_sums_new(&wanted, TOP_BY_COMM);
	storm_watch(storm);
	storm->run = live_run_new(&setup);
	top_sums_attach(storm->sums, storm->run);
	watch_attach(storm->watch, storm->run, &storm->source);
	live_run_read(storm->run);
	storm->result->generations = live_run_counts(storm->run).generations;
	storm->result->late = live_run_counts(storm->run).late;
	live_run_free(storm->run);
	top_sums_free(storm->sums);
	watch_free(storm->watch);
	for (size_t i = 0; i < ARRAY_SIZE(conditions); i++)
		condition_release(&storm->condition[i]);
}

int fork_storm_run(uint64_t forks, struct storm_result *ret)
{
	struct machine machine = {.long_bytes = 8, .page_bytes = 4096, .version = 6};
	struct storm storm = {.forks = forks / TICK * TICK, .result = ret};
	struct buffer why;
	char path[32];
	int fd;

	*ret = (struct storm_result){.forks = storm.forks, .period = PERIOD};
	buffer_init(&why, 1024);
	if (datfile_from_text(life, &machine, &fd, &why) < 0) {
		printf("the storm's schedule: %s\n", why.text);
		return -1;
	}
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (source_open(path, &storm.inner, &why) < 0) {
		printf("the storm's trace: %s\n", why.text);
		return -1;
	}
	(void)close(fd);
	pattern_take(&storm);
	storm.source = *storm.inner;
	storm.source.ops = &storm_ops;
	storm_read(&storm);
	for (size_t i = 0; i < storm.pattern_count; i++)
		free(storm.bytes[i]);
	source_close(storm.inner);
	buffer_release(&why);
	return 0;
}
