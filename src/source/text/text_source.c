/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "ftwait/event.h"
#include "source/source_notes.h"
#include "text_dialects.h"
#include "text_head.h"
#include "text_layout.h"
#include "text_probe.h"
#include "text_reader.h"
#include "text_tables.h"
#include "text_unread.h"
#include "text_value.h"

#define PROBE_HEAD_BYTES 1024
#define PROBE_FILE_BYTES (64u << 20)
#define PIECE_BYTES      (64u << 10) /* read whenever a queue is empty */
#define NO_STREAM        UINT32_MAX
#define NS_IN_US         1000
#define REST_MS          20 /* of a trace_pipe: each read makes events */

/* One CPU. */
struct text_stream {
	struct text_queue queue;
	struct record heartbeat; /* the last one that was returned */
};

/* The stack trace that is being read, one frame per line. */
struct text_stack {
	bool is_open, is_user;
	bool is_of_wakeup; /* of perf script: the frames show in which context it was */
	struct text_head head; /* is_perf: the frames are those of perf script */
	uint64_t frame[TEXT_STACK_FRAMES];
	size_t count;
	uint8_t record[TEXT_RECORD_BYTES]; /* of that wake-up, which was counted */
	size_t bytes;
};

/* Facts about the whole text, found in the first of two passes. */
struct text_facts {
	bool has_tgid, has_flags, is_html;
	bool is_of_atrace; /* its first lines say so */
	nsec_t step;
	bool is_cut; /* the end of its last line is missing */
	bool ends_open; /* its last line is an event without a newline */
	uint64_t events, other_lines, long_lines;
	uint64_t in_buffer, written; /* entries, as the comment lines at the begin say */
	uint64_t cpus;               /* as these lines say; 0: they do not */
	struct text_unread unread;
	struct text_clock clock;
};

/* Of text that is read while it is written. */
struct text_live {
	struct live_input input;
	nsec_t first;            /* time of the first event */
	nsec_t reached;          /* nothing before it is still to come */
	bool is_reached_due;     /* on_reached() was not called for that */
	bool has_far_cpus;       /* some from TEXT_LIVE_CPUS on have events */
	struct text_store notes; /* they are made anew, as more is known */
	/* Tasks of which the process is known since the opening; the first ones by events of which
	   the time was reached. */
	struct known_task *task;
	size_t task_count, task_capacity, tasks_reached;
};

struct text_source {
	struct source source; /* first member: text_ops cast it back */
	struct input_file file;
	struct text_live *live; /* NULL: it is a file, which is read twice */
	struct text_store text;
	struct text_reader reader;
	struct text_layout *layout;
	struct text_symbols symbols;
	struct text_tasks tasks;
	struct text_ps ps;
	struct text_facts facts;
	struct text_stack stack;
	struct text_context context;
	struct text_perf perf;
	struct text_legend legend;
	/* of each CPU, in the output of function_graph: the first task + 1, and the present one */
	int32_t graph_first[TEXT_CPUS_MAX], graph_task[TEXT_CPUS_MAX];
	uint32_t stream_of_cpu[TEXT_CPUS_MAX];
	struct text_stream *streams; /* one for each of source.streams, once these are known */
	bool is_opening;    /* in the first pass, or at the begin of live text */
	bool is_done;
	nsec_t printed;     /* the time of the last event, as printed */
	nsec_t after_step;  /* how many lines before it have the same printed time */
	nsec_t position;    /* the latest time that was read */
};

/* Whether lines are counted: in the first of two passes, or the only one. */
static bool source_counts(const struct text_source *text)
{
	return text->is_opening || text->live;
}

/* Whether records are made: in the second of two passes, or the only one. */
static bool source_delivers(const struct text_source *text)
{
	return !text->is_opening || text->live;
}

static void source_add_stream(struct text_source *text, uint32_t cpu)
{
	text->stream_of_cpu[cpu] = (uint32_t)text->source.stream_count;
	LIST_ADD(text->source.streams, struct source_stream) = (struct source_stream){.cpu = cpu};
}

static void source_see_cpu(struct text_source *text, uint32_t cpu)
{
	if (text->stream_of_cpu[cpu] == NO_STREAM && text->live)
		text->live->has_far_cpus = true;
	else if (text->stream_of_cpu[cpu] == NO_STREAM)
		source_add_stream(text, cpu);
	if (cpu >= text->source.cpu_count)
		text->source.cpu_count = cpu + 1;
}

