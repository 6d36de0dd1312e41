/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cycles of periodic tasks: how often they begin, how long they take, and with --period those
   that are missed, and what each of these lost its time to. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interrupt_sums.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "cycle_list.h"
#include "ftwait/report.h"
#include "graph/aims/aim.h"
#include "graph/logs/interrupt_log.h"
#include "graph/walk/competitors.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "words/cause/cause_words.h"
#include "words/cause/unknown_words.h"

/*
 * What a cycle's time went to: the task's own running, and what it lost to timers, other tasks and
 * waits. The parts sum to the cycle's length.
 */

enum loss_kind {
	LOSS_TASK,      /* that task had the CPU while this one was runnable */
	LOSS_IRQ,       /* interrupts had it */
	LOSS_IDLE,      /* no task had it: it was waking up */
	LOSS_THROTTLED, /* a limit on CPU time held the task back */
	LOSS_WAIT,      /* the task waited, for that cause */
	LOSS_STOPPED,
	LOSS_TIMER,     /* the timer was late: see --timers */
	LOSS_CYCLE,     /* the task was still in the cycle before */
	LOSS_UNKNOWN,
};

struct cycle_loss {
	enum loss_kind kind;
	uint32_t task; /* track; of other kinds TRACK_NONE */
	const struct cause_note *cause; /* WAIT; NULL: it is not known */
	nsec_t until;  /* WAIT: when the last one ended */
	nsec_t total;
};

struct cycle_losses {
	struct cycle_loss *loss; /* most first */
	size_t count, capacity;
	nsec_t running;
};

static bool loss_is_same(const struct cycle_loss *a, const struct cycle_loss *b)
{
	if (a->kind != b->kind || a->task != b->task)
		return false;
	if (!a->cause || !b->cause)
		return a->cause == b->cause;
	return a->cause->kind == b->cause->kind && a->cause->waker == b->cause->waker &&
	       cause_note_is_alike(a->cause, b->cause);
}

static void losses_add(struct cycle_losses *losses, const struct cycle_loss *added)
{
	if (added->total == 0)
		return;
	for (size_t i = 0; i < losses->count; i++) {
		if (!loss_is_same(&losses->loss[i], added))
			continue;
		losses->loss[i].total += added->total;
		losses->loss[i].until = added->until;
		return;
	}
	ARRAY_GROW_FROM(losses->loss, losses->count, losses->capacity, 4);
	losses->loss[losses->count++] = *added;
}

static void losses_put(struct cycle_losses *losses, enum loss_kind kind, nsec_t total)
{
	losses_add(losses, &(struct cycle_loss){.kind = kind, .task = TRACK_NONE, .total = total});
}

static void losses_add_wait(struct cycle_losses *losses, const struct timeline *timeline,
                            const struct segment *segment, nsec_t begin, nsec_t end)
{
	losses_add(losses, &(struct cycle_loss){
				   .kind = LOSS_WAIT,
				   .task = TRACK_NONE,
				   .cause = segment_cause(timeline, segment),
				   .until = end,
				   .total = end - begin,
			   });
}

/* Adds what had the CPUs in the stretches that were added. */
static void losses_add_competitors(struct cycle_losses *losses, const struct had_cpu *had)
{
	for (uint32_t track = 0; track < had->track_count; track++)
		losses_add(losses, &(struct cycle_loss){
					   .kind = LOSS_TASK,
					   .task = track,
					   .total = had->by_track[track],
				   });
	losses_put(losses, LOSS_IRQ, had->interrupts);
	losses_put(losses, LOSS_IDLE, had->idle);
}

/* Adds the part [begin, end) of a segment. */
static void losses_add_segment(struct cycle_losses *losses, struct competitors *competitors,
                               const struct segment *segment, nsec_t begin, nsec_t end)
{
	switch ((enum segment_kind)segment->kind) {
	case SEGMENT_RUN:
		losses->running += end - begin;
		break;
	case SEGMENT_RUNNABLE:
		if (segment->cause != CAUSE_NONE)
			losses_put(losses, LOSS_THROTTLED, end - begin);
		else
			competitors_add(competitors, segment->cpu, begin, end, PRIORITY_UNKNOWN);
		break;
	case SEGMENT_WAIT:
		losses_add_wait(losses, competitors->timeline, segment, begin, end);
		break;
	case SEGMENT_STOPPED:
		losses_put(losses, LOSS_STOPPED, end - begin);
		break;
	case SEGMENT_UNKNOWN:
	case SEGMENT_DEAD:
	case SEGMENT_NEW:
		losses_put(losses, LOSS_UNKNOWN, end - begin);
		break;
	}
}

