/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_follower.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/data/array.h"
#include "suites.h"

static bool feeder_write(const struct feeder *feeder, const char *bytes, size_t size)
{
	for (size_t at = 0; at < size;) {
		size_t left = size - at;
		ssize_t put = write(feeder->to, bytes + at,
		                    left < feeder->piece ? left : feeder->piece);

		if (put < 0) /* the reader has enough */
			return false;
		at += (size_t)put;
	}
	return true;
}

static void *feeder_run(void *state)
{
	struct feeder *feeder = state;
	bool is_open = feeder_write(feeder, feeder->bytes, feeder->size);

	for (uint64_t i = 0; is_open && i < feeder->rounds; i++)
		is_open = feeder_write(feeder, feeder->more, feeder->more_size);
	if (!feeder->stays_open)
		(void)close(feeder->to);
	return NULL;
}

void feeder_begin(struct feeder *feeder, const struct trace_builder *builder)
{
	int ends[2];

	(void)signal(SIGPIPE, SIG_IGN);
	if (!feeder->bytes) {
		feeder->bytes = builder->file.text;
		feeder->size = builder->file.length;
	}
	feeder->piece = feeder->piece ? feeder->piece : SIZE_MAX;
	ck_assert_int_eq(pipe(ends), 0);
	feeder->from = ends[0];
	feeder->to = ends[1];
	ck_assert_int_eq(pthread_create(&feeder->thread, NULL, feeder_run, feeder), 0);
	if (feeder->stays_open)
		ck_assert_int_eq(pthread_join(feeder->thread, NULL), 0);
}

void feeder_end(struct feeder *feeder)
{
	(void)close(feeder->from);
	if (feeder->stays_open)
		(void)close(feeder->to);
	else
		ck_assert_int_eq(pthread_join(feeder->thread, NULL), 0);
}

bool followed_reach(void *state, nsec_t reached)
{
	struct followed *followed = state;
	uint64_t before = 0;

	for (uint64_t i = 0; i < followed->records && i < ARRAY_SIZE(followed->times); i++)
		before += followed->times[i] < reached;
	assert(followed->reached_count < FOLLOWED_REACHED);
	followed->records_then[followed->reached_count] = before;
	followed->reached[followed->reached_count++] = reached;
	return reached != followed->stop;
}

static bool on_pause(void *state)
{
	struct followed *followed = state;

	return ++followed->pauses != followed->pauses_max;
}

int open_live(int fd, bool is_growing, uint64_t bytes_max, struct followed *followed,
              struct buffer *why)
{
	const struct live_source_setup setup = {
		.fd = fd,
		.is_growing = is_growing,
		.control_fd = followed->control_fd ? followed->control_fd : -1,
		.bytes_max = bytes_max,
		.on_reached = followed_reach,
		.on_pause = on_pause,
		.state = followed,
	};

	buffer_clear(why);
	return live_source_open(&setup, &followed->source, why);
}

static uint64_t mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15) + (sum >> 29);
}

void take_run(struct followed *followed, const struct merged_run *run)
{
	followed->losses += !run->records;
	for (size_t i = 0; run->records && i < run->count; i++) {
		const struct record *record = &run->records[i];

		if (followed->reached_count > 0 &&
		    record->time < followed->reached[followed->reached_count - 1])
			followed->is_late = true;
		followed->sum = mix(mix(followed->sum, record->time), run->cpu);
		for (uint32_t b = 0; b < record->length; b++)
			followed->sum = mix(followed->sum, record->payload[b]);
		if (followed->records < ARRAY_SIZE(followed->times))
			followed->times[followed->records] = record->time;
		followed->records++;
		followed->last = record->time;
	}
}

void follow(struct source *source, struct followed *followed)
{
	struct merger *merger = merger_new(source);
	struct merged_run run;

	while (merger_next(merger, &run))
		take_run(followed, &run);
	merger_free(merger);
}

void follow_pipe(struct feeder *feeder, const struct trace_builder *builder,
                 struct followed *followed, uint64_t bytes_max)
{
	struct buffer why;

	buffer_init(&why, 4096);
	feeder_begin(feeder, builder);
	ck_assert_msg(open_live(feeder->from, false, bytes_max, followed, &why) == 0, "%s",
	              why.text);
	buffer_release(&why);
	follow(followed->source, followed);
	feeder_end(feeder);
}
