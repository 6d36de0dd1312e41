/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes as a stream of typed events, of any kind, task, CPU, time and content, with losses between:
 * through the machine, then all views of it in every form, twice as JSON. Numbers are mostly small,
 * so that tasks, objects and CPUs meet; the machine asserts that its spans tile, the views that
 * theirs do.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "catalog/tracepoint.h"
#include "engine/report_run.h"
#include "fuzz_target.h"
#include "state/core/machine.h"

#define KNOWN_TASKS 6
#define EVENTS_MAX  4096

/* What is left of the input; zeros behind its end. */
struct input {
	const uint8_t *at;
	size_t left;
};

static uint8_t take(struct input *input)
{
	if (input->left == 0)
		return 0;
	input->left--;
	return *input->at++;
}

static uint64_t take_wide(struct input *input)
{
	uint64_t wide = 0;

	for (size_t i = 0; i < sizeof(wide); i++)
		wide = wide << 8 | take(input);
	return wide;
}

/* Below 16 as a rule; else any. */
static uint64_t take_number(struct input *input)
{
	uint8_t way = take(input);

	if (way < 0xf0)
		return way & 0xf;
	return way == 0xff ? take_wide(input) : take(input) * (uint64_t)way;
}

/* Of fields of 32 bits; 0 is idle. */
static int64_t take_tid(struct input *input)
{
	uint8_t way = take(input);

	return way < 0xfc ? way & 0x7 : (int32_t)take_wide(input);
}

static struct text take_text(struct input *input)
{
	static const char *const texts[] = {
		"a", "b", "kworker/0:1", "ksoftirqd/0", "irq/16-x", "rcu_preempt", "W", "RA",
		"lo", "eth0", "ktimers/1", "migration/0", "swapper/0", "", "N", "FF",
	};
	uint8_t way = take(input);
	struct text text = {texts[way & 0xf], (uint32_t)strlen(texts[way & 0xf])};

	if (way < 0xf0)
		return text;
	text.length = (uint32_t)(input->left < (way & 0xfu) ? input->left : way & 0xfu);
	text.at = (const char *)input->at;
	input->at += text.length;
	input->left -= text.length;
	return text;
}

static void take_switch(struct input *input, struct event *event)
{
	static const char letters[] = "RSDTtXZPI?";
	struct sched_switch_event *to = &event->sched_switch;
	uint8_t way = take(input);

	to->prev_tid = way & 1 ? take_tid(input) : event->tid;
	to->next_tid = take_tid(input);
	to->prev_comm = take_text(input);
	to->next_comm = take_text(input);
	to->letter = (uint64_t)letters[(way >> 1) % (sizeof(letters) - 1)];
	to->was_running = way > 0xf0;
	to->raw_state = take_number(input);
	to->prev_priority = to->next_priority = way & 0x20 ? take(input) : 120;
}

static void take_wake(struct input *input, struct event *event)
{
	uint8_t way = take(input);

	event->wake = (struct sched_wake_event){take_tid(input), (int32_t)take_number(input),
	                                        take_text(input),
	                                        .priority = way & 1 ? take(input) : 120};
}

static void take_pi_setprio(struct input *input, struct event *event)
{
	event->pi_setprio = (struct pi_setprio_event){take_tid(input), take(input),
	                                              (int64_t)take_number(input)};
	if (event->pi_setprio.old_priority & 1)
		event->pi_setprio.new_priority = take(input);
}

static void take_migrate(struct input *input, struct event *event)
{
	event->migrate = (struct sched_migrate_event){take_tid(input),
	                                              (int32_t)take_number(input)};
}

static void take_process(struct input *input, struct event *event)
{
	event->process = (struct process_event){
		.tid = take_tid(input),
		.other_tid = take_tid(input),
		.comm = take_text(input),
		.clone_flags = take_number(input) << 12,
	};
}

static void take_irq(struct input *input, struct event *event)
{
	event->irq = (struct irq_event){(int32_t)take_number(input), take_text(input)};
}

