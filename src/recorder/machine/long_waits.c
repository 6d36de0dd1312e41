/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "long_waits.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/monotonic.h"
#include "clock_reading.h"
#include "task_snapshot.h"
#include "text_file.h"

#define TEXT_BYTES_MAX 4096
#define LINE_BYTES_MAX 16384
#define PROCESSES_MAX  65536
#define PARTIAL_MAX    8

/* One look. */
struct look {
	struct long_waits *waits;
	struct buffer *to;
	nsec_t now; /* on the recording's clock */
	nsec_t deadline;
	int32_t *process;
	size_t count, capacity;
	struct task_family asked;
	struct wait_scene scene;
};

void long_waits_init(struct long_waits *waits, struct peek *peek)
{
	*waits = (struct long_waits){.peek = peek};
	sleep_table_init(&waits->sleeps);
	end_table_init(&waits->ends, peek);
}

void long_waits_release(struct long_waits *waits)
{
	sleep_table_release(&waits->sleeps);
	end_table_release(&waits->ends);
}

static bool call_read(struct peek *peek, int32_t tgid, int32_t tid, struct buffer *ret)
{
	buffer_init(ret, TEXT_BYTES_MAX);
	return peek_text(peek, tgid, PROC_PATH("/proc/%d/task/%d/syscall", tgid, tid), ret) == 0;
}

/* "waits TID SINCE SEEN STATE CALL FUNCTIONS KIND ..." */
static void look_describe(struct look *look, int32_t tgid, struct seen_sleep *sleep,
                          const struct task_call *call)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(LINE_BYTES_MAX);
	struct task_stat stat;

	if (!task_stat_read(PROC_PATH("/proc/%d/task/%d/status", tgid, sleep->tid), &stat) ||
	    stat.is_kernel || !strchr("SD", stat.state))
		return;
	buffer_printf(&line, "waits %d %" PRIu64 " %" PRIu64 " %c ", sleep->tid, sleep->since,
	              look->now, stat.state);
	(void)wait_scene_describe(&look->scene, tgid, sleep->tid, call, &line);
	sleep->may_change = look->scene.may_change;
	sleep->partial = look->scene.ends.is_partial ? (uint8_t)(sleep->partial + 1) : 0;
	if (line.is_cut || (!call && line.length >= 6 &&
	                    strcmp(line.text + line.length - 6, " - - -") == 0))
		return;
	buffer_putc(&line, '\n');
	buffer_append(look->to, line.text, line.length);
}

/* Whether the thread is in the system call in which it was at the last look, whatever it did
   meanwhile: it may wait in slices. */
static bool call_is_repeated(struct seen_sleep *sleep, const struct buffer *text)
{
	uint64_t before = sleep->call;

	sleep->call = text_hash(text->text, text->length);
	return sleep->call == before;
}

/* Whether a described sleep is to be described again. The other end of one that was asked for is
   looked for in the next looks, too. */
static bool is_due_again(const struct seen_sleep *sleep, nsec_t now, bool is_asked)
{
	return sleep->may_change &&
	       (now - sleep->described >= LONG_HOLDER_NS ||
	        (is_asked && sleep->partial > 0 && sleep->partial < PARTIAL_MAX));
}

static void look_at_thread(struct look *look, int32_t tgid, int32_t tid, bool is_asked)
{
	_cleanup_(buffer_release) struct buffer runs = {0}, text = {0};
	bool has_runs = text_file_read(PROC_PATH("/proc/%d/task/%d/schedstat", tgid, tid), &runs) ==
			0;
	struct task_call call = {.number = -1};
	struct seen_sleep *sleep;
	bool has_call = true;

	if (!has_runs) {
		has_call = call_read(look->waits->peek, tgid, tid, &text);
		if (!has_call)
			return;
	}
	sleep = sleep_table_see(&look->waits->sleeps, tid,
	                        has_runs ? text_hash(runs.text, runs.length)
	                                 : text_hash(text.text, text.length), 0, look->now);
	if (!sleep || (sleep->since == look->now && !is_asked) ||
	    (sleep->described && !is_due_again(sleep, look->now, is_asked)))
		return;
	if (has_runs)
		has_call = call_read(look->waits->peek, tgid, tid, &text);
	if (has_call && !task_call_parse(text.text, &call))
		return;
	if (sleep->since == look->now && !(has_call && call_is_repeated(sleep, &text)))
		return;
	sleep->described = look->now;
	look_describe(look, tgid, sleep, has_call ? &call : NULL);
}

static void look_at_process(struct look *look, int32_t tgid, bool is_asked)
{
	const char *path = PROC_PATH("/proc/%d/task", tgid);
	_cleanup_(closedirp) DIR *threads = NULL;
	struct stat folder;
	int32_t tid;

	/* a folder for each thread, "." and ".." */
	if (stat(path, &folder) == 0 && folder.st_nlink == 3) {
		look_at_thread(look, tgid, tgid, is_asked);
		return;
	}
	threads = opendir(path);
	while (folder_next_pid(threads, &tid))
		look_at_thread(look, tgid, tid, is_asked);
}

static void look_list_processes(struct look *look)
{
	_cleanup_(closedirp) DIR *processes = opendir("/proc");
	int32_t pid;

	while (look->count < PROCESSES_MAX && folder_next_pid(processes, &pid))
		ARRAY_ADD(look->process, look->count, look->capacity) = pid;
}

/* Where the look begins: /proc lists processes by number. */
static size_t look_first(const struct look *look)
{
	size_t first = 0;

	while (first < look->count && look->process[first] < look->waits->next)
		first++;
	return first == look->count ? 0 : first;
}

/* The processes from the first one on, but for those that were asked for; those before it come when
   all others have come. */
static void look_at_all(struct look *look)
{
	struct long_waits *waits = look->waits;
	size_t first = look_first(look);

	if (first == 0)
		waits->whole = waits->sleeps.look;
	waits->next = 0;
	for (size_t i = first; i < look->count; i++) {
		if (monotonic_now() >= look->deadline && i > first) {
			waits->next = look->process[i];
			return;
		}
		if (!task_family_has(&look->asked, look->process[i]))
			look_at_process(look, look->process[i], /* is_asked= */ false);
	}
	/* tasks have ended that no look has seen since the last whole round began */
	sleep_table_trim(&waits->sleeps, waits->whole);
}

void long_waits_look(struct long_waits *waits, struct buffer *to)
{
	struct look look = {
		.waits = waits,
		.to = to,
		.deadline = monotonic_now() + LONG_LOOK_NS,
	};

	if (recording_clock_read(waits->clock, &look.now) < 0)
		return;
	waits->sleeps.look++;
	task_family_find(&look.asked, waits->root, waits->root_count, look.deadline);
	if (!waits->is_brief)
		look_list_processes(&look);
	wait_scene_begin(&look.scene, &waits->ends, look.asked.process, look.asked.count,
			 look.deadline, ENDS_NS);
	for (size_t i = 0; i < look.asked.count; i++)
		look_at_process(&look, look.asked.process[i], /* is_asked= */ true);
	if (!waits->is_brief)
		look_at_all(&look);
	wait_scene_end(&look.scene);
	task_family_release(&look.asked);
	free(look.process);
}
