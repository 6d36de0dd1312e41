/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "present/presenter.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "json_cell.h"
#include "json_writer.h"

#define SCHEMA "ftwait.report/1"

struct json_presenter {
	struct json_writer json;
	bool is_list;        /* the section consists of one table */
	bool is_hidden;      /* the section has no key */
	bool is_hidden_table;
	bool is_single;
	bool has_row;
	bool is_hidden_row; /* of a timeline */
	const struct column *columns;
	size_t column_count;
};

static void member_instants(struct json_writer *json, nsec_t begin, nsec_t end)
{
	json_member_u64(json, "begin_ns", begin);
	json_member_u64(json, "end_ns", end);
}

/* A CPU's number on its machine and, if there are several, the machine's. */
static void cpu_put(struct json_writer *json, const struct host_cpu *cpu)
{
	if (cpu->host)
		json_member_u64(json, "machine", cpu->machine);
	json_member_u64(json, "cpu", cpu->number);
}

/* Where, when and of what the trace was made. */
static void origin_put(struct json_writer *json, const struct trace_summary *trace)
{
	json_member_object(json, "machine", JSON_INLINE);
	json_member_string(json, "host", trace->host);
	json_member_string(json, "boot_id", trace->boot_id);
	json_member_string(json, "machine_id", trace->machine_id);
	json_object_end(json);
	json_key(json, "command");
	if (trace->command_count)
		json_put_strings(json, trace->command, trace->command_count, JSON_INLINE);
	else
		json_put_null(json);
	json_labels(json, trace->labels, trace->label_count);
	json_member_known(json, "realtime_begin_ns", trace->realtime_begin, trace->realtime_begin);
}

/* Why a flight recorder saved it. */
static void trigger_put(struct json_writer *json, const struct trace_summary *trace)
{
	json_key(json, "trigger");
	if (!json_object_if(json, trace->trigger))
		return;
	json_member_u64(json, "at_ns", trace->trigger->at);
	json_member_string(json, "condition", trace->trigger->condition);
	json_member_task(json, "task", trace->trigger_task);
	json_key(json, "aim");
	json_brief_aim(json, &(struct brief_aim){trace->trigger->aim, trace->trigger->aim_name});
	json_object_end(json);
}

static void period_put(struct json_writer *json, const struct report_period *period)
{
	if (!period->is_given)
		return;
	json_member_object(json, "period", JSON_INLINE);
	member_instants(json, period->begin, period->end);
	json_member_known(json, "realtime_begin_ns", period->realtime, period->realtime);
	json_object_end(json);
}

/* A machine other than the first one with which its clock could be compared. */
static void against_put(struct json_writer *json, const struct machine_summary *machine,
                        size_t number)
{
	if (machine->root == 0 || machine->root == number)
		return;
	json_member_object(json, "against", JSON_INLINE);
	json_member_u64(json, "machine", machine->root);
	json_member_u64(json, "bound_ns", machine->bound);
	json_member_u64(json, "matched", machine->matched);
	json_object_end(json);
}

static void machines_put(struct json_writer *json, const struct trace_summary *trace)
{
	json_member_array(json, "machines", JSON_LINES);
	for (size_t i = 0; i < trace->machine_count; i++) {
		const struct machine_summary *machine = &trace->machines[i];

		json_object_begin(json, JSON_INLINE);
		json_member_u64(json, "machine", i);
		json_member_string(json, "file", machine->file);
		json_member_string(json, "name", machine->name);
		json_member_string(json, "host", machine->host);
		json_member_string(json, "kernel", machine->kernel);
		json_member_string(json, "arch", machine->arch);
		json_key(json, "offset_ns");
		json_put_i64(json, machine->offset);
		json_member_known(json, "bound_ns",
		                  machine->root == 0 && machine->bound != NSEC_NEVER,
		                  machine->bound);
		json_member_u64(json, "matched", machine->root == 0 ? machine->matched : 0);
		json_member_known(json, "day_bound_ns", machine->day_bound != NSEC_NEVER,
		                  machine->day_bound);
		against_put(json, machine, i);
		json_object_end(json);
	}
	json_array_end(json);
}

static void trace_put(struct json_writer *json, const struct trace_summary *trace)
{
	json_member_object(json, "trace", JSON_LINES);
	json_key(json, "files");
	json_put_strings(json, trace->files, trace->file_count, JSON_INLINE);
	json_member_string(json, "kernel", trace->kernel);
	json_member_string(json, "arch", trace->arch);
	json_member_u64(json, "cpus", trace->cpus);
	json_member_string(json, "clock", trace->clock);
	member_instants(json, trace->begin, trace->end);
	json_member_u64(json, "events", trace->events);
	period_put(json, &trace->period);
	json_key(json, "recorded");
	json_put_parts(json, trace->recorded, ',');
	origin_put(json, trace);
	trigger_put(json, trace);
	if (trace->machine_count)
		machines_put(json, trace);
	json_object_end(json);
}

