/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "path_task.h"

#include "asked_tasks.h"
#include "base/parse.h"
#include "wait_list.h"

static nsec_t line_waiting(const struct line *line)
{
	nsec_t waiting = 0;

	for (size_t at = 0; at < line->segment_count; at++)
		if (line->segment[at].kind == SEGMENT_WAIT)
			waiting += timeline_segment_end(line, at) - line->segment[at].begin;
	return waiting;
}

/* Of the lines that match the name, the one that waits most; LINE_NONE: no line matches. */
static uint32_t find_by_comm(const struct timeline *timeline, const char *glob)
{
	uint32_t best = LINE_NONE;
	nsec_t most = 0;

	for (uint32_t index = 0; index < timeline->line_count; index++) {
		const struct line *line = &timeline->line[index];
		nsec_t waiting;

		if (line->is_idle || line->segment_count == 0 ||
		    !line_is_called(timeline, line, glob))
			continue;
		waiting = line_waiting(line);
		if (best == LINE_NONE || waiting > most) {
			best = index;
			most = waiting;
		}
	}
	return best;
}

/* The last task that had the tid. */
static uint32_t find_by_tid(const struct timeline *timeline, int32_t tid)
{
	for (uint32_t index = (uint32_t)timeline->line_count; index-- > 0;)
		if (timeline->line[index].tid == tid && timeline->line[index].segment_count)
			return index;
	return LINE_NONE;
}

/* Without a name: the recorded command, else the asked task that waits most. A kernel thread is
   chosen only if no other tasks are asked for: waiting is its purpose. */
static uint32_t task_choose(const struct question *question, const char **ret_why)
{
	uint32_t best = LINE_NONE;
	bool is_best_kernel = false;
	nsec_t most = 0;

	*ret_why = "of the asked tasks it waited most";
	for (uint32_t index = 0; index < question->timeline->line_count; index++) {
		const struct line *line = &question->timeline->line[index];
		bool is_kernel;

		if (!question->resolved->is_asked[index] || line->segment_count == 0)
			continue;
		if (line->is_command) {
			*ret_why = "the recorded command";
			return index;
		}
		is_kernel = line_is_kernel(question->timeline, index);
		if (best == LINE_NONE || is_kernel < is_best_kernel ||
		    (is_kernel == is_best_kernel && line_waiting(line) > most)) {
			best = index;
			is_best_kernel = is_kernel;
			most = line_waiting(line);
		}
	}
	if (!is_best_kernel)
		*ret_why = "of the asked programs it waited most";
	return best;
}

struct path_window path_task_window(const struct question *question, uint32_t index)
{
	const struct line *line = &question->timeline->line[index];
	struct path_window window = {
		.begin = question->resolved->begin, .end = question->resolved->end};

	window.is_from_birth = question->from == NSEC_NEVER && line->born != NSEC_NEVER &&
	                       line->born < question->resolved->end;
	if (window.is_from_birth)
		window.begin = line->born;
	window.is_to_death = question->to == NSEC_NEVER && !line->is_open &&
	                     line->end > window.begin;
	if (window.is_to_death)
		window.end = line->end;
	return window;
}

uint32_t path_task_find(const struct question *question, const char **ret_why)
{
	int32_t tid;

	*ret_why = NULL;
	if (!question->asked->path.task)
		return task_choose(question, ret_why);
	if (parse_pid(question->asked->path.task, &tid) == 0)
		return find_by_tid(question->timeline, tid);
	return find_by_comm(question->timeline, question->asked->path.task);
}

bool path_task_fits(const struct question *question, uint32_t index)
{
	const struct line *line = &question->timeline->line[index];
	int32_t tid;

	if (parse_pid(question->asked->path.task, &tid) == 0)
		return line->tid == tid;
	return line_is_called(question->timeline, line, question->asked->path.task);
}

void path_task_take_argument(struct asked *asked, const char *text)
{
	asked->path.task = text;
}

bool path_task_is_there(const struct question *question, struct buffer *why)
{
	const char *unused;

	if (!question->asked->path.task || path_task_find(question, &unused) != LINE_NONE)
		return true;
	asked_name_lack(question->timeline, question->asked->path.task, why);
	return false;
}

void path_target_find(const struct question *question, struct path_target *ret)
{
	const nsec_t end = question->resolved->end;
	struct wait wait;

	ret->line = path_task_find(question, &ret->why);
	ret->window = (struct path_window){.begin = end, .end = end};
	if (question->asked->wait == 0) {
		if (ret->line != LINE_NONE)
			ret->window = path_task_window(question, ret->line);
		return;
	}
	ret->line = LINE_NONE;
	ret->why = "the asked wait";
	if (wait_list_find_asked(question, &wait)) {
		ret->line = wait.line;
		ret->window = (struct path_window){.begin = wait.begin, .end = wait.end};
	}
}
