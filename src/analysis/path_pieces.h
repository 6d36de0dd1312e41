/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A critical path as pictures need it: its parts in order of time, and for each task the stretches
 * in which it runs along that task.
 */
#pragma once

#include "analysis.h"
#include "graph/part_log.h"

/* A stretch of a line that is on the path. */
struct path_piece {
	nsec_t begin, end;
	uint32_t line;
};

struct path_pieces {
	uint32_t line; /* whose path; LINE_NONE: there is none, and nothing below */
	nsec_t begin, end; /* its window; of no path that of the question */
	const char *why; /* that line was chosen; NULL: it was named */
	struct path_piece *piece; /* by line and time */
	size_t count, capacity;
	size_t *first; /* by line: its first piece; one more: where the last one's end */
	struct part_log log; /* all parts */
};

/* Walks the path that the resolved question asks for; to be released. */
void path_pieces_make(struct path_pieces *pieces, const struct question *question);
void path_pieces_release(struct path_pieces *pieces);
/* The line's first piece that ends after t; first[line + 1] where there is none. O(log n). */
size_t path_pieces_find(const struct path_pieces *pieces, uint32_t line, nsec_t t);

/* A line that may have a row in a picture. */
struct picture_line {
	uint32_t line;
	nsec_t on_path, first; /* first: when the path first runs along it; NSEC_NEVER */
	nsec_t active;   /* ran, or could have */
	bool is_of_path; /* the path is its own */
	bool is_asked;
};

/* What a picture shows. */
struct picture_frame {
	nsec_t begin, end;
	bool is_all; /* what nobody asked for, too */
};

/*
 * The lines that are asked for and have anything in the frame, and those on the path, where the
 * frame is_all those too that only have anything in it; the ones that matter most first. The caller
 * frees.
 */
struct picture_line *picture_lines_choose(const struct path_pieces *pieces,
                                          const struct question *question,
                                          const struct picture_frame *frame,
                                          size_t *ret_count);
/* Puts them in the order in which they stand: whose path it is, others as it comes to them, those
   off it that are asked for, others. */
void picture_lines_order(struct picture_line *lines, size_t count);
