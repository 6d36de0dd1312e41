/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "base/text/parse.h"
#include "base/text/shell_quote.h"
#include "base/xalloc.h"
#include "cmd/commands.h"
#include "recorder/machine/control_group.h"
#include "recorder/machine/process_search.h"
#include "recorder/machine/task_snapshot.h"
#include "recorder/machine/text_file.h"
#include "recorder/run/record_signals.h"
#include "recorder/run/recording.h"
#include "recorder/run/recording_parts.h"
#include "words/kernel/kernel_feature.h"

#define MOUNTS_BYTES_MAX (256u << 10)
#define COMM_BYTES       16
#define PIDS_CHECKED     64 /* for zombies: of a control group with thousands, only the first */

static void pids_add(struct number_list *pids, const int32_t *pid, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ARRAY_ADD(pids->number, pids->count, pids->capacity) = pid[i];
}

/* A script runs as its interpreter, under its own name. */
static bool file_is_script(const char *path)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char magic[2];

	return fd >= 0 && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
	       memcmp(magic, "#!", sizeof(magic)) == 0;
}

/* The processes of that name, which may have a slash, as ksoftirqd/0; or else of the program with
   that path. */
static size_t processes_find_meant(const char *what, int32_t **ret)
{
	const char *slash = strrchr(what, '/');
	size_t count = processes_find_named(what, ret);

	if (count > 0 || !slash)
		return count;
	return file_is_script(what) ? processes_find_named(slash + 1, ret)
	                            : processes_find_executing(what, ret);
}

static void complain_none(const char *what)
{
	int error = access(what, F_OK) < 0 ? errno : 0;
	_cleanup_(freep) char *mend =
		error == 0 && access(what, X_OK) < 0
			? xasprintf("; for a recording: ftwait report %s", what)
			: xstrdup("");

	if (!strchr(what, '/') || (error && *what != '/' && *what != '.'))
		message_error("no process is called %s; a name is that of ps -e, at most 15 "
		              "bytes%s", *what ? what : "\"\"", mend);
	else if (error)
		message_error("no process runs %s: %s", what, strerror(error));
	else
		message_error("no process%s runs %s; those that there are: ps -e%s",
		              geteuid() == 0 ? "" : " that this user may look at", what, mend);
}

bool record_target_add(const char *what, struct number_list *pids)
{
	_cleanup_(freep) int32_t *found = NULL;
	size_t count;
	int32_t pid;

	if (parse_pid(what, &pid) == 0) {
		if (pid <= 0 || (kill(pid, 0) < 0 && errno == ESRCH))
			return message_fail(false, "there is no process %d; those that there are: "
			                    "ps -e", pid);
		pids_add(pids, &pid, 1);
		return true;
	}
	count = processes_find_meant(what, &found);
	if (count == 0)
		complain_none(what);
	pids_add(pids, found, count);
	return count > 0;
}

static bool group_find(const char *option, const char *given, const char *glob,
                       struct number_list *pids)
{
	_cleanup_(freep) int32_t *found = NULL;
	size_t count = processes_find_in_group(glob, &found);

	if (count == 0)
		message_error("--%s %s: no process is in such a control group; those that there "
		              "are: systemd-cgls, or cat /proc/*/cgroup", option, given);
	pids_add(pids, found, count);
	return count > 0;
}

/* "nginx" is nginx.service; with another suffix it is the whole name. */
static char *unit_glob(const char *unit)
{
	return strchr(unit, '.') ? xstrdup(unit) : xasprintf("%s.service", unit);
}

/* The path of a control group, given as that or as its folder; globs may stand for it. */
static char *group_path(const char *given)
{
	_cleanup_(buffer_release) struct buffer mounts = buffer_of(MOUNTS_BYTES_MAX);

	(void)text_file_read("/proc/self/mounts", &mounts);
	return control_group_of_folder(mounts.text, given);
}

/* Nothing can be recorded of it any more. */
static void warn_of_zombie(int32_t pid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/status", pid);
	char parent[COMM_BYTES];
	struct task_stat stat;

	if (!task_is_gone(pid) || !task_stat_read(path, &stat))
		return;
	comm_of_process(stat.parent, parent, sizeof(parent));
	message_warning("record: %s[%d] is a zombie: its parent %s[%d] has not waited for it",
	                stat.comm, pid, parent, stat.parent);
}

