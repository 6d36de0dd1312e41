/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "signal_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "analysis/tables/relation.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "sentences/prose.h"

/* Longest time between a signal and its wake-up. It is long because a host may have taken the CPU
   away meanwhile. */
#define WAKE_NS 10000000
/* The same if an interrupt sent the signal: then only the time shows that the wake-up belongs to
   the signal. */
#define WAKE_INTERRUPT_NS 50000

/* The kernel's enum trace_signal_result */
static const char *const results[] = {"sent", "ignored", "was pending", "lost", "lost in part"};

void signal_list_init(struct signal_list *list, const struct question *question)
{
	*list = (struct signal_list){.question = question};
}

void signal_list_release(struct signal_list *list)
{
	free(list->signal);
}

void signal_list_add(struct signal_list *list, const struct interval *interval)
{
	const struct signal_interval *signal = &interval->signal;
	bool is_known = signal->result >= 0 && signal->result < (int64_t)ARRAY_SIZE(results);

	if (list->count == SIGNALS_MAX) {
		list->left_out++;
		return;
	}
	list->comes_after_wake |= signal->has_woken;
	ARRAY_ADD(list->signal, list->count, list->capacity) = (struct sent_signal){
		.at = interval->begin,
		.from = interval->task,
		.to = interval->other,
		.name = signal->name,
		.number = signal->number,
		.result = is_known ? (uint8_t)signal->result : 0,
		.has_woken = signal->has_woken,
		.has_ended_stop = signal->has_ended_stop,
	};
}

/* Whether the signal ended the wait. A wake-up from an interrupt does not show its signal, so it is
   matched by its time. */
static bool signal_fits(const struct signal_list *list, const struct sent_signal *signal,
                        const struct span *span)
{
	const struct cause_note *cause = span->cause;

	/* the woken thread may be another one of the process */
	if (signal->at > span->end || signal->has_woken || signal->result != 0 ||
	    signal->from != cause->waker ||
	    !timeline_is_one_process(list->question->timeline, signal->to, span->track))
		return false;
	if (cause->kind == CAUSE_SIGNAL)
		return cause->as.signal.number == signal->number;
	return signal->at + WAKE_INTERRUPT_NS >= span->end;
}

/* Finds the signal that ended the wait, if its event came before the wake-up; a signal whose event
   comes after its wake-up is matched when it is added. */
void signal_list_note_span(struct signal_list *list, const struct span *span)
{
	if ((span->kind != SEGMENT_WAIT && span->kind != SEGMENT_STOPPED) || !span->cause ||
	    span->is_open)
		return;
	if (span->cause->kind == CAUSE_SIGNAL ? list->comes_after_wake
	                                      : span->cause->waker != TRACK_NONE)
		return;
	/* spans are reported soon after they end, so the signal is among the last ones */
	for (size_t i = list->count; i-- > 0;) {
		struct sent_signal *signal = &list->signal[i];

		if (signal->at + WAKE_NS < span->end)
			break;
		if (signal_fits(list, signal, span)) {
			signal->has_woken = true;
			signal->has_ended_stop = span->kind == SEGMENT_STOPPED;
			break;
		}
	}
}

bool signal_is_asked(const struct signal_list *list, const struct sent_signal *signal)
{
	const struct question *question = list->question;

	return question_contains(question, signal->at) &&
	       (question->resolved->is_asked[signal->to] ||
	        (signal->from != TRACK_NONE && question->resolved->is_asked[signal->from]));
}

static bool signal_is(const struct signal_list *list, const struct sent_signal *signal,
                      const char *name)
{
	return signal->name &&
	       strcmp(intern_text(&list->question->timeline->names, signal->name), name) == 0;
}

bool signal_is_of_child(const struct signal_list *list, const struct sent_signal *signal)
{
	return signal_is(list, signal, "SIGCHLD");
}

/* Whether a process ignores or handles SIGCONT, it continues; what the kernel says is about the
   handler only. */
static const char *signal_result(const struct signal_list *list, const struct sent_signal *signal,
                                 const char *continued)
{
	return signal->has_ended_stop && signal_is(list, signal, "SIGCONT")
	               ? continued
	               : results[signal->result];
}

bool signal_is_oom(const struct signal_list *list, const struct sent_signal *signal)
{
	const struct track_death *death = &list->question->timeline->track[signal->to].death;

	return death->is_oom && death->at == signal->at && death->number == signal->number;
}

nsec_t signal_target_end(const struct signal_list *list, const struct sent_signal *signal)
{
	const struct track *track = &list->question->timeline->track[signal->to];

	return track->begin == NSEC_NEVER || track->is_open || track->end < signal->at ? NSEC_NEVER
	                                                                               : track->end;
}

