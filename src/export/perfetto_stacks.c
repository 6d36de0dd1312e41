/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_stacks.h"

#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"

#define STACK_BYTES_MAX 16384
#define KERNEL_PATH     "kernel"
#define PROGRAM_PATH    "" /* the file is not known */

static uint64_t mapping_of(struct perfetto_file *file, const char *path)
{
	bool is_new;
	uint64_t number = perfetto_number(file, INTERNED_MAPPING, path, &is_new), path_number = 0;

	if (!is_new)
		return number;
	if (*path)
		path_number = perfetto_text(file, INTERNED_MAPPING_PATH, path);
	proto_begin(&file->interned, INTERNED_MAPPING);
	proto_number(&file->interned, INTERNED_IID, number);
	if (path_number)
		proto_number(&file->interned, MAPPING_PATH, path_number);
	proto_end(&file->interned);
	return number;
}

/* The kernel and a program may have functions of one name. */
static uint64_t frame_of(struct perfetto_file *file, const char *path, const char *function)
{
	_cleanup_(buffer_release) struct buffer key = {0};
	uint64_t number, name, mapping;
	bool is_new;

	buffer_init(&key, STACK_BYTES_MAX);
	buffer_printf(&key, "%s\n%s", path, function);
	number = perfetto_number(file, INTERNED_FRAME, key.text, &is_new);
	if (!is_new)
		return number;
	name = perfetto_text(file, INTERNED_FUNCTION_NAME, function);
	mapping = mapping_of(file, path);
	proto_begin(&file->interned, INTERNED_FRAME);
	proto_number(&file->interned, INTERNED_IID, number);
	proto_number(&file->interned, FRAME_FUNCTION, name);
	proto_number(&file->interned, FRAME_MAPPING, mapping);
	proto_end(&file->interned);
	return number;
}

/* There the outermost comes first. Functions are removed one by one. */
static void frames_put(struct perfetto_file *file, struct proto_writer *callstack,
                       const char *path, char *functions)
{
	char *last = functions + strlen(functions);

	while (last != functions) {
		last = strrchr(functions, ';');
		last = last ? last + 1 : functions;
		if (*last)
			proto_number(callstack, CALLSTACK_FRAME, frame_of(file, path, last));
		if (last != functions)
			*--last = '\0';
	}
}

void perfetto_callstack_put(struct perfetto_file *file, const char *kernel, const char *user)
{
	_cleanup_(buffer_release) struct buffer kernel_part = {0}, user_part = {0}, key = {0};
	_cleanup_(proto_release) struct proto_writer callstack = {0};
	uint64_t number;
	bool is_new;

	if (!*kernel && !*user)
		return;
	buffer_init(&kernel_part, STACK_BYTES_MAX);
	buffer_init(&user_part, STACK_BYTES_MAX);
	buffer_init(&key, 2 * STACK_BYTES_MAX + 1);
	buffer_puts_clean(&kernel_part, kernel, strlen(kernel));
	buffer_puts_clean(&user_part, user, strlen(user));
	/* the parts contain no control characters */
	buffer_printf(&key, "%s\n%s", user_part.text, kernel_part.text);
	number = perfetto_number(file, INTERNED_CALLSTACK, key.text, &is_new);
	if (is_new) {
		proto_number(&callstack, INTERNED_IID, number);
		frames_put(file, &callstack, PROGRAM_PATH, user_part.text);
		frames_put(file, &callstack, KERNEL_PATH, kernel_part.text);
		proto_bytes(&file->interned, INTERNED_CALLSTACK, callstack.byte, callstack.length);
	}
	proto_number(&file->packet, EVENT_CALLSTACK_IID, number);
}
