/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cell_text.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/format.h"

#define BY_KIND_SHOWN 4 /* kinds that a text cell names; the others are summed */

static void clean_append(struct buffer *to, const char *text)
{
	buffer_puts_clean(to, text, strlen(text));
}

void task_text_append(struct buffer *to, const struct task *task)
{
	clean_append(to, task->comm);
	buffer_printf(to, "[%" PRId32 "]", task->tid);
}

static void dev_append(struct buffer *to, uint32_t dev)
{
	if (dev)
		buffer_printf(to, " %" PRIu32 ",%" PRIu32, dev >> 20, dev & 0xfffff);
}

static void name_append(struct buffer *to, const char *name)
{
	if (!name)
		return;
	buffer_putc(to, ' ');
	clean_append(to, name);
}

/* The direction that the kernel's letters tell: a leading F is a flush before the data. */
static const char *rwbs_direction(const char *rwbs)
{
	static const struct {
		char letter;
		const char *word;
	} directions[] = {
		{'W', "write"}, {'R', "read"}, {'D', "discard"}, {'E', "erase"}, {'F', "flush"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(directions); i++)
		if (strchr(rwbs, directions[i].letter))
			return directions[i].word;
	return "request";
}

static void disk_text(struct buffer *to, const struct cause *cause)
{
	char size[FORMAT_BYTES];

	if (cause->dev)
		dev_append(to, cause->dev);
	else
		name_append(to, cause->name);
	if (!cause->rwbs && !cause->bytes)
		return;
	buffer_printf(to, " (%s", cause->rwbs ? rwbs_direction(cause->rwbs) : "request");
	if (cause->bytes)
		buffer_printf(to, " %s", format_size(cause->bytes, size));
	if (cause->sector)
		buffer_printf(to, ", sector %" PRIu64, cause->sector);
	buffer_putc(to, ')');
}

static void originator_text(struct buffer *to, const struct cause *cause, const char *before,
                            const char *after)
{
	if (!cause->has_originator)
		return;
	buffer_puts(to, before);
	task_text_append(to, &cause->originator);
	buffer_puts(to, after);
}

static void net_text(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
	originator_text(to, cause, " from ", "");
}

static void timer_text(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
	if (cause->is_own)
		buffer_puts(to, " (own)");
	else
		originator_text(to, cause, " (armed by ", ")");
}

static void irq_text(struct buffer *to, const struct cause *cause)
{
	if (cause->number >= 0)
		buffer_printf(to, " %" PRId32, cause->number);
	name_append(to, cause->name);
}

static void irq_words(struct buffer *to, const struct cause *cause)
{
	if (cause->number < 0 && !cause->name)
		buffer_puts(to, " (which one is not known)");
	else
		irq_text(to, cause);
}

static void softirq_text(struct buffer *to, const struct cause *cause)
{
	if (cause->name)
		name_append(to, cause->name);
	else
		buffer_puts(to, " (which one is not known)");
}

static void work_text(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
	originator_text(to, cause, " (queued by ", ")");
}

static void signal_text(struct buffer *to, const struct cause *cause)
{
	if (cause->number > 0)
		buffer_printf(to, " %" PRId32, cause->number);
	originator_text(to, cause, " from ", "");
}

static void lock_text(struct buffer *to, const struct cause *cause)
{
	if (cause->name)
		name_append(to, cause->name);
	else if (cause->address)
		buffer_printf(to, " 0x%" PRIx64, cause->address);
	originator_text(to, cause, " held by ", "");
}

static void memory_text(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->what ? cause->what : cause->name);
}

static void task_text(struct buffer *to, const struct cause *cause)
{
	if (cause->has_waker) {
		buffer_putc(to, ' ');
		task_text_append(to, &cause->waker);
	} else {
		name_append(to, cause->name);
	}
}

static void plain_text(struct buffer *to, const struct cause *cause)
{
	name_append(to, cause->name);
}

