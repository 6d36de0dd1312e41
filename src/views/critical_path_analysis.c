/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one task's time was spent on, through all tasks that it waited for: the walk over the
 * window, or over one wait, its parts in order of time. They tile the window exactly.
 */
#include <assert.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/paths/flame_path.h"
#include "analysis/paths/path_task.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/interrupt_sums.h"
#include "analysis/tables/relation.h"
#include "analysis/wait_list.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "graph/aims/aim.h"
#include "graph/logs/interrupt_log.h"
#include "graph/timeline/timeline.h"
#include "graph/walk/competitors.h"
#include "graph/walk/part_log.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "tally/tally.h"
#include "words/task_words.h"
#include "words/time_scale.h"

/*
 * What tasks did while they ran, by the samples of a profile: for each task the stacks, with their
 * share of its running time.
 */

struct ran_stack {
	uint32_t track, frames, user; /* the key */
	uint32_t samples;
};

struct ran_task {
	uint64_t track;
	nsec_t running;
	uint32_t samples;
};

struct ran_list {
	const struct timeline *timeline;
	TALLY(stacks, struct ran_stack, stack, stack_count);
	TALLY(tasks, struct ran_task, task, task_count);
};

/* Number of functions of a stack that one line of text shows. */
#define FRAMES_SHOWN 4

static void ran_list_init(struct ran_list *list, const struct timeline *timeline)
{
	*list = (struct ran_list){.timeline = timeline};
	tally_init(&list->stacks, sizeof(*list->stack), offsetof(struct ran_stack, samples),
	           TALLY_NO_LIMIT);
	tally_init(&list->tasks, sizeof(*list->task), sizeof(list->task->track), TALLY_NO_LIMIT);
}

static void ran_list_release(struct ran_list *list)
{
	tally_release(&list->stacks);
	tally_release(&list->tasks);
}

/* Adds that the track ran in [begin, end). Does nothing if no profile was recorded. */
static void ran_list_add(struct ran_list *list, uint32_t track, nsec_t begin, nsec_t end)
{
	const struct run_sample *sample;
	struct ran_stack *stack;
	struct ran_task *task;
	size_t count;

	if (list->timeline->sample_count == 0)
		return;
	task = tally_of(&list->tasks, track);
	task->running += end - begin;
	sample = timeline_samples(&list->timeline->track[track], begin, end, &count);
	task->samples += (uint32_t)count;
	for (size_t i = 0; i < count; i++) {
		stack = tally_row(&list->stacks, &(struct ran_stack){track, sample[i].frames,
		                                                     sample[i].user, 0});
		stack->samples++;
	}
}

/* Sorts tasks by their running time, and the stacks of each by samples, most first. */
static int stack_compare(const void *a, const void *b, void *state)
{
	const struct ran_list *list = state;
	const struct ran_stack *x = a, *y = b;
	const struct ran_task *of_x = tally_get(&list->tasks, x->track),
			      *of_y = tally_get(&list->tasks, y->track);

	return ORDER_BY(FALLING(of_x, of_y, running), RISING(x, y, track), FALLING(x, y, samples),
	                RISING(x, y, frames), RISING(x, y, user));
}

#define RAN_AT(member) RELATION_AT(struct ran_stack, member)

enum {COLUMN_TIME = 1, COLUMN_WORDS = 3};

static const struct field ran_fields[] = {
	{"task", "TASK", CELL_TASK, 0, RAN_AT(track)},
	[COLUMN_TIME] = {"total_ns", "ABOUT", CELL_DURATION, 0, FILLED},
	{"samples", "SAMPLES", CELL_COUNT, COLUMN_SPARE(1), RAN_AT(samples)},
	[COLUMN_WORDS] = {NULL, "IN", CELL_TEXT, 0, FILLED},
	{"stack", NULL, CELL_FRAMES, 0, RAN_AT(frames)},
	{"user_stack", NULL, CELL_FRAMES, 0, RAN_AT(user)},
};