static void *json_begin(FILE *out, const struct presenter_options *options,
                        const struct trace_summary *trace)
{
	struct json_presenter *self = xcalloc(1, sizeof(*self));

	(void)options;
	json_init(&self->json, out);
	self->json.is_one_line = trace->period.is_given;
	json_object_begin(&self->json, JSON_LINES);
	json_member_string(&self->json, "schema", SCHEMA);
	trace_put(&self->json, trace);
	return self;
}

static void json_section_begin(void *state, const char *key, const char *title, bool is_list)
{
	struct json_presenter *self = state;

	(void)title;
	self->is_list = is_list;
	self->is_hidden = !key;
	self->has_row = false;
	if (!key)
		return;
	json_key(&self->json, key);
	if (is_list)
		json_array_begin(&self->json, JSON_LINES);
	else
		json_object_begin(&self->json, JSON_LINES);
}

static void json_field(void *state, const char *key, const char *title, const struct cell *cell)
{
	struct json_presenter *self = state;

	(void)title;
	if (!key || self->is_hidden || self->is_list)
		return;
	json_key(&self->json, key);
	json_cell(&self->json, cell);
}

static void json_table_begin(void *state, const char *key, const char *title,
                             const struct column *columns, size_t column_count, bool is_single)
{
	struct json_presenter *self = state;

	(void)title;
	self->columns = columns;
	self->column_count = column_count;
	self->is_single = is_single;
	self->is_hidden_table = self->is_hidden || (!self->is_list && !key);
	self->has_row = false;
	if (self->is_hidden_table || self->is_list)
		return;
	json_key(&self->json, key);
	if (!is_single)
		json_array_begin(&self->json, JSON_LINES);
}

static void json_row(void *state, const struct cell *cells)
{
	struct json_presenter *self = state;

	if (self->is_hidden_table || (self->is_single && self->has_row))
		return;
	self->has_row = true;
	json_object_begin(&self->json, JSON_INLINE);
	json_row_members(&self->json, self->columns, self->column_count, cells);
	json_object_end(&self->json);
}

static void json_table_end(void *state)
{
	struct json_presenter *self = state;

	if (self->is_hidden_table || self->is_list)
		return;
	if (!self->is_single)
		json_array_end(&self->json);
	else if (!self->has_row)
		json_put_null(&self->json);
}

static void json_tree_begin(void *state, const struct tree *tree)
{
	json_table_begin(state, tree->key, NULL, chain_columns, chain_column_count(tree),
	                 /* is_single= */ false);
}

static void json_chain(void *state, const struct tree_chain *chain)
{
	struct cell cells[CHAIN_COLUMNS];

	chain_cells(chain, cells);
	json_row(state, cells);
}

static void json_timeline_begin(void *state, nsec_t begin, nsec_t end)
{
	struct json_presenter *self = state;

	self->is_hidden_table = self->is_hidden || self->is_list;
	self->has_row = false;
	if (self->is_hidden_table)
		return;
	member_instants(&self->json, begin, end);
	json_member_array(&self->json, "rows", JSON_LINES);
}

static void timeline_row_end(struct json_presenter *self)
{
	if (!self->has_row)
		return;
	json_array_end(&self->json);
	json_object_end(&self->json);
}

/* The path's own row is left out: it repeats segments of the other rows. */
static void json_timeline_row(void *state, const struct picture_row *row)
{
	struct json_presenter *self = state;

	self->is_hidden_row = row->is_path;
	if (self->is_hidden_table || row->is_path)
		return;
	timeline_row_end(self);
	self->has_row = true;
	json_object_begin(&self->json, JSON_INLINE);
	if (row->task)
		json_member_task(&self->json, "task", row->task);
	else
		cpu_put(&self->json, &row->cpu);
	json_member_array(&self->json, "segments", JSON_LINES);
}

static void json_segment(void *state, const struct state_segment *segment)
{
	struct json_presenter *self = state;

	if (self->is_hidden_table || self->is_hidden_row)
		return;
	json_object_begin(&self->json, JSON_INLINE);
	member_instants(&self->json, segment->begin, segment->end);
	json_member_string(&self->json, "state", segment->state);
	json_member_bool(&self->json, "on_path", segment->is_on_path);
	if (segment->kind >= 0)
		json_member_string(&self->json, "kind",
		                   cause_kind_name((enum cause_kind)segment->kind));
	if (segment->aim.kind != AIM_NONE) {
		json_key(&self->json, "aim");
		json_brief_aim(&self->json, &segment->aim);
	}
	if (segment->is_for_work)
		json_member_bool(&self->json, "for_work", true);
	if (segment->task)
		json_member_task(&self->json, "task", segment->task);
	json_object_end(&self->json);
}

