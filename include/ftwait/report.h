/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The neutral result. An analysis describes its answer as sections of fields and tables with typed
 * cells and does not know how it will look; a presenter shows any section and does not know which
 * analysis made it. Rows stream: this interface keeps nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "aim.h"
#include "cause.h"
#include "fact.h"
#include "flow.h"
#include "health.h"
#include "host.h"
#include "label.h"
#include "trigger.h"
#include "nsec.h"
#include "realtime.h"
#include "task.h"

enum cell_type {
	CELL_EMPTY,      /* JSON null, text "-" */
	CELL_TEXT,       /* text */
	CELL_COUNT,      /* count */
	CELL_INTEGER,    /* integer: may be negative */
	CELL_PRIORITY,   /* integer: the kernel's number; text "RT 50", "nice 5", "deadline" */
	CELL_INSTANT,    /* time: absolute in JSON; in text since the start of the trace, or a time
	                    of day */
	CELL_DURATION,   /* time: JSON integer ns, text scaled with its unit */
	CELL_RATIO,      /* ratio: 0..1; text as a percentage */
	CELL_RATE,       /* ratio: so many a second; text with one decimal */
	CELL_BOOL,       /* boolean */
	CELL_MACHINE,    /* machine: JSON its number, text and CSV its name */
	CELL_TASK,       /* task: JSON object {tid,tgid,comm}, text comm[tid] */
	CELL_CAUSE,      /* cause, may be NULL: JSON object or null; text in words */
	CELL_AIM,        /* aim: JSON object, or null if its kind is not known; CSV a column for
	                    each member; text in words */
	CELL_BRIEF_AIM,  /* brief_aim: JSON {kind,name}, or null if its kind is not known; CSV a
	                    column for each; text "lock: /run/x" */
	CELL_CONFIDENCE, /* confidence */
	CELL_LINKS,      /* links: a chain of waits */
	CELL_FRAMES,     /* text: functions of a stack, innermost first, ";" between: JSON array of
	                    strings; text shows the innermost */
	CELL_DISTRIBUTION, /* distribution: JSON object; CSV a column for each figure, without the
	                    histogram; text "p50 / p99 / max" */
	CELL_TALLIES,    /* tallies: JSON object, count by number: {"-2": 7} */
	CELL_BY_KIND,    /* by_kind: CAUSE_KIND_COUNT durations: JSON object of those not 0 */
	CELL_BY_AIM,     /* by_aim: AIM_KIND_COUNT durations, likewise; only of a field */
	CELL_SERIES,     /* series: JSON array of integers; text a strip of levels */
	CELL_CHANGE,     /* change: JSON object; CSV a column for each figure */
	CELL_ROWS,       /* rows: JSON array of objects; text shows the first few on one line */
	CELL_RECORD,     /* rows: exactly one, a JSON object; else as CELL_ROWS */
};

/* One link of a chain; the outermost waiter comes first. */
struct chain_link {
	const char *comm;
	const char *state;         /* running, runnable, waiting, stopped, unknown */
	const struct cause *cause; /* NULL: none. In a folded chain only what all its waits share
	                              is set. */
	struct brief_aim aim;      /* of a wait, as far as its cause shows it */
	const char *end_words;     /* what the end of the chain is called if there is no cause;
	                              NULL: by its state */
	/* Where the task slept, in the kernel and in the program, and where its waker was:
	   functions, innermost first, separated by ";"; NULL: not recorded. */
	const char *stack, *user_stack, *waker_stack;
};

struct links {
	const struct chain_link *link;
	size_t count;
	bool has_stacks; /* some links of the trace have stacks */
};

struct histogram_bucket {
	nsec_t from, to; /* [from, to): a power of two and the next; the first is [0, 1) */
	uint64_t count;  /* not 0 */
};

/* Durations, at least one. Percentiles lie within their bucket. */
struct distribution_sum {
	uint64_t count;
	nsec_t total, min, p50, p90, p99, max;
	nsec_t max_at; /* an instant in the longest one */
	struct histogram_bucket bucket[65];
	size_t bucket_count;
};

/* A figure on two sides of a comparison: ns, or a number. */
struct change {
	double old, new;
	double shift; /* from old to new; not always their difference */
	bool has_interval;
	double low, high; /* of the shift */
};

/* One of several machines. */
struct cell_machine {
	const char *name;
	uint32_t number;
};

struct column;
struct cell;

