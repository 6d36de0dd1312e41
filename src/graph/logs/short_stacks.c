/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "short_stacks.h"

#include <string.h>

#include "base/code/code_part.h"
#include "base/data/array.h"

void short_stacks_add(struct short_stacks *stacks, uint32_t file)
{
	for (unsigned i = 0; i < stacks->count; i++)
		if (stacks->file[i] == file)
			return;
	if (stacks->count < SHORT_STACK_FILES_MAX)
		stacks->file[stacks->count++] = file;
	else
		stacks->has_more = true;
}

void short_stacks_describe(const struct short_stacks *stacks, const struct intern *names,
                           struct buffer *to)
{
	buffer_puts(to, "end after one or two frames in ");
	for (unsigned i = 0; i < stacks->count; i++) {
		const char *file = intern_text(names, stacks->file[i]);
		bool is_last = i + 1 == stacks->count && !stacks->has_more;

		if (i > 0)
			buffer_puts(to, is_last ? " and " : ", ");
		buffer_puts_clean(to, file, strlen(file));
	}
	if (stacks->has_more)
		buffer_puts(to, " and others");
	buffer_puts(to, ": built without frame pointers (-fno-omit-frame-pointer adds them)");
}

/* Functions with which programs and threads begin; of glibc, musl and Go. */
static const char *const starts[] = {
	"_start", "_start_c", "_dl_start", "_dl_start_user", "__libc_start_main",
	"__libc_start_main_impl", "__libc_start_call_main",
	"libc_start_main_stage2", "generic_start_main", "main", "start", "start_c", "start_thread",
	"thread_start", "clone", "clone3", "__clone", "__clone3", "__clone_internal", "vfork",
	"__vfork", "fork", "__fork", "_Fork",
};

bool short_stack_is_cut(const char *functions)
{
	const char *last = strrchr(functions, ';');

	if (last && memchr(functions, ';', (size_t)(last - functions)))
		return false;
	if (!functions[0] || functions[0] == '[')
		return false;
	if (strstr(last ? last : functions, "+0x"))
		return !last;
	last = last ? last + 1 : functions;
	/* Go switches stacks in functions of its own */
	return strncmp(last, "runtime.", strlen("runtime.")) != 0 &&
	       !function_is_any(last, starts, ARRAY_SIZE(starts));
}
