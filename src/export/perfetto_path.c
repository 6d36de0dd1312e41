/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_path.h"

#include "base/cleanup.h"
#include "words/cause_words.h"
#include "words/task_words.h"

#define NAME_BYTES_MAX 1024

void perfetto_path_begin(struct perfetto_path *path, uint32_t line)
{
	struct task task = timeline_task(path->tracks->timeline, line, NSEC_NEVER);
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_init(&name, NAME_BYTES_MAX);
	buffer_puts(&name, "critical path of ");
	task_text_append(&name, &task);
	path->track = perfetto_track(path->tracks, TRACK_PATH, line, name.text);
}

/* "cc1[123] running", "cc1[123] waiting: disk 254,0 (read 4.0 KiB)". */
static void name_put(struct perfetto_file *file, const struct part *part, const struct task *task,
                     const struct cause *cause)
{
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_init(&name, NAME_BYTES_MAX);
	task_text_append(&name, task);
	buffer_printf(&name, " %s", part_state_name(part->state));
	if (part->cause) {
		buffer_puts(&name, ": ");
		cause_text_append(&name, cause);
	}
	perfetto_slice_name(file, "critical_path", name.text);
}

void perfetto_path_add(struct perfetto_path *path, const struct part *part)
{
	const struct timeline *timeline = path->tracks->timeline;
	struct perfetto_file *file = path->tracks->file;
	struct task task = timeline_task(timeline, part->line, part->begin);
	struct cause cause = {.kind = CAUSE_UNKNOWN};

	if (part->cause)
		cause = timeline_cause(timeline, part->cause, part->end);
	(void)perfetto_slice_begin(file, part->begin, path->track, TYPE_BEGIN);
	name_put(file, part, &task, &cause);
	perfetto_slice_number(file, "tid", task.tid);
	perfetto_slice_number(file, "depth", part->depth);
	perfetto_slice_string(file, "state", part_state_name(part->state));
	perfetto_slice_string(file, "confidence", confidence_name(part->confidence));
	if (part->cause) {
		perfetto_slice_group(file, "cause");
		perfetto_slice_string(file, "kind", cause_kind_name(cause.kind));
		perfetto_slice_group_end(file);
	}
	perfetto_slice_end(file);
	perfetto_slice_close(file, part->end, path->track);
}
