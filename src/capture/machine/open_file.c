/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "open_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/text/parse.h"
#include "base/xalloc.h"

#define INFO_BYTES_MAX 1024 /* the numbers come first */
#define ALL_FILES      UINT64_MAX

struct request {
	int32_t tgid;
	uint64_t only; /* number of the file, or ALL_FILES */
	size_t skipped;
	bool has_info;
	nsec_t deadline;
};

/* In the reply: before all files, and before each path. */
struct reply_head {
	size_t rest;
};

/* "pos:\t0\nflags:\t02\nmnt_id:\t29\nino:\t77\n..." */
static void info_read(int32_t tgid, const char *number, struct open_file *ret)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/fdinfo/%s", tgid, number);
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[INFO_BYTES_MAX];
	ssize_t got = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	const char *mount, *inode;

	if (got <= 0)
		return;
	text[got] = '\0';
	mount = strstr(text, "\nmnt_id:");
	inode = strstr(text, "\nino:");
	if (mount)
		(void)sscanf(mount, " mnt_id: %" SCNd64, &ret->mount);
	ret->has_lock = strstr(text, "\nlock:") != NULL;
	if (inode)
		(void)sscanf(inode, " ino: %" SCNu64, &ret->inode);
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
	if (request->has_info)
		info_read(request->tgid, name, &file);
	file.path_length = (size_t)length;
	buffer_append(reply, &file, sizeof(file));
	buffer_append(reply, path, (size_t)length);
}

static int look(const void *argument, size_t size, struct buffer *reply)
{
	const struct request *request = argument;
	_cleanup_(freep) char *path = xasprintf("/proc/%d/fd", request->tgid);
	_cleanup_(closedirp) DIR *files = opendir(path);
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
	const struct request request = {.tgid = tgid, .only = number, .has_info = true};
	size_t at = 0;

	buffer_clear(text);
	return peek_call(peek, (uint64_t)tgid, look, &request, sizeof(request), text) == 0 &&
	       open_file_next(text, &at, ret);
}

bool open_files_read(struct peek *peek, int32_t tgid, size_t skipped, bool has_info,
		     nsec_t deadline, struct buffer *text, size_t *ret_rest)
{
	const struct request request = {
		.tgid = tgid,
		.only = ALL_FILES,
		.skipped = skipped,
		.has_info = has_info,
		.deadline = deadline,
	};

	buffer_clear(text);
	if (peek_call(peek, (uint64_t)tgid, look, &request, sizeof(request), text) < 0 ||
	    text->length < sizeof(struct reply_head))
		return false;
	memcpy(ret_rest, text->text, sizeof(*ret_rest));
	return true;
}
