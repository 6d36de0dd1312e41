/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In a program of many processes, such as a browser, one process may ask a server, while another
 * goes on with timers and drawing until the answer has come. Then no wait of the one task is for
 * the answer, so its path does not show the answer, although the user may wait for it. The
 * recording does not show for which task the request was made, so the sentence states only how long
 * it was unanswered.
 *
 * For each asked task and address: how long at least one of its requests was unanswered. About 40
 * bytes a row, at most ANSWER_ROWS_MAX.
 */
#include "summary_answers.h"

#include <stdlib.h>

#include "analysis/tables/interval_gate.h"
#include "analysis/prose.h"
#include "analysis/tables/relation.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/xalloc.h"

#define ANSWER_ROWS_MAX (1u << 12)
#define ANSWER_LEAST    0.1 /* least part of the one task's life that is worth a sentence */
/* A client's requests count as on the path if at least this part of their time is. */
#define ON_PATH_LEAST   0.5

struct answer_key {
	uint32_t task;    /* track: the client */
	uint32_t address; /* name id: the server's; 0: not known */
};

struct answer_row {
	struct answer_key key;
	uint64_t count;   /* number of requests that were answered */
	nsec_t total;     /* time in which at least one request was unanswered */
	nsec_t until;     /* end of the time that `total` counts */
};

struct summary_answers {
	const struct question *question;
	struct relation rows;
	struct interval_gate gate;
};

static void answers_take(void *state, const struct interval *interval);

struct summary_answers *summary_answers_new(const struct question *question)
{
	struct summary_answers *answers = xcalloc(1, sizeof(*answers));

	answers->question = question;
	relation_init(&answers->rows, sizeof(struct answer_row), sizeof(struct answer_key),
	              ANSWER_ROWS_MAX);
	interval_gate_init(&answers->gate, question, answers_take);
	answers->gate.wide_kinds = INTERVAL_MASK_ALL;
	return answers;
}

void summary_answers_free(struct summary_answers *answers)
{
	relation_release(&answers->rows, /* form= */ NULL);
	interval_gate_release(&answers->gate);
	free(answers);
}

/* Requests on several connections may overlap; the time of the overlap counts once. Requests are
   reported in order of their ends, and not of their begins, so a little time may not be counted. */
static void answers_take(void *state, const struct interval *interval)
{
	struct summary_answers *answers = state;
	const struct answer_key key = {interval->task, interval->exchange.of.peer};
	nsec_t begin = interval->begin, end = interval->end;
	struct answer_row *row;

	if (answers->question->resolved && answers->question->resolved->is_windowed &&
	    !question_clip(answers->question, &begin, &end))
		return;
	row = relation_row(&answers->rows, &key);
	if (!row)
		return;
	row->count++;
	if (begin < row->until)
		begin = row->until;
	if (end <= begin)
		return;
	row->total += end - begin;
	row->until = end;
}

void summary_answers_add(struct summary_answers *answers, const struct interval *interval)
{
	const struct exchange_interval *exchange = &interval->exchange;
	struct interval unanswered = *interval;

	if (interval->kind != INTERVAL_EXCHANGE || !exchange->is_active || exchange->is_guess ||
	    exchange->wait == NSEC_NEVER || interval->task == TRACK_NONE)
		return;
	/* a client's turn begins with the first read of the answer (state/exchange.h) */
	unanswered.begin = interval->begin - exchange->wait;
	unanswered.end = interval->begin;
	interval_gate_pass(&answers->gate, answers, &unanswered);
}

void summary_answers_resolve(struct summary_answers *answers)
{
	interval_gate_resolve(&answers->gate, answers);
}

/* Whether the node is of that task. Of a node of several tasks of one name, as of programs that run
   one after the other, it is not known what each had of it: then it counts for each of them. */
static bool node_is_of(const struct chain_node *node, uint32_t task, uint32_t comm)
{
	const struct voter voter = chain_node_voter(node);

	return voter.own == voter.all ? voter.track == task : node->comm == comm;
}

/* The time of the path that lies in waits of the task, including everything that it waited for. */
static nsec_t time_on_path(const struct explanation *explanation, uint32_t task)
{
	const struct chain_tree *path = &explanation->path;
	uint32_t comm = track_name(&explanation->question->timeline->track[task]);
	_cleanup_(freep) bool *is_below = xcalloc(path->count, sizeof(*is_below));
	nsec_t total = 0;

	/* a node comes after its parent */
	for (size_t i = CHAIN_ROOT + 1; i < path->count; i++) {
		const struct chain_node *node = &path->node[i];

		is_below[i] = is_below[node->parent] || (node->state == PART_WAITING &&
		                                         node_is_of(node, task, comm));
		if (is_below[i])
			total += node->total;
	}
	return total;
}

static bool row_matters(const struct answer_row *row, const struct explanation *explanation)
{
	nsec_t life = explanation->path_until - explanation->path_begin;

	return row->key.task != explanation->path_track &&
	       nsec_ratio(row->total, life) >= ANSWER_LEAST &&
	       (double)time_on_path(explanation, row->key.task) <
	               ON_PATH_LEAST * (double)row->total;
}

bool summary_answers_report(const struct summary_answers *answers,
                            const struct explanation *explanation, const struct output *to)
{
	const struct question *question = answers->question;
	_cleanup_(buffer_release) struct buffer line = {0};
	const struct answer_row *most = NULL;

	if (explanation->path_track == TRACK_NONE)
		return false;
	for (size_t i = 0; i < answers->rows.count; i++) {
		const struct answer_row *row = relation_at(&answers->rows, i);

		if (question->resolved->is_asked[row->key.task] &&
		    (!most || row->total > most->total) && row_matters(row, explanation))
			most = row;
	}
	if (!most)
		return false;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&line, "Meanwhile %s request%s of ", COUNT_TEXT(most->count),
	              format_plural(most->count));
	prose_task_append(&line, question->timeline, most->key.task);
	if (most->key.address)
		buffer_printf(&line, " to %s",
		              intern_text(&question->timeline->names, most->key.address));
	buffer_printf(&line, " %s unanswered for %s; whether ", most->count > 1 ? "were" : "was",
	              DURATION_TEXT(most->total));
	prose_task_append(&line, question->timeline, explanation->path_track);
	buffer_puts(&line, " waited for that is not known (--net).");
	prose_put(to, line.text);
	return true;
}