static void json_timeline_end(void *state)
{
	struct json_presenter *self = state;

	if (self->is_hidden_table)
		return;
	timeline_row_end(self);
	json_array_end(&self->json);
}

static void json_section_end(void *state)
{
	struct json_presenter *self = state;

	if (self->is_hidden)
		return;
	if (self->is_list)
		json_array_end(&self->json);
	else
		json_object_end(&self->json);
}

static void gaps_put(struct json_writer *json, const struct health *health)
{
	json_member_array(json, "lost_by_cpu", JSON_LINES);
	for (size_t i = 0; i < health->gap_count; i++) {
		const struct health_gap *gap = &health->gaps[i];
		const struct host_cpu cpu = hosts_cpu(&health->hosts, gap->cpu);

		json_object_begin(json, JSON_INLINE);
		cpu_put(json, &cpu);
		json_member_known(json, "events", gap->events != LOST_UNCOUNTED, gap->events);
		member_instants(json, gap->begin, gap->end);
		json_object_end(json);
	}
	json_array_end(json);
	json_member_u64(json, "gaps_unlisted", health->gaps_unlisted);
	if (health->unrecorded_count == 0)
		return;
	json_member_array(json, "unrecorded_cpus", JSON_LINES);
	for (size_t i = 0; i < health->unrecorded_count; i++) {
		const struct host_cpu cpu = hosts_cpu(&health->hosts, health->unrecorded_cpus[i]);

		json_object_begin(json, JSON_INLINE);
		cpu_put(json, &cpu);
		json_object_end(json);
	}
	json_array_end(json);
}

static void confidence_put(struct json_writer *json, const struct health *health)
{
	json_member_object(json, "parts_by_confidence", JSON_INLINE);
	for (int i = CONFIDENCE_HIGH; i >= CONFIDENCE_LOW; i--)
		json_member_u64(json, confidence_name((enum confidence)i),
		                health->parts_by_confidence[i]);
	json_object_end(json);
}

static void health_put(struct json_writer *json, const struct health *health)
{
	json_member_object(json, "health", JSON_LINES);
	json_member_u64(json, "events", health->events);
	json_member_known(json, "events_lost", health_has_lost_count(health), health->events_lost);
	gaps_put(json, health);
	json_member_u64(json, "undecoded_events", health->undecoded_events);
	json_member_u64(json, "late_events", health->late_events);
	json_member_u64(json, "wakes_spurious", health->wakes_spurious);
	json_member_u64(json, "waits_without_waker", health->waits_without_waker);
	json_member_u64(json, "context_resyncs", health->context_resyncs);
	json_member_u64(json, "inconsistencies", health->inconsistencies);
	json_member_u64(json, "switches_missing", health->switches_missing);
	json_member_u64(json, "objects_forgotten", health->objects_forgotten);
	json_member_u64(json, "idle_with_runnable", health->idle_with_runnable);
	json_member_u64(json, "depth_truncations", health->depth_truncations);
	json_member_u64(json, "unknown_ns", health->unknown_ns);
	json_member_u64(json, "task_ns", health->task_ns);
	json_member_u64(json, "explained_ns", health->explained_ns);
	if (health->asked_ns) {
		json_member_u64(json, "asked_ns", health->asked_ns);
		json_member_u64(json, "asked_explained_ns", health->asked_explained_ns);
	}
	json_member_u64(json, "unseen_ns", health->unseen_ns);
	json_member_u64(json, "open_waits", health->open_waits);
	json_member_known(json, "steal_ns", health->has_steal, health->steal_ns);
	confidence_put(json, health);
	json_member_bool(json, "input_damaged", health->input_damaged);
	json_key(json, "notes");
	json_put_strings(json, (const char *const *)health->notes, health->note_count, JSON_LINES);
	json_object_end(json);
}

static void json_end(void *state, const struct health *health)
{
	struct json_presenter *self = state;

	health_put(&self->json, health);
	json_object_end(&self->json);
	json_release(&self->json);
	free(self);
}

const struct presenter json_presenter = {
	.name = "json",
	.has_health = true,
	.has_stacks = true,
	.has_data = true,
	.begin = json_begin,
	.section_begin = json_section_begin,
	.field = json_field,
	.table_begin = json_table_begin,
	.row = json_row,
	.table_end = json_table_end,
	.tree = &(const struct tree_hooks){
		.begin = json_tree_begin, .chain = json_chain, .end = json_table_end,
	},
	.timeline = &(const struct timeline_hooks){
		.begin = json_timeline_begin, .row = json_timeline_row, .segment = json_segment,
		.end = json_timeline_end,
	},
	.section_end = json_section_end,
	.end = json_end,
};
