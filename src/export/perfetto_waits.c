/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_waits.h"

#include "base/cleanup.h"
#include "perfetto_stacks.h"
#include "words/cause_words.h"

#define NAME_BYTES_MAX  1024
#define STACK_BYTES_MAX 8192

static void name_put(struct perfetto_file *file, const struct span *span,
                     const struct cause *cause)
{
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_init(&name, NAME_BYTES_MAX);
	if (span->is_open)
		open_text_append(&name, "not ended in this trace", cause);
	else
		cause_text_append(&name, cause);
	perfetto_slice_name(file, "wait", name.text);
}

static void string_put(struct perfetto_file *file, const char *key, const char *text, size_t most)
{
	_cleanup_(buffer_release) struct buffer clean = {0};

	buffer_init(&clean, most);
	buffer_puts_clean(&clean, text, strlen(text));
	perfetto_slice_string(file, key, clean.text);
}

/* Functions, innermost first, if they are known: `stack` is their name id. */
static void stack_put(const struct perfetto_waits *waits, const char *key, uint32_t stack)
{
	if (stack)
		string_put(waits->tracks->file, key,
		           intern_text(&waits->tracks->timeline->names, stack), STACK_BYTES_MAX);
}

static void callstack_put(const struct perfetto_waits *waits, uint32_t kernel, uint32_t user)
{
	const struct intern *names = &waits->tracks->timeline->names;

	perfetto_callstack_put(waits->tracks->file, intern_text(names, kernel),
	                       intern_text(names, user));
}

static void waker_put(const struct perfetto_waits *waits, const struct cause *cause, uint32_t stack)
{
	struct perfetto_file *file = waits->tracks->file;

	if (!cause->has_waker && !stack)
		return;
	perfetto_slice_group(file, "waker");
	if (cause->has_waker) {
		perfetto_slice_number(file, "tid", cause->waker.tid);
		string_put(file, "comm", cause->waker.comm, NAME_BYTES_MAX);
	}
	stack_put(waits, "stack", stack);
	perfetto_slice_group_end(file);
}

static void cause_put(struct perfetto_file *file, const struct span *span,
                      const struct cause *cause)
{
	const char state[2] = {(char)(span->detail & (uint8_t)~WAIT_FOR_WORK), '\0'};

	perfetto_slice_group(file, "cause");
	perfetto_slice_string(file, "kind", cause_kind_name(cause->kind));
	if (cause->name)
		string_put(file, "name", cause->name, NAME_BYTES_MAX);
	perfetto_slice_group_end(file);
	perfetto_slice_string(file, "confidence", confidence_name(cause->confidence));
	perfetto_slice_string(file, "state", state);
}

static void flow_end_put(struct perfetto_waits *waits, uint32_t line, nsec_t time, uint32_t field,
                         const char *name, uint32_t stack)
{
	struct perfetto_file *file = waits->tracks->file;
	uint64_t track = perfetto_line_track(waits->tracks, TRACK_WAKEUPS, line);

	(void)perfetto_slice_begin(file, time, track, TYPE_INSTANT);
	perfetto_slice_name(file, "wakeup", name);
	proto_fixed64(&file->packet, field, waits->flow_count);
	callstack_put(waits, stack, 0);
	perfetto_slice_end(file);
}

/*
 * The two ends of the arrow are instants, the waker's first. The arrow cannot end at the wait
 * itself, which began earlier: Perfetto would turn it round.
 */
static void flow_put(struct perfetto_waits *waits, const struct span *span)
{
	if (span->is_open || span->end > waits->tracks->end || !span->cause ||
	    span->cause->waker == LINE_NONE ||
	    span->cause->waker == span->line)
		return;
	waits->flow_count++;
	flow_end_put(waits, span->cause->waker, span->end, EVENT_FLOW, "wakes",
	             place_stacks(span->place).waker);
	flow_end_put(waits, span->line, span->end, EVENT_FLOW_ENDS, "woken", 0);
}

void perfetto_waits_add(struct perfetto_waits *waits, const struct span *span)
{
	struct cause cause = {.kind = CAUSE_UNKNOWN, .origin = NSEC_NEVER};
	struct perfetto_file *file = waits->tracks->file;
	uint64_t track = perfetto_line_track(waits->tracks, TRACK_WAITS, span->line);
	const struct wait_stacks stacks = place_stacks(span->place);
	nsec_t begin = span->begin, end = span->end;

	if (!perfetto_cut(waits->tracks, &begin, &end))
		return;
	if (span->cause)
		cause = timeline_cause(waits->tracks->timeline, span->cause, span->end);
	(void)perfetto_slice_begin(file, begin, track, TYPE_BEGIN);
	name_put(file, span, &cause);
	cause_put(file, span, &cause);
	waker_put(waits, &cause, stacks.waker);
	stack_put(waits, "stack", stacks.frames);
	stack_put(waits, "user_stack", stacks.user);
	callstack_put(waits, stacks.frames, stacks.user);
	perfetto_slice_cut(waits->tracks, span->begin, span->end);
	perfetto_slice_end(file);
	(void)perfetto_slice_begin(file, end, track, TYPE_END);
	if (end == span->end)
		callstack_put(waits, stacks.waker, 0);
	perfetto_slice_end(file);
	flow_put(waits, span);
}