/* A small table within a cell; its columns have no rows of their own. If there is one column and it
   has no key, JSON has an array of its values instead of objects. */
struct cell_rows {
	const struct column *columns;
	size_t column_count;
	const struct cell *cells; /* row after row */
	size_t count;             /* of rows */
};

/* The raw events that decide what a sentence or a row says (src/analysis/evidence/); both arrays
   are borrowed. */
struct evidence_found {
	struct cell_rows rows;
	/* No single event shows what is said: ftwait infers it from these events and others, and
	   the last of these says so. */
	bool is_inferred;
};

/* How often a number occurred. */
struct number_count {
	int64_t number;
	uint64_t count;
};

/* Time in consecutive slices. */
struct series {
	const nsec_t *value; /* ns */
	size_t count;
};

struct tallies {
	const struct number_count *tally;
	size_t count;
};

struct cell {
	enum cell_type type;
	union {
		struct {
			const char *text;
			const struct fact *fact; /* of a line of prose; NULL: it is no sentence */
		};
		uint64_t count;
		int64_t integer;
		nsec_t time;
		double ratio;
		bool boolean;
		struct cell_machine machine;
		struct task task;
		const struct cause *cause;
		const struct aim *aim;
		struct brief_aim brief_aim;
		enum confidence confidence;
		struct links links;
		const nsec_t *by_kind;
		const nsec_t *by_aim;
		struct tallies tallies;
		struct series series;
		const struct distribution_sum *distribution;
		const struct change *change;
		struct cell_rows rows;
	};
};

enum column_flags {
	COLUMN_TEXT_ONLY = 1u << 0, /* not in JSON */
	COLUMN_DATA_ONLY = 1u << 1, /* in JSON and CSV, not in text */
	COLUMN_WEIGHT    = 1u << 2, /* `dot`: the weight of an edge, shown without its title */
	COLUMN_FROM      = 1u << 3, /* `dot`: an edge's ends */
	COLUMN_TO        = 1u << 4,
	COLUMN_DEPTH     = 1u << 5, /* a count; text indents the row's last cell by it */
	COLUMN_MARK      = 1u << 6, /* `dot` highlights an edge where this is not empty, html a row
	                               where it is true */
	COLUMN_NUMBER    = 1u << 7, /* a name, or a number to paste, and is never cut: text shows
	                               bare digits of a count, so that it can be copied into an
	                               option */
	COLUMN_TAILED    = 1u << 8, /* a text identified by its end, such as a port or tid: a
	                               narrow terminal cuts it before that */
	COLUMN_BAR       = 1u << 9, /* a text "|***  |" that may be drawn shorter */
	/* bits 10 to 13 are a rank, see below */
	COLUMN_POINT     = 1u << 14, /* the text that the row is read for, such as a cause: it
	                                gets more room than others */
	COLUMN_DETAIL    = 1u << 15, /* of a table in a cell: only in JSON */
	COLUMN_BELOW     = 1u << 16, /* text shows it in lines below the row: the rows of a table
	                                in a cell; of a boolean its title, where it is true */
	COLUMN_LINK      = 1u << 17, /* a text: the options of report that show what is behind the
	                                row */
	COLUMN_NAMED     = 1u << 18, /* of a table in a cell: data that are no JSON have key=value,
	                                and quote texts that would not show where they end */
};

/*
 * What a narrow terminal leaves out first: columns with a rank whose cells are all zero or empty;
 * then spare columns, rank 1 before rank 7 and all of one rank together, as long as the texts of a
 * row have less room than they read well in; then useful ones, by rank likewise, if a row does not
 * fit even with its texts cut. Columns without a rank are always shown. A column of distributions
 * is first narrowed to the maximum, which is left out at the column's rank.
 */
#define COLUMN_SPARE(rank)  ((unsigned)(rank) << 10)
#define COLUMN_USEFUL(rank) (((unsigned)(rank) + 7) << 10)
#define COLUMN_RANK(flags)  (((flags) >> 10) & 15)
#define COLUMN_RANKS        (15u << 10)


struct column {
	const char *key;   /* JSON and CSV name, with its unit: "total_ns" */
	const char *title; /* text header */
	enum cell_type type; /* of every cell that is not CELL_EMPTY; COLUMN_TEXT_ONLY: or
	                        CELL_TEXT, where words are clearer */
	unsigned flags;    /* enum column_flags */
};