ORDER_FUNCTION(cycle_loss_compare, struct cycle_loss, FALLING(x, y, total), RISING(x, y, kind),
               RISING(x, y, task), RISING(x, y, until))

static void cycle_losses_find(struct cycle_losses *losses, struct timeline *timeline,
                              const struct interrupt_log *interrupts, uint32_t index,
                              const struct cycle *cycle)
{
	struct track *track = &timeline->track[index];
	struct competitors competitors;
	struct had_cpu had = {0};
	size_t at = timeline_find(track, cycle->finish);

	*losses = (struct cycle_losses){0};
	competitors_init(&competitors, timeline, interrupts, &had);
	/* latest first, as the competitors want it */
	for (at = at == SIZE_MAX ? 0 : at + 1; at-- > 0;) {
		nsec_t begin = nsec_max(track->segment[at].begin, cycle->woken);
		nsec_t end = nsec_min(timeline_segment_end(track, at), cycle->finish);

		if (begin < end)
			losses_add_segment(losses, &competitors, &track->segment[at], begin, end);
		if (track->segment[at].begin <= cycle->woken)
			break;
	}
	competitors_finish(&competitors);
	losses_add_competitors(losses, &had);
	losses_put(losses, LOSS_CYCLE, cycle->since - cycle->begin);
	losses_put(losses, LOSS_TIMER, cycle->woken - cycle->since);
	had_cpu_release(&had);
	array_sort(losses->loss, losses->count, sizeof(*losses->loss), cycle_loss_compare);
}

static void cycle_losses_release(struct cycle_losses *losses)
{
	free(losses->loss);
	*losses = (struct cycle_losses){0};
}

static void loss_append(struct buffer *to, const struct cycle_loss *loss,
                        const struct timeline *timeline)
{
	static const char *const words[] = {
		[LOSS_TASK] = "the run queue behind ", [LOSS_IRQ] = "interrupts",
		[LOSS_IDLE] = "an idle CPU",           [LOSS_THROTTLED] = "a limit on CPU time",
		[LOSS_WAIT] = "",                      [LOSS_STOPPED] = "a stop",
		[LOSS_TIMER] = "the timer",            [LOSS_CYCLE] = "the cycle before",
		[LOSS_UNKNOWN] = WORDS_NOT_RECORDED,
	};
	bool is_wait = loss->kind == LOSS_WAIT;
	struct cause cause = timeline_cause(timeline, loss->cause, loss->until);

	say(to, timeline, "{,}{text}[{task}][{if}a wait, " WORDS_NOT_RECORDED "|{cause}] {time}",
	    TEXT(words[loss->kind]), WHEN(loss->kind == LOSS_TASK, TASK(loss->task)),
	    IF(is_wait && !loss->cause), WHEN(is_wait && loss->cause, CAUSE(&cause)),
	    TIME(loss->total));
}

/* "hog[12] on its CPU 8.100 ms, disk 254,0 1.200 ms": the largest ones. */
static void cycle_losses_append(struct buffer *to, const struct cycle_losses *losses,
                                const struct timeline *timeline)
{
	for (size_t i = 0; i < losses->count && i < SHOWN_LOSSES; i++)
		loss_append(to, &losses->loss[i], timeline);
	say_more(to, losses->count, SHOWN_LOSSES);
}

/* The losses as rows of a cell; the caller frees the cells. */
static struct cell_rows cycle_losses_rows(const struct cycle_losses *losses,
                                          const struct timeline *timeline)
{
	static const struct column columns[] = {
		{"kind", "KIND", CELL_TEXT, 0},
		{"task", "TASK", CELL_TASK, 0},
		{"cause", "CAUSE", CELL_CAUSE, 0},
		{"aim", NULL, CELL_BRIEF_AIM, COLUMN_DETAIL},
		{"total_ns", "TOTAL", CELL_DURATION, 0},
	};
	static const char *const kinds[] = {
		[LOSS_TASK] = "task",       [LOSS_IRQ] = "irq",         [LOSS_IDLE] = "idle",
		[LOSS_THROTTLED] = "throttled", [LOSS_WAIT] = "wait",   [LOSS_STOPPED] = "stopped",
		[LOSS_TIMER] = "timer",     [LOSS_CYCLE] = "cycle",     [LOSS_UNKNOWN] = "unknown",
	};
	/* one block: the cells own the causes */
	struct cell *cells = xcalloc(losses->count + 1, ARRAY_SIZE(columns) * sizeof(*cells) +
	                                                        sizeof(struct cause));
	struct cause *causes = (void *)(cells + losses->count * ARRAY_SIZE(columns));

	for (size_t i = 0; i < losses->count; i++) {
		const struct cycle_loss *loss = &losses->loss[i];
		struct cell *row = cells + i * ARRAY_SIZE(columns);

		row[0] = (struct cell){.type = CELL_TEXT, .text = kinds[loss->kind]};
		row[1] = cell_of_task(timeline, loss->task);
		if (loss->cause) {
			causes[i] = timeline_cause(timeline, loss->cause, loss->until);
			row[2] = (struct cell){.type = CELL_CAUSE, .cause = &causes[i]};
		}
		row[3] = cell_of_brief_aim(brief_aim_of_cause(timeline, TRACK_NONE, loss->cause));
		row[4] = (struct cell){.type = CELL_DURATION, .time = loss->total};
	}
	return (struct cell_rows){columns, ARRAY_SIZE(columns), cells, losses->count};
}

