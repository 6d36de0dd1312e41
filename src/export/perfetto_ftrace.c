/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_ftrace.h"

#include <string.h>

#include "perfetto_file.h"
#include "words/atrace_mark.h"

#define STATE_ASLEEP 0x1u /* Perfetto reports a state without a name as an error */

uint64_t perfetto_state_bits(uint64_t letter)
{
	static const char letters[] = "RSD" "Tt" "XZPI"; /* letters of the bits from 4.14 on */
	static const uint16_t bits[] = {0, 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80};
	const char *at = letter ? strchr(letters, (int)letter) : NULL;

	return at ? bits[at - letters] : STATE_ASLEEP;
}

uint64_t perfetto_switch_bits(const struct sched_switch_event *event)
{
	return event->was_running ? PERFETTO_PREEMPTED : perfetto_state_bits(event->letter);
}

static void event_begin(struct proto_writer *to, nsec_t time, int64_t tid, uint32_t what)
{
	proto_begin(to, BUNDLE_EVENT);
	proto_number(to, FTRACE_TIMESTAMP, time);
	proto_number(to, FTRACE_PID, (uint32_t)tid);
	proto_begin(to, what);
}

static void event_end(struct proto_writer *to)
{
	proto_end(to); /* what happened */
	proto_end(to); /* when and where */
}

static void waking_put(struct proto_writer *to, int64_t wakee, int64_t cpu)
{
	proto_number(to, WAKE_PID, (uint32_t)wakee);
	proto_number(to, WAKE_SUCCESS, 1);
	proto_number(to, WAKE_TARGET_CPU, (uint64_t)cpu);
}

void perfetto_waking_put(struct proto_writer *to, const struct event *event)
{
	proto_begin(to, BUNDLE_EVENT);
	proto_number(to, FTRACE_TIMESTAMP, event->time);
	proto_number(to, FTRACE_PID, (uint32_t)event->tid);
	proto_number(to, FTRACE_FLAGS, event->flags);
	proto_begin(to, FTRACE_SCHED_WAKING);
	waking_put(to, event->wake.tid, event->wake.cpu);
	event_end(to);
}

void perfetto_waking_put_again(struct proto_writer *to, nsec_t time, int64_t tid, int64_t wakee,
                               int64_t cpu)
{
	event_begin(to, time, tid, FTRACE_SCHED_WAKING);
	waking_put(to, wakee, cpu);
	event_end(to);
}

static void prio_put(struct proto_writer *to, uint32_t field, int64_t priority)
{
	if (priority != PRIORITY_UNKNOWN)
		proto_number(to, field, (uint64_t)priority);
}

void perfetto_switch_put(struct proto_writer *to, nsec_t time,
                         const struct sched_switch_event *event)
{
	event_begin(to, time, event->prev_tid, FTRACE_SCHED_SWITCH);
	perfetto_text_put(to, SWITCH_PREV_COMM, &event->prev_comm);
	proto_number(to, SWITCH_PREV_PID, (uint32_t)event->prev_tid);
	prio_put(to, SWITCH_PREV_PRIO, event->prev_priority);
	proto_number(to, SWITCH_PREV_STATE, perfetto_switch_bits(event));
	perfetto_text_put(to, SWITCH_NEXT_COMM, &event->next_comm);
	proto_number(to, SWITCH_NEXT_PID, (uint32_t)event->next_tid);
	prio_put(to, SWITCH_NEXT_PRIO, event->next_priority);
	event_end(to);
}

void perfetto_bare_switch_put(struct proto_writer *to, nsec_t time, int64_t prev, uint64_t bits,
                              int64_t next)
{
	event_begin(to, time, prev, FTRACE_SCHED_SWITCH);
	proto_number(to, SWITCH_PREV_PID, (uint32_t)prev);
	proto_number(to, SWITCH_PREV_STATE, bits);
	proto_number(to, SWITCH_NEXT_PID, (uint32_t)next);
	event_end(to);
}

void perfetto_newtask_put(struct proto_writer *to, const struct event *wakeup_new,
                          uint64_t clone_flags)
{
	event_begin(to, wakeup_new->time, wakeup_new->tid, FTRACE_TASK_NEWTASK);
	proto_number(to, NEWTASK_PID, (uint32_t)wakeup_new->wake.tid);
	perfetto_text_put(to, NEWTASK_COMM, &wakeup_new->wake.comm);
	proto_number(to, NEWTASK_CLONE_FLAGS, clone_flags);
	event_end(to);
}

void perfetto_fork_put(struct proto_writer *to, const struct event *event)
{
	event_begin(to, event->time, event->tid, FTRACE_SCHED_PROCESS_FORK);
	proto_number(to, FORK_PARENT_PID, (uint32_t)event->process.other_tid);
	perfetto_text_put(to, FORK_CHILD_COMM, &event->process.comm);
	proto_number(to, FORK_CHILD_PID, (uint32_t)event->process.tid);
	event_end(to);
}

static void wakeup_put(struct proto_writer *to, const struct event *event, uint32_t what)
{
	event_begin(to, event->time, event->tid, what);
	perfetto_text_put(to, WAKE_COMM, &event->wake.comm);
	proto_number(to, WAKE_PID, (uint32_t)event->wake.tid);
	proto_number(to, WAKE_SUCCESS, 1);
	proto_number(to, WAKE_TARGET_CPU, (uint64_t)event->wake.cpu);
	event_end(to);
}

