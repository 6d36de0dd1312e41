/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_unread.h"

#include <stdio.h>
#include <string.h>

#include "base/text/format.h"
#include "text_value.h"

/* "2389: 94:R" */
struct wakeup_task {
	uint64_t tid, prio;
	char state;
};

static bool take_task(struct text_line *line, struct wakeup_task *ret)
{
	line_skip_blanks(line);
	if (!text_value_decimal(line, &ret->tid) || !line_skip(line, ":"))
		return false;
	line_skip_blanks(line);
	if (!text_value_decimal(line, &ret->prio) || !line_skip(line, ":") ||
	    line->at == line->end)
		return false;
	ret->state = *line->at++;
	line_skip_blanks(line);
	return true;
}

void text_wakeup_replace(struct text_head *head, char to[static TEXT_WAKEUP_BYTES])
{
	struct text_line line = head->rest;
	struct wakeup_task by, task;
	uint64_t cpu;
	bool is_switch;
	int length;

	if (!take_task(&line, &by))
		return;
	is_switch = line_skip(&line, "==> [");
	if ((!is_switch && !line_skip(&line, "+ [")) || !text_value_decimal(&line, &cpu) ||
	    !line_skip(&line, "]") || !take_task(&line, &task))
		return;
	if (is_switch)
		length = snprintf(to, TEXT_WAKEUP_BYTES,
		                  "sched_switch: prev_comm= prev_pid=%d prev_prio=%d prev_state=%c "
		                  "==> next_comm=%.*s next_pid=%d next_prio=%d",
		                  (int)by.tid, (int)by.prio, by.state, (int)line_length(line),
		                  line.at, (int)task.tid, (int)task.prio);
	else
		length = snprintf(to, TEXT_WAKEUP_BYTES,
		                  "sched_wakeup: comm=%.*s pid=%d prio=%d target_cpu=%d",
		                  (int)line_length(line), line.at, (int)task.tid, (int)task.prio,
		                  (int)cpu);
	if (length > 0 && length < TEXT_WAKEUP_BYTES)
		head->rest = (struct text_line){to, to + length};
}

#define NS_IN_US 1000
#define COMMENT  "/* "

/* " 12) rest": the CPU. */
static bool take_cpu(struct text_line *line, uint32_t *ret)
{
	const char *close;
	int64_t cpu;

	line_skip_blanks(line);
	close = memchr(line->at, ')', line_length(*line));
	cpu = close ? word_number((struct text_line){line->at, close}, TEXT_CPUS_MAX - 1) : -1;
	if (cpu < 0)
		return false;
	line->at = close + 1;
	*ret = (uint32_t)cpu;
	return true;
}

/* "app-300": the number after the last dash; -1: none. */
static int32_t task_of(struct text_line word)
{
	const char *dash = memrchr(word.at, '-', line_length(word));

	return dash ? (int32_t)word_number((struct text_line){dash + 1, word.end}, INT32_MAX) : -1;
}

/* The word that ends there, behind blanks. */
static struct text_line word_before(const char *begin, const char *end)
{
	const char *at;

	while (end > begin && end[-1] == ' ')
		end--;
	for (at = end; at > begin && at[-1] != ' ';)
		at--;
	return (struct text_line){at, end};
}

/* "500.000000 |", behind what a log puts before it */
static bool take_time(struct text_line *line, struct text_head *head)
{
	struct text_line rest = *line, word = line_until(*line, '|');

	rest.at = word.end;
	word = word_before(word.at, word.end);
	if (!text_value_seconds(word, &head->time, &head->step) || head->step != NS_IN_US ||
	    !line_skip(&rest, "|"))
		return false;
	*line = rest;
	return true;
}

bool text_graph_parse(struct text_line line, struct text_head *ret, bool *ret_has_time)
{
	const char *comment = memmem(line.at, line_length(line), COMMENT, sizeof(COMMENT) - 1);
	const char *end = line.end;
	struct text_line before = {line.at, comment};

	if (!comment || !memchr(line.at, '|', (size_t)(comment - line.at)))
		return false;
	while (end > comment && end[-1] == ' ')
		end--;
	if (end - comment < 6 || end[-1] != '/' || end[-2] != '*')
		return false;
	for (end -= 2; end > comment && end[-1] == ' ';)
		end--;
	*ret = (struct text_head){.tid = -1, .tgid = -1};
	*ret_has_time = take_time(&before, ret);
	if (!take_cpu(&before, &ret->cpu))
		return false;
	line_skip_blanks(&before);
	if (before.at < before.end && *before.at != '|')
		ret->tid = task_of(line_word(&before));
	ret->comm = (struct text_line){before.at, before.at};
	ret->rest = (struct text_line){comment + sizeof(COMMENT) - 1, end};
	return true;
}

bool text_graph_switch(struct text_line line, uint32_t *ret_cpu, int32_t ret_tids[static 2])
{
	const char *arrow;

	if (!take_cpu(&line, ret_cpu))
		return false;
	arrow = memmem(line.at, line_length(line), " => ", 4);
	if (!arrow)
		return false;
	while (arrow > line.at && arrow[-1] == ' ')
		arrow--;
	ret_tids[0] = task_of((struct text_line){line.at, arrow});
	line.at = memchr(arrow, '>', (size_t)(line.end - arrow));
	line.at++;
	line_skip_blanks(&line);
	ret_tids[1] = task_of(line_word(&line));
	return ret_tids[0] >= 0 && ret_tids[1] >= 0;
}