/* The sum of many waits. */
struct figures {
	nsec_t total;
	uint64_t count;
	nsec_t longest, longest_at; /* longest_at NSEC_NEVER: not known */
};

/* Those of one wait. */
static inline struct figures figures_of(nsec_t begin, nsec_t end)
{
	return (struct figures){
		.total = end - begin, .count = 1, .longest = end - begin, .longest_at = begin};
}

/* Of equally long waits the first one added is the longest. */
static inline void figures_add(struct figures *sum, const struct figures *more)
{
	sum->total += more->total;
	sum->count += more->count;
	if (more->longest > sum->longest) {
		sum->longest = more->longest;
		sum->longest_at = more->longest_at;
	}
}

#define TREE_DEPTH_MAX 256 /* levels of a tree, at most */

/*
 * Chains with the same beginning share its levels: the waiter, what it waited for, and what that
 * waited for in turn. A node sums the chains that pass through it, so its total is at least that of
 * its children together.
 */
struct tree {
	const char *key;   /* JSON and CSV; NULL: not there */
	const char *title; /* text: of the column with the labels */
	bool has_evidence; /* each chain has it, or each node that a chain ends at */
	/* The members below are set unless the tree is reported chain by chain: */
	nsec_t total;      /* of all chains, including those left out */
	size_t root_count;
	uint64_t chains_left_out; /* the smallest, if there are too many for a tree */
	nsec_t total_left_out;
};

struct tree_node {
	const char *label;         /* valid UTF-8, printable */
	const struct cause *cause; /* what the label describes; NULL: the label is of a task */
	struct figures figures;
	/* Whether all figures are exact. Parts of one wait may end in several chains: their counts
	   do not add up to waits, and the longest part is not the longest wait. Totals are always
	   exact. */
	bool is_exact;
	size_t child_count;
	const char *next; /* the options of report that show what is behind it; NULL: none */
	struct evidence_found evidence; /* of what ends at it; valid until the next call */
};

/* A path from a root to the link where time was spent, with the time spent at that link itself. */
struct tree_chain {
	struct links links;
	struct figures figures;
	const char *next; /* as that of a node */
	struct evidence_found evidence; /* only if the tree has it; valid until the next call */
};

/* What a frame of a path stands for. */
enum path_frame_kind {
	SHOWN_TASK,   /* a task, by its name */
	SHOWN_CAUSE,  /* what it waited for, or was doing */
	SHOWN_KERNEL, /* a function of the kernel */
	SHOWN_USER,   /* a function of a program */
	SHOWN_MARK,   /* separator between two stacks */
	SHOWN_SIDE,   /* one of two things that are compared, on one scale: the first frame of all
	                 paths of a section, or of none */
};

struct path_frame {
	const char *text; /* any bytes */
	enum path_frame_kind kind;
};

/* A path through a flame graph, root first, with the time spent at its last frame itself. */
struct path {
	const struct path_frame *frame;
	size_t count; /* of frames, at least one */
	struct figures figures;
};

/* Whether a difference between two sets of runs is more than chance. */
struct significance {
	bool is_tested; /* false: too small a part of the time, or too few runs */
	bool is_sure;
	double p;           /* of the test, corrected for all tests; 1: not tested */
	const char *change; /* what changed, in a word: "more", "longer", "new"; "same": nothing
	                       that is sure */
};

/* Two sets of runs. Their time is compared path by path. */
struct compared_sides {
	const char *root; /* name of the compared task, valid until end(); NULL: several tasks
	                     are compared */
	size_t old_runs, new_runs; /* at least one each */
	struct significance whole; /* of the whole time */
	bool can_be_sure;          /* there are enough runs to be sure of anything */
};

/* What all runs of one side spent together. */
struct side_sum {
	nsec_t total;
	uint64_t count;
};

/* A path through the time of both sides, outermost frame first, with what was spent at its last
   frame itself. All paths together have the whole time of each side. */
struct compared_path {
	const struct path_frame *frame;
	size_t count; /* of frames, at least one */
	struct side_sum old, new;
	struct significance verdict;
};

/* The owner of a row of a picture over time. */
struct picture_row {
	const struct task *task; /* NULL: of a CPU, or of the path */
	struct host_cpu cpu;
	bool is_path; /* the row shows the critical path, through whichever tasks */
};

