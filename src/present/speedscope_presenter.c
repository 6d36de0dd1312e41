/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file in speedscope's own format, which names its schema: a profile for each view, with samples
 * in ns, one a path. In the format the weights follow the samples, and the frames follow all
 * profiles, so both are kept until then: 8 bytes a path, and each frame once.
 */
#include "presenter.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/version.h"
#include "base/xalloc.h"
#include "frame_table.h"
#include "present/data/json_writer.h"
#include "present/text/trace_line.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

struct speedscope_presenter {
	struct json_writer json;
	struct frame_table frames;
	nsec_t *weight; /* of the current profile, by sample */
	size_t weight_count, weight_capacity;
	nsec_t total; /* sum of the weights, which saturates */
};

static void file_name_put(struct json_writer *json, const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_init(&name, BUFFER_LIMIT_DEFAULT);
	trace_files_append(&name, trace->files, trace->file_count);
	json_member_string(json, "name", name.text);
}

static void *speedscope_begin(FILE *out, const struct presenter_options *options,
                              const struct trace_summary *trace)
{
	struct speedscope_presenter *self = xcalloc(1, sizeof(*self));
	_cleanup_(freep) char *exporter = xasprintf("ftwait %s", ftwait_version);

	(void)options;
	frame_table_init(&self->frames);
	json_init(&self->json, out);
	json_object_begin(&self->json, JSON_LINES);
	json_member_string(&self->json, "$schema", SCHEMA);
	json_member_string(&self->json, "exporter", exporter);
	file_name_put(&self->json, trace);
	json_key(&self->json, "profiles");
	json_array_begin(&self->json, JSON_LINES);
	return self;
}

static void speedscope_paths_begin(void *state, const char *title)
{
	struct speedscope_presenter *self = state;

	self->weight_count = 0;
	self->total = 0;
	json_object_begin(&self->json, JSON_LINES);
	json_member_string(&self->json, "type", "sampled");
	json_member_string(&self->json, "name", title);
	json_member_string(&self->json, "unit", "nanoseconds");
	json_member_u64(&self->json, "startValue", 0);
	json_key(&self->json, "samples");
	json_array_begin(&self->json, JSON_LINES);
}

static void speedscope_path(void *state, const struct path *path)
{
	struct speedscope_presenter *self = state;
	nsec_t weight = nsec_min(path->figures.total, NSEC_NEVER - self->total);

	if (weight == 0)
		return;
	ARRAY_GROW(self->weight, self->weight_count, self->weight_capacity);
	self->weight[self->weight_count++] = weight;
	self->total += weight;
	json_array_begin(&self->json, JSON_INLINE);
	for (size_t i = 0; i < path->count; i++)
		json_put_u64(&self->json, frame_table_add(&self->frames, &path->frame[i]));
	json_array_end(&self->json);
}

static void speedscope_paths_end(void *state)
{
	struct speedscope_presenter *self = state;

	json_array_end(&self->json);
	json_key(&self->json, "weights");
	json_array_begin(&self->json, JSON_LINES);
	for (size_t i = 0; i < self->weight_count; i++)
		json_put_u64(&self->json, self->weight[i]);
	json_array_end(&self->json);
	json_member_u64(&self->json, "endValue", self->total);
	json_object_end(&self->json);
}

static void frames_put(struct speedscope_presenter *self)
{
	/* Speedscope selects colours by the file of a function. */
	static const char *const files[] = {
		[SHOWN_TASK] = "[task]", [SHOWN_CAUSE] = "[cause]", [SHOWN_KERNEL] = "[kernel]",
		[SHOWN_USER] = "[user]", [SHOWN_MARK] = "[mark]",
	};

	json_key(&self->json, "shared");
	json_object_begin(&self->json, JSON_LINES);
	json_key(&self->json, "frames");
	json_array_begin(&self->json, JSON_LINES);
	for (size_t i = 0; i < self->frames.count; i++) {
		json_object_begin(&self->json, JSON_INLINE);
		json_member_string(&self->json, "name", frame_table_text(&self->frames, i));
		json_member_string(&self->json, "file", files[self->frames.frame[i].kind]);
		json_object_end(&self->json);
	}
	json_array_end(&self->json);
	json_object_end(&self->json);
}

static void speedscope_end(void *state, const struct health *health)
{
	struct speedscope_presenter *self = state;

	(void)health;
	json_array_end(&self->json);
	frames_put(self);
	json_object_end(&self->json);
	json_release(&self->json);
	frame_table_release(&self->frames);
	free(self->weight);
	free(self);
}

static const struct paths_hooks speedscope_paths_hooks = {
	.begin = speedscope_paths_begin,
	.path = speedscope_path,
	.end = speedscope_paths_end,
};

const struct presenter speedscope_presenter = {
	.name = "speedscope",
	.has_stacks = true,
	.begin = speedscope_begin,
	.section_begin = presenter_ignore_section,
	.field = presenter_ignore_field,
	.table_begin = presenter_ignore_table,
	.row = presenter_ignore_row,
	.table_end = presenter_ignore_end,
	.is_of_paths = true,
	.paths = &speedscope_paths_hooks,
	.section_end = presenter_ignore_end,
	.end = speedscope_end,
};
