/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "listening_ports.h"

#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "recorder/machine/text_file.h"

/* The kernel prints listening sockets first, so only connections are cut off. */
#define TABLE_BYTES_MAX (1u << 20)
#define PATH_BYTES      64
#define STATE_LISTEN    0x0au

static void listening_ports_add(struct listening_ports *ports, uint16_t port)
{
	size_t at = 0;

	while (at < ports->count && ports->port[at] < port)
		at++;
	if (ports->count == STREAM_LISTEN_MAX || (at < ports->count && ports->port[at] == port))
		return;
	memmove(&ports->port[at + 1], &ports->port[at],
	        (ports->count - at) * sizeof(ports->port[0]));
	ports->port[at] = port;
	ports->count++;
}

/* "   0: 0100007F:1F90 00000000:0000 0A ..." */
static void line_parse(struct listening_ports *ports, const char *line)
{
	unsigned port, state;

	int fields = sscanf(line, " %*u: %*32[0-9A-Fa-f]:%4x %*32[0-9A-Fa-f]:%*4x %2x ", &port,
	                    &state);

	if (fields == 2 && state == STATE_LISTEN && port > 0)
		listening_ports_add(ports, (uint16_t)port);
}

void listening_ports_parse(struct listening_ports *ports, const char *text)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		line_parse(ports, line);
	}
}

void listening_ports_look(struct listening_ports *ports, pid_t pid)
{
	static const char *const tables[] = {"tcp", "tcp6"};
	struct buffer text;
	char path[PATH_BYTES];

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		(void)snprintf(path, sizeof(path), "/proc/%d/net/%s", (int)pid, tables[i]);
		buffer_init(&text, TABLE_BYTES_MAX);
		/* if the table is too long, the part that was read is used */
		(void)text_file_read(path, &text);
		if (text.length > 0)
			listening_ports_parse(ports, text.text);
		buffer_release(&text);
	}
}

void listening_ports_describe(const struct listening_ports *ports, struct buffer *to)
{
	for (size_t i = 0; i < ports->count; i++)
		buffer_printf(to, "%s %u", i ? "" : "listen", (unsigned)ports->port[i]);
	if (ports->count)
		buffer_putc(to, '\n');
}