/* A stretch of time in a row. */
struct state_segment {
	nsec_t begin, end;
	const char *state; /* running, runnable, waiting, stopped, unknown; of a CPU also idle */
	bool is_on_path;   /* the critical path runs through it */
	int kind;          /* waiting: enum cause_kind of what ended it; -1: not known */
	struct brief_aim aim; /* waiting: what it was for */
	bool is_for_work;  /* waiting: there was nothing to do */
	const struct task *task; /* of a CPU: the running task; else NULL */
};

/* The piece of a recording that a report is of, while the recording goes on. */
struct report_period {
	bool is_given;     /* false: the report is of the whole recording, which has ended */
	nsec_t begin, end; /* both 0: no event has come */
	nsec_t realtime;   /* time of day of `begin`; 0: not known */
};

/* One of several machines. */
struct machine_summary {
	const char *file, *name; /* name: as in struct host */
	const char *host, *kernel, *arch, *clock; /* NULL: not known */
	/* as in struct source_part */
	int64_t offset;
	uint32_t root;
	nsec_t bound, day_bound;
	uint64_t matched;
};

/* What the report is about; presenters get it before anything else. */
struct trace_summary {
	const char *const *files;
	size_t file_count;
	const struct machine_summary *machines; /* none: there is one machine */
	size_t machine_count;
	const char *kernel, *arch, *clock; /* NULL: not known; with several machines what they have
	                                      in common */
	/* Recorded groups and events, separated by ","; NULL: the file does not say. */
	const char *recorded;
	/* Where it was recorded, on which machine, and by which kernel's boot; NULL: not known. */
	const char *host, *machine_id, *boot_id;
	/* The words of the recorded COMMAND, the program first; none: not known, or no COMMAND. */
	const char *const *command;
	size_t command_count;
	const struct label *labels; /* that the recording was given */
	size_t label_count;
	nsec_t realtime_begin; /* time of day of `begin`: ns since 1970 in UTC; 0: not known */
	const char *damage; /* the first line about damage of the input, which may be ""; NULL: it
	                       has none */
	bool is_unread;     /* damage: reading failed, so the input itself may be whole */
	const struct trigger_note *trigger; /* why a flight recorder saved it; NULL: none did */
	const struct task *trigger_task; /* that fired it; NULL: none, or not in the trace */
	struct instant_form instants; /* how instants are shown to people */
	unsigned cpus;
	nsec_t begin, end; /* first and last event; both 0 for an empty trace */
	uint64_t events;
	/* `end` and `events` are those of the period; its report in JSON is one line. */
	struct report_period period;
	size_t old_count; /* the number of files that are compared with the others; 0: none */
};

#define LINK_BEGIN '\x1e'
#define LINK_END   '\x1f'

struct presenter_options {
	bool color;
	bool utf8;          /* the locale allows tree lines */
	bool is_ascii;      /* other characters, such as those in names, become "?" */
	unsigned width;     /* columns of the terminal; 0: not limited */
	unsigned top;       /* rows of a table in text; 0: all */
	unsigned views;     /* requested; 0: not known */
	bool is_verbose;    /* text: all of the health */
	void *own;          /* for a presenter of the caller's own */
	/* The evidence of a sentence, valid until the next call; `prover` is its first argument.
	   NULL: it is not asked for. */
	struct evidence_found (*prove)(void *prover, const struct fact *fact);
	void *prover;
	/* Text is for a browser: before each line that has a link stand LINK_BEGIN, the options of
	   report that show what is behind it, and LINK_END. No other text has these bytes. */
	bool has_links;
	/* What is asked for, as options with a leading space, for links that leave that open
	   (link_has_window(), link_has_tasks()); NULL: nothing. */
	const char *asked_window, *asked_tasks;
	const char *browse; /* text: the command that browses the same, for the last line; NULL or
	                       "": none */
	bool is_unanswered; /* text: only the verdict on the health, as nothing that is asked for
	                       is in the trace */
};

/* A tree is passed in the form that can be shown: by its nodes or by its chains. The other hook is
   NULL. */
struct tree_hooks {
	void (*begin)(void *state, const struct tree *tree);
	/* A node before its children, which are of the next depth; roots have depth 0. Siblings
	   come by descending total. Returns whether to show what is below it. */
	bool (*node)(void *state, unsigned depth, const struct tree_node *node);
	/* Chains come in the requested order. */
	void (*chain)(void *state, const struct tree_chain *chain);
	void (*end)(void *state);
};

/* The paths of a flame graph, from views that have them (analysis.has_paths), in any order; several
   may be equal. At most once in a section. */
