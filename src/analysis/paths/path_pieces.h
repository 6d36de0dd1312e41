/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A critical path as pictures need it: its parts in order of time, and for each task the stretches
 * of the path that belong to it.
 */
#pragma once

#include "analysis/analysis.h"
#include "graph/walk/part_log.h"

/* A stretch of a track that is on the path. */
struct path_piece {
	nsec_t begin, end;
	uint32_t track;
};

struct path_pieces {
	uint32_t track; /* the path's task; TRACK_NONE: there is no path, and nothing below */
	nsec_t begin, end; /* the path's window; without a path, the question's window */
	const char *why; /* reason for choosing the track; NULL: it was named */
	struct path_piece *piece; /* by track and time */
	size_t count, capacity;
	size_t *first; /* by track: index of its first piece; one more element at the end: the
	                  number of pieces */
	struct part_log log; /* all parts */
};

/* Walks the path that the resolved question asks for; release it afterwards. */
void path_pieces_make(struct path_pieces *pieces, const struct question *question);
void path_pieces_release(struct path_pieces *pieces);
/* The track's first piece that ends after t; first[track + 1] if there is none. O(log n). */
size_t path_pieces_find(const struct path_pieces *pieces, uint32_t track, nsec_t t);

/* A track that may have a row in a picture. */
struct picture_track {
	uint32_t track;
	nsec_t on_path, first; /* first: begin of its first stretch on the path; NSEC_NEVER: it
	                          is not on the path */
	nsec_t active;   /* time that it ran or was runnable */
	bool is_of_path; /* the path belongs to it */
	bool is_asked;
};

/* What a picture shows. */
struct picture_frame {
	nsec_t begin, end;
	bool is_all; /* including tasks that are not asked for */
};

/*
 * The tracks on the path, and the asked tracks that have anything in the frame; if the frame
 * is_all, also all other tracks that have anything in it. The most important tracks come first. The
 * caller frees the array.
 */
struct picture_track *picture_tracks_choose(const struct path_pieces *pieces,
                                            const struct question *question,
                                            const struct picture_frame *frame,
                                            size_t *ret_count);
/* Sorts the tracks as they are drawn: the path's own track, other tracks on the path in the order
   in which the path comes to them, asked tracks off the path, all others. */
void picture_tracks_order(struct picture_track *tracks, size_t count);
