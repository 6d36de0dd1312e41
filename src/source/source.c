/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "source/file/datfile_source.h"
#include "source/file/foreign_file.h"
#include "source/file/input_file.h"
#include "source/perfetto/perfetto_source.h"
#include "source/stream/stream_source.h"
#include "source/text/text_source.h"
#include "words/kernel/trace_clock.h"

#define HEAD_BYTES 256

struct source *source_close(struct source *source)
{
	if (source)
		source->ops->close(source);
	return NULL;
}

int source_open_again(const struct source *source, struct source **ret, struct buffer *why)
{
	if (!source_is_rereadable(source))
		return buffer_fail(why, -ENOTSUP, "it cannot be read twice with this reader; leave "
		                   "out --reader");
	return source->ops->open_again(source, ret, why);
}

static int source_open_file(const char *path, struct source **ret, struct buffer *why)
{
	struct input_file file;
	char head[HEAD_BYTES], damage[INPUT_DAMAGE_BYTES];
	enum trace_kind kind;
	int64_t got;
	int r;

	r = input_file_open(path, &file, why);
	if (r < 0)
		return r;
	memcpy(damage, file.damage, sizeof(damage));
	got = input_file_read_some(&file, 0, head, sizeof(head));
	if (got < 0) {
		(void)input_file_describe_failure(&file, why);
		input_file_release(&file);
		return (int)got;
	}
	if (got == 0) {
		input_file_release(&file);
		buffer_puts(why, "it is empty; was the recording ended before it began?");
		return -ENODATA;
	}
	kind = trace_kind_of(head, (size_t)got);
	if (kind == TRACE_STREAM)
		r = stream_open(&file, ret, why);
	else if (kind == TRACE_PERFETTO)
		r = perfetto_open(&file, ret, why);
	else if (kind == TRACE_UNKNOWN && text_file_is_text(&file))
		r = text_open(&file, ret, why);
	else
		r = datfile_open(&file, ret, why);
	/* why the rest of a file that was only partly unpacked is missing */
	if (r < 0 && damage[0])
		buffer_printf(why, "; %s", damage);
	return r;
}

/* Refuses stamps that are not nanoseconds: they must not be shown as such. */
static int source_check_clock(const struct source *source, struct buffer *why)
{
	const struct trace_clock *clock = source->clock ? trace_clock_find(source->clock) : NULL;

	if (!clock || !clock->unit || source->is_scaled)
		return 0;
	buffer_printf(why, "its clock \"%s\" counts %s, and nothing in it turns them into "
	                   "nanoseconds; record with another clock, like mono",
	              clock->name, clock->unit);
	return -ENOTSUP;
}

int source_open(const char *path, struct source **ret, struct buffer *why)
{
	_cleanup_(source_closep) struct source *source = NULL;
	int r = source_open_file(path, &source, why);

	if (r == 0)
		r = source_check_clock(source, why);
	if (r == 0)
		*ret = TAKE_PTR(source);
	return r;
}
