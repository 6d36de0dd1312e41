/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Streams that are read while they are written, for tests: what feeds them, and what comes out. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "merge/merger.h"
#include "source/stream/live_source.h"
#include "trace_builder.h"

#define FOLLOWED_TIMES 240

/* Writes a stream into a pipe, in pieces. */
struct feeder {
	pthread_t thread;
	int from, to; /* of the pipe */
	const char *bytes;
	size_t size, piece;
	uint64_t rounds;  /* then these bytes so often */
	const char *more;
	size_t more_size;
	/* The pipe does not end, and all stands in it, which takes some pages, before it is
	   read: so it is known when there is nothing more to read. */
	bool stays_open;
};

#define FOLLOWED_REACHED 16

/* What came out, and what was so far when on_reached() was called. */
struct followed {
	uint64_t records, losses, sum;
	nsec_t last;  /* the latest record so far */
	bool is_late; /* a record came after it was said that none does */
	nsec_t reached[FOLLOWED_REACHED];
	uint64_t records_then[FOLLOWED_REACHED]; /* before that time */
	size_t reached_count;
	nsec_t times[FOLLOWED_TIMES];   /* of the records */
	unsigned pauses, pauses_max;      /* 0: any number */
	nsec_t stop;                      /* the source ends there; 0: does not */
	int control_fd;
	struct source *source;
};

/* Without `bytes` it writes what the builder made. */
void feeder_begin(struct feeder *feeder, const struct trace_builder *builder);
void feeder_end(struct feeder *feeder);
/* on_reached() of the source; state: struct followed. */
bool followed_reach(void *state, nsec_t reached);
int open_live(int fd, bool is_growing, uint64_t bytes_max, struct followed *followed,
              struct buffer *why);
void take_run(struct followed *followed, const struct merged_run *run);
/* Through the merger, to the end. */
void follow(struct source *source, struct followed *followed);
/* Opens it and reads to its end. */
void follow_pipe(struct feeder *feeder, const struct trace_builder *builder,
                 struct followed *followed, uint64_t bytes_max);
