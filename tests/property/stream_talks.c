/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_talks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "builder/datfile.h"
#include "clocks/packet_pairs.h"
#include "clocks/stream_fit.h"
#include "machines/talk_log.h"
#include "source/source.h"
#include "tcp_net.h"

#define LOSSES_MAX    3u
#define TEXT_LIMIT    (1u << 24)
#define ROUNDING      16
#define OFFSET_MAX    UINT64_C(1000000000000)
#define PPB_MAX       245000u /* of a clock; two differ by twice as much at most */
#define RICH_TURNS    8u      /* of a connection that was recorded as a whole */
#define SETTLE_EVERY  16u     /* packets take longer to compare */

/* Events that a CPU lost. */
struct loss {
	unsigned cpu;
	nsec_t begin, end;
	bool is_written;
};

struct machine_made {
	uint64_t offset;
	int64_t ppb;
	nsec_t begin, end; /* true times of its recording */
	struct loss loss[LOSSES_MAX];
	unsigned loss_count;
	struct talk_log talk;
	bool is_read;
};

struct world {
	struct net net;
	struct random random;
	struct machine_made machine[NET_MACHINES];
	unsigned turns[NET_CONNS]; /* requests and answers of that connection; 0: another pattern */
};

static nsec_t clock_of(const struct machine_made *machine, nsec_t time)
{
	long double drift = (long double)time * (long double)machine->ppb / 1e9L;

	return time + machine->offset + (nsec_t)(int64_t)llroundl(drift);
}

static uint64_t random_bytes(struct random *random)
{
	switch (random_below(random, 10)) {
	case 0:
		return net_random(random, 1, 20);
	case 1:
		return 1448;
	case 2:
	case 3:
		return net_random(random, 1449, 16384);
	case 4:
		return net_random(random, 16385, 40000);
	default:
		return net_random(random, 20, 1448);
	}
}

static nsec_t random_think(struct random *random)
{
	nsec_t most = 100 * US << random_below(random, 8);

	if (random_chance(random, 2))
		return net_random(random, 100 * MS, SECOND);
	return random_chance(random, 30) ? 0 : net_random(random, 0, most);
}

static void think(struct world *world, struct net_task *task)
{
	nsec_t time = random_think(&world->random);

	if (time)
		net_task_do(task, OP_THINK, NULL, time);
}

/* Requests, some of them before the answers to earlier ones. */
static void script_requests(struct world *world, struct net_conn *conn, struct net_task *client,
                            struct net_task *server, unsigned ahead)
{
	struct random *random = &world->random;
	unsigned turns = 3 + random_below(random, 20);

	if (ahead == 1)
		world->turns[conn - world->net.conn] = turns;
	for (unsigned i = 0; i < turns; i++) {
		uint64_t answers[4];

		think(world, client);
		for (unsigned k = 0; k < ahead; k++) {
			uint64_t bytes = random_bytes(random);

			answers[k] = random_bytes(random);
			net_task_do(client, OP_SEND, &conn->side[0], bytes);
			net_task_do(server, OP_TAKE, &conn->side[1], bytes);
			think(world, server);
			net_task_do(server, OP_SEND, &conn->side[1], answers[k]);
		}
		for (unsigned k = 0; k < ahead; k++)
			net_task_do(client, OP_TAKE, &conn->side[0], answers[k]);
	}
}

/* Large calls one way, with few answers. */
static void script_bulk(struct world *world, struct net_conn *conn, struct net_task *from,
                        struct net_task *to, unsigned side)
{
	struct random *random = &world->random;

	for (unsigned i = 2 + random_below(random, 5); i > 0; i--) {
		uint64_t bytes = net_random(random, 10000, 120000);

		net_task_do(from, OP_SEND, &conn->side[side], bytes);
		net_task_do(to, OP_TAKE, &conn->side[!side], bytes);
		if (random_chance(random, 30))
			think(world, random_chance(random, 50) ? from : to);
		if (random_chance(random, 30)) {
			net_task_do(to, OP_SEND, &conn->side[!side], 20);
			net_task_do(from, OP_TAKE, &conn->side[side], 20);
		}
	}
}

