/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shot_preface.h"

#include <string.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "recorder/file/datfile_head.h"
#include "recorder/file/datfile_option.h"
#include "capture/file/stream_writer.h"
#include "foreign_options.h"

/* Lines of option VERSION that hold when the stream begins, and not later. */
static const char *const outdated[] = {
	"task", "read", "place", "still", "process", "end-process", "end-place", "cgroup", "pids",
	"waits", "program", "realtime", "path",
};

static bool line_is_outdated(const char *line, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(outdated); i++) {
		size_t word = strlen(outdated[i]);

		if (length > word && line[word] == ' ' && memcmp(line, outdated[i], word) == 0)
			return true;
	}
	return false;
}

static void version_append(struct buffer *to, const struct option_place *option)
{
	_cleanup_(buffer_release) struct buffer kept = {0};
	const char *at = option->text, *end = at + strnlen(at, option->bytes);

	buffer_init(&kept, option->bytes + 1);
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *next = newline ? newline + 1 : end;

		if (!line_is_outdated(at, (size_t)(next - at)))
			buffer_append(&kept, at, (size_t)(next - at));
		at = next;
	}
	stream_option_append(to, option->id, kept.text, kept.length + 1);
}

static int options_take(const struct stream_block *block, const char *payload, bool is_swapped,
                        int (*take)(void *state, const struct stream_block *block,
                                    const void *payload),
                        void *state)
{
	_cleanup_(buffer_release) struct buffer options = {0};
	_cleanup_(buffer_release) struct buffer kept = {0};
	struct stream_block changed = *block;
	struct option_place option;
	size_t at = 0;

	buffer_init(&options, (size_t)block->size + 1);
	buffer_init(&kept, (size_t)block->size + 1);
	buffer_append(&options, payload, (size_t)block->size);
	if (is_swapped)
		foreign_options_turn(&options, /* is_in= */ true);
	while (datfile_option_next(&options, &at, &option)) {
		if (option.id == DATFILE_OPTION_VERSION)
			version_append(&kept, &option);
		else
			stream_option_append(&kept, option.id, option.text, option.bytes);
	}
	if (is_swapped)
		foreign_options_turn(&kept, /* is_in= */ false);
	changed.size = kept.length;
	return take(state, &changed, kept.text);
}

int shot_preface_read(const struct buffer *preface, bool is_whole, bool is_swapped,
                      int (*take)(void *state, const struct stream_block *block,
                                  const void *payload),
                      void *state)
{
	const char *at = preface->text, *end = at + preface->length;
	int r = 0;

	while (r >= 0 && (size_t)(end - at) >= sizeof(struct stream_block)) {
		struct stream_block block;

		memcpy(&block, at, sizeof(block));
		at += sizeof(block);
		if (block.size > (size_t)(end - at))
			break;
		if (!is_whole && block.type == STREAM_OPTIONS)
			r = options_take(&block, at, is_swapped, take, state);
		else if (is_whole || block.type != STREAM_CMDLINES)
			r = take(state, &block, at);
		at += block.size;
	}
	return r < 0 ? r : 0;
}
