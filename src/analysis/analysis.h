/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A question that can be asked of a trace: one file, one struct analysis, one row in the registry
 * of analysis.c. An analysis gathers either from the spans of tasks and the intervals of objects
 * as they end (on_span, on_interval: bounded memory, any length of trace) or, with needs_history,
 * from the complete timeline. It reports through the hooks of a presenter and does not know the
 * output format.
 *
 * Order of calls: begin, on_span for every span and on_interval for every interval, then, once the
 * trace has ended, resolve, report any number of times, then end. A report changes nothing but
 * question->health, to which it adds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/health.h"
#include "ftwait/report.h"
#include "ftwait/source.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline.h"
#include "recorded.h"
#include "words/time_scale.h"

#define KIND_MASK_ALL ((1u << CAUSE_KIND_COUNT) - 1)
#define END_MASK_ALL  ((1u << AIM_END_COUNT) - 1)

/* How waits are grouped when their lengths are shown, in the order of the words of --by. */
enum grouping {
	BY_NOTHING,
	BY_COMM,
	BY_KIND,     /* by kind of cause */
	BY_FUNCTION, /* by function of the sleep */
};

/* Numbers that are asked for. `host` has for each the name of its machine; "": the number matches
   on any machine. NULL: all numbers match on any machine. */
struct asked_numbers {
	const int32_t *number;
	const char *const *host;
	size_t count;
};

/*
 * What is asked for: of which tasks, in which window, how. The caller fills it, from
 * ASKED_EVERYTHING, before report_run_init(); from then on it is const.
 */
struct asked {
	/* Tasks that match any of the following; all tasks if none is given. */
	struct asked_numbers pids; /* tgid or tid */
	struct asked_numbers tids;
	const char *const *comms; /* globs */
	size_t comm_count;
	const char *const *cgroups; /* globs, see words/kernel/control_group_name.h */
	size_t cgroup_count;
	bool by_group;      /* sums by control group, or by process tree (task_groups.h) */
	bool is_all;        /* all tasks, although the recording was made for some */

	struct asked_numbers cpus; /* only waits of tasks that ran on one of these before or after;
	                              none: all */
	/* Waits that ended by a cause of these kinds (mask by enum cause_kind), or had an aim of
	   these (mask by enum aim_kind; only used if not all causes are asked for) */
	uint32_t kinds, aims;
	uint32_t ends;      /* waits of which the aim ended so: mask by enum aim_end */
	nsec_t from, to;    /* NSEC_NEVER: not given, a mark or a time of day; see struct
	                       question */
	const char *from_mark, *to_mark; /* NULL: not given, or a time */
	/* Times of day; used if has_from_day, has_to_day: then the recording must have a time of
	   day. */
	struct day_time from_day, to_day;
	bool has_from_day, has_to_day;
	/* The window around what a flight recorder saved the recording for, which must be known
	   then (path_task.h); from and to are not given. */
	bool at_trigger;
	bool shows_times_of_day; /* instants are shown so, if the recording has a time of day */
	nsec_t min;         /* shorter waits are left out */
	nsec_t fold_limit;  /* spurious wakeups that ran for less are folded; 0: no wakeup is
	                       folded */
	bool folds_silently; /* no wakeup that was folded is not worth a note */
	uint64_t wait;      /* number of the asked wait, from 1; 0: no wait is asked for */
	bool shows_evidence; /* of what is said, the raw events that decide it (--evidence) */
	bool shows_links;   /* of rows, the options that show what is behind them, though the
	                       output is no data */
	bool shows_data;    /* what is for programs is shown, as presenter.has_data says */
	bool ignores_stacks; /* stacks are treated as not recorded */
	const char *sort;   /* one of the sort_keys of an asked analysis; NULL: the analysis's
	                       own order */

