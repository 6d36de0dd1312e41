/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks in words and as frames of flame graphs. A stack is one text: its functions, innermost
   first, with ";" between them. */
#pragma once

#include "base/text/buffer.h"
#include "flame_path.h"

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
