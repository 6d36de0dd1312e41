/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "ftwait/event.h"
#include "tcp_net.h"

struct net_task *net_task_add(struct net *net, unsigned machine)
{
	struct net_task *task = &net->task[machine][net->task_count[machine]];

	task->machine = machine;
	task->number = net->task_count[machine]++;
	task->is_nonblocking = random_chance(&net->random, 25);
	task->is_late = random_chance(&net->random, 25);
	task->waits_for_all = random_chance(&net->random, 10);
	task->preempted = random_chance(&net->random, 60) ? 1 : random_below(&net->random, 50);
	return task;
}

void net_task_do(struct net_task *task, enum net_op_kind kind, struct net_side *side,
                 uint64_t value)
{
	bool is_new = true;

	if (task->count == NET_OPS)
		return;
	for (unsigned i = 0; i < task->count; i++)
		is_new &= task->op[i].side != side;
	if (side && is_new)
		side->users++;
	task->op[task->count++] = (struct net_op){kind, side, value};
}

static struct net_context context_of(const struct net *net, const struct net_task *task,
                                     const struct net_side *side)
{
	return (struct net_context){
		.machine = task->machine,
		.cpu = task->number,
		.task = task->number + 1,
		.time = side ? nsec_max(net->now, side->busy) : net->now,
	};
}

/* Whether the task uses the side later on. */
static bool task_has_more(const struct net_task *task, const struct net_side *side)
{
	for (unsigned i = task->at; i < task->count; i++)
		if (task->op[i].side == side)
			return true;
	return false;
}

static void task_next(struct net *net, struct net_task *task, nsec_t time)
{
	struct net_side *side = task->op[task->at].side;

	task->at++;
	task->phase = AT_NEXT;
	task->has_peeked = false;
	if (side && !task_has_more(task, side))
		side_drop_user(net, side);
	task->is_running = task->at < task->count;
	if (task->is_running)
		net_wake_later(net, task, time + net_random(&net->random, 200, 5000));
}

static void task_go(struct net *net, struct net_task *task, enum net_phase phase, nsec_t time,
                    nsec_t most)
{
	task->phase = phase;
	net_wake_later(net, task, time + net_random(&net->random, 100, most));
}

static void task_wait(struct net_task *task, enum net_wait waits)
{
	task->waits = waits;
	task->is_running = false;
}

/* Sends a datagram, or makes a call that fails or sends nothing, now and then. */
static void task_distract(struct net *net, struct net_task *task, struct net_side *side)
{
	struct net_context context = context_of(net, task, NULL);

	if (random_chance(&net->random, 5)) {
		unsigned bytes = random_below(&net->random, 3000);

		net_see(net, &context, NET_QUEUE, NULL, LINK_HEADER_BYTES + 28 + bytes, 0);
		if (random_chance(&net->random, 50))
			net_see(net, &context, NET_OTHER, side, bytes, 0);
	}
	if (side && side->is_open && random_chance(&net->random, 3))
		net_see(net, &context, NET_SEND, side,
		        random_chance(&net->random, 50) ? 0 : -EAGAIN, 0);
	net->now = context.time;
}

static void task_start(struct net *net, struct net_task *task)
{
	struct net_op *op = &task->op[task->at];
	struct net_side *side = op->side;
	struct net_context context;

	task->is_running = true;
	if (op->kind == OP_THINK) {
		task->is_running = op->value < 10 * MS && random_chance(&net->random, 50);
		task->at++;
		if (task->at < task->count)
			net_wake_later(net, task, net->now + op->value);
		return;
	}
	task_distract(net, task, side);
	context = context_of(net, task, side);
	if (op->kind == OP_CONNECT) {
		side_open_start(net, side, &context);
		task->phase = AT_OPENING;
		task_wait(task, WAITS_OPEN);
	} else if (op->kind == OP_CLOSE || op->kind == OP_SHUTDOWN) {
		side_close(net, side, &context);
		task_next(net, task, context.time);
	} else if (op->kind == OP_PASS) {
		side->turn++;
		net_wake(net, side, WAITS_TURN, net->now);
		task_next(net, task, net->now);
	} else if (op->kind == OP_TURN) {
		if (side->turn >= op->value)
			task_next(net, task, net->now);
		else
			task_wait(task, WAITS_TURN);
	} else if (!side->is_open) {
		task_wait(task, WAITS_OPEN);
	} else if (op->kind == OP_TAKE && side->have >= op->value) {
		side->have -= op->value;
		task_next(net, task, net->now);
	} else {
		task->left = op->value;
		task->done = 0;
		task_go(net, task, AT_LOCK, context.time, 3000);
	}
}

static void task_lock(struct net *net, struct net_task *task)
{
	struct net_side *side = task->op[task->at].side;

	task->is_running = true;
	if (side->owner || side->busy > net->now) {
		task_go(net, task, AT_LOCK, nsec_max(net->now, side->busy), 3000);
		return;
	}
	side->owner = task;
	task_go(net, task, AT_WORK, net->now, 2000);
}

