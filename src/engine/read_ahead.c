/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read_ahead.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "base/xalloc.h"

#define PAYLOAD_BYTES (12u << 10) /* size of a batch's payload, unless a single record needs more */

struct read_ahead {
	struct merger *merger;
	struct decoder *const *decoders; /* by stream */
	pthread_t thread;
	pthread_mutex_t work; /* the second thread holds it while it fills a batch */

	pthread_mutex_t lock; /* over these: */
	pthread_cond_t has_batch, has_room;
	uint32_t filled, taken; /* numbers of batches so far; filled - taken are ready to be
	                           taken */
	bool is_stopped;        /* no more batches are needed */

	/* of the first thread */
	bool has_taken; /* the batch that is given back with the next call */

	/* used by the second thread: the last records, which did not fit into the previous batch */
	struct merged_run run;

	struct ahead_batch batch[AHEAD_BATCHES];
};

/* These calls fail only if this program has a bug. */
static void check(int r)
{
	assert(r == 0);
	(void)r;
}

/* Makes room for the bytes of a record that does not fit. Returns false if the record must go to
   the next batch. */
static bool batch_grow(struct ahead_batch *batch, size_t used, size_t bytes)
{
	if (used > 0)
		return false;
	free(batch->payload);
	batch->payload_capacity = bytes < PAYLOAD_BYTES ? PAYLOAD_BYTES : bytes;
	batch->payload = xmalloc(batch->payload_capacity);
	return true;
}

static void batch_begin(struct ahead_batch *batch)
{
	batch->event_count = batch->piece_count = 0;
	batch->record_count = batch->failed_count = 0;
	batch->has_lost = batch->is_end = false;
	batch->payload_used = 0;
	if (!batch->payload)
		batch_grow(batch, 0, PAYLOAD_BYTES);
}

/* Decodes as many of the run's records into the batch as fit, and takes them from the run. Their
   bytes become invalid when their stream is read on, so the batch copies them. */
static __attribute__((flatten)) void batch_add_records(struct ahead_batch *batch,
                                                       struct decoder *decoder,
                                                       struct merged_run *run, nsec_t *ret_last)
{
	const struct record *record = run->records, *end = record + run->count;
	struct event *event = &batch->event[batch->event_count];
	size_t used = batch->payload_used;
	nsec_t last = 0;

	for (; record < end && event < &batch->event[AHEAD_EVENTS]; record++) {
		struct record copy = *record;
		enum decode_result result;

		if (record->length > batch->payload_capacity - used &&
		    !batch_grow(batch, used, record->length))
			break;
		copy.payload = memcpy(batch->payload + used, record->payload, record->length);
		last = nsec_max(last, record->time); /* it may go back */
		result = decoder_decode(decoder, &copy, run->cpu, event);
		if (result == DECODE_EVENT) {
			used += record->length;
			event++;
		} else {
			batch->failed_count += result == DECODE_FAILED;
		}
	}
	batch->record_count += (size_t)(record - run->records);
	batch->event_count = (uint32_t)(event - batch->event);
	batch->payload_used = used;
	run->records = record;
	run->count = (size_t)(end - record);
	*ret_last = last;
}

/* Adds as much of the run as fits. */
static void batch_add_run(struct ahead_batch *batch, struct decoder *decoder,
                          struct merged_run *run)
{
	uint32_t before = batch->event_count;
	nsec_t first = run->count ? run->records->time : 0, last;
	size_t count = run->count;

	batch_add_records(batch, decoder, run, &last);
	batch->piece[batch->piece_count++] = (struct ahead_piece){
		.stream = run->stream,
		.count = batch->event_count - before,
		.ends = run->count == 0,
		.has_records = run->count < count,
		.first = first,
		.last = last,
	};
}

static void ahead_fill(struct read_ahead *ahead, struct ahead_batch *batch)
{
	batch_begin(batch);
	while (batch->piece_count < AHEAD_EVENTS && batch->event_count < AHEAD_EVENTS) {
		if (ahead->run.count == 0 && !merger_next(ahead->merger, &ahead->run)) {
			batch->is_end = batch->piece_count == 0;
			return;
		}
		if (!ahead->run.records) {
			batch->has_lost = true;
			batch->lost = ahead->run;
			return;
		}
		batch_add_run(batch, ahead->decoders[ahead->run.stream], &ahead->run);
		if (ahead->run.count > 0)
			return;
	}
}

