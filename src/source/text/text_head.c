/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_head.h"

#include "base/data/array.h"
#include "ftwait/event.h"
#include "text_value.h"

/* An interrupt's events are named after it, with _entry and _exit. */
static const struct context_row {
	const char *name;
	uint8_t flag;
	bool is_timer;
} rows[] = {
	{"irq_handler", EVENT_HARDIRQ, false},
	{"softirq", EVENT_SOFTIRQ, false},
	{"hrtimer_expire", EVENT_HARDIRQ, true},
	{"ipi", EVENT_HARDIRQ, false},
	{"csd_function", EVENT_HARDIRQ, false},
	/* irq_vectors of x86 */
	{"local_timer", EVENT_HARDIRQ, true},
	{"reschedule", EVENT_HARDIRQ, false},
	{"call_function", EVENT_HARDIRQ, false},
	{"call_function_single", EVENT_HARDIRQ, false},
	{"irq_work", EVENT_HARDIRQ, false},
	{"x86_platform_ipi", EVENT_HARDIRQ, false},
};

static bool name_ends(struct text_line *name, const char *end)
{
	size_t length = strlen(end);

	if (line_length(*name) < length || memcmp(name->end - length, end, length) != 0)
		return false;
	name->end -= length;
	return true;
}

/* The bit of the row that has the name; 0: none. */
static uint16_t row_bit(struct text_line name)
{
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
		if (word_is(name, rows[i].name))
			return (uint16_t)(1u << i);
	return 0;
}

/* On ARM, a timer's interrupt is one of irq_handler_entry: "irq=4 name=arch_timer". */
static bool is_of_timer(uint16_t bit, struct text_line rest)
{
	return rows[__builtin_ctz(bit)].is_timer ||
	       memmem(rest.at, line_length(rest), "_timer", sizeof("_timer") - 1);
}

void text_context_see(struct text_context *context, struct text_head *head)
{
	const char *colon = memchr(head->rest.at, ':', line_length(head->rest));
	struct text_line name = {head->rest.at, colon ? colon : head->rest.at};
	uint16_t *open = &context->open[head->cpu], begins = 0, ends = 0;

	if (name_ends(&name, "_entry"))
		begins = row_bit(name);
	else if (name_ends(&name, "_exit"))
		ends = row_bit(name);
	else if (word_is(name, "sched_switch"))
		*open = 0;
	*open |= begins;
	context->has_any |= begins != 0;
	context->has_timers |= begins && is_of_timer(begins, head->rest);
	for (unsigned i = 0; *open && i < ARRAY_SIZE(rows); i++)
		if (*open & 1u << i)
			head->flags |= rows[i].flag;
	*open &= (uint16_t)~ends;
}

/* The dash after the name must lie within these bytes: known kernels use 20 columns at most, and
   what a log puts before each line some 100. */
#define COMM_REACH 160
#define COMM_MAX   15 /* bytes of a name */
#define FLAGS_MAX  12
#define SECONDS_MAX (INT64_C(1) << 32)
#define COUNTER_MODIFIERS "ukhpPGHSDWIeb" /* letters behind the name of a counter of perf */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct text_line trim(struct text_line word)
{
	line_skip_blanks(&word);
	while (word.end > word.at && word.end[-1] == ' ')
		word.end--;
	return word;
}

/* "(-----)", "( 1234)", "(1234567)" */
static bool take_tgid(struct text_line word, struct text_head *head)
{
	int64_t tgid;

	if (line_length(word) < 3 || word.end[-1] != ')' || head->has_tgid)
		return false;
	word = trim((struct text_line){word.at + 1, word.end - 1});
	head->has_tgid = true;
	head->tgid = -1;
	if (word.at < word.end && *word.at == '-') {
		while (word.at < word.end && *word.at == '-')
			word.at++;
		return word.at == word.end;
	}
	tgid = word_number(word, INT32_MAX);
	head->tgid = (int32_t)tgid;
	return tgid >= 0;
}

static bool take_cpu(struct text_line word, struct text_head *head)
{
	int64_t cpu = word_number(word, TEXT_CPUS_MAX - 1);

	head->cpu = (uint32_t)cpu;
	return cpu >= 0;
}