	/* Options of a single view, or of a detail that few views show. */
	struct {
		bool are_shown; /* lengths of waits are reported as distributions, too */
		enum grouping by;
	} lengths; /* of waits: --histogram, --by */
	struct {
		const char *task; /* --critical-path=TID|COMM, --timeline=; NULL: choose */
		bool is_given;    /* --critical-path, with a task or without */
	} path;
	struct {
		bool is_short;       /* only the answer, for one screen: `ftwait why` */
		uint64_t parts_free; /* as in graph/walk/walk_sample.h; 0: the default */
	} summary;
	struct {
		bool by_group; /* sums for callers are divided by control group, too */
	} costs;
	struct {
		const char *names; /* --syscall=NAME,...: globs; NULL: all */
	} syscall;
	struct {
		bool by_cpu; /* CPUs instead of tasks */
	} timeline;
	struct {
		nsec_t period; /* longer cycles are missed; 0: none is given */
	} cycles;
	struct {
		double part;     /* so many of the units are slow; 0: those that lie far out */
		const char *per; /* what a unit is (turns/turn_source.h); NULL: a request */
	} tail;
	struct {
		const char *filter; /* --filter; NULL: none */
	} events;
	struct {
		const char *spec; /* --count (views/count/count_spec.h); NULL: none */
	} count;
	struct {
		const char *spec; /* --pair (events/event_pairs.h); NULL: none */
	} pair;
	struct {
		const char *specs; /* --what-if (views/whatif/what_if_spec.h); NULL: none */
	} what_if;
};

#define ASKED_EVERYTHING \
	{ \
		.kinds = KIND_MASK_ALL, .ends = END_MASK_ALL, .from = NSEC_NEVER, .to = NSEC_NEVER \
	}

#define OPEN_WORDS_BYTES (FORMAT_BYTES + 40)

/* What is asked for, in terms of the recording: known once the trace has ended. */
struct resolved {
	/* seen: kinds of the events that occurred; described: kinds of which the trace contains the
	   format. */
	struct event_kinds seen, described;
	struct recorded recorded; /* as the file says */
	nsec_t begin, end;  /* the window */
	bool is_windowed;
	/* of a wait whose end is not in the window: "still waiting at the end", or "went on after
	   0.264000 s (the window's end)" if the recording goes on behind it */
	char open_words[OPEN_WORDS_BYTES];
	bool is_reversed;   /* --from lies after --to */
	bool is_targeted;   /* only the tasks that the recording was made for */
	bool *is_asked;     /* by track */
};

/* The question as views get it, const: what is asked for, and of which recording; `resolved`
   combines both. It lives as long as the run. Only the engine and path_task.h write to it. */
struct question {
	const struct asked *asked;
	/* NULL until the trace has ended; then the engine sets it and calls resolve() of each
	   analysis. Until then use question_may_...() and question_asks_...(). */
	const struct resolved *resolved;
	struct timeline *timeline;
	struct health *health; /* views add notes on what they find doubtful */
	unsigned walking_views; /* number of analyses with walks_waits in this report; 0: not
	                           counted */

	/* What is known of the recording before it is read. */
	struct question_recording {
		/* Views that ask for raw events open it again (raw/raw_reading.h); a live one
		   cannot be. NULL: the events come from elsewhere. */
		struct source *source;
		unsigned cpu_count; /* of the machine, as far as the trace shows */
		const char *arch;   /* of the machine, as uname -m; NULL: not known */
		bool has_targets;   /* made for some tasks; perhaps none of them is in it */
		bool is_of_command; /* made for a command and its children */
		const struct open_wait *open_waits; /* what the recorder saw tasks wait for */
		size_t open_wait_count;
		const struct realtime *realtime; /* its time of day; NULL: not known */
		const struct trigger_note *trigger; /* why it was saved; NULL: not by a trigger */
		const struct known_process *processes; /* of the recorder's snapshots */
		size_t process_count;
		int32_t recorder; /* its pid; 0: not known */
		uint32_t cpu_weight; /* of those tasks, as in the notes */
		const char *cpu_weight_by;
	} recording;

	/*
	 * The ends of the window as far as they are known while the trace is read: the times of
	 * `asked`, or the times of its marks once these come (engine/asked_window.h), of its times
	 * of day (engine/asked_window.h), or of the trigger (path_task.h). NSEC_NEVER: not
	 * given, or not known yet.
	 */
	nsec_t from, to;
	/* `from` and `to` are times of the trace's clock, unless they lie before the trace's begin.
	   false: they may also be relative to the begin; the length of the trace decides that. */
	bool is_absolute;
	/* Objects count in the window in which they end, not in the one in which they were started:
	   those that go on after it are not known. */
	bool counts_ends;
	bool has_days;           /* times of day have been found: engine/asked_window.h */
	bool days_are_reversed;  /* that of --from is later than that of --to */
	bool targets_fit; /* tasks are asked for by name or number, and of those that fit so far
	                     some are what the recording was made for: question_seek_targets() */
	/* How instants are shown to people; set once the question is resolved. */
	struct instant_form instants;
	/* While a report with evidence is shown (analysis/evidence/evidence.h); else NULL. */
	struct evidence *evidence;
};

