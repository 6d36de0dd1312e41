/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cuts FILE.vec...: what `ftwait top` says of each wait that has not ended, at the end of a vector
 * (tests/vectors) and at some instants of it, against what a report says of a recording that ends
 * there: kind, object and holder are the same. So are the aims of all waits in the history that top
 * and `report --follow` have. The instants depend on CUTS_SEED. Vectors with what
 * the recorder saw in /proc at the end, lines "waits" and "still", are left out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "builder/datfile.h"
#include "builder/schedule_cut.h"
#include "engine/live_run.h"
#include "engine/pipeline.h"
#include "graph/aims/aim.h"
#include "graph/aims/awaited.h"
#include "live/top_sums.h"
#include "property/random.h"
#include "source/source.h"

#define CUTS          3
#define FILE_BYTES    (1u << 24)
#define HISTORY_BYTES (4u << 20)

static const struct machine machine = {
	.is_big_endian = false, .long_bytes = 8, .page_bytes = 4096, .version = 6,
};

/* What one side says of a wait. */
struct answer {
	enum aim_kind kind;
	const char *name; /* NULL: none */
	int holder;       /* tid; 0: not known */
};

/* The recording, as both sides read it. */
struct reading {
	const char *path, *how;
	struct timeline timeline; /* of the report */
	struct source *source;    /* of top */
	struct live_run *run;
	struct top_sums *sums;
	unsigned failures;
};

static const char *word_of(const char *text)
{
	return text ? text : "-";
}

/* The kind's name; "-": not known. */
static const char *kind_of(const struct answer *answer)
{
	return word_of(aim_kind_name(answer->kind));
}

static struct answer report_answer(const struct timeline *timeline, uint32_t track)
{
	size_t at = timeline->track[track].segment_count - 1;
	struct aim aim = timeline_aim_shown(timeline, track, at);
	struct brief_aim brief = brief_aim_of_segment(timeline, track, at);

	return (struct answer){
		.kind = brief.kind,
		.name = brief.name,
		.holder = aim.kind && aim.holder_count
			? (int)aim.holder[aim.holder_count - 1].tid : 0,
	};
}

static struct answer top_answer(const struct top_open *open)
{
	return (struct answer){
		.kind = open->aim.kind,
		.name = open->aim.name,
		.holder = open->aim.kind && open->has_behind ? (int)open->behind.tid : 0,
	};
}

/* A wait of the report in what `report --follow` has of it: the same aim, with the same end. */
static void wait_check(struct reading *reading, uint32_t index, uint32_t own, size_t at)
{
	const struct segment *segment = &reading->timeline.track[index].segment[at];
	struct timeline *live = live_run_timeline(reading->run);
	const struct track *track = &live->track[own];
	size_t same = 0;
	struct aim report = timeline_aim_shown(&reading->timeline, index, at), follow = {0};

	while (same < track->segment_count && (track->segment[same].begin != segment->begin ||
	                                       track->segment[same].kind != SEGMENT_WAIT))
		same++;
	if (same < track->segment_count)
		follow = timeline_aim_shown(live, own, same);
	/* that a wait is over, after which nothing is known, is no matter of aims */
	if (follow.kind == report.kind &&
	    (follow.kind == AIM_NONE || follow.end == report.end) &&
	    follow.begin == report.begin && follow.holder_count == report.holder_count &&
	    strcmp(word_of(follow.name), word_of(report.name)) == 0)
		return;
	printf("%s: %s, task %d from %" PRIu64 ": the history says %s %s since %" PRIu64
	       ", the report %s %s since %" PRIu64 "\n", reading->path, reading->how,
	       reading->timeline.track[index].tid, segment->begin,
	       word_of(aim_kind_name(follow.kind)), aim_end_name(follow.end), follow.begin,
	       word_of(aim_kind_name(report.kind)), aim_end_name(report.end), report.begin);
	reading->failures++;
}

static void track_check(struct reading *reading, uint32_t index)
{
	const struct track *track = &reading->timeline.track[index];
	uint32_t own = machine_task_of(live_run_machine(reading->run), track->tid);
	struct answer report, top;
	struct top_open open;

	if (track->is_idle || track->segment_count == 0 || own == TRACK_NONE)
		return;
	if (!track->is_open || track->segment[track->segment_count - 1].kind != SEGMENT_WAIT)
		return;
	report = report_answer(&reading->timeline, index);
	if (!top_sums_look(reading->sums, own, &open)) {
		printf("%s: %s, task %d: top knows no wait, the report one for %s\n",
		       reading->path, reading->how, track->tid, kind_of(&report));
		reading->failures++;
		return;
	}
	top = top_answer(&open);
	if (top.kind == report.kind && top.holder == report.holder &&
	    strcmp(word_of(top.name), word_of(report.name)) == 0)
		return;
	printf("%s: %s, task %d: top says %s %s %d, the report %s %s %d\n", reading->path,
	       reading->how, track->tid, kind_of(&top), word_of(top.name), top.holder,
	       kind_of(&report), word_of(report.name), report.holder);
	reading->failures++;
}