/* One direction of a connection whose readers and writers do not wait for each other. */
static void script_way(struct world *world, struct net_conn *conn, unsigned side,
                       struct net_task *const *writers, unsigned writer_count,
                       struct net_task *reader)
{
	uint64_t same = random_bytes(&world->random);
	bool are_same = random_chance(&world->random, 40);

	for (unsigned i = 5 + random_below(&world->random, 25); i > 0; i--) {
		struct net_task *writer = writers[random_below(&world->random, writer_count)];
		uint64_t bytes = are_same ? same : random_bytes(&world->random);

		think(world, writer);
		net_task_do(writer, OP_SEND, &conn->side[side], bytes);
		net_task_do(reader, OP_TAKE, &conn->side[!side], bytes);
	}
}

/* A task that reads requests, and workers that answer in turn. */
static void script_workers(struct world *world, struct net_conn *conn, struct net_task *client,
                           struct net_task *reader, struct net_task *other)
{
	struct random *random = &world->random;
	struct net_side *server = &conn->side[1];
	uint64_t turn = 0;

	for (unsigned i = 5 + random_below(random, 15); i > 0; i--) {
		struct net_task *worker = random_chance(random, 50) ? reader : other;
		uint64_t bytes = random_bytes(random), answer = random_bytes(random);

		think(world, client);
		net_task_do(client, OP_SEND, &conn->side[0], bytes);
		net_task_do(client, OP_TAKE, &conn->side[0], answer);
		net_task_do(reader, OP_TAKE, server, bytes);
		if (worker == other) {
			net_task_do(reader, OP_PASS, server, 0);
			net_task_do(other, OP_TURN, server, ++turn);
		}
		think(world, worker);
		net_task_do(worker, OP_SEND, server, answer);
		if (worker == other) {
			net_task_do(other, OP_PASS, server, 0);
			net_task_do(reader, OP_TURN, server, ++turn);
		}
	}
}

static struct net_task *task_for(struct world *world, unsigned machine)
{
	struct net *net = &world->net;
	unsigned count = net->task_count[machine];

	/* now and then one that has other connections */
	if (count == NET_TASKS || (count && random_chance(&world->random, 15)))
		return &net->task[machine][random_below(&world->random, count)];
	return net_task_add(net, machine);
}

static void script_free(struct world *world, struct net_conn *conn, struct net_task *client,
                        struct net_task *server)
{
	unsigned from = conn->side[0].machine, to = conn->side[1].machine;
	struct net_task *writers[2] = {task_for(world, from), task_for(world, from)};
	struct net_task *answerers[2] = {task_for(world, to), server};

	script_way(world, conn, 0, writers, 1 + random_below(&world->random, 2), server);
	script_way(world, conn, 1, answerers, 1 + random_below(&world->random, 2), client);
}

static void script_make(struct world *world, struct net_conn *conn)
{
	struct random *random = &world->random;
	struct net_task *client = task_for(world, conn->side[0].machine);
	struct net_task *server = task_for(world, conn->side[1].machine);
	bool does_close = random_chance(random, 70), is_half = random_chance(random, 50);

	if (random_chance(random, 50))
		net_task_do(client, OP_THINK, NULL, net_random(random, US, 100 * MS));
	net_task_do(client, OP_CONNECT, &conn->side[0], 0);
	switch (random_below(random, 9)) {
	case 0:
		script_bulk(world, conn, client, server, 0);
		break;
	case 1:
		script_bulk(world, conn, server, client, 1);
		break;
	case 2:
	case 8:
		script_free(world, conn, client, server);
		break;
	case 3:
		script_workers(world, conn, client, server,
		               task_for(world, conn->side[1].machine));
		break;
	case 4:
		script_requests(world, conn, client, server, 2 + random_below(random, 3));
		break;
	default:
		script_requests(world, conn, client, server, 1);
	}
	if (does_close) {
		net_task_do(is_half ? client : server, OP_SHUTDOWN, &conn->side[!is_half], 0);
		net_task_do(is_half ? server : client, OP_CLOSE, &conn->side[is_half], 0);
	}
}