/* Parts of a question; an analysis lists those that it heeds. */
enum heeded {
	HEEDS_KINDS      = 1u << 0,
	HEEDS_CPUS       = 1u << 1,
	HEEDS_MIN        = 1u << 2,
	HEEDS_WALKS      = 1u << 3, /* how walks continue: timeline.h */
	HEEDS_FOLD       = 1u << 4,
	HEEDS_WAIT       = 1u << 5,
	HEEDS_TASKS      = 1u << 6, /* which tasks are asked for */
	HEEDS_HISTOGRAM  = 1u << 7,
	HEEDS_BY         = 1u << 8,
	HEEDS_STACKS     = 1u << 9,
	HEEDS_BY_CPU     = 1u << 10,
	HEEDS_PERIOD     = 1u << 11, /* asks for the view, too */
	HEEDS_BY_GROUP   = 1u << 12,
	HEEDS_AIMS       = 1u << 13, /* kinds and ends of aims, beside those of causes */
	HEEDS_PER        = 1u << 14,
	HEEDS_FILTER     = 1u << 15,
};

struct asked_events;
struct raw_event;

/* Takes all events of a recording (asked_events.h). */
struct events_taker {
	/* Whether it takes those of that reading, which stays until end(); if not, appends a phrase
	   to `why`, and nothing else is called. */
	bool (*begin)(void *state, struct asked_events *events, struct buffer *why);
	void (*take)(void *state, const struct raw_event *event);
	void (*end)(void *state);
};

struct events_taking {
	const struct events_taker *taker;
	void *state;
	bool *is_known;     /* set once all events were taken */
	struct buffer *why; /* else: gets the reason */
};

struct analysis {
	const char *name;  /* of its option */
	const char *about; /* description for --help: a phrase, no full stop */
	/* The name of the option's value in help, and the function that takes the value, which is
	   borrowed. Both are NULL if the option has no value. */
	const char *argument;
	void (*take_argument)(struct asked *asked, const char *text);
	/* Whether the value is right; if not, appends a phrase to `why`. NULL: any is. */
	bool (*check_argument)(const char *text, struct buffer *why);
	bool needs_argument; /* the value may not be left out */
	/* the values of --sort, NULL-ended, the default order first; NULL: --sort does not apply */
	const char *const *sort_keys;
	unsigned heeds;    /* enum heeded */
	/*
	 * needs: EVENT_LIST() of the events that it reports on: if a trace has none of them, there
	 * is nothing to report; groups: the argument of "record -e" that records them. NULL: it
	 * needs no certain events
	 */
	const uint8_t *needs;
	const char *groups;
	bool has_paths; /* it can be shown as a flame graph: presenter.path */
	bool is_tree; /* it is a tree and nothing else: presenter.tree */
	bool is_timeline; /* it is a picture over time and nothing else: presenter.timeline */
	bool needs_history; /* the complete timeline */
	bool reads_again; /* it reads the recording once more, when that has ended */
	bool walks_waits; /* it walks each wait of the asked tasks, or lets others stand for it:
	                     walk_sample.h */
	bool is_of_path; /* the argument names a task, for its critical path */
	/*
	 * Takes what it needs from the history before the older half is forgotten, see
	 * timeline_trim(); the history contains the segments that are still open, too, and it is
	 * known what sleeps were for, as far as it shows that (timeline_find_awaited()). With a
	 * window nothing is forgotten. NULL: it uses no history, or needs all of it.
	 */
	void (*fold)(void *state);
	bool folds_data; /* it uses the history only for what is for programs */
	/* Of its state, whose first member is the question; `begin` gets it with all others zero,
	   and it is freed behind `end`. 0: it gathers nothing; then its state is the question. */
	size_t state_bytes;
	void (*begin)(void *state); /* NULL: there is nothing to do then; so is `end` */
	void (*on_span)(void *state, const struct span *span); /* NULL: none */
	unsigned span_kinds; /* mask by enum segment_kind of the spans that it needs, though it may
	                        get others; 0: all */
	/* Takes intervals of the kinds in the mask, made of INTERVAL_MASK(); NULL: takes no
	   intervals. */
	void (*on_interval)(void *state, const struct interval *interval);
	uint32_t interval_kinds;
	/* Called when the trace has ended and the question is resolved. NULL: there is nothing to
	   do then. */
	void (*resolve)(void *state);
	/* Whether the task or wait that the question names exists; if not, appends a phrase to
	   `why`. NULL: the view asks for nothing by name or number. */
	bool (*has_answer)(const void *state, struct buffer *why);
	/* What takes the raw events, which are read once for all views, after their resolve().
	   NULL: nothing. */
	struct events_taking (*take_events)(void *state);
	void (*report)(const void *state, const struct output *to);
	void (*end)(void *state);
};