static bool is_context(char c)
{
	static const char letters[] = {'h', 'H', 's', 'Z', 'z'};

	return memchr(letters, c, sizeof(letters));
}

/* Where the letter of the context stands: kernels with PREEMPT_RT before 6.13 have another one for
   need-resched before it. */
static size_t context_at(struct text_line word, const struct text_legend *legend)
{
	if (legend && legend->context > 0)
		return legend->context;
	return line_length(word) > 5 && !is_context(word.at[2]) && is_context(word.at[3]) ? 3 : 2;
}

/* "d..2.", "dNh1", "....": interrupts disabled, need-resched, context, preempt count, and more */
static bool take_flags(struct text_line word, const struct text_legend *legend,
                       struct text_head *head)
{
	static const bool letters[UINT8_MAX + 1] = {
		['.'] = 1, ['d'] = 1, ['D'] = 1, ['b'] = 1, ['B'] = 1, ['X'] = 1, ['N'] = 1,
		['n'] = 1, ['p'] = 1, ['P'] = 1, ['l'] = 1, ['L'] = 1, ['g'] = 1, ['G'] = 1,
		['Z'] = 1, ['z'] = 1, ['H'] = 1, ['h'] = 1, ['s'] = 1, ['0'] = 1, ['1'] = 1,
		['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1,
		['9'] = 1, ['a'] = 1, ['c'] = 1, ['e'] = 1, ['f'] = 1, ['#'] = 1,
	};
	size_t length = line_length(word), at;

	if (length < 3 || length > FLAGS_MAX || head->has_flags)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!letters[(unsigned char)word.at[i]])
			return false;
	head->has_flags = true;
	at = context_at(word, legend);
	if (*word.at == 'd' || *word.at == 'D')
		head->flags |= EVENT_IRQS_OFF;
	if (*word.at == 'b' || *word.at == 'D')
		head->flags |= EVENT_BH_OFF;
	if (word.at[1] != '.')
		head->flags |= EVENT_RESCHED;
	if (at >= length)
		return true;
	if (word.at[at] == 'h' || word.at[at] == 'H' || word.at[at] == 'Z')
		head->flags |= EVENT_HARDIRQ;
	if (word.at[at] == 's' || word.at[at] == 'H')
		head->flags |= EVENT_SOFTIRQ;
	if (word.at[at] == 'z' || word.at[at] == 'Z')
		head->flags |= EVENT_NMI;
	if (length > at + 1 && is_digit(word.at[at + 1]))
		head->preempt_count = (uint8_t)(word.at[at + 1] - '0');
	return true;
}

/*
 * "500001000us+:", "500001000us :" of the latency format, which marks long delays behind the unit.
 * Cuts a colon that stands alone off the rest.
 */
static bool take_microseconds(struct text_line word, struct text_line *rest,
                              struct text_head *head)
{
	static const char marks[] = {'+', '!', '#', '*', '@', '$'};
	const char *unit = memchr(word.at, 'u', line_length(word));
	int64_t us = -1;

	if (unit)
		us = word_number((struct text_line){word.at, unit}, SECONDS_MAX * 1000000);
	word.at = unit;
	if (us < 0 || !line_skip(&word, "us"))
		return false;
	while (word.at < word.end && memchr(marks, *word.at, sizeof(marks)))
		word.at++;
	line_skip_blanks(rest);
	if (!word_is(word, ":") && (word.at < word.end || !line_skip(rest, ":")))
		return false;
	head->step = 1000;
	head->time = (nsec_t)us * 1000;
	return true;
}

/* "1234.567890:", with at least three digits behind the dot */
static bool take_seconds(struct text_line word, struct text_head *head)
{
	if (line_length(word) < 2 || word.end[-1] != ':')
		return false;
	word.end--;
	return text_value_seconds(word, &head->time, &head->step) && head->step <= 1000000;
}

/* "0d..2.": the latency format has the CPU and the flags without a blank in between, and cuts names
   to eight bytes. */
static bool take_cpu_with_flags(struct text_line word, const struct text_legend *legend,
                                struct text_head *head)
{
	const char *at = word.at;

	while (at < word.end && is_digit(*at))
		at++;
	if (at == word.at || at == word.end || word.end - at < 3)
		return false;
	head->is_short = true;
	return take_cpu((struct text_line){word.at, at}, head) &&
	       take_flags((struct text_line){at, word.end}, legend, head);
}

