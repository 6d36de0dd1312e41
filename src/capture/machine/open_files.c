/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's events and /proc/locks number a file by its superblock's device and by the inode.
 * stat(2) may show other numbers (btrfs, overlayfs), and may block (NFS). /proc/PID/fdinfo has the
 * inode, since Linux 5.14, and the mount, of which mountinfo has the superblock's device.
 */
#include "open_files.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/xalloc.h"
#include "recorder/file/stream_text.h"
#include "recorder/machine/maps_line.h"
#include "open_file.h"
#include "recorder/machine/seen_process.h"
#include "recorder/machine/task_family.h"
#include "recorder/machine/text_file.h"

#define FILES_BYTES_MAX (16u << 20) /* of one process, with all that is known of each */
#define MAPS_BYTES_MAX  (4u << 20)  /* of one process */
#define LINE_BYTES_MAX  (4 * PATH_MAX + 64)

/* One look. */
struct file_look {
	struct open_files *files;
	struct buffer *to;
	nsec_t deadline;
	struct seen_process process;
	struct buffer text; /* the files of one process */
};

void open_files_init(struct open_files *files, struct peek *peek)
{
	*files = (struct open_files){.peek = peek};
	map_init(&files->noted);
}

void open_files_release(struct open_files *files)
{
	free(files->root);
	map_release(&files->noted);
}

void open_files_ask(struct open_files *files, int32_t pid)
{
	ARRAY_GROW(files->root, files->root_count, files->root_capacity);
	files->root[files->root_count++] = pid;
}

/* Whether a path is of a file that can be locked and that people know by name: not of a device, of
   /proc, of a socket. */
static bool path_is_noted(const char *path)
{
	static const char *const others[] = {"/dev/", "/proc/", "/sys/"};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strncmp(path, others[i], strlen(others[i])) == 0)
			return strncmp(path, "/dev/shm/", strlen("/dev/shm/")) == 0;
	return path[0] == '/' && path[1] != '\0';
}

/* "path 254:1 77 /var/lib/x/lock" */
static void look_note(struct file_look *look, uint32_t dev, uint64_t inode, const char *path)
{
	struct open_files *files = look->files;
	uint64_t key = hash_mix(inode, dev);
	_cleanup_(buffer_release) struct buffer line = {0};

	if (files->noted.count >= OPEN_FILES_MAX || map_get(&files->noted, key) != MAP_NONE)
		return;
	buffer_init(&line, LINE_BYTES_MAX);
	buffer_printf(&line, "path %" PRIu32 ":%" PRIu32 " %" PRIu64 " ", dev >> 20,
	              dev & ((1u << 20) - 1), inode);
	stream_text_append(&line, path);
	buffer_putc(&line, '\n');
	if (line.is_cut || files->bytes + line.length > OPEN_FILES_BYTES_MAX)
		return;
	map_put(&files->noted, key, 1);
	files->bytes += line.length;
	buffer_append(look->to, line.text, line.length);
}

static void look_at_file(struct file_look *look, int32_t pid, const struct open_file *file)
{
	char path[PATH_MAX];
	struct mount mount;

	if (file->path_length >= sizeof(path) || file->inode == 0 || file->inode > INT64_MAX)
		return;
	memcpy(path, file->path, file->path_length);
	path[file->path_length] = '\0';
	seen_process_of(&look->process, pid);
	if (path_is_noted(path) &&
	    seen_process_mount(&look->process, file->mount, &mount) && mount.device)
		look_note(look, mount.device, file->inode, path);
}

/* Looks at the files of a process but for the first `skipped`. Returns whether there was time for
   all; if not, *ret is the number of files that there was time for. */
static bool look_at_files(struct file_look *look, int32_t pid, size_t skipped, size_t *ret)
{
	struct open_file file;
	size_t at = 0, rest;

	if (monotonic_now() >= look->deadline) {
		*ret = skipped;
		return false;
	}
	if (!open_files_read(look->files->peek, pid, skipped, true, look->deadline, &look->text,
			     &rest))
		return true;
	while (open_file_next(&look->text, &at, &file))
		look_at_file(look, pid, &file);
	if (rest != SIZE_MAX)
		*ret = rest;
	return rest == SIZE_MAX;
}

/* Only files on block devices, which are numbered as the kernel's events do it. */
static void look_at_mapping(struct file_look *look, const char *line)
{
	struct maps_line mapping;

	if (maps_line_parse(line, &mapping) && mapping.device_major > 0 &&
	    mapping.device_major < 1u << 12 && mapping.device_minor < 1u << 20 &&
	    mapping.inode > 0 && mapping.inode <= INT64_MAX && path_is_noted(mapping.path))
		look_note(look, mapping.device_major << 20 | mapping.device_minor, mapping.inode,
		          mapping.path);
}

static void look_at_mappings(struct file_look *look, int32_t pid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/maps", pid);
	_cleanup_(buffer_release) struct buffer text = {0};
	char *line, *rest = NULL;

	if (!look->files->has_mapped || monotonic_now() >= look->deadline)
		return;
	buffer_init(&text, MAPS_BYTES_MAX);
	if (peek_text(look->files->peek, pid, path, &text) < 0 || text.length == 0)
		return;
	for (line = strtok_r(text.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		look_at_mapping(look, line);
}

static void look_at_processes(struct file_look *look, const struct task_family *family)
{
	struct open_files *files = look->files;
	size_t at = files->first < family->count ? files->first : 0;
	size_t skipped = files->first_file;

	for (size_t i = 0; i < family->count; i++) {
		if (!look_at_files(look, family->process[at], skipped, &files->first_file)) {
			files->first = at;
			return;
		}
		look_at_mappings(look, family->process[at]);
		skipped = 0;
		at = (at + 1) % family->count;
	}
	files->first = files->first_file = 0;
}

void open_files_look(struct open_files *files, nsec_t time, struct buffer *to)
{
	struct file_look look = {
		.files = files,
		.to = to,
		.deadline = monotonic_now() + time,
	};
	struct task_family family;

	task_family_init(&family);
	seen_process_init(&look.process, files->peek);
	buffer_init(&look.text, FILES_BYTES_MAX);
	for (size_t i = 0; i < files->root_count; i++)
		task_family_add(&family, files->root[i]);
	task_family_grow(&family, look.deadline);
	look_at_processes(&look, &family);
	seen_process_release(&look.process);
	buffer_release(&look.text);
	task_family_release(&family);
}