static void world_connect(struct world *world)
{
	struct random *random = &world->random;
	struct net *net = &world->net;
	unsigned conns = 1 + random_below(random, NET_CONNS);

	for (unsigned i = 0; i < conns; i++) {
		unsigned from = random_below(random, net->machines);
		unsigned to = (from + 1 + random_below(random, net->machines - 1)) % net->machines;
		uint16_t port = (uint16_t)(40000 + i);

		/* a port may be used again, for the same peer or another one */
		if (random_chance(random, 10))
			port = (uint16_t)(40000 + random_below(random, i + 1));
		script_make(world, net_connect(net, from, to, port,
		                               random_chance(random, 80) ? 80 : 443));
	}
}

static void losses_make(struct world *world, struct machine_made *machine, nsec_t begin,
                        nsec_t length)
{
	struct random *random = &world->random;

	machine->loss_count = random_chance(random, 30) ? 1 + random_below(random, LOSSES_MAX) : 0;
	for (unsigned i = 0; i < machine->loss_count; i++) {
		nsec_t from = begin + net_random(random, 0, length);

		/* a CPU may have lost its first events */
		if (random_chance(random, 20))
			from = 0;
		machine->loss[i] = (struct loss){
			.cpu = random_below(random, NET_CPUS),
			.begin = from,
			.end = nsec_max(from, begin) +
		               net_random(random, 0, length >> random_below(random, 8)),
		};
	}
}

static void world_make(struct world *world, uint64_t seed)
{
	struct random *random = &world->random;
	nsec_t length;

	net_begin(&world->net, seed);
	*random = (struct random){~seed};
	world->net.machines = 2 + random_chance(random, 30);
	world->net.loss = random_chance(random, 50) ? 0 : random_below(random, 60);
	world->net.reorder = random_chance(random, 60) ? 0 : random_below(random, 100);
	world_connect(world);
	net_run(&world->net, SECOND + net_random(random, 300 * MS, 6 * SECOND));
	length = world->net.now - SECOND;
	for (unsigned i = 0; i < world->net.machines; i++) {
		struct machine_made *machine = &world->machine[i];
		bool is_cut = random_chance(random, 30);

		machine->offset = net_random(random, 0, OFFSET_MAX);
		machine->ppb = random_chance(random, 40)
		                       ? 0 : (int64_t)net_random(random, 0, 2 * PPB_MAX) - PPB_MAX;
		machine->begin = SECOND + (is_cut ? net_random(random, 0, length / 2) : 0);
		machine->end = world->net.now - (is_cut ? net_random(random, 0, length / 2) : 0);
		losses_make(world, machine, SECOND, length);
	}
}

