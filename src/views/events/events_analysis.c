/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The raw events, one row each, in order of time, as the kernel's own print formats write them.
 * They are read when they are shown. Their texts are written by the library some hundred at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/asked_events.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "raw/event_text.h"
#include "sentences/say.h"

/* What writes the texts, for each machine. */
struct event_texts {
	struct event_text *of[HOSTS_MAX];
	size_t count;
};

struct events_view {
	const struct question *question;
	struct event_texts texts; /* if there is a filter */
	struct buffer why; /* of what is asked, why it cannot be shown; empty: it can */
};

static void texts_open(struct event_texts *texts, const struct question *question,
                       struct buffer *why)
{
	struct source *source = question->recording.source;
	size_t machines = source->part_count ? source->part_count : 1;

	while (texts->count < machines && why->length == 0) {
		struct source *of = source->part_count ? source->parts[texts->count].source
		                                       : source;
		struct event_text *text =
			event_text_new(of, question->asked->events.filter, why);

		texts->of[texts->count] = text;
		texts->count += text != NULL;
	}
}

static void texts_release(struct event_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		event_text_free(texts->of[i]);
}

/* A wrong filter must be known before anything is shown. */
static void events_resolve(void *state)
{
	struct events_view *view = state;

	buffer_init(&view->why, BUFFER_LIMIT_DEFAULT);
	if (!source_is_rereadable(view->question->recording.source))
		buffer_puts(&view->why, "--events reads it twice, which this reader cannot; leave "
		                        "out --reader");
	else if (view->question->asked->events.filter)
		texts_open(&view->texts, view->question, &view->why);
}

static bool events_has_answer(const void *state, struct buffer *why)
{
	const struct events_view *view = state;

	buffer_puts(why, view->why.text ? view->why.text : "");
	return view->why.length == 0;
}

static void events_end(void *state)
{
	struct events_view *view = state;

	texts_release(&view->texts);
	buffer_release(&view->why);
}

/* Rows. */

/* An event with the bytes of its record, as the reading goes on behind it. */
struct event_row {
	uint32_t track;
	struct raw_event event;
	struct record record;
	size_t payload; /* where its bytes are in the batch */
	struct text text; /* borrowed from the batch */
};

enum {ROW_MACHINE, ROW_TIME, ROW_CPU, ROW_TASK, ROW_EVENT, ROW_TEXT, ROW_FIELDS};

#define AT(member) RELATION_AT(struct event_row, member)

static const struct field fields[] = {
	[ROW_MACHINE] = {MACHINE_COLUMN, AT(event.host)},
	[ROW_TIME] = {"at_ns", "TIME", CELL_INSTANT, 0, AT(event.time)},
	[ROW_CPU] = {"cpu", "CPU", CELL_COUNT, COLUMN_NUMBER, FILLED},
	[ROW_TASK] = {"task", "TASK", CELL_TASK, 0, FILLED},
	[ROW_EVENT] = {"event", "EVENT", CELL_TEXT, COLUMN_NUMBER, FILLED},
	[ROW_TEXT] = {"text", "TEXT", CELL_TEXT, COLUMN_POINT, FILLED},
	[ROW_FIELDS] = {"fields", NULL, CELL_RECORD, COLUMN_DATA_ONLY | COLUMN_DETAIL, FILLED},
	/* none where the recording has no more of a task than its number: none can be asked for */
	{"known", NULL, CELL_TASK, COLUMN_FOR_LINKS, AT(track)},
};
#undef AT

/* The row that is shown: its fields, with their texts. */
struct shown_events {
	const struct question *question;
	const char *member[EVENT_FIELDS_MAX]; /* names of the fields of all rows but stacks, if they
	                                         have the same */
	size_t member_count;
	struct cell cell[EVENT_FIELDS_MAX];
	struct column column[EVENT_FIELDS_MAX];
	size_t count;
	size_t text_at[EVENT_FIELDS_MAX]; /* in `text`; SIZE_MAX: it is a number */
	struct buffer text;
};

static void bytes_append(struct buffer *to, struct text bytes)
{
	for (uint32_t i = 0; i < bytes.length; i++)
		buffer_printf(to, "%02x", (uint8_t)bytes.at[i]);
}

static void shown_add_field(struct shown_events *shown, const char *name, struct raw_value value)
{
	struct cell *cell = &shown->cell[shown->count];

	*cell = (struct cell){.type = CELL_EMPTY};
	shown->text_at[shown->count] = SIZE_MAX;
	if (value.kind == RAW_UNSIGNED)
		*cell = (struct cell){.type = CELL_COUNT, .count = value.number};
	else if (value.kind == RAW_SIGNED)
		*cell = (struct cell){.type = CELL_INTEGER, .integer = (int64_t)value.number};
	if (value.kind == RAW_TEXT || value.kind == RAW_BYTES) {
		cell->type = CELL_TEXT;
		shown->text_at[shown->count] = shown->text.length;
		if (value.kind == RAW_TEXT)
			buffer_append(&shown->text, value.text.at, value.text.length);
		else
			bytes_append(&shown->text, value.text);
		buffer_putc(&shown->text, '\0');
	}
	shown->column[shown->count++] = (struct column){name, NULL, cell->type, COLUMN_NAMED};
}

