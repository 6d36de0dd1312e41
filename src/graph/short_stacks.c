/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "short_stacks.h"

#include <string.h>

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