/* The next word. "( 123)" and "[  1]" are one word each, although they contain blanks. */
static struct text_line take_word(struct text_line *line)
{
	const char *close = NULL;
	struct text_line word;

	line_skip_blanks(line);
	if (line->at < line->end && (*line->at == '(' || *line->at == '['))
		close = memchr(line->at, *line->at == '(' ? ')' : ']', line_length(*line));
	if (!close)
		return line_word(line);
	word = (struct text_line){line->at, close + 1};
	line->at = close + 1;
	return word;
}

/* The columns after the task's ID. */
static bool take_columns(struct text_line line, const struct text_legend *legend,
                         struct text_head *head)
{
	bool has_cpu = false;

	for (;;) {
		struct text_line word = take_word(&line);

		if (word.at == word.end)
			return false;
		if (has_cpu && (take_seconds(word, head) || take_microseconds(word, &line, head)))
			break;
		if (*word.at == '(') {
			if (!take_tgid(word, head))
				return false;
		} else if (*word.at == '[' && !has_cpu) {
			has_cpu = true;
			if (!take_cpu((struct text_line){word.at + 1, word.end - 1}, head))
				return false;
		} else if (has_cpu ? !take_flags(word, legend, head)
		                   : !take_cpu_with_flags(word, legend, head)) {
			return false;
		} else {
			has_cpu = true;
		}
	}
	line_skip_blanks(&line);
	head->rest = line;
	return true;
}

/*
 * The name before the dash, without what a log puts before each line, as "[  612.000001] " and "Nov
 * 29 10:00:00 host kernel: ". Names have columns of fixed width.
 */
static struct text_line take_comm(struct text_line line, bool is_short)
{
	struct text_line comm = trim(line);
	size_t width = is_short ? TEXT_SHORT_COMM : COMM_MAX + 1;

	if (line_length(comm) <= COMM_MAX && !memchr(comm.at, ']', line_length(comm)))
		return comm;
	if (line_length(line) > width)
		line.at = line.end - width;
	for (const char *at = line.at; at < line.end; at++)
		if (at[0] == ' ' && at > line.at && (at[-1] == ']' || at[-1] == ':'))
			line.at = at;
	return trim(line);
}

/* Reads a head in which `dash` separates the name from the tid. */
static bool take_from_dash(struct text_line line, const char *dash,
                           const struct text_legend *legend, struct text_head *ret)
{
	struct text_line rest = {dash + 1, line.end}, word;
	int64_t tid;

	if (rest.at == rest.end || !is_digit(*rest.at))
		return false;
	word = line_word(&rest);
	tid = word_number(word, INT32_MAX);
	if (tid < 0 || rest.at == rest.end)
		return false;
	*ret = (struct text_head){.tid = (int32_t)tid, .tgid = -1};
	if (!take_columns(rest, legend, ret))
		return false;
	ret->comm = take_comm((struct text_line){line.at, dash}, ret->is_short);
	return true;
}

/* "123", "123/124" (process/thread), "-1": the task has ended, or the column is missing. `before`
   is what stands before the CPU. */
static bool perf_take_task(struct text_line before, struct text_head *head)
{
	struct text_line word, process;
	const char *slash;
	int64_t tgid, tid;

	before = trim(before);
	word = before;
	if (word.at == word.end)
		return true;
	for (const char *at; (at = memchr(word.at, ' ', line_length(word)));)
		word.at = at + 1;
	head->comm = trim((struct text_line){before.at, word.at});
	/* perf's name for a task without a name */
	if (line_length(head->comm) > 0 && *head->comm.at == ':')
		head->comm.end = head->comm.at;
	slash = memchr(word.at, '/', line_length(word));
	process = (struct text_line){word.at, slash ? slash : word.at};
	word.at = slash ? slash + 1 : word.at;
	tgid = word_number(process, INT32_MAX);
	tid = word_number(word, INT32_MAX);
	head->has_tgid = slash;
	head->tgid = (int32_t)tgid;
	head->tid = (int32_t)tid;
	return tid >= 0 || word_is(word, "-1");
}

