/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/text/shell_quote.h"
#include "base/xalloc.h"
#include "present/cell_text.h"
#include "present/data/json_cell.h"
#include "present/data/json_writer.h"
#include "present/health_lines.h"
#include "present/text/text_page.h"
#include "present/text/trace_line.h"
#include "sentences/thresholds.h"
#include "words/task_words.h"

#define SCHEMA "ftwait.explain/1"

/* A longer sentence is cut: names in it may be long. */
#define SAYS_COLUMNS 1000
/* What an answer takes in JSON beside its sentence and command. */
#define ANSWER_BYTES 250
/* Rows are taken of views with fewer sentences. */
#define SENTENCES_ENOUGH 3
#define ROWS_MAX         3
#define ROW_PARTS_MAX    9
#define TREE_LEVELS_MAX  8

const char *const answer_views[] = {"disk", "net", "lock", "sched", "memory", NULL};

/* A sentence that a view said, or made of a row. What the fact points to is owned. */
struct said {
	char *text, *next;
	char *view; /* NULL: none, but the recording itself */
	struct fact fact;
	char *comm, *program, *host; /* of its task */
	struct evidence_found evidence; /* that the row has; columns NULL: it has none of its own */
	bool is_row;
	bool is_used;
};

struct answer {
	const struct said *first, *second; /* second: why; NULL: none */
	size_t number;                     /* in order of arrival */
};

struct answers {
	FILE *out;
	struct presenter_options options;
	struct explaining *of;
	struct instant_form instants;
	struct buffer trace_line, command; /* "ftwait report run.dat" */
	char *file;
	struct said *said;
	size_t count, capacity;
	char *view;    /* of the open section */
	char *pointer; /* options of the views that know more of most of the summary's time; NULL */
	/* the open table */
	const struct column *columns;
	size_t column_count, rows;
	bool has_table; /* of this section a table with rows was taken */
	/* the open tree: its first path */
	struct buffer path;
	unsigned depth;
	nsec_t path_time;
};

