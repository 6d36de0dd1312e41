/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the manual says of a view, a group of events, a kind of cause, a stall and a column, also
 * where no manual is installed. A name may be that of several: disk is a view, a group and a cause.
 * "views", "groups", "causes", "stalls" and "columns" are the names of all of a kind. A recorder
 * alone (make RECORDER=1) has no topics.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The parts of the manual that "ftwait help NAME" prints, packed (PACKING_ZLIB): make writes
   help_text.c from man/ (embed_topics.sh). help_topics.awk describes the lines. */
extern const unsigned char help_text_packed[];
extern const size_t help_text_packed_size, help_text_size;

/* Calls `each` for every name of every topic, with its kind, such as "view"; both are gone
   afterwards. */
void help_topics_each(void (*each)(void *context, const char *name, const char *kind),
                      void *context);
/* Prints all topics of that name on standard output; if no name is spelled so, those that differ
   from it in upper and lower case alone. Returns false, and prints nothing, if there is none. */
bool help_topics_show(const char *name, bool has_pager);