/* Adds a nanosecond for each line before that has the same time, but stays below the next time. */
static nsec_t source_place(struct text_source *text, const struct text_head *head)
{
	bool is_same = head->time == text->printed;

	text->after_step = is_same ? text->after_step + 1 : 0;
	if (text->after_step >= head->step)
		text->after_step = head->step - 1;
	text->printed = head->time;
	return head->time + text->after_step;
}

static void source_count_record(struct text_source *text, const struct text_head *head,
                                const uint8_t *record)
{
	struct text_facts *facts = &text->facts;
	struct text_live *live = text->live;

	source_see_cpu(text, head->cpu);
	if (text_layout_is_unread(record))
		text_unread_fields(&facts->unread, head->rest, text->reader.line);
	if (text->is_opening) {
		text_tasks_add(&text->tasks, head);
	} else if (text_tasks_learn(&text->tasks, head)) {
		ARRAY_ADD(live->task, live->task_count, live->task_capacity) =
			(struct known_task){.tid = head->tid, .tgid = head->tgid, .comm = ""};
	}
	text_clock_see(&facts->clock, head);
	facts->events++;
	facts->has_tgid |= head->has_tgid;
	facts->has_flags |= head->has_flags;
	facts->step = facts->step ? nsec_min(facts->step, head->step) : head->step;
}

static void source_deliver_record(struct text_source *text, const struct text_head *head,
                                  const uint8_t *record, size_t bytes)
{
	nsec_t time;

	if (!source_delivers(text))
		return;
	time = source_place(text, head);
	text->position = nsec_max(text->position, time);
	/* a new CPU: too far, or the file changed after the first pass */
	if (text->stream_of_cpu[head->cpu] != NO_STREAM)
		text_queue_add(&text->streams[text->stream_of_cpu[head->cpu]].queue, time,
		               record, bytes);
}

static void source_take_record(struct text_source *text, const struct text_head *head,
                               const uint8_t *record, size_t bytes)
{
	if (source_counts(text))
		source_count_record(text, head, record);
	source_deliver_record(text, head, record, bytes);
}

static void source_end_stack(struct text_source *text)
{
	struct text_stack *stack = &text->stack;
	const uint8_t *record;
	size_t bytes;

	if (stack->is_open && stack->bytes > 0) {
		text_layout_add_flags(stack->record, stack->head.flags);
		source_deliver_record(text, &stack->head, stack->record, stack->bytes);
	}
	if (stack->is_open && !stack->is_user && stack->count > 0) {
		text_layout_stack(text->layout, &stack->head, stack->frame, stack->count, &record,
		                  &bytes);
		source_take_record(text, &stack->head, record, bytes);
	}
	stack->is_open = false;
}

static void stack_add(struct text_stack *stack, uint64_t address)
{
	if (!stack->is_user && stack->count < TEXT_STACK_FRAMES)
		stack->frame[stack->count++] = address;
}

