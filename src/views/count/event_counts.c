/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_counts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/events/event_choice.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "sentences/say.h"

#define NAMES_MAX (2 * COUNT_ROWS_MAX)

enum {FIELD_BY, FIELD_SUM};

/* An event that is counted once its stack has come, or does not come. */
struct awaiting_stack {
	bool is_awaiting;
	nsec_t time;
	uint32_t machine;
	struct raw_value value; /* that is summed */
};

struct counting {
	struct event_counts *counts;
	struct asked_events *events;
	struct event_choice choice;
	struct buffer name;
	struct awaiting_stack *waiting; /* by CPU */
	size_t waiting_count, waiting_capacity;
};

void event_counts_init(struct event_counts *counts, const struct question *question,
                       const char *text)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(BUFFER_LIMIT_DEFAULT);

	*counts = (struct event_counts){.question = question};
	(void)count_spec_read(text, &counts->spec, &why);
	counts->by = event_by_read(counts->spec.by);
	intern_init(&counts->names);
	tally_init(&counts->rows, sizeof(*counts->row), sizeof(counts->row->key), COUNT_ROWS_MAX);
}

void event_counts_release(struct event_counts *counts)
{
	for (size_t i = 0; i < counts->row_count; i++)
		free(counts->row[i].slice);
	tally_release(&counts->rows);
	intern_release(&counts->names);
	distribution_release(&counts->values);
	count_spec_release(&counts->spec);
}

/* Id of the text that is in the buffer; 0: it is empty, or there are too many. */
static uint32_t name_intern(struct counting *counting)
{
	struct intern *names = &counting->counts->names;

	return names->count < NAMES_MAX
	               ? intern_add(names, counting->name.text, counting->name.length) : 0;
}

static void key_of_text(struct counting *counting, struct count_key *key)
{
	key->value = name_intern(counting);
	key->kind = key->value ? COUNT_KEY_TEXT : COUNT_KEY_NONE;
}

/* Leaves the name of a text's key in the buffer. */
static void key_of_field(struct counting *counting, const struct raw_event *event,
                         const struct event_field *field, struct count_key *key)
{
	const struct raw_value value = field ? raw_event_value(event, field)
	                                     : (struct raw_value){.kind = RAW_NONE};
	bool is_number = value.kind == RAW_UNSIGNED || value.kind == RAW_SIGNED;

	/* the places of one function are one key */
	if (is_number && !event_field_is_code(field)) {
		key->value = value.number;
		key->kind = COUNT_KEY_NUMBER;
	} else if (value.kind != RAW_NONE) {
		event_value_append(&counting->name, counting->events, event, field);
		key_of_text(counting, key);
	}
}

static struct count_key key_of(struct counting *counting, const struct raw_event *event,
                               const struct chosen_format *chosen, uint32_t track)
{
	const struct event_counts *counts = counting->counts;
	struct count_key key = {.machine = event->host, .kind = COUNT_KEY_NUMBER};

	switch (counts->by) {
	case EVENT_BY_EVENT:
		key.value = chosen->format;
		break;
	case EVENT_BY_TASK:
		/* of a task without a track only its number is known */
		key.value = (uint64_t)track << 32;
		if (track == TRACK_NONE)
			key.value |= (uint32_t)event->task;
		break;
	case EVENT_BY_CPU:
		key.value = event->cpu;
		break;
	case EVENT_BY_FIELD:
		key.kind = COUNT_KEY_NONE;
		key_of_field(counting, event, chosen->field[FIELD_BY], &key);
		break;
	case EVENT_BY_STACK:
		key.kind = COUNT_KEY_NONE;
		break;
	}
	return key;
}