static void take_ipi(struct input *input, struct event *event)
{
	event->ipi.reason = take_text(input);
	event->ipi.targets = take_text(input);
	event->ipi.mask = take_text(input);
}

static void take_timer(struct input *input, struct event *event)
{
	event->timer = (struct timer_event){
		.timer = take_number(input),
		.function = take_number(input),
		.soft_expires = take_number(input),
		.expires = take_number(input),
		.mode = take_number(input),
		.now = take_number(input),
	};
}

static void take_block(struct input *input, struct event *event)
{
	event->block = (struct block_event){
		.dev = take_number(input) << 20,
		.sector = take_number(input) * 8,
		.sectors = take_number(input),
		.bytes = take_number(input),
		.rwbs = take_text(input),
		.from_dev = (uint64_t)(event->kind & 1) << 20,
		.error = -(int64_t)(take(input) & 7),
	};
}

static void take_net(struct input *input, struct event *event)
{
	event->net = (struct net_event){take_number(input), take_number(input),
		                                 take_text(input), 0};
}

static void take_drop(struct input *input, struct event *event)
{
	event->drop = (struct drop_event){take_number(input), take_text(input),
	                                  take_number(input), take(input)};
}

static void take_socket(struct input *input, struct event *event)
{
	event->socket = (struct socket_event){
		.socket = take_number(input),
		.state = take_number(input),
		.local_port = take_number(input),
		.peer_port = take_number(input),
		.peer = take_text(input),
	};
}

static void take_transfer(struct input *input, struct event *event)
{
	event->transfer = (struct transfer_event){
		take_number(input), take(input) & 1 ? 2 : 10, take(input) & 1 ? 6 : 17,
		(int64_t)take_number(input), take(input)};
}

static void take_work(struct input *input, struct event *event)
{
	event->work = (struct work_event){take_number(input), take_number(input)};
}

static void take_signal(struct input *input, struct event *event)
{
	event->signal = (struct signal_event){(int32_t)take_number(input), take_tid(input),
	                                      take(input) & 3,
	                                      take_number(input)};
}

static void take_lock(struct input *input, struct event *event)
{
	event->lock = (struct lock_event){take_number(input), take_number(input),
	                                  take(input) & 1};
}

static void take_memory(struct input *input, struct event *event)
{
	event->memory = (struct memory_event){
		.what = take(input) % MEMORY_WHAT_COUNT,
		.pause = (int32_t)take_number(input),
		.pages = take_number(input),
		.bdi = take_text(input),
	};
}

static struct futex_call take_futex_call(struct input *input)
{
	struct futex_call call = {.op = take(input) & 15};

	call.wakes = take(input) & 3;
	call.moves = take(input) & 3;
	call.to = take_number(input);
	return call;
}

static void take_futex(struct input *input, struct event *event)
{
	event->futex = (struct futex_event){
		.address = take_number(input),
		.call = take_futex_call(input),
		.result = take(input) & 3,
	};
}

/* Addresses of either size, innermost first, cut off anywhere. */
static void take_stack(struct input *input, struct event *event)
{
	static uint64_t frames[16];
	uint8_t way = take(input);

	for (size_t i = 0; i < ARRAY_SIZE(frames); i++)
		frames[i] = i < (way & 0xfu) ? take_number(input) : 0;
	event->stack.count = way > 0xf0 ? take_wide(input) : way & 0xf;
	event->stack.frames = (struct text){(const char *)frames, (way & 0xfu) * 8u - (way >> 7)};
	if ((way & 0xf) == 0)
		event->stack.frames.length = 0;
}

static void take_user_stack(struct input *input, struct event *event)
{
	take_stack(input, event);
	event->stack.tgid = take_tid(input);
}

static void take_blocked(struct input *input, struct event *event)
{
	event->blocked = (struct blocked_event){take_tid(input), take_number(input),
	                                        take(input) & 1};
}