/* Cuts off all up to the arrow of a frame: blanks, and what a log puts before each line. */
static bool skip_to_frame(struct text_line *line)
{
	const char *arrow = memmem(line->at, line_length(*line), "=> ", 3), *end = arrow;
	struct text_head head;

	if (!arrow)
		return false;
	while (end > line->at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (end > line->at && ((end[-1] != ']' && end[-1] != ':') ||
	                       text_head_parse(*line, NULL, &head)))
		return false;
	line->at = arrow + 3;
	return true;
}

/* " => schedule", " => schedule+0x2e/0xb0", "=> schedule (ffffffff8a3c0d30)" */
static bool source_take_frame(struct text_source *text, struct text_line line)
{
	struct text_stack *stack = &text->stack;
	uint64_t address;
	bool is_taken;

	if (stack->is_open && stack->head.is_perf) {
		is_taken = text_perf_frame(line, &text->symbols, &address);
		if (address)
			stack_add(stack, address);
		text->context.has_chains |= stack->is_of_wakeup && address;
		if (stack->is_of_wakeup)
			text->context.has_timers |= text_perf_context(line, &stack->head);
		return is_taken;
	}
	if (!stack->is_open || !skip_to_frame(&line))
		return false;
	line_skip_blanks(&line);
	address = text_symbols_take(&text->symbols, &line, &is_taken);
	if (is_taken)
		stack_add(stack, address ? address + TEXT_SYMBOL_INSIDE : 0);
	return true;
}

static void stack_open(struct text_stack *stack, const struct text_head *head, bool is_user)
{
	stack->is_open = true;
	stack->is_user = is_user;
	stack->is_of_wakeup = head->is_perf && line_begins(head->rest, "sched_wak");
	stack->head = *head;
	stack->head.comm.end = stack->head.comm.at; /* they end with the line */
	stack->head.rest.end = stack->head.rest.at;
	stack->count = stack->bytes = 0;
}

static bool source_begin_stack(struct text_source *text, const struct text_head *head)
{
	struct text_line rest = head->rest;
	bool is_user;

	if (line_skip(&rest, "kernel_stack:") || line_skip(&rest, "user_stack:"))
		line_skip_blanks(&rest);
	is_user = line_begins(rest, "<user stack trace>");
	if (!is_user && !line_begins(rest, "<stack trace"))
		return false;
	stack_open(&text->stack, head, is_user);
	return true;
}

/* "[LOST 123 EVENTS]", "[LOST EVENTS]"; trace-cmd: "[123 EVENTS DROPPED]" */
static uint64_t loss_count(struct text_line line)
{
	while (line.at < line.end) {
		int64_t count = word_number(line_word(&line), INT64_MAX);

		if (count > 0)
			return (uint64_t)count;
		while (line.at < line.end && (*line.at == ' ' || *line.at == '['))
			line.at++;
	}
	return LOST_UNCOUNTED;
}

static void source_lose(struct text_source *text, uint32_t cpu, uint64_t count)
{
	if (source_delivers(text) && text->stream_of_cpu[cpu] != NO_STREAM)
		text_queue_lose(&text->streams[text->stream_of_cpu[cpu]].queue, count);
}

/* "CPU:3 [LOST 123 EVENTS]", where a log may put something before it. Some kernels print blanks
   before the 3. */
static bool source_take_loss(struct text_source *text, struct text_line line)
{
	const char *begin = memmem(line.at, line_length(line), "CPU:", 4);
	struct text_line rest = {begin ? begin + 4 : NULL, line.end}, word;
	int64_t cpu;

	if (!begin || !memmem(begin, (size_t)(line.end - begin), " EVENTS", 7))
		return false;
	line_skip_blanks(&rest);
	word = line_word(&rest);
	cpu = word_number(word, TEXT_CPUS_MAX - 1);
	if (cpu < 0 || rest.at == rest.end || *rest.at != '[')
		return false;
	rest.at++;
	source_lose(text, (uint32_t)cpu, loss_count(rest));
	return true;
}

/* "123/456": entries in the buffer and all that were written */
static void facts_take_entries(struct text_facts *facts, struct text_line word)
{
	const char *slash = memchr(word.at, '/', line_length(word));
	int64_t number;

	if (!slash)
		return;
	number = word_number((struct text_line){word.at, slash}, INT64_MAX);
	facts->in_buffer = number > 0 ? (uint64_t)number : 0;
	number = word_number((struct text_line){slash + 1, word.end}, INT64_MAX);
	facts->written = number > 0 ? (uint64_t)number : 0;
}

/*
 * "# entries-in-buffer/entries-written: 123/456   #P:8"; the latency format: "# latency: 0 us,
 * #123/456, CPU#0 | (M:desktop VP:0, KP:0, SP:0 HP:0 #P:8)"; trace-cmd report: "cpus=8"
 */
static bool source_take_remark(struct text_source *text, struct text_line line)
{
	const char *cpus, *entries;
	int64_t number;

	/* of a part of a document or a mail */
	while (line.at < line.end && (*line.at == ' ' || *line.at == '>'))
		line.at++;
	if (line_begins(line, "TRACE:") || line_begins(line, "capturing trace...")) {
		text->facts.is_of_atrace = true;
		return true;
	}
	if (line_skip(&line, "cpus=")) {
		number = word_number(line, TEXT_CPUS_MAX);
		text->facts.cpus = number > 0 ? (uint64_t)number : 0;
		return true;
	}
	if (line.at < line.end && *line.at != '#')
		return false;
	if (text->is_opening)
		text_perf_header(line, &text->source, &text->text);
	text_legend_see(&text->legend, line);
	cpus = memmem(line.at, line_length(line), "#P:", 3);
	if (!cpus || !text->is_opening)
		return true;
	entries = memmem(line.at, line_length(line), "us, #", 5);
	if (line_skip(&line, "# entries-in-buffer/entries-written: "))
		facts_take_entries(&text->facts, line_word(&line));
	else if (entries)
		facts_take_entries(&text->facts,
		                   line_until((struct text_line){entries + 5, line.end}, ','));
	line = line_until((struct text_line){cpus + 3, line.end}, ')');
	number = word_number(line_word(&line), TEXT_CPUS_MAX);
	text->facts.cpus = number > 0 ? (uint64_t)number : 0;
	return true;
}

/* Reads a line of perf script, and opens the stack that may follow it. */
static bool source_take_perf(struct text_source *text, struct text_head *head)
{
	uint64_t lost = text_perf_loss(head);
	const uint8_t *record;
	size_t bytes;

	if (lost) {
		text->perf.has_losses = true;
		source_lose(text, head->cpu, lost);
		return true;
	}
	if (!text_perf_see(&text->perf, head) ||
	    !text_layout_read(text->layout, head, &text->symbols, &record, &bytes))
		return false;
	text_perf_follow(&text->perf, text->layout, head);
	stack_open(&text->stack, head, /* is_user= */ false);
	if (!text->stack.is_of_wakeup) {
		source_take_record(text, head, record, bytes);
	} else {
		if (source_counts(text))
			source_count_record(text, head, record);
		memcpy(text->stack.record, record, bytes);
		text->stack.bytes = bytes;
	}
	return true;
}

/* An event in the output of function_graph. */
static bool source_take_graph(struct text_source *text, struct text_line line,
                              struct text_head *head)
{
	uint32_t cpu;
	int32_t tids[2];
	bool has_time;

	if (text_graph_parse(line, head, &has_time)) {
		if (has_time && head->tid < 0)
			head->tid = text->graph_task[head->cpu];
		return has_time;
	}
	if (text_graph_switch(line, &cpu, tids)) {
		if (!text->graph_first[cpu])
			text->graph_first[cpu] = tids[0] + 1;
		text->graph_task[cpu] = tids[1];
	}
	return false;
}

/* Counts a line that is no event. */
static void source_take_other(struct text_source *text, struct text_line line)
{
	struct text_facts *facts = &text->facts;

	if (source_take_remark(text, line) || source_take_loss(text, line) || !source_counts(text))
		return;
	if (text->is_opening && text_ps_take(&text->ps, line, &text->tasks))
		return;
	if (!text_unread_see(&facts->unread, line, text->reader.line) && !facts->is_html &&
	    line.at < line.end)
		facts->other_lines++;
}

static void source_take_line(struct text_source *text, struct text_line line)
{
	char entry[TEXT_WAKEUP_BYTES];
	struct text_head head;
	const uint8_t *record;
	size_t bytes;

	/* text in a string of a script has the escape \n at the end of each line */
	if (line_length(line) > 3 && memcmp(line.end - 3, "\\n\\", 3) == 0)
		line.end -= 3;
	if (source_take_frame(text, line))
		return;
	source_end_stack(text);
	if (text_head_parse(line, &text->legend, &head) || source_take_graph(text, line, &head)) {
		text_wakeup_rewrite(&head, entry);
		if (!head.has_flags)
			text_context_see(&text->context, &head);
		if (head.is_perf ? source_take_perf(text, &head)
		                 : source_begin_stack(text, &head))
			return;
		if (!head.is_perf &&
		    text_layout_read(text->layout, &head, &text->symbols, &record, &bytes)) {
			source_take_record(text, &head, record, bytes);
			return;
		}
	}
	source_take_other(text, line);
}

/* A page of systrace has long lines in its viewer's code, which may name events. */
static void source_take_long(struct text_source *text, struct text_line begin)
{
	struct text_facts *facts = &text->facts;
	struct text_head head;
	bool may_be_event = !facts->is_html || text_head_parse(begin, &text->legend, &head);

	source_end_stack(text);
	if (source_counts(text) &&
	    !(may_be_event && text_unread_long(&facts->unread, begin, text->reader.line)) &&
	    !facts->is_html)
		facts->long_lines++;
}

/* Whether the line is an event of the table with all its fields. */
static bool line_is_whole(struct text_source *text, struct text_line line)
{
	const uint8_t *record;
	struct text_head head;
	struct text_line name;
	size_t bytes;

	return text_head_parse(line, &text->legend, &head) &&
	       text_line_find_event(head.rest, &name) &&
	       text_layout_read(text->layout, &head, &text->symbols, &record, &bytes) &&
	       !text_layout_is_unread(record);
}

/*
 * Looks whether the end of that line is missing. The writer of a text ends each line, but who
 * copies a piece of it may not: a line that reads as a whole event counts as one, although its last
 * number may be cut. The page of a systrace may end behind its last tag.
 */
static void source_judge_end(struct text_source *text, struct text_line line)
{
	struct text_head head;
	bool is_event = line_is_whole(text, line);

	text->facts.ends_open = is_event;
	text->facts.is_cut |= !is_event &&
	                      (!text->facts.is_html || text_head_parse(line, NULL, &head));
}

/* Reads a line. Returns false at the end of the file. */
static bool source_read_line(struct text_source *text)
{
	struct text_line line;
	bool has_line = text_reader_next(&text->reader, &line);

	if (has_line && text->reader.is_cut)
		source_judge_end(text, line);
	if (has_line && text->reader.is_long) {
		source_take_long(text, line);
		return true;
	}
	if (has_line && !text->facts.is_cut) {
		source_take_line(text, line);
		return true;
	}
	source_end_stack(text);
	return false;
}

/* Reads lines of at least that many bytes in total. Returns false at the end of the file. */
static bool source_read_piece(struct text_source *text, uint64_t bytes)
{
	uint64_t end = text_reader_done(&text->reader) + bytes;

	while (text_reader_done(&text->reader) < end)
		if (!source_read_line(text))
			return false;
	return true;
}

static void text_note_columns(struct text_source *text, struct text_store *notes)
{
	const struct text_facts *facts = &text->facts;
	bool is_coarse = facts->step >= NS_IN_US;

	source_note(&text->source, notes,
	            "it is text: the resolution of its times is %llu %s, and it contains no "
	            "sockets and no stacks of programs; a trace.dat contains more",
	            (unsigned long long)(is_coarse ? facts->step / NS_IN_US : facts->step),
	            is_coarse ? "us" : "ns");
	if (text->perf.is_seen && !text->perf.has_losses)
		source_note(&text->source, notes,
		            "perf script does not print which events were lost, unless with "
		            "--show-lost-events");
	if (!facts->has_tgid && text->perf.is_seen)
		source_note(&text->source, notes,
		            "the processes of its threads are not known (perf script -F +pid)");
	else if (!facts->has_tgid && text->tasks.process_count > 0)
		source_note(&text->source, notes,
		            "it has no column TGID: the processes of its threads are those of the "
		            "tables of ps in it");
	else if (!facts->has_tgid)
		source_note(&text->source, notes,
		            "it has no column TGID: the processes of its threads are not known "
		            "(echo 1 > options/record-tgid, before tracing)");
	if (!facts->has_flags && text->perf.is_seen)
		source_note(&text->source, notes,
		            "it does not show what was in an interrupt: only interrupts with "
		            "recorded entry events are known (perf record -e 'irq:*' "
		            "-e 'timer:hrtimer_expire*')");
	else if (!facts->has_flags)
		source_note(&text->source, notes,
		            "it has no column of flags: only interrupts with recorded entry "
		            "events are known (echo 1 > options/irq-info; trace-cmd report -l)");
}

/* What is missing is said in the first lines of a report, as damage is. */
static void text_note_damage(struct text_source *text, struct text_store *notes)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (text->file.damage[0])
		source_damage(&text->source, notes, "%s", text->file.damage);
	if (text->facts.is_cut)
		source_damage(&text->source, notes,
		              "cut short: the text ends within a line, which is not read; what "
		              "followed is missing");
	if (text_unread_describe(&text->facts.unread, &line))
		source_damage(&text->source, notes, "%s", line.text);
}

