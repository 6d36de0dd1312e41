/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_waits.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "words/cause/cause_words.h"
#include "words/cause/unknown_words.h"
#include "words/task_words.h"

#define NAME_BYTES_MAX  1024
#define STACK_BYTES_MAX 8192

/*
 * Callstacks are written once and then referred to by number, like texts. Kernel frames belong to a
 * mapping with the kernel's name, by which Perfetto distinguishes them from the program's frames.
 */

#define CALLSTACK_BYTES_MAX 16384
#define KERNEL_PATH         "kernel"
#define PROGRAM_PATH        "" /* the program's file is not known */

static uint64_t mapping_of(struct perfetto_file *file, const char *path)
{
	bool is_new;
	uint64_t number = perfetto_number(file, INTERNED_MAPPING, path, &is_new), path_number = 0;

	if (!is_new)
		return number;
	if (*path)
		path_number = perfetto_text(file, INTERNED_MAPPING_PATH, path);
	proto_begin(&file->interned, INTERNED_MAPPING);
	proto_number(&file->interned, INTERNED_IID, number);
	if (path_number)
		proto_number(&file->interned, MAPPING_PATH, path_number);
	proto_end(&file->interned);
	return number;
}

/* The number of the frame. `path` is part of its key, as the kernel and a program may have
   functions with the same name. */
static uint64_t frame_of(struct perfetto_file *file, const char *path, const char *function)
{
	_cleanup_(buffer_release) struct buffer key = buffer_of(CALLSTACK_BYTES_MAX);
	uint64_t number, name, mapping;
	bool is_new;

	buffer_printf(&key, "%s\n%s", path, function);
	number = perfetto_number(file, INTERNED_FRAME, key.text, &is_new);
	if (!is_new)
		return number;
	name = perfetto_text(file, INTERNED_FUNCTION_NAME, function);
	mapping = mapping_of(file, path);
	proto_begin(&file->interned, INTERNED_FRAME);
	proto_number(&file->interned, INTERNED_IID, number);
	proto_number(&file->interned, FRAME_FUNCTION, name);
	proto_number(&file->interned, FRAME_MAPPING, mapping);
	proto_end(&file->interned);
	return number;
}

/* Writes the frames of `functions`, which are innermost first, in Perfetto's order: outermost
   first. Removes the functions from the text one by one. */
static void frames_put(struct perfetto_file *file, struct proto_writer *callstack,
                       const char *path, char *functions)
{
	char *last = functions + strlen(functions);

	while (last != functions) {
		last = strrchr(functions, ';');
		last = last ? last + 1 : functions;
		if (*last)
			proto_number(callstack, CALLSTACK_FRAME, frame_of(file, path, last));
		if (last != functions)
			*--last = '\0';
	}
}

/* Adds the stack to the packet's event: functions of the kernel, and of the program that called it,
   each innermost first, separated by ";"; "" if not known. Writes nothing if both are unknown. */
static void perfetto_callstack_put(struct perfetto_file *file, const char *kernel, const char *user)
{
	_cleanup_(buffer_release) struct buffer kernel_part = {0}, user_part = {0}, key = {0};
	_cleanup_(proto_release) struct proto_writer callstack = {0};
	uint64_t number;
	bool is_new;

	if (!*kernel && !*user)
		return;
	buffer_init(&kernel_part, CALLSTACK_BYTES_MAX);
	buffer_init(&user_part, CALLSTACK_BYTES_MAX);
	buffer_init(&key, 2 * CALLSTACK_BYTES_MAX + 1);
	buffer_puts_clean(&kernel_part, kernel, strlen(kernel));
	buffer_puts_clean(&user_part, user, strlen(user));
	/* the parts contain no control characters */
	buffer_printf(&key, "%s\n%s", user_part.text, kernel_part.text);
	number = perfetto_number(file, INTERNED_CALLSTACK, key.text, &is_new);
	if (is_new) {
		proto_number(&callstack, INTERNED_IID, number);
		frames_put(file, &callstack, PROGRAM_PATH, user_part.text);
		frames_put(file, &callstack, KERNEL_PATH, kernel_part.text);
		proto_bytes(&file->interned, INTERNED_CALLSTACK, callstack.byte, callstack.length);
	}
	proto_number(&file->packet, EVENT_CALLSTACK_IID, number);
}

static void name_put(struct perfetto_file *file, const struct span *span,
                     const struct cause *cause)
{
	_cleanup_(buffer_release) struct buffer name = buffer_of(NAME_BYTES_MAX);

	if (span->is_open)
		open_text_append(&name, WORDS_STILL_WAITING, cause);
	else
		cause_text_append(&name, cause);
	perfetto_slice_name(file, "wait", name.text);
}

static void string_put(struct perfetto_file *file, const char *key, const char *text, size_t most)
{
	_cleanup_(buffer_release) struct buffer clean = buffer_of(most);

	buffer_puts_clean(&clean, text, strlen(text));
	perfetto_slice_string(file, key, clean.text);
}

/* Writes the functions of a stack, innermost first; `stack` is their name id, 0 if they are not
   known. */
static void stack_put(const struct perfetto_waits *waits, struct perfetto_file *file,
                      const char *key, uint32_t stack)
{
	if (stack)
		string_put(file, key, intern_text(&waits->tracks->timeline->names, stack),
		           STACK_BYTES_MAX);
}