/* The name of a new row, whose key is a number. */
static void name_append(struct counting *counting, const struct raw_event *event,
                        const struct chosen_format *chosen, uint32_t track)
{
	const struct event_counts *counts = counting->counts;
	const struct timeline *timeline = counts->question->timeline;
	struct buffer *to = &counting->name;

	if (counts->by == EVENT_BY_EVENT)
		buffer_printf(to, "%s:%s", event->format->system, event->format->name);
	else if (counts->by == EVENT_BY_CPU)
		buffer_put_u64(to, hosts_own_cpu(&timeline->hosts, event->cpu));
	else if (counts->by == EVENT_BY_FIELD)
		event_value_append(to, counting->events, event, chosen->field[FIELD_BY]);
	else if (track != TRACK_NONE)
		prose_task_append(to, timeline, track);
	else if (event->task == 0)
		buffer_puts(to, "idle CPU");
	else
		buffer_printf(to, "[%" PRId32 "]", hosts_own_id(&timeline->hosts, event->task));
}

static struct count_row *row_of(struct counting *counting, const struct count_key *key)
{
	return tally_row(&counting->counts->rows, key);
}

/* The name of a row whose key has become one. */
static void row_name(struct counting *counting, struct count_row *row)
{
	uint32_t name = row->key.kind == COUNT_KEY_NONE ? 0 : name_intern(counting);

	row->name = name ? intern_text(&counting->counts->names, name) : NULL;
}

static int64_t sum_add(int64_t sum, int64_t more)
{
	int64_t result;

	if (__builtin_add_overflow(sum, more, &result))
		return more < 0 ? INT64_MIN : INT64_MAX;
	return result;
}

static void slice_add(struct event_counts *counts, struct count_row *row, nsec_t time)
{
	nsec_t slice = (time - counts->question->resolved->begin) / counts->spec.per;

	if (!row->slice && row->count == 0) {
		if (counts->slices_used + counts->slice_count > COUNT_SLICES_MAX) {
			counts->rows_unsliced++;
			return;
		}
		counts->slices_used += counts->slice_count;
		row->slice = xcalloc(counts->slice_count, sizeof(*row->slice));
	}
	/* the last event of the recording may lie at the end of the last slice */
	if (row->slice)
		row->slice[nsec_min(slice, counts->slice_count - 1)]++;
}

static void value_add(struct event_counts *counts, struct count_row *row, nsec_t time,
                      const struct raw_value *value)
{
	int64_t number;

	if (value->kind != RAW_UNSIGNED && value->kind != RAW_SIGNED)
		return;
	number = value->kind == RAW_UNSIGNED && value->number > INT64_MAX
	                 ? INT64_MAX : (int64_t)value->number;
	counts->sum = sum_add(counts->sum, number);
	if (row)
		row->sum = sum_add(row->sum, number);
	if (number >= 0)
		distribution_add(&counts->values, (nsec_t)number, time);
}

/* Adds to a row, or only to the sums of all rows. */
static void count_add(struct event_counts *counts, struct count_row *row, nsec_t time,
                      const struct raw_value *value)
{
	counts->total++;
	value_add(counts, row, time, value);
	if (!row)
		return;
	if (counts->slice_count)
		slice_add(counts, row, time);
	row->count++;
}

/* Counts the event that waits for its stack on that CPU; `stack`: NULL if it has none. */
static void stack_settle(struct counting *counting, struct awaiting_stack *waiting,
                         const struct raw_event *stack)
{
	struct count_key key = {.machine = waiting->machine};
	struct count_row *row;

	waiting->is_awaiting = false;
	buffer_clear(&counting->name);
	if (stack)
		event_stack_append(&counting->name, counting->events, stack);
	key_of_text(counting, &key);
	row = row_of(counting, &key);
	if (row && row->count == 0) {
		row->track = TRACK_NONE;
		row_name(counting, row);
	}
	count_add(counting->counts, row, waiting->time, &waiting->value);
}

static struct awaiting_stack *waiting_on(struct counting *counting, uint32_t cpu)
{
	ARRAY_REACH(counting->waiting, counting->waiting_count, counting->waiting_capacity, cpu);
	return &counting->waiting[cpu];
}

