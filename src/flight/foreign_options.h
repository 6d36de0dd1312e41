/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options (the payload of STREAM_OPTIONS) of a stream of the other byte order. */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"

/* Turns the number and the length of each option into this machine's byte order, or, if not
   `is_in`, back into the other one. What is in the options stays. */
void foreign_options_turn(struct buffer *options, bool is_in);
