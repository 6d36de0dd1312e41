/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol_name.h"

#include "base/cleanup.h"
#include "demangle.h"

#define CUT_MARK "..."

void symbol_name_append(const char *name, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(SYMBOL_NAME_MAX - (sizeof(CUT_MARK) - 1));

	demangle(name, &text);
	buffer_append(to, text.text, text.length);
	if (text.is_cut)
		buffer_puts(to, CUT_MARK);
}
