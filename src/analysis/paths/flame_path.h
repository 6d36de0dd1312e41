/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One path through a flame graph, built from its root: tasks, what they did, and the functions of
 * stacks.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/report.h"

struct flame_path {
	struct buffer text; /* of all frames in their order, each ended by NUL */
	struct path_frame *frame; /* without their texts, while it grows */
	size_t count, capacity;
};

void flame_path_init(struct flame_path *path);
void flame_path_release(struct flame_path *path);
void flame_path_clear(struct flame_path *path);
void flame_path_add(struct flame_path *path, enum path_frame_kind kind, const char *text);
void flame_path_add_piece(struct flame_path *path, enum path_frame_kind kind, const char *text,
                          size_t length);
/* Adds what the chain's last link waited for, if anything. */
void flame_path_add_end(struct flame_path *path, const struct chain_link *link);
void flame_path_show(struct flame_path *path, const struct figures *figures,
                     const struct output *to);

/* Stacks in words and as frames of flame graphs. A stack is one text: its functions, innermost
   first, with ";" between them. */

/* "futex_do_wait < futex_wait < do_futex < ...", of at most `most` functions, without the common
   entry functions of the kernel. */
void stack_text_append(struct buffer *to, const char *frames, unsigned most);
/* The kernel's, then the program's: "futex_do_wait < do_futex, from cond_wait < main". */
void stack_text_append_both(struct buffer *to, const char *frames, const char *user, unsigned most);
/*
 * The innermost function that shows the purpose of the sleep: generic functions such as
 * wait_for_completion() are skipped for their caller. The result points into `frames` and has
 * *ret_length bytes, 0 if `frames` is empty.
 */
const char *stack_main_function(const char *frames, size_t *ret_length);
/* Add all functions to the path: outermost first, or in the stored order. */
void stack_path_outward(struct flame_path *path, enum path_frame_kind kind, const char *frames);
void stack_path_inward(struct flame_path *path, enum path_frame_kind kind, const char *frames);