static void track_check_history(struct reading *reading, uint32_t index)
{
	const struct track *track = &reading->timeline.track[index];
	uint32_t own = machine_task_of(live_run_machine(reading->run), track->tid);
	const struct track *same =
		own == TRACK_NONE ? NULL : &live_run_timeline(reading->run)->track[own];

	/* another task may have the number now */
	if (track->is_idle || !same || track->segment_count == 0 || same->segment_count == 0 ||
	    track->segment[0].begin != same->segment[0].begin)
		return;
	for (size_t at = 0; at < track->segment_count; at++)
		if (track->segment[at].kind == SEGMENT_WAIT)
			wait_check(reading, index, own, at);
}

static struct source *source_of(int fd)
{
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", fd);
	struct source *source = NULL;
	struct buffer why;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (source_open(path, &source, &why) < 0)
		source = NULL;
	buffer_release(&why);
	return source;
}

/* False: the recording cannot be read, as a cut one may not be. */
static bool report_read(struct reading *reading, int fd)
{
	struct health health = {0};
	struct source *source = source_of(fd);
	const struct pipeline pipeline = {
		.source = source, .timeline = &reading->timeline, .health = &health};

	timeline_init(&reading->timeline, true);
	if (!source)
		return false;
	(void)pipeline_run(&pipeline);
	timeline_find_awaited(&reading->timeline);
	health_release(&health);
	(void)source_close(source);
	return true;
}

static void top_read(struct reading *reading, int fd)
{
	static const struct top_wanted wanted;
	struct live_run_setup setup = {
		.history_bytes = HISTORY_BYTES, .on_span = top_sums_take_span};

	reading->source = setup.source = source_of(fd);
	reading->sums = setup.state = top_sums_new(&wanted, TOP_BY_TASK);
	reading->run = live_run_new(&setup);
	top_sums_attach(reading->sums, reading->run);
	live_run_read(reading->run);
	live_run_reach(reading->run, live_run_last(reading->run));
}

static unsigned recording_check(const char *path, const char *how, const char *events)
{
	struct reading reading = {.path = path, .how = how};
	struct buffer why;
	int fd = -1;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (datfile_from_text(events, &machine, &fd, &why) == 0 && report_read(&reading, fd)) {
		top_read(&reading, fd);
		top_sums_open(reading.sums);
		for (uint32_t track = 0; track < reading.timeline.track_count; track++)
			track_check(&reading, track);
		top_sums_close(reading.sums);
		live_run_end(reading.run);
		timeline_find_awaited(live_run_timeline(reading.run));
		for (uint32_t track = 0; track < reading.timeline.track_count; track++)
			track_check_history(&reading, track);
		top_sums_free(reading.sums);
		live_run_free(reading.run);
		(void)source_close(reading.source);
	}
	timeline_release(&reading.timeline);
	if (fd >= 0)
		(void)close(fd);
	buffer_release(&why);
	return reading.failures;
}

static bool text_read(const char *path, struct buffer *to)
{
	_cleanup_(fclosep) FILE *file = fopen(path, "r");
	char chunk[65536];
	size_t got;

	while (file && (got = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buffer_append(to, chunk, got);
	return to->length > 0;
}

static unsigned vector_check(const char *path, const char *events, uint64_t seed)
{
	unsigned count = schedule_event_count(events);
	unsigned failures = recording_check(path, "whole", events);
	struct random random = {seed ^ count};

	for (unsigned i = 0; count > 2 && i < CUTS; i++) {
		double until = schedule_event_time(events, 2 + random_below(&random, count - 2));
		struct buffer text;
		char how[64];

		buffer_init(&text, strlen(events) + 2);
		schedule_cut(events, until, &text);
		(void)snprintf(how, sizeof(how), "cut after %g", until);
		failures += recording_check(path, how, text.text);
		buffer_release(&text);
	}
	return failures;
}

int main(int argc, char **argv)
{
	const char *given = getenv("CUTS_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	unsigned passed = 0, failed = 0;

	printf("seed of cuts: CUTS_SEED=%" PRIu64 "\n", seed);
	for (int i = 1; i < argc; i++) {
		struct buffer text;
		char *mark;

		buffer_init(&text, FILE_BYTES);
		if (!text_read(argv[i], &text) || !(mark = strstr(text.text, "\n---\n"))) {
			printf("%s: no vector\n", argv[i]);
			failed++;
		} else if (mark[1] = '\0', strstr(text.text, "\nwaits ") ||
			                       strstr(text.text, "\nstill ")) {
			passed++;
		} else {
			*(vector_check(argv[i], text.text, seed) ? &failed : &passed) += 1;
		}
		buffer_release(&text);
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