static void stack_fill(const void *of_list, const void *of, struct cell *cell, struct buffer *text)
{
	const struct ran_list *list = of_list;
	const struct intern *names = &list->timeline->names;
	const struct ran_stack *stack = of;
	const struct ran_task *task = tally_get(&list->tasks, stack->track);

	cell[COLUMN_TIME].time = nsec_share(task->running, stack->samples, task->samples);
	stack_text_append_both(&text[COLUMN_WORDS], intern_text(names, stack->frames),
	                       intern_text(names, stack->user), FRAMES_SHOWN);
	if (text[COLUMN_WORDS].length == 0)
		buffer_puts(&text[COLUMN_WORDS], "(no stack recorded)");
}

static const struct relation_form ran_form = {
	"ran", "What they ran, by samples", FIELDS(ran_fields),
	.next = "--on-cpu --tid {task}",
	.fill = stack_fill,
};

/* Prints a table "ran", longest running time first; nothing if no profile was recorded. */
static void ran_list_report(struct ran_list *list, const struct question *question,
                            const struct output *to)
{
	struct tally stacks;

	if (list->timeline->sample_count == 0)
		return;
	tally_sort(&list->stacks, stack_compare, list);
	stacks = relation_of(list->stack, sizeof(*list->stack), list->stack_count);
	relation_put(&stacks, &ran_form, list, question, to);
}

/* The state while the trace is read. */
struct path_view {
	const struct question *question;
	struct interrupt_log interrupts;
};

struct kind_total {
	enum part_state state;
	int kind; /* enum cause_kind, -1: not a wait with a cause */
	nsec_t total;
	uint64_t count;
};

/* Marks the state of a part that no wake-up led to. */
#define INFERRED_MARK "*"

#define KINDS (CAUSE_KIND_COUNT + 1)

/* Sums over the parts as the walk reports them, and the parts to show. */
struct critical_path {
	const struct question *question;
	struct kind_total kind[PART_STATE_COUNT * KINDS];
	nsec_t *by_track;
	struct competitors competitors;
	struct had_cpu had_cpu;
	struct ran_list ran;
	nsec_t throttled; /* time in which a limit held it back, so that no other task had its
	                     CPU */
	uint64_t count;  /* parts */
	nsec_t reported; /* sum of the lengths of all parts */
	size_t shown_max; /* limit of shown parts; 0: all */
	struct longest_parts longest; /* the longest parts, which are shown */
	struct part_log log;
};

static void path_end(void *state)
{
	struct path_view *view = state;

	interrupt_log_release(&view->interrupts);
}

static void path_on_interval(void *state, const struct interval *interval)
{
	struct path_view *view = state;

	if (interval_is_interrupt(interval))
		interrupt_log_add(&view->interrupts, interval->cpu, interval_started(interval),
		                  interval->end);
}

static void path_open(struct critical_path *path, const struct interrupt_log *interrupts,
                      size_t shown_max)
{
	struct timeline *timeline = path->question->timeline;

	for (size_t i = 0; i < ARRAY_SIZE(path->kind); i++) {
		path->kind[i].state = (enum part_state)(i / KINDS);
		path->kind[i].kind = (int)(i % KINDS) - 1;
	}
	path->by_track = xcalloc(timeline->track_count, sizeof(*path->by_track));
	competitors_init(&path->competitors, timeline, interrupts, &path->had_cpu);
	ran_list_init(&path->ran, timeline);
	path->shown_max = shown_max;
	if (shown_max)
		longest_parts_init(&path->longest, shown_max);
	else
		part_log_init(&path->log, timeline);
}

