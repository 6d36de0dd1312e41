/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "deaths.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/death_words.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "words/instant_words.h"

#define LINES_SHOWN 3 /* one about the processes of a name that the same has ended */
#define NAMES_SHOWN 3 /* of those that other signals have ended */

/* How a process ended, in the order in which it is reported. */
enum end_kind {
	END_NO_NEWS, /* by itself, or because nobody reads what it writes */
	END_OOM,
	END_FAULT,   /* a program gets such a signal for what it does itself */
	END_ASKED,   /* somebody wanted it to end */
};

/* Processes with the same name that the same has ended. */
struct loss {
	enum end_kind kind;
	uint32_t track, name; /* the first of them; id in names */
	nsec_t end;           /* of the first */
	int32_t number;
	size_t count;
};

struct losses_of_tasks {
	struct loss *loss;
	size_t count, capacity;
};

static const char *const faults[] = {
	"SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS", "SIGXCPU",
	"SIGXFSZ",
};

static enum end_kind end_of(const struct timeline *timeline, const struct track *track)
{
	const struct track_death *death = track_death_of(track);
	const char *name = death && death->name ? intern_text(&timeline->names, death->name) : "";

	if (!death || death->kind != DEATH_SIGNAL)
		return END_NO_NEWS;
	if (death->is_oom)
		return END_OOM;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		if (strcmp(name, faults[i]) == 0)
			return END_FAULT;
	return strcmp(name, "SIGPIPE") == 0 ? END_NO_NEWS : END_ASKED;
}

static bool is_in_window(const struct question *question, const struct track *track)
{
	return !question->resolved->is_windowed || question_contains(question, track->end);
}

static void losses_add(struct losses_of_tasks *losses, const struct timeline *timeline,
                       uint32_t track, enum end_kind kind)
{
	uint32_t name = timeline_name_at(&timeline->track[track], NSEC_NEVER);
	nsec_t end = timeline->track[track].end;
	int32_t number = timeline->track[track].death.number;

	for (size_t i = 0; i < losses->count; i++) {
		struct loss *loss = &losses->loss[i];

		if (loss->kind != kind || loss->name != name || loss->number != number)
			continue;
		if (end < loss->end) {
			loss->track = track;
			loss->end = end;
		}
		loss->count++;
		return;
	}
	ARRAY_GROW(losses->loss, losses->count, losses->capacity);
	losses->loss[losses->count++] = (struct loss){kind, track, name, end, number, 1};
}

static int loss_compare(const void *a, const void *b)
{
	const struct loss *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

/* "cc1[17] (and 2 more) died of SIGSEGV at 0.316." */
static void loss_print(const struct question *question, const struct loss *loss,
                       const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 1024);
	prose_task_append(&line, timeline, loss->track);
	if (loss->count > 1)
		buffer_printf(&line, " (and %zu more of that name)", loss->count - 1);
	death_sentence_append(&line, timeline, loss->track);
	buffer_puts(&line, ", at ");
	buffer_puts(&line, INSTANT_OF(&question->instants, timeline->track[loss->track].end));
	buffer_putc(&line, '.');
	prose_put(to, line.text);
}

/* "Ended by signals: sleep[9] (SIGKILL from bash[7]), 3 more (--processes)." */
static void asked_print(const struct question *question, const struct loss *loss, size_t count,
                        size_t more, const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 1024);
	for (size_t i = 0; i < count; i++) {
		const struct track_death *death = &timeline->track[loss[i].track].death;

		if (i >= NAMES_SHOWN) {
			more += loss[i].count;
			continue;
		}
		buffer_puts(&line, i ? ", " : "Ended by signals: ");
		prose_task_append(&line, timeline, loss[i].track);
		buffer_puts(&line, " (");
		death_append(&line, timeline, death);
		if (death->by != TRACK_NONE &&
		    !timeline_is_one_process(timeline, death->by, loss[i].track)) {
			buffer_puts(&line, " from ");
			prose_task_append(&line, timeline, death->by);
		}
		buffer_putc(&line, ')');
		more += loss[i].count - 1;
	}
	if (more)
		buffer_printf(&line, "%s%zu more", line.length ? ", " : "Ended by signals: ", more);
	if (line.length == 0)
		return;
	buffer_puts(&line, " (--processes).");
	prose_put(to, line.text);
}

void deaths_print(const struct question *question, uint32_t leading, bool is_of_machine,
                  const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	struct losses_of_tasks losses = {0};
	size_t told = 0, more = 0;

	if (leading != TRACK_NONE && track_death_of(&timeline->track[leading]) &&
	    timeline->track[leading].death.kind == DEATH_SIGNAL &&
	    is_in_window(question, &timeline->track[leading]))
		loss_print(question, &(struct loss){.track = leading, .count = 1}, to);
	for (uint32_t i = 0; i < timeline->track_count; i++) {
		enum end_kind kind = end_of(timeline, &timeline->track[i]);

		if (i != leading && kind != END_NO_NEWS && question->resolved->is_asked[i] &&
		    !track_is_of_recorder(question, i) &&
		    is_in_window(question, &timeline->track[i]))
			losses_add(&losses, timeline, i, kind);
	}
	array_sort(losses.loss, losses.count, sizeof(*losses.loss), loss_compare);
	for (; told < losses.count && losses.loss[told].kind != END_ASKED; told++)
		if (told < LINES_SHOWN)
			loss_print(question, &losses.loss[told], to);
		else
			more += losses.loss[told].count;
	asked_print(question, losses.loss + told, is_of_machine ? 0 : losses.count - told, more,
	            to);
	free(losses.loss);
}