/* "SIGKILL", "34" */
static void signal_name_append(struct buffer *to, const struct signal_list *list,
                               const struct sent_signal *signal)
{
	if (signal->name)
		buffer_puts(to, intern_text(&list->question->timeline->names, signal->name));
	else
		buffer_printf(to, "%" PRId32, signal->number);
}

#define AT(member) RELATION_AT(struct sent_signal, member)

enum {
	COLUMN_NAME = 2,
	COLUMN_SENDER,
	COLUMN_SENDER_TEXT,
	COLUMN_RESULT = 7,
	COLUMN_RESULT_TEXT,
	COLUMN_TARGET_END,
	COLUMN_OOM,
	COLUMN_ENDED_AFTER,
};

static const struct field fields[] = {
	{"at_ns", "AT", CELL_INSTANT, COLUMN_USEFUL(2), AT(at)},
	{"number", NULL, CELL_INTEGER, 0, AT(number)},
	[COLUMN_NAME] = {"name", "SIGNAL", CELL_TEXT, 0, FILLED},
	[COLUMN_SENDER] = {"from", NULL, CELL_TASK, 0, AT(from)},
	[COLUMN_SENDER_TEXT] = {NULL, "FROM", CELL_TASK, 0, AT(from)},
	{"to", "TO", CELL_TASK, 0, AT(to)},
	{"woke", "WOKE", CELL_BOOL, COLUMN_SPARE(2), AT(has_woken)},
	[COLUMN_RESULT] = {"result", NULL, CELL_TEXT, 0, FILLED},
	[COLUMN_RESULT_TEXT] = {NULL, "RESULT", CELL_TEXT, COLUMN_USEFUL(1), FILLED},
	[COLUMN_TARGET_END] = {"target_end_ns", NULL, CELL_INSTANT, 0, FILLED},
	[COLUMN_OOM] = {"oom", NULL, CELL_BOOL, 0, FILLED},
	[COLUMN_ENDED_AFTER] = {NULL, "TARGET ENDED AFTER", CELL_DURATION, COLUMN_SPARE(1), FILLED},
};

static void signal_fill(const void *of_list, const void *of, struct cell *cell, struct buffer *text)
{
	const struct signal_list *list = of_list;
	const struct sent_signal *signal = of;
	nsec_t end = signal_target_end(list, signal);

	signal_name_append(&text[COLUMN_NAME], list, signal);
	cell[COLUMN_OOM].boolean = signal_is_oom(list, signal);
	if (cell[COLUMN_OOM].boolean) {
		cell[COLUMN_SENDER].type = CELL_EMPTY;
		cell[COLUMN_SENDER_TEXT] = (struct cell){CELL_TEXT, .text = "the OOM killer"};
	}
	cell[COLUMN_RESULT].text = signal_result(list, signal, "continued");
	cell[COLUMN_RESULT_TEXT].text = signal_result(list, signal, "continued it");
	cell[COLUMN_TARGET_END].time = end;
	cell[COLUMN_ENDED_AFTER].time = end - signal->at;
	if (end == NSEC_NEVER)
		cell[COLUMN_TARGET_END].type = cell[COLUMN_ENDED_AFTER].type = CELL_EMPTY;
}

static bool is_asked(const void *list, const void *signal)
{
	return signal_is_asked(list, signal);
}

/* Text omits what all children have in common. */
static bool is_in_text(const void *list, const void *signal)
{
	return signal_is_asked(list, signal) && !signal_is_of_child(list, signal);
}

static const struct relation_form data_form = {
	"signals", NULL, FIELDS(fields),
	.next = LINK_PATH("to", "at_ns", "target_end_ns") "|"
	        "--critical-path={to} --from {from:at_ns}",
	.task_time = {AT(at)},
	.is_shown = is_asked, .fill = signal_fill, .flags = COLUMN_DATA_ONLY,
};

static const struct relation_form text_form = {
	NULL, "Signals, but for SIGCHLD", FIELDS(fields),
	.next = LINK_PATH("to", "at_ns", "target_end_ns") "|"
	        "--critical-path={to} --from {from:at_ns}",
	.task_time = {AT(at)},
	.is_shown = is_in_text, .fill = signal_fill, .flags = COLUMN_TEXT_ONLY,
};

void signal_list_report(const struct signal_list *list, const struct output *to)
{
	struct tally signals = relation_of(list->signal, sizeof(*list->signal), list->count);

	if (list->left_out)
		health_doubt(list->question->health,
		             "more than %u signals: the last %" PRIu64 " are left out", SIGNALS_MAX,
		             list->left_out);
	relation_put(&signals, &data_form, list, list->question, to);
	relation_put(&signals, &text_form, list, list->question, to);
}