/* The state of a view; NULL: it gathers nothing. */
void *analysis_begin(const struct analysis *analysis, const struct question *question);
void analysis_end(const struct analysis *analysis, void *state);

/* In the order in which views are shown. */
#define ANALYSES(ROW) \
	ROW(summary) \
	ROW(chains) \
	ROW(tail) \
	ROW(off_cpu) \
	ROW(on_cpu) \
	ROW(critical_path) \
	ROW(timeline) \
	ROW(graph) \
	ROW(sched) \
	ROW(disk) \
	ROW(net) \
	ROW(lock) \
	ROW(blame) \
	ROW(memory) \
	ROW(syscall) \
	ROW(irq) \
	ROW(wakeups) \
	ROW(timers) \
	ROW(cycles) \
	ROW(processes) \
	ROW(costs) \
	ROW(waits) \
	ROW(events) \
	ROW(count) \
	ROW(pair) \
	ROW(what_if) \
	ROW(advise)

#define ANALYSIS_DECLARATION(name) extern const struct analysis name##_analysis;
ANALYSES(ANALYSIS_DECLARATION)

/* All analyses, NULL-ended, in the order in which views are shown. */
extern const struct analysis *const analyses[];
/* The analysis of that name; NULL: there is none. */
const struct analysis *analysis_find(const char *name);
/* Feeds the flow to presenters that show one; it is no view of its own. */
extern const struct analysis flow_analysis;

/* Whether a name before a number, or "", means that machine. */
bool host_is_meant(const struct hosts *hosts, uint32_t host, const char *name);
/* Whether the glob matches the name, by its id; with several machines, also without the machine. */
bool task_name_fits(const struct timeline *timeline, uint32_t name, const char *glob);
/* Whether the glob matches any name that the track ever had. */
bool track_is_called(const struct timeline *timeline, const struct track *track, const char *glob);
/* Whether it is a kernel thread: by the recording's snapshot, by descent from kthreadd, or by its
   name. */
bool track_is_kernel(const struct timeline *timeline, uint32_t track);
/* Whether it is a task of the recorder. Always false if tasks are asked for by name or number. */
bool track_is_of_recorder(const struct question *question, uint32_t track);
/* How long the track was in segments of the kinds, a mask by enum segment_kind, in [begin, end), as
   far as they are kept and have ended. O(log segments + segments in that time). */
nsec_t track_time_in(struct track *track, unsigned kinds, nsec_t begin, nsec_t end);
/* Whether a window is asked for. This is known from the start, unlike is_windowed: the window may
   turn out to be the whole trace. */
static inline bool question_may_be_windowed(const struct question *question)
{
	const struct asked *asked = question->asked;

	return asked->from != NSEC_NEVER || asked->to != NSEC_NEVER || asked->from_mark ||
	       asked->to_mark || asked->has_from_day || asked->has_to_day || asked->at_trigger;
}

/* A time of the trace's clock, moved into the trace, as `from` and `to` have it. The begin of the
   trace must be known and, unless the question is absolute, its end. */
nsec_t question_give(const struct question *question, nsec_t time);
/* The window of an absolute question, which is known from the first event on; *ret_end is
   NSEC_NEVER if no end is asked for. */