/* Missed cycles that are listed; of more, the longest ones are. */
#define MISSED_MAX 1000

struct cycles_view {
	const struct question *question;
	struct cycle_starts starts;
	struct interrupt_log interrupts;
};

static void cycles_end(void *state)
{
	struct cycles_view *view = state;

	interrupt_log_release(&view->interrupts);
	cycle_starts_release(&view->starts);
}

static void cycles_on_interval(void *state, const struct interval *interval)
{
	struct cycles_view *view = state;

	if (interval->kind == INTERVAL_EXPIRY)
		cycle_starts_add(&view->starts, interval);
	else if (interval_is_interrupt(interval))
		interrupt_log_add(&view->interrupts, interval->cpu, interval_started(interval),
		                  interval->end);
}

static void cycles_resolve(void *state)
{
	cycle_starts_sort(&((struct cycles_view *)state)->starts);
}

/* The cycles of one task. */
struct cycle_row {
	uint32_t track;
	bool has_timers;
	uint64_t missed;
	nsec_t last; /* begin of the last cycle */
	struct distribution every, length; /* every: from begin to begin */
};

struct missed_cycle {
	uint32_t track;
	struct cycle cycle;
};

struct cycles_report {
	const struct cycles_view *view;
	const struct question *question;
	nsec_t period;
	struct tally rows;           /* of struct cycle_row, by track */
	struct relation_rows chosen;    /* those with cycles */
	struct missed_cycle *missed;
	size_t missed_count, missed_capacity;
	uint64_t cycles, all_missed;
};

static nsec_t cycle_length(const struct cycle *cycle)
{
	return cycle->finish - cycle->begin;
}

static int missed_compare_length(const void *a, const void *b)
{
	const struct missed_cycle *x = a, *y = b;
	nsec_t length = cycle_length(&x->cycle), other = cycle_length(&y->cycle);

	if (length != other)
		return length > other ? -1 : 1;
	return ORDER_BY(RISING(x, y, cycle.begin), RISING(x, y, track));
}

ORDER_FUNCTION(missed_compare_time, struct missed_cycle, RISING(x, y, cycle.begin),
               RISING(x, y, track))

static void report_keep_longest(struct cycles_report *report)
{
	array_sort(report->missed, report->missed_count, sizeof(*report->missed),
	           missed_compare_length);
	if (report->missed_count > MISSED_MAX)
		report->missed_count = MISSED_MAX;
}

static void report_add(void *state, uint32_t track, const struct cycle *cycle)
{
	struct cycles_report *report = state;
	struct cycle_row *row = tally_at(&report->rows, report->rows.count - 1);
	nsec_t length = cycle_length(cycle);

	report->cycles++;
	if (row->length.count)
		distribution_add(&row->every, cycle->begin - row->last, row->last);
	row->last = cycle->begin;
	distribution_add(&row->length, length, cycle->begin);
	if (report->period == 0 || length <= report->period)
		return;
	row->missed++;
	report->all_missed++;
	if (report->missed_count == 2 * MISSED_MAX)
		report_keep_longest(report);
	ARRAY_GROW(report->missed, report->missed_count, report->missed_capacity);
	report->missed[report->missed_count++] = (struct missed_cycle){track, *cycle};
}

#define AT(member) RELATION_AT(struct cycle_row, member)

enum {TASK_BEGUN_BY = 1, TASK_MISSED = 3, TASK_RATIO};

static const struct field task_fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(track)},
	[TASK_BEGUN_BY] = {"begun_by", "BEGUN BY", CELL_TEXT, COLUMN_SPARE(2), FILLED},
	{"count", "CYCLES", CELL_COUNT, 0, AT(length.count)},
	[TASK_MISSED] = {"missed", "MISSED", CELL_COUNT, 0, AT(missed)},
	[TASK_RATIO] = {"missed_ratio", "MISSED", CELL_RATIO, COLUMN_SPARE(3), FILLED},
	{"every", "EVERY P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1), AT(every)},
	{"length", "TOOK P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2), AT(length)},
	{"max_at_ns", "MAX AT", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1),
	 AT(length.max_at)},
};

