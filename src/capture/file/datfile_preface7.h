/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the preface (datfile_preface.h) of a file of version 7. It consists of a section for each
 * part of the head, a section of options with the offsets of the others, and a section for each
 * buffer; the last buffer's section contains all pages. Only pages are packed.
 * trace-cmd.dat.v7(5) describes the format.
 */
#pragma once

#include "datfile_places.h"

void datfile_preface7_build(struct buffer *to, const struct stream_index *index,
                            const struct datfile_places *places);
