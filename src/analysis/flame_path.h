/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One way through a flame graph, put together from its root: tasks, what they did, and the
 * functions of stacks.
 */
#pragma once

#include "base/buffer.h"
#include "ftwait/report.h"

struct flame_path {
	struct buffer text; /* of all frames, each ended by NUL */
	struct path_frame *frame; /* while it grows `text` tells where the texts are */
	size_t *offset; /* in text */
	size_t count, capacity, offset_capacity;
};

void flame_path_init(struct flame_path *path);
void flame_path_release(struct flame_path *path);
void flame_path_clear(struct flame_path *path);
void flame_path_add(struct flame_path *path, enum path_frame_kind kind, const char *text);
void flame_path_add_piece(struct flame_path *path, enum path_frame_kind kind, const char *text,
                          size_t length);
/* What the chain's last link ends with, if that is anything. */
void flame_path_add_end(struct flame_path *path, const struct chain_link *link);
/* Gives it to presenter->path(). */
void flame_path_show(struct flame_path *path, const struct figures *figures,
                     const struct presenter *presenter, void *to);