static char *copy_of(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static struct said *said_add(struct answers *self, const char *text, const struct fact *fact)
{
	struct said *said;

	while (*text == ' ') /* the further lines of a list */
		text++;
	said = &ARRAY_ADD(self->said, self->count, self->capacity);
	*said = (struct said){
		.text = xstrdup(text),
		.next = copy_of(fact->next),
		.view = copy_of(self->view),
		.fact = *fact,
	};
	/* a view of one kind of time is one of those that the summary points to */
	for (size_t i = 0; said->view && answer_views[i]; i++)
		if (strcmp(answer_views[i], said->view) == 0)
			said->fact.view = answer_views[i];
	if (fact->has_task) {
		said->fact.task.comm = said->comm = xstrdup(fact->task.comm);
		said->fact.task.program = said->program = copy_of(fact->task.program);
		said->fact.task.host = said->host = copy_of(fact->task.host);
		said->fact.task.cgroup = NULL;
	}
	return said;
}

/* The copy is freed with the sentence; a row's cells are valid only while it is shown. */
static struct evidence_found evidence_copy(const struct cell *rows, const struct cell *inferred)
{
	size_t count = rows->rows.count * rows->rows.column_count;
	struct cell *cell = xcalloc(count + 1, sizeof(*cell));

	memcpy(cell, rows->rows.cells, count * sizeof(*cell));
	for (size_t i = 0; i < count; i++)
		if (cell[i].type == CELL_TEXT)
			cell[i].text = xstrdup(cell[i].text);
	return (struct evidence_found){
		.rows = {rows->rows.columns, rows->rows.column_count, cell, rows->rows.count},
		.is_inferred = inferred->boolean,
	};
}

static void evidence_release(struct evidence_found *evidence)
{
	for (size_t i = 0; i < evidence->rows.count * evidence->rows.column_count; i++)
		if (evidence->rows.cells[i].type == CELL_TEXT)
			free((void *)(uintptr_t)evidence->rows.cells[i].text);
	free((void *)(uintptr_t)evidence->rows.cells);
}

static void said_release(struct said *said)
{
	evidence_release(&said->evidence);
	free(said->text);
	free(said->next);
	free(said->view);
	free(said->comm);
	free(said->program);
	free(said->host);
}

/* The sentence on why a flight recorder saved the recording. */
static void trigger_take(struct answers *self, const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct fact fact = {.rank = FACT_ANSWER, .next = "--at trigger"};

	trace_lines[TRACE_TRIGGER].append(&line, trace);
	if (!line.length || strcmp(self->of->view, "summary") != 0)
		return;
	if (trace->trigger_task) {
		fact.has_task = true;
		fact.task = *trace->trigger_task;
	}
	fact.begin = fact.end = trace->trigger->at;
	(void)said_add(self, line.text, &fact);
}

static void *answers_begin(FILE *out, const struct presenter_options *options,
                           const struct trace_summary *trace)
{
	struct answers *self = xcalloc(1, sizeof(*self));

	self->out = out;
	self->options = *options;
	self->of = options->own;
	self->of->is_unanswered = options->is_unanswered;
	self->instants = trace->instants;
	buffer_init(&self->trace_line, BUFFER_LIMIT_DEFAULT);
	buffer_init(&self->command, BUFFER_LIMIT_DEFAULT);
	buffer_init(&self->path, BUFFER_LIMIT_DEFAULT);
	trace_line_append(&self->trace_line, trace);
	self->file = xstrdup(trace->files[0]);
	buffer_puts(&self->command, "ftwait report");
	for (size_t i = 0; i < trace->file_count; i++) {
		buffer_putc(&self->command, ' ');
		shell_quote_append(&self->command, trace->files[i]);
	}
	trigger_take(self, trace);
	return self;
}

static void answers_section_begin(void *state, const char *key, const char *title, bool is_list)
{
	struct answers *self = state;

	(void)title;
	(void)is_list;
	free(self->view);
	self->view = copy_of(key);
	for (char *at = self->view; at && *at; at++)
		if (*at == '_')
			*at = '-';
	self->has_table = false;
}

static bool is_of_question(const struct answers *self)
{
	return self->view && strcmp(self->view, self->of->view) == 0;
}

static void answers_field(void *state, const char *key, const char *title, const struct cell *cell)
{
	struct answers *self = state;

	if (key || title || cell->type != CELL_TEXT)
		return;
	(void)said_add(self, cell->text, cell->fact ? cell->fact : &(struct fact){0});
	if (cell->fact && cell->fact->rank == FACT_ASIDE && cell->fact->next &&
	    cell->fact->number >= PART_MOST && is_of_question(self) && !self->pointer)
		self->pointer = xstrdup(cell->fact->next);
}

static void answers_lack(void *state, const char *text)
{
	struct answers *self = state;

	if (is_of_question(self))
		(void)said_add(self, text, &(struct fact){.rank = FACT_DETAIL});
}

static void answers_table_begin(void *state, const char *key, const char *title,
                                const struct column *columns, size_t column_count, bool is_single)
{
	struct answers *self = state;

	(void)key;
	(void)title;
	(void)is_single;
	self->columns = columns;
	self->column_count = column_count;
	self->rows = 0;
}

/* Of what is behind the names, columns that a narrow terminal spares are left out. */
static bool cell_is_told(const struct column *column, const struct cell *cell, bool is_head)
{
	bool is_spare = COLUMN_RANK(column->flags) > 0 &&
	                COLUMN_RANK(column->flags) < COLUMN_RANK(COLUMN_USEFUL(1));

	return column->title &&
	       !(column->flags & (COLUMN_DATA_ONLY | COLUMN_BAR | COLUMN_BELOW)) &&
	       (is_head || !is_spare) &&
	       cell->type != CELL_EMPTY && cell->type != CELL_DISTRIBUTION &&
	       cell->type != CELL_SERIES && (!cell_is_blank(cell) || column->flags & COLUMN_NUMBER);
}

static void title_append(struct buffer *to, const char *title)
{
	for (; *title; title++)
		buffer_putc(to, (char)tolower((unsigned char)*title));
}

/* The figure, and the task, that the cell has, if none before it had. */
static void cell_take(struct fact *fact, const struct cell *cell)
{
	if (cell->type == CELL_TASK && !fact->has_task) {
		fact->has_task = true;
		fact->task = cell->task;
	} else if (cell->type == CELL_DURATION && fact->figure != FIGURE_TIME) {
		fact->figure = FIGURE_TIME;
		fact->time = cell->time;
	} else if (cell->type == CELL_COUNT && fact->figure == FIGURE_NONE) {
		fact->figure = FIGURE_COUNT;
		fact->count = cell->count;
	} else if ((cell->type == CELL_RATIO || cell->type == CELL_RATE) &&
	           fact->figure == FIGURE_NONE) {
		fact->figure = FIGURE_NUMBER;
		fact->number = cell->ratio;
	}
}

/* "flock 254,0:1213542: count 1, slept 60.337 ms, who had it backup[28090] 100.0 %": what the row
   is about, if it begins with that, then its cells under their titles. Nothing if there is one
   cell. */
static void row_describe(const struct answers *self, const struct cell *cells, struct buffer *to,
                         struct fact *fact)
{
	size_t parts = 0;
	bool is_head = true; /* so far only names of what the row is about */
	bool is_named = false, has_name = false;

	for (size_t i = 0; i < self->column_count && parts < ROW_PARTS_MAX; i++) {
		const struct column *column = &self->columns[i];

		is_head &= !cell_type_is_figure(cells[i].type);
		if (!cell_is_told(column, &cells[i], is_head))
			continue;
		cell_take(fact, &cells[i]);
		if (is_head) {
			buffer_puts(to, to->length ? " " : "");
			is_named = has_name = true;
		} else {
			buffer_puts(to, !to->length ? "" : is_named ? ": " : ", ");
			is_named = false;
			parts++;
			title_append(to, column->title);
			buffer_putc(to, ' ');
		}
		cell_text_append(to, &cells[i], &self->instants);
	}
	if (parts == 0 || (parts == 1 && !has_name))
		buffer_clear(to);
}

static void answers_row(void *state, const struct cell *cells)
{
	struct answers *self = state;
	struct fact fact = {.rank = FACT_DETAIL};
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);
	bool is_first = self->rows == 0;
	struct said *said;

	if (!is_of_question(self) || strcmp(self->of->view, "summary") == 0 ||
	    (is_first && self->has_table) || self->rows++ >= ROWS_MAX)
		return;
	row_describe(self, cells, &text, &fact);
	if (!text.length)
		return;
	self->has_table = true;
	said = said_add(self, text.text, &fact);
	said->is_row = true;
	for (size_t i = 0; i + 1 < self->column_count; i++)
		if (self->columns[i].flags & COLUMN_BELOW && cells[i].type == CELL_ROWS)
			said->evidence = evidence_copy(&cells[i], &cells[i + 1]);
}

