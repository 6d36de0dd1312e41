/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight_room.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "flight/stream_ring.h"
#include "ring_memory.h"

/* The file has no name once it is open, so that nothing is left of it. */
static int ring_file_open(const char *path)
{
	struct stat file;
	bool is_folder = stat(path, &file) == 0 && S_ISDIR(file.st_mode);
	int fd;

	if (is_folder)
		fd = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	else
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (!is_folder && unlink(path) < 0)
		message_warning("cannot remove %s: %s; it is of no use later", path,
		                strerror(errno));
	return fd;
}

static uint64_t disk_limit(int fd)
{
	struct statvfs disk;

	return fstatvfs(fd, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize / 2 : UINT64_MAX;
}

bool flight_room_find(struct flight_room *room, const struct flight_options *options,
                      bool is_forced)
{
	*room = (struct flight_room){.fd = -1};
	if (options->ring_file) {
		room->fd = ring_file_open(options->ring_file);
		if (room->fd < 0) {
			message_error("record: --ring-file=%s: %s; a new name, or a directory",
			              options->ring_file, strerror(-room->fd));
			return false;
		}
	}
	room->limit = room->fd < 0 ? ring_memory_limit() : disk_limit(room->fd);
	if (options->bytes && options->bytes <= room->limit)
		room->limit = options->bytes;
	if (options->bytes <= room->limit || is_forced) {
		room->limit = options->bytes ? options->bytes : room->limit;
		return true;
	}
	message_error("record: --ring=%s: half of what is free are %s; take less, --force%s",
	              options->ring.text, SIZE_TEXT(room->limit),
	              room->fd < 0 ? ", or --ring-file=FILE on a disk" : "");
	if (room->fd >= 0)
		(void)close(room->fd);
	return false;
}

bool flight_room_judge(const struct flight_room *room, const struct flight_options *options,
                       nsec_t kept, bool is_forced, double bytes_a_second,
                       double events_a_second)
{
	/* the oldest chapter is dropped as a whole */
	double seconds = (double)kept / 1e9 * (RING_CHAPTERS + 1) / RING_CHAPTERS;
	const char *place = room->fd < 0 ? "memory" : "the disk";
	uint64_t needed = (uint64_t)(bytes_a_second * seconds);
	/* the time of --ring for which there is room */
	double fitting = (double)kept / 1e9 * (double)room->limit / (bytes_a_second * seconds) -
	                 (double)(kept - options->time) / 1e9;
	_cleanup_(buffer_release) struct buffer less = {0};

	if (options->time == NSEC_NEVER) {
		message_note("%s events/s, %s/s: the ring holds the last %.1f s in %s of %s",
		             COUNT_TEXT((uint64_t)events_a_second),
		             SIZE_TEXT((uint64_t)bytes_a_second),
		             bytes_a_second > 0 ? (double)options->bytes / bytes_a_second : 0.0,
		             SIZE_TEXT(options->bytes), place);
		return true;
	}
	if (needed <= room->limit || is_forced) {
		message_note("%s events/s, %s/s: the last %s, with --after, take %s of %s",
		             COUNT_TEXT((uint64_t)events_a_second),
		             SIZE_TEXT((uint64_t)bytes_a_second), DURATION_TEXT(options->time),
		             SIZE_TEXT(needed), place);
		return true;
	}
	buffer_init(&less, 64);
	buffer_puts(&less, "");
	if (fitting >= 1)
		buffer_printf(&less, " --ring=%llus,", (unsigned long long)fitting);
	message_error("record: %s events/s, %s/s: the last %s, with --after, would take %s of %s, "
	              "and half of what is free are %s; take fewer groups (-e),%s --force%s",
	              COUNT_TEXT((uint64_t)events_a_second), SIZE_TEXT((uint64_t)bytes_a_second),
	              DURATION_TEXT(options->time), SIZE_TEXT(needed), place,
	              SIZE_TEXT(room->limit), less.text,
	              room->fd < 0 ? ", or --ring-file=FILE on a disk" : "");
	return false;
}
