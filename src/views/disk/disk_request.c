/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_request.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "base/data/array.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"

void coverage_release(struct coverage *coverage)
{
	free(coverage->stretch);
	*coverage = (struct coverage){0};
}

static void coverage_forget(struct coverage *coverage)
{
	size_t gone = coverage->count / 2;

	coverage->since = coverage->stretch[gone - 1].end;
	coverage->count -= gone;
	memmove(coverage->stretch, coverage->stretch + gone,
	        coverage->count * sizeof(*coverage->stretch));
}

void coverage_add(struct coverage *coverage, nsec_t begin, nsec_t end,
                  void (*on_new)(void *state, nsec_t begin, nsec_t end), void *state)
{
	nsec_t from = nsec_max(begin, coverage->since), to = end;
	struct stretch all = {.begin = from, .end = end};

	if (from >= end)
		return;
	while (to > from) {
		bool touches = coverage_end(coverage) >= from && coverage->count;
		nsec_t since = touches ? coverage_end(coverage) : from;

		if (since < to) {
			coverage->total += to - since;
			if (on_new)
				on_new(state, since, to);
		}
		if (!touches)
			break;
		to = coverage->stretch[--coverage->count].begin;
		all.begin = nsec_min(all.begin, to);
	}
	if (coverage->count == COVERAGE_GAPS_MAX)
		coverage_forget(coverage);
	ARRAY_ADD(coverage->stretch, coverage->count, coverage->capacity) = all;
}

nsec_t coverage_within(const struct coverage *coverage, nsec_t begin, nsec_t end)
{
	nsec_t sum = 0;

	for (size_t i = coverage->count; i-- > 0;) {
		const struct stretch *stretch = &coverage->stretch[i];
		nsec_t from = nsec_max(begin, stretch->begin), to = nsec_min(end, stretch->end);

		if (stretch->end <= begin)
			break;
		if (from < to)
			sum += to - from;
	}
	return sum;
}

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

	if (!file) {
		for (size_t i = 0; i < DISK_FILE_CELLS; i++)
			cell[i].type = CELL_EMPTY;
		return;
	}
	cell[0] = cell_of_name(timeline, CELL_TEXT, file->path);
	cell[1].count = file->inode;
	dev_append(&text[2], timeline, file->dev);
	say(words, timeline, "[{name}|inode {number} of {device}]",
	    WHEN(file->path, NAME(file->path)), NUMBER(file->inode), DEVICE(file->dev));
}