static void text_note_gaps(struct text_source *text, struct text_store *notes)
{
	const struct text_facts *facts = &text->facts;
	_cleanup_(buffer_release) struct buffer line = buffer_of(400);

	if (facts->written > facts->in_buffer && facts->in_buffer > 0)
		source_note(&text->source, notes,
		            "older events that the kernel overwrote: %llu",
		            (unsigned long long)(facts->written - facts->in_buffer));
	if (facts->ends_open)
		source_note(&text->source, notes,
		            "the text ends without a newline: its last line counts as it reads, "
		            "and may be cut within its last word");
	if (text_layout_describe_unknown(text->layout, "text", "lines", &line))
		source_note(&text->source, notes, "%s", line.text);
	if (facts->other_lines > 0)
		source_note(&text->source, notes,
		            "lines that are not events, and were ignored: %llu",
		            (unsigned long long)facts->other_lines);
	if (facts->long_lines > 0)
		source_note(&text->source, notes,
		            "lines of more than %u bytes, which are not events, and were ignored: "
		            "%llu",
		            TEXT_LINE_MAX, (unsigned long long)facts->long_lines);
}

static void text_note_all(struct text_source *text, struct text_store *notes)
{
	text_note_damage(text, notes);
	text_note_columns(text, notes);
	text_note_gaps(text, notes);
}

