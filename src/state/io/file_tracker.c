/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that tasks read from disks, and files that they sync.
 *
 * A task that reads a file adds pages to the page cache, and then submits requests that fill them:
 *
 *	mm_filemap_add_to_page_cache   254,1 77   4 pages
 *	block_bio_queue                254,1 R  8192
 *	block_bio_queue                254,1 RM 4096      metadata, which have a page of their own
 *	block_bio_queue                254,1 R  8192
 *
 * So a read is for the file of the last pages that the task has added, as far as these are not read
 * yet. A task that writes to a file adds pages, too, but fills them itself, and dirties them. Other
 * pages may never be read, as those of a hole: they count until the task sleeps for something else.
 *
 * While a task syncs a file, its own writes, and all its waits, are for that; but in a reclaim it
 * writes memory to swap.
 *
 * Only files of file systems with a block device of their own are followed. All others have inodes
 * that are not unique (btrfs: subvolumes), or no disk.
 */
#include "base/assume.h"
#include "state/tasks/task_call.h"
#include "state/trackers.h"

#define PAGE_BYTES_LEAST 4096u
#define ORDER_MAX        30u /* of what is believed */

/* What a task does with files; numbers in the timeline's files, 0: none. */
struct task_files {
	uint64_t bytes;  /* of the pages of `read` that no request has read yet */
	uint16_t read;   /* it has added pages of this file last */
	uint16_t synced; /* it syncs this file */
	bool is_other;   /* the last page that it added is of a file that is not followed */
	/* `synced`: until this system call ends, see syscall_count(); 0: until an event ends it */
	uint64_t call;
};

TASK_DATA(files_of, struct task_files, FILE)

static struct task_files *files_of_doer(const struct machine *machine, const struct cpu *cpu)
{
	return cpu_doer(cpu) == TRACK_NONE ? NULL : files_of(machine, cpu->current);
}

/* The number of the event's file; 0: it is not followed. */
static uint16_t file_of_event(struct machine *machine, const struct event *event)
{
	uint64_t dev = event->file.dev, inode = event->file.inode;

	ASSUME(event->kind == EVENT_FILE_ADD || event->kind == EVENT_FILE_SYNC ||
	       event->kind == EVENT_FILE_SYNC_CALL);
	if (dev >> 20 == 0 || dev > UINT32_MAX || inode == 0)
		return 0;
	return file_names_number(&machine->timeline->files, (uint32_t)dev, inode);
}

static void on_file_add(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint64_t page = machine->setup.source->page_bytes, order = event->file.order;
	struct task_files *files;
	uint16_t file;

	if (cpu_doer(cpu) == TRACK_NONE)
		return;
	file = file_of_event(machine, event);
	if (file == 0) {
		files = files_of(machine, cpu->current);
		if (files)
			files->is_other = true;
		return;
	}
	files = tracker_keep_task(machine, TRACKER_FILE, cpu->current);
	if (files->read != file)
		files->bytes = 0;
	files->read = file;
	files->is_other = false;
	files->bytes += (page > PAGE_BYTES_LEAST ? page : PAGE_BYTES_LEAST)
	                << (order < ORDER_MAX ? order : ORDER_MAX);
}

static void files_end_read(struct task_files *files)
{
	files->read = 0;
	files->bytes = 0;
	files->is_other = false;
}

static void on_file_sync(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	bool is_in_call = event->kind == EVENT_FILE_SYNC_CALL;
	struct task_files *files;

	if (cpu_doer(cpu) == TRACK_NONE)
		return;
	files = tracker_keep_task(machine, TRACKER_FILE, cpu->current);
	files_end_read(files);
	files->synced = file_of_event(machine, event);
	files->call = is_in_call ? syscall_count(machine, cpu->current) : 0;
	/* without the task's system calls, the end of the sync would not be known */
	if (is_in_call && !files->call)
		files->synced = 0;
}

/* A sync ends; or the task has added pages in order to write to them. */
static void on_file_end(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_files *files = files_of_doer(machine, cpu);

	ASSUME(event->kind == EVENT_FILE_DIRTY || event->kind == EVENT_FILE_SYNC_END);
	if (files && event->kind == EVENT_FILE_SYNC_END)
		files->synced = 0;
	else if (files)
		files_end_read(files);
}

/* The file that the task syncs; 0: none. */
static uint16_t file_synced(const struct machine *machine, uint32_t track,
                            const struct task_files *files)
{
	return !files->call || files->call == syscall_count(machine, track) ? files->synced : 0;
}

/* Whether the kernel's letters have that one: 'R' for a read, 'M' for metadata. */
static bool request_has(const struct event *event, char letter)
{
	const struct text *rwbs = &event->block.rwbs;

	for (uint32_t i = 0; i < rwbs->length && rwbs->at[i]; i++)
		if (rwbs->at[i] == letter)
			return true;
	return false;
}

static struct requested_file file_read_by(struct task_files *files, const struct event *event)
{
	uint64_t bytes = event->block.sectors * 512;

	ASSUME(files->read || files->bytes == 0);
	if (files->is_other) {
		files->is_other = false;
	} else if (files->read && bytes > 0 && bytes <= files->bytes) {
		files->bytes -= bytes;
		return (struct requested_file){.file = files->read};
	} else {
		files_end_read(files);
	}
	return (struct requested_file){0};
}

struct requested_file file_of_request(struct machine *machine, const struct cpu *cpu,
                                      const struct event *event)
{
	struct task_files *files = files_of_doer(machine, cpu);
	uint16_t synced;

	ASSUME(event->kind == EVENT_BLOCK_QUEUE);
	if (!files || request_has(event, 'M') || memory_is_reclaimed_by(machine, cpu->current))
		return (struct requested_file){0};
	if (request_has(event, 'R'))
		return file_read_by(files, event);
	synced = file_synced(machine, cpu->current, files);
	return (struct requested_file){.file = synced, .is_sync = synced != 0};
}

/* A task that reads a page waits for it in state D. */
static void file_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	if (letter != 'D')
		files_end_read(files_of(machine, track));
}

static void file_refine(const struct machine *machine, const struct wake *wake,
                        struct cause_note *cause)
{
	const struct task_files *files = files_of(machine, wake->wakee);
	uint16_t synced = files ? file_synced(machine, wake->wakee, files) : 0;

	if (synced == 0 || cause->kind == CAUSE_SIGNAL || cause->kind == CAUSE_FROZEN)
		return;
	cause->file = synced;
	cause->is_sync = true;
}

const struct tracker file_tracker = {
	.handlers = HANDLERS(
		{EVENT_FILE_ADD, on_file_add},
		{EVENT_FILE_DIRTY, on_file_end},
		{EVENT_FILE_SYNC, on_file_sync},
		{EVENT_FILE_SYNC_END, on_file_end},
		{EVENT_FILE_SYNC_CALL, on_file_sync}),
	.task_bytes = sizeof(struct task_files),
	.refine = {file_refine, 0, ONLY_KEPT | AND_UNWOKEN},
	.sleep = file_sleep,
	.forgets_tasks = true,
};