static void take_syscall(struct input *input, struct event *event)
{
	static uint64_t arguments[6];
	uint8_t number = take(input);
	struct futex_call call;

	event->syscall = (struct syscall_event){
		.number = number == 0xff ? (int64_t)take_wide(input) : number * 2,
		.argument = take_number(input),
		.result = (int64_t)take_number(input),
	};
	if (number != 0xca / 2) /* futex of x86_64 */
		return;
	call = take_futex_call(input);
	arguments[1] = call.op;
	arguments[2] = call.wakes;
	arguments[3] = call.moves;
	arguments[4] = call.to;
	event->syscall.arguments = (struct text){(const char *)arguments, sizeof(arguments)};
}

static void take_cgroup(struct input *input, struct event *event)
{
	uint64_t id = take_number(input), is_frozen = take(input) & 1;

	event->cgroup = (struct cgroup_event){.id = id, .is_frozen = is_frozen,
	                                      .path = take_text(input)};
}

static void take_suspend(struct input *input, struct event *event)
{
	static const char *const actions[] = {
		"freeze_processes", "thaw_processes", "machine_suspend", "syscore_resume",
		"dpm_resume_noirq", "suspend_enter", "", "CPU_ON",
	};
	uint8_t way = take(input);
	const char *action = actions[way & 7];

	event->suspend = (struct suspend_event){
		.action = {action, (uint32_t)strlen(action)}, .is_begin = way >> 3 & 1,
	};
}

/* Few tasks and hierarchies, so that moves meet. */
static void take_attach(struct input *input, struct event *event)
{
	uint8_t way = take(input);

	event->cgroup = (struct cgroup_event){.tid = (way & 15) - 1, .hierarchy = way >> 4 & 3,
	                                      .path = take_text(input)};
}

/* With newlines, NULs and whatever else at its end. */
static void take_mark(struct input *input, struct event *event)
{
	event->mark = (struct mark_event){take_text(input), take_number(input)};
}

/* Few files, so that the locks of one meet. */
static void take_file_lock(struct input *input, struct event *event)
{
	uint8_t way = take(input);

	event->file_lock = (struct file_lock_event){way & 1, way >> 1 & 1, way >> 2 & 3,
	                                            (way >> 4 & 3) - 1, way >> 6, 3};
}

/* Few paths, or none, of few calls, which take_syscall() makes, too. */
static void take_path(struct input *input, struct event *event)
{
	static const char *const paths[] = {"", "/a", "/b\n", "./c"};
	uint8_t way = take(input);

	event->path.number = take(input);
	event->path.path = (struct text){paths[way & 3], (uint32_t)strlen(paths[way & 3])};
	event->path.to = (struct text){paths[way >> 2 & 3], (uint32_t)strlen(paths[way >> 2 & 3])};
}

/* Few files, of which some are on no block device, with few pages. */
static void take_file(struct input *input, struct event *event)
{
	uint8_t way = take(input);

	event->file = (struct file_event){(uint64_t)(way & 3) << 20, way >> 2 & 3, way >> 4};
}

static void take_mmap_lock(struct input *input, struct event *event)
{
	uint8_t way = take(input);

	event->mmap_lock = (struct mmap_lock_event){way & 1, way >> 1 & 1, way >> 2 & 1};
}

/* Of other kinds: what the catalog says that their tracepoints have. */
static void take_fields(struct input *input, struct event *event)
{
	TRACEPOINT_EACH(row) {
		if (row->kind != event->kind)
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(row->field) && row->field[i].name; i++) {
			void *target = (char *)event + row->field[i].target;

			if (row->field[i].is_text)
				*(struct text *)target = take_text(input);
			else
				*(uint64_t *)target = take_number(input);
		}
	}
}

