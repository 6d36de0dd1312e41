/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "open_waits.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/monotonic.h"
#include "task_snapshot.h"
#include "text_file.h"

#define CALL_BYTES_MAX    4096
#define TRIES_MAX         16
/* Processes that the watched ones wait for, one behind the other. */
#define BEHIND_MAX        16

/* One look. */
struct look {
	struct open_waits *waits;
	struct buffer *to;
	nsec_t now, deadline;
	bool is_last;
	struct task_family watched;
	int32_t behind[BEHIND_MAX]; /* processes that somebody waits for and nobody asked for */
	size_t behind_count;
	struct wait_scene scene;
};

void open_waits_init(struct open_waits *waits, struct peek *peek)
{
	*waits = (struct open_waits){.peek = peek};
	sleep_table_init(&waits->sleeps);
	end_table_init(&waits->ends, peek);
}

void open_waits_release(struct open_waits *waits)
{
	free(waits->root);
	sleep_table_release(&waits->sleeps);
	end_table_release(&waits->ends);
}

void open_waits_ask(struct open_waits *waits, int32_t pid)
{
	ARRAY_ADD(waits->root, waits->root_count, waits->root_capacity) = pid;
}

static void look_note_behind(struct look *look, int32_t tgid)
{
	if (tgid <= 0 || task_family_has(&look->watched, tgid) || look->behind_count == BEHIND_MAX)
		return;
	for (size_t i = 0; i < look->behind_count; i++)
		if (look->behind[i] == tgid)
			return;
	look->behind[look->behind_count++] = tgid;
}

/* "waits TID SINCE SEEN STATE CALL FUNCTIONS KIND ..." */
static void look_describe(struct look *look, int32_t tgid, int32_t tid, nsec_t since,
                          const struct task_call *call)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(16384);
	nsec_t seen = look->waits->is_timed ? look->now : 0;
	struct task_stat stat;

	if (!task_stat_read(PROC_PATH("/proc/%d/task/%d/status", tgid, tid), &stat) ||
	    !strchr("SDTt", stat.state))
		return;
	buffer_printf(&line, "waits %d %" PRIu64 " %" PRIu64 " %c ", tid,
	              look->waits->is_timed ? since : 0, seen, stat.state);
	look_note_behind(look, wait_scene_describe(&look->scene, tgid, tid, call, &line));
	if (look->scene.futex && look->waits->on_futex)
		look->waits->on_futex(look->waits->state, tid, look->scene.futex);
	if (line.is_cut)
		return;
	buffer_putc(&line, '\n');
	buffer_append(look->to, line.text, line.length);
}

static void look_at_thread(struct look *look, int32_t tgid, int32_t tid)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(CALL_BYTES_MAX);
	struct task_call call = {.number = -1};
	struct seen_sleep *sleep;
	bool has_call;

	has_call = peek_text(look->waits->peek, tgid,
	                     PROC_PATH("/proc/%d/task/%d/syscall", tgid, tid), &text) == 0;
	/* a kernel without this file: at the end the state alone shows whether it sleeps */
	if (has_call ? !task_call_parse(text.text, &call) : !look->is_last)
		return;
	sleep = sleep_table_see(&look->waits->sleeps, tid,
	                        has_call ? text_hash(text.text, text.length) : 0,
	                        look->waits->sleeps.look - 1, look->now);
	if (!sleep || (!look->is_last && (sleep->described || sleep->since == look->now)))
		return;
	look_describe(look, tgid, tid, sleep->since, has_call ? &call : NULL);
	if (!look->scene.ends.is_partial || ++sleep->partial == TRIES_MAX)
		sleep->described = look->now;
}

/* Looks at the threads of a process; its children are watched, too. */
static void look_at_process(struct look *look, int32_t tgid)
{
	_cleanup_(closedirp) DIR *threads = opendir(PROC_PATH("/proc/%d/task", tgid));
	int32_t tid;

	while (folder_next_pid(threads, &tid)) {
		if (monotonic_now() >= look->deadline) {
			look->waits->left_out++;
			continue;
		}
		look_at_thread(look, tgid, tid);
	}
}

/* What the processes do that others wait for. They were not asked for: only their first thread. */
static void look_behind(struct look *look)
{
	for (size_t i = 0; i < look->behind_count; i++) {
		_cleanup_(buffer_release) struct buffer text = buffer_of(CALL_BYTES_MAX);
		struct task_call call;
		bool has_call;

		has_call = peek_text(look->waits->peek, look->behind[i],
		                     PROC_PATH("/proc/%d/syscall", look->behind[i]), &text) == 0 &&
			   task_call_parse(text.text, &call);
		look_describe(look, look->behind[i], look->behind[i], look->now,
		              has_call ? &call : NULL);
	}
}

void open_waits_look(struct open_waits *waits, bool is_last, struct buffer *to)
{
	nsec_t now = monotonic_now();
	struct look look = {
		.waits = waits,
		.to = to,
		.now = now,
		.deadline = now + LOOK_NS,
		.is_last = is_last,
	};
	size_t count;

	waits->sleeps.look++;
	waits->left_out = 0;
	task_family_find(&look.watched, waits->root, waits->root_count, look.deadline);
	count = look.watched.count;
	wait_scene_begin(&look.scene, &waits->ends, look.watched.process, count, look.deadline,
			 is_last ? ENDS_LAST_NS : ENDS_NS);
	for (size_t i = 0; i < count; i++)
		look_at_process(&look, look.watched.process[(waits->first + i) % count]);
	waits->first = waits->left_out && count ? (waits->first + 1) % count : 0;
	look_behind(&look);
	sleep_table_trim(&waits->sleeps, waits->sleeps.look - 1);
	wait_scene_end(&look.scene);
	task_family_release(&look.watched);
}
