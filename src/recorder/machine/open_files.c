/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's events and /proc/locks number a file by its superblock's device and by the inode.
 * stat(2) may show other numbers (btrfs, overlayfs), and may block (NFS). /proc/PID/fdinfo has the
 * inode, since Linux 5.14, and the mount, of which mountinfo has the superblock's device.
 */
#include "open_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/monotonic.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "end_table.h"
#include "recorder/file/stream_writer.h"
#include "seen_process.h"
#include "task_snapshot.h"
#include "text_file.h"

#define ALL_FILES      UINT64_MAX

struct request {
	int32_t tgid;
	uint64_t only; /* number of the file, or ALL_FILES */
	size_t skipped;
	nsec_t deadline;
};

/* In the reply: before all files, and before each path. */
struct reply_head {
	size_t rest;
};

/* "pos:\t0\nflags:\t02\nmnt_id:\t29\nino:\t77\n..." */
static void info_read(int32_t tgid, const char *file, struct open_file *ret)
{
	char text[INFO_BYTES_MAX];
	uint64_t number;

	if (!file_info_read(tgid, file, text))
		return;
	if (text_number(text, "\nmnt_id:", 10, &number))
		ret->mount = (int64_t)number;
	if (text_number(text, "\nPid:", 10, &number) && number <= INT32_MAX)
		ret->process = (int32_t)number;
	(void)text_number(text, EVENT_WORD, 10, &ret->event);
	ret->has_lock = strstr(text, "\nlock:") != NULL;
	(void)text_number(text, "\nino:", 10, &ret->inode);
}

static void file_put(const struct request *request, int folder, const char *name,
		     struct buffer *reply)
{
	struct open_file file = {.mount = -1};
	char path[PATH_MAX];
	ssize_t length = readlinkat(folder, name, path, sizeof(path));
	struct stat link;

	if (length <= 0 || parse_u64(name, &file.number) < 0)
		return;
	/* the mode of the link is that in which the file was opened */
	if (fstatat(folder, name, &link, AT_SYMLINK_NOFOLLOW) == 0) {
		file.is_read = link.st_mode & S_IRUSR;
		file.is_written = link.st_mode & S_IWUSR;
	}
	info_read(request->tgid, name, &file);
	file.path_length = (size_t)length;
	buffer_append(reply, &file, sizeof(file));
	buffer_append(reply, path, (size_t)length);
}

static int look(const void *argument, size_t size, struct buffer *reply)
{
	const struct request *request = argument;
	_cleanup_(closedirp) DIR *files = opendir(PROC_PATH("/proc/%d/fd", request->tgid));
	struct reply_head head = {SIZE_MAX};
	struct dirent *entry;
	size_t count = 0;

	(void)size;
	if (!files)
		return -errno;
	buffer_append(reply, &head, sizeof(head));
	if (request->only != ALL_FILES) {
		_cleanup_(freep) char *name = xasprintf("%" PRIu64, request->only);

		file_put(request, dirfd(files), name, reply);
		return 0;
	}
	while ((entry = readdir(files))) {
		if (!isdigit((unsigned char)entry->d_name[0]) || count++ < request->skipped)
			continue;
		if (monotonic_now() >= request->deadline) {
			head.rest = count - 1;
			break;
		}
		file_put(request, dirfd(files), entry->d_name, reply);
	}
	if (reply->is_cut)
		return -EFBIG;
	memcpy(reply->text, &head, sizeof(head));
	return 0;
}

bool open_file_next(const struct buffer *text, size_t *at, struct open_file *ret)
{
	*at += *at == 0 ? sizeof(struct reply_head) : 0;
	if (text->length < *at + sizeof(*ret))
		return false;
	memcpy(ret, text->text + *at, sizeof(*ret));
	*at += sizeof(*ret);
	if (text->length - *at < ret->path_length)
		return false;
	ret->path = text->text + *at;
	*at += ret->path_length;
	return true;
}

bool open_file_read(struct peek *peek, int32_t tgid, uint64_t number, struct buffer *text,
		    struct open_file *ret)
{
	const struct request request = {.tgid = tgid, .only = number};
	size_t at = 0;

	buffer_clear(text);
	return peek_call(peek, (uint64_t)tgid, look, &request, sizeof(request), text) == 0 &&
	       open_file_next(text, &at, ret);
}

bool open_files_read(struct peek *peek, int32_t tgid, size_t skipped, nsec_t deadline,
		     struct buffer *text, size_t *ret_rest)
{
	const struct request request = {
		.tgid = tgid,
		.only = ALL_FILES,
		.skipped = skipped,
		.deadline = deadline,
	};

	buffer_clear(text);
	if (peek_call(peek, (uint64_t)tgid, look, &request, sizeof(request), text) < 0 ||
	    text->length < sizeof(struct reply_head))
		return false;
	memcpy(ret_rest, text->text, sizeof(*ret_rest));
	return true;
}

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
	map_release(&files->noted);
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
	_cleanup_(buffer_release) struct buffer line = buffer_of(LINE_BYTES_MAX);

	if (files->noted.count >= OPEN_FILES_MAX || map_get(&files->noted, key) != MAP_NONE)
		return;
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
	if (!open_files_read(look->files->peek, pid, skipped, look->deadline, &look->text, &rest))
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
	_cleanup_(buffer_release) struct buffer text = buffer_of(MAPS_BYTES_MAX);
	char *line, *rest = NULL;

	if (!look->files->has_mapped || monotonic_now() >= look->deadline)
		return;
	if (peek_text(look->files->peek, pid, PROC_PATH("/proc/%d/maps", pid), &text) < 0)
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

	seen_process_init(&look.process, files->peek);
	buffer_init(&look.text, FILES_BYTES_MAX);
	task_family_find(&family, files->root, files->root_count, look.deadline);
	look_at_processes(&look, &family);
	seen_process_release(&look.process);
	buffer_release(&look.text);
	task_family_release(&family);
}