static void answers_table_end(void *state)
{
	(void)state;
}

static unsigned answers_row_limit(const void *state)
{
	(void)state;
	return ROWS_MAX;
}

static void answers_rows_left(void *state, size_t count)
{
	(void)state;
	(void)count;
}

static void answers_tree_begin(void *state, const struct tree *tree)
{
	struct answers *self = state;

	(void)tree;
	buffer_clear(&self->path);
	self->depth = 0;
	self->path_time = 0;
}

/* Follows the heaviest path only. */
static bool answers_tree_node(void *state, unsigned depth, const struct tree_node *node)
{
	struct answers *self = state;

	if (depth != self->depth || depth >= TREE_LEVELS_MAX)
		return false;
	buffer_printf(&self->path, "%s%s", depth ? " -> " : "", node->label);
	self->path_time = node->figures.total;
	self->depth++;
	return true;
}

static void answers_tree_end(void *state)
{
	struct answers *self = state;
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (!is_of_question(self) || !self->path.length)
		return;
	buffer_printf(&text, "Most: %s %s", DURATION_TEXT(self->path_time), self->path.text);
	(void)said_add(self, text.text, &(struct fact){
		.rank = FACT_DETAIL, .figure = FIGURE_TIME, .time = self->path_time});
}

/* The choice. */

/* The first sentence of the view that the summary points to, if it was asked. */
static struct said *pointed_find(const struct answers *self)
{
	if (!self->pointer || strncmp(self->pointer, "--", 2) != 0)
		return NULL;
	for (size_t i = 0; i < self->count; i++) {
		size_t length = self->said[i].view ? strlen(self->said[i].view) : 0;

		if (length && strncmp(self->pointer + 2, self->said[i].view, length) == 0 &&
		    !isalpha((unsigned char)self->pointer[2 + length]) &&
		    !self->said[i].is_used && !self->said[i].is_row &&
		    self->said[i].fact.figure != FIGURE_NONE)
			return &self->said[i];
	}
	return NULL;
}

