/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run_queue.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "base/data/array.h"
#include "base/data/order.h"

static void loan_list_take(void *state, const struct interval *interval)
{
	struct loan_list *list = state;
	nsec_t begin = interval->begin, end = interval->end;
	const struct loan_key key = {
		.task = interval->task,
		.lender = interval->other,
		.priority = interval->loan.priority,
		.own = interval->loan.own,
	};
	struct loan *loan;

	if (list->gate.question->resolved && !question_clip(list->gate.question, &begin, &end))
		return;
	loan = tally_row(&list->loans, &key);
	if (!loan)
		return;
	loan->count++;
	loan->unfinished += interval->loan.is_unfinished;
	loan->total += end - begin;
	if (end - begin >= loan->max) {
		loan->max = end - begin;
		loan->max_at = begin;
	}
}

static void loan_list_init(struct loan_list *list, const struct question *question)
{
	list->gate = (struct interval_gate){
		.question = question, .wide_kinds = INTERVAL_MASK_ALL, .take = loan_list_take};
	tally_init(&list->loans, sizeof(struct loan), sizeof(struct loan_key), LOANS_MAX);
}

static void loan_list_release(struct loan_list *list)
{
	interval_gate_release(&list->gate);
	tally_release(&list->loans);
}

/* Takes INTERVAL_LOAN. */
static void loan_list_add(struct loan_list *list, const struct interval *interval)
{
	interval_gate_pass(list, interval);
}

static int loan_key_compare(const struct loan_key *x, const struct loan_key *y)
{
	return ORDER_BY(RISING(x, y, task), RISING(x, y, lender), RISING(x, y, priority),
	                RISING(x, y, own));
}

ORDER_FUNCTION(loan_compare, struct loan, FALLING(x, y, total), loan_key_compare(&x->key, &y->key))

static void loan_list_resolve(struct loan_list *list)
{
	interval_gate_resolve(list);
	/* no row is looked up by its key any more */
	array_sort(list->loans.row, list->loans.count, sizeof(struct loan), loan_compare);
}

const struct loan *loan_list_find(const struct loan_list *list, uint32_t task)
{
	TALLY_ROWS(&list->loans, const struct loan, loan)
		if (loan->key.task == task)
			return loan;
	return NULL;
}

#define AT(member) RELATION_AT(struct loan, member)

static const struct field fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(key.task)},
	{"own_priority", "PRIO", CELL_PRIORITY, COLUMN_USEFUL(2), AT(key.own)},
	{"priority", "LENT", CELL_PRIORITY, 0, AT(key.priority)},
	{"lender", "BY", CELL_TASK, 0, AT(key.lender)},
	{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(2), AT(count)},
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_USEFUL(1), AT(total)},
	{"max_ns", "LONGEST", CELL_DURATION, COLUMN_USEFUL(3), AT(max)},
	{"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(1), AT(max_at)},
	{"unfinished", "UNFINISHED", CELL_COUNT, COLUMN_DATA_ONLY, AT(unfinished)},
};

void loan_list_report(const struct loan_list *list,
                      bool (*is_shown)(const void *state, const void *loan),
                      const void *state, const struct output *to)
{
	/* locks rarely lend a priority */
	const struct relation_form form = {
		"loans", "Priorities lent by locks", FIELDS(fields),
		.next = LINK_PATH("lender", "max_at_ns", "max_at_ns+max_ns"),
		.is_shown = is_shown, .is_hidden_if_empty = true, .is_bare_if_empty = true,
	};

	relation_put(&list->loans, &form, state, list->gate.question, to);
	if (list->loans.left_out)
		health_doubt(list->gate.question->health,
		             "priorities were lent too often: %" PRIu64 " are left out",
		             list->loans.left_out);
}

