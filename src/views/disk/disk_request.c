/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_request.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "analysis/prose.h"
#include "graph/timeline_hosts.h"

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

void disk_dev_fill(const struct timeline *timeline, uint32_t dev, char to[static FORMAT_BYTES],
                   struct cell ret[static DISK_DEV_CELLS])
{
	ret[0] = (struct cell){
		.type = CELL_TEXT,
		.text = format_device(device_names_own(&timeline->devices, dev), to),
	};
	ret[1] = cell_of_name(timeline, CELL_TEXT, device_names_find(&timeline->devices, dev));
	ret[2] = ret[1].type == CELL_EMPTY ? ret[0] : ret[1];
}

const char *disk_rate_text(uint64_t bytes, nsec_t length, char to[static FORMAT_BYTES + 2])
{
	(void)format_size(nsec_per_second(bytes, length), to);
	(void)strncat(to, "/s", 3);
	return to;
}

void disk_file_fill(const struct timeline *timeline, uint16_t number,
                    char dev[static FORMAT_BYTES], struct buffer *words,
                    struct cell ret[static DISK_FILE_CELLS])
{
	const struct file_name *file = file_names_at(&timeline->files, number);
	const char *path;

	for (size_t i = 0; i < DISK_FILE_CELLS; i++)
		ret[i] = (struct cell){.type = CELL_EMPTY};
	if (!file)
		return;
	ret[0] = cell_of_name(timeline, CELL_TEXT, file->path);
	ret[1] = (struct cell){.type = CELL_COUNT, .count = file->inode};
	ret[2] = (struct cell){
		.type = CELL_TEXT,
		.text = format_device(device_names_own(&timeline->devices, file->dev), dev),
	};
	path = intern_text(&timeline->names, file->path);
	if (file->path)
		buffer_puts_clean(words, path, strlen(path));
	else
		buffer_printf(words, "inode %" PRIu64 " of %s", file->inode,
		              TIMELINE_DEVICE_TEXT(timeline, file->dev));
}
