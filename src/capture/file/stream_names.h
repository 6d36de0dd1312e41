/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of kernel functions, which a killed recorder does not write. As long as the recorded kernel
   runs, they can be found for the addresses in the stream's pages. */
#pragma once

#include "recorder/file/stream_index.h"

/* Fills index->symbols if it has none. `fd`: the stream. */
void stream_names_find(struct stream_index *index, int fd);