static void task_fill(const void *of_report, const void *of, struct cell *cell, struct buffer *text)
{
	const struct cycles_report *report = of_report;
	const struct cycle_row *row = of;

	(void)text;
	cell[TASK_BEGUN_BY].text = row->has_timers ? "timer" : "wake-up";
	cell[TASK_RATIO].ratio = nsec_ratio(row->missed, row->length.count);
	if (report->period == 0)
		cell[TASK_MISSED].type = cell[TASK_RATIO].type = CELL_EMPTY;
}

static void tasks_adapt(const void *of_report, const struct relation_rows *rows,
                        struct column *shown)
{
	const struct cycles_report *report = of_report;

	(void)rows;
	if (report->period == 0) {
		shown[TASK_MISSED].flags |= COLUMN_DATA_ONLY;
		shown[TASK_RATIO].flags |= COLUMN_DATA_ONLY;
	}
}

static const char *const sort_keys[] = {"missed", "count", "max", NULL};
static const struct measure by_key[] = {{AT(missed)}, {AT(length.count)}, {AT(length.max)}};

static const struct relation_form task_form = {
	"tasks", "Tasks, by their cycles", FIELDS(task_fields),
	.next = LINK_PATH("task", "length", "length+length"),
	.sort_keys = sort_keys, .by_key = by_key, .order = {{AT(length.count)}},
	.unless_zero = {AT(length.count)}, .fill = task_fill, .adapt = tasks_adapt,
};
#undef AT

static void report_init(struct cycles_report *report, const struct cycles_view *view)
{
	const struct question *question = view->question;

	*report = (struct cycles_report){
		.view = view,
		.question = question,
		.period = question->asked->cycles.period,
	};
	tally_init(&report->rows, sizeof(struct cycle_row), 0, TALLY_NO_LIMIT);
	for (uint32_t track = 0; track < question->timeline->track_count; track++) {
		struct cycle_row *row;

		if (!question->resolved->is_asked[track])
			continue;
		row = tally_add(&report->rows);
		row->track = track;
		row->has_timers = cycle_starts_have(&view->starts, track);
		cycles_visit(&view->starts, question, track, report->period, report_add, report);
	}
	report_keep_longest(report);
	array_sort(report->missed, report->missed_count, sizeof(*report->missed),
	           missed_compare_time);
	report->chosen = relation_choose(&report->rows, &task_form, report, question);
}

static void report_release(struct cycles_report *report)
{
	relation_rows_release(&report->chosen);
	relation_release(&report->rows, &task_form);
	free(report->missed);
}

#define AT(member) RELATION_AT(struct missed_cycle, member)

enum {MISSED_END = 1, MISSED_LENGTH = 3, MISSED_RUNNING, MISSED_LOST_TO, MISSED_LOST_TEXT};

static const struct field missed_fields[] = {
	{"begin_ns", "AT", CELL_INSTANT, 0, AT(cycle.begin)},
	[MISSED_END] = {"end_ns", "END", CELL_INSTANT, COLUMN_DATA_ONLY, AT(cycle.finish)},
	{"task", "TASK", CELL_TASK, COLUMN_USEFUL(1), AT(track)},
	[MISSED_LENGTH] = {"length_ns", "TOOK", CELL_DURATION, 0, FILLED},
	[MISSED_RUNNING] = {"running_ns", "RAN", CELL_DURATION, COLUMN_USEFUL(2), FILLED},
	[MISSED_LOST_TO] = {"lost_to", "WENT TO", CELL_ROWS, COLUMN_DATA_ONLY, FILLED},
	[MISSED_LOST_TEXT] = {NULL, "WENT TO", CELL_TEXT, COLUMN_POINT, FILLED},
};

static void missed_fill(const void *of_report, const void *of, struct cell *cell,
                        struct buffer *text)
{
	const struct cycles_report *report = of_report;
	struct timeline *timeline = report->question->timeline;
	const struct missed_cycle *missed = of;
	struct cycle_losses losses;

	cycle_losses_find(&losses, timeline, &report->view->interrupts, missed->track,
	                  &missed->cycle);
	if (missed->cycle.is_open)
		cell[MISSED_END].type = CELL_EMPTY;
	cell[MISSED_LENGTH].time = cycle_length(&missed->cycle);
	cell[MISSED_RUNNING].time = losses.running;
	cell[MISSED_LOST_TO].rows = cycle_losses_rows(&losses, timeline);
	cycle_losses_append(&text[MISSED_LOST_TEXT], &losses, timeline);
	cycle_losses_release(&losses);
}