void question_absolute_window(const struct question *question, nsec_t *ret_begin, nsec_t *ret_end);
/* Whether [begin, end] may overlap the window, as far as it is known while the trace is read. */
bool question_may_touch(const struct question *question, nsec_t begin, nsec_t end);
/* Whether an instant may lie in the window, as far as it is known while the trace is read. */
bool question_may_contain(const struct question *question, nsec_t t);
/* Whether the instant lies in the window. The question must be resolved. */
bool question_contains(const struct question *question, nsec_t t);
/* The instant that decides whether the interval counts in the window. */
static inline nsec_t question_instant_of(const struct question *question,
                                         const struct interval *interval)
{
	return question->counts_ends ? interval->end : interval_started(interval);
}

/* Prints that the trace has none of the events that the view needs; returns false if it has
   some. */
bool analysis_print_lack(const struct analysis *analysis, const struct question *question,
                         const struct output *to);
/* Whether the trace has any of the events that the view needs, or shows that none occurred. If not,
   appends a phrase to `why`: `lack`, the reason, and how to record them. */
bool analysis_has_events(const struct analysis *analysis, const struct question *question,
                         const char *lack, struct buffer *why);
/* Whether tasks are asked for by name or number. */
bool question_has_filter(const struct question *question);
/* While the trace is read: finds whether any task that the recording was made for fits so far. */
void question_seek_targets(struct question *question);
/* Whether what is asked for by name or number fits the track, whatever the recording was made
   for. */
bool question_filter_fits(const struct question *question, uint32_t track);
/* Whether the task is asked for, as far as is known; the result is final once the question is
   resolved. */
bool question_asks_track(const struct question *question, uint32_t track);
/* Whether any task that is asked for is no kernel thread, as far as is known. */
bool question_asks_programs(const struct question *question);
/* Call after the trace has ended: finds the window and the asked tasks. The caller sets the members
   of `resolved` up to `recorded` before. The question borrows `resolved` until its release. */
void question_resolve(struct question *question, struct resolved *resolved);
void resolved_release(struct resolved *resolved);
/* The begin of the window. Call after the trace has ended; the question need not be resolved. */
nsec_t question_find_begin(const struct question *question);
/* The index of the key that --sort names. 0 if none of the keys has that name: it may be a key of
   another view. */
size_t question_sort_key(const struct question *question, const char *const *keys);
/* Copies the columns, and marks the column that --sort names to be kept even on a narrow
   terminal. */
void question_choose_columns(const struct question *question, const struct column *columns,
                             size_t count, struct column *ret);
/* " of the recorded command's tasks (--all for every task)", to follow a count; "" for all, and
   where tasks are asked for by name or number. */
const char *question_scope(const struct question *question);
/* Whether waits of that cause are of one of the kinds (a mask). Waits inside reclaim or a fault
   also count as memory, whatever ended them. NULL: the cause is not known. */
bool cause_is_of_kinds(const struct cause_note *cause, uint32_t kinds);
/* If waits for memory are asked for, prints that memory work is not always a wait. */
void question_print_memory(const struct question *question, const struct output *to);
/* Whether the CPU is one of those that --cpu lists. */
bool question_lists_cpu(const struct question *question, unsigned cpu);
static inline bool question_asks_cpu(const struct question *question, unsigned cpu)
{
	return question->asked->cpus.count == 0 || question_lists_cpu(question, cpu);
}
static inline nsec_t question_length(const struct question *question)
{
	return question->resolved->end - question->resolved->begin;
}
/* Each asked track of a resolved question, by its number. */
#define ASKED_EACH(question, index)                                                           \
	for (uint32_t index = 0; index < (question)->timeline->track_count; index++)          \
		if ((question)->resolved->is_asked[index])
/* Each of so many elements of an array. */
#define EACH_OF(array, count, type, at)                                                       \
	for (type *(at) = (array); (at) < (array) + (count); (at)++)
/* Cuts the span to the window; false if nothing is left. A wait of length 0 stays. */
static inline bool question_clip(const struct question *question, nsec_t *begin, nsec_t *end)
{
	return nsec_clip(begin, end, question->resolved->begin, question->resolved->end);
}