static void event_add(struct counting *counting, const struct raw_event *event,
                      const struct chosen_format *chosen)
{
	struct event_counts *counts = counting->counts;
	const struct event_field *summed = chosen->field[FIELD_SUM];
	const struct raw_value value = summed ? raw_event_value(event, summed)
	                                      : (struct raw_value){.kind = RAW_NONE};
	uint32_t track = counts->by == EVENT_BY_TASK ? asked_events_track(counting->events, event)
	                                             : TRACK_NONE;
	struct count_key key;
	struct count_row *row;

	if (counts->by == EVENT_BY_STACK) {
		*waiting_on(counting, event->cpu) =
			(struct awaiting_stack){true, event->time, event->host, value};
		return;
	}
	buffer_clear(&counting->name);
	key = key_of(counting, event, chosen, track);
	row = row_of(counting, &key);
	if (row && row->count == 0) {
		row->track = track;
		if (counting->name.length == 0)
			name_append(counting, event, chosen, track);
		row_name(counting, row);
	}
	count_add(counts, row, event->time, &value);
}

/* Finds how many slices the window has. */
static bool slices_find(struct event_counts *counts, struct buffer *why)
{
	nsec_t length = question_length(counts->question), per = counts->spec.per;

	if (per == 0)
		return true;
	if (length / per >= COUNT_SLICES_OF_ROW_MAX) {
		say(why, NULL,
		    "per={time}: more than {count} slices in {time}; choose a longer time, or a "
		    "window (--from, --to)",
		    TIME(per), COUNT(COUNT_SLICES_OF_ROW_MAX), TIME(length));
		return false;
	}
	counts->slice_count = (size_t)((length + per - 1) / per);
	if (counts->slice_count == 0)
		counts->slice_count = 1;
	return true;
}

static void counting_free(struct event_counts *counts)
{
	struct counting *counting = counts->counting;

	free(counting->waiting);
	buffer_release(&counting->name);
	event_choice_release(&counting->choice);
	free(counting);
	counts->counting = NULL;
}

static bool counts_begin(void *state, struct asked_events *events, struct buffer *why)
{
	struct event_counts *counts = state;
	const struct count_spec *spec = &counts->spec;
	const char *by = counts->by == EVENT_BY_FIELD ? spec->by : NULL;
	struct counting *counting;

	if (!slices_find(counts, why))
		return false;
	counting = counts->counting = xcalloc(1, sizeof(*counting));
	counting->counts = counts;
	counting->events = events;
	event_choice_init(&counting->choice, spec->event, by, spec->sum);
	buffer_init(&counting->name, BUFFER_LIMIT_DEFAULT);
	if (event_choice_exists(&counting->choice, events, why))
		return true;
	counting_free(counts);
	return false;
}

static void counts_take(void *state, const struct raw_event *event)
{
	struct event_counts *counts = state;
	struct counting *counting = counts->counting;
	const struct chosen_format *chosen = event_choice_find(&counting->choice, event);

	if (counts->by == EVENT_BY_STACK && !event_is_user_stack(event)) {
		struct awaiting_stack *waiting = waiting_on(counting, event->cpu);

		if (waiting->is_awaiting)
			stack_settle(counting, waiting,
			             event_is_kernel_stack(event) ? event : NULL);
	}
	if (chosen && asked_events_ran(counting->events, event))
		event_add(counting, event, chosen);
	else
		counts->others += chosen != NULL;
}

static void counts_end(void *state)
{
	struct event_counts *counts = state;
	struct counting *counting = counts->counting;

	for (size_t i = 0; i < counting->waiting_count; i++)
		if (counting->waiting[i].is_awaiting)
			stack_settle(counting, &counting->waiting[i], NULL);
	if (counts->rows_unsliced)
		health_doubt(counts->question->health,
		             "what happened over time is shown of %u slices; of %" PRIu64
		             " rows it is left out", COUNT_SLICES_MAX, counts->rows_unsliced);
	counting_free(counts);
}

const struct events_taker counts_taker = {counts_begin, counts_take, counts_end};
