/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "open_wait_words.h"

#include <string.h>

#include "base/text/format.h"

static bool call_begins(const struct open_wait *wait, const char *word)
{
	return wait->call && strncmp(wait->call, word, strlen(word)) == 0;
}

bool open_wait_is_poll(const struct open_wait *wait)
{
	return (wait->kind == OPEN_WAIT_SOCKET || wait->kind == OPEN_WAIT_PIPE) && wait->call &&
	       (strstr(wait->call, "poll") || strstr(wait->call, "select"));
}

static bool is_unix(const struct open_wait *wait)
{
	return wait->type && strcmp(wait->type, "unix") == 0;
}

enum purpose open_wait_purpose(const struct open_wait *wait)
{
	if (wait->kind == OPEN_WAIT_CONDITION)
		return PURPOSE_CONDITION;
	if (!open_wait_is_poll(wait))
		return PURPOSE_NONE;
	if (wait->kind == OPEN_WAIT_PIPE)
		return PURPOSE_PIPE;
	return is_unix(wait) ? PURPOSE_UNIX_RECEIVE : PURPOSE_ANSWER;
}

/* Whether the task waits until it may send, or is connected. */
static bool is_outwards(const struct open_wait *wait)
{
	return call_begins(wait, "send") || call_begins(wait, "write") ||
	       call_begins(wait, "connect");
}

static void path_append(const struct open_wait *wait, const char *before, struct buffer *to)
{
	if (!wait->path)
		return;
	buffer_puts(to, before);
	buffer_puts_clean(to, wait->path, strlen(wait->path));
}

static void socket_append(const struct open_wait *wait, struct buffer *to)
{
	path_append(wait, is_unix(wait) ? " at " : is_outwards(wait) ? " to " : " from ", to);
	if (wait->fact == OPEN_WAIT_FACT_FULL)
		buffer_puts(to, " (its backlog is full)");
	else if (wait->fact == OPEN_WAIT_FACT_WAITING)
		buffer_puts(to, " (it has not accepted the connection)");
	else if (wait->address)
		buffer_printf(to, " (%s bytes not taken)", COUNT_TEXT(wait->address));
}

/* The mutex never gets free. */
static void left_append(const struct open_wait *wait, struct buffer *to)
{
	if (wait->owner)
		buffer_printf(to, ", which thread %d had when it ended", wait->owner);
	else
		buffer_puts(to, ", which no thread of this process has: its owner ended, or forked "
		                "this process");
}

void open_wait_append_object(const struct open_wait *wait, struct buffer *to)
{
	switch (wait->kind) {
	case OPEN_WAIT_SOCKET:
		socket_append(wait, to);
		break;
	case OPEN_WAIT_PIPE:
	case OPEN_WAIT_TERMINAL:
		path_append(wait, " on ", to);
		if (wait->has_no_holder)
			buffer_puts(to, ", which nobody has open at the other end");
		break;
	case OPEN_WAIT_LEFT:
		left_append(wait, to);
		break;
	case OPEN_WAIT_FILE:
		if (wait->path && wait->path[0] == '/')
			path_append(wait, " on ", to);
		break;
	default:
		break;
	}
}

const char *open_wait_peer(const struct open_wait *wait)
{
	return wait->kind == OPEN_WAIT_SOCKET && !is_unix(wait) ? wait->path : NULL;
}

/* Where the other end opened the connection, nothing shows that the task asked for something. */
static enum aim_kind socket_aim(const struct open_wait *wait)
{
	if (is_unix(wait))
		return AIM_PIPE;
	return wait->fact == OPEN_WAIT_FACT_SERVED && !is_outwards(wait) ? AIM_FOR_WORK
	                                                                 : AIM_ANSWER;
}

bool open_wait_is_for_work(const struct open_wait *wait)
{
	return open_wait_aim(wait) == AIM_FOR_WORK;
}

enum aim_kind open_wait_aim(const struct open_wait *wait)
{
	switch (wait->kind) {
	case OPEN_WAIT_FUTEX:
		return wait->owner ? AIM_LOCK : AIM_NONE;
	case OPEN_WAIT_LEFT:
	case OPEN_WAIT_FLOCK:
	case OPEN_WAIT_POSIX:
	case OPEN_WAIT_LEASE:
		return AIM_LOCK;
	case OPEN_WAIT_THREAD:
		return AIM_JOIN;
	case OPEN_WAIT_CONDITION:
		return AIM_CONDITION;
	case OPEN_WAIT_CHILD:
		return AIM_CHILD;
	case OPEN_WAIT_PIPE:
		return AIM_PIPE;
	case OPEN_WAIT_TERMINAL:
		return is_outwards(wait) ? AIM_PIPE : AIM_FOR_WORK;
	case OPEN_WAIT_SOCKET:
		return socket_aim(wait);
	case OPEN_WAIT_MOUNT:
		return AIM_KERNEL;
	default:
		return call_begins(wait, "nanosleep") || call_begins(wait, "clock_nanosleep")
			       ? AIM_TIME : AIM_NONE;
	}
}