/* "sched:sched_switch:"; not "cycles:ppp:", as counters are printed. Cuts the system off. */
static bool perf_take_system(struct text_line *line)
{
	struct text_line word = *line, name;
	const char *colon;

	word = line_word(&word);
	colon = memchr(word.at, ':', line_length(word));
	if (!colon || line_length(word) < 4 || word.end[-1] != ':' || colon == word.at)
		return false;
	line->at = colon + 1;
	name = (struct text_line){colon + 1, word.end - 1};
	while (name.at < name.end && strchr(COUNTER_MODIFIERS, *name.at))
		name.at++;
	return name.at < name.end;
}

/* "1234.567890: sched:sched_switch: ..."; a word before the time (MISC) and a number after it
   (PERIOD) are skipped. */
static bool perf_take_event(struct text_line line, struct text_head *head)
{
	struct text_line word = take_word(&line), rest;

	if (word.at < word.end && !is_digit(*word.at))
		word = take_word(&line);
	if (word.at == word.end || !take_seconds(word, head))
		return false;
	line_skip_blanks(&line);
	rest = line;
	if (word_number(line_word(&rest), INT64_MAX) >= 0) {
		line_skip_blanks(&rest);
		line = rest;
	}
	head->rest = line;
	return line_begins(line, PERF_LOSS) || perf_take_system(&head->rest);
}

/* Reads a head of perf script, in which `open` begins the column of the CPU. */
static bool perf_take_head(struct text_line line, const char *open, struct text_head *ret)
{
	const char *close = memchr(open, ']', (size_t)(line.end - open));

	*ret = (struct text_head){
		.is_perf = true,
		.comm = {line.at, line.at},
		.tid = -1,
		.tgid = -1,
	};
	return close && take_cpu((struct text_line){open + 1, close}, ret) &&
	       perf_take_task((struct text_line){line.at, open}, ret) &&
	       perf_take_event((struct text_line){close + 1, line.end}, ret);
}

/* "kworker/    44   1  1723.466620: sched:sched_switch: ..." of perf script -L: the CPU has no
   brackets, and names are cut to eight bytes. */
static bool perf_parse_latency(struct text_line line, struct text_head *ret)
{
	struct text_line rest = line, word, cpu = {line.at, line.at};

	*ret = (struct text_head){.is_perf = true, .is_short = true, .tid = -1, .tgid = -1};
	for (;;) {
		word = take_word(&rest);
		if (word.at == word.end || word.at > line.at + COMM_REACH)
			return false;
		if (take_seconds(word, ret))
			break;
		cpu = word;
	}
	return take_cpu(cpu, ret) && perf_take_task((struct text_line){line.at, cpu.at}, ret) &&
	       line_length(ret->comm) > 0 && line_length(ret->comm) <= TEXT_SHORT_COMM &&
	       perf_take_event((struct text_line){word.at, line.end}, ret);
}

static bool perf_parse(struct text_line line, const char *reach, struct text_head *ret)
{
	for (const char *at = line.at;
	     at < reach && (at = memchr(at, '[', (size_t)(reach - at))); at++)
		if (perf_take_head(line, at, ret))
			return true;
	return memchr(line.at, '.', line_length(line)) && perf_parse_latency(line, ret);
}

bool text_head_parse(struct text_line line, const struct text_legend *legend,
                     struct text_head *ret)
{
	const char *reach = line_length(line) > COMM_REACH ? line.at + COMM_REACH : line.end;
	struct text_head perf;

	for (const char *at = line.at;
	     at < reach && (at = memchr(at, '-', (size_t)(reach - at))); at++)
		if (take_from_dash(line, at, legend, ret)) {
			/* ":-1    -1 [000]" of perf */
			if (ret->tid == 1 && perf_parse(line, reach, &perf))
				*ret = perf;
			return true;
		}
	return perf_parse(line, reach, ret);
}

void text_legend_see(struct text_legend *legend, struct text_line line)
{
	const char *arrow = memmem(line.at, line_length(line), "=> ", 3);
	struct text_line name = {arrow ? arrow + 3 : NULL, line.end};

	if (!arrow || *line.at != '#')
		return;
	if (line_begins(name, "irqs-off"))
		legend->columns = 0;
	else if (line_begins(name, "hardirq/softirq"))
		legend->context = legend->columns;
	if (legend->columns < FLAGS_MAX)
		legend->columns++;
}
