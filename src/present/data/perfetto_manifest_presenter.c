/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A manifest for Perfetto: the file in an archive of several traces that says of which machine each
 * is, and how its clock relates to that of the first one (https://perfetto.dev/docs/reference/
 * perfetto-manifest, version 1, since Perfetto 58). It is for traces that were recorded by other
 * means on the machines meanwhile: in the archive each must be called as its machine, with
 * ".pftrace" behind.
 *
 * The manifest names no clock for the merged timeline: Perfetto takes that of the first trace.
 * Bounds of clocks are attributes, which Perfetto shows. A machine whose clock could not be
 * compared has no relation, and Perfetto places its trace by the time of day.
 */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "json_writer.h"
#include "present/presenter.h"
#include "words/kernel/trace_clock.h"

struct perfetto_manifest {
	struct json_writer json;
};

/* The name that the machine's trace must have in the archive. */
static void path_put(struct json_writer *json, const char *key, const char *machine)
{
	_cleanup_(buffer_release) struct buffer path = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_printf(&path, "%s.pftrace", machine);
	json_member_string(json, key, path.text);
}

static const char *clock_name(const struct machine_summary *machine)
{
	const struct trace_clock *clock = machine->clock ? trace_clock_find(machine->clock) : NULL;

	return clock ? clock->posix : NULL;
}

static void file_put(struct json_writer *json, const struct machine_summary *machine,
                     const struct machine_summary *root)
{
	json_object_begin(json, JSON_INLINE);
	path_put(json, "path", machine->name);
	json_member_object(json, "machine", JSON_INLINE);
	json_member_string(json, "name", machine->name);
	json_object_end(json);
	if (machine != root) {
		json_member_object(json, "clocks", JSON_INLINE);
		json_member_string(json, "clock", clock_name(machine));
		json_member_object(json, "sync_to", JSON_INLINE);
		path_put(json, "file", root->name);
		json_member_string(json, "clock", clock_name(root));
		json_object_end(json);
		json_key(json, "offset_ns");
		json_put_i64(json, machine->offset - root->offset);
		json_object_end(json);
	}
	json_object_end(json);
}

static void bounds_put(struct json_writer *json, const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer key = buffer_of(BUFFER_LIMIT_DEFAULT);

	json_member_object(json, "attributes", JSON_INLINE);
	for (size_t i = 1; i < trace->machine_count; i++) {
		buffer_clear(&key);
		buffer_printf(&key, "ftwait.clock_bound_ns.%zu", i);
		json_key(json, key.text);
		if (trace->machines[i].root == i)
			json_put_string(json, "not known");
		else
			json_put_u64(json, trace->machines[i].bound);
	}
	json_object_end(json);
}

static void *perfetto_manifest_begin(FILE *out, const struct presenter_options *options,
                                     const struct trace_summary *trace)
{
	struct perfetto_manifest *self = xcalloc(1, sizeof(*self));
	struct json_writer *json = &self->json;

	(void)options;
	json_init(json, out);
	json_object_begin(json, JSON_LINES);
	/* must be the first member: files are known by it */
	json_member_object(json, "perfetto_manifest", JSON_LINES);
	json_member_u64(json, "version", 1);
	json_member_array(json, "files", JSON_LINES);
	for (size_t i = 0; i < trace->machine_count; i++) {
		const struct machine_summary *machine = &trace->machines[i];

		file_put(json, machine, &trace->machines[machine->root]);
	}
	json_array_end(json);
	bounds_put(json, trace);
	json_object_end(json);
	json_object_end(json);
	return self;
}

static void perfetto_manifest_end(void *state, const struct health *health)
{
	struct perfetto_manifest *self = state;

	(void)health;
	json_release(&self->json);
	free(self);
}

const struct presenter perfetto_manifest_presenter = {
	.name = "perfetto-manifest",
	.is_of_machines = true,
	.begin = perfetto_manifest_begin,
	.end = perfetto_manifest_end,
};