/* A free batch; NULL: no more batches are needed. If there is none, sleeps until half of all
   batches are free, so that the two threads seldom wake each other. */
static struct ahead_batch *ahead_await_room(struct read_ahead *ahead)
{
	struct ahead_batch *batch = NULL;

	thread_lock(&ahead->lock);
	if (ahead->filled - ahead->taken == AHEAD_BATCHES)
		while (!ahead->is_stopped && ahead->filled - ahead->taken > AHEAD_BATCHES / 2)
			check(pthread_cond_wait(&ahead->has_room, &ahead->lock));
	if (!ahead->is_stopped)
		batch = &ahead->batch[ahead->filled % AHEAD_BATCHES];
	thread_unlock(&ahead->lock);
	return batch;
}

static void ahead_hand_over(struct read_ahead *ahead)
{
	thread_lock(&ahead->lock);
	if (ahead->filled++ == ahead->taken)
		check(pthread_cond_signal(&ahead->has_batch));
	thread_unlock(&ahead->lock);
}

static void *ahead_run(void *state)
{
	struct read_ahead *ahead = state;
	struct ahead_batch *batch;
	bool is_end = false;

	while (!is_end && (batch = ahead_await_room(ahead))) {
		thread_lock(&ahead->work);
		ahead_fill(ahead, batch);
		thread_unlock(&ahead->work);
		is_end = batch->is_end;
		ahead_hand_over(ahead);
	}
	return NULL;
}

struct read_ahead *read_ahead_new(struct merger *merger, struct decoder *const *decoders)
{
	struct read_ahead *ahead = xcalloc(1, sizeof(*ahead));

	ahead->merger = merger;
	ahead->decoders = decoders;
	check(pthread_mutex_init(&ahead->work, NULL));
	check(pthread_mutex_init(&ahead->lock, NULL));
	check(pthread_cond_init(&ahead->has_batch, NULL));
	check(pthread_cond_init(&ahead->has_room, NULL));
	if (thread_begin(&ahead->thread, ahead_run, ahead) == 0)
		return ahead;
	free(ahead);
	return NULL;
}

struct read_ahead *read_ahead_free(struct read_ahead *ahead)
{
	if (!ahead)
		return NULL;
	thread_lock(&ahead->lock);
	ahead->is_stopped = true;
	check(pthread_cond_signal(&ahead->has_room));
	thread_unlock(&ahead->lock);
	check(pthread_join(ahead->thread, NULL));
	for (size_t i = 0; i < AHEAD_BATCHES; i++)
		free(ahead->batch[i].payload);
	check(pthread_cond_destroy(&ahead->has_room));
	check(pthread_cond_destroy(&ahead->has_batch));
	check(pthread_mutex_destroy(&ahead->lock));
	check(pthread_mutex_destroy(&ahead->work));
	free(ahead);
	return NULL;
}

const struct ahead_batch *read_ahead_next(struct read_ahead *ahead)
{
	const struct ahead_batch *batch;

	thread_lock(&ahead->lock);
	if (ahead->has_taken) {
		ahead->taken++;
		if (ahead->filled - ahead->taken == AHEAD_BATCHES / 2)
			check(pthread_cond_signal(&ahead->has_room));
	}
	while (ahead->filled == ahead->taken)
		check(pthread_cond_wait(&ahead->has_batch, &ahead->lock));
	batch = &ahead->batch[ahead->taken % AHEAD_BATCHES];
	thread_unlock(&ahead->lock);
	/* the last batch is not given back: later calls find it again */
	ahead->has_taken = !batch->is_end;
	return batch->is_end ? NULL : batch;
}

void read_ahead_pause(struct read_ahead *ahead)
{
	thread_lock(&ahead->work);
}

void read_ahead_resume(struct read_ahead *ahead)
{
	thread_unlock(&ahead->work);
}
