/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cause_words.h"

#include <assert.h>
#include <string.h>

#include "cause_kind.h"
#include "stall.h"
#include "unknown_words.h"

/* Appends which task stopped it: the cause that ended the stop is not the reason for the stop. */
static void stop_append(struct buffer *to, const struct cause *cause)
{
	buffer_puts(to, "stopped");
	if (!cause || !cause_has_stopper(cause))
		return;
	buffer_puts(to, " by ");
	buffer_puts(to, cause->originator.comm);
}

bool link_end_append(struct buffer *to, const struct chain_link *link)
{
	bool waits = !link->state || strcmp(link->state, "waiting") == 0;

	if (!link->cause && !waits && strcmp(link->state, "running") == 0)
		return false;
	buffer_putc(to, '[');
	if (link->state && strcmp(link->state, "stopped") == 0)
		stop_append(to, link->cause);
	else if (link->cause)
		cause_name_append(to, link->cause);
	else if (link->end_words)
		buffer_puts(to, link->end_words);
	else if (waits)
		buffer_puts(to, WORDS_STILL_WAITING);
	else
		buffer_puts(to, link->state);
	buffer_putc(to, ']');
	return true;
}

/* Appends the purpose of the wait: inside the parentheses at the end of the text, if it ends with
   any: "(exit; for data from a pipe)". */
static void purpose_append_remark(struct buffer *to, const struct cause *cause, bool has_remark)
{
	if (!has_remark || !cause_has_remark(cause)) {
		purpose_append(to, cause);
		return;
	}
	buffer_truncate(to, to->length - strlen(")"));
	remark_append(to, cause, "; ", ")");
}

/* Appends the stall, " (delayed ACK)"; returns whether there was one. */
static bool stall_append(struct buffer *to, const struct cause *cause)
{
	const struct stall *stall = cause_stall(cause);

	/* if it is held back, the phrase already says why */
	if (!stall || !stall->words || cause_is_held_back(cause))
		return false;
	buffer_puts(to, " (");
	buffer_puts(to, stall->words);
	buffer_putc(to, ')');
	return !to->is_cut;
}

void cause_text_append(struct buffer *to, const struct cause *cause)
{
	const struct cause_kind_row *row = &cause_kinds[cause->kind];

	assert(cause->kind < CAUSE_KIND_COUNT);
	buffer_puts(to, row->word);
	if (row->text)
		row->text(to, cause);
	else
		name_append(to, cause->name);
	(void)stall_append(to, cause);
	if (cause_has_stopper(cause))
		originator_append(to, cause, " (stopped by ", ")");
	/* not for memory, which is the cause itself, nor for a disk, of which the purpose comes
	   before the request */
	if (cause->kind != CAUSE_MEMORY && cause->kind != CAUSE_DISK)
		purpose_append_remark(to, cause, to->length && to->text[to->length - 1] == ')');
}

void open_text_append(struct buffer *to, const char *open, const struct cause *cause)
{
	buffer_puts(to, open);
	if (cause->kind != CAUSE_UNKNOWN) {
		buffer_puts(to, ": ");
		cause_text_append(to, cause);
		return;
	}
	if (cause->name) {
		buffer_puts(to, ": ");
		buffer_puts_clean(to, cause->name, strlen(cause->name));
	}
	purpose_append(to, cause);
}

void cause_name_append(struct buffer *to, const struct cause *cause)
{
	const struct cause_kind_row *row = &cause_kinds[cause->kind];
	bool has_remark;

	assert(cause->kind < CAUSE_KIND_COUNT);
	buffer_puts(to, cause->kind == CAUSE_UNKNOWN ? unknown_words(cause)
	                                             : cause_kind_words(cause->kind));
	if (row->object)
		row->object(to, cause);
	else
		name_append(to, cause->name);
	member_words_append(to, cause);
	/* an interrupt that is not known ends with one */
	has_remark = stall_append(to, cause) || cause->kind == CAUSE_INTERRUPT;
	if (cause->kind != CAUSE_MEMORY)
		purpose_append_remark(to, cause, has_remark);
}

void cause_awaited_append(struct buffer *to, const struct cause *cause)
{
	if (cause->kind != CAUSE_UNKNOWN)
		cause_name_append(to, cause);
	else if (cause_has_remark(cause))
		remark_append(to, cause, "", "");
	else if (cause->name)
		buffer_puts_clean(to, cause->name, strlen(cause->name));
	else
		buffer_puts(to, WORDS_NOT_RECORDED);
}

bool cause_is_task(const struct cause *cause, const struct task *task)
{
	const char *name = cause->has_waker ? cause->waker.comm : cause->name;

	return cause->kind == CAUSE_TASK && name && strcmp(name, task->comm) == 0;
}

void cause_awaited_append_beside(struct buffer *to, const struct cause *cause,
                                 const struct task *task)
{
	if (!task || !cause_is_task(cause, task))
		cause_awaited_append(to, cause);
	else if (cause_has_remark(cause))
		remark_append(to, cause, "", "");
	else
		buffer_puts(to, cause_kind_words(CAUSE_TASK));
}