/* Copies what there is room for; if there is none, releases the lock and waits. */
static void task_send(struct net *net, struct net_task *task)
{
	struct net_side *side = task->op[task->at].side;
	struct net_context context = context_of(net, task, side);
	uint64_t used = side->written - side->acked;
	uint64_t space = side->send_buffer > used ? side->send_buffer - used : 0;
	uint64_t bytes = 1 + random_below(&net->random, 65536);

	if (space == 0 && !task->is_nonblocking) {
		side_push(net, side, &context, false);
		side_release(net, side, &context);
		task->phase = AT_LOCK;
		used = side->written - side->acked;
		if (used < side->send_buffer)
			net_wake_later(net, task, context.time + 1000);
		else
			task_wait(task, WAITS_SPACE);
		return;
	}
	if (bytes > space)
		bytes = space;
	if (bytes > task->left)
		bytes = task->left;
	side->written += bytes;
	if (bytes && !side->entered[task->number])
		side->entered[task->number] = context.time;
	task->left -= bytes;
	task->done += (int64_t)bytes;
	side_push(net, side, &context, task->left > 0 && bytes > 0);
	task_go(net, task, task->left > 0 && bytes > 0 ? AT_WORK : AT_UNLOCK, context.time, 5000);
}

static void task_take(struct net *net, struct net_task *task)
{
	struct net_side *side = task->op[task->at].side;
	struct net_context context = context_of(net, task, side);
	uint64_t bytes = side->arrived - side->taken;
	uint64_t wanted = task->op[task->at].value - side->have - (uint64_t)task->done;
	uint64_t most = side->is_shared || random_chance(&net->random, 40) ? wanted : 65536;

	if (random_chance(&net->random, 20))
		most = 1 + wanted / (2 + random_below(&net->random, 5));
	if (bytes > most)
		bytes = most;
	if (bytes && !task->has_peeked && random_chance(&net->random, 5)) {
		task->has_peeked = true;
		side_release(net, side, &context);
		net_see(net, &context, NET_TAKE, side, (int64_t)bytes, FLAG_PEEK);
		task_go(net, task, AT_LOCK, context.time, 5000);
		return;
	}
	side->taken += bytes;
	task->done += (int64_t)bytes;
	if (bytes)
		side_taken(net, side, &context);
	if (task->done == 0 || (task->waits_for_all && bytes < wanted)) {
		side_release(net, side, &context);
		if (task->is_nonblocking && task->done == 0)
			net_see(net, &context, NET_TAKE, side, -EAGAIN, 0);
		task->phase = AT_LOCK;
		if (side->arrived > side->taken)
			net_wake_later(net, task, context.time + 1000);
		else
			task_wait(task, WAITS_DATA);
		return;
	}
	task_go(net, task, AT_UNLOCK, context.time, 2000);
}

/* The return may be late, as the task can be preempted. */
static void task_unlock(struct net *net, struct net_task *task)
{
	struct net_side *side = task->op[task->at].side;
	struct net_context context = context_of(net, task, side);
	bool is_preempted = random_chance(&net->random, task->preempted);

	side_release(net, side, &context);
	task_go(net, task, AT_RETURN, context.time, is_preempted ? 3 * MS : 3000);
	task->is_running = !is_preempted;
}

static void task_return(struct net *net, struct net_task *task)
{
	struct net_op *op = &task->op[task->at];
	struct net_context context = context_of(net, task, NULL);
	bool is_send = op->kind == OP_SEND;

	task->is_running = true;
	net_see(net, &context, is_send ? NET_SEND : NET_TAKE, op->side,
	        task->done ? task->done : -EAGAIN, is_send ? 0 : task->waits_for_all ? 0x100 : 0);
	if (task->done && !op->side->seen[task->number])
		op->side->seen[task->number] = context.time;
	if (!is_send)
		op->side->have += (uint64_t)task->done;
	if (is_send && task->left > 0) {
		/* not blocking: again when there is room */
		op->value = task->left;
		task->phase = AT_NEXT;
		if (op->side->written - op->side->acked < op->side->send_buffer)
			net_wake_later(net, task, context.time + 2000);
		else
			task_wait(task, WAITS_SPACE);
	} else if (!is_send) {
		task->phase = AT_NEXT;
		net_wake_later(net, task, context.time + 1000);
	} else {
		task_next(net, task, context.time);
	}
}

void net_task_step(struct net *net, struct net_task *task)
{
	if (task->at >= task->count)
		return;
	if (task->phase == AT_NEXT) {
		task_start(net, task);
	} else if (task->phase == AT_OPENING) {
		task->is_running = true;
		task_next(net, task, net->now);
	} else if (task->phase == AT_LOCK) {
		task_lock(net, task);
	} else if (task->phase == AT_WORK) {
		if (task->op[task->at].kind == OP_SEND)
			task_send(net, task);
		else
			task_take(net, task);
	} else if (task->phase == AT_UNLOCK) {
		task_unlock(net, task);
	} else {
		task_return(net, task);
	}
}
