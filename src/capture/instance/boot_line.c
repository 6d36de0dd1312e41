/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot_line.h"

#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"

#define LINE_BYTES_MAX 256

char *boot_line(void)
{
	struct buffer line;
	char *copy = NULL;

	buffer_init(&line, LINE_BYTES_MAX);
	buffer_puts(&line, "boot ");
	if (text_file_read("/proc/sys/kernel/random/boot_id", &line) == 0)
		copy = xstrdup(line.text); /* ends with a newline */
	buffer_release(&line);
	return copy;
}