/* What is better made up with knowledge of what it means; NULL: by take_fields(). */
static void (*const take_kind[EVENT_KIND_COUNT])(struct input *input, struct event *event) = {
	[EVENT_SCHED_SWITCH] = take_switch,    [EVENT_SCHED_WAKING] = take_wake,
	[EVENT_SCHED_WAKEUP] = take_wake,      [EVENT_SCHED_WAKEUP_NEW] = take_wake,
	[EVENT_SCHED_MIGRATE] = take_migrate,  [EVENT_PI_SETPRIO] = take_pi_setprio,
	[EVENT_PROCESS_FORK] = take_process,
	[EVENT_PROCESS_EXEC] = take_process,   [EVENT_PROCESS_EXIT] = take_process,
	[EVENT_PROCESS_FREE] = take_process,   [EVENT_PROCESS_WAIT] = take_process,
	[EVENT_NEWTASK] = take_process,
	[EVENT_TASK_RENAME] = take_process,    [EVENT_IRQ_ENTRY] = take_irq,
	[EVENT_IRQ_EXIT] = take_irq,           [EVENT_SOFTIRQ_RAISE] = take_irq,
	[EVENT_SOFTIRQ_ENTRY] = take_irq,      [EVENT_SOFTIRQ_EXIT] = take_irq,
	[EVENT_IPI_ENTRY] = take_ipi,          [EVENT_IPI_EXIT] = take_irq,
	[EVENT_IPI_RAISE] = take_ipi,
	[EVENT_HRTIMER_START] = take_timer,    [EVENT_HRTIMER_ENTRY] = take_timer,
	[EVENT_HRTIMER_EXIT] = take_timer,     [EVENT_TIMER_START] = take_timer,
	[EVENT_TIMER_ENTRY] = take_timer,      [EVENT_TIMER_EXIT] = take_timer,
	[EVENT_BLOCK_QUEUE] = take_block,      [EVENT_BLOCK_INSERT] = take_block,
	[EVENT_BLOCK_ISSUE] = take_block,      [EVENT_BLOCK_REQUEUE] = take_block,
	[EVENT_BLOCK_COMPLETE] = take_block,   [EVENT_BLOCK_DERIVE] = take_block,
	[EVENT_NET_ARRIVE] = take_net,         [EVENT_NET_RECEIVE] = take_net,
	[EVENT_NET_QUEUE] = take_net,          [EVENT_NAPI_POLL] = take_net,
	[EVENT_NET_DEQUEUE] = take_net,        [EVENT_NET_CROSS] = take_net,
	[EVENT_NET_ROUTE] = take_socket,
	[EVENT_SOCKET_STATE] = take_socket,    [EVENT_SOCKET_RECEIVE] = take_socket,
	[EVENT_SOCKET_READY] = take_socket,    [EVENT_SOCKET_RETRANSMIT] = take_socket,
	[EVENT_SOCKET_RESET] = take_socket,    [EVENT_NET_DROP] = take_drop,
	[EVENT_SOCKET_SEND] = take_transfer,   [EVENT_SOCKET_TAKE] = take_transfer,
	[EVENT_CGROUP_FREEZE] = take_cgroup,   [EVENT_CGROUP_UNFREEZE] = take_cgroup,
	[EVENT_CGROUP_ATTACH] = take_attach,
	[EVENT_CGROUP_FROZEN] = take_cgroup,   [EVENT_WORK_QUEUE] = take_work,
	[EVENT_SUSPEND] = take_suspend,
	[EVENT_WORK_START] = take_work,        [EVENT_WORK_END] = take_work,
	[EVENT_SIGNAL_GENERATE] = take_signal, [EVENT_SIGNAL_DELIVER] = take_signal,
	[EVENT_OOM_VICTIM] = take_process, [EVENT_LOCK_BEGIN] = take_lock,
	[EVENT_LOCK_END] = take_lock,          [EVENT_LOCK_RELEASE] = take_lock,
	[EVENT_MEMORY_BEGIN] = take_memory,    [EVENT_MEMORY_END] = take_memory,
	[EVENT_MEMORY_THROTTLE] = take_memory, [EVENT_MEMORY_THROTTLED] = take_memory,
	[EVENT_FUTEX_ENTER] = take_futex,
	[EVENT_FUTEX_EXIT] = take_futex,       [EVENT_STACK] = take_stack,
	[EVENT_BLOCKED_REASON] = take_blocked, [EVENT_SYSCALL_ENTER] = take_syscall,
	[EVENT_SYSCALL_EXIT] = take_syscall,   [EVENT_MARK] = take_mark,
	[EVENT_MARK_RAW] = take_mark,          [EVENT_FLOCK] = take_file_lock,
	[EVENT_POSIX_LOCK] = take_file_lock,   [EVENT_POSIX_LOCK_END] = take_file_lock,
	[EVENT_MMAP_LOCK_ASK] = take_mmap_lock, [EVENT_MMAP_LOCK_GOT] = take_mmap_lock,
	[EVENT_MMAP_LOCK_RELEASE] = take_mmap_lock, [EVENT_USER_STACK] = take_user_stack,
	[EVENT_SYSCALL_PATH] = take_path,
	[EVENT_FILE_ADD] = take_file,          [EVENT_FILE_DIRTY] = take_file,
	[EVENT_FILE_SYNC] = take_file,         [EVENT_FILE_SYNC_END] = take_file,
	[EVENT_FILE_SYNC_CALL] = take_file,
};

