/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of functions of programs by process, time and address: the mapping at the address gives the
 * file and the offset in it; the file's symbols, or the functions that a JIT has reported, give the
 * name. If no name is found, the text is "libc.so.6+0x12ab". Variables of programs have names, too.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/health.h"
#include "ftwait/nsec.h"
#include "ftwait/recording_notes.h"

struct user_frames;

/* symfs may be NULL. Returns NULL if symfs is not a usable folder, with errno set. The source must
   outlive the result. */
struct user_frames *user_frames_new(const struct recording_notes *notes, const char *symfs);
struct user_frames *user_frames_free(struct user_frames *frames);
/* For machine_setup.user_function; the first argument is a struct user_frames. */
bool user_frames_name(void *frames, int32_t tgid, nsec_t time, uint64_t address, bool is_return,
                      struct buffer *to);
/* For machine_setup.user_file: "libc.so.6". */
bool user_frames_name_file(void *frames, int32_t tgid, nsec_t time, uint64_t address,
                           bool is_return, struct buffer *to);
/* For machine_setup.user_variable. */
bool user_frames_name_variable(void *frames, int32_t tgid, nsec_t time, uint64_t address,
                               struct buffer *to);
/* For machine_setup.user_period. */
uint64_t user_frames_period(void *frames, int32_t tgid, nsec_t time);
/* Adds notes to the health on what could not be named, and why. */
void user_frames_note(struct user_frames *frames, struct health *health);
