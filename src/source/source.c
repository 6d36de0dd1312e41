/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "ftwait/stream.h"
#include "source/file/datfile_source.h"
#include "source/file/foreign_file.h"
#include "source/file/input_file.h"
#include "source/perfetto/perfetto_source.h"
#include "source/stream/stream_source.h"
#include "source/text/text_source.h"
#include "words/kernel/trace_clock.h"

struct source *source_close(struct source *source)
{
	if (source)
		source->ops->close(source);
	return NULL;
}

/* Appends why the rest of a file that was only partly unpacked is missing. */
static int why_of_damage(int r, const char *damage, struct buffer *why)
{
	if (r < 0 && damage[0])
		buffer_printf(why, "; %s", damage);
	return r;
}

static int source_open_file(const char *path, struct source **ret, struct buffer *why)
{
	struct input_file file;
	char magic[STREAM_MAGIC_BYTES] = "", damage[INPUT_DAMAGE_BYTES];
	int64_t got;
	int r;

	r = input_file_open(path, &file, why);
	if (r < 0)
		return r;
	memcpy(damage, file.damage, sizeof(damage));
	got = input_file_read_some(&file, 0, magic, sizeof(magic));
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
	if (got == STREAM_MAGIC_BYTES && memcmp(magic, STREAM_MAGIC, STREAM_MAGIC_BYTES) == 0)
		return why_of_damage(stream_open(&file, ret, why), damage, why);
	if (perfetto_file_is_trace(&file))
		return why_of_damage(perfetto_open(&file, ret, why), damage, why);
	if (got < DATFILE_MAGIC_BYTES || memcmp(magic, DATFILE_MAGIC, DATFILE_MAGIC_BYTES) != 0)
		if (text_file_is_text(&file))
			return why_of_damage(text_open(&file, ret, why), damage, why);
	return why_of_damage(datfile_open(&file, ret, why), damage, why);
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
