/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "source/source_notes.h"
#include "text_clock.h"
#include "text_context.h"
#include "text_layout.h"
#include "text_probe.h"
#include "text_queue.h"
#include "text_reader.h"
#include "text_tasks.h"

#define PROBE_HEAD_BYTES 1024
#define PROBE_HTML_BYTES (64u << 20)
#define PIECE_BYTES      (64u << 10) /* read whenever a queue is empty */
#define NO_STREAM        UINT32_MAX
#define NS_IN_US         1000

/* One CPU. */
struct text_stream {
	struct text_queue queue;
	struct record heartbeat; /* the last one that was returned */
};

/* The stack trace that is being read, one frame per line. */
struct text_stack {
	bool is_open, is_user;
	struct text_head head;
	uint64_t frame[TEXT_STACK_FRAMES];
	size_t count;
};

/* Facts about the whole text, found in the first of two passes. */
struct text_facts {
	bool has_tgid, has_flags, is_html;
	nsec_t step;
	bool is_cut; /* the end of its last line is missing */
	uint64_t events, other_lines;
	uint64_t in_buffer, written; /* entries, as the comment lines at the begin say */
	uint64_t cpus;               /* as these lines say; 0: they do not */
	struct text_clock clock;
};

struct text_source {
	struct source source; /* first member: text_ops cast it back */
	struct input_file file;
	struct text_store text;
	struct text_reader reader;
	struct text_layout *layout;
	struct text_symbols symbols;
	struct text_tasks tasks;
	struct text_facts facts;
	struct text_stack stack;
	struct text_context context;
	uint32_t stream_of_cpu[TEXT_CPUS_MAX];
	struct source_stream *described;
	struct text_stream *streams;
	struct format_text *formats;
	struct known_task *known_tasks;
	bool is_opening;    /* in the first pass */
	bool is_done;
	nsec_t printed;     /* the time of the last event, as printed */
	nsec_t after_step;  /* how many lines before it have the same printed time */
	nsec_t position;    /* the latest time that was read */
};