struct paths_hooks {
	void (*begin)(void *state, const char *title);
	void (*path)(void *state, const struct path *path);
	void (*end)(void *state);
};

/* The paths of a comparison, in the order of their frames' texts; several may be equal. At most
   once in a section. */
struct comparison_hooks {
	void (*begin)(void *state, const struct compared_sides *comparison);
	void (*path)(void *state, const struct compared_path *path);
	void (*end)(void *state);
};

/* What tasks or CPUs did over time: a row, then its segments in order of time, all within [begin,
   end), without overlaps. The row of the path comes first, if there is one. Rows are limited as
   those of tables are. At most once in a section. */
struct timeline_hooks {
	void (*begin)(void *state, nsec_t begin, nsec_t end);
	void (*row)(void *state, const struct picture_row *row);
	void (*segment)(void *state, const struct state_segment *segment);
	void (*end)(void *state);
};

/*
 * A way to show. Calls come as: begin, then sections, then end. Within a section: fields before
 * comparisons, tables, trees and timelines, of which none is within another. `health` is complete
 * only at end. begin() and end() are set; other hooks are NULL where nothing is to be done. Cells
 * and what they point to are borrowed for the call. Writes go to `out`; the caller finds write
 * errors by ferror().
 */
struct presenter {
	const char *name; /* as in --format */
	const char *view; /* name of the only analysis that it shows anything of; NULL: any */
	bool has_health;  /* it shows the health */
	bool has_instants; /* it shows instants to people, as trace_summary.instants says */
	bool has_stacks;  /* it shows the stacks of links */
	bool has_data;    /* it shows what is for programs: COLUMN_DATA_ONLY, and fields without a
	                     title */
	bool has_links;   /* it shows what is behind rows and sentences: COLUMN_LINK */
	bool is_of_paths; /* it shows paths and nothing else */
	bool is_of_machines; /* it shows how several machines relate, and nothing of any view */
	bool folds_names; /* for people: tasks of worker-1, worker-2, ... are shown as worker-* */
	bool is_document; /* its output is opened by a program, and does not suit a terminal */
	const char *const *views; /* NULL-ended: names of the views that it always shows, if this
	                     program has them; NULL: none */
	void *(*begin)(FILE *out, const struct presenter_options *options,
	               const struct trace_summary *trace);
	/* `is_list`: the section is one table and nothing else; JSON shows it as an array. */
	void (*section_begin)(void *state, const char *key, const char *title, bool is_list);
	/* title NULL: not shown in text; key NULL: not in JSON. A CELL_TEXT field without title but
	   with key NULL is a line of prose, and may have a fact. */
	void (*field)(void *state, const char *key, const char *title, const struct cell *cell);
	/* Says in words that nothing was recorded for this section: its tables without rows need
	   not be shown. Called before fields and tables. NULL: empty tables show it. */
	void (*lack)(void *state, const char *text);
	/* key and title as above; title NULL: no caption. `is_single`: exactly one row, which JSON
	   shows as an object instead of an array of one. */
	void (*table_begin)(void *state, const char *key, const char *title,
	                    const struct column *columns, size_t column_count, bool is_single);
	/* Of the next table: the keys of what the rows' CELL_RECORD has in all of them, or in all
	   but a few. They must stay until the table ends. */
	void (*members)(void *state, const char *const *keys, size_t count);
	void (*row)(void *state, const struct cell *cells);
	void (*table_end)(void *state);
	/* The number of rows that a table shows, 0: all. A caller with more may pass only the most
	   important ones. NULL: all are shown. */
	unsigned (*row_limit)(const void *state);
	/* The table has `count` more rows, which were not passed. Set if row_limit is set. */
	void (*rows_left)(void *state, size_t count);
	/* Shapes that not every presenter can show; NULL: it cannot. */
	const struct tree_hooks *tree;
	const struct paths_hooks *paths;
	const struct comparison_hooks *comparison;
	const struct timeline_hooks *timeline;
	const struct flow_hooks *flow; /* it draws a flow, beside its sections */
	void (*section_end)(void *state);
	/* Shows the health, closes everything, frees state. */
	void (*end)(void *state, const struct health *health);
};

/* A presenter at work. Views show everything through the functions below, which are named like its
   hooks. Check that the presenter has an optional hook before you call its function. */
struct output {
	const struct presenter *presenter;
	void *state; /* what its begin() returned */
};

