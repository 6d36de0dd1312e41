/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_state.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/text/message.h"
#include "base/version.h"
#include "recorder/file/datfile_head.h"

#define NOTE_BYTES 400

void recording_note(struct recording *recording, const char *format, ...)
{
	char line[NOTE_BYTES];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	message_warning("%s", line);
	buffer_printf(&recording->notes, "note %s\n", line);
}

struct buffer version_of(size_t limit)
{
	struct buffer version = buffer_of(limit);

	buffer_printf(&version, STREAM_VERSION_WORD "%s\n", ftwait_version);
	return version;
}

bool version_is_empty(const struct buffer *version)
{
	return strchr(version->text, '\n') == version->text + version->length - 1;
}

void options_add_version(const struct buffer *version, struct buffer *options)
{
	stream_option_append(options, DATFILE_OPTION_VERSION, version->text, version->length + 1);
}

int recording_take_version(struct recording *recording, const struct buffer *version)
{
	_cleanup_(buffer_release) struct buffer options = buffer_of(2 * version->length + 1024);

	if (version_is_empty(version))
		return 0;
	options_add_version(version, &options);
	return page_queue_take_block(recording->queue, STREAM_OPTIONS, options.text,
	                             options.length);
}
