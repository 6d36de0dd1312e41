/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "head_builder.h"

#include <string.h>

#include "base/byte_order.h"

void head_put_u32(struct buffer *to, uint32_t number)
{
	buffer_append(to, &number, sizeof(number));
}

void head_put_text64(struct buffer *to, const char *text)
{
	uint64_t length = strlen(text);

	buffer_append(to, &length, sizeof(length));
	buffer_puts(to, text);
}

void head_make(struct buffer *to, const char *own, const char *const *formats, size_t count)
{
	buffer_init(to, BUFFER_LIMIT_DEFAULT);
	buffer_append(to, "\x17\x08\x44tracing6", 12);
	buffer_putc(to, byte_order_is_big() ? 1 : 0);
	buffer_putc(to, 8);
	head_put_u32(to, HEAD_PAGE_BYTES);
	buffer_append(to, "header_page", 12);
	head_put_text64(to, "page");
	buffer_append(to, "header_event", 13);
	head_put_text64(to, "event");
	head_put_u32(to, 1);
	head_put_text64(to, own);
	head_put_u32(to, 2);
	buffer_append(to, "irq", 4);
	head_put_u32(to, 0);
	buffer_append(to, "sched", 6);
	head_put_u32(to, (uint32_t)count);
	for (size_t i = 0; i < count; i++)
		head_put_text64(to, formats[i]);
	head_put_u32(to, 3);
	buffer_puts(to, "sym");
	head_put_u32(to, 0);
	head_put_text64(to, "1 init\n");
	head_put_u32(to, 3);
}
