/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "merge/merger.h"

#include <stdlib.h>

#include "base/array.h"
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
	size_t count[STREAMS_MAX];
	size_t asked[STREAMS_MAX]; /* records that were given out */
};

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

/* `is_back`: time goes back now and then. */
static void streams_fill(struct streams *streams, size_t stream, bool is_back)
{
	nsec_t time = random_below(TIMES);

	streams->count[stream] = random_below(4) ? random_below(RECORDS_MAX) : 0;
	for (size_t i = 0; i < streams->count[stream]; i++) {
		bool is_begin = i == 0 || random_below(BATCH_MAX) == 0;

		streams->record[stream][i] = (struct record){.time = time};
		streams->is_begin[stream][i] = is_begin;
		if (is_begin && random_below(3) == 0)
			streams->lost[stream][i] =
				random_below(2) ? LOST_UNCOUNTED : 1 + random_below(COUNTED_LOSSES);
		time += random_below(3) ? 0 : random_below(TIMES / 4);
		if (is_back && random_below(8) == 0)
			time /= 2;
	}
}

static struct streams *streams_new(size_t count, bool is_back)
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
		streams_fill(streams, i, is_back);
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
	check_often(!run->records);
	check_often(run->stream == stream);
	check_often(run->cpu == streams->stream[stream].cpu);
	check_often(run->lost_events == streams->lost[stream][at]);
	check_often(run->is_first == (at == 0));
	check_often(run->lost_begin == (at ? streams->record[stream][at - 1].time : 0));
	check_often(run->lost_end == streams->record[stream][at].time);
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
			check_often(left == 0);
			check_often(merger_next(merger, &run));
			check_loss(streams, first, at[first], &run);
			streams->lost[first][at[first]] = 0;
			behind = SIZE_MAX;
			continue;
		}
		if (left == 0) {
			check_often(merger_next(merger, &run));
			left = run.count;
			check_often(run.records);
			check_often(left > 0);
		}
		check_often(run.stream == first);
		check_often(run.cpu == streams->stream[first].cpu);
		check_often(&run.records[run.count - left] == &streams->record[first][at[first]]);
		left--;
		at[first]++;
		if (at[first] < streams->count[first] && streams->lost[first][at[first]])
			behind = first;
	}
	check_often(left == 0);
	check_often(!merger_next(merger, &run));
	check_often(!merger_next(merger, &run));
	merger_free(merger);
}

/* Of one stream, of two, of a few and of many; in order, and with times that go back. */
START_TEST(test_order)
{
	static const size_t counts[] = {0, 1, 2, 3, 4, 8, 15, 16, 17, 18, 33, STREAMS_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		for (unsigned seed = 0; seed < 100; seed++) {
			struct streams *streams;

			srandom(seed);
			streams = streams_new(counts[i], /* is_back= */ _i);
			check_order(streams);
			free(streams);
		}
	}
}
END_TEST

Suite *merger_suite(void)
{
	Suite *suite = suite_create("merger");
	TCase *tests = tcase_create("merger");

	tcase_add_loop_test(tests, test_order, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
