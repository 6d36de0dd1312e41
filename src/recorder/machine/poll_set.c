/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "poll_set.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"

#define TEXT_BYTES_MAX (256u << 10)

static void set_add(struct poll_set *set, uint64_t number)
{
	bool is_known = number < POLLED_MAX;

	if (is_known && set->bit[number / 64] >> number % 64 & 1)
		return;
	if (is_known)
		set->bit[number / 64] |= UINT64_C(1) << number % 64;
	set->count++;
}

static bool poll_read(struct seen_process *process, const uint64_t argument[6],
		      struct poll_set *ret)
{
	_cleanup_(buffer_release) struct buffer memory = {0};
	size_t count = argument[1] < POLLED_MAX ? (size_t)argument[1] : POLLED_MAX;
	struct pollfd polled;

	buffer_init(&memory, POLLED_MAX * sizeof(polled));
	if (count == 0 ||
	    !seen_process_memory(process, argument[0], count * sizeof(polled), &memory))
		return false;
	for (size_t at = 0; at + sizeof(polled) <= memory.length; at += sizeof(polled)) {
		memcpy(&polled, memory.text + at, sizeof(polled));
		if (polled.fd >= 0)
			set_add(ret, (uint64_t)polled.fd);
	}
	return true;
}

/* The sets to read from and to write to: bits, in words of the machine. */
static bool select_read(struct seen_process *process, const uint64_t argument[6],
			struct poll_set *ret)
{
	size_t count = argument[0] < POLLED_MAX ? (size_t)argument[0] : POLLED_MAX;
	bool is_read = false;

	for (size_t set = 1; set <= 2 && count > 0; set++) {
		_cleanup_(buffer_release) struct buffer memory = {0};
		uint64_t bit[POLLED_MAX / 64] = {0};

		buffer_init(&memory, sizeof(bit));
		if (argument[set] == 0 ||
		    !seen_process_memory(process, argument[set], (count + 63) / 64 * 8, &memory))
			continue;
		is_read = true;
		memcpy(bit, memory.text, memory.length);
		for (size_t number = 0; number < count; number++)
			if (bit[number / 64] >> number % 64 & 1)
				set_add(ret, number);
	}
	return is_read;
}

/* "tfd:        5 events:       19 data: ..." for each. */
static bool epoll_read(struct seen_process *process, uint64_t file, struct poll_set *ret)
{
	_cleanup_(freep) char *path =
		xasprintf("/proc/%d/fdinfo/%" PRIu64, process->tgid, file & UINT32_MAX);
	_cleanup_(buffer_release) struct buffer text = {0};
	uint64_t number;

	buffer_init(&text, TEXT_BYTES_MAX);
	if (peek_text(process->peek, process->tgid, path, &text) < 0 || text.length == 0)
		return false;
	for (const char *at = text.text; (at = strstr(at, "\ntfd:")); at++)
		if (sscanf(at, "\ntfd: %" SCNu64, &number) == 1)
			set_add(ret, number);
	return true;
}

bool poll_set_read(struct seen_process *process, const char *call, const uint64_t argument[6],
		   struct poll_set *ret)
{
	*ret = (struct poll_set){.count = 0};
	if (strncmp(call, "epoll_", strlen("epoll_")) == 0)
		return epoll_read(process, argument[0], ret);
	return strstr(call, "select") ? select_read(process, argument, ret)
				      : poll_read(process, argument, ret);
}
