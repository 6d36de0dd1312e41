/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "merge/merger.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "suites.h"

#define STREAMS_MAX    50
#define RECORDS_MAX    40
#define BATCH_MAX      5
#define TIMES          60 /* few, so that many are equal */
#define COUNTED_LOSSES 9

/* Streams of random records, cut into random batches, some of them after a loss. */
struct streams {
	struct source source;
	struct source_stream stream[STREAMS_MAX];
	struct record record[STREAMS_MAX][RECORDS_MAX];
	uint64_t lost[STREAMS_MAX][RECORDS_MAX]; /* before that record, where a batch begins */
	bool is_begin[STREAMS_MAX][RECORDS_MAX]; /* of a batch */
	bool has_beat[STREAMS_MAX][RECORDS_MAX]; /* before that batch a heartbeat is due */
	struct record beat[STREAMS_MAX];
	size_t count[STREAMS_MAX];
	size_t asked[STREAMS_MAX]; /* records that were given out */
};

static const uint8_t payload[4];

static unsigned random_below(unsigned limit)
{
	return (unsigned)random() % limit;
}

static enum pull streams_next_batch(struct source *source, size_t stream, struct record_batch *ret)
{
	struct streams *streams = (struct streams *)source;
	size_t begin = streams->asked[stream], end = begin + 1;

	*ret = (struct record_batch){0};
	if (begin == streams->count[stream])
		return PULL_END;
	if (streams->has_beat[stream][begin]) {
		nsec_t before = begin ? streams->record[stream][begin - 1].time : 0;
		nsec_t room = streams->record[stream][begin].time - before;

		streams->has_beat[stream][begin] = false;
		streams->beat[stream].time = before + random_below((unsigned)room + 1);
		*ret = (struct record_batch){.records = &streams->beat[stream], .count = 1};
		return PULL_ITEM;
	}
	while (end < streams->count[stream] && !streams->is_begin[stream][end])
		end++;
	*ret = (struct record_batch){
		.records = &streams->record[stream][begin],
		.count = end - begin,
		.lost_events = streams->lost[stream][begin],
	};
	streams->asked[stream] = end;
	return PULL_ITEM;
}

static const struct source_ops streams_ops = {.name = "test", .next_batch = streams_next_batch};

enum kind_of_streams {
	IN_ORDER,
	GOING_BACK, /* time goes back now and then */
	BEATING,    /* with heartbeats before many batches, but for those that report a loss */
	KINDS,
};

static void streams_fill(struct streams *streams, size_t stream, enum kind_of_streams kind)
{
	nsec_t time = random_below(TIMES);

	streams->count[stream] = random_below(4) ? random_below(RECORDS_MAX) : 0;
	for (size_t i = 0; i < streams->count[stream]; i++) {
		bool is_begin = i == 0 || random_below(BATCH_MAX) == 0;

		streams->record[stream][i] = (struct record){.time = time, .payload = payload};
		streams->is_begin[stream][i] = is_begin;
		if (is_begin && random_below(3) == 0)
			streams->lost[stream][i] =
				random_below(2) ? LOST_UNCOUNTED : 1 + random_below(COUNTED_LOSSES);
		else
			streams->has_beat[stream][i] = is_begin && kind == BEATING &&
			                               random_below(2);
		time += random_below(3) ? 0 : random_below(TIMES / 4);
		if (kind == GOING_BACK && random_below(8) == 0)
			time /= 2;
	}
}

static struct streams *streams_new(size_t count, enum kind_of_streams kind)
{
	struct streams *streams = xcalloc(1, sizeof(*streams));

	streams->source = (struct source){
		.ops = &streams_ops,
		.streams = streams->stream,
		.stream_count = count,
	};
	for (size_t i = 0; i < count; i++) {
		/* several buffers a CPU, in whatever order */
		streams->stream[i].cpu = (unsigned)((i * 7) % (count / 2 + 1));
		streams_fill(streams, i, kind);
	}
	return streams;
}

/* The stream whose next record comes first: (time, CPU, buffer); the count of streams: none. */
static size_t streams_first(const struct streams *streams, const size_t *at)
{
	size_t first = streams->source.stream_count;

	for (size_t i = 0; i < streams->source.stream_count; i++) {
		nsec_t time = streams->record[i][at[i]].time;

		if (at[i] == streams->count[i])
			continue;
		if (first < streams->source.stream_count) {
			nsec_t least = streams->record[first][at[first]].time;

			if (time > least ||
			    (time == least && streams->stream[i].cpu >= streams->stream[first].cpu))
				continue;
		}
		first = i;
	}
	return first;
}