void perfetto_wakeup_put(struct proto_writer *to, const struct event *event)
{
	wakeup_put(to, event, FTRACE_SCHED_WAKEUP);
}

void perfetto_wakeup_new_put(struct proto_writer *to, const struct event *event)
{
	wakeup_put(to, event, FTRACE_SCHED_WAKEUP_NEW);
}

void perfetto_rename_put(struct proto_writer *to, const struct event *event)
{
	event_begin(to, event->time, event->tid, FTRACE_TASK_RENAME);
	proto_number(to, RENAME_PID, (uint32_t)event->process.tid);
	perfetto_text_put(to, RENAME_NEWCOMM, &event->process.comm);
	event_end(to);
}

void perfetto_free_put(struct proto_writer *to, const struct event *event)
{
	event_begin(to, event->time, event->tid, FTRACE_SCHED_PROCESS_FREE);
	proto_number(to, FREE_PID, (uint32_t)event->process.tid);
	event_end(to);
}

static void power_put(struct proto_writer *to, const struct event *event, uint32_t what,
                      uint64_t state, uint64_t cpu)
{
	event_begin(to, event->time, event->tid, what);
	proto_number(to, POWER_STATE, (uint32_t)state);
	proto_number(to, POWER_CPU_ID, (uint32_t)cpu);
	event_end(to);
}

void perfetto_idle_put(struct proto_writer *to, const struct event *event)
{
	power_put(to, event, FTRACE_CPU_IDLE, (uint64_t)event->idle.state, event->cpu);
}

void perfetto_frequency_put(struct proto_writer *to, const struct event *event)
{
	power_put(to, event, FTRACE_CPU_FREQUENCY, event->frequency.khz, event->frequency.cpu);
}

void perfetto_suspend_put(struct proto_writer *to, const struct event *event)
{
	if (event->suspend.action.length == 0)
		return;
	event_begin(to, event->time, event->tid, FTRACE_SUSPEND_RESUME);
	perfetto_text_put(to, SUSPEND_ACTION, &event->suspend.action);
	proto_number(to, SUSPEND_VALUE, (uint64_t)event->suspend.value);
	proto_number(to, SUSPEND_START, event->suspend.is_begin != 0);
	event_end(to);
}

/* Perfetto turns marks of these kinds into slices and counters, and counts others as errors. */
void perfetto_mark_put(struct proto_writer *to, const struct event *event)
{
	struct text text = event->mark.text;
	struct atrace_mark mark;

	if (!atrace_mark_parse(text, &mark))
		return;
	text.length = (uint32_t)strnlen(text.at, text.length);
	while (text.at[text.length - 1] == '\n')
		text.length--;
	event_begin(to, event->time, event->tid, FTRACE_PRINT);
	perfetto_text_put(to, PRINT_BUF, &text);
	event_end(to);
}

void perfetto_wakings_release(struct perfetto_wakings *wakings)
{
	for (size_t i = 0; i < WAKING_COLUMNS; i++)
		proto_release(&wakings->column[i]);
	proto_release(&wakings->strings);
}

void perfetto_wakings_clear(struct perfetto_wakings *wakings)
{
	for (size_t i = 0; i < WAKING_COLUMNS; i++)
		proto_clear(&wakings->column[i]);
	proto_clear(&wakings->strings);
	wakings->string_count = 0;
	wakings->last_comm = 0;
	wakings->last = 0;
}

/* The index of the name. Only the last name is looked up, as equal names come in runs: to write a
   name again costs less than a table. */
static uint32_t string_add(struct perfetto_wakings *wakings, const struct text *comm)
{
	size_t length = comm->length ? strnlen(comm->at, comm->length) : 0;
	char text[sizeof(wakings->last_text)] = "";

	memcpy(text, comm->at, length < sizeof(text) ? length : sizeof(text));
	if (wakings->last_comm && memcmp(text, wakings->last_text, sizeof(text)) == 0)
		return wakings->last_comm - 1;
	memcpy(wakings->last_text, text, sizeof(text));
	perfetto_text_put(&wakings->strings, COMPACT_STRING, comm);
	wakings->last_comm = ++wakings->string_count;
	return wakings->last_comm - 1;
}

void perfetto_wakings_add(struct perfetto_wakings *wakings, const struct event *event)
{
	/* the time of the first wake-up is relative to 0 */
	const uint64_t values[WAKING_COLUMNS] = {
		[WAKING_TIME] = event->time - wakings->last,
		[WAKING_TID] = (uint32_t)event->wake.tid,
		[WAKING_CPU] = (uint64_t)event->wake.cpu,
		[WAKING_COMM] = string_add(wakings, &event->wake.comm),
		[WAKING_FLAGS] = event->flags,
	};

	for (size_t i = 0; i < WAKING_COLUMNS; i++)
		proto_packed(&wakings->column[i], values[i]);
	wakings->last = event->time;
}

void perfetto_wakings_put(const struct perfetto_wakings *wakings, struct proto_writer *to)
{
	if (perfetto_wakings_bytes(wakings) == 0)
		return;
	proto_begin(to, BUNDLE_COMPACT_SCHED);
	proto_raw(to, wakings->strings.byte, wakings->strings.length);
	for (uint32_t i = 0; i < WAKING_COLUMNS; i++)
		proto_bytes(to, COMPACT_WAKING_TIMESTAMP + i, wakings->column[i].byte,
		            wakings->column[i].length);
	proto_end(to);
}
