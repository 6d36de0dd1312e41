/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "own_descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <linux/kcmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "recorder/machine/peek.h"
#include "recorder/machine/text_file.h"

/* The size of its program's code, kB; 0: it has none. False: not known. */
static bool program_size(int32_t tgid, uint64_t *ret)
{
	_cleanup_(freep) char *text = text_file_copy_at(PROC_PATH("/proc/%d", tgid), "status");

	*ret = 0;
	return text && (text_number(text, "VmExe:", 10, ret) || !strstr(text, "VmExe:"));
}

/* Whether two processes are certain to execute different programs: whoever executes one no longer
   shares descriptors. */
static bool programs_differ(int32_t a, int32_t b)
{
	uint64_t size_of_a, size_of_b;

	return program_size(a, &size_of_a) && program_size(b, &size_of_b) && size_of_a != size_of_b;
}

/* Whether a thread of `tgid` is certain to share the descriptors of the process if it is one of its
   threads, and only then. One that has ended fits. */
static bool thread_fits(int32_t tid, int32_t tgid, int32_t process)
{
	long order = syscall(SYS_kcmp, process, tid, KCMP_FILES, 0, 0);

	if (order >= 0)
		return (order == 0) == (tgid == process);
	/* the kernel has no such call, or refuses it, as for a task with more rights */
	return errno == ESRCH || tid == process ||
	       (tgid != process && programs_differ(tgid, process));
}

/* is_own[i] stays 1 until a thread of that process does not fit. */
static void process_compare(int32_t tgid, const int32_t *asked, size_t count, char *is_own)
{
	_cleanup_(closedirp) DIR *threads = opendir(PROC_PATH("/proc/%d/task", tgid));
	int32_t tid;

	if (!threads && errno != ENOENT)
		memset(is_own, 0, count);
	while (folder_next_pid(threads, &tid))
		for (size_t i = 0; i < count; i++)
			is_own[i] = is_own[i] && thread_fits(tid, tgid, asked[i]);
}

static int all_compare(const void *argument, size_t size, struct buffer *reply)
{
	_cleanup_(closedirp) DIR *processes = opendir("/proc");
	size_t count = size / sizeof(int32_t);
	int32_t asked[OWN_DESCRIPTORS_MAX], tgid;
	char is_own[OWN_DESCRIPTORS_MAX];

	if (!processes)
		return -errno;
	memcpy(asked, argument, size);
	memset(is_own, 1, count);
	while (folder_next_pid(processes, &tgid))
		process_compare(tgid, asked, count, is_own);
	buffer_append(reply, is_own, count);
	return 0;
}

void own_descriptors_find(const int32_t *process, size_t count, bool *ret)
{
	_cleanup_(buffer_release) struct buffer reply = buffer_of(OWN_DESCRIPTORS_MAX);
	size_t compared = count < OWN_DESCRIPTORS_MAX ? count : OWN_DESCRIPTORS_MAX;
	struct peek peek;

	memset(ret, 0, count * sizeof(*ret));
	if (count == 0)
		return;
	/* kcmp() of a task waits while that is in exec() */
	peek_init(&peek, PEEK_PATIENCE_NS);
	if (peek_call(&peek, (uint64_t)process[0], all_compare, process,
	              compared * sizeof(*process), &reply) == 0)
		for (size_t i = 0; i < reply.length; i++)
			ret[i] = reply.text[i];
	peek_release(&peek);
}