/* The first sentence of that rank behind the answer, up to the next answer. */
static struct said *behind_find(struct answers *self, size_t answer, enum fact_rank rank)
{
	for (size_t i = answer + 1; i < self->count; i++) {
		struct said *said = &self->said[i];

		if (said->fact.rank == FACT_ANSWER || !said->view ||
		    strcmp(said->view, self->of->view) != 0)
			break;
		if (said->fact.rank == rank && !said->is_used)
			return said;
	}
	return NULL;
}

/* What else is said of what that view is about need not be said again, less exactly. */
static void use_advice_of(struct answers *self, const char *view)
{
	for (size_t i = 0; i < self->count; i++) {
		struct said *said = &self->said[i];

		said->is_used |= said->fact.rank == FACT_REASON && said->next &&
		                 strncmp(said->next, "--", 2) == 0 &&
		                 strcmp(said->next + 2, view) == 0;
	}
}

/* Why what the answer says is so. */
static struct said *reason_find(struct answers *self, size_t answer)
{
	struct said *found = behind_find(self, answer, FACT_CAUSE);

	if (!found && behind_find(self, answer, FACT_CHAIN) && (found = pointed_find(self)))
		use_advice_of(self, found->view);
	return found ? found : behind_find(self, answer, FACT_CHAIN);
}

/* Whether it may be an answer: remarks only where there is nothing else to say. */
static bool is_answer_of(const struct answers *self, const struct said *said,
                         enum fact_rank least)
{
	return !said->is_used && said->fact.rank >= least &&
	       (said->view == NULL || strcmp(said->view, self->of->view) == 0);
}

ORDER_FUNCTION(answer_compare, struct answer, FALLING(x, y, first->fact.rank),
               RISING(x, y, number))

static size_t said_count(const struct answers *self, enum fact_rank least, bool are_rows)
{
	size_t count = 0;

	for (size_t i = 0; i < self->count; i++)
		count += self->said[i].is_row == are_rows &&
		         is_answer_of(self, &self->said[i], least);
	return count;
}

static size_t answer_bytes(const struct answers *self, const struct answer *answer)
{
	return strlen(answer->first->text) + (answer->second ? strlen(answer->second->text) : 0) +
	       self->command.length + ANSWER_BYTES;
}

/* Fills `ret`, which has room for all, in order; returns how many are written. */
static size_t answers_choose(struct answers *self, struct answer *ret)
{
	size_t plain = said_count(self, FACT_DETAIL, /* are_rows= */ false);
	bool takes_rows = plain < SENTENCES_ENOUGH;
	bool has_any = plain || said_count(self, FACT_DETAIL, /* are_rows= */ true);
	const enum fact_rank least = has_any ? FACT_DETAIL : FACT_ASIDE;
	size_t count = 0, shown = 0, sentences = 0, bytes = 0;

	for (size_t i = 0; i < self->count; i++) {
		struct said *said = &self->said[i], *second = NULL;

		if (!is_answer_of(self, said, least) || (said->is_row && !takes_rows))
			continue;
		said->is_used = true;
		if (said->fact.rank == FACT_ANSWER && said->view)
			second = reason_find(self, i);
		if (second)
			second->is_used = true;
		ret[count] = (struct answer){said, second, count};
		count++;
	}
	array_sort(ret, count, sizeof(*ret), answer_compare);
	for (; shown < count; shown++) {
		sentences += ret[shown].second ? 2 : 1;
		bytes += answer_bytes(self, &ret[shown]);
		if (shown && (sentences > ANSWERS_MAX || bytes > ANSWERS_BYTES_MAX))
			break;
	}
	return shown;
}

/* What is written. The second sentence has the figure and the next command, as it is the reason. */

static const struct said *answer_point(const struct answer *answer)
{
	return answer->second && answer->second->fact.figure != FIGURE_NONE ? answer->second
	                                                                    : answer->first;
}

static void says_append(struct buffer *to, const struct answer *answer)
{
	buffer_printf(to, "%s%s%s", answer->first->text, answer->second ? " " : "",
	              answer->second ? answer->second->text : "");
	buffer_cut_columns(to, SAYS_COLUMNS, "...");
}

/* "low", "medium", "high": of events that are not lost. */
static const char *answer_confidence(const struct answer *answer, const struct health *health)
{
	enum fact_doubt doubt = answer->first->fact.doubt;

	if (answer->second && answer->second->fact.doubt > doubt)
		doubt = answer->second->fact.doubt;
	if (doubt == FACT_SEEN && health_is_impaired(health))
		doubt = FACT_INFERRED;
	return confidence_name(doubt == FACT_SEEN       ? CONFIDENCE_HIGH
	                       : doubt == FACT_INFERRED ? CONFIDENCE_MEDIUM
	                                                : CONFIDENCE_LOW);
}

