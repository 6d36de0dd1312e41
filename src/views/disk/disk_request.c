/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_request.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/prose.h"

enum disk_direction disk_request_direction(const struct timeline *timeline,
                                           const struct interval *interval)
{
	const char *letters = intern_text(&timeline->names, interval->disk.rwbs);

	if (interval->disk.rwbs == 0)
		return DISK_OTHER;
	letters += letters[0] == 'F' && letters[1];
	return letters[0] == 'R' ? DISK_READ : letters[0] == 'W' ? DISK_WRITE : DISK_OTHER;
}

uint32_t disk_request_task(const struct timeline *timeline, const struct interval *interval)
{
	uint32_t originator = interval->disk.originator;

	if (originator != TRACK_NONE && !track_is_kernel(timeline, originator))
		return originator;
	if (interval->task == TRACK_NONE || interval->phase[PHASE_QUEUED] != NSEC_NEVER)
		return interval->task;
	return track_is_called(timeline, &timeline->track[interval->task], "kworker/*")
	               ? TRACK_NONE
	               : interval->task;
}

bool disk_is_asked(const struct question *question, uint32_t task)
{
	return !question_has_filter(question) ||
	       (task != TRACK_NONE && question->resolved->is_asked[task]);
}

void disk_task_append(struct buffer *to, const struct timeline *timeline, uint32_t track)
{
	if (track == TRACK_NONE)
		buffer_puts(to, "a task not recorded");
	else
		prose_task_append(to, timeline, track);
}

static void dev_append(struct buffer *to, const struct timeline *timeline, uint32_t dev)
{
	char digits[FORMAT_BYTES];

	buffer_puts(to, format_device(device_names_own(&timeline->devices, dev), digits));
}

void disk_dev_fill(const struct timeline *timeline, uint32_t dev,
                   struct cell cell[static DISK_DEV_CELLS],
                   struct buffer text[static DISK_DEV_CELLS])
{
	dev_append(&text[0], timeline, dev);
	cell[1] = cell_of_name(timeline, CELL_TEXT, device_names_find(&timeline->devices, dev));
	cell[2].text = cell[1].type == CELL_EMPTY ? text[0].text : cell[1].text;
}

void disk_file_fill(const struct timeline *timeline, uint16_t number,
                    struct cell cell[static DISK_FILE_CELLS],
                    struct buffer text[static DISK_FILE_CELLS], struct buffer *words)
{
	const struct file_name *file = file_names_at(&timeline->files, number);
	const char *path;

	if (!file) {
		for (size_t i = 0; i < DISK_FILE_CELLS; i++)
			cell[i].type = CELL_EMPTY;
		return;
	}
	cell[0] = cell_of_name(timeline, CELL_TEXT, file->path);
	cell[1].count = file->inode;
	dev_append(&text[2], timeline, file->dev);
	path = intern_text(&timeline->names, file->path);
	if (file->path)
		buffer_puts_clean(words, path, strlen(path));
	else
		buffer_printf(words, "inode %" PRIu64 " of %s", file->inode,
		              TIMELINE_DEVICE_TEXT(timeline, file->dev));
}