/* With this many the view takes some hundred MB. */
#define ROWS_MAX   (1u << 16)
/* Number of shares of one delay; further ones are merged. */
#define SHARES_MAX 256
/* Maximal number of waiting pieces of one CPU. If there are more, the older half is resolved early,
   and what had the CPU may stay unknown. */
#define PIECES_MAX 4096

enum queue_item_kind {
	ITEM_RUN,
	ITEM_RUNNABLE,
	ITEM_SLEPT,   /* any other state after running */
	ITEM_LOST,    /* the task's state is not known */
	ITEM_CPU,     /* the CPU idled, or had one task before its first event */
	ITEM_IRQ,
	ITEM_SOFTIRQ,
};

/* A span or an interval. */
struct queue_item {
	nsec_t begin, end;
	uint32_t track, cpu;
	uint8_t kind;   /* enum queue_item_kind */
	uint8_t detail; /* RUNNABLE: enum runnable_reason */
	bool is_throttled, is_open;
};

/* A part of a delay that the task spent on one CPU's queue. */
struct queue_piece {
	struct delay *delay;
	nsec_t begin, end;
};

void run_queue_init(void *state)
{
	struct run_queue *queue = state;

	keyed_sums_init(&queue->interrupts, sizeof(struct interrupt_sum), SIZE_MAX);
	loss_list_init(&queue->losses);
	loan_list_init(&queue->loans, queue->question);
}

static void delay_release(struct run_queue *queue, struct delay *delay)
{
	delay->share_count = 0;
	delay->next = queue->free;
	queue->free = delay;
}

static struct delay *delay_new(struct run_queue *queue)
{
	struct delay *delay = queue->free, kept = {0};

	if (delay) {
		queue->free = delay->next;
		kept.share = delay->share;
		kept.share_capacity = delay->share_capacity;
	} else {
		delay = xmalloc(sizeof(*delay));
	}
	*delay = kept;
	return delay;
}

static __attribute__((noinline)) void queue_add_track(struct run_queue *queue, uint32_t track)
{
	while (queue->track_count <= track) {
		ARRAY_GROW(queue->track, queue->track_count, queue->track_capacity);
		ARRAY_GROW(queue->slot, queue->track_count, queue->slot_capacity);
		queue->slot[queue->track_count] = 0;
		queue->track[queue->track_count++] = (struct queue_track){0};
	}
}

static inline struct queue_track *queue_find_track(struct run_queue *queue, uint32_t track)
{
	if (track >= queue->track_count)
		queue_add_track(queue, track);
	return &queue->track[track];
}

static struct queue_cpu *queue_find_cpu(struct run_queue *queue, uint32_t cpu)
{
	ARRAY_REACH(queue->cpu, queue->cpu_count, queue->cpu_capacity, cpu);
	return &queue->cpu[cpu];
}

/* NULL beyond the limit. */
static struct queue_row *queue_find_row(struct run_queue *queue, uint32_t index)
{
	struct queue_track *track = queue_find_track(queue, index);

	if (track->row)
		return &queue->row[track->row - 1];
	if (queue->row_count == ROWS_MAX)
		return NULL;
	ARRAY_GROW(queue->row, queue->row_count, queue->row_capacity);
	queue->row[queue->row_count++] = (struct queue_row){.track = index};
	track->row = (uint32_t)queue->row_count;
	return &queue->row[queue->row_count - 1];
}

/* Gathers the shares of what had the CPU with the delay, as the delay may turn out not to be asked
   for. */
struct delay_sum {
	struct run_queue *queue;
	struct delay *delay;
	struct queue_cpu *cpu;
	bool is_full; /* the delay has no room for more tasks: the remaining shares are merged */
};

/* The slot of that user's share; tracks that had a CPU have one. */
static inline uint32_t *queue_slot(struct run_queue *queue, uint32_t user)
{
	return user >= CPU_USER_IRQ ? &queue->other_slot[user - CPU_USER_IRQ]
	                            : &queue->slot[user];
}