static void callstack_put(const struct perfetto_waits *waits, struct perfetto_file *file,
                          uint32_t kernel, uint32_t user)
{
	const struct intern *names = &waits->tracks->timeline->names;

	perfetto_callstack_put(file, intern_text(names, kernel), intern_text(names, user));
}

static void waker_put(const struct perfetto_waits *waits, struct perfetto_file *file,
                      const struct cause *cause, uint32_t stack)
{
	if (!cause->has_waker && !stack)
		return;
	perfetto_slice_group(file, "waker");
	if (cause->has_waker)
		perfetto_slice_task(file, &cause->waker);
	stack_put(waits, file, "stack", stack);
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

static void flow_end_put(struct perfetto_waits *waits, uint32_t task_track, nsec_t time,
                         uint32_t field, const char *name, uint32_t stack)
{
	struct perfetto_file *file = perfetto_task_file(waits->tracks, task_track);
	uint64_t uuid = perfetto_task_track(waits->tracks, TRACK_WAKEUPS, task_track);

	(void)perfetto_slice_begin(file, time, uuid, TYPE_INSTANT);
	perfetto_slice_name(file, "wakeup", name);
	proto_fixed64(&file->packet, field, waits->flow_count);
	callstack_put(waits, file, stack, 0);
	perfetto_slice_end(file);
}

/*
 * Writes the arrow from the waker to the wakee. Its ends are two instants at the same time, the
 * waker's first. The arrow cannot end at the slice of the wait, as that began earlier: Perfetto
 * would turn the arrow round.
 */
static void flow_put(struct perfetto_waits *waits, const struct span *span)
{
	if (span->is_open || span->end > waits->tracks->end || !span->cause ||
	    span->cause->waker == TRACK_NONE ||
	    span->cause->waker == span->track)
		return;
	waits->flow_count++;
	flow_end_put(waits, span->cause->waker, span->end, EVENT_FLOW, "wakes",
	             place_stacks(span->place).waker);
	flow_end_put(waits, span->track, span->end, EVENT_FLOW_ENDS, "woken", 0);
}

static void message_end_put(struct perfetto_waits *waits, uint32_t task_track, nsec_t time,
                            uint32_t field, const char *what)
{
	const struct timeline *timeline = waits->tracks->timeline;
	const uint32_t host = timeline->track[task_track].host;
	const struct task task = timeline_task(timeline, task_track, time);
	struct perfetto_file *file = &waits->tracks->file[0];
	_cleanup_(buffer_release) struct buffer name = buffer_of(NAME_BYTES_MAX);
	uint64_t uuid;

	buffer_printf(&name, "messages%s", PERFETTO_OF(waits->tracks, host));
	uuid = perfetto_track(waits->tracks, file, TRACK_MESSAGES, host, name.text);
	buffer_clear(&name);
	task_text_append(&name, &task);
	buffer_printf(&name, " %s", what);
	(void)perfetto_slice_begin(file, time, uuid, TYPE_INSTANT);
	perfetto_slice_name(file, "message", name.text);
	proto_fixed64(&file->packet, field, waits->flow_count);
	perfetto_slice_end(file);
}

/*
 * Writes the arrow from the task of another machine that sent what ended the wait. Perfetto knows
 * arrows only within one machine, so both ends are on tracks of the first one, which stand for the
 * machines.
 */
static void message_put(struct perfetto_waits *waits, const struct span *span)
{
	const struct track *tracks = waits->tracks->timeline->track;
	const struct cause_note *cause = span->cause;

	if (span->is_open || span->end > waits->tracks->end || !cause ||
	    cause->originator == TRACK_NONE || cause->origin == NSEC_NEVER ||
	    cause->origin < waits->tracks->begin || cause->origin > span->end ||
	    tracks[cause->originator].host == tracks[span->track].host)
		return;
	waits->flow_count++;
	message_end_put(waits, cause->originator, cause->origin, EVENT_FLOW, "sends");
	message_end_put(waits, span->track, span->end, EVENT_FLOW_ENDS, "woken");
}

void perfetto_waits_add(struct perfetto_waits *waits, const struct span *span)
{
	struct cause cause;
	struct perfetto_file *file = perfetto_task_file(waits->tracks, span->track);
	uint64_t uuid = perfetto_task_track(waits->tracks, TRACK_WAITS, span->track);
	const struct wait_stacks stacks = place_stacks(span->place);
	nsec_t begin = span->begin, end = span->end;

	if (!perfetto_cut(waits->tracks, &begin, &end))
		return;
	cause = timeline_cause(waits->tracks->timeline, span->cause, span->end);
	(void)perfetto_slice_begin(file, begin, uuid, TYPE_BEGIN);
	name_put(file, span, &cause);
	cause_put(file, span, &cause);
	perfetto_slice_aim(file, waits->tracks->timeline, span->track,
	                   span->kind == SEGMENT_WAIT ? span->cause : NULL);
	waker_put(waits, file, &cause, stacks.waker);
	stack_put(waits, file, "stack", stacks.frames);
	stack_put(waits, file, "user_stack", stacks.user);
	callstack_put(waits, file, stacks.frames, stacks.user);
	perfetto_slice_cut(waits->tracks, file, span->begin, span->end);
	perfetto_slice_end(file);
	(void)perfetto_slice_begin(file, end, uuid, TYPE_END);
	if (end == span->end)
		callstack_put(waits, file, stacks.waker, 0);
	perfetto_slice_end(file);
	flow_put(waits, span);
	message_put(waits, span);
}