/* What the lines so far say of the trace as a whole. */
static void text_describe_lines(struct text_source *text)
{
	text->source.lacks_contexts = !text->facts.has_flags && !text->context.has_timers;
	text->source.lacks_timers = text->source.lacks_contexts && text->context.has_any &&
	                            !text->context.has_chains;
	text_clock_describe(&text->facts.clock, &text->source);
	text->source.notes.is_of_atrace = text->facts.is_of_atrace ||
	                                  text_clock_is_seen(&text->facts.clock);
}

static void live_note(struct text_source *text)
{
	struct text_live *live = text->live;
	struct source *source = &text->source;

	if (live->input.end == LIVE_FAILED)
		*text->file.failure =
			(struct read_failure){live->input.error, live->input.offset};
	if (live->input.end == LIVE_STOPPED)
		text->facts.is_cut = false;
	text_describe_lines(text);
	source->health.note_count = 0;
	source->health.damage = NULL;
	text_store_release(&live->notes);
	if (text->file.failure->error)
		source_damage(source, &live->notes, "cut short");
	if (live->has_far_cpus)
		source_damage(source, &live->notes,
		              "events of CPUs from number %d on are lost: they cannot be followed",
		              TEXT_LIVE_CPUS);
	text_note_all(text, &live->notes);
}

