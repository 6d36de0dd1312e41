/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of a trace.dat that have times of the recording's clock, or name the machine. */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"
#include "split_clock.h"

/*
 * The text of option VERSION (ftwait/stream.h): its times are shifted, and the time of day is ahead
 * by clock->real. With a host, boot and machine are those of that host: the same name gives the
 * same ids. NULL: they stay.
 */
void split_notes_rewrite(const char *text, size_t length, const struct split_clock *clock,
                         const char *host, struct buffer *to);
/* "Linux NODE RELEASE MACHINE" with another NODE; NULL: it stays. */
void split_uname_rewrite(const char *text, size_t length, const char *host, struct buffer *to);