/* Makes the slots say where the shares of this delay are. */
static void queue_index_shares(struct run_queue *queue, const struct delay *delay)
{
	if (queue->indexed == delay)
		return;
	queue->indexed = delay;
	for (uint32_t i = 0; i < delay->share_count; i++)
		*queue_slot(queue, delay->share[i].user) = i;
}

/* Returns false, and adds nothing, if the delay, which is the indexed one, has no room for another
   task. */
static inline bool delay_put_share(struct run_queue *queue, struct delay *delay, uint32_t user,
                                   nsec_t took)
{
	uint32_t *slot = queue_slot(queue, user);

	if (*slot < delay->share_count && delay->share[*slot].user == user) {
		delay->share[*slot].took += took;
		return true;
	}
	if (delay->share_count >= SHARES_MAX && user < CPU_USER_IRQ)
		return false;
	/* doubled, 5 becomes little more than SHARES_MAX and one for all others */
	ARRAY_GROW_FROM(delay->share, delay->share_count, delay->share_capacity, 5);
	*slot = (uint32_t)delay->share_count;
	delay->share[delay->share_count++] = (struct delay_share){user, took};
	return true;
}

static void delay_keep_share(struct run_queue *queue, struct delay *delay, uint32_t user,
                             nsec_t took)
{
	if (!delay_put_share(queue, delay, user, took))
		(void)delay_put_share(queue, delay, CPU_USER_UNKNOWN, took);
}

static bool delay_add_share(void *state, uint32_t user, nsec_t took)
{
	struct delay_sum *sum = state;
	struct delay *delay = sum->delay;

	if (user == CPU_USER_IRQ)
		sum->cpu->interrupted += took;
	if (delay->state == DELAY_COUNTS) {
		loss_list_add(&sum->queue->losses, delay->track, user, took);
		if (delay->is_kept)
			delay_keep_share(sum->queue, delay, user, took);
		return true;
	}
	if (delay_put_share(sum->queue, delay, user, took)) {
		sum->queue->unnamed += sum->is_full ? took : 0;
		return true;
	}
	sum->queue->unnamed += took;
	(void)delay_put_share(sum->queue, delay, CPU_USER_UNKNOWN, took);
	sum->is_full = true;
	return false;
}

static void delay_resolve_piece(struct run_queue *queue, uint32_t cpu,
                                const struct queue_piece *piece)
{
	struct delay_sum sum = {
		.queue = queue, .delay = piece->delay, .cpu = queue_find_cpu(queue, cpu)};

	queue_index_shares(queue, piece->delay);
	cpu_log_visit(&queue->log, cpu, piece->begin, piece->end, delay_add_share, &sum);
}

/* Resolves a piece that has waited until it is known what had the CPU. */
static void piece_settle(struct run_queue *queue, uint32_t cpu, const struct queue_piece *piece)
{
	struct delay *delay = piece->delay;

	if (delay->state != DELAY_DROPPED)
		delay_resolve_piece(queue, cpu, piece);
	if (--delay->pieces == 0 && delay->state != DELAY_GROWS && !delay->is_kept)
		delay_release(queue, delay);
}

/* Resolves the waiting pieces that ended at `until` or before. */
static void cpu_settle(struct run_queue *queue, uint32_t number, nsec_t until)
{
	struct queue_cpu *cpu = queue_find_cpu(queue, number);
	size_t kept = 0;

	for (size_t i = 0; i < cpu->piece_count; i++) {
		if (cpu->piece[i].end <= until)
			piece_settle(queue, number, &cpu->piece[i]);
		else
			cpu->piece[kept++] = cpu->piece[i];
	}
	cpu->piece_count = kept;
}

