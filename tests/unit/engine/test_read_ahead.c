/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/read_ahead.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/data/array.h"
#include "base/data/map.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "property/random.h"
#include "suites.h"

#define ROUNDS        40
#define STREAMS_MAX   6
#define BATCH_MAX     40
#define MARK_ID       5
#define UNKNOWN_ID    9
#define MARK_HEAD     12
#define LONG_BYTES    40000 /* of a record now and then: more than a batch has room for at first */
#define ACCOUNT_BYTES (64u << 20)

static const char mark_format[] =
	"name: print\nID: 5\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char buf[];\toffset:12;\tsize:0;\tsigned:0;\n\nprint fmt: \"\"\n";
static const struct format_text formats[] = {{"ftrace", mark_format, sizeof(mark_format) - 1}};

/*
 * Random records, the same for the same seed. What a batch consists of is overwritten when the next
 * one of its stream is asked for, as its bytes are then whatever comes next.
 */
struct wild_source {
	struct source source; /* first: ops cast it back */
	struct source_stream stream[STREAMS_MAX];
	struct wild_stream {
		struct random random;
		size_t left;
		nsec_t time;
		struct record record[BATCH_MAX];
		uint8_t *payload[BATCH_MAX];
		size_t count;
	} of[STREAMS_MAX];
	uint64_t batches; /* that were asked for */
	struct decoder *decoders[STREAMS_MAX]; /* of each stream */
};

static unsigned seed;

static void seed_choose(void)
{
	seed = (unsigned)time(NULL);
	if (getenv("AHEAD_SEED"))
		seed = (unsigned)strtoul(getenv("AHEAD_SEED"), NULL, 0);
	printf("seed of read_ahead: AHEAD_SEED=%u\n", seed);
	(void)fflush(stdout);
}

static void wild_forget(struct wild_stream *stream)
{
	for (size_t i = 0; i < stream->count; i++) {
		memset(stream->payload[i], 0xee, stream->record[i].length);
		free(stream->payload[i]);
	}
	stream->count = 0;
}

static void wild_add(struct wild_stream *stream)
{
	struct random *random = &stream->random;
	unsigned id = random_below(random, 4) ? MARK_ID : UNKNOWN_ID;
	unsigned most = random_below(random, 50) ? 100 : LONG_BYTES;
	uint32_t length = MARK_HEAD + random_below(random, most);
	uint8_t *payload = xmalloc(length);

	memset(payload, 'a' + (int)random_below(random, 26), length);
	payload[0] = (uint8_t)id;
	payload[1] = 0;
	/* as many at one time as not, and now and then one is older */
	stream->time += random_below(random, 3) * random_below(random, 20);
	if (random_below(random, 30) == 0 && stream->time > 5)
		stream->time -= 5;
	stream->payload[stream->count] = payload;
	stream->record[stream->count++] = (struct record){stream->time, payload, length};
}

static enum pull wild_next_batch(struct source *source, size_t index, struct record_batch *ret)
{
	struct wild_source *wild = (struct wild_source *)source;
	struct wild_stream *stream = &wild->of[index];

	wild->batches++;
	wild_forget(stream);
	*ret = (struct record_batch){0};
	if (stream->left == 0)
		return PULL_END;
	stream->left--;
	for (unsigned count = 1 + random_below(&stream->random, BATCH_MAX); count > 0; count--)
		wild_add(stream);
	ret->records = stream->record;
	ret->count = stream->count;
	if (random_below(&stream->random, 5) == 0)
		ret->lost_events = random_below(&stream->random, 2) ? LOST_UNCOUNTED : 7;
	return PULL_ITEM;
}

static const struct source_ops wild_ops = {.name = "test", .next_batch = wild_next_batch};

static struct wild_source *wild_new(unsigned from, size_t batches)
{
	struct wild_source *wild = xcalloc(1, sizeof(*wild));
	struct random random = {from};

	wild->source = (struct source){
		.ops = &wild_ops,
		.long_bytes = 8,
		.formats = formats,
		.format_count = ARRAY_SIZE(formats),
		.streams = wild->stream,
		.stream_count = 1 + random_below(&random, STREAMS_MAX),
		.stacks_buffer = UINT32_MAX,
	};
	for (unsigned i = 0; i < wild->source.stream_count; i++) {
		wild->stream[i].cpu = i;
		wild->of[i] = (struct wild_stream){.random = {from + i}, .left = batches};
	}
	return wild;
}

static void wild_free(struct wild_source *wild)
{
	for (size_t i = 0; i < STREAMS_MAX; i++)
		wild_forget(&wild->of[i]);
	free(wild);
}

/* Such a source, and who reads it. */
struct rig {
	struct wild_source *wild;
	struct merger *merger;
	struct decoder *decoder;
	struct read_ahead *ahead; /* NULL: nobody reads ahead */
};

static struct rig rig_begin(unsigned from, size_t batches, bool reads_ahead)
{
	struct rig rig = {.wild = wild_new(from, batches)};

	rig.merger = merger_new(&rig.wild->source);
	rig.decoder = decoder_new(&rig.wild->source);
	for (size_t i = 0; i < rig.wild->source.stream_count; i++)
		rig.wild->decoders[i] = rig.decoder;
	rig.ahead = reads_ahead ? read_ahead_new(rig.merger, rig.wild->decoders) : NULL;
	ck_assert(!reads_ahead || rig.ahead);
	return rig;
}

static void rig_end(struct rig *rig)
{
	read_ahead_free(rig->ahead);
	decoder_free(rig->decoder);
	merger_free(rig->merger);
	wild_free(rig->wild);
}

/* What is told, as text, and the sums of it. */
struct account {
	struct buffer text;
	uint64_t records, failed;
	bool has_time;
	nsec_t first, last;
};