static void path_on_part(void *state, const struct part *part)
{
	struct critical_path *path = state;
	nsec_t length = part->end - part->begin;
	struct kind_total *kind = &path->kind[(size_t)part->state * KINDS +
	                                      (part->cause ? part->cause->kind + 1u : 0)];

	kind->total += length;
	kind->count++;
	path->by_track[part->track] += length;
	path->question->health->parts_by_confidence[part->confidence]++;
	path->count++;
	path->reported += length;
	if (part->state == PART_RUNNABLE && part->cause && part->cause->kind == CAUSE_THROTTLED)
		path->throttled += length;
	else if (part->state == PART_RUNNABLE)
		competitors_add(
			&path->competitors, part->cpu, part->begin, part->end,
			track_priority_at(&path->question->timeline->track[part->track],
			                  part->begin));
	if (part->state == PART_RUNNING)
		ran_list_add(&path->ran, part->track, part->begin, part->end);
	if (path->shown_max)
		longest_parts_add(&path->longest, part);
	else
		part_log_add(&path->log, part);
}

/* Whether the asked wait, which exists, is a wait of the asked task, if a task is asked for,
   too. */
static bool wait_fits_name(const struct question *question, struct buffer *why)
{
	struct wait wait = {.track = TRACK_NONE};

	if (!question->asked->path.task ||
	    wait_list_find_asked(question, &wait) < question->asked->wait ||
	    path_task_fits(question, wait.track))
		return true;
	say(why, question->timeline,
	    "wait {number} is one of {task}, not of {foreign}; leave out \"={foreign}\", or count "
	    "the waits of that task alone, by --comm or --tid",
	    NUMBER(question->asked->wait), TASK(wait.track), FOREIGN(question->asked->path.task),
	    FOREIGN(question->asked->path.task));
	return false;
}

static bool path_has_answer(const void *state, struct buffer *why)
{
	const struct path_view *view = state;
	const struct question *question = view->question;

	if (question->asked->wait)
		return wait_list_has_asked(question, why) && wait_fits_name(question, why);
	return path_task_is_there(question, why);
}

#define AT(member) RELATION_AT(struct part, member)

enum {
	PART_FOR = 2,
	PART_CONFIDENCE = 4,
	PART_TID,
	PART_STATE_NAME,
	PART_STATE_WORDS = 8,
	PART_CAUSE,
	PART_AIM,
	PART_COMM,
	/* only with several machines; then the column before is not in text */
	PART_MACHINE,
	PART_TASK,
};