/* Reads until the time goes on, or to the end. */
static void live_read_round(struct text_source *text)
{
	struct text_live *live = text->live;
	uint64_t end = text_reader_done(&text->reader) + TEXT_ROUND_BYTES;
	nsec_t before = live->reached;

	while (!text->is_done && live->reached == before) {
		text->is_done = !source_read_line(text);
		if (text->position >= before + TEXT_ROUND_NS + TEXT_LATE_NS)
			live->reached = text->position - TEXT_LATE_NS;
		else if (text_reader_done(&text->reader) >= end)
			live->reached = nsec_max(text->position, before + 1);
	}
	live->is_reached_due = live->first < live->reached;
	text_layout_add_formats(text->layout, &text->text, &text->source);
}

/* False: the caller ends it. The time of a round's last event is reached with the next one. */
static bool live_reach(struct text_source *text)
{
	struct text_live *live = text->live;
	struct recording_notes *notes = &text->source.notes;
	bool goes_on;

	live_note(text);
	notes->new_tasks.item = live->task;
	notes->new_tasks.count = live->tasks_reached;
	goes_on = !live->input.setup.on_reached ||
	          live->input.setup.on_reached(live->input.setup.state, live->reached);
	live->task_count -= live->tasks_reached;
	if (live->task_count > 0)
		memmove(live->task, live->task + live->tasks_reached,
		        live->task_count * sizeof(*live->task));
	live->tasks_reached = live->task_count;
	notes->new_tasks.count = 0;
	return goes_on;
}

