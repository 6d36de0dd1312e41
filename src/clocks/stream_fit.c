/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"

/* With fewer messages it may be two strangers with the same addresses and ports. */
#define MESSAGES_LEAST 8

/* An end, with its own address first. */
struct end {
	struct endpoint key[2];
	const struct host_stream *stream;
};

struct ends {
	struct end *end; /* by key */
	size_t count;
};

/* The connections of two machines. */
struct stream_talk {
	struct ends own, others;
	struct messages {
		struct clock_message *message;
		size_t count, capacity;
	} there, back;
};

ORDER_FUNCTION(end_compare, struct end, memcmp(x->key, y->key, sizeof(x->key)))

/* `by_ports`: without addresses, of the connections that were recorded as a whole. */
static struct ends ends_make(const struct host_packets *host, bool by_ports)
{
	struct ends ends = {xcalloc(host->stream_count, sizeof(*ends.end)), 0};

	for (size_t i = 0; i < host->stream_count; i++) {
		const struct host_stream *stream = &host->streams[i];
		struct end end = {{stream->local, stream->peer}, stream};

		if (by_ports) {
			memset(end.key[0].address, 0, ADDRESS_BYTES);
			memset(end.key[1].address, 0, ADDRESS_BYTES);
		}
		if (!by_ports || !stream->is_cut)
			ends.end[ends.count++] = end;
	}
	array_sort(ends.end, ends.count, sizeof(*ends.end), end_compare);
	return ends;
}

/* The only end with these addresses; NULL: there is none, or there are several. */
static const struct host_stream *ends_find(const struct ends *ends, const struct end *wanted)
{
	const struct end *found =
		bsearch(wanted, ends->end, ends->count, sizeof(*ends->end), end_compare);

	if (!found || (found > ends->end && end_compare(found - 1, found) == 0) ||
	    (found + 1 < ends->end + ends->count && end_compare(found + 1, found) == 0))
		return NULL;
	return found->stream;
}

/* The other end of the stream on the other machine. If this machine has it as well, several
   networks use these addresses. */
static const struct host_stream *other_end(const struct ends *own, const struct ends *ends,
                                           const struct end *end)
{
	const struct host_stream *stream = end->stream, *other;
	const struct end wanted = {.key = {end->key[1], end->key[0]}};

	other = ends_find(ends, &wanted);
	if (!other || other->is_active == stream->is_active || ends_find(own, end) != stream ||
	    bsearch(&wanted, own->end, own->count, sizeof(*own->end), end_compare) ||
	    bsearch(end, ends->end, ends->count, sizeof(*ends->end), end_compare))
		return NULL;
	return other;
}

/* The call of the peer that sent the last byte which the caller had received before its call; NULL:
   not known. *at follows the peer's calls. */
static const struct stream_sent *answer_of(const struct stream_sent *sent,
                                           const struct host_stream *peer, size_t *at)
{
	if (sent->taken == 0 || sent->taken > peer->sent_bytes)
		return NULL;
	while (*at + 1 < peer->sent_count && peer->sent[*at + 1].from < sent->taken)
		(*at)++;
	return *at < peer->sent_count ? &peer->sent[*at] : NULL;
}

/* Whether no more was received than had been sent, in sum, and whenever the peer answered. If it
   was, calls were not counted, as those of sendfile(2) before Linux 6.5, or the two ends do not
   count the same bytes, as where the kernel encrypts for one of them (TLS). */
static bool way_is_possible(const struct host_stream *from, const struct host_stream *to)
{
	size_t at = 0;

	if (!from->is_cut && to->taken_bytes > from->sent_bytes)
		return false;
	for (size_t i = 0; i < from->sent_count; i++) {
		const struct stream_sent *answer = answer_of(&from->sent[i], to, &at);

		if (answer && answer->taken > from->sent[i].from)
			return false;
	}
	return true;
}

/* Whether the peer had received all older bytes when it sent what the caller then received. */
static bool older_are_received(const struct stream_sent *sent, const struct host_stream *peer,
                               size_t *at)
{
	const struct stream_sent *answer = answer_of(sent, peer, at);

	return sent->from == 0 || (answer && answer->taken >= sent->from);
}