bool record_targets_find(struct record_options *options)
{
	bool is_found = true;

	for (size_t i = 0; is_found && i < options->processes.count; i++)
		is_found = record_target_add(options->processes.text[i], &options->pids);
	for (size_t i = 0; is_found && i < options->cgroups.count; i++) {
		_cleanup_(freep) char *given = options->cgroups.text[i];

		options->cgroups.text[i] = group_path(given);
		is_found = group_find("cgroup", given, options->cgroups.text[i], &options->pids);
	}
	for (size_t i = 0; is_found && i < options->units.count; i++) {
		struct string_list *cgroups = &options->cgroups;
		char *glob = unit_glob(options->units.text[i]);

		is_found = group_find("unit", options->units.text[i], glob, &options->pids);
		ARRAY_ADD(cgroups->text, cgroups->count, cgroups->capacity) = glob;
	}
	for (size_t i = 0; is_found && i < options->pids.count && i < PIDS_CHECKED; i++)
		warn_of_zombie(options->pids.number[i]);
	return is_found;
}

#define MEMORY_LEAST     (UINT64_C(9) << 20) /* least memory of a control group, for 2 CPUs; 8
                                                MiB are too little */

/* The kernel silently kills a process for which a control group has too little memory. */
bool record_has_memory(void)
{
	_cleanup_(control_group_release) struct control_group_limits limits;

	control_group_read(&limits);
	if (limits.memory_bytes >= MEMORY_LEAST)
		return true;
	return message_fail(false, "%s leaves %s of memory, and a recorder needs %s: raise that "
	                    "limit, or record from outside of the group", limits.memory_file,
	                    SIZE_TEXT(limits.memory_bytes), SIZE_TEXT(MEMORY_LEAST));
}

/* "0.7 s of 2.0 s" if tracing was switched off in between by another program, else "2.0 s". */
static void duration_describe(const struct recording *recording, struct buffer *to)
{
	const struct page_census *census = &recording->census;

	if (recording->part[0].watch.is_reported[WATCH_TRACING_OFF] &&
	    census->last > census->first &&
	    recording_clock_is_monotonic(recording))
		buffer_printf(to, "%.1f s of ", (double)(census->last - census->first) / 1e9);
	buffer_printf(to, "%.1f s", (double)(recording->end - recording->begin) / 1e9);
}

/* Prints what --compress has saved and cost. */
static void packing_print(const struct recording *recording)
{
	struct page_packer_sums sums = {0};
	double seconds = (double)(recording->end - recording->begin);

	if (recording->packer)
		sums = page_packer_sums(recording->packer);
	if (sums.to_bytes == 0 || seconds <= 0)
		return;
	message_note("compressed %s to %s, 1 of %.1f, by %.1f %% of a CPU",
	             SIZE_TEXT(sums.from_bytes), SIZE_TEXT(sums.to_bytes),
	             (double)sums.from_bytes / (double)sums.to_bytes,
	             (double)sums.cpu_ns * 100 / seconds);
}

/* On a terminal, where somebody reads it: the command that reports the recording. `shown`: the path
   without control bytes; with such bytes no command that could be copied would name the file. */
static void next_step_print(const struct recording *recording, const char *place, const char *shown)
{
	_cleanup_(buffer_release) struct buffer word = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (!recording->output.is_file || isatty(STDERR_FILENO) != 1 || strcmp(place, shown) != 0)
		return;
	shell_word_write(&word, place);
	(void)fprintf(stderr, "now: ftwait report %s%s\n", place[0] == '-' ? "./" : "", word.text);
}

/*
 * "[ ftwait: 12.3 MiB, 1,234 events, 0 lost, 10.0 s -> run.dat ]"; with --ring
 * "[ ftwait: 1.0 MiB, 123 events, 45,678 older ones overwritten, 0 lost, 10.0 s -> run.dat ]"
 */
static void summary_print(const struct recording *recording, const char *place)
{
	const struct record_options *options = recording->options;
	_cleanup_(buffer_release) struct buffer overwritten = buffer_of(100);
	uint64_t bytes = recording->writer.bytes;
	const struct recording_losses *losses = &recording->losses;
	_cleanup_(buffer_release) struct buffer duration = buffer_of(100);
	_cleanup_(buffer_release) struct buffer path = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct stat file;

	if (options->is_quiet)
		return;
	/* the size of a stream with holes means nothing */
	if (recording->output.is_file && stat(place, &file) == 0 &&
	    (!recording->writer.layout || (uint64_t)file.st_size < bytes))
		bytes = (uint64_t)file.st_size;
	if (losses->lost > 0)
		message_note("events were lost: try a larger buffer (-b) or fewer groups (-e)");
	packing_print(recording);
	duration_describe(recording, &duration);
	buffer_puts_clean(&path, place, strlen(place));
	if (losses->overwritten > 0)
		buffer_printf(&overwritten, "%s older ones overwritten, ",
		              COUNT_TEXT(losses->overwritten));
	(void)fprintf(stderr, "[ ftwait: %s, %s events, %s%s lost%s%s%s, %s -> %s ]\n",
	              SIZE_TEXT(bytes), COUNT_TEXT(recording->census.events),
	              overwritten.length ? overwritten.text : "",
	              COUNT_TEXT(losses->lost + losses->taken),
	              losses->by_cpu.length > 0 ? " (" : "", losses->by_cpu.text,
	              losses->by_cpu.length > 0 ? ")" : "", duration.text,
	              path.text);
	next_step_print(recording, place, path.text);
}