/* Steps of nothing, of some ns, of any length; back, too. Below 2^62, as sources give them. */
static nsec_t take_time(struct input *input, nsec_t now)
{
	uint8_t way = take(input);
	nsec_t step = way < 0xe0 ? way : (nsec_t)take(input) << (way & 0x1f);

	if (way >= 0xfc)
		return now - (step < now ? step : now);
	return now + step < (UINT64_C(1) << 62) ? now + step : now;
}

/* Of the buffer of stacks: mostly what that has, now and then what nobody puts there. */
static enum event_kind sample_kind(unsigned kind)
{
	static const enum event_kind kinds[] = {
		EVENT_SCHED_SWITCH, EVENT_HRTIMER_ENTRY, EVENT_STACK, EVENT_USER_STACK,
		EVENT_USER_STACK,   EVENT_USER_STACK,    EVENT_STACK,
	};

	return kind % 8 < ARRAY_SIZE(kinds) ? kinds[kind % 8] : (enum event_kind)kind;
}

static void take_event(struct input *input, struct machine *machine, nsec_t *now, nsec_t *last)
{
	static const uint8_t flags[] = {
		0, 0, 0, 0, EVENT_HARDIRQ, EVENT_SOFTIRQ, EVENT_HARDIRQ | EVENT_SOFTIRQ, EVENT_NMI,
	};
	unsigned kind = take(input) % (EVENT_KIND_COUNT + 1u);
	uint8_t way = take(input);
	struct event event = {.cpu = way & 3, .flags = flags[way >> 2 & 7]};
	bool is_sample = (way & 0xe0) == 0x80;

	*now = take_time(input, *now);
	*last = nsec_max(*last, *now);
	event.time = *now;
	if (way & 0x20)
		event.flags |= way & 0x40 ? EVENT_BH_OFF : EVENT_IRQS_OFF;
	if (way == 0xff)
		event.cpu = (uint32_t)take(input) << 8;
	if (kind == EVENT_KIND_COUNT) {
		nsec_t begin = *last, end = take_time(input, *last);

		machine_gap(machine, event.cpu, begin, nsec_max(begin, end),
		            /* has_switches= */ take(input) & 1);
		return;
	}
	event.kind = is_sample ? sample_kind(kind) : (enum event_kind)kind;
	event.tid = take_tid(input);
	(take_kind[event.kind] ? take_kind[event.kind] : take_fields)(input, &event);
	if (is_sample)
		machine_sample(machine, &event);
	else
		machine_event(machine, &event);
}

static const char *symbol_find(void *unused, uint64_t address)
{
	static const char *const names[] = {
		"schedule", "futex_wait_queue", "__mutex_lock.constprop.0", "hrtimer_wakeup",
		"process_timeout", "delayed_work_timer_fn", "do_swap_page", "worker_thread",
		"rcu_gp_kthread", "io_schedule", "ep_poll", "tick_sched_timer", "vfs_read",
		"filemap_fault", NULL, "wb_workfn", "sched_cfs_period_timer", "do_nanosleep",
		"anon_pipe_read", "__refrigerator", "blk_throtl_dispatch_work_fn",
		"throtl_pending_timer_fn", "rcu_sr_normal_gp_cleanup_work", "inet_stream_connect",
		"dl_task_timer", "try_to_free_pages",
	};

	(void)unused;
	return names[address % ARRAY_SIZE(names)];
}

