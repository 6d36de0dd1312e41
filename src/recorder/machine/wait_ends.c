/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wait_ends.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "open_files.h"
#include "task_snapshot.h"
#include "text_file.h"

#define CANDIDATES_MAX 64 /* files of others that are looked at once more, for one wait */
#define FILE_BYTES_MAX (2 * PATH_MAX)
#define POLLED_OTHERS_MAX 16 /* polled files of which the other ends are looked for */

/* Those that have the object open. */
struct holders {
	int32_t tgid[WAIT_HOLDERS_MAX];
	size_t count, looked;
	bool is_own; /* the waiting process is one, too */
};

void wait_ends_begin(struct wait_ends *ends, struct end_table *table, const int32_t *watched,
		     size_t watched_count, nsec_t deadline, nsec_t patience)
{
	*ends = (struct wait_ends){
		.table = table,
		.watched = watched,
		.watched_count = watched_count,
		.deadline = deadline,
		.patience = patience,
	};
	socket_table_init(&ends->sockets);
}

bool wait_ends_is_watched(const struct wait_ends *ends, int32_t tgid)
{
	for (size_t i = 0; i < ends->watched_count; i++)
		if (ends->watched[i] == tgid)
			return true;
	return false;
}

/* Whether the process still has the file, and in that way. */
static bool end_is_used(struct wait_ends *ends, const struct open_end *end,
			struct end_object object, enum end_use use)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(FILE_BYTES_MAX);
	struct open_file file;
	struct end_object now;

	if (!open_file_read(ends->table->peek, end->tgid, end->file, &text, &file))
		return false;
	now = end_object_of(file.path, file.path_length);
	if (now.kind == END_EVENT)
		now.number = file.event;
	if (object.kind != END_MASTER && (now.kind != object.kind || now.number != object.number))
		return false;
	switch (use) {
	case END_READ:
		return file.is_read;
	case END_WRITTEN:
		return file.is_written;
	case END_LOCKED:
		return file.has_lock;
	case END_OPEN:
		break;
	}
	return true;
}

static bool holders_have(const struct holders *holders, int32_t tgid)
{
	for (size_t i = 0; i < holders->count; i++)
		if (holders->tgid[i] == tgid)
			return true;
	return false;
}

static void holders_add(struct wait_ends *ends, struct holders *holders, int32_t tgid,
			const struct end_round *round, struct end_object object, enum end_use use)
{
	for (size_t i = 0; i < round->count; i++) {
		const struct open_end *end = &round->end[i];

		if (end->number != object.number || end->kind != (uint32_t)object.kind)
			continue;
		if (holders->count == WAIT_HOLDERS_MAX || holders->looked == CANDIDATES_MAX)
			return;
		if ((end->tgid == tgid && holders->is_own) || holders_have(holders, end->tgid))
			continue;
		holders->looked++;
		if (!end_is_used(ends, end, object, use))
			continue;
		if (end->tgid == tgid)
			holders->is_own = true;
		else
			holders->tgid[holders->count++] = end->tgid;
	}
}

/* Reads who has what open, first of the watched processes. */
static void ends_look(struct wait_ends *ends)
{
	nsec_t end = monotonic_now() + ends->patience;

	if (ends->has_looked)
		return;
	ends->has_looked = true;
	for (size_t i = 0; i < ends->watched_count && monotonic_now() < end; i++)
		(void)end_table_add(ends->table, ends->watched[i], &ends->near);
	end_table_look(ends->table, end);
}

void wait_ends_end(struct wait_ends *ends)
{
	if (ends->table->next)
		ends_look(ends);
	end_round_release(&ends->near);
	end_round_release(&ends->one);
	socket_table_release(&ends->sockets);
}

static struct holders holders_find(struct wait_ends *ends, int32_t tgid, struct end_object object,
				   enum end_use use)
{
	struct holders holders = {.count = 0};

	ends_look(ends);
	holders_add(ends, &holders, tgid, &ends->near, object, use);
	holders_add(ends, &holders, tgid, &ends->table->now, object, use);
	holders_add(ends, &holders, tgid, &ends->table->last, object, use);
	return holders;
}