static struct cell_rows shown_fields(struct shown_events *shown, const struct raw_event *event)
{
	const struct raw_format *format = event->format;

	shown->count = 0;
	buffer_clear(&shown->text);
	for (size_t i = 0; format && i < format->format.field_count; i++) {
		const struct event_field *field = &format->format.field[i];

		if (!raw_field_is_common(field))
			shown_add_field(shown, format->field_name[i],
			                raw_event_value(event, field));
	}
	for (size_t i = 0; i < shown->count; i++)
		if (shown->text_at[i] != SIZE_MAX)
			shown->cell[i].text = shown->text.text + shown->text_at[i];
	return (struct cell_rows){shown->column, shown->count, shown->cell, 1};
}

/* Of a task that runs, but that the trace shows in no other event, only the number is known; all
   CPUs share that of the idle tasks. */
static struct cell task_cell(const struct question *question, const struct event_row *row)
{
	const struct hosts *hosts = &question->timeline->hosts;
	int32_t tid = row->event.task;

	if (row->track != TRACK_NONE || tid < 0)
		return cell_of_task_at(question->timeline, row->track, row->event.time);
	return (struct cell){
		.type = CELL_TASK,
		.task = {
			.tid = hosts_own_id(hosts, tid),
			.tgid = tid ? -1 : 0,
			.comm = tid ? "" : "<idle>",
			.host = hosts_name(hosts, row->event.host),
			.machine = row->event.host,
		},
	};
}

/* On one line: stacks have a line for each function. */
static void text_append(struct buffer *to, struct text text)
{
	for (uint32_t i = 0; i < text.length; i++)
		buffer_putc(to, text.at[i] == '\n' ? ' ' : text.at[i]);
}

static void row_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	struct shown_events *shown = (void *)(uintptr_t)view;
	const struct timeline *timeline = shown->question->timeline;
	const struct event_row *row = of;
	const struct raw_format *format = row->event.format;

	cell[ROW_CPU].count = hosts_own_cpu(&timeline->hosts, row->event.cpu);
	cell[ROW_TASK] = task_cell(shown->question, row);
	if (format)
		cell[ROW_EVENT].text = format->name;
	else
		buffer_printf(&text[ROW_EVENT], "event %u", row->event.id);
	text_append(&text[ROW_TEXT], row->text);
	if (shown->question->asked->shows_data)
		cell[ROW_FIELDS].rows = shown_fields(shown, &row->event);
	else
		cell[ROW_FIELDS].type = CELL_EMPTY;
}

static const struct relation_form form = {
	"events", NULL, FIELDS(fields),
	/* of the task, or of the CPU, from there on */
	.next = "--events --tid {known} --from {from:at_ns}|"
	        "--events --cpu {cpu:cpu} --from {from:at_ns}",
	.fill = row_fill,
};

#define BATCH_BYTES (256u << 10)

/* Events of one machine whose texts are written together. */
struct events_batch {
	struct event_row row[EVENT_TEXT_BATCH];
	struct event_text_item item[EVENT_TEXT_BATCH];
	size_t count;
	struct buffer payload;
	struct event_text *text; /* of its machine; NULL: it is not submitted */
};

/* While the texts of one batch are written, the other one is filled. */
struct events_shown {
	const struct events_view *view;
	struct event_texts texts;
	struct asked_events events;
	struct events_batch batch[2];
	struct events_batch *filling;
	struct relation_table *table;
	struct shown_events shown;
};

static void batch_add(struct events_batch *batch, const struct asked_events *events,
                      const struct raw_event *event)
{
	struct event_row *row = &batch->row[batch->count++];

	*row = (struct event_row){
		.track = asked_events_track(events, event),
		.event = *event,
		.record = *event->record,
		.payload = batch->payload.length,
	};
	buffer_append(&batch->payload, event->record->payload, event->record->length);
}

static bool batch_has_room(const struct events_batch *batch, const struct raw_event *next)
{
	return batch->count == 0 ||
	       (batch->count < EVENT_TEXT_BATCH && batch->payload.length < BATCH_BYTES &&
	        batch->row[0].event.host == next->host);
}

