/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drop_list.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/format.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"

#define ROWS_MAX (1u << 16)

struct drop_key {
	uint32_t reason, function; /* name ids; reason 0: the kernel reports none */
	uint32_t task;             /* track; TRACK_NONE */
	uint32_t machine;
};

struct drop_row {
	struct drop_key key;
	uint64_t count;
};

/* Sums over all rows of one reason; they start at `first` in `row`. */
struct drop_sum {
	const char *reason; /* the reason, or the function if the kernel gives none */
	bool has_reason;    /* `reason` is a reason */
	uint32_t machine;
	uint64_t count;
	size_t first, functions;
};

struct drop_sums {
	struct drop_row *row; /* sorted by reason, within a reason most first */
	struct drop_sum *sum; /* most first */
	size_t row_count, count;
};

static const struct relation_form list_form = {
	.of_named = "drops for ",
	.rows_named = "reasons, places and senders",
	.lost_named = "packets",
};

void drop_list_init(struct tally *drops)
{
	tally_init(drops, sizeof(struct drop_row), sizeof(struct drop_key), ROWS_MAX);
}

void drop_list_release(struct tally *drops)
{
	tally_release(drops);
}

void drop_list_add(struct tally *drops, uint32_t machine, const struct interval *interval)
{
	const struct drop_key key = {interval->drop.reason, interval->drop.function,
	                             interval->task, machine};
	struct drop_row *row = tally_row(drops, &key);

	if (row)
		row->count++;
}

/* With a task filter, drops without a known sender are hidden. */
static bool drop_is_asked(const struct question *question, const struct drop_row *row)
{
	if (!question_has_filter(question))
		return true;
	return row->key.task != TRACK_NONE && question->resolved->is_asked[row->key.task];
}

static int row_compare_reason(const struct drop_row *x, const struct drop_row *y)
{
	return ORDER_BY(RISING(x, y, key.machine), RISING(x, y, key.reason));
}

ORDER_FUNCTION(row_compare_place, struct drop_row, row_compare_reason(x, y),
               RISING(x, y, key.function))

ORDER_FUNCTION(row_compare_count, struct drop_row, row_compare_reason(x, y), FALLING(x, y, count),
               RISING(x, y, key.function))

ORDER_FUNCTION(drop_sum_compare, struct drop_sum, FALLING(x, y, count),
               strcmp(x->reason, y->reason), RISING(x, y, machine))

/* Copies the asked rows, and merges rows of different senders at the same place. */
static size_t rows_merge(const struct tally *drops, const struct question *question,
                         struct drop_row *to)
{
	size_t asked = 0, count = 0;

	TALLY_ROWS(drops, const struct drop_row, row)
		if (drop_is_asked(question, row))
			to[asked++] = *row;
	array_sort(to, asked, sizeof(*to), row_compare_place);
	for (size_t i = 0; i < asked; i++) {
		if (count && row_compare_place(&to[count - 1], &to[i]) == 0)
			to[count - 1].count += to[i].count;
		else
			to[count++] = to[i];
	}
	array_sort(to, count, sizeof(*to), row_compare_count);
	return count;
}

static struct drop_sums drop_sums_of(const struct tally *drops, const struct question *question)
{
	const struct intern *names = &question->timeline->names;
	struct drop_sums sums = {
		.row = xcalloc(drops->count, sizeof(*sums.row)),
		.sum = xcalloc(drops->count, sizeof(*sums.sum)),
	};

	sums.row_count = rows_merge(drops, question, sums.row);
	for (size_t i = 0; i < sums.row_count; i++) {
		const struct drop_row *row = &sums.row[i];
		struct drop_sum *last = sums.count ? &sums.sum[sums.count - 1] : NULL;
		uint32_t reason = row->key.reason;

		if (last && reason && row_compare_reason(row, &sums.row[last->first]) == 0) {
			last->functions++;
			last->count += row->count;
			continue;
		}
		sums.sum[sums.count++] = (struct drop_sum){
			.reason = intern_text(names, reason ? reason : row->key.function),
			.has_reason = reason != 0,
			.machine = row->key.machine,
			.count = row->count,
			.first = i,
			.functions = 1,
		};
	}
	array_sort(sums.sum, sums.count, sizeof(*sums.sum), drop_sum_compare);
	return sums;
}

static void sums_release(struct drop_sums *sums)
{
	free(sums->row);
	free(sums->sum);
}

/* Packets that are left in the queue of a socket that closes are no loss in the network; a drop
   without a reason may or may not be a loss. */
static bool sum_is_loss(const struct drop_sum *sum)
{
	static const char *const others[] = {"NOT_SPECIFIED", "QUEUE_PURGE", "SOCKET_CLOSE"};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strcmp(sum->reason, others[i]) == 0)
			return false;
	return sum->has_reason;
}

/* Whether the kernel reports reasons at all. */
static bool sums_have_reasons(const struct drop_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		if (sums->sum[i].has_reason)
			return true;
	return false;
}