int32_t wait_ends_put(struct wait_ends *ends, int32_t tgid, struct end_object object,
		      enum end_use use, struct buffer *to)
{
	struct holders holders = holders_find(ends, tgid, object, use);

	/* a lock that it waits for is not its own */
	if (holders.count == 0 && holders.is_own && use != END_LOCKED)
		holders.tgid[holders.count++] = tgid;
	for (size_t i = 0; i < holders.count; i++)
		buffer_printf(to, "%s%d", i ? "," : "", holders.tgid[i]);
	if (holders.count == 0) {
		buffer_putc(to, ends->table->is_whole ? '0' : '-');
		ends->is_partial |= !ends->table->is_whole;
	}
	return holders.count == 1 ? holders.tgid[0] : 0;
}

bool wait_ends_may_lock(struct wait_ends *ends, int32_t tgid, struct end_object object)
{
	struct holders holders = {.count = 0};

	if (!end_table_read(ends->table, tgid, &ends->one))
		return !task_is_gone(tgid);
	holders_add(ends, &holders, 0, &ends->one, object, END_LOCKED);
	return holders.count > 0;
}

/* Reads the sockets of the process's network namespace, unless they are those that were read last;
   false: there were too many namespaces. */
static bool sockets_read(struct wait_ends *ends, int32_t tgid)
{
	_cleanup_(buffer_release) struct buffer space = buffer_of(PATH_MAX);

	(void)peek_link(ends->table->peek, tgid, PROC_PATH("/proc/%d/ns/net", tgid), &space);
	if (space.length == 0)
		buffer_puts(&space, "-");
	if (strcmp(space.text, ends->space) == 0)
		return true;
	if (ends->spaces == NAMESPACES_MAX || monotonic_now() >= ends->deadline) {
		ends->is_partial = true;
		return false;
	}
	ends->spaces++;
	(void)snprintf(ends->space, sizeof(ends->space), "%s", space.text);
	socket_table_read(&ends->sockets, ends->table->peek, tgid);
	return true;
}

/* "-", bytes that the other end has not taken, "full": its backlog is, "waiting": the connection
   still waits to be accepted, "served": the other end opened it. */
static void fact_put(const struct socket_table *sockets, const struct socket_row *row,
		     const struct socket_row *other, struct buffer *to)
{
	if (other && other->is_listening)
		buffer_puts(to, other->queued > other->backlog ? "full" : "waiting");
	else if (row->queued > 0 && !row->is_connecting)
		buffer_printf(to, "%" PRIu32, row->queued);
	else
		buffer_puts(to, socket_is_served(sockets, row) ? "served" : "-");
}

/* A name without blanks at its end and without newlines; "-": none. */
static void name_put(const char *name, struct buffer *to)
{
	for (const char *at = name; *at; at++)
		buffer_putc(to, *at == '\n' ? '?' : *at);
	if (!*name)
		buffer_putc(to, '-');
}

int32_t wait_ends_put_socket(struct wait_ends *ends, int32_t tgid, uint64_t inode,
			     const char *target, struct buffer *to, bool *ret_is_known)
{
	static const char *const words[] = {
		[SOCKET_TCP] = "tcp", [SOCKET_UDP] = "udp", [SOCKET_UNIX] = "unix",
	};
	const struct socket_row *row, *other;
	struct end_object object = {.kind = END_SOCKET};
	int32_t holder = 0;

	*ret_is_known = false;
	if (!sockets_read(ends, tgid))
		return 0;
	row = socket_table_find(&ends->sockets, inode);
	if (!row || row->is_listening)
		return 0;
	other = target ? socket_table_listener(&ends->sockets, target)
		       : socket_table_other(&ends->sockets, row);
	object.number = other ? other->inode : row->peer;
	*ret_is_known = true;
	buffer_printf(to, "socket %s ", words[row->protocol]);
	fact_put(&ends->sockets, row, other, to);
	buffer_putc(to, ' ');
	if (object.number)
		holder = wait_ends_put(ends, tgid, object, END_OPEN, to);
	else
		buffer_putc(to, '-');
	buffer_putc(to, ' ');
	if (target)
		name_put(target, to);
	else if (row->protocol == SOCKET_UNIX)
		name_put(other ? other->name : "", to);
	else if (row->remote.port)
		endpoint_append(to, &row->remote);
	else
		buffer_putc(to, '-');
	return holder;
}