static void source_go_on(struct text_source *text)
{
	struct text_live *live = text->live;

	if (!live) {
		text->is_done = !source_read_piece(text, PIECE_BYTES);
		text->source.data_read = text_reader_done(&text->reader);
		return;
	}
	if (live->is_reached_due)
		text->is_done = !live_reach(text);
	live->is_reached_due = false;
	live_read_round(text);
	if (!text->is_done)
		return;
	live_note(text);
	text->source.notes.new_tasks.item = live->task;
	text->source.notes.new_tasks.count = live->task_count;
}

static enum pull text_next_batch(struct source *source, size_t index, struct record_batch *ret)
{
	struct text_source *text = (struct text_source *)source;
	struct text_stream *stream = &text->streams[index];
	const nsec_t *position = text->live ? &text->live->reached : &text->position;

	while (!text_queue_take(&stream->queue, ret)) {
		if (text->is_done) {
			ret->lost_events = stream->queue.lost_events;
			return PULL_END;
		}
		if (stream->heartbeat.time < *position) {
			stream->heartbeat.time = *position;
			*ret = (struct record_batch){.records = &stream->heartbeat, .count = 1};
			return PULL_ITEM;
		}
		source_go_on(text);
	}
	return PULL_ITEM;
}

static int64_t text_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	return text_symbols_read(&((struct text_source *)source)->symbols, offset, to, size);
}

static const char *text_find_symbol(const struct source *source, uint64_t address,
                                    uint64_t *ret_begin)
{
	return text_symbols_find(&((const struct text_source *)source)->symbols, address,
	                         ret_begin);
}

static void live_free(struct text_live *live)
{
	if (!live)
		return;
	live_input_release(&live->input);
	text_store_release(&live->notes);
	free(live->task);
	free(live);
}

static void text_close(struct source *source)
{
	struct text_source *text = (struct text_source *)source;

	for (size_t i = 0; text->streams && i < source->stream_count; i++)
		text_queue_release(&text->streams[i].queue);
	free(text->streams);
	free(source_list_items(&source->streams));
	text_tasks_release(&text->tasks);
	text_symbols_release(&text->symbols);
	text_reader_release(&text->reader);
	(void)text_layout_free(text->layout);
	text_store_release(&text->text);
	input_file_release(&text->file);
	live_free(text->live);
	free(text);
}

static int text_open_again(const struct source *source, struct source **ret, struct buffer *why);

static const struct source_ops text_ops = {
	.name = "text",
	.next_batch = text_next_batch,
	.read_symbols = text_read_symbols,
	.open_again = text_open_again,
	.close = text_close,
};

static const struct source_ops live_ops = {
	.name = "live text",
	.next_batch = text_next_batch,
	.find_symbol = text_find_symbol,
	.close = text_close,
};

static void text_freep(struct text_source **text)
{
	if (*text)
		text_close(&(*text)->source);
}

static struct text_source *text_new(const struct input_file *file)
{
	struct text_source *text = xcalloc(1, sizeof(*text));

	text->file = *file;
	text->layout = text_layout_new();
	text_symbols_init(&text->symbols);
	text_tasks_init(&text->tasks);
	memset(text->stream_of_cpu, 0xff, sizeof(text->stream_of_cpu));
	text->source = (struct source){
		.ops = &text_ops,
		.is_big_endian = byte_order_is_big(),
		.long_bytes = sizeof(uint64_t),
		.stacks_buffer = UINT32_MAX,
		.health.failure = text->file.failure,
		.data_bytes = text->file.bytes,
		.buffer_count = 1,
		.is_of_one_cpu = text->file.only_cpu >= 0,
	};
	return text;
}

/* Fills the source with what opening has found. */
static void text_describe(struct text_source *text)
{
	struct source *source = &text->source;

	if (text->facts.cpus > source->cpu_count)
		source->cpu_count = (unsigned)text->facts.cpus;
	text_tasks_describe(&text->tasks, &source->notes);
	text_describe_lines(text);
	source->is_arch_assumed = text_layout_has_named_calls(text->layout);
	if (source->is_arch_assumed)
		source->arch = TEXT_CALL_ARCH;
	text->is_opening = false;
}

