/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One path through a flame graph, built from its root: tasks, what they did, and the functions of
 * stacks.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/report.h"

struct flame_path {
	struct buffer text; /* of all frames, each ended by NUL */
	struct path_frame *frame; /* while it grows, `offset` locates the texts */
	size_t *offset; /* in text */
	size_t count, capacity, offset_capacity;
};

void flame_path_init(struct flame_path *path);
void flame_path_release(struct flame_path *path);
void flame_path_clear(struct flame_path *path);
void flame_path_add(struct flame_path *path, enum path_frame_kind kind, const char *text);
void flame_path_add_piece(struct flame_path *path, enum path_frame_kind kind, const char *text,
                          size_t length);
/* Adds what the chain's last link waited for, if anything. */
void flame_path_add_end(struct flame_path *path, const struct chain_link *link);
/* Passes the path to output_path(). */
void flame_path_show(struct flame_path *path, const struct figures *figures,
                     const struct output *to);