/* "47 SOCKET_RCVBUFF, 7 NO_SOCKET, 3 of other reasons". */
static void drop_losses_append(struct buffer *to, const struct timeline *timeline,
                               const struct drop_sums *sums)
{
	uint64_t rest = 0, shown = 0;

	EACH_OF(sums->sum, sums->count, const struct drop_sum, sum) {
		if (!sum_is_loss(sum))
			continue;
		if (shown == SHOWN_REASONS) {
			rest += sum->count;
			continue;
		}
		shown++;
		say(to, timeline, "{,}{count} {machine}{foreign}", COUNT(sum->count),
		    MACHINE(sum->machine), FOREIGN(sum->reason));
	}
	if (rest)
		say(to, NULL, "{,}{count} for other reasons", COUNT(rest));
}

enum events_recorded drop_list_recorded(const struct question *question)
{
	return question->resolved->seen.has[EVENT_NET_DROP]
	               ? EVENTS_SEEN
	               : recorded_events(&question->resolved->recorded, "net", "skb:kfree_skb",
	                                 question->resolved->described.has[EVENT_NET_DROP]);
}

void drop_list_print(const struct tally *drops, const struct question *question,
                     const struct output *to)
{
	struct drop_sums sums = drop_sums_of(drops, question);
	_cleanup_(buffer_release) struct buffer reasons = {0};
	uint64_t lost = 0, freed = 0;

	for (size_t i = 0; i < sums.count; i++)
		*(sum_is_loss(&sums.sum[i]) ? &lost : &freed) += sums.sum[i].count;
	if (lost)
		drop_losses_append(&reasons, question->timeline, &sums);
	if (sums.count)
		say_to(to, NULL,
		       "[{count} packet{|s} dropped[: {text}]][[{if}; ]{count} "
		       "[{if}more|packet{|s}] freed [{if}when a socket closed or without a stated "
		       "reason|for reasons that this kernel does not report]].",
		       WHEN(lost, COUNT(lost)), TEXT(reasons.text), IF(lost),
		       WHEN(freed, COUNT(freed)), IF(lost), IF(sums_have_reasons(&sums)));
	else if (drop_list_recorded(question) <= EVENTS_NONE)
		prose_put(to, "No packet was dropped.");
	sums_release(&sums);
}

static const struct column function_columns[] = {
	{"function", "FUNCTION", CELL_TEXT, 0},
	{"count", "PACKETS", CELL_COUNT, 0},
};

/* "tcp_v4_rcv", "ip_rcv_core 31, ip_local_deliver 2, 3 more". */
static void where_append(struct buffer *to, const struct intern *names,
                         const struct drop_row *row, size_t count)
{
	for (size_t i = 0; i < count && i < SHOWN_DROPPERS; i++)
		say(to, NULL, "{,}{text}[ {count}]", TEXT(intern_text(names, row[i].key.function)),
		    WHEN(count > 1, COUNT(row[i].count)));
	say_more(to, count, SHOWN_DROPPERS);
}

#define AT(member) RELATION_AT(struct drop_sum, member)

enum {COLUMN_MACHINE, COLUMN_REASON, COLUMN_FUNCTIONS = 3, COLUMN_WHERE};

static const struct field fields[] = {
	[COLUMN_MACHINE] = {MACHINE_COLUMN, AT(machine)},
	[COLUMN_REASON] = {"reason", "REASON", CELL_TEXT, 0, FILLED},
	{"count", "PACKETS", CELL_COUNT, 0, AT(count)},
	[COLUMN_FUNCTIONS] = {"functions", NULL, CELL_ROWS, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_WHERE] = {NULL, "DROPPED IN", CELL_TEXT, 0, FILLED},
};

/* What the rows of the table are made of. */
struct shown_drops {
	const struct intern *names;
	const struct drop_row *row;
};

static void sum_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct shown_drops *drops = view;
	const struct drop_sum *sum = of;
	const struct drop_row *row = &drops->row[sum->first];
	struct cell *function =
		xcalloc(sum->functions, ARRAY_SIZE(function_columns) * sizeof(*function));

	buffer_puts_clean(&text[COLUMN_REASON], sum->reason, strlen(sum->reason));
	where_append(&text[COLUMN_WHERE], drops->names, row, sum->functions);
	cell[COLUMN_FUNCTIONS].rows = (struct cell_rows){
		function_columns, ARRAY_SIZE(function_columns), function, sum->functions};
	for (size_t i = 0; i < sum->functions; i++) {
		*function++ = (struct cell){.type = CELL_TEXT,
		                            .text = intern_text(drops->names, row[i].key.function)};
		*function++ = (struct cell){.type = CELL_COUNT, .count = row[i].count};
	}
}

static void columns_adapt(const void *view, const struct relation_rows *rows, struct column *shown)
{
	(void)view;
	if (rows->count == 0)
		relation_drop(&shown[COLUMN_MACHINE]);
}

static const struct relation_form form = {
	"drops", "Packets that were dropped", FIELDS(fields), .fill = sum_fill,
	.adapt = columns_adapt, .is_hidden_if_empty = true,
};

void drop_list_put(const struct tally *drops, const struct question *question,
                   const struct output *to)
{
	struct drop_sums sums = drop_sums_of(drops, question);
	const struct tally table = relation_of(sums.sum, sizeof(*sums.sum), sums.count);
	const struct shown_drops shown = {&question->timeline->names, sums.row};

	relation_put(&table, &form, &shown, question, to);
	sums_release(&sums);
	relation_note_left_out(drops, &list_form, question);
}