static void list_append(struct buffer *to, const char *option, const struct string_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		buffer_printf(to, "%s", i ? "," : "");
		if (i == 0)
			buffer_printf(to, " --%s=", option);
		shell_quote_append(to, list->text[i]);
	}
}

static void word_append(struct buffer *to, const char *option, const char *word)
{
	if (!word)
		return;
	buffer_printf(to, " --%s ", option);
	shell_quote_append(to, word);
}

/* What was asked for. */
static void filters_append(const struct answers *self, struct buffer *to)
{
	const struct report_options *options = self->of->options;

	buffer_puts(to, self->options.asked_tasks);
	list_append(to, "kind", &options->kinds);
	buffer_puts(to, self->options.asked_window);
	word_append(to, "sort", options->sort);
}

/* The command that shows more: a path has its own task and window; waits are those of the task. */
static void next_append(const struct answers *self, struct buffer *to, const struct answer *answer)
{
	const struct said *point = answer_point(answer);
	const struct task *task = &point->fact.task;
	bool is_path = point->next && strncmp(point->next, "--critical-path", 15) == 0;
	bool is_of_task = point->next && strncmp(point->next, "--waits", 7) == 0;

	buffer_puts(to, self->command.text);
	if (!is_path && is_of_task && point->fact.has_task && task->tid > 0) {
		buffer_puts(to, " --tid ");
		host_number_append(to, task->host, task->tid);
	} else if (!is_path) {
		filters_append(self, to);
	}
	if (point->next)
		buffer_printf(to, " %s", point->next);
	else
		buffer_printf(to, " --%s", point->view ? point->view : "summary");
}

static void figure_put(struct json_writer *json, const struct fact *fact)
{
	if (fact->figure == FIGURE_TIME) {
		json_member_u64(json, "value_ns", fact->time);
		return;
	}
	json_key(json, "value");
	if (fact->figure == FIGURE_COUNT)
		json_put_u64(json, fact->count);
	else if (fact->figure == FIGURE_NUMBER)
		json_put_real(json, fact->number);
	else
		json_put_null(json);
}

static struct evidence_found said_prove(const struct answers *self, const struct said *said)
{
	return said->evidence.rows.columns
	               ? said->evidence
	               : self->options.prove(self->options.prover, &said->fact);
}

/* That of its reason, else that of what the reason is for. */
static struct evidence_found answer_prove(const struct answers *self, const struct answer *answer)
{
	struct evidence_found found = {.is_inferred = true};

	if (answer->second)
		found = said_prove(self, answer->second);
	return found.rows.count ? found : said_prove(self, answer->first);
}

static void evidence_put(const struct answers *self, struct json_writer *json,
                         const struct answer *answer)
{
	const struct evidence_found found = answer_prove(self, answer);

	json_key(json, "evidence");
	json_cell(json, &(struct cell){.type = CELL_ROWS, .rows = found.rows});
	json_member_bool(json, "inferred", found.is_inferred);
}

static void evidence_append(const struct answers *self, struct text_page *page,
                            const struct answer *answer)
{
	const struct evidence_found found = answer_prove(self, answer);
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	for (size_t row = 0; row < found.rows.count; row++) {
		buffer_clear(&line);
		buffer_puts(&line, "     ");
		cell_rows_line_append(&line, &found.rows, row, &self->instants);
		text_page_line(page, page->style.faint, line.text);
	}
}

static void answer_put(const struct answers *self, struct json_writer *json,
                       const struct answer *answer, const struct health *health)
{
	const struct fact *fact = &answer_point(answer)->fact;
	_cleanup_(buffer_release) struct buffer says = buffer_of(BUFFER_LIMIT_DEFAULT),
		next = buffer_of(BUFFER_LIMIT_DEFAULT);

	says_append(&says, answer);
	next_append(self, &next, answer);
	json_object_begin(json, JSON_LINES);
	json_member_string(json, "says", says.text);
	figure_put(json, fact);
	json_member_task(json, "task", fact->has_task ? &fact->task : NULL);
	json_member_string(json, "confidence", answer_confidence(answer, health));
	evidence_put(self, json, answer);
	json_member_string(json, "next", next.text);
	json_object_end(json);
}

