/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The task that the critical path is asked for.
 */
#pragma once

#include "analysis/analysis.h"
#include "ftwait/trigger.h"
#include "graph/aims/awaited.h"
#include "graph/timeline/timeline.h"

/*
 * The track of the task that asked->path.task names, by tid (of a process: of its leader when the
 * window ended) or by a glob of its name; if it is
 * NULL, the most likely task. TRACK_NONE: there is no such task. *ret_why is the reason for the
 * choice, NULL if the task was named.
 */
uint32_t path_task_find(const struct question *question, const char **ret_why);

/* The track that the path of the process of `index` is about, as of t: that of its leader then, or,
   if other threads went on after that had ended, of the one that ended last, or ran most. */
uint32_t path_task_of_process(const struct timeline *timeline, uint32_t index, nsec_t t);

/* Whether the question may be about one task, as far as is known while the trace is read. */
static inline bool question_may_be_of_one(const struct question *question)
{
	return question->recording.has_targets || question_has_filter(question);
}

/*
 * The recorded command, if it is asked for, as far as is known while the trace is read. Of several
 * machines' commands the one of the machine that opened connections to the others, else the first
 * one that began (enum command_lead). If a thread of it executed a program, the track that led its
 * process when the window ended. TRACK_NONE: there is none, or nothing says which one leads.
 */
uint32_t path_task_command(const struct question *question);

/* If several commands are recorded, and the answer may be about one: prints a sentence that says
   so, which one leads, and how to ask for another one. */
void path_commands_print(const struct question *question, const struct output *to);

/* The one task that the resolved question is about, if it may be: path_task_command(), or the only
   task that is asked for. TRACK_NONE: it is about several. */
uint32_t path_task_only(const struct question *question);

/*
 * Whether pictures have no path, as nobody asked for one, no trigger's window is shown, and the
 * question is about a whole machine. The task that waits most there is only an idle one, of which
 * the report's first lines say nothing.
 */
bool path_is_left_out(const struct question *question);

/* Whether asked->path.task, which is not NULL, may name the track. */
bool path_task_fits(const struct question *question, uint32_t track);

/* Takes the argument of a view that names the task: struct analysis. */
void path_task_take_argument(struct asked *asked, const char *text);
/* Whether the named task exists; true also if no task is named. If not, appends a phrase to
   `why`. */
bool path_task_is_there(const struct question *question, struct buffer *why);

/* The window of a task's path, and which of its ends are the task's birth and end. */
struct path_window {
	nsec_t begin, end;
	bool is_from_birth, is_to_death;
};

/*
 * The window of --from and --to. Where one is not given, the task's birth or end takes its place:
 * the task has no time before and after. If the task existed before the trace, outlives it, or was
 * first seen late, the begin or end of the trace takes its place. A birth or end that would leave
 * nothing of the asked window is ignored.
 */
struct path_window path_task_window(const struct question *question, uint32_t track);

/* The path's task, the reason for choosing it (NULL: it was named), and the window. */
struct path_target {
	uint32_t track;
	const char *why;
	struct path_window window;
};

/* Finds the asked task and its window; if a wait is asked for, its task and the wait's own window.
   track is TRACK_NONE if there is no such task. The question must be resolved. */
void path_target_find(const struct question *question, struct path_target *ret);

/*
 * The window of --at trigger: from the begin of what fired the flight recorder's trigger until it
 * fired. If its task was waiting or runnable then, the window ends when that ends, so that its
 * cause is known. If what fired it has no duration, the window is TRIGGER_BEFORE_NS before it.
 */

#define TRIGGER_BEFORE_NS UINT64_C(1000000000)

/*
 * Sets `from` and `to` of the question if it asks for that window; the recording must have a
 * trigger. The begin of the trace must be known; before its end is known, the window ends when the
 * trigger fired.
 */
void trigger_window_resolve(struct question *question);
/* The track of the trigger's task when it fired; TRACK_NONE: it had none, or the trace does not
   have it. `trigger` NULL: no trigger. */
uint32_t trigger_track_find(const struct timeline *timeline, const struct trigger_note *trigger);

/* The time of one task, divided into the sleeps that it chose, which held nothing up, and the
   stretches between them, which a walk explains. */

/* Every hook gets time that is not empty. */
struct stretch_visitor {
	void *state;
	/* To be walked. */
	void (*on_stretch)(void *state, uint32_t track, nsec_t begin, nsec_t end);
	/* A sleep, or the part of it in the window; `chosen` is not SLEEP_NOT_CHOSEN. */
	void (*on_sleep)(void *state, uint32_t track, enum chosen_sleep chosen, nsec_t begin,
	                 nsec_t end);
};

/* Passes [begin, end) of the track, latest first. Where no history is left, it is a stretch. */
void path_stretches(struct timeline *timeline, uint32_t track, nsec_t begin, nsec_t end,
                    const struct stretch_visitor *visitor);