/* Maps that change with time; of some tasks nothing is known. */
static bool user_function(void *unused, int32_t tgid, nsec_t time, uint64_t address,
                          bool is_return, struct buffer *to)
{
	(void)unused;
	if (tgid < 1 || tgid > 4 || address % 16 == 13)
		return false;
	buffer_printf(to, "user%u", (unsigned)((address + time / 64 - is_return) % 16));
	return true;
}

static bool user_file(void *unused, int32_t tgid, nsec_t time, uint64_t address, bool is_return,
                      struct buffer *to)
{
	(void)unused;
	(void)tgid;
	(void)time;
	(void)is_return;
	buffer_printf(to, "file%u", (unsigned)(address & 3));
	return address & 1;
}

static bool user_variable(void *unused, int32_t tgid, nsec_t time, uint64_t address,
                          struct buffer *to)
{
	(void)unused;
	(void)time;
	buffer_printf(to, "of_%d+0x%x", (int)tgid, (unsigned)(address & 0xff));
	return address & 1;
}

static uint64_t user_period(void *unused, int32_t tgid, nsec_t time)
{
	(void)unused;
	(void)tgid;
	return time / 64;
}

/* What the trace says of itself. */
/* Its events come from the input, and cannot be read again. */
static const struct source_ops no_ops = {.name = "none"};

static void take_source(struct input *input, struct source *source)
{
	static struct known_task tasks[KNOWN_TASKS];
	static const int32_t pids[] = {1, 2};
	static const char *const kernels[] = {NULL, "6.1.0", "5.10.1", "4.14.20", "3.18.0"};
	static const char *const machines[] = {NULL, "x86_64", "armv7l", "s390x", "alpha"};
	static const char states[] = "\0RSDTtXZPI";
	static const struct source_cgroup cgroups[] = {{0, "/"}, {0, "/a.service"}, {3, "/b"}};
	/* parents of one another, and tids that are used again */
	static const struct known_process processes[] = {
		{1, 4, 1, 0}, {2, 1, 0, 0}, {3, 2, 2, 40}, {4, 3, SOURCE_CGROUP_NONE, NSEC_NEVER},
		{5, 1, 1, NSEC_NEVER},
	};
	uint8_t way = take(input);

	*source = (struct source){
		.ops = &no_ops,
		.long_bytes = way & 1 ? 4 : 8,
		.is_big_endian = way & 2,
		.cpu_count = 4,
		.stacks_buffer = UINT32_MAX,
		.notes.command.pid = way & 4 ? 1 : 0,
		.notes.pids.item = pids,
		.notes.pids.count = way & 8 ? ARRAY_SIZE(pids) : 0,
		.kernel = kernels[take(input) % ARRAY_SIZE(kernels)],
		.arch = machines[take(input) % ARRAY_SIZE(machines)],
		.notes.tasks.item = tasks,
		.notes.tasks.count = way >> 4 < KNOWN_TASKS ? way >> 4 : KNOWN_TASKS,
		.notes.hierarchies.item = {0, 3},
		.notes.hierarchies.count = way & 16 ? 2 : 0,
		.notes.cgroups.item = cgroups,
		.notes.cgroups.count = ARRAY_SIZE(cgroups),
		.notes.processes.item = processes,
		.notes.processes.count = way & 32 ? ARRAY_SIZE(processes) : 0,
		.notes.target_cgroups.item = {"a.service"},
		.notes.target_cgroups.count = way & 64 ? 1 : 0,
	};
	for (size_t i = 0; i < source->notes.tasks.count; i++) {
		uint8_t reported = take(input);

		tasks[i] = (struct known_task){
			.tid = reported & 7,
			.tgid = (reported >> 3 & 7) - 1,
			.comm = "known",
			.state = states[take(input) % (sizeof(states) - 1)],
			.is_still_so = reported & 0x40,
			.is_kernel = reported & 0x80,
		};
	}
}