static void check_loss(const struct streams *streams, size_t stream, size_t at,
                       const struct merged_run *run)
{
	ck_assert(!run->records);
	ck_assert(run->stream == stream);
	ck_assert(run->cpu == streams->stream[stream].cpu);
	ck_assert(run->lost_events == streams->lost[stream][at]);
	ck_assert(run->is_first == (at == 0));
	ck_assert(run->lost_begin == (at ? streams->record[stream][at - 1].time : 0));
	ck_assert(run->lost_end == streams->record[stream][at].time);
}

/* Takes all of them one by one, and asks each time what should have come. */
static void check_order(struct streams *streams)
{
	struct merger *merger = merger_new(&streams->source);
	size_t at[STREAMS_MAX] = {0}, left = 0, first;
	struct merged_run run = {0};
	size_t behind = SIZE_MAX; /* the stream that is at a loss: it is told at once */

	while ((first = streams_first(streams, at)) < streams->source.stream_count) {
		first = behind < SIZE_MAX ? behind : first;
		if (streams->lost[first][at[first]]) {
			ck_assert(left == 0);
			ck_assert(merger_next(merger, &run));
			check_loss(streams, first, at[first], &run);
			streams->lost[first][at[first]] = 0;
			behind = SIZE_MAX;
			continue;
		}
		if (left == 0) {
			ck_assert(merger_next(merger, &run));
			left = run.count;
			ck_assert(run.records);
			ck_assert(left > 0);
		}
		ck_assert(run.stream == first);
		ck_assert(run.cpu == streams->stream[first].cpu);
		ck_assert(&run.records[run.count - left] == &streams->record[first][at[first]]);
		left--;
		at[first]++;
		if (at[first] < streams->count[first] && streams->lost[first][at[first]])
			behind = first;
	}
	ck_assert(left == 0);
	ck_assert(!merger_next(merger, &run));
	ck_assert(!merger_next(merger, &run));
	merger_free(merger);
}

/* Of one stream, of two, of a few and of many. */
START_TEST(test_order)
{
	static const size_t counts[] = {0, 1, 2, 3, 4, 8, 15, 16, 17, 18, 33, STREAMS_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		for (unsigned seed = 0; seed < 100; seed++) {
			struct streams *streams;

			srandom(seed);
			streams = streams_new(counts[i], (enum kind_of_streams)_i);
			check_order(streams);
			free(streams);
		}
	}
}
END_TEST

#define STEPS 8

/* A source whose batches are written down one by one, and that keeps how often each was asked. */
struct steps {
	struct source source;
	struct source_stream stream[2];
	struct record_batch batch[2][STEPS];
	size_t asked[2];
};

static enum pull steps_next_batch(struct source *source, size_t stream, struct record_batch *ret)
{
	struct steps *steps = (struct steps *)source;

	*ret = steps->batch[stream][steps->asked[stream]++];
	return ret->count ? PULL_ITEM : PULL_END;
}

static const struct source_ops steps_ops = {.name = "steps", .next_batch = steps_next_batch};

#define RECORD(at)    {.time = (at), .payload = payload, .length = 4}
#define BATCH(record) {.records = (record), .count = ARRAY_SIZE(record)}

/* What follows a heartbeat is asked for when all records before its time were returned. */
START_TEST(test_beats)
{
	static const struct record first[] = {RECORD(10), RECORD(20), RECORD(26)};
	static const struct record beat[] = {{.time = 26}}, late[] = {{.time = 30}};
	static const struct record second[] = {RECORD(15), RECORD(25)};
	static const struct record last[] = {RECORD(40)};
	struct steps steps = {
		.source = {.ops = &steps_ops, .streams = steps.stream, .stream_count = 2},
		.stream = {{.cpu = 0}, {.cpu = 1}},
		.batch = {{BATCH(first), BATCH(beat), BATCH(late), BATCH(last)},
		          {BATCH(second), BATCH(beat), BATCH(late)}},
	};
	static const struct {
		nsec_t time;
		size_t asked[2]; /* before it was returned */
	} runs[] = {{10, {1, 1}}, {15, {1, 1}}, {20, {1, 1}}, {25, {1, 1}}, {26, {1, 2}},
	            {40, {4, 4}}};
	struct merger *merger = merger_new(&steps.source);
	struct merged_run run;

	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		ck_assert(merger_next(merger, &run));
		ck_assert_ptr_nonnull(run.records);
		ck_assert_uint_eq(run.count, 1);
		ck_assert_uint_eq(run.records->time, runs[i].time);
		ck_assert_uint_eq(steps.asked[0], runs[i].asked[0]);
		ck_assert_uint_eq(steps.asked[1], runs[i].asked[1]);
	}
	ck_assert(!merger_next(merger, &run));
	merger_free(merger);
}
END_TEST

