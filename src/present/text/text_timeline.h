/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A picture over time in letters. Each row is a task or CPU, each column a slice of time, each
 * letter the state during most of the slice. The critical path can be recognized without colour,
 * too.
 *
 *	                0.0         1.0         2.0
 *	critical path   |##DD##==T######|
 *	client[12]      |##dd##==ttttttt|
 *
 * Order of calls: text_timeline_begin(), rows and segments in order of time as struct presenter has
 * them, text_timeline_end(), which writes it. Memory: a byte a row and column.
 */
#pragma once

#include "text_page.h"

struct text_timeline;

struct text_timeline *text_timeline_begin(const struct text_page *page, nsec_t begin, nsec_t end);
void text_timeline_row(struct text_timeline *self, const struct picture_row *row);
void text_timeline_segment(struct text_timeline *self, const struct state_segment *segment);
/* Below the rows, "^" points at when a trigger fired, unless that is beside the picture. */
void text_timeline_trigger(struct text_timeline *self, nsec_t at);
/* Writes the picture and frees it. */
void text_timeline_end(struct text_timeline *self, const struct instant_form *instants);
