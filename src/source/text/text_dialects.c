/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_dialects.h"

#include <string.h>

#include "base/data/array.h"
#include "ftwait/event.h"
#include "text_value.h"

#define SYNC "tracing_mark_write: trace_event_clock_sync: "
#define NS_IN_MS UINT64_C(1000000)
/* The longest time from reading the clock to the time stamp of the mark. */
#define SYNC_MAX (10 * NS_IN_MS)

void text_clock_see(struct text_clock *clock, const struct text_head *head)
{
	struct text_line rest = head->rest;
	struct realtime *real = &clock->realtime;
	nsec_t time, step;
	int64_t ms;

	if (!line_skip(&rest, SYNC))
		return;
	if (line_skip(&rest, "parent_ts=") &&
	    text_value_seconds(line_word(&rest), &time, &step)) {
		if (time <= head->time + head->step && head->time - time < SYNC_MAX)
			clock->is_monotonic = true;
		else
			clock->is_other = true;
		return;
	}
	if (!line_skip(&rest, "realtime_ts="))
		return;
	ms = word_number(line_word(&rest), INT64_MAX / (int64_t)NS_IN_MS);
	if (ms <= 0 || (nsec_t)ms * NS_IN_MS > REALTIME_MAX || real->count == REALTIME_PAIRS_MAX ||
	    (real->count && head->time <= real->pair[real->count - 1].time))
		return;
	real->pair[real->count++] = (struct realtime_pair){
		.time = head->time,
		.real = (nsec_t)ms * NS_IN_MS,
		.within = NS_IN_MS,
	};
}

void text_clock_describe(const struct text_clock *clock, struct source *source)
{
	source->clock = clock->is_monotonic && !clock->is_other ? "mono" : NULL;
	source->notes.realtime = clock->realtime;
}

#define ADDRESS_DIGITS 16
#define KERNEL         (UINT64_C(1) << 63)

bool text_perf_see(struct text_perf *perf, struct text_head *head)
{
	perf->is_seen = true;
	if (head->tid < 0 && perf->behind[head->cpu])
		head->tid = perf->behind[head->cpu] - 1;
	return head->tid >= 0 || line_begins(head->rest, "sched_switch:");
}

void text_perf_follow(struct text_perf *perf, struct text_layout *layout, struct text_head *head)
{
	int32_t next;

	if (text_layout_follow(layout, head, &next) && next >= 0 && next < INT32_MAX)
		perf->behind[head->cpu] = next + 1;
}

void text_perf_header(struct text_line line, struct source *source, struct text_store *store)
{
	const struct {
		const char *begin, **to;
	} names[] = {
		{"# hostname : ", &source->notes.machine.host},
		{"# os release : ", &source->kernel},
		{"# arch : ", &source->arch},
	};
	int64_t cpus = line_skip(&line, "# nrcpus online : ") ? word_number(line, TEXT_CPUS_MAX)
	                                                      : 0;

	if (cpus > (int64_t)source->cpu_count)
		source->cpu_count = (unsigned)cpus;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!*names[i].to && line_skip(&line, names[i].begin))
			*names[i].to = text_store_add(store, line.at, line_length(line));
}

uint64_t text_perf_loss(const struct text_head *head)
{
	struct text_line rest = head->rest;
	int64_t count = line_skip(&rest, PERF_LOSS) ? word_number(line_word(&rest), INT64_MAX) : 0;

	return count > 0 ? (uint64_t)count : 0;
}

/* "\tffffffff821f8298 __schedule+0x618 ([kernel.kallsyms])" */
bool text_perf_frame(struct text_line line, struct text_symbols *symbols, uint64_t *ret_frame)
{
	static const char *const tracing[] = {"__traceiter_", "perf_trace_", "trace_event_"};
	bool has_tab = line_skip(&line, "\t"), is_taken;
	struct text_line word;
	uint64_t address;

	*ret_frame = 0;
	line_skip_blanks(&line);
	word = line_word(&line);
	/* names of tasks are shorter than addresses of the kernel */
	if (!word_hex(word, &address) || (!has_tab && line_length(word) != ADDRESS_DIGITS))
		return false;
	if (!(address & KERNEL) &&
	    !memmem(line.at, line_length(line), "([kernel", sizeof("([kernel") - 1))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(tracing); i++)
		if (line_begins(line, tracing[i]))
			return true;
	address = text_symbols_take(symbols, &line, &is_taken);
	*ret_frame = is_taken && address ? address + TEXT_SYMBOL_INSIDE : 0;
	return true;
}

/* These are called only between the entry and the exit of an interrupt; the function of the entry
   itself may go on with work of the task. */
bool text_perf_context(struct text_line line, struct text_head *head)
{
	static const struct {
		const char *begin;
		uint8_t flag;
	} rows[] = {
		{"__do_softirq", EVENT_SOFTIRQ},      {"handle_softirqs", EVENT_SOFTIRQ},
		{"hrtimer_interrupt", EVENT_HARDIRQ}, {"__handle_irq_event", EVENT_HARDIRQ},
		{"handle_irq_event", EVENT_HARDIRQ},  {"generic_handle_irq", EVENT_HARDIRQ},
		{"generic_handle_domain_irq", EVENT_HARDIRQ},
		{"__sysvec_", EVENT_HARDIRQ},         {"smp_apic_timer_", EVENT_HARDIRQ},
		{"irq_work_run", EVENT_HARDIRQ},      {"tick_handle_periodic", EVENT_HARDIRQ},
	};

	if (head->flags & (EVENT_HARDIRQ | EVENT_SOFTIRQ))
		return false;
	while (line.at < line.end && (*line.at == ' ' || *line.at == '\t'))
		line.at++;
	(void)line_word(&line); /* the address */
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (line_begins(line, rows[i].begin))
			head->flags |= rows[i].flag;
	return head->flags & EVENT_HARDIRQ;
}
