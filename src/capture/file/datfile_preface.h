/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that precedes the pages of a trace.dat, built from a stream's blocks and the future places of
 * the pages of each CPU and buffer.
 */
#pragma once

#include "base/buffer.h"
#include "datfile_places.h"

/*
 * Appends the preface to an empty buffer, padded to `align`. Its length does not depend on the
 * offsets, so building it twice yields them. `to` becomes `is_cut` if the preface is too long.
 */
void datfile_preface_build(struct buffer *to, const struct stream_index *index,
                           const struct datfile_places *places);
