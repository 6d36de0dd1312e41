/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cause_steps.h"

#include "base/buffer.h"
#include "base/format.h"
#include "state/core/cpu_state.h"
#include "words/cause_words.h"
#include "words/task_words.h"

/* ", in a soft interrupt", ", by make[7]": where the waker ran. */
static void place_append(struct buffer *to, const struct timeline *timeline,
                         const struct cause_step *step)
{
	static const char *const levels[LEVEL_COUNT] = {
		[LEVEL_TASK] = "",
		[LEVEL_SOFT] = ", in a soft interrupt",
		[LEVEL_HARD] = ", in a hard interrupt",
	};
	struct task task;

	buffer_printf(to, " cpu %u%s", step->cpu, levels[step->level]);
	if (step->level != LEVEL_TASK || step->current == LINE_NONE)
		return;
	task = timeline_task(timeline, step->current, step->time);
	buffer_puts(to, ", by ");
	task_text_append(to, &task);
}

void cause_steps_add(void *state, const struct cause_step *step)
{
	const struct cause_steps *steps = state;
	struct timeline *timeline = steps->question->timeline;
	struct cause cause;
	struct task task;
	struct buffer line;

	if (step->wakee == LINE_NONE || !question_asks_line(steps->question, step->wakee))
		return;
	task = timeline_task(timeline, step->wakee, step->time);
	cause = timeline_cause(timeline, step->cause, step->time);
	buffer_init(&line, 1024);
	buffer_puts(&line, INSTANT_TEXT(step->time - timeline->begin));
	if (step->cpu != UINT32_MAX)
		place_append(&line, timeline, step);
	buffer_puts(&line, ": ");
	task_text_append(&line, &task);
	buffer_printf(&line, ": %s %s: ", step->tracker, step->what);
	cause_text_append(&line, &cause);
	buffer_printf(&line, ", %s\n", confidence_name((enum confidence)step->cause->confidence));
	steps->put(line.text);
	buffer_release(&line);
}