static void batch_submit(struct events_batch *batch, const struct timeline *timeline,
                         const struct event_texts *texts)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct event_row *row = &batch->row[i];

		row->record.payload = (const uint8_t *)batch->payload.text + row->payload;
		row->event.record = &row->record;
		batch->item[i] = (struct event_text_item){
			.record = &row->record,
			.cpu = hosts_own_cpu(&timeline->hosts, row->event.cpu),
			.comm = row->track == TRACK_NONE
			                ? NULL
			                : timeline_task(timeline, row->track, row->event.time).comm,
		};
	}
	batch->text = texts->of[batch->row[0].event.host];
	event_text_submit(batch->text, batch->item, batch->count);
}

/* Shows the rows of the batch, if it has been submitted, and empties it. */
static void batch_show(struct events_batch *batch, struct relation_table *table)
{
	if (!batch->text)
		return;
	(void)event_text_collect(batch->text);
	for (size_t i = 0; i < batch->count; i++) {
		batch->row[i].text = (struct text){batch->item[i].text,
		                                   (uint32_t)batch->item[i].length};
		if (!batch->item[i].is_left_out)
			relation_table_row(table, &batch->row[i]);
	}
	batch->text = NULL;
	batch->count = 0;
	buffer_clear(&batch->payload);
}

/* Submits the batch that is being filled. Then shows the other batch: the library has had the time
   to write its texts. */
static void events_turn(struct events_shown *shown)
{
	struct events_batch *full = shown->filling;

	if (full->count == 0)
		return;
	batch_submit(full, shown->view->question->timeline, &shown->texts);
	shown->filling = full == shown->batch ? shown->batch + 1 : shown->batch;
	batch_show(shown->filling, shown->table);
}

static void events_take(struct events_shown *shown, const struct raw_event *event)
{
	/* of those that are only counted no text is needed, unless that decides */
	if (relation_table_is_full(shown->table) && !shown->view->question->asked->events.filter) {
		relation_table_row(shown->table, NULL);
		return;
	}
	if (!batch_has_room(shown->filling, event))
		events_turn(shown);
	batch_add(shown->filling, &shown->events, event);
}

/* Names the fields of the only event that may pass the filter. Returns how many; 0: there is no
   such event. */
static size_t members_of(struct event_text *text, const char **name)
{
	const struct raw_format *format = event_text_only_format(text);
	size_t count = 0;

	for (size_t i = 0; format && i < format->format.field_count; i++)
		if (!raw_field_is_common(&format->format.field[i]))
			name[count++] = format->field_name[i];
	return count;
}

/* Of all machines, if it is the same. */
static void members_find(struct events_shown *shown)
{
	struct shown_events *rows = &shown->shown;
	const char *other[EVENT_FIELDS_MAX];

	rows->member_count = members_of(shown->texts.of[0], rows->member);
	for (size_t i = 1; i < shown->texts.count; i++) {
		size_t count = members_of(shown->texts.of[i], other), same = 0;

		while (same < count && same < rows->member_count &&
		       strcmp(other[same], rows->member[same]) == 0)
			same++;
		if (same < count || same < rows->member_count)
			rows->member_count = 0;
	}
}

static void events_put(struct events_shown *shown, const struct output *to)
{
	const struct question *question = shown->view->question;
	struct raw_event event;

	shown->shown.question = question;
	shown->filling = shown->batch;
	members_find(shown);
	if (shown->shown.member_count > 0)
		output_members(to, shown->shown.member, shown->shown.member_count);
	shown->table = relation_table_begin(&form, &shown->shown, question, to);
	while (asked_events_next(&shown->events, &event))
		events_take(shown, &event);
	events_turn(shown);
	batch_show(shown->filling == shown->batch ? shown->batch + 1 : shown->batch, shown->table);
	relation_table_end(shown->table);
	buffer_release(&shown->shown.text);
	for (size_t i = 0; i < 2; i++)
		buffer_release(&shown->batch[i].payload);
}

static void events_report(const void *state, const struct output *to)
{
	const struct events_view *view = state;
	_cleanup_(buffer_release) struct buffer why = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(freep) struct events_shown *shown = xcalloc(1, sizeof(*shown));

	shown->view = view;
	shown->texts = view->texts;
	output_section_begin(to, "events", "Events", /* is_list= */ true);
	if (asked_events_open(view->question, &shown->events, &why) == 0 &&
	    view->texts.count == 0)
		texts_open(&shown->texts, view->question, &why);
	if (why.length == 0)
		events_put(shown, to);
	else
		say_to(to, NULL, "The events cannot be read again: {text}.", TEXT(why.text));
	asked_events_close(&shown->events);
	if (view->texts.count == 0)
		texts_release(&shown->texts);
	output_section_end(to);
}

const struct analysis events_analysis = {
	.name = "events",
	.about = "the raw events, as the kernel's print formats write them",
	.reads_again = true,
	.heeds = HEEDS_TASKS | HEEDS_CPUS | HEEDS_FILTER,
	.state_bytes = sizeof(struct events_view),
	.resolve = events_resolve,
	.has_answer = events_has_answer,
	.report = events_report,
	.end = events_end,
};