/* How a kind is told in words: the beginning, and what else there is to say. */
static const struct {
	const char *word;
	void (*more)(struct buffer *to, const struct cause *cause);
} kind_text[CAUSE_KIND_COUNT] = {
	[CAUSE_UNKNOWN] = {"not known", NULL},
	[CAUSE_TASK] = {"task", task_text},
	[CAUSE_DISK] = {"disk", disk_text},
	[CAUSE_NET] = {"net", net_text},
	[CAUSE_TIMER] = {"timer", timer_text},
	[CAUSE_IRQ] = {"irq", irq_words},
	[CAUSE_SOFTIRQ] = {"softirq", softirq_text},
	[CAUSE_WORK] = {"work", work_text},
	[CAUSE_WORK_PENDING] = {"work pending", plain_text},
	[CAUSE_SIGNAL] = {"signal", signal_text},
	[CAUSE_IPI] = {"inter-processor interrupt", plain_text},
	[CAUSE_RCU] = {"RCU grace period", NULL},
	[CAUSE_LOCK] = {"lock", lock_text},
	[CAUSE_MEMORY] = {"memory", memory_text},
	[CAUSE_FORK] = {"fork", plain_text},
	[CAUSE_WAKE_LATENCY] = {"wake-up on its way", NULL},
	[CAUSE_IDLE] = {"woken from idle, no evidence why", NULL},
};

void cause_text_append(struct buffer *to, const struct cause *cause)
{
	assert(cause->kind < CAUSE_KIND_COUNT);
	buffer_puts(to, kind_text[cause->kind].word);
	if (cause->kind == CAUSE_UNKNOWN && cause->name) {
		buffer_puts(to, " (");
		clean_append(to, cause->name);
		buffer_putc(to, ')');
	}
	if (kind_text[cause->kind].more)
		kind_text[cause->kind].more(to, cause);
}

void cause_name_append(struct buffer *to, const struct cause *cause)
{
	assert(cause->kind < CAUSE_KIND_COUNT);
	buffer_puts(to, cause_kind_name(cause->kind));
	if (cause->kind == CAUSE_DISK && cause->dev)
		dev_append(to, cause->dev);
	else if (cause->kind == CAUSE_IRQ || cause->kind == CAUSE_SIGNAL)
		irq_text(to, cause);
	else if (cause->kind == CAUSE_MEMORY)
		memory_text(to, cause);
	else if (cause->kind == CAUSE_TASK && cause->has_waker)
		name_append(to, cause->waker.comm);
	else
		name_append(to, cause->name);
}

static void frame_append(struct buffer *to, const char *text, size_t length)
{
	_cleanup_(buffer_release) struct buffer clean = {0};

	buffer_init(&clean, BUFFER_LIMIT_DEFAULT);
	buffer_puts_clean(&clean, text, length);
	for (size_t i = 0; i < clean.length; i++) {
		if (clean.text[i] == ';')
			clean.text[i] = ':';
		else if (clean.text[i] == ' ')
			clean.text[i] = '_';
	}
	/* An empty frame would shift all that follow it. */
	buffer_puts(to, clean.length ? clean.text : "-");
}

/* "[disk_254,0]"; nothing for a link that simply runs. */
static void last_frame_append(struct buffer *to, const struct chain_link *link)
{
	_cleanup_(buffer_release) struct buffer frame = {0};

	buffer_init(&frame, BUFFER_LIMIT_DEFAULT);
	buffer_putc(&frame, '[');
	if (link->cause)
		cause_name_append(&frame, link->cause);
	else if (!link->state || strcmp(link->state, "waiting") == 0)
		buffer_puts(&frame, cause_kind_name(CAUSE_UNKNOWN));
	else if (strcmp(link->state, "running") != 0)
		buffer_puts(&frame, link->state);
	else
		return;
	buffer_putc(&frame, ']');
	buffer_putc(to, ';');
	frame_append(to, frame.text, frame.length);
}

void links_folded_append(struct buffer *to, const struct links *links)
{
	for (size_t i = 0; i < links->count; i++) {
		if (i > 0)
			buffer_putc(to, ';');
		frame_append(to, links->link[i].comm, strlen(links->link[i].comm));
	}
	if (links->count > 0)
		last_frame_append(to, &links->link[links->count - 1]);
}