static int seen_compare(const void *a, const void *b)
{
	const struct net_event_seen *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

static void address_write(struct buffer *to, const struct net_side *side)
{
	buffer_printf(to, side->conn->is_ipv6 ? " [fd00::%u]:%u" : " 10.0.0.%u:%u",
	              side->machine + 1, side->port);
}

static void event_write(struct buffer *to, const struct machine_made *machine,
                        const struct net_event_seen *seen)
{
	const struct net_side *side = seen->side;
	unsigned family = side && side->conn->is_ipv6 ? 10 : 2;

	buffer_printf(to, "%" PRIu64 "/%u ", clock_of(machine, seen->time), seen->cpu);
	if (seen->task)
		buffer_printf(to, "T%u", seen->task);
	else
		buffer_puts(to, "0");
	buffer_puts(to, seen->is_softirq ? "[s] " : " ");
	if (seen->kind == NET_STATE) {
		buffer_printf(to, "inet_sock_set_state s%u %" PRId64, seen->address, seen->value);
		address_write(to, side);
		address_write(to, side->peer);
	} else if (seen->kind == NET_QUEUE || seen->kind == NET_RECEIVE) {
		buffer_printf(to, "%s eth0 %" PRId64 " skb1",
		              seen->kind == NET_QUEUE ? "net_dev_queue" : "netif_receive_skb",
		              seen->value);
	} else if (seen->kind == NET_READY) {
		buffer_printf(to, "sk_data_ready s%u", seen->address);
	} else if (seen->kind == NET_OTHER) {
		buffer_printf(to, "sock_send_length s200 %" PRId64 " 17 2 0", seen->value);
	} else {
		buffer_printf(to, "sock_%s_length s%u %" PRId64 " 6 %u %u",
		              seen->kind == NET_SEND ? "send" : "recv", seen->address, seen->value,
		              family, seen->flags);
	}
	buffer_putc(to, '\n');
}

/* Whether it is recorded; if so, tells of what was lost on its CPU before. */
static bool event_is_kept(struct machine_made *machine, const struct net_event_seen *seen,
                          struct buffer *to)
{
	if (seen->time < machine->begin || seen->time > machine->end)
		return false;
	for (unsigned i = 0; i < machine->loss_count; i++) {
		const struct loss *loss = &machine->loss[i];

		if (loss->cpu == seen->cpu && seen->time >= loss->begin && seen->time < loss->end)
			return false;
	}
	for (unsigned i = 0; i < machine->loss_count; i++) {
		struct loss *loss = &machine->loss[i];

		if (loss->cpu != seen->cpu || seen->time < loss->end || loss->is_written)
			continue;
		loss->is_written = true;
		if (loss->end > machine->begin)
			buffer_printf(to, "lost %u 7\n", loss->cpu);
	}
	return true;
}

/* Drops losses that no event of their CPU follows: recordings do not tell of these. */
static void losses_settle(struct machine_made *machine, const struct net_log *log)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < machine->loss_count; i++) {
		const struct loss loss = machine->loss[i];
		bool is_known = false;

		for (size_t k = log->count; k-- > 0 && !is_known;) {
			const struct net_event_seen *seen = &log->event[k];

			is_known = seen->cpu == loss.cpu && seen->time <= machine->end &&
			           seen->time >= nsec_max(loss.end, machine->begin);
		}
		if (is_known)
			machine->loss[kept++] = loss;
	}
	machine->loss_count = kept;
}

static void recording_write(struct world *world, unsigned index, struct buffer *to)
{
	struct machine_made *machine = &world->machine[index];
	struct net_log *log = &world->net.log[index];

	buffer_printf(to, "cpus %u\ntasks", NET_CPUS);
	for (unsigned i = 1; i <= NET_TASKS; i++)
		buffer_printf(to, " T%u=%u", i, 100 + i);
	buffer_putc(to, '\n');
	array_sort(log->event, log->count, sizeof(*log->event), seen_compare);
	losses_settle(machine, log);
	for (size_t i = 0; i < log->count; i++)
		if (event_is_kept(machine, &log->event[i], to))
			event_write(to, machine, &log->event[i]);
}

