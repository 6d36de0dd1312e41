/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several recordings as one source, which has the streams of all. Their times must already be on
 * one clock (shifted_source.h). CPUs and buffers are numbered through. What describes one kernel -
 * formats, symbols, snapshots - stays with each part, as tids and addresses of two machines mean
 * different things; what views ask of the recording as a whole, such as open waits, is there for
 * all parts together.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/source.h"

/*
 * Takes over the sources of the parts, and closes them when it is closed; on failure they are
 * closed at once. `parts`: source, file, name, and what is known of its clock are taken, texts are
 * copied; at most HOSTS_MAX. Fails if there are too many streams or CPUs, with a phrase in `why`.
 */
struct source *source_join(const struct source_part *parts, size_t count, struct buffer *why);