static const struct relation_form missed_form = {
	"missed", "Missed cycles", FIELDS(missed_fields),
	.next = LINK_PATH("task", "begin_ns", "begin_ns+length_ns"),
	.task_time = {AT(cycle.begin)}, .fill = missed_fill,
	.is_hidden_if_empty = true, .is_bare_if_empty = true,
};

static void missed_show(const struct cycles_report *report, const struct output *to)
{
	struct tally missed =
		relation_of(report->missed, sizeof(*report->missed), report->missed_count);

	relation_put(&missed, &missed_form, report, report->question, to);
}

static void longest_append(struct buffer *to, const struct cycles_report *report)
{
	const struct missed_cycle *longest = report->missed;
	_cleanup_(buffer_release) struct buffer rest = {0};
	struct cycle_losses losses;

	for (size_t i = 1; i < report->missed_count; i++)
		if (missed_compare_length(&report->missed[i], longest) < 0)
			longest = &report->missed[i];
	cycle_losses_find(&losses, report->question->timeline, &report->view->interrupts,
	                  longest->track, &longest->cycle);
	losses.count = losses.count ? 1 : 0;
	cycle_losses_append(&rest, &losses, report->question->timeline);
	say(to, report->question->timeline,
	    "; the longest took {time} (at {seconds}), and the task ran for {time} of it[{if}, "
	    "more than the period|; most of the rest went to {text}]",
	    TIME(cycle_length(&longest->cycle)), SECONDS(longest->cycle.begin),
	    TIME(losses.running), IF(losses.running > report->period), TEXT(rest.text));
	cycle_losses_release(&losses);
}

static const struct cycle_row *first_row(const struct cycles_report *report)
{
	return report->chosen.row[0];
}

static void cycles_print(const struct cycles_report *report, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer longest = {0};

	if (report->chosen.count == 0) {
		prose_put(to, "No task that sleeps on its own timers has a complete cycle.");
		return;
	}
	if (report->period && report->missed_count)
		longest_append(&longest, report);
	say_to(to, report->question->timeline,
	       "[{task}|{number} tasks] [missed {count} of {count} cycle{|s} of {time} "
	       "({ratio})[{text}]|had {count} cycle{|s}; --period TIME shows those that take "
	       "longer than their period].",
	       WHEN(report->chosen.count == 1, TASK(first_row(report)->track)),
	       NUMBER(report->chosen.count), WHEN(report->period, COUNT(report->all_missed)),
	       COUNT(report->cycles),
	       TIME(report->period), RATIO(nsec_ratio(report->all_missed, report->cycles)),
	       TEXT(longest.text), COUNT(report->cycles));
}

static void first_show(const struct cycles_report *report, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer title = {0};

	say(&title, report->question->timeline, "How long cycles of {task} took",
	    TASK(first_row(report)->track));
	histogram_show_of(&first_row(report)->length, title.text, to);
}

static void cycles_report(const void *state, const struct output *to)
{
	const struct cycles_view *view = state;
	struct cycles_report report;

	report_init(&report, view);
	if (report.all_missed > report.missed_count)
		health_doubt(view->question->health,
		             "too many cycles were missed: the %" PRIu64 " shortest are not listed",
		             report.all_missed - report.missed_count);
	output_section_begin(to, "cycles", "Cycles", /* is_list= */ false);
	if (report.chosen.count || !analysis_print_lack(&cycles_analysis, view->question, to))
		cycles_print(&report, to);
	output_field(to, "period_ns", NULL,
	             &(struct cell){.type = report.period ? CELL_DURATION : CELL_EMPTY,
	                            .time = report.period});
	relation_show(&task_form, &report.chosen, &report, view->question, to);
	missed_show(&report, to);
	if (report.chosen.count)
		first_show(&report, to);
	output_section_end(to);
	report_release(&report);
}

const struct analysis cycles_analysis = {
	.name = "cycles",
	.about = "cycles of periodic tasks; those that take longer than --period",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_PERIOD,
	.needs = EVENT_LIST(EVENT_HRTIMER_ENTRY),
	.groups = "timer",
	.needs_history = true,
	.state_bytes = sizeof(struct cycles_view),
	.on_interval = cycles_on_interval,
	.interval_kinds = INTERRUPT_INTERVALS | INTERVAL_MASK(INTERVAL_EXPIRY),
	.resolve = cycles_resolve,
	.report = cycles_report,
	.end = cycles_end,
};
