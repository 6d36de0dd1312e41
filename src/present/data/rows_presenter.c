/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows for databases: a JSON object a line (NDJSON) for each row of each table, with what the row
 * is of before its cells: the recording, its labels and machine, and the fields of the section. So
 * each line stands alone: the rows of many recordings are one file, made by cat. Prose, trees,
 * pictures and the health are not shown.
 *
 * "schema" names the table: "ftwait.costs/1" is the table "rows" of --costs, "ftwait.waits/1" the
 * list of --waits, "ftwait.disk.devices/1" a table of --disk.
 */
#include "present/presenter.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "json_cell.h"
#include "json_writer.h"

#define FIELDS_MAX 16 /* of a section; the fields of more are left out */

/* A field of the section. */
struct row_field {
	const char *key;
	struct cell cell;
	char *text; /* of a CELL_TEXT; owned */
};

struct rows_presenter {
	struct json_writer json;
	FILE *out;
	struct trace_summary trace;
	struct buffer schema, recording;
	const char *section; /* NULL: the section has no key */
	bool is_list;
	bool is_hidden; /* the table is not in data */
	struct row_field field[FIELDS_MAX];
	size_t field_count;
	const struct column *columns;
	size_t column_count;
};

/* What no other recording has: the boot and the instant of its begin, on the clock since then. Of
   another's file, which does not say which boot, the file's name. */
static void recording_name(struct buffer *to, const struct trace_summary *trace)
{
	const char *file = trace->file_count ? trace->files[0] : "";
	const char *slash = strrchr(file, '/');

	buffer_puts(to, trace->boot_id ? trace->boot_id : slash ? slash + 1 : file);
	buffer_printf(to, "-%llu", (unsigned long long)trace->begin);
}

static void *rows_begin(FILE *out, const struct presenter_options *options,
                        const struct trace_summary *trace)
{
	struct rows_presenter *self = xcalloc(1, sizeof(*self));

	(void)options;
	self->out = out;
	self->trace = *trace;
	json_init(&self->json, out);
	buffer_init(&self->schema, 256);
	buffer_init(&self->recording, 4096);
	recording_name(&self->recording, trace);
	return self;
}

static void fields_forget(struct rows_presenter *self)
{
	for (size_t i = 0; i < self->field_count; i++)
		free(self->field[i].text);
	self->field_count = 0;
}

static void rows_section_begin(void *state, const char *key, const char *title, bool is_list)
{
	struct rows_presenter *self = state;

	(void)title;
	self->section = key;
	self->is_list = is_list;
	fields_forget(self);
}

/* Whether the cell is a value by itself, which can be kept. */
static bool cell_is_plain(const struct cell *cell)
{
	static const unsigned plain = 1u << CELL_EMPTY | 1u << CELL_TEXT | 1u << CELL_COUNT |
	                              1u << CELL_INTEGER | 1u << CELL_INSTANT |
	                              1u << CELL_DURATION | 1u << CELL_RATIO | 1u << CELL_RATE |
	                              1u << CELL_BOOL;

	return plain & 1u << cell->type;
}

static void rows_field(void *state, const char *key, const char *title, const struct cell *cell)
{
	struct rows_presenter *self = state;
	struct row_field *field = &self->field[self->field_count];

	(void)title;
	if (!key || self->field_count == FIELDS_MAX || !cell_is_plain(cell))
		return;
	*field = (struct row_field){.key = key, .cell = *cell};
	if (cell->type == CELL_TEXT)
		field->cell.text = field->text = xstrdup(cell->text);
	self->field_count++;
}

static void rows_table_begin(void *state, const char *key, const char *title,
                             const struct column *columns, size_t column_count, bool is_single)
{
	struct rows_presenter *self = state;

	(void)title;
	(void)is_single;
	self->columns = columns;
	self->column_count = column_count;
	self->is_hidden = !self->section || (!self->is_list && !key);
	if (self->is_hidden)
		return;
	buffer_clear(&self->schema);
	buffer_printf(&self->schema, "ftwait.%s", self->section);
	if (!self->is_list && strcmp(key, "rows") != 0)
		buffer_printf(&self->schema, ".%s", key);
	buffer_puts(&self->schema, "/1");
}

/* What the row is of. */
static void origin_put(struct rows_presenter *self)
{
	const struct trace_summary *trace = &self->trace;
	struct json_writer *json = &self->json;

	json_member_string(json, "schema", self->schema.text);
	json_member_string(json, "recording", self->recording.text);
	json_labels(json, trace->labels, trace->label_count);
	json_member_known(json, "realtime_ns", trace->realtime_begin, trace->realtime_begin);
	json_member_string(json, "host", trace->host);
	json_member_string(json, "machine", trace->machine_id);
	json_member_string(json, "kernel", trace->kernel);
	json_member_string(json, "arch", trace->arch);
	for (size_t i = 0; i < self->field_count; i++) {
		json_key(json, self->field[i].key);
		json_cell(json, &self->field[i].cell);
	}
}

static void rows_row(void *state, const struct cell *cells)
{
	struct rows_presenter *self = state;

	if (self->is_hidden)
		return;
	json_object_begin(&self->json, JSON_INLINE);
	origin_put(self);
	json_row_members(&self->json, self->columns, self->column_count, cells);
	json_object_end(&self->json);
}

static void rows_end(void *state, const struct health *health)
{
	struct rows_presenter *self = state;

	(void)health;
	fields_forget(self);
	json_release(&self->json);
	buffer_release(&self->schema);
	buffer_release(&self->recording);
	free(self);
}

const struct presenter rows_presenter = {
	.name = "rows",
	.has_data = true,
	.begin = rows_begin,
	.section_begin = rows_section_begin,
	.field = rows_field,
	.table_begin = rows_table_begin,
	.row = rows_row,
	.end = rows_end,
};