static void account_time(struct account *account, nsec_t time)
{
	if (!account->has_time)
		account->first = time;
	account->has_time = true;
	account->last = nsec_max(account->last, time);
}

static void account_event(struct account *account, uint32_t stream, const struct event *event)
{
	const struct text text = event->mark.text;
	uint64_t hash = 0;

	for (uint32_t i = 0; i < text.length; i++)
		hash = hash_mix(hash, (uint8_t)text.at[i]);
	buffer_printf(&account->text, "%u:%" PRIu64 ":%u:%d:%u:%" PRIx64 "\n", stream, event->time,
	              event->cpu, (int)event->kind, text.length, hash);
}

static void account_loss(struct account *account, const struct merged_run *lost)
{
	buffer_printf(&account->text,
	              "lost %u:%u:%" PRIu64 ":%d:%" PRIu64 ":%" PRIu64 "\n", lost->stream,
	              lost->cpu, lost->lost_events, lost->is_first, lost->lost_begin,
	              lost->lost_end);
}

/* By the merger and the decoder alone. */
static void account_alone(struct account *account, unsigned from, size_t batches)
{
	struct rig rig = rig_begin(from, batches, false);
	struct merged_run run;
	struct event event;

	while (merger_next(rig.merger, &run)) {
		if (!run.records)
			account_loss(account, &run);
		for (size_t i = 0; run.records && i < run.count; i++) {
			enum decode_result result =
				decoder_decode(rig.decoder, &run.records[i], run.cpu, &event);

			account_time(account, run.records[i].time);
			account->records++;
			account->failed += result == DECODE_FAILED;
			if (result == DECODE_EVENT)
				account_event(account, run.stream, &event);
		}
		if (run.records)
			buffer_puts(&account->text, ".\n");
	}
	rig_end(&rig);
}

static void account_batch(struct account *account, const struct ahead_batch *batch)
{
	const struct event *event = batch->event;

	for (uint32_t i = 0; i < batch->piece_count; i++) {
		if (!batch->piece[i].has_records)
			continue;
		account_time(account, batch->piece[i].first);
		account_time(account, batch->piece[i].last);
	}
	account->records += batch->record_count;
	account->failed += batch->failed_count;
	for (uint32_t i = 0; i < batch->piece_count; i++) {
		for (uint32_t at = 0; at < batch->piece[i].count; at++)
			account_event(account, batch->piece[i].stream, event++);
		if (batch->piece[i].ends)
			buffer_puts(&account->text, ".\n");
	}
	ck_assert(event == batch->event + batch->event_count);
	if (batch->has_lost)
		account_loss(account, &batch->lost);
}

static void account_ahead(struct account *account, unsigned from, size_t batches)
{
	struct rig rig = rig_begin(from, batches, true);
	const struct ahead_batch *batch;

	while ((batch = read_ahead_next(rig.ahead)))
		account_batch(account, batch);
	ck_assert_ptr_null(read_ahead_next(rig.ahead));
	rig_end(&rig);
}

START_TEST(test_reads_the_same)
{
	struct account alone = {.records = 0}, ahead = {.records = 0};
	unsigned from = seed + (unsigned)_i * 7919;
	/* some have nothing at all */
	size_t batches = _i % 10 ? 1u + (unsigned)_i * 8 : 0;

	buffer_init(&alone.text, ACCOUNT_BYTES);
	buffer_init(&ahead.text, ACCOUNT_BYTES);
	account_alone(&alone, from, batches);
	account_ahead(&ahead, from, batches);
	ck_assert_uint_eq(alone.records, ahead.records);
	ck_assert_uint_eq(alone.failed, ahead.failed);
	ck_assert_uint_eq(alone.first, ahead.first);
	ck_assert_uint_eq(alone.last, ahead.last);
	ck_assert_uint_eq(alone.text.length, ahead.text.length);
	ck_assert(alone.text.length == 0 ||
	          memcmp(alone.text.text, ahead.text.text, alone.text.length) == 0);
	buffer_release(&alone.text);
	buffer_release(&ahead.text);
}
END_TEST

/* Whoever wants no more need not wait until all is read. */
START_TEST(test_may_be_left)
{
	struct rig rig = rig_begin(seed, 1000000, true);

	for (int taken = 0; taken < _i; taken++)
		ck_assert_ptr_nonnull(read_ahead_next(rig.ahead));
	rig.ahead = read_ahead_free(rig.ahead);
	ck_assert_uint_lt(rig.wild->batches, 1000000);
	rig_end(&rig);
}
END_TEST

/* While it is held the source is not touched; then it goes on to the end. */
START_TEST(test_is_held)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	struct rig rig = rig_begin(seed, 2000, true);
	uint64_t before, records = 0;
	const struct ahead_batch *batch;

	while ((batch = read_ahead_next(rig.ahead))) {
		records += batch->record_count;
		if (records % 16 < 15)
			continue;
		read_ahead_pause(rig.ahead);
		before = rig.wild->batches;
		(void)nanosleep(&pause, NULL);
		ck_assert(rig.wild->batches == before);
		read_ahead_resume(rig.ahead);
	}
	for (size_t i = 0; i < rig.wild->source.stream_count; i++)
		ck_assert_uint_eq(rig.wild->of[i].left, 0);
	rig_end(&rig);
}
END_TEST

Suite *read_ahead_suite(void)
{
	Suite *suite = suite_create("read_ahead");
	TCase *tests = tcase_create("read_ahead");

	tcase_add_unchecked_fixture(tests, seed_choose, NULL);
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, test_reads_the_same, 0, ROUNDS);
	tcase_add_loop_test(tests, test_may_be_left, 0, 40);
	tcase_add_test(tests, test_is_held);
	suite_add_tcase(suite, tests);
	return suite;
}