static const struct field part_fields[] = {
	{"begin_ns", "BEGIN", CELL_INSTANT, COLUMN_USEFUL(1), AT(begin)},
	{"end_ns", "END", CELL_INSTANT, COLUMN_DATA_ONLY, AT(end)},
	[PART_FOR] = {NULL, "FOR", CELL_DURATION, 0, FILLED},
	{"depth", "DEPTH", CELL_COUNT, COLUMN_DEPTH | COLUMN_SPARE(1), AT(depth)},
	[PART_CONFIDENCE] = {"confidence", "CONF", CELL_CONFIDENCE, COLUMN_SPARE(2), FILLED},
	[PART_TID] = {"tid", "TID", CELL_COUNT, COLUMN_NUMBER | COLUMN_SPARE(3), FILLED},
	[PART_STATE_NAME] = {"state", "STATE", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	{"inferred", "INFERRED", CELL_BOOL, COLUMN_DATA_ONLY, AT(is_inferred)},
	/* with INFERRED_MARK if it is inferred */
	[PART_STATE_WORDS] = {NULL, "STATE", CELL_TEXT, 0, FILLED},
	[PART_CAUSE] = {"cause", "CAUSE", CELL_CAUSE, 0, FILLED},
	[PART_AIM] = {"aim", NULL, CELL_BRIEF_AIM, 0, FILLED},
	[PART_COMM] = {"comm", "TASK", CELL_TEXT, 0, FILLED},
	[PART_MACHINE] = {"machine", NULL, CELL_COUNT, 0, FILLED},
	[PART_TASK] = {NULL, "TASK", CELL_TEXT, 0, FILLED},
	{"task", NULL, CELL_TASK, COLUMN_FOR_LINKS, AT(track)},
};
#undef AT

/* The parts while they are shown. */
struct shown_parts {
	struct timeline *timeline;
	struct relation_table *table;
	struct cause *cause; /* of the row that is filled in */
	bool has_inferred;
};

static void part_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct shown_parts *parts = view;
	const struct timeline *timeline = parts->timeline;
	const struct part *part = of;
	struct task task = timeline_task(timeline, part->track, part->begin);

	cell[PART_FOR].time = part->end - part->begin;
	cell[PART_CONFIDENCE].confidence = part->confidence;
	cell[PART_TID].count = (uint64_t)task.tid;
	cell[PART_STATE_NAME].text = part_state_name(part->state);
	say(&text[PART_STATE_WORDS], timeline, "{text}[{text}]",
	    TEXT(part_state_words(part->state)), WHEN(part->is_inferred, TEXT(INFERRED_MARK)));
	if (part->cause) {
		*parts->cause = part_cause(timeline, part);
		cell[PART_CAUSE].cause = parts->cause;
	} else {
		cell[PART_CAUSE].type = CELL_EMPTY;
	}
	cell[PART_AIM] = cell_of_brief_aim(brief_aim_of_cause(
		timeline, part->track, part->state == PART_WAITING ? part->cause : NULL));
	cell[PART_COMM].text = task.comm;
	cell[PART_MACHINE].count = task.machine;
	cell[PART_TASK].text =
		intern_text(&timeline->names,
	                    timeline_name_at(&timeline->track[part->track], part->begin));
}

static struct evidence_claim part_claim(const void *view, const void *of)
{
	const struct part *part = of;

	(void)view;
	return evidence_claim_of(part->track, part->begin, part->is_inferred);
}

static void parts_adapt(const void *view, const struct relation_rows *rows, struct column *shown)
{
	(void)rows;
	if (((const struct shown_parts *)view)->timeline->hosts.count > 0) {
		shown[PART_COMM].flags |= COLUMN_DATA_ONLY;
		return;
	}
	relation_drop(&shown[PART_MACHINE]);
	relation_drop(&shown[PART_TASK]);
}

static void part_show(void *view, const struct part *part)
{
	struct shown_parts *parts = view;

	parts->has_inferred |= part->is_inferred;
	relation_table_row(parts->table, part);
}

#define AT(member) RELATION_AT(struct kind_total, member)

enum {TOTAL_STATE, TOTAL_STATE_WORDS, TOTAL_KIND, TOTAL_SHARE = 4};

static const struct field kind_fields[] = {
	[TOTAL_STATE] = {"state", NULL, CELL_TEXT, 0, FILLED},
	[TOTAL_STATE_WORDS] = {NULL, "STATE", CELL_TEXT, 0, FILLED},
	[TOTAL_KIND] = {"kind", "KIND", CELL_TEXT, 0, FILLED},
	{"total_ns", "TOTAL", CELL_DURATION, 0, AT(total)},
	[TOTAL_SHARE] = {NULL, "SHARE", CELL_RATIO, 0, FILLED},
	{"count", "PARTS", CELL_COUNT, COLUMN_SPARE(1), AT(count)},
};

static void kind_fill(const void *length, const void *of, struct cell *cell, struct buffer *text)
{
	const struct kind_total *total = of;

	(void)text;
	cell[TOTAL_STATE].text = part_state_name(total->state);
	cell[TOTAL_STATE_WORDS].text = part_state_words(total->state);
	if (total->kind < 0)
		cell[TOTAL_KIND].type = CELL_EMPTY;
	else
		cell[TOTAL_KIND].text = cause_kind_name((enum cause_kind)total->kind);
	cell[TOTAL_SHARE].ratio = nsec_ratio(total->total, *(const nsec_t *)length);
}

