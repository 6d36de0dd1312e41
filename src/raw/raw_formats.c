/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "raw_formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void raw_formats_init(struct raw_formats *formats, const struct source *source)
{
	*formats = (struct raw_formats){.source = source, .count = source->format_count};
	formats->format = xcalloc(formats->count, sizeof(struct raw_format *));
	id_table_init(&formats->by_id);
	for (size_t i = formats->count; i-- > 0;) {
		const struct format_text *text = &source->formats[i];
		struct text name;
		uint32_t id;

		if (event_format_parse_head(text->text, text->length, &name, &id) == 0)
			id_table_put(&formats->by_id, id, (uint32_t)i);
	}
}

static void format_free(struct raw_format *format)
{
	if (!format)
		return;
	for (size_t i = 0; i < format->format.field_count; i++)
		free((char *)(uintptr_t)format->field_name[i]);
	free(format->field_name);
	free((char *)(uintptr_t)format->name);
	free(format);
}

void raw_formats_release(struct raw_formats *formats)
{
	for (size_t i = 0; i < formats->count; i++)
		format_free(formats->format[i]);
	free(formats->format);
	id_table_release(&formats->by_id);
}

static bool field_is_task(const struct event_field *field)
{
	const struct text *name = &field->name;
	const char *end = name->at + name->length;

	if (field->is_array || field->size != sizeof(int32_t) || raw_field_is_common(field))
		return false;
	return text_is(*name, "tid") ||
	       (name->length >= 3 && memcmp(end - 3, "pid", 3) == 0 &&
	        (name->length == 3 || end[-4] == '_'));
}

/* `format` is read; it is completed. */
static void format_complete(struct raw_format *format, const char *system)
{
	const struct event_format *read = &format->format;

	format->system = system;
	format->name = xstrndup(read->name.at, read->name.length);
	format->field_name = xcalloc(read->field_count, sizeof(const char *));
	format->pid = event_format_find(read, "common_pid");
	for (size_t i = 0; i < read->field_count; i++) {
		const struct event_field *field = &read->field[i];

		format->field_name[i] = xstrndup(field->name.at, field->name.length);
		if (field_is_task(field) && format->task_count < RAW_TASKS_MAX)
			format->task[format->task_count++] = field;
	}
}

const struct raw_format *raw_formats_find(struct raw_formats *formats, uint32_t id)
{
	uint32_t index = id_table_get(&formats->by_id, id);
	const struct format_text *text;
	struct raw_format *format;

	if (index == ID_TABLE_NONE || formats->format[index])
		return index == ID_TABLE_NONE ? NULL : formats->format[index];
	text = &formats->source->formats[index];
	format = xcalloc(1, sizeof(*format));
	if (event_format_parse(text->text, text->length, &format->format) < 0) {
		free(format);
		id_table_drop(&formats->by_id, id);
		return NULL;
	}
	format->index = index;
	format_complete(format, text->system);
	formats->format[index] = format;
	return format;
}
