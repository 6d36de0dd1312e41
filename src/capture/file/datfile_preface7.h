/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same as datfile_preface.h of version 7, which has packed pages: sections of the parts of the
 * head, the options that say where they are, and the section of each buffer, of which the last one
 * holds all pages. The format is described in trace-cmd.dat.v7(5). Only pages are packed.
 */
#pragma once

#include "datfile_preface.h"

void datfile_preface7_build(struct buffer *to, const struct stream_index *index,
                            const struct datfile_places *places);