static const struct relation_form kind_form = {
	"by_kind", "By kind", FIELDS(kind_fields),
	.order = {{AT(total)}}, .unless_zero = {AT(count)}, .fill = kind_fill,
};
#undef AT

/* A track and a sum of its time. */
struct track_total {
	uint32_t track;
	nsec_t total;
};

#define AT(member) RELATION_AT(struct track_total, member)

static const struct field track_fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(track)},
	{"total_ns", "ON THE PATH FOR", CELL_DURATION, 0, AT(total)},
};

static const struct relation_form track_form = {
	"by_task", "By task", FIELDS(track_fields), .order = {{AT(total)}},
	.next = "--summary --tid {task}",
};
#undef AT

static void path_report_tasks(const struct critical_path *path, const struct output *to)
{
	struct tally tasks;

	tally_init(&tasks, sizeof(struct track_total), 0, TALLY_NO_LIMIT);
	for (uint32_t track = 0; track < path->question->timeline->track_count; track++)
		if (path->by_track[track])
			*(struct track_total *)tally_add(&tasks) =
				(struct track_total){track, path->by_track[track]};
	relation_put(&tasks, &track_form, path, path->question, to);
	tally_release(&tasks);
}

enum competitor_kind {
	COMPETITOR_TASK,
	COMPETITOR_IRQ,
	COMPETITOR_IDLE,
	COMPETITOR_LIMIT,
};

struct competitor {
	enum competitor_kind kind;
	uint32_t track; /* of a task; else TRACK_NONE */
	nsec_t total;
};

static const char *const kind_names[] = {"task", "irq", "idle", "throttled"};

/* The loan of a priority by which the competitor had most of its time; NULL: it had most of it by
   its own priority. */
static const struct rank *competitor_loan(const struct had_cpu *had,
                                          const struct competitor *competitor)
{
	const struct competitor_loan *loan;

	if (competitor->kind != COMPETITOR_TASK)
		return NULL;
	loan = &had->loan[competitor->track];
	return loan->total > competitor->total / DIVISOR_MAJOR ? &loan->rank : NULL;
}

#define AT(member) RELATION_AT(struct competitor, member)

enum {COMPETITOR_CELL_TASK, COMPETITOR_CELL_WORDS, COMPETITOR_CELL_KIND = 3, COMPETITOR_CELL_RANK};

