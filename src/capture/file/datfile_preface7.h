/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The preface (datfile_preface.h) of version 7, whose pages are packed: sections of the parts of
 * the head, the options with their offsets, and the section of each buffer, the last of which
 * contains all pages. trace-cmd.dat.v7(5) describes the format. Only pages are packed.
 */
#pragma once

#include "datfile_places.h"

void datfile_preface7_build(struct buffer *to, const struct stream_index *index,
                            const struct datfile_places *places);