static void delay_add_piece(struct run_queue *queue, struct delay *delay, uint32_t number,
                            nsec_t begin, nsec_t end)
{
	struct queue_piece piece = {delay, begin, end};
	struct queue_cpu *cpu = queue_find_cpu(queue, number);

	cpu->queued += end - begin;
	if (end <= cpu_log_find(&queue->log, number)->covered) {
		delay_resolve_piece(queue, number, &piece);
		return;
	}
	if (cpu->piece_count == PIECES_MAX)
		cpu_settle(queue, number, cpu->piece[PIECES_MAX / 2].end);
	ARRAY_ADD(cpu->piece, cpu->piece_count, cpu->piece_capacity) = piece;
	delay->pieces++;
}

static bool delay_is_asked(const struct run_queue *queue, const struct delay *delay)
{
	const struct question *question = queue->question;

	return delay->length && delay->length >= question->asked->min &&
	       question->asked->kinds & delay->kinds && question_asks_cpu(question, delay->cpu);
}

/* Ends the track's delay: if it is asked for, adds its shares to those of its task. */
static void delay_end(struct run_queue *queue, struct delay *delay, bool has_run)
{
	struct queue_row *row = NULL;

	if (has_run && delay_is_asked(queue, delay)) {
		row = queue_find_row(queue, delay->track);
		queue->left_out += !row;
	}
	delay->state = row ? DELAY_COUNTS : DELAY_DROPPED;
	if (row) {
		distribution_add(&row->latency, delay->length, delay->begin);
		row->throttled += delay->throttled;
	}
	for (size_t i = 0; row && i < delay->share_count; i++)
		loss_list_add(&queue->losses, delay->track, delay->share[i].user,
		              delay->share[i].took);
	queue->track[delay->track].delay = NULL;
	if (row) {
		struct delay *gone = delay_list_add(&queue->delays, queue->question, delay);

		if (gone && gone->pieces == 0)
			delay_release(queue, gone);
	}
	if (delay->pieces == 0 && !delay->is_kept)
		delay_release(queue, delay);
}

static void track_end_delay(struct run_queue *queue, struct queue_track *track, bool has_run)
{
	if (track->delay)
		delay_end(queue, track->delay, has_run);
}

/* Sets the task's CPU, and counts a migration if it was another one. */
static void track_move(struct queue_track *track, uint32_t cpu, bool is_in_window)
{
	track->migrations += is_in_window && track->has_cpu && track->cpu != cpu;
	track->cpu = cpu;
	track->has_cpu = true;
}

/*
 * Whether the span continues the delay: the task was moved, or a limit began or ceased to hold it
 * back. Otherwise the task ran in between, for a time of 0.
 */
static bool delay_goes_on(const struct delay *delay, const struct queue_item *item)
{
	if (delay->end != item->begin)
		return false;
	if (delay->detail != item->detail)
		return item->detail == RUNNABLE_UNTHROTTLED;
	return delay->cpu != item->cpu || delay->was_throttled || item->is_throttled;
}

/* Cuts an item to the window, if there is one; false: nothing is left. */
static bool item_clip(const struct run_queue *queue, struct queue_item *item)
{
	return !question_may_be_windowed(queue->question) ||
	       (item->begin < item->end &&
	        question_clip(queue->question, &item->begin, &item->end));
}

static uint32_t item_reason(const struct queue_item *item)
{
	if (item->is_throttled || item->detail == RUNNABLE_UNTHROTTLED)
		return 1u << CAUSE_THROTTLED;
	if (runnable_by_switch(item->detail))
		return 1u << CAUSE_PREEMPTED;
	return 1u << CAUSE_WOKEN;
}

/* Adds the part of a delay that lies in the window. */
static void delay_add(struct run_queue *queue, struct delay *delay, struct queue_item item)
{
	if (!item_clip(queue, &item))
		return;
	if (delay->length == 0)
		delay->begin = item.begin;
	delay->length += item.end - item.begin;
	if (item.is_throttled)
		delay->throttled += item.end - item.begin;
	else
		delay_add_piece(queue, delay, item.cpu, item.begin, item.end);
}

