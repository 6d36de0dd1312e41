/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_words.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/prose.h"
#include "analysis/recorded.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "lock_contention.h"
#include "lock_ending.h"
#include "lock_party.h"

enum lock_row_rank lock_row_rank(const struct lock_row *row)
{
	if (!lock_kind_has_owner((enum lock_kind)row->lock.kind))
		return RANK_NOBODYS;
	return row->knows_owners ? RANK_LOCK : RANK_UNKNOWN;
}

bool lock_row_is_lock(const struct lock_row *row)
{
	return lock_row_rank(row) == RANK_LOCK;
}

/* By the time that tasks slept, whatever order is asked for. */
static bool row_is_worse(const struct lock_figures *a, const struct lock_figures *b)
{
	return a->slept != b->slept ? a->slept > b->slept : a->length.total > b->length.total;
}

/* The main owner of that lock; "" if it is not known. */
static void lock_owner_append(struct buffer *to, const struct question *question,
                              const struct lock_row *row)
{
	size_t count;
	struct lock_party *party = lock_parties(row->share, row->count, /* is_owners= */ true,
	                                        &count);

	if (count) {
		double share = nsec_ratio(party->total, row->figures.length.total);

		buffer_puts(to, ", held ");
		buffer_printf(to, "%s of that by ", RATIO_TEXT(share));
		prose_task_append(to, question->timeline, party->line);
	}
	free(party);
}

/* Whether the trace has the events that describe futexes. */
static bool question_sees_futexes(const struct question *question)
{
	return event_kinds_have_any(&question->resolved->seen,
	                            EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_FUTEX_ENTER));
}

/* Says that futexes, which most programs use, may be missing. */
static void words_print_unseen(const struct question *question, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	/* a task without system calls waits for no futex */
	if (question_sees_futexes(question) ||
	    recorded_has(&question->resolved->recorded, "syscalls"))
		return;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&line, "Locks of programs (futexes, as of pthread mutexes) are not seen in "
	                   "this recording, which has no system calls (");
	record_line_append(&line, &question->resolved->recorded, "syscalls", /* stacks= */ false);
	buffer_puts(&line, ").");
	prose_put(to, line.text);
}

/* Only for locks; their rows come first. */
static void words_print_locks(const struct question *question, const struct lock_row *row,
                              size_t count, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line;
	const struct lock_row *most = row;
	struct lock_figures all = {0};

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	if (count == 0 || !lock_row_is_lock(row)) {
		buffer_printf(&line, "No contention for %s was seen.",
		              question_sees_futexes(question) ? "a lock"
		                                      : "a lock of the kernel or of a file");
		prose_put(to, line.text);
		return;
	}
	for (size_t i = 0; i < count && lock_row_is_lock(&row[i]); i++) {
		lock_figures_add(&all, &row[i].figures);
		if (row_is_worse(&row[i].figures, &most->figures))
			most = &row[i];
	}
	buffer_printf(&line, "Tasks slept %s for locks%s and only spun for %s; most for ",
	              DURATION_TEXT(all.slept),
	              question_sees_futexes(question) ? "" : " of the kernel and of files",
	              DURATION_TEXT(all.length.total - all.slept));
	lock_append(&line, question->timeline, &most->lock);
	buffer_printf(&line, " (%s", DURATION_TEXT(most->figures.length.total));
	lock_owner_append(&line, question, most);
	buffer_puts(&line, ").");
	if (all.open)
		buffer_printf(&line, " %s of them had not got it when the trace ended.",
		              COUNT_TEXT(all.open));
	prose_put(to, line.text);
	distribution_release(&all.length);
}

/* "view[7] came last 19 of 20 times" */
static void ending_append(struct buffer *to, const struct question *question,
                          const struct lock_row *row, const char *verb)
{
	size_t count;
	uint64_t all;
	struct lock_ending *ending = lock_endings(row->share, row->count,
	                                          (enum lock_kind)row->lock.kind, &count, &all);

	if (count && row->lock.kind == LOCK_JOIN) {
		buffer_puts(to, "; most for that of ");
		prose_task_append(to, question->timeline, ending->line);
	} else if (count) {
		buffer_puts(to, ", where ");
		prose_task_append(to, question->timeline, ending->line);
		buffer_printf(to, " %s %" PRIu64 " of %" PRIu64 " time%s", verb, ending->count, all,
		              format_plural(all));
	}
	free(ending);
}

/* One sentence for all of a kind without an owner, or without a known one. */
static void words_print_kind(const struct question *question, const struct lock_row *row,
                             size_t count, enum lock_kind kind, const struct output *to)
{
	static const struct {
		const char *words, *verb;
	} of_kind[] = {
		[LOCK_FUTEX] = {"where it is not known whether for a lock", NULL},
		[LOCK_JOIN] = {"for ends of threads", "ended"},
		[LOCK_CONDITION] = {"for conditions", "signalled"},
		[LOCK_BARRIER] = {"at barriers", "came last"},
	};
	_cleanup_(buffer_release) struct buffer line = {0};
	const struct lock_row *most = NULL;
	nsec_t total = 0;

	for (size_t i = 0; i < count; i++) {
		if (row[i].lock.kind != kind || lock_row_is_lock(&row[i]))
			continue;
		total += row[i].figures.length.total;
		if (!most || row[i].figures.length.total > most->figures.length.total)
			most = &row[i];
	}
	if (!most)
		return;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&line, "Tasks slept %s %s", DURATION_TEXT(total),
	              of_kind[kind].words);
	if (kind != LOCK_JOIN) {
		buffer_puts(&line, "; most at ");
		lock_append(&line, question->timeline, &most->lock);
		buffer_printf(&line, " (%s)", DURATION_TEXT(most->figures.length.total));
	}
	if (of_kind[kind].verb)
		ending_append(&line, question, most, of_kind[kind].verb);
	buffer_putc(&line, '.');
	prose_put(to, line.text);
}

void lock_words_print(const struct question *question, const struct lock_row *row, size_t count,
                      const struct output *to)
{
	static const enum lock_kind others[] = {LOCK_FUTEX, LOCK_BARRIER, LOCK_CONDITION,
	                                        LOCK_JOIN};

	words_print_locks(question, row, count, to);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		words_print_kind(question, row, count, others[i], to);
	words_print_unseen(question, to);
}