/* Prepares the second pass. */
static void text_begin_again(struct text_source *text)
{
	text->streams = xcalloc(text->source.stream_count, sizeof(*text->streams));
	text_layout_add_formats(text->layout, &text->text, &text->source);
	text_note_all(text, &text->text);
	text->facts.is_cut = false;
	text->context = (struct text_context){0};
	memset(text->perf.behind, 0, sizeof(text->perf.behind));
	for (size_t i = 0; i < TEXT_CPUS_MAX; i++)
		text->graph_task[i] = text->graph_first[i] ? text->graph_first[i] - 1 : 0;
	text_reader_rewind(&text->reader);
}

/* A page of systrace begins with the scripts of its viewer, of several megabytes, and a log with
   what came before. */
static bool file_has_event(const struct input_file *file)
{
	struct text_reader reader;
	struct text_line line;
	bool has_event = false;

	text_reader_init(&reader, file);
	while (!has_event && text_reader_done(&reader) < PROBE_FILE_BYTES &&
	       text_reader_next(&reader, &line))
		has_event = !reader.is_cut && !reader.is_long && text_probe_line_is_event(line);
	text_reader_release(&reader);
	return has_event;
}

static void text_begin(struct text_source *text)
{
	text->facts.is_html = text_probe_is_page(text->reader.head, TEXT_HEAD_BYTES);
	text->is_opening = true;
}

static int text_refuse(const struct text_source *text, struct buffer *why)
{
	buffer_puts(why, "it is ftrace text: ");
	if (!text_unread_describe(&text->facts.unread, why))
		buffer_puts(why, "without events");
	return -ENODATA;
}

int text_open(const struct input_file *file, struct source **ret, struct buffer *why)
{
	_cleanup_(text_freep) struct text_source *text = text_new(file);

	text_reader_init(&text->reader, &text->file);
	text_begin(text);
	while (source_read_piece(text, UINT64_MAX / 2))
		;
	if (input_file_describe_failure(&text->file, why))
		return text->file.failure->error;
	if (text->facts.events == 0)
		return text_refuse(text, why);
	text_describe(text);
	text_begin_again(text);
	*ret = &TAKE_PTR(text)->source;
	return 0;
}

static int text_open_again(const struct source *source, struct source **ret, struct buffer *why)
{
	const struct text_source *text = (const struct text_source *)source;
	struct input_file file;
	int r = input_file_open_again(&text->file, &file, why);

	if (r == 0)
		return text_open(&file, ret, why);
	input_file_release(&file);
	return r;
}

static struct text_source *text_new_live(const struct live_source_setup *setup)
{
	struct input_place place = input_place_of(setup->fd);
	struct input_file file = {.fd = -1, .only_cpu = place.only_cpu};
	struct text_source *text;
	struct text_live *live = xcalloc(1, sizeof(*live));

	file.failure = xcalloc(1, sizeof(*file.failure));
	text = text_new(&file);
	text->source.ops = &live_ops;
	text->live = live;
	live->input.setup = *setup;
	live->input.rest_ms = place.is_pipe ? REST_MS : 0;
	for (uint32_t cpu = 0; cpu < TEXT_LIVE_CPUS; cpu++)
		source_add_stream(text, cpu);
	text->streams = xcalloc(text->source.stream_count, sizeof(*text->streams));
	text_reader_init_live(&text->reader, &live->input);
	text_begin(text);
	return text;
}

int text_open_live(const struct live_source_setup *setup, struct source **ret,
                   struct buffer *why)
{
	_cleanup_(text_freep) struct text_source *text = text_new_live(setup);
	struct text_live *live = text->live;

	while (!text->is_done && text->facts.events == 0 &&
	       text_reader_done(&text->reader) < PROBE_FILE_BYTES)
		live_read_round(text);
	if (text->facts.events == 0 && live->input.end == LIVE_STOPPED)
		return buffer_fail(why, -EINTR, "ended before an event had come");
	if (text->facts.events == 0)
		return text_refuse(text, why);
	live->first = text->position;
	live_read_round(text);
	text_describe(text);
	live_note(text);
	*ret = &TAKE_PTR(text)->source;
	return 0;
}

bool text_file_is_text(const struct input_file *file)
{
	char head[PROBE_HEAD_BYTES];
	int64_t got = input_file_read_some(file, 0, head, sizeof(head));

	return got > 0 && text_probe_is_text(head, (size_t)got) && file_has_event(file);
}