static void feed_runnable(struct run_queue *queue, const struct queue_item *item)
{
	struct queue_track *track = queue_find_track(queue, item->track);
	struct queue_item part = *item;
	struct delay *delay;
	bool is_in_window = item_clip(queue, &part);

	if (track->delay && !delay_goes_on(track->delay, item))
		delay_end(queue, track->delay, /* has_run= */ true);
	if (!track->delay) {
		track->delay = delay_new(queue);
		track->delay->track = item->track;
		track->delay->why = item->detail;
	}
	delay = track->delay;
	delay->end = item->end;
	delay->cpu = item->cpu;
	delay->detail = item->detail;
	delay->was_throttled = item->is_throttled;
	delay->kinds |= item_reason(item);
	track_move(track, item->cpu, is_in_window);
	if (is_in_window && !item->is_throttled)
		track->wanted += part.end - part.begin;
	delay_add(queue, delay, *item);
	if (!item->is_open)
		return;
	track->open = delay->length;
	track->open_begin = delay->begin;
	delay_end(queue, delay, /* has_run= */ false);
}

static void feed_run(struct run_queue *queue, struct queue_item item)
{
	struct queue_track *track = queue_find_track(queue, item.track);
	bool is_in_window;

	track_end_delay(queue, track, /* has_run= */ true);
	is_in_window = item_clip(queue, &item);
	track_move(track, item.cpu, is_in_window);
	if (!is_in_window)
		return;
	track->wanted += item.end - item.begin;
	cpu_log_run(&queue->log, item.cpu,
	            &(struct logged_run){.begin = item.begin,
	                                 .end = item.end,
	                                 .user = item.track});
	cpu_settle(queue, item.cpu, cpu_log_find(&queue->log, item.cpu)->covered);
}

static void feed_cpu(struct run_queue *queue, struct queue_item item)
{
	bool is_idle = queue->question->timeline->track[item.track].is_idle;

	if (!item_clip(queue, &item))
		return;
	(void)queue_find_track(queue, item.track);
	cpu_log_run(&queue->log, item.cpu,
	            &(struct logged_run){.begin = item.begin,
	                                 .end = item.end,
	                                 .user = is_idle ? CPU_USER_IDLE : item.track});
	cpu_settle(queue, item.cpu, cpu_log_find(&queue->log, item.cpu)->covered);
}

static void queue_feed(struct run_queue *queue, const struct queue_item *item)
{
	struct queue_item part = *item;

	switch ((enum queue_item_kind)item->kind) {
	case ITEM_RUN:
		feed_run(queue, *item);
		break;
	case ITEM_RUNNABLE:
		feed_runnable(queue, item);
		break;
	case ITEM_SLEPT:
	case ITEM_LOST:
		track_end_delay(queue, queue_find_track(queue, item->track),
		                item->kind == ITEM_SLEPT);
		break;
	case ITEM_CPU:
		feed_cpu(queue, *item);
		break;
	case ITEM_IRQ:
	case ITEM_SOFTIRQ:
		if (item_clip(queue, &part))
			cpu_log_interrupt(&queue->log, part.cpu, part.begin, part.end,
			                  item->kind == ITEM_SOFTIRQ);
		break;
	}
}

/* Whether a part of the item may lie in the window: see question_may_contain(). */
static bool item_may_count(const struct question *question, const struct queue_item *item)
{
	nsec_t begin = question->timeline->begin, from = question->from, to = question->to;

	if (from != NSEC_NEVER && item->end < (from < begin ? begin + from : from))
		return false;
	return to == NSEC_NEVER || item->begin <= begin + to;
}

static void queue_put_item(struct run_queue *queue, const struct queue_item *item)
{
	if (!question_may_be_windowed(queue->question)) {
		queue_feed(queue, item);
		return;
	}
	if (!item_may_count(queue->question, item))
		return;
	ARRAY_ADD(queue->kept, queue->kept_count, queue->kept_capacity) = *item;
}