static bool is_polled(const struct poll_set *polled, uint32_t file)
{
	return file < POLLED_MAX && polled->bit[file / 64] >> file % 64 & 1;
}

uint64_t wait_ends_find_request(struct wait_ends *ends, int32_t tgid, const struct poll_set *polled)
{
	const struct socket_row *found = NULL;

	if (!end_table_read(ends->table, tgid, &ends->one))
		return 0;
	for (size_t i = 0; i < ends->one.count; i++) {
		const struct open_end *end = &ends->one.end[i];
		const struct socket_row *row;

		if (end->kind != END_SOCKET || !is_polled(polled, end->file) ||
		    !sockets_read(ends, tgid))
			continue;
		row = socket_table_find(&ends->sockets, end->number);
		if (!row || !(socket_is_asking(&ends->sockets, row) ||
			      (polled->count == 1 && row->protocol == SOCKET_UDP &&
			       row->remote.port)))
			continue;
		if (!found || row->since_sent > found->since_sent)
			found = row;
	}
	return found ? found->inode : 0;
}

/* Which processes can make a polled file ready; false: that is not known. None, and `is_own`: only
   the process itself can, or it can, too: then it is there to wake itself, as handlers of signals
   do, and others have it from its fork(). */
static bool polled_holders(struct wait_ends *ends, const struct open_end *end, struct holders *ret)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(FILE_BYTES_MAX);
	struct end_object object = {end->number, (enum end_kind)end->kind};
	const struct socket_row *row, *other;
	enum end_use use = END_OPEN;
	struct open_file file;

	*ret = (struct holders){.is_own = object.kind == END_EVENT};
	if (object.kind == END_EVENT)
		return true;
	if (object.kind == END_SOCKET) {
		row = sockets_read(ends, end->tgid) ? socket_table_find(&ends->sockets, end->number)
						    : NULL;
		if (!row || row->protocol != SOCKET_UNIX || row->is_listening)
			return false;
		other = socket_table_other(&ends->sockets, row);
		object.number = other ? other->inode : row->peer;
	} else {
		if ((object.kind != END_PIPE && object.kind != END_PROCESS) ||
		    !open_file_read(ends->table->peek, end->tgid, end->file, &text, &file))
			return false;
		if (object.kind == END_PROCESS) {
			*ret = (struct holders){.tgid = {file.process}, .count = 1};
			return file.process != 0;
		}
		use = file.is_read ? END_WRITTEN : END_READ;
	}
	*ret = holders_find(ends, end->tgid, object, use);
	if (ret->is_own)
		ret->count = 0;
	ends->is_partial |= ret->count == 0 && !ret->is_own && !ends->table->is_whole;
	return ret->count > 0 || ret->is_own;
}

static bool holders_are_same(const struct holders *a, const struct holders *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (!holders_have(b, a->tgid[i]))
			return false;
	return a->count == b->count;
}

bool wait_ends_find_polled(struct wait_ends *ends, int32_t tgid, const struct poll_set *polled,
			   uint64_t *ret_file)
{
	struct holders found = {.count = 0};
	size_t count = polled->count;
	bool has_only = true;

	if (count == 0 || count > POLLED_OTHERS_MAX ||
	    !end_table_read(ends->table, tgid, &ends->one))
		return false;
	for (size_t i = 0; has_only && i < ends->one.count; i++) {
		const struct open_end *end = &ends->one.end[i];
		struct holders holders;

		if (!is_polled(polled, end->file))
			continue;
		count--;
		has_only = polled_holders(ends, end, &holders);
		if (!has_only || holders.count == 0)
			continue;
		if (found.count == 0)
			*ret_file = end->file;
		else
			has_only = holders_are_same(&holders, &found);
		found = holders;
	}
	return has_only && count == 0 && found.count > 0;
}
