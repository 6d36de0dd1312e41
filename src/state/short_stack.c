/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "short_stack.h"

#include <string.h>

#include "base/data/array.h"
#include "base/function_name.h"

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