static const struct field competitor_fields[] = {
	[COMPETITOR_CELL_TASK] = {"task", "TASK", CELL_TASK, COLUMN_DATA_ONLY, AT(track)},
	[COMPETITOR_CELL_WORDS] = {NULL, "TASK", CELL_TEXT, COLUMN_TAILED, FILLED},
	{"total_ns", "HAD THE CPU FOR", CELL_DURATION, 0, AT(total)},
	[COMPETITOR_CELL_KIND] = {"kind", "KIND", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[COMPETITOR_CELL_RANK] = {"priority", "PRIORITY", CELL_PRIORITY, COLUMN_DATA_ONLY, FILLED},
};

static void competitor_fill(const void *of_path, const void *of, struct cell *cell,
                            struct buffer *text)
{
	const struct critical_path *path = of_path;
	const struct timeline *timeline = path->question->timeline;
	const struct competitor *competitor = of;
	const struct rank *loan = competitor_loan(&path->had_cpu, competitor);
	struct cell *task = &cell[COMPETITOR_CELL_TASK];
	int priority = competitor->kind == COMPETITOR_TASK
	                       ? timeline->track[competitor->track].priority
	                       : PRIORITY_UNKNOWN;

	if (competitor->kind == COMPETITOR_IDLE)
		*task = (struct cell){.type = CELL_TASK, .task = {.comm = "idle"}};
	/* its priority explains why a real-time task had the CPU */
	say(&text[COMPETITOR_CELL_WORDS], timeline,
	    "[{if}nobody: held back by a CPU limit|{if}irq|{lent}|{ranked}|{task}]",
	    IF(competitor->kind == COMPETITOR_LIMIT), IF(competitor->kind == COMPETITOR_IRQ),
	    WHEN(loan, LENT(competitor->track, loan)),
	    WHEN(priority_is_real_time(priority), RANKED_AT(competitor->track, priority)),
	    TASK_OF(&task->task));
	cell[COMPETITOR_CELL_KIND].text = kind_names[competitor->kind];
	cell[COMPETITOR_CELL_RANK].integer = priority;
	if (priority == PRIORITY_UNKNOWN)
		cell[COMPETITOR_CELL_RANK].type = CELL_EMPTY;
}

static const struct relation_form competitor_form = {
	"competitors", "Who ran while it was runnable", FIELDS(competitor_fields),
	.next = "--on-cpu --tid {task}",
	.order = {{AT(total)}}, .fill = competitor_fill,
};
#undef AT

static void competitor_add(struct tally *rows, enum competitor_kind kind, uint32_t track,
                           nsec_t total)
{
	if (total)
		*(struct competitor *)tally_add(rows) = (struct competitor){kind, track, total};
}

/*
 * Prints the table of what had the CPU while a task on the path was runnable, most time first:
 * tasks, interrupts and idle. A row for a limit has the time in which it held the task back.
 */
static void competitor_list_report(const struct critical_path *path, const struct output *to)
{
	const struct had_cpu *had = &path->had_cpu;
	struct tally rows;

	tally_init(&rows, sizeof(struct competitor), 0, TALLY_NO_LIMIT);
	for (uint32_t track = 0; track < had->track_count; track++)
		competitor_add(&rows, COMPETITOR_TASK, track, had->by_track[track]);
	competitor_add(&rows, COMPETITOR_IRQ, TRACK_NONE, had->interrupts);
	competitor_add(&rows, COMPETITOR_IDLE, TRACK_NONE, had->idle);
	competitor_add(&rows, COMPETITOR_LIMIT, TRACK_NONE, path->throttled);
	relation_put(&rows, &competitor_form, path, path->question, to);
	tally_release(&rows);
}

#define LINK_PART " {task} --from {from:begin_ns} --to {to:end_ns}"

/* The walk reported the parts newest first. */
static void path_report_parts(struct critical_path *path, const struct output *to)
{
	struct cause cause;
	struct shown_parts parts = {.timeline = path->question->timeline, .cause = &cause};
	_cleanup_(buffer_release) struct buffer title = {0};
	struct relation_form form = {
		"parts", NULL, FIELDS(part_fields), .fill = part_fill, .claim = part_claim,
		.next = "{state=running}--on-cpu --events --tid" LINK_PART "|"
			"{state=runnable}--sched --tid" LINK_PART "|--summary --tid" LINK_PART,
		.adapt = parts_adapt,
	};

	longest_parts_sort(&path->longest);
	say(&title, NULL,
	    "Parts[: the {number} longest of {count}, in order of time (--top 0 shows all)]",
	    WHEN(path->shown_max && path->count > path->longest.count,
	         NUMBER(path->longest.count)), COUNT(path->count));
	form.title = title.text;
	parts.table = relation_table_begin(&form, &parts, path->question, to);
	for (size_t i = 0; i < path->longest.count; i++)
		part_show(&parts, &path->longest.part[i]);
	part_log_visit(&path->log, part_show, &parts);
	relation_table_end(parts.table);
	if (parts.has_inferred)
		prose_put(to,
		          INFERRED_MARK " inferred, not from a wake-up but from what is known of a "
		          "sleep on a timer (--no-through-polls shows the timers).");
}

/* "Of cc1[123]: it waited most; from its birth at 0.010000 s, to its end at 0.250000 s." */
static void path_print_why(const struct question *question, const struct output *to,
                           const struct path_target *target)
{
	const struct instant_form *instants = &question->instants;
	const struct path_window *window = &target->window;
	_cleanup_(buffer_release) struct buffer why = {0};

	say(&why, NULL, "[{,}{text}][{,}from its birth at {instant}[{text}]][{,}to its end at "
	                "{instant}[{text}]]",
	    TEXT(target->why), WHEN(window->is_from_birth, INSTANT(instants, window->begin)),
	    TEXT(instant_unit(instants)),
	    WHEN(window->is_to_death, INSTANT(instants, window->end)),
	    TEXT(instant_unit(instants)));
	say_to(to, question->timeline, "Of {task}[: {text}].", TASK(target->track), TEXT(why.text));
}

static void path_walk(struct critical_path *path, const struct path_target *target)
{
	const struct question *question = path->question;
	struct walk_visitor visitor = {.state = path, .on_part = path_on_part};
	struct walk_result result = {0};

	walk(question->timeline, target->track, target->window.begin, target->window.end, &visitor,
	     &result);
	question->health->inconsistencies += result.cycles;
	question->health->depth_truncations += result.truncations;
	assert(path->reported == target->window.end - target->window.begin);
}

static void path_release(struct critical_path *path)
{
	longest_parts_release(&path->longest);
	part_log_release(&path->log);
	had_cpu_release(&path->had_cpu);
	ran_list_release(&path->ran);
	free(path->by_track);
}

static void path_report(const void *state, const struct output *to)
{
	const struct path_view *view = state;
	const struct question *question = view->question;
	struct critical_path path = {.question = question};
	struct path_target target;
	struct tally kinds;
	struct task task;
	nsec_t length;

	/* a page shows this view unasked */
	if (path_is_left_out(question))
		return;
	path_open(&path, &view->interrupts,
	          output_row_limit(to));
	path_target_find(question, &target);
	output_section_begin(to, "critical_path", "Critical path", /* is_list= */ false);
	if (target.track == TRACK_NONE) {
		output_field(to, "task", NULL, &(struct cell){.type = CELL_EMPTY});
		prose_put(to, "No such task in this trace.");
	} else {
		task = timeline_task(question->timeline, target.track, NSEC_NEVER);
		output_field(to, "task", NULL, &(struct cell){.type = CELL_TASK, .task = task});
		path_print_why(question, to, &target);
		path_walk(&path, &target);
	}
	output_field(to, "begin_ns", NULL,
	             &(struct cell){.type = CELL_INSTANT, .time = target.window.begin});
	output_field(to, "end_ns", NULL,
	             &(struct cell){.type = CELL_INSTANT, .time = target.window.end});
	competitors_finish(&path.competitors);
	output_field(to, "runnable_idle_ns", NULL,
	             &(struct cell){.type = CELL_DURATION, .time = path.had_cpu.idle});
	length = target.window.end - target.window.begin;
	kinds = relation_of(path.kind, sizeof(path.kind[0]), ARRAY_SIZE(path.kind));
	relation_put(&kinds, &kind_form, &length, question, to);
	path_report_tasks(&path, to);
	ran_list_report(&path.ran, question, to);
	competitor_list_report(&path, to);
	path_report_parts(&path, to);
	output_section_end(to);
	path_release(&path);
}

const struct analysis critical_path_analysis = {
	.name = "critical-path",
	.about = "what the task's time was spent on, including all that it waited for",
	.argument = "TID|COMM",
	.take_argument = path_task_take_argument,
	.heeds = HEEDS_TASKS | HEEDS_WALKS | HEEDS_FOLD | HEEDS_WAIT,
	.needs_history = true,
	.is_of_path = true,
	.state_bytes = sizeof(struct path_view),
	.on_interval = path_on_interval,
	.interval_kinds = INTERRUPT_INTERVALS,
	.has_answer = path_has_answer,
	.report = path_report,
	.end = path_end,
};