void run_queue_add_span(void *state, const struct span *span)
{
	struct run_queue *queue = state;
	static const enum queue_item_kind kinds[] = {
		[SEGMENT_RUN] = ITEM_RUN,       [SEGMENT_RUNNABLE] = ITEM_RUNNABLE,
		[SEGMENT_WAIT] = ITEM_SLEPT,    [SEGMENT_STOPPED] = ITEM_SLEPT,
		[SEGMENT_UNKNOWN] = ITEM_LOST,
	};

	assert((size_t)span->kind < ARRAY_SIZE(kinds));
	queue_put_item(queue, &(struct queue_item){
				      .begin = span->begin,
				      .end = span->end,
				      .track = span->track,
				      .cpu = span->cpu,
				      .kind = (uint8_t)kinds[span->kind],
				      .detail = span->detail,
				      .is_throttled = span->kind == SEGMENT_RUNNABLE && span->cause,
				      .is_open = span->is_open,
			      });
}

void run_queue_add_interval(void *state, const struct interval *interval)
{
	struct run_queue *queue = state;
	struct queue_item item = {
		.begin = interval_started(interval),
		.end = interval->end,
		.track = interval->task,
		.cpu = interval->cpu,
		.kind = interval->kind == INTERVAL_SOFTIRQ ? ITEM_SOFTIRQ : ITEM_IRQ,
	};

	if (interval->kind == INTERVAL_LOAN) {
		loan_list_add(&queue->loans, interval);
		return;
	}
	if (interval->kind == INTERVAL_CPU)
		item.kind = ITEM_CPU;
	else if (!interval_is_interrupt(interval))
		return;
	else if (question_may_touch(queue->question, item.begin, item.end))
		interrupt_sums_add(&queue->interrupts, interval, item.begin, item.end);
	if (interval->kind != INTERVAL_CPU || interval->task != TRACK_NONE)
		queue_put_item(queue, &item);
}

void run_queue_resolve(void *state)
{
	struct run_queue *queue = state;

	for (size_t i = 0; i < queue->kept_count; i++)
		queue_feed(queue, &queue->kept[i]);
	free(queue->kept);
	queue->kept = NULL;
	queue->kept_count = queue->kept_capacity = 0;
	/* delays that the window cuts count with their part in it */
	for (size_t track = 0; track < queue->track_count; track++)
		track_end_delay(queue, &queue->track[track], /* has_run= */ true);
	for (uint32_t cpu = 0; cpu < queue->cpu_count; cpu++)
		cpu_settle(queue, cpu, NSEC_NEVER);
	loss_list_sort(&queue->losses);
	loan_list_resolve(&queue->loans);
}

static void delay_free(void *unused, struct delay *delay)
{
	(void)unused;
	free(delay->share);
	free(delay);
}

void run_queue_release(void *state)
{
	struct run_queue *queue = state;
	struct delay *next;

	for (size_t track = 0; track < queue->track_count; track++)
		track_end_delay(queue, &queue->track[track], /* has_run= */ false);
	for (uint32_t cpu = 0; cpu < queue->cpu_count; cpu++)
		cpu_settle(queue, cpu, NSEC_NEVER);
	delay_list_visit(&queue->delays, delay_free, NULL);
	delay_list_release(&queue->delays);
	for (; queue->free; queue->free = next) {
		next = queue->free->next;
		delay_free(NULL, queue->free);
	}
	for (size_t i = 0; i < queue->row_count; i++)
		distribution_release(&queue->row[i].latency);
	for (size_t i = 0; i < queue->cpu_count; i++)
		free(queue->cpu[i].piece);
	cpu_log_release(&queue->log);
	keyed_sums_release(&queue->interrupts);
	loss_list_release(&queue->losses);
	loan_list_release(&queue->loans);
	free(queue->cpu);
	free(queue->track);
	free(queue->slot);
	free(queue->row);
	free(queue->kept);
}