static void source_see_cpu(struct text_source *text, uint32_t cpu)
{
	struct source *source = &text->source;

	if (text->stream_of_cpu[cpu] != NO_STREAM)
		return;
	text->described = xreallocarray(text->described, source->stream_count + 1,
	                                sizeof(*text->described));
	text->described[source->stream_count] = (struct source_stream){.cpu = cpu};
	text->stream_of_cpu[cpu] = (uint32_t)source->stream_count++;
	if (cpu >= source->cpu_count)
		source->cpu_count = cpu + 1;
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

static void source_take_record(struct text_source *text, const struct text_head *head,
                               const uint8_t *record, size_t bytes)
{
	struct text_facts *facts = &text->facts;
	nsec_t time;

	if (text->is_opening) {
		source_see_cpu(text, head->cpu);
		text_tasks_add(&text->tasks, head);
		text_clock_see(&facts->clock, head);
		facts->events++;
		facts->has_tgid |= head->has_tgid;
		facts->has_flags |= head->has_flags;
		facts->step = facts->step ? nsec_min(facts->step, head->step) : head->step;
		return;
	}
	time = source_place(text, head);
	text->position = nsec_max(text->position, time);
	/* a new CPU: the file changed after the first pass */
	if (text->stream_of_cpu[head->cpu] != NO_STREAM)
		text_queue_add(&text->streams[text->stream_of_cpu[head->cpu]].queue, time,
		               record, bytes);
}

static void source_end_stack(struct text_source *text)
{
	struct text_stack *stack = &text->stack;
	const uint8_t *record;
	size_t bytes;

	if (stack->is_open && !stack->is_user && stack->count > 0) {
		text_layout_stack(text->layout, &stack->head, stack->frame, stack->count, &record,
		                  &bytes);
		stack->head.comm.end = stack->head.comm.at;
		source_take_record(text, &stack->head, record, bytes);
	}
	stack->is_open = false;
}

/* " => schedule", " => schedule+0x2e/0xb0", "=> schedule (ffffffff8a3c0d30)" */
static bool source_take_frame(struct text_source *text, struct text_line line)
{
	struct text_stack *stack = &text->stack;
	uint64_t address;
	bool is_taken;

	while (line.at < line.end && (*line.at == ' ' || *line.at == '\t'))
		line.at++;
	if (!stack->is_open || !line_skip(&line, "=> "))
		return false;
	while (line.at < line.end && *line.at == ' ')
		line.at++;
	address = text_symbols_take(&text->symbols, &line, &is_taken);
	if (is_taken && !stack->is_user && stack->count < TEXT_STACK_FRAMES)
		stack->frame[stack->count++] = address ? address + TEXT_SYMBOL_INSIDE : 0;
	return true;
}

static bool source_begin_stack(struct text_source *text, const struct text_head *head)
{
	struct text_line rest = head->rest;
	bool is_user;

	if (line_skip(&rest, "kernel_stack:") || line_skip(&rest, "user_stack:"))
		while (rest.at < rest.end && *rest.at == ' ')
			rest.at++;
	is_user = line_begins(rest, "<user stack trace>");
	if (!is_user && !line_begins(rest, "<stack trace"))
		return false;
	text->stack.is_open = true;
	text->stack.is_user = is_user;
	text->stack.head = *head;
	text->stack.count = 0;
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

/* "CPU:3 [LOST 123 EVENTS]". Some kernels print blanks before the 3. */
static bool source_take_loss(struct text_source *text, struct text_line line)
{
	struct text_line rest = line, word;
	int64_t cpu;

	if (!line_skip(&rest, "CPU:"))
		return false;
	while (rest.at < rest.end && *rest.at == ' ')
		rest.at++;
	word = line_word(&rest);
	cpu = word_number(word, TEXT_CPUS_MAX - 1);
	if (cpu < 0 || rest.at == rest.end || *rest.at != '[')
		return false;
	rest.at++;
	if (!text->is_opening && text->stream_of_cpu[cpu] != NO_STREAM)
		text_queue_lose(&text->streams[text->stream_of_cpu[cpu]].queue, loss_count(rest));
	return true;
}

/* "# entries-in-buffer/entries-written: 123/456   #P:8"; trace-cmd report: "cpus=8" */
static bool source_take_remark(struct text_source *text, struct text_line line)
{
	struct text_line word;
	const char *slash;
	int64_t number;

	if (line_skip(&line, "cpus=")) {
		number = word_number(line, TEXT_CPUS_MAX);
		text->facts.cpus = number > 0 ? (uint64_t)number : 0;
		return true;
	}
	if (line.at < line.end && *line.at != '#')
		return false;
	if (!line_skip(&line, "# entries-in-buffer/entries-written: ") || !text->is_opening)
		return true;
	word = line_word(&line);
	slash = memchr(word.at, '/', line_length(word));
	if (slash) {
		number = word_number((struct text_line){word.at, slash}, INT64_MAX);
		text->facts.in_buffer = number > 0 ? (uint64_t)number : 0;
		number = word_number((struct text_line){slash + 1, word.end}, INT64_MAX);
		text->facts.written = number > 0 ? (uint64_t)number : 0;
	}
	while (line.at < line.end && *line.at == ' ')
		line.at++;
	if (line_skip(&line, "#P:")) {
		number = word_number(line_word(&line), TEXT_CPUS_MAX);
		text->facts.cpus = number > 0 ? (uint64_t)number : 0;
	}
	return true;
}

static void source_take_line(struct text_source *text, struct text_line line)
{
	struct text_head head;
	const uint8_t *record;
	size_t bytes;

	/* text in a string of a script has the escape \n at the end of each line */
	if (text->facts.is_html && line_length(line) > 3 && memcmp(line.end - 3, "\\n\\", 3) == 0)
		line.end -= 3;
	if (source_take_frame(text, line))
		return;
	source_end_stack(text);
	if (text_head_parse(line, &head)) {
		if (!head.has_flags)
			text_context_see(&text->context, &head);
		if (source_begin_stack(text, &head))
			return;
		if (text_layout_read(text->layout, &head, &text->symbols, &record, &bytes)) {
			source_take_record(text, &head, record, bytes);
			return;
		}
	}
	if (!source_take_remark(text, line) && !source_take_loss(text, line) &&
	    !text->facts.is_html && text->facts.events > 0)
		text->facts.other_lines++;
}

/* Whether the end of that line is missing: the writer of a text ends each line. The page of a
   systrace may end behind its last tag. */
static bool line_is_cut(const struct text_source *text, struct text_line line)
{
	struct text_head head;

	return text->reader.is_cut && (!text->facts.is_html || text_head_parse(line, &head));
}

/* Reads lines of at least that many bytes in total. Returns false at the end of the file. */
static bool source_read_piece(struct text_source *text, uint64_t bytes)
{
	uint64_t end = text_reader_done(&text->reader) + bytes;
	struct text_line line;

	while (text_reader_done(&text->reader) < end) {
		bool has_line = text_reader_next(&text->reader, &line);

		text->facts.is_cut |= has_line && line_is_cut(text, line);
		if (!has_line || text->facts.is_cut) {
			source_end_stack(text);
			return false;
		}
		source_take_line(text, line);
	}
	return true;
}

static enum pull text_next_batch(struct source *source, size_t index, struct record_batch *ret)
{
	struct text_source *text = (struct text_source *)source;
	struct text_stream *stream = &text->streams[index];

	while (!text_queue_take(&stream->queue, ret)) {
		if (text->is_done) {
			ret->lost_events = stream->queue.lost_events;
			return PULL_END;
		}
		if (stream->heartbeat.time < text->position) {
			stream->heartbeat.time = text->position;
			*ret = (struct record_batch){.records = &stream->heartbeat, .count = 1};
			return PULL_ITEM;
		}
		text->is_done = !source_read_piece(text, PIECE_BYTES);
		source->data_read = text_reader_done(&text->reader);
	}
	return PULL_ITEM;
}

static int64_t text_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	return text_symbols_read(&((struct text_source *)source)->symbols, offset, to, size);
}

static void text_close(struct source *source)
{
	struct text_source *text = (struct text_source *)source;

	for (size_t i = 0; text->streams && i < source->stream_count; i++)
		text_queue_release(&text->streams[i].queue);
	free(text->streams);
	free(text->described);
	free(text->formats);
	free(text->known_tasks);
	text_tasks_release(&text->tasks);
	text_symbols_release(&text->symbols);
	text_reader_release(&text->reader);
	(void)text_layout_free(text->layout);
	text_store_release(&text->text);
	input_file_release(&text->file);
	free(text);
}

static const struct source_ops text_ops = {
	.name = "text",
	.next_batch = text_next_batch,
	.read_symbols = text_read_symbols,
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
	text_reader_init(&text->reader, &text->file);
	memset(text->stream_of_cpu, 0xff, sizeof(text->stream_of_cpu));
	text->source = (struct source){
		.ops = &text_ops,
		.is_big_endian = byte_order_is_big(),
		.long_bytes = sizeof(uint64_t),
		.stacks_buffer = UINT32_MAX,
		.failure = text->file.failure,
		.data_bytes = text->file.bytes,
	};
	return text;
}

static void text_note_columns(struct text_source *text)
{
	const struct text_facts *facts = &text->facts;
	bool is_coarse = facts->step >= NS_IN_US;

	source_note(&text->source, &text->text,
	            "it is text: the resolution of its times is %llu %s, and it contains no "
	            "sockets and no stacks of programs; a trace.dat contains more",
	            (unsigned long long)(is_coarse ? facts->step / NS_IN_US : facts->step),
	            is_coarse ? "us" : "ns");
	if (!facts->has_tgid)
		source_note(&text->source, &text->text,
		            "it has no column TGID: the processes of its threads are not known "
		            "(echo 1 > options/record-tgid, before tracing)");
	if (!facts->has_flags)
		source_note(&text->source, &text->text,
		            "it has no column of flags: only interrupts with recorded entry "
		            "events are known (echo 1 > options/irq-info; trace-cmd report -l)");
}

static void text_note_gaps(struct text_source *text)
{
	const struct text_facts *facts = &text->facts;
	_cleanup_(buffer_release) struct buffer line = {0};

	if (facts->written > facts->in_buffer && facts->in_buffer > 0)
		source_note(&text->source, &text->text,
		            "older events that the kernel overwrote: %llu",
		            (unsigned long long)(facts->written - facts->in_buffer));
	buffer_init(&line, 400);
	if (text_layout_describe_unknown(text->layout, &line))
		source_note(&text->source, &text->text, "%s", line.text);
	if (facts->other_lines > 0)
		source_note(&text->source, &text->text,
		            "lines that are not events, and were ignored: %llu",
		            (unsigned long long)facts->other_lines);
	/* a page of systrace has such lines in its viewer's code */
	if (text->reader.skipped > 0 && !facts->is_html)
		source_note(&text->source, &text->text,
		            "lines of more than %u bytes, which were not read: %llu",
		            TEXT_LINE_MAX, (unsigned long long)text->reader.skipped);
}

/* Fills the source with the results of the first pass, and prepares the second one. */
static void text_finish(struct text_source *text)
{
	struct source *source = &text->source;

	source->streams = text->described;
	source->buffer_count = 1;
	if (text->facts.cpus > source->cpu_count)
		source->cpu_count = (unsigned)text->facts.cpus;
	text->streams = xcalloc(source->stream_count, sizeof(*text->streams));
	source->formats = text->formats =
		text_layout_formats(text->layout, &text->text, &source->format_count);
	source->known_tasks = text->known_tasks = text_tasks_known(&text->tasks);
	source->known_task_count = text->tasks.count;
	text_clock_describe(&text->facts.clock, source);
	if (text->facts.is_cut)
		source_damage(source, &text->text,
		              "cut short: the text ends within a line, which is not read; what "
		              "followed is missing");
	text_note_columns(text);
	text_note_gaps(text);
	text->is_opening = false;
	text->facts.is_cut = false;
	text->context = (struct text_context){0};
	text_reader_rewind(&text->reader);
}

/* A page of systrace begins with the scripts of its viewer, of several megabytes. */
static bool html_has_event(const struct input_file *file)
{
	struct text_reader reader;
	struct text_line line;
	bool has_event = false;

	text_reader_init(&reader, file);
	while (!has_event && text_reader_done(&reader) < PROBE_HTML_BYTES &&
	       text_reader_next(&reader, &line)) {
		struct text_head head;

		has_event = text_head_parse(line, &head) && text_line_is_event(head.rest);
	}
	text_reader_release(&reader);
	return has_event;
}

int text_open(const struct input_file *file, struct source **ret, struct buffer *why)
{
	_cleanup_(text_freep) struct text_source *text = text_new(file);
	char first = '\0';

	(void)input_file_read_some(&text->file, 0, &first, 1);
	text->facts.is_html = first == '<';
	text->is_opening = true;
	while (source_read_piece(text, UINT64_MAX / 2))
		;
	if (input_file_describe_failure(&text->file, why))
		return text->file.failure->error;
	if (text->facts.events == 0) {
		buffer_puts(why, "it is ftrace text without events");
		return -ENODATA;
	}
	text_finish(text);
	*ret = &TAKE_PTR(text)->source;
	return 0;
}

bool text_file_is_text(const struct input_file *file)
{
	_cleanup_(freep) char *head = xmalloc(TEXT_PROBE_BYTES);
	int64_t got = input_file_read_some(file, 0, head, TEXT_PROBE_BYTES);
	size_t begin = got > PROBE_HEAD_BYTES ? PROBE_HEAD_BYTES : (size_t)got;

	if (got <= 0 || !text_probe_is_text(head, begin))
		return false;
	return *head == '<' ? html_has_event(file) : text_probe_has_event(head, (size_t)got);
}