static const char *const reasons[TEXT_REASONS] = {
	[TEXT_NO_TIME] = ("the output of function_graph has no time of them (before tracing: "
	                  "echo 1 > options/funcgraph-abstime, or echo nop > current_tracer)"),
	[TEXT_NO_UNIT] = "its clock counts no seconds (before tracing: echo mono > trace_clock)",
	[TEXT_RAW] = "they are numbers (echo 0 > options/raw, options/hex and options/bin)",
	[TEXT_NO_HEAD] = ("ftwait finds no task, CPU and time before them (before tracing: "
	                  "echo 1 > options/context-info, echo 0 > options/verbose)"),
	[TEXT_NO_COLUMN] = ("perf script printed no CPU or time of them (perf script "
	                    "-F comm,tid,cpu,time,event,trace)"),
	[TEXT_NO_FIELDS] = "ftwait does not know the form of their fields, as of ",
	[TEXT_TOO_LONG] = "no event has more than 16 KiB in its line",
};

static bool is_number(struct text_line word)
{
	return word_number(word, INT64_MAX) >= 0;
}

/* "123456:" where seconds would have a dot, behind "[001]" or the flags. */
static bool is_count(struct text_line word)
{
	return line_length(word) > 1 && word.end[-1] == ':' &&
	       is_number((struct text_line){word.at, word.end - 1});
}

/* "7161 1 5519027629607 type: 372" */
static bool is_raw(struct text_line line)
{
	const char *type = memmem(line.at, line_length(line), " type: ", 7);

	return type && is_number((struct text_line){type + 7, line.end}) &&
	       line_length(word_before(line.at, type)) > 8;
}

static enum text_reason reason_of(struct text_line line, struct text_line name)
{
	struct text_line before = word_before(line.at, name.at);

	if (word_is(before, "/*") && memchr(line.at, '|', (size_t)(before.at - line.at)))
		return TEXT_NO_TIME;
	if (name.at > line.at && name.at[-1] == ':')
		return TEXT_NO_COLUMN;
	return is_count(before) ? TEXT_NO_UNIT : TEXT_NO_HEAD;
}

/* An event that ftwait does not know: "a-77 [001] .... 123456: name: ". */
static bool is_count_of_other(struct text_line line)
{
	const char *cpu = memmem(line.at, line_length(line), " [", 2);
	struct text_line word, rest = {cpu ? cpu + 1 : line.end, line.end};

	word = line_word(&rest);
	if (line_length(word) < 5 || word.end[-1] != ']' ||
	    !is_number((struct text_line){word.at + 1, word.end - 1}))
		return false;
	while (rest.at < rest.end) {
		word = line_word(&rest);
		if (line_length(word) > 4 && is_count(word)) /* "0:" may be a mark */
			break;
	}
	line_skip_blanks(&rest);
	return rest.at < rest.end && text_line_is_event(rest);
}

/* An event within the output of function_graph. */
static bool is_untimed(struct text_line line)
{
	struct text_head head;
	bool has_time;

	return text_graph_parse(line, &head, &has_time) && !has_time &&
	       text_line_is_event(head.rest);
}

static void unread_count(struct text_unread *unread, enum text_reason reason, uint64_t number)
{
	unread->lines[reason]++;
	if (!unread->first)
		unread->first = number;
}

bool text_unread_see(struct text_unread *unread, struct text_line line, uint64_t number)
{
	struct text_line name;

	if (text_line_find_event(line, &name))
		unread_count(unread, reason_of(line, name), number);
	else if (is_raw(line))
		unread_count(unread, TEXT_RAW, number);
	else if (is_untimed(line))
		unread_count(unread, TEXT_NO_TIME, number);
	else if (is_count_of_other(line))
		unread_count(unread, TEXT_NO_UNIT, number);
	else
		return false;
	return true;
}

void text_unread_fields(struct text_unread *unread, struct text_line event, uint64_t number)
{
	size_t length = line_length(line_until(event, ':'));

	if (!unread->lines[TEXT_NO_FIELDS] && length < sizeof(unread->name))
		memcpy(unread->name, event.at, length);
	unread_count(unread, TEXT_NO_FIELDS, number);
}

bool text_unread_long(struct text_unread *unread, struct text_line begin, uint64_t number)
{
	struct text_line name;
	bool is_event = text_line_find_event(begin, &name);

	if (is_event)
		unread_count(unread, TEXT_TOO_LONG, number);
	return is_event;
}

bool text_unread_describe(const struct text_unread *unread, struct buffer *to)
{
	uint64_t lines = 0;
	const char *between = "";

	for (unsigned i = 0; i < TEXT_REASONS; i++)
		lines += unread->lines[i];
	if (lines == 0)
		return false;
	buffer_printf(to, "%llu line%s event%s, which cannot be read (", (unsigned long long)lines,
	              lines == 1 ? " looks like an" : "s look like", lines == 1 ? "" : "s");
	buffer_printf(to, lines == 1 ? "line %llu): " : "the first is line %llu): ",
	              (unsigned long long)unread->first);
	for (unsigned i = 0; i < TEXT_REASONS; i++) {
		if (!unread->lines[i])
			continue;
		buffer_printf(to, "%s%s%s", between, reasons[i],
		              i == TEXT_NO_FIELDS ? unread->name : "");
		between = "; ";
	}
	return true;
}