/* The largest kinds first: "disk 12.840 ms, lock 3.100 ms, others 20.000 us". */
static void by_kind_text(struct buffer *to, const nsec_t *by_kind)
{
	bool is_shown[CAUSE_KIND_COUNT] = {false};
	char figure[FORMAT_BYTES];
	nsec_t others = 0;

	for (unsigned shown = 0; shown < BY_KIND_SHOWN; shown++) {
		unsigned largest = CAUSE_KIND_COUNT;

		for (unsigned kind = 0; kind < CAUSE_KIND_COUNT; kind++)
			if (!is_shown[kind] && by_kind[kind] &&
			    (largest == CAUSE_KIND_COUNT || by_kind[kind] > by_kind[largest]))
				largest = kind;
		if (largest == CAUSE_KIND_COUNT)
			break;
		is_shown[largest] = true;
		buffer_printf(to, "%s%s %s", shown ? ", " : "", cause_kind_name(largest),
		              format_duration(by_kind[largest], figure));
	}
	for (unsigned kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		others += is_shown[kind] ? 0 : by_kind[kind];
	if (others)
		buffer_printf(to, ", others %s", format_duration(others, figure));
}

static void instant_text(struct buffer *to, nsec_t time, nsec_t trace_begin)
{
	char figure[FORMAT_BYTES];

	/* A switch-in that the trace does not begin with lies before its begin. */
	if (time < trace_begin)
		buffer_printf(to, "-%s", format_instant(trace_begin - time, figure));
	else
		buffer_puts(to, format_instant(time - trace_begin, figure));
}

void cell_text_append(struct buffer *to, const struct cell *cell, nsec_t trace_begin)
{
	size_t before = to->length;
	char figure[FORMAT_BYTES];

	if (cell->type == CELL_COUNT)
		buffer_puts(to, format_count(cell->count, figure));
	else if (cell->type == CELL_INSTANT && cell->time != NSEC_NEVER)
		instant_text(to, cell->time, trace_begin);
	else if (cell->type == CELL_DURATION && cell->time != NSEC_NEVER)
		buffer_puts(to, format_duration(cell->time, figure));
	else if (cell->type == CELL_RATIO)
		buffer_puts(to, format_ratio(cell->ratio, figure));
	else if (cell->type == CELL_BOOL)
		buffer_puts(to, cell->boolean ? "yes" : "no");
	else if (cell->type == CELL_BY_KIND && cell->by_kind)
		by_kind_text(to, cell->by_kind);
	else if (cell->type == CELL_CAUSE && cell->cause)
		cause_text_append(to, cell->cause);
	else if (cell->type == CELL_TEXT || cell->type == CELL_TASK ||
	         cell->type == CELL_CONFIDENCE || cell->type == CELL_LINKS)
		cell_plain_append(to, cell);
	if (to->length == before)
		buffer_putc(to, '-');
}

static void by_kind_plain(struct buffer *to, const nsec_t *by_kind)
{
	const char *between = "";

	for (unsigned kind = 0; by_kind && kind < CAUSE_KIND_COUNT; kind++) {
		if (!by_kind[kind])
			continue;
		buffer_printf(to, "%s%s=%" PRIu64, between, cause_kind_name(kind), by_kind[kind]);
		between = " ";
	}
}

void cell_plain_append(struct buffer *to, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_EMPTY:
		break;
	case CELL_TEXT:
		if (cell->text)
			clean_append(to, cell->text);
		break;
	case CELL_COUNT:
		buffer_printf(to, "%" PRIu64, cell->count);
		break;
	case CELL_INSTANT:
	case CELL_DURATION:
		if (cell->time != NSEC_NEVER)
			buffer_printf(to, "%" PRIu64, cell->time);
		break;
	case CELL_RATIO:
		buffer_printf(to, "%.6f", cell->ratio);
		break;
	case CELL_BOOL:
		buffer_puts(to, cell->boolean ? "true" : "false");
		break;
	case CELL_TASK:
		task_text_append(to, &cell->task);
		break;
	case CELL_CAUSE:
		if (cell->cause)
			cause_text_append(to, cell->cause);
		break;
	case CELL_CONFIDENCE:
		buffer_puts(to, confidence_name(cell->confidence));
		break;
	case CELL_LINKS:
		links_folded_append(to, &cell->links);
		break;
	case CELL_BY_KIND:
		by_kind_plain(to, cell->by_kind);
		break;
	}
}

bool cell_type_is_figure(enum cell_type type)
{
	return type == CELL_COUNT || type == CELL_INSTANT || type == CELL_DURATION ||
	       type == CELL_RATIO;
}