/* What a stream lost behind its last record comes as soon as that is returned; of a stream without
   records, first. */
START_TEST(test_loss_at_the_end)
{
	static const struct record first[] = {RECORD(10), RECORD(30)};
	struct steps steps = {
		.source = {.ops = &steps_ops, .streams = steps.stream, .stream_count = 2},
		.stream = {{.cpu = 0}, {.cpu = 1}},
		.batch = {{BATCH(first)}},
	};
	struct merger *merger;
	struct merged_run run;

	steps.batch[0][1].lost_events = 3;
	steps.batch[1][0].lost_events = LOST_UNCOUNTED;
	merger = merger_new(&steps.source);
	ck_assert(merger_next(merger, &run));
	ck_assert(!run.records && run.is_first);
	ck_assert_uint_eq(run.cpu, 1);
	ck_assert_uint_eq(run.lost_end, NSEC_NEVER);
	ck_assert(merger_next(merger, &run));
	ck_assert_uint_eq(run.count, 2);
	ck_assert(merger_next(merger, &run));
	ck_assert(!run.records && !run.is_first);
	ck_assert_uint_eq(run.cpu, 0);
	ck_assert_uint_eq(run.lost_events, 3);
	ck_assert_uint_eq(run.lost_begin, 30);
	ck_assert_uint_eq(run.lost_end, NSEC_NEVER);
	ck_assert(!merger_next(merger, &run));
	ck_assert(!merger_next(merger, &run));
	ck_assert_uint_eq(steps.asked[0], 2);
	merger_free(merger);
}
END_TEST

/* A heartbeat is not the last record before a loss, nor the first record of its stream. */
START_TEST(test_loss_after_beat)
{
	static const struct record beat[] = {{.time = 5}}, later[] = {{.time = 50}};
	static const struct record first[] = {RECORD(10)}, last[] = {RECORD(60)};
	struct steps steps = {
		.source = {.ops = &steps_ops, .streams = steps.stream, .stream_count = 1},
		.batch = {{BATCH(beat), BATCH(first), BATCH(later), BATCH(last)}},
	};
	struct merger *merger;
	struct merged_run run;

	steps.batch[0][1].lost_events = 3;
	steps.batch[0][3].lost_events = LOST_UNCOUNTED;
	merger = merger_new(&steps.source);
	ck_assert(merger_next(merger, &run));
	ck_assert(!run.records && run.is_first);
	ck_assert_uint_eq(run.lost_events, 3);
	ck_assert_uint_eq(run.lost_end, 10);
	ck_assert(merger_next(merger, &run));
	ck_assert_uint_eq(run.records->time, 10);
	ck_assert(merger_next(merger, &run));
	ck_assert(!run.records && !run.is_first);
	ck_assert_uint_eq(run.lost_events, LOST_UNCOUNTED);
	ck_assert_uint_eq(run.lost_begin, 10);
	ck_assert_uint_eq(run.lost_end, 60);
	ck_assert(merger_next(merger, &run));
	ck_assert_uint_eq(run.records->time, 60);
	ck_assert(!merger_next(merger, &run));
	merger_free(merger);
}
END_TEST

Suite *merger_suite(void)
{
	Suite *suite = suite_create("merger");
	TCase *tests = tcase_create("merger");

	tcase_add_loop_test(tests, test_order, 0, KINDS);
	tcase_add_test(tests, test_beats);
	tcase_add_test(tests, test_loss_after_beat);
	tcase_add_test(tests, test_loss_at_the_end);
	suite_add_tcase(suite, tests);
	return suite;
}
