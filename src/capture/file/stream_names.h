/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recorder that was killed came not to write the names of kernel functions. As long as this
 * kernel runs they can still be had: what the stream's pages refer to is looked for in them.
 */
#pragma once

#include "stream_index.h"

/* Fills index->symbols, if it has none. `fd`: the stream's. */
void stream_names_find(struct stream_index *index, int fd);