static void message_add(struct messages *messages, nsec_t sent, nsec_t received)
{
	if (sent == 0 || received == 0)
		return;
	ARRAY_ADD(messages->message, messages->count, messages->capacity) =
		(struct clock_message){sent, received};
}

/* The last packet of the handshake, the first end's FIN, and what acknowledges it. The kernel sets
   each state before it sends the packet, and after it received one. */
static void states_add(struct messages *there, struct messages *back,
                       const struct host_stream *from, const struct host_stream *to)
{
	if (from->is_active)
		message_add(there, from->established, to->established);
	message_add(there, from->closed, to->peer_closed);
	if (from->closed)
		message_add(back, to->peer_closed, from->close_acked);
}

/* The first byte of each call that sent, with the call that received it. */
static void way_add(struct messages *messages, const struct host_stream *from,
                    const struct host_stream *to)
{
	size_t at = 0, answer = 0;

	for (size_t i = 0; i < from->sent_count; i++) {
		const struct stream_sent *sent = &from->sent[i];
		const struct stream_taken *taken;

		while (at + 1 < to->taken_count && to->taken[at + 1].from <= sent->from)
			at++;
		if (sent->from >= to->taken_bytes || at >= to->taken_count)
			break;
		if (sent->time == 0 ||
		    (sent->is_large && !older_are_received(sent, to, &answer)))
			continue;
		taken = &to->taken[at];
		message_add(messages, sent->time,
		            taken->from == sent->from ? taken->first : taken->time);
	}
}

/* Whether the two may be the ends of one connection though their addresses differ. Ports alone
   agree now and then: of a short connection too little else is known. */
static bool ends_are_alike(const struct host_stream *one, const struct host_stream *other)
{
	return one->sent_count + one->taken_count >= MESSAGES_LEAST &&
	       one->sent_bytes == other->taken_bytes && other->sent_bytes == one->taken_bytes;
}

/* Adds the messages between the two ends of a connection, in both directions. */
static void talk_add(struct stream_talk *talk, const struct host_stream *stream,
                     const struct host_stream *other)
{
	states_add(&talk->there, &talk->back, stream, other);
	states_add(&talk->back, &talk->there, other, stream);
	if (!way_is_possible(stream, other) || !way_is_possible(other, stream))
		return;
	way_add(&talk->there, stream, other);
	way_add(&talk->back, other, stream);
}

/* Returns whether any connection has its ends on both machines. */
static bool talk_collect(struct stream_talk *talk, const struct host_packets *first,
                         const struct host_packets *second, bool by_ports)
{
	bool has_any = false;

	talk->own = ends_make(first, by_ports);
	talk->others = ends_make(second, by_ports);
	for (size_t i = 0; i < talk->own.count; i++) {
		const struct host_stream *stream = talk->own.end[i].stream;
		const struct host_stream *other =
			other_end(&talk->own, &talk->others, &talk->own.end[i]);

		if (!other || (by_ports && !ends_are_alike(stream, other)))
			continue;
		has_any = true;
		talk_add(talk, stream, other);
	}
	free(talk->own.end);
	free(talk->others.end);
	return has_any;
}

uint64_t stream_fit_find(const struct host_packets *first, const struct host_packets *second,
                         struct clock_fit *ret)
{
	struct stream_talk talk = {0};
	struct clock_talk messages = {
		.first_begin = first->begin,
		.first_end = first->end,
		.second_begin = second->begin,
		.second_end = second->end,
	};
	uint64_t count;

	if (!talk_collect(&talk, first, second, /* by_ports= */ false))
		(void)talk_collect(&talk, first, second, /* by_ports= */ true);
	messages.there = talk.there.message;
	messages.there_count = talk.there.count;
	messages.back = talk.back.message;
	messages.back_count = talk.back.count;
	count = (uint64_t)talk.there.count + talk.back.count;
	if (count < MESSAGES_LEAST || clock_fit_find(&messages, ret) != CLOCK_FIT_FOUND)
		count = 0;
	free(talk.there.message);
	free(talk.back.message);
	return count;
}