static struct asked take_asked(struct input *input, bool *ret_no_submitters)
{
	static const char *const sorts[] = {NULL, "count", "max", "delay", "running"};
	static const int32_t tids[] = {1, 3};
	struct asked asked = ASKED_EVERYTHING;
	uint8_t way = take(input);

	asked.tids.number = tids;
	asked.tids.count = way & 1 ? ARRAY_SIZE(tids) : 0;
	asked.is_all = way & 2;
	asked.from = way & 4 ? take(input) : NSEC_NEVER;
	asked.to = way & 8 ? take_number(input) << 6 : NSEC_NEVER;
	asked.fold_limit = way & 16 ? 1 + take(input) : 0;
	asked.sort = sorts[take(input) % ARRAY_SIZE(sorts)];
	asked.by_group = way & 2;
	*ret_no_submitters = way & 32;
	if (way & 64)
		asked.kinds = (uint32_t)take_wide(input) & KIND_MASK_ALL;
	asked.min = way & 128 ? take(input) : 0;
	return asked;
}

/* What is asserted of intervals is the machine's; here they only must make sense. */
static void check_interval(void *state, const struct interval *interval)
{
	nsec_t *last = state;

	assert(interval->end >= *last && interval_started(interval) <= interval->end);
	*last = interval->end;
}

static void run_feed(struct report_run *run, struct input *input)
{
	struct span_sink sinks[REPORT_VIEWS_MAX];
	nsec_t last_end = 0;
	struct machine_setup setup = {
		.source = run->loaded->source,
		.symbol = symbol_find,
		.symbol_within = symbol_find,
		.user_function = user_function,
		.user_file = user_file,
		.user_period = user_period,
		.user_variable = user_variable,
		.has_afterwords = take(input) & 1,
		.timeline = &run->timeline,
		.health = &run->health,
		.sinks = sinks,
		.sink_count = report_run_begin(run, sinks),
	};
	struct machine *machine;
	nsec_t begin = take(input), now = begin, last = begin;

	run->interval_sink[run->interval_sink_count++] = (struct interval_sink){
		.on_interval = check_interval,
		.state = &last_end,
		.kinds = INTERVAL_MASK_ALL,
	};
	setup.interval_sinks = run->interval_sink;
	setup.interval_sink_count = run->interval_sink_count;
	machine = machine_new(&setup);
	machine_begin(machine, begin);
	for (unsigned i = 0; i < EVENTS_MAX && input->left; i++)
		take_event(input, machine, &now, &last);
	machine_end(machine, last);
	run->timeline.begin = begin;
	run->timeline.end = last;
	machine_free(machine);
	report_run_end(run);
}

/* To be freed. */
static char *shown(struct report_run *run, const struct presenter *presenter)
{
	char *text = NULL;
	size_t length;
	struct report_form form = {
		.out = open_memstream(&text, &length),
		.presenter = presenter,
		.options = {.top = 3},
		.file = "fuzz",
	};

	assert(form.out);
	report_run_show(run, &form);
	(void)fclose(form.out);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input input = {bytes, size};
	struct source source;
	struct asked asked;
	struct loaded loaded;
	struct report_run run;
	bool no_submitters;
	char *first, *again;

	take_source(&input, &source);
	asked = take_asked(&input, &no_submitters);
	loaded_init(&loaded, &source);
	report_run_init(&run, &loaded, &asked);
	run.no_submitters = no_submitters;
	for (size_t i = 0; analyses[i]; i++)
		report_run_ask(&run, analyses[i]);
	run_feed(&run, &input);
	first = shown(&run, presenter_find("json"));
	for (size_t i = 0; presenters[i]; i++)
		free(shown(&run, presenters[i]));
	again = shown(&run, presenter_find("json"));
	assert(strcmp(first, again) == 0);
	free(first);
	free(again);
	report_run_release(&run);
	return 0;
}