static inline void output_section_begin(const struct output *to, const char *key, const char *title,
                                        bool is_list)
{
	if (to->presenter->section_begin)
		to->presenter->section_begin(to->state, key, title, is_list);
}

static inline void output_section_end(const struct output *to)
{
	if (to->presenter->section_end)
		to->presenter->section_end(to->state);
}

static inline void output_field(const struct output *to, const char *key, const char *title,
                                const struct cell *cell)
{
	if (to->presenter->field)
		to->presenter->field(to->state, key, title, cell);
}

static inline void output_lack(const struct output *to, const char *text)
{
	to->presenter->lack(to->state, text);
}

static inline void output_members(const struct output *to, const char *const *keys, size_t count)
{
	if (to->presenter->members)
		to->presenter->members(to->state, keys, count);
}

static inline void output_table_begin(const struct output *to, const char *key, const char *title,
                                      const struct column *columns, size_t column_count,
                                      bool is_single)
{
	if (to->presenter->table_begin)
		to->presenter->table_begin(to->state, key, title, columns, column_count, is_single);
}

static inline void output_row(const struct output *to, const struct cell *cells)
{
	if (to->presenter->row)
		to->presenter->row(to->state, cells);
}

static inline void output_table_end(const struct output *to)
{
	if (to->presenter->table_end)
		to->presenter->table_end(to->state);
}

/* The number of rows that a table shows; 0: all. */
static inline unsigned output_row_limit(const struct output *to)
{
	return to->presenter->row_limit ? to->presenter->row_limit(to->state) : 0;
}

/* How many of `count` rows of a table are shown; the others go to output_leave_rows(). */
static inline size_t output_row_count(const struct output *to, size_t count)
{
	unsigned limit = output_row_limit(to);

	return limit && limit < count ? limit : count;
}

/* Passes the number of rows that are not shown; call it before the table ends. */
static inline void output_leave_rows(const struct output *to, size_t count)
{
	if (count)
		to->presenter->rows_left(to->state, count);
}

/* How trees are to be shown, if at all. */
static inline bool output_shows_nodes(const struct output *to)
{
	return to->presenter->tree && to->presenter->tree->node;
}

static inline bool output_shows_chains(const struct output *to)
{
	return to->presenter->tree && to->presenter->tree->chain;
}

static inline void output_tree_begin(const struct output *to, const struct tree *tree)
{
	to->presenter->tree->begin(to->state, tree);
}

static inline bool output_tree_node(const struct output *to, unsigned depth,
                                    const struct tree_node *node)
{
	return to->presenter->tree->node(to->state, depth, node);
}

static inline void output_tree_chain(const struct output *to, const struct tree_chain *chain)
{
	to->presenter->tree->chain(to->state, chain);
}

static inline void output_tree_end(const struct output *to)
{
	if (to->presenter->tree->end)
		to->presenter->tree->end(to->state);
}

static inline void output_paths_begin(const struct output *to, const char *title)
{
	to->presenter->paths->begin(to->state, title);
}

static inline void output_path(const struct output *to, const struct path *path)
{
	to->presenter->paths->path(to->state, path);
}

static inline void output_paths_end(const struct output *to)
{
	if (to->presenter->paths->end)
		to->presenter->paths->end(to->state);
}

static inline void output_comparison_begin(const struct output *to,
                                           const struct compared_sides *comparison)
{
	to->presenter->comparison->begin(to->state, comparison);
}

static inline void output_compared_path(const struct output *to, const struct compared_path *path)
{
	to->presenter->comparison->path(to->state, path);
}

static inline void output_comparison_end(const struct output *to)
{
	if (to->presenter->comparison->end)
		to->presenter->comparison->end(to->state);
}

static inline void output_timeline_begin(const struct output *to, nsec_t begin, nsec_t end)
{
	to->presenter->timeline->begin(to->state, begin, end);
}

static inline void output_timeline_row(const struct output *to, const struct picture_row *row)
{
	to->presenter->timeline->row(to->state, row);
}

static inline void output_timeline_segment(const struct output *to,
                                           const struct state_segment *segment)
{
	to->presenter->timeline->segment(to->state, segment);
}

static inline void output_timeline_end(const struct output *to)
{
	if (to->presenter->timeline->end)
		to->presenter->timeline->end(to->state);
}

/* NULL-ended; the only list of presenters. */
extern const struct presenter *const presenters[];
/* The presenter of that name; NULL: there is none. */
const struct presenter *presenter_find(const char *name);