static void health_put(struct json_writer *json, const struct health *health)
{
	_cleanup_(buffer_release) struct buffer says = buffer_of(BUFFER_LIMIT_DEFAULT);

	health_verdict_append(&says, health);
	json_member_object(json, "health", JSON_LINES);
	json_member_bool(json, "is_impaired", health_is_impaired(health));
	json_member_bool(json, "is_sound", health_is_sound(health));
	json_member_known(json, "events_lost", health_has_lost_count(health), health->events_lost);
	json_member_string(json, "says", says.text);
	json_object_end(json);
}

static void json_write(const struct answers *self, const struct answer *answer, size_t count,
                       const struct health *health)
{
	struct json_writer json;

	json_init(&json, self->out);
	json_object_begin(&json, JSON_LINES);
	json_member_string(&json, "schema", SCHEMA);
	json_member_string(&json, "file", self->file);
	json_member_string(&json, "question", self->of->question);
	json_member_array(&json, "answers", JSON_LINES);
	for (size_t i = 0; i < count; i++)
		answer_put(self, &json, &answer[i], health);
	json_array_end(&json);
	health_put(&json, health);
	json_object_end(&json);
	json_release(&json);
}

static void figure_append(struct buffer *to, const struct fact *fact)
{
	if (fact->figure == FIGURE_TIME)
		buffer_printf(to, "%s, ", DURATION_TEXT(fact->time));
	else if (fact->figure == FIGURE_COUNT)
		buffer_printf(to, "%s, ", COUNT_TEXT(fact->count));
	else if (fact->figure == FIGURE_NUMBER && fact->number <= 1)
		buffer_printf(to, "%s, ", RATIO_TEXT(fact->number));
	else if (fact->figure == FIGURE_NUMBER)
		buffer_printf(to, "%.1f, ", fact->number);
}

static void text_write(const struct answers *self, const struct answer *answer, size_t count,
                       const struct health *health)
{
	struct text_page page;

	text_page_init(&page, self->out, &self->options);
	text_page_line(&page, page.style.faint, self->trace_line.text);
	(void)fputc('\n', self->out);
	for (size_t i = 0; i < count; i++) {
		_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT),
			says = buffer_of(BUFFER_LIMIT_DEFAULT),
			below = buffer_of(BUFFER_LIMIT_DEFAULT);

		says_append(&says, &answer[i]);
		buffer_printf(&line, "%zu. %s", i + 1, says.text);
		text_page_line(&page, "", line.text);
		buffer_puts(&below, "   ");
		figure_append(&below, &answer_point(&answer[i])->fact);
		buffer_printf(&below, "%s confidence: ", answer_confidence(&answer[i], health));
		next_append(self, &below, &answer[i]);
		text_page_line(&page, page.style.faint, below.text);
		evidence_append(self, &page, &answer[i]);
	}
	if (!count)
		text_page_line(&page, "", "Nothing is seen that this is about.");
	(void)fputc('\n', self->out);
	text_page_health(&page, health, &self->instants);
	text_page_release(&page);
}

static void answers_end(void *state, const struct health *health)
{
	struct answers *self = state;
	struct answer *answer = xcalloc(self->count + 1, sizeof(*answer));

	if (!self->of->is_unanswered) {
		size_t count = answers_choose(self, answer);

		(self->of->is_json ? json_write : text_write)(self, answer, count, health);
	}
	free(answer);
	for (size_t i = 0; i < self->count; i++)
		said_release(&self->said[i]);
	free(self->said);
	free(self->view);
	free(self->pointer);
	free(self->file);
	buffer_release(&self->trace_line);
	buffer_release(&self->command);
	buffer_release(&self->path);
	free(self);
}

const struct presenter answer_presenter = {
	.name = "answers",
	.has_health = true,
	.has_instants = true,
	.folds_names = true,
	.begin = answers_begin,
	.section_begin = answers_section_begin,
	.field = answers_field,
	.lack = answers_lack,
	.table_begin = answers_table_begin,
	.row = answers_row,
	.table_end = answers_table_end,
	.row_limit = answers_row_limit,
	.rows_left = answers_rows_left,
	.tree = &(const struct tree_hooks){
		.begin = answers_tree_begin, .node = answers_tree_node, .end = answers_tree_end,
	},
	.end = answers_end,
};