/* Where programs write what is recorded. */
static void marks_describe(const struct recording *recording)
{
	const struct capture_session *session = recording_session(recording);
	bool are_copied = session->marks.guard > 0;

	if (recording->options->needs_marks && !are_copied)
		message_note("a mark is seen only in %s/trace_marker: Linux %s or newer copies "
		             "those of %s/trace_marker", session->dir,
		             kernel_feature_since(MARK_COPY_FILE), recording->tracefs);
	else if (recording->options->is_verbose)
		message_note("what programs write to %s/trace_marker is recorded",
		             are_copied ? recording->tracefs : session->dir);
}

static void recording_describe(const struct recording *recording)
{
	const struct capture_session *session = recording_session(recording);
	const struct capture_session *calls = recording->part[STREAM_BUFFER_CALLS].session;
	const struct capture_session *stacks = recording->part[STREAM_BUFFER_STACKS].session;
	const char *whose = recording->command ? recording->command : "the tasks of -p";
	const struct event_selection *selection = &recording->selection;
	size_t count = 0;

	if (!recording->options->is_verbose)
		return;
	if (!recording_has_tasks(recording))
		whose = "all tasks";
	for (size_t i = 0; i < selection->catalog->count; i++)
		count += selection->is_selected[i];
	message_note("instance %s, %zu events, clock %s, %u CPUs with %s each",
	             session->dir, count, recording->clock,
	             session->cpu_count,
	             SIZE_TEXT(session->buffer_bytes));
	if (calls)
		message_note("instance %s for system calls of %s", calls->dir, whose);
	if (stacks)
		message_note("instance %s for %s%s%s of %s", stacks->dir,
		             stacks->stacks ? "stacks of programs" : "",
		             stacks->stacks && stacks->has_profile ? " and " : "",
		             stacks->has_profile ? "a profile" : "", whose);
}

/* Turns the stream into a trace.dat, even if the file was moved, and prints its path. */
static int output_conclude(struct recording *recording)
{
	_cleanup_(freep) char *place = NULL;
	int r = recording_convert(recording, &place);

	if (r >= 0)
		summary_print(recording, place);
	return r;
}

/* Writes everything that can be written. Returns as recording_convert(). */
static int recording_close(struct recording *recording, enum recording_end reason)
{
	int r = reason == RECORDING_FAILED ? -EIO : recording_finish(recording);

	if (r == 0)
		return output_conclude(recording);
	if (*record_signals_count() < SIGNALS_FORCED_END)
		recording_salvage(recording);
	return r;
}

/* Everything from the open instance to the exit status. */
static int recording_complete(struct recording *recording)
{
	enum recording_end reason;
	int r;

	recording_describe(recording);
	marks_describe(recording);
	reason = recording_run(recording);
	if (!recording->has_begun)
		return recording->child.is_ended ? recording->child.exit_status : STATUS_FAILED;
	r = recording_close(recording, reason);
	recording->reader = ring_reader_close(recording->reader);
	recording_parts_end_removal(recording);
	if (reason == RECORDING_SIGNAL || r < 0)
		recording_await_child(recording);
	/* until now COMMAND may have had files of the instance open */
	recording_parts_close(recording);
	if (r != 0)
		return STATUS_FAILED;
	return recording->child.is_ended ? recording->child.exit_status : STATUS_FINE;
}

int record_run(const struct record_options *options, char **argv)
{
	struct recording recording;
	int r, status;

	recording_init(&recording, options);
	r = recording_prepare(&recording);
	if (r < 0) {
		status = r == -EINVAL ? STATUS_USAGE : STATUS_FAILED;
	} else if (recording_open(&recording, argv) < 0) {
		status = STATUS_FAILED;
	} else {
		status = recording_complete(&recording);
	}
	recording_release(&recording);
	return status;
}