static const char *recording_read(struct world *world, unsigned index)
{
	struct machine_made *machine = &world->machine[index];
	struct source *source;
	struct buffer text, why;
	char path[64];
	int fd, r;

	buffer_init(&text, TEXT_LIMIT);
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	recording_write(world, index, &text);
	r = datfile_from_text(text.text, NULL, &fd, &why);
	if (r >= 0) {
		(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		r = source_open(path, &source, &why);
		(void)close(fd);
	}
	if (r < 0)
		(void)fprintf(stderr, "%s\n", why.text);
	if (r >= 0) {
		talk_log_read(source, &machine->talk);
		(void)source_close(source);
		machine->is_read = true;
	}
	buffer_release(&text);
	buffer_release(&why);
	return r < 0 ? "a recording cannot be read" : NULL;
}

static struct host_packets packets_of(const struct talk_log *talk)
{
	return (struct host_packets){
		.sent = talk->sent.packet,
		.sent_count = talk->sent.count,
		.received = talk->received.packet,
		.received_count = talk->received.count,
		.begin = talk->begin,
		.end = talk->end,
		.streams = talk->streams.stream,
		.stream_count = talk->streams.count,
	};
}

static nsec_t true_time(const struct machine_made *machine, nsec_t shown)
{
	nsec_t time = shown - machine->offset;

	for (unsigned i = 0; i < 4; i++)
		time -= clock_of(machine, time) - shown;
	return time;
}

static bool line_is_off(const struct machine_made *first, const struct machine_made *second,
                        const struct clock_fit *fit, nsec_t time)
{
	nsec_t shown = clock_of(second, time);
	int64_t error = (int64_t)(clock_of(first, time) - shown) -
	                clock_line_shift(&fit->line, shown);

	return (error < 0 ? -error : error) > (int64_t)fit->bound + ROUNDING;
}

/* At both ends of the time while both machines were recorded: what is between is linear. */
static bool truth_is_bounded(const struct machine_made *first, const struct machine_made *second,
                             const struct clock_fit *fit)
{
	nsec_t begin = nsec_max(true_time(first, first->talk.begin),
	                        true_time(second, second->talk.begin));
	nsec_t end = nsec_min(true_time(first, first->talk.end),
	                      true_time(second, second->talk.end));

	return begin >= end ||
	       (!line_is_off(first, second, fit, begin) && !line_is_off(first, second, fit, end));
}

/* Whether a connection of requests and answers between the two was recorded as a whole, with
   nothing lost, and no other has its ports. */
static bool pair_is_rich(const struct world *world, unsigned one, unsigned other)
{
	const struct machine_made *first = &world->machine[one], *second = &world->machine[other];
	bool is_rich = false;

	if (first->loss_count || second->loss_count || world->net.loss ||
	    first->begin > SECOND || second->begin > SECOND || world->net.now > world->net.end)
		return false;
	for (unsigned i = 0; i < world->net.conn_count; i++) {
		const struct net_side *side = &world->net.conn[i].side[0];
		bool is_pair = (side->machine == one && side->peer->machine == other) ||
		               (side->machine == other && side->peer->machine == one);

		is_rich |= is_pair && world->turns[i] >= RICH_TURNS;
	}
	return is_rich;
}

static const char *pair_settle(const struct world *world, unsigned one, unsigned other,
                               struct stream_talk_count *count)
{
	const struct machine_made *first = &world->machine[one], *second = &world->machine[other];
	const struct host_packets hosts[] = {packets_of(&first->talk), packets_of(&second->talk)};
	struct packet_pairs pairs;
	const char *wrong = NULL;

	if (packet_pairs_find(&hosts[0], &hosts[1], &pairs) == PACKET_PAIRS_FOUND && pairs.calls) {
		count->settled++;
		if (!truth_is_bounded(first, second, &pairs.fit))
			wrong = "the truth is not within the bound that was settled";
	}
	packet_pairs_release(&pairs);
	return wrong;
}

static const char *pair_check(const struct world *world, unsigned one, unsigned other,
                              struct stream_talk_count *count)
{
	const struct machine_made *first = &world->machine[one], *second = &world->machine[other];
	const struct host_packets hosts[] = {packets_of(&first->talk), packets_of(&second->talk)};
	bool is_rich = pair_is_rich(world, one, other);
	struct clock_fit fit;
	bool is_known = stream_fit_find(&hosts[0], &hosts[1], &fit) > 0;

	count->pairs++;
	count->known += is_known;
	count->rich += is_rich;
	if (is_known && is_rich) {
		count->rich_known++;
		count->bound_sum += fit.bound;
	}
	if (is_known && !truth_is_bounded(first, second, &fit))
		return "the truth is not within the bound of the calls";
	return NULL;
}

/* The mark of those bytes with which that one left, or arrived; NULL: it did not. */
static const struct net_mark *mark_of(const struct net_marks *marks, uint64_t byte)
{
	for (size_t i = 0; i < marks->count; i++)
		if (marks->mark[i].to > byte)
			return &marks->mark[i];
	return NULL;
}

static nsec_t mark_time(const struct net_marks *marks, uint64_t byte)
{
	const struct net_mark *mark = mark_of(marks, byte);

	return mark ? mark->time : NSEC_NEVER;
}

/* Whether what is said of the call must hold: of a large one, if it sent its first byte itself. */
static bool sent_is_sure(const struct net_side *side, const struct stream_sent *sent)
{
	const struct net_mark *mark = mark_of(&side->left, sent->from);
	bool is_first = mark && sent->from == (mark == side->left.mark ? 0 : mark[-1].to);

	return sent->time && (!sent->is_large || (is_first && mark->is_alone));
}

/* The side that the stream was made of; NULL: there are several, or none. */
static const struct net_side *side_of(const struct world *world, unsigned machine,
                                      const struct host_stream *stream)
{
	const struct net_side *found = NULL;

	for (unsigned i = 0; i < 2 * world->net.conn_count; i++) {
		const struct net_side *side = &world->net.conn[i / 2].side[i % 2];

		if (side->machine != machine || side->port != stream->local.port ||
		    side->peer->port != stream->peer.port ||
		    side->peer->machine + 1 != stream->peer.address[ADDRESS_BYTES - 1])
			continue;
		if (found)
			return NULL;
		found = side;
	}
	return found;
}

/* Whether a task that had not used the socket was in its first call when the last one that is known
   returned: its bytes are then not known (machines/talk_streams.h). */
static bool stream_has_stranger(const struct machine_made *machine, const struct net_side *side,
                                const struct host_stream *stream)
{
	nsec_t last = stream->sent_count ? stream->sent[stream->sent_count - 1].returned : 0;
	bool has_stranger = false;

	last = last ? true_time(machine, last) : 0;
	for (unsigned i = 0; i < NET_TASKS; i++)
		has_stranger |= side->entered[i] && side->entered[i] < last &&
		                (side->seen[i] == 0 || side->seen[i] > last);
	return has_stranger;
}

static const char *stream_check(const struct machine_made *machine, const struct net_side *side,
                                const struct host_stream *stream)
{
	bool has_stranger = stream_has_stranger(machine, side, stream);

	for (size_t i = 0; i < stream->sent_count && !has_stranger; i++) {
		const struct stream_sent *sent = &stream->sent[i];

		if (sent_is_sure(side, sent) &&
		    true_time(machine, sent->time) > mark_time(&side->left, sent->from) + ROUNDING)
			return "a byte left earlier than its call says";
	}
	for (size_t i = 0; i < stream->taken_count; i++) {
		const struct stream_taken *taken = &stream->taken[i];
		uint64_t end = i + 1 < stream->taken_count ? stream->taken[i + 1].from
		                                           : stream->taken_bytes;

		if (true_time(machine, taken->first) + ROUNDING <
		            mark_time(&side->came, taken->from) ||
		    true_time(machine, taken->time) + ROUNDING < mark_time(&side->came, end - 1))
			return "a byte arrived later than its call says";
	}
	return NULL;
}

/* What the calls of one machine say of its own bytes. */
static const char *streams_check(const struct world *world, unsigned index)
{
	const struct machine_made *machine = &world->machine[index];
	const struct talk_streams *streams = &machine->talk.streams;
	const char *wrong = NULL;

	for (size_t i = 0; i < streams->count && !wrong; i++) {
		const struct net_side *side = side_of(world, index, &streams->stream[i]);

		if (side)
			wrong = stream_check(machine, side, &streams->stream[i]);
	}
	return wrong;
}

const char *stream_talk_check(uint64_t seed, struct stream_talk_count *count)
{
	struct world *world = xcalloc(1, sizeof(*world));
	const char *wrong = NULL;

	world_make(world, seed);
	for (unsigned i = 0; i < world->net.machines && !wrong; i++)
		wrong = recording_read(world, i);
	for (unsigned i = 0; i < world->net.machines && !wrong; i++)
		wrong = streams_check(world, i);
	for (unsigned i = 0; i < world->net.machines; i++)
		for (unsigned k = 0; k < world->net.machines && !wrong; k++) {
			if (i == k)
				continue;
			wrong = pair_check(world, i, k, count);
			if (!wrong && i < k && seed % SETTLE_EVERY == 0)
				wrong = pair_settle(world, i, k, count);
		}
	for (unsigned i = 0; i < world->net.machines; i++)
		if (world->machine[i].is_read)
			talk_log_release(&world->machine[i].talk);
	net_release(&world->net);
	free(world);
	return wrong;
}
