/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "browse_session.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "analysis/analysis.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/monotonic.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/text/shell_quote.h"
#include "base/xalloc.h"
#include "cmd/commands.h"
#include "cmd/screen/screen_terminal.h"
#include "browse_report.h"
#include "page.h"
#include "question_parts.h"
#include "report_child.h"
#include "report_worker.h"

#define KEPT_BYTES  (32u << 20)   /* of reports that may be asked for again */
#define AGAIN_MS    70            /* then a part of a key, or a slow line, is looked at again */
#define PLACES_MAX  100
#define AHEAD_MAX   64            /* keys that are typed while a report is made */
#define SLOW_NS     300000000u    /* so long is felt */

/* A report that is shown. */
struct place {
	char *options; /* of report; NULL: it is no report, but a text of ours */
	char *label;
	size_t columns; /* that it was made for */
	struct page page;
};

struct kept {
	char *options;
	size_t columns;
	char *text;
	size_t length;
};

/* What the child's report is for. */
enum asking {
	ASKS_NOTHING,
	ASKS_PLACE,   /* a further place */
	ASKS_ANEW,    /* the current place, with other options */
	ASKS_FIT,     /* the same, for another width: nobody has asked for it */
	ASKS_WRITING, /* a file */
	ASKS_DIFF,    /* a further place, that is no report */
};

/* What a typed line is for. */
enum prompt {
	PROMPT_NONE,
	PROMPT_FILTER,
	PROMPT_WRITE,
	PROMPT_DIFF,
};

struct browser {
	const struct browse_setup *setup;
	struct screen_terminal terminal;
	struct place *place;
	size_t count, capacity;
	struct kept *kept; /* the oldest first */
	size_t kept_count, kept_capacity, kept_bytes;
	struct report_child child;
	enum asking asking;
	char *asked; /* options of what the child makes; the file that it writes */
	size_t asked_columns;
	nsec_t asked_at;
	struct report_worker worker;
	char **worker_word; /* its command line; NULL: there was no need of it */
	size_t worker_words;
	struct buffer before; /* files and lasting options, as text */
	enum prompt prompt;
	struct buffer typed, message, commands;
	int ahead[AHEAD_MAX]; /* keys that wait for the report */
	size_t ahead_count;
	bool is_over;
	int status;
};

static struct place *place_now(const struct browser *self)
{
	return self->count ? &self->place[self->count - 1] : NULL;
}

static void say_line(struct browser *self, const char *text)
{
	buffer_clear(&self->message);
	buffer_puts(&self->message, text);
}

static size_t report_columns(const struct browser *self)
{
	size_t columns = screen_columns(self->terminal.screen);

	return columns > PAGE_GUTTER + 1 ? columns - PAGE_GUTTER : 1;
}

/* Processes that make reports. */

struct task_of_child {
	const struct browser *self;
	const char *options;
	const char *other; /* a recording to compare with; NULL: it is a report */
};

static int child_work(const void *state)
{
	const struct task_of_child *task = state;
	const bool is_for_file = task->self->asking == ASKS_WRITING; /* which nobody browses */
	struct report_options defaults =
		browse_report_defaults(is_for_file ? 0 : task->self->asked_columns);
	const char *word[] = {"diff", task->self->setup->files[0], task->other, NULL};

	if (task->other)
		return diff_command(ARRAY_SIZE(word) - 1, (char **)(uintptr_t)word);
	defaults.has_links = !is_for_file;
	return browse_report_run(&(struct browse_report){task->self->before.text, task->options},
	                         &defaults);
}

static bool worker_can(const struct browser *self, enum asking asking)
{
	return self->worker.is_ready && !self->worker.is_busy &&
	       asking != ASKS_WRITING && asking != ASKS_DIFF;
}

static bool child_begin(struct browser *self, enum asking asking, const char *options,
                        const char *other, bool is_anew)
{
	char *asked = xstrdup(other ? other : options); /* they may be those of the last one */
	const struct task_of_child task = {self, asked, other};
	int r;

	report_child_release(&self->child);
	report_child_init(&self->child);
	free(self->asked);
	self->asked = asked;
	self->asked_columns = report_columns(self);
	self->asked_at = monotonic_now();
	self->asking = asking;
	r = !is_anew && worker_can(self, asking)
	            ? report_child_ask(&self->child, &self->worker, asked, self->asked_columns)
	            : report_child_start(&self->child, child_work, &task);
	if (r < 0) {
		self->asking = ASKS_NOTHING;
		buffer_clear(&self->message);
		buffer_printf(&self->message, "browse: cannot start a process: %s", strerror(-r));
		self->is_over = self->count == 0;
		self->status = self->is_over ? STATUS_FAILED : STATUS_FINE;
		return false;
	}
	screen_terminal_watch(&self->terminal, self->child.out);
	screen_terminal_watch(&self->terminal, self->child.error);
	return true;
}

/* Where a question takes the time that a user feels, a worker reads the recording to keep it. */
static void worker_begin(struct browser *self)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (self->worker_word || monotonic_now() - self->asked_at < SLOW_NS)
		return;
	buffer_printf(&line, "report %s", self->before.text);
	self->worker_word = shell_words_split(line.text, &self->worker_words);
	if (self->worker_word && report_worker_start(&self->worker, (int)self->worker_words,
	                                             self->worker_word) == 0)
		screen_terminal_watch(&self->terminal, self->worker.socket);
}

static void child_stop(struct browser *self)
{
	report_child_release(&self->child);
	self->asking = ASKS_NOTHING;
}

/* What was made is kept, as long as there is room. */

static struct kept *kept_find(const struct browser *self, const char *options, size_t columns)
{
	for (size_t i = 0; i < self->kept_count; i++)
		if (self->kept[i].columns == columns &&
		    strcmp(self->kept[i].options, options) == 0)
			return &self->kept[i];
	return NULL;
}

static void kept_drop(struct browser *self)
{
	struct kept oldest = self->kept[0];

	self->kept_count--;
	for (size_t i = 0; i < self->kept_count; i++)
		self->kept[i] = self->kept[i + 1];
	self->kept_bytes -= oldest.length;
	free(oldest.options);
	free(oldest.text);
}

static void kept_add(struct browser *self, const char *options, size_t columns,
                     const struct buffer *text)
{
	char *copy;

	if (text->length > KEPT_BYTES / 4 || kept_find(self, options, columns))
		return;
	while (self->kept_bytes + text->length > KEPT_BYTES)
		kept_drop(self);
	self->kept_bytes += text->length;
	copy = xmalloc(text->length + 1);
	memcpy(copy, text->text, text->length + 1);
	ARRAY_ADD(self->kept, self->kept_count, self->kept_capacity) =
		(struct kept){xstrdup(options), columns, copy, text->length};
}

/* Places. */

static void place_release(struct place *place)
{
	free(place->options);
	free(place->label);
	page_release(&place->page);
}

static char *label_of(const char *options)
{
	_cleanup_(buffer_release) struct buffer label = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct question_parts parts;

	(void)question_parts_read(options, &parts);
	question_label_append(&label, &parts);
	question_parts_release(&parts);
	return xstrdup(label.text);
}

/* options NULL: a text that is no report. */
static struct place *place_push(struct browser *self, const char *options, const char *label)
{
	struct place *place = &ARRAY_ADD(self->place, self->count, self->capacity);

	*place = (struct place){
		.options = options ? xstrdup(options) : NULL,
		.label = label ? xstrdup(label) : label_of(options),
	};
	page_init(&place->page);
	return place;
}

static void place_rename(struct place *place, const char *options)
{
	char *copy = xstrdup(options); /* it may be the place's own */

	free(place->options);
	free(place->label);
	place->options = copy;
	place->label = label_of(copy);
}

static void place_fill(struct place *place, const char *text, size_t length, size_t columns)
{
	page_take(&place->page, text, length);
	place->columns = columns;
}

/* A report was made, or is kept. */
static void report_show(struct browser *self, enum asking asking, const char *options,
                        const char *text, size_t length, size_t columns)
{
	struct place *place = asking == ASKS_PLACE ? place_push(self, options, NULL)
	                                           : place_now(self);

	if (asking == ASKS_ANEW)
		place_rename(place, options);
	place_fill(place, text, length, columns);
}

/* Shows what the options ask for, in a further place or in the current one. */
static void browse_ask(struct browser *self, enum asking asking, const char *options)
{
	const struct kept *kept = kept_find(self, options, report_columns(self));

	if (asking == ASKS_PLACE && self->count == PLACES_MAX)
		say_line(self, "too deep: go back with u");
	else if (kept)
		report_show(self, asking, options, kept->text, kept->length, kept->columns);
	else
		(void)child_begin(self, asking, options, NULL, false);
}

/* The place was made for another width. It is asked for once a width: if that is stopped, or the
   recording is gone, the text stays as it is. */
static void place_fit(struct browser *self)
{
	struct place *place = place_now(self);

	if (!place || !place->options || place->columns == report_columns(self) ||
	    self->asking != ASKS_NOTHING)
		return;
	place->columns = report_columns(self);
	browse_ask(self, ASKS_FIT, place->options);
}

static void browse_back(struct browser *self)
{
	if (self->count < 2)
		return;
	place_release(&self->place[--self->count]);
	place_fit(self);
}

/* What the child said last; what became of it, if it said nothing. */
static void child_say(struct browser *self, enum asking asking)
{
	const struct report_child *child = &self->child;

	if (child->is_too_long)
		say_line(self, "the report is too long for a screen");
	else if (child->message.length)
		say_line(self, child->message.text);
	else if (child->status > 127)
		buffer_printf(&self->message, "signal %d has ended the report",
		              child->status - 128);
	else if (child->status && child->text.length == 0)
		buffer_printf(&self->message, "the report failed: status %d", child->status);
	else if (asking == ASKS_WRITING && child->status == STATUS_FINE)
		buffer_printf(&self->message, "written: %s", self->asked);
}

/* The child has ended. */
static void child_done(struct browser *self)
{
	struct report_child *child = &self->child;
	const struct buffer *text = &child->text;
	bool is_there = text->length && !child->is_too_long;
	enum asking asking = self->asking;

	self->asking = ASKS_NOTHING;
	if (child->worker && child->status == STATUS_NOT_KEPT) {
		(void)child_begin(self, asking, self->asked, NULL, true);
		return;
	}
	child_say(self, asking);
	if (is_there && asking == ASKS_DIFF) {
		place_fill(place_push(self, NULL, "diff"), text->text, text->length, 0);
	} else if (is_there && asking != ASKS_WRITING) {
		kept_add(self, self->asked, self->asked_columns, text);
		report_show(self, asking, self->asked, text->text, text->length,
		            self->asked_columns);
	} else if (self->count == 0) { /* there is nothing to browse */
		self->is_over = true;
		self->status = child->status ? child->status : STATUS_FAILED;
	}
	report_child_release(child);
	worker_begin(self);
	place_fit(self); /* the terminal may have another size by now */
}

/* Keys. */

/* The parts of what the cursor leads to; of what is shown, where it leads nowhere. */
static bool parts_here(const struct browser *self, struct question_parts *ret)
{
	const struct place *place = place_now(self);
	const char *options = place ? page_next(&place->page) : NULL;

	if (!options && place)
		options = place->options;
	return question_parts_read(options ? options : "", ret);
}

/* Asks a view about the tasks and the time at the cursor. */
static void ask_around(struct browser *self, const char *view)
{
	_cleanup_(buffer_release) struct buffer options = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct question_parts parts;

	(void)parts_here(self, &parts);
	buffer_printf(&options, "%s%s%s", view, parts.tasks.text, parts.window.text);
	question_parts_release(&parts);
	browse_ask(self, ASKS_PLACE, options.text);
}

/* Asks again for what is shown, with another one of its options, in its place or in a further
   one. */
static void ask_with(struct browser *self, enum asking asking, const char *option,
                     const char *value)
{
	_cleanup_(buffer_release) struct buffer options = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct question_parts parts;

	(void)question_parts_read(place_now(self)->options, &parts);
	(void)question_take(&parts, option, NULL);
	question_join(&options, &parts, NULL);
	buffer_printf(&options, " %s%s%s", option, value ? " " : "", value ? value : "");
	question_parts_release(&parts);
	browse_ask(self, asking, options.text);
}

static void ask_window(struct browser *self)
{
	_cleanup_(buffer_release) struct buffer options = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct question_parts here, now;

	(void)parts_here(self, &here);
	(void)question_parts_read(place_now(self)->options, &now);
	if (here.window.length == 0)
		say_line(self, "this line has no time of its own");
	else
		question_join(&options, &now, &here.window);
	question_parts_release(&here);
	question_parts_release(&now);
	if (options.length)
		browse_ask(self, ASKS_PLACE, options.text);
}

/* First the evidence of what is shown, then the raw events at the cursor. */
static void ask_evidence(struct browser *self)
{
	if (strstr(place_now(self)->options, "--evidence"))
		ask_around(self, "--events");
	else
		ask_with(self, ASKS_PLACE, "--evidence", NULL);
}

static void ask_sort(struct browser *self)
{
	_cleanup_(buffer_release) struct buffer value = buffer_of(200);
	const struct analysis *view;
	struct question_parts parts;
	const char *name;
	size_t at = 0;

	(void)question_parts_read(place_now(self)->options, &parts);
	name = question_view(&parts);
	view = analysis_find(name ? name : "summary");
	(void)question_take(&parts, "--sort", &value);
	question_parts_release(&parts);
	if (!view->sort_keys) {
		say_line(self, "this view has one order");
		return;
	}
	while (value.length && view->sort_keys[at] && strcmp(view->sort_keys[at], value.text) != 0)
		at++;
	if (view->sort_keys[at])
		at++;
	name = view->sort_keys[at] ? view->sort_keys[at] : view->sort_keys[0];
	ask_with(self, ASKS_ANEW, "--sort", name);
	buffer_clear(&self->message);
	buffer_printf(&self->message, "by %s", name);
}

/* The next one of the list that led here, or the one before. */
static void ask_sibling(struct browser *self, bool is_back)
{
	_cleanup_(freep) char *next = NULL;
	struct place *list;

	if (self->count < 2) {
		say_line(self, "there is no list behind this one");
		return;
	}
	list = &self->place[self->count - 2];
	if (!page_step(&list->page, is_back)) {
		say_line(self, is_back ? "that was the first one" : "that was the last one");
		return;
	}
	next = xstrdup(list->page.line[list->page.shown[list->page.cursor]].next);
	place_release(&self->place[--self->count]);
	browse_ask(self, ASKS_PLACE, next);
}

static void command_append(const struct browser *self, struct buffer *to)
{
	const struct place *place = place_now(self);

	buffer_printf(to, "ftwait report %s%s%s", self->before.text,
	              *self->setup->lasting ? " " : "", place->options);
}

static void show_command(struct browser *self)
{
	buffer_clear(&self->message);
	command_append(self, &self->message);
	buffer_printf(&self->commands, "%s\n", self->message.text);
}

static void text_show(struct browser *self, const char *label, const char *text)
{
	if (self->count == PLACES_MAX)
		return;
	place_fill(place_push(self, NULL, label), text, strlen(text), 0);
}

static const char keys_text[] =
	"Keys\n"
	"\n"
	"Enter, Right      go to what is behind the line\n"
	"u, Backspace,\n"
	"Left, Esc         back, to the place that was left\n"
	"n  p              the next one of the list before this, the one before\n"
	"Up Down k j       the next line that leads on; PgUp PgDn Home End scroll\n"
	"\n"
	"t                 the timeline of the tasks and the time at the cursor\n"
	"e                 the evidence of what is shown; again: the raw events at the cursor\n"
	"c  l  g           chains of waits, locks, the graph of who waits for whom, in that time\n"
	"d  m  N           disks, memory, network, in the same way\n"
	"v                 all other views\n"
	"w                 this view, in the time of the line alone\n"
	"s                 another order            a   all rows, not only the first 100\n"
	"/                 only lines with a text   (empty: all again)\n"
	"\n"
	"y                 the command that shows the same; it is printed again at the end\n"
	"o                 write what is shown to a file: .txt, .json, .csv, .html ...\n"
	"D                 compare with another recording\n"
	"Ctrl-L            draw the screen anew\n"
	"q                 quit; while a recording is read: stop reading\n";

/* A list of all views, about what the cursor is about. */
static void show_views(struct browser *self)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct question_parts parts;

	(void)parts_here(self, &parts);
	buffer_puts(&text, "Views\n\n");
	for (size_t i = 0; analyses[i]; i++) {
		const struct analysis *view = analyses[i];

		if (view->needs_argument)
			continue;
		buffer_printf(&text, "%c--%s%s%s%c%-14s %s\n", LINK_BEGIN, view->name,
		              parts.tasks.text, parts.window.text, LINK_END, view->name,
		              view->about);
	}
	question_parts_release(&parts);
	text_show(self, "views", text.text);
}

static void prompt_begin(struct browser *self, enum prompt prompt)
{
	self->prompt = prompt;
	buffer_clear(&self->typed);
	if (prompt == PROMPT_FILTER)
		buffer_puts(&self->typed, place_now(self)->page.filter.text);
}

static const char *const prompt_words[] = {
	[PROMPT_NONE] = "",
	[PROMPT_FILTER] = "lines with: ",
	[PROMPT_WRITE] = "write to the file (.txt, .json, .csv, .html): ",
	[PROMPT_DIFF] = "compare with the recording: ",
};

/* "--format json", by the end of the file's name. */
static const char *format_of(const char *file)
{
	const char *dot = strrchr(file, '.');

	if (!dot || strcmp(dot, ".txt") == 0)
		return "text";
	return presenter_find(dot + 1) ? dot + 1 : "text";
}

static void write_to(struct browser *self, const char *file)
{
	_cleanup_(buffer_release) struct buffer options = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_printf(&options, "%s --format %s -o ", place_now(self)->options, format_of(file));
	shell_quote_append(&options, file);
	if (!child_begin(self, ASKS_WRITING, options.text, NULL, false))
		return;
	free(self->asked);
	self->asked = xstrdup(file);
}

static void prompt_end(struct browser *self)
{
	enum prompt prompt = self->prompt;
	const char *typed = self->typed.text;

	self->prompt = PROMPT_NONE;
	if (prompt == PROMPT_FILTER)
		page_set_filter(&place_now(self)->page, typed);
	else if (!*typed)
		return;
	else if (prompt == PROMPT_WRITE)
		write_to(self, typed);
	else
		(void)child_begin(self, ASKS_DIFF, "", typed, false);
}

static void prompt_key(struct browser *self, int key)
{
	if (key == KEY_ENTER)
		prompt_end(self);
	else if (key == KEY_ESCAPE || key == KEY_CTRL_C)
		self->prompt = PROMPT_NONE;
	else if (key == KEY_BACKSPACE || key == KEY_DELETE)
		buffer_truncate(&self->typed, self->typed.length ? self->typed.length - 1 : 0);
	else if (key < 0x80 && isprint(key) && self->typed.length < 400)
		buffer_putc(&self->typed, (char)key);
}

/* While a report is made, keys stop that, or wait for it. Returns whether the key is for what is
   shown, as nobody has asked for that report. */
static bool waiting_key(struct browser *self, int key)
{
	bool is_fit = self->asking == ASKS_FIT;

	if (key != 'q' && key != 'u' && key != KEY_ESCAPE && key != KEY_BACKSPACE &&
	    key != KEY_CTRL_C && key != KEY_LEFT) {
		if (self->ahead_count < AHEAD_MAX)
			self->ahead[self->ahead_count++] = key;
		return false;
	}
	self->ahead_count = 0;
	child_stop(self);
	if (is_fit)
		return true;
	say_line(self, "stopped");
	if (self->count == 0 || key == 'q' || key == KEY_CTRL_C) {
		self->is_over = self->count == 0;
		self->status = self->is_over ? STATUS_FAILED : STATUS_FINE;
	}
	return false;
}

/* Views that have a key of their own. */
static const struct {
	int key;
	const char *view;
} view_keys[] = {
	{'t', "--timeline"}, {'c', "--chains"}, {'l', "--lock"}, {'g', "--graph"},
	{'d', "--disk"},     {'m', "--memory"}, {'N', "--net"},
};

/* Keys that need a report. */
static bool report_key(struct browser *self, int key)
{
	for (size_t i = 0; i < ARRAY_SIZE(view_keys); i++)
		if (view_keys[i].key == key) {
			ask_around(self, view_keys[i].view);
			return true;
		}
	switch (key) {
	case 'e':
		ask_evidence(self);
		return true;
	case 'w':
		ask_window(self);
		return true;
	case 's':
		ask_sort(self);
		return true;
	case 'a':
		ask_with(self, ASKS_ANEW, "--top", "0");
		return true;
	case 'y':
		show_command(self);
		return true;
	case 'o':
		prompt_begin(self, PROMPT_WRITE);
		return true;
	default:
		return false;
	}
}

static void go_on(struct browser *self)
{
	const char *next = page_next(&place_now(self)->page);
	_cleanup_(freep) char *options = next ? xstrdup(next) : NULL;

	if (!next)
		say_line(self, "nothing is behind this line");
	else if (place_now(self)->options && strcmp(next, place_now(self)->options) == 0)
		say_line(self, "this is it");
	else
		browse_ask(self, ASKS_PLACE, options);
}

static void browse_key(struct browser *self, int key)
{
	struct place *place = place_now(self);

	if (key == KEY_CTRL_L) {
		screen_forget(self->terminal.screen);
		return;
	}
	if (self->asking != ASKS_NOTHING && !waiting_key(self, key))
		return;
	if (self->prompt != PROMPT_NONE) {
		prompt_key(self, key);
		return;
	}
	buffer_clear(&self->message);
	if (page_key(&place->page, key) || (place->options && report_key(self, key)))
		return;
	if (key == KEY_ENTER || key == KEY_RIGHT)
		go_on(self);
	else if (key == 'u' || key == KEY_BACKSPACE || key == KEY_LEFT || key == KEY_ESCAPE)
		browse_back(self);
	else if (key == 'n' || key == 'p')
		ask_sibling(self, key == 'p');
	else if (key == 'v')
		show_views(self);
	else if (key == '/')
		prompt_begin(self, PROMPT_FILTER);
	else if (key == 'D')
		prompt_begin(self, PROMPT_DIFF);
	else if (key == '?' || key == KEY_F1)
		text_show(self, "keys", keys_text);
	else if (key == 'q' || key == KEY_CTRL_C || key == KEY_F10)
		self->is_over = true;
}

/* The keys that waited, until one of them asks for a further report. */
static void keys_catch_up(struct browser *self)
{
	size_t count = self->ahead_count, i = 0;

	while (i < count && self->asking == ASKS_NOTHING && !self->is_over)
		browse_key(self, self->ahead[i++]);
	self->ahead_count -= i;
	memmove(self->ahead, self->ahead + i, self->ahead_count * sizeof(*self->ahead));
}

/* Drawing. */

static void path_draw(const struct browser *self)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct screen *screen = self->terminal.screen;
	size_t columns = screen_columns(screen), cut;

	for (size_t i = 0; i < self->setup->file_count; i++) {
		const char *slash = strrchr(self->setup->files[i], '/');

		buffer_printf(&line, "%s%s", i ? " " : "",
		              slash ? slash + 1 : self->setup->files[i]);
	}
	EACH_OF(self->place, self->count, const struct place, place)
		buffer_printf(&line, " > %s", place->label);
	/* its end says where one is */
	cut = line.length > columns ? line.length - columns : 0;
	(void)screen_put(screen, 0, 0, columns, SCREEN_NORMAL, line.text + cut);
	if (cut)
		(void)screen_put(screen, 0, 0, columns, SCREEN_NORMAL, "...");
	screen_add_style(screen, 0, 0, columns, SCREEN_REVERSE);
}

/* Narrow screens cut its end. */
static const char keys_line[] = "? keys  q quit  Enter go on  u back  n next  t timeline  "
                                "e evidence  / filter  v views  y command";

static void last_line_draw(const struct browser *self)
{
	struct screen *screen = self->terminal.screen;
	size_t row = screen_rows(screen) - 1, columns = screen_columns(screen), at;

	if (self->asking != ASKS_NOTHING) {
		at = screen_put(screen, row, 0, columns, SCREEN_BOLD,
		                self->child.message.length ? self->child.message.text
		                                           : "reading");
		(void)screen_put(screen, row, at + 2, columns > at + 2 ? columns - at - 2 : 0,
		                 SCREEN_DIM, "(q stops)");
	} else if (self->prompt != PROMPT_NONE) {
		at = screen_put(screen, row, 0, columns, SCREEN_BOLD, prompt_words[self->prompt]);
		at += screen_put(screen, row, at, columns - at, SCREEN_NORMAL, self->typed.text);
		(void)screen_put(screen, row, at, columns - at, SCREEN_NORMAL, "_");
	} else if (self->message.length) {
		(void)screen_put(screen, row, 0, columns, SCREEN_BOLD, self->message.text);
	} else {
		(void)screen_put(screen, row, 0, columns, SCREEN_DIM, keys_line);
	}
}

/* False: the line has not sent the last drawing yet. */
static bool browse_draw(struct browser *self)
{
	struct screen *screen = self->terminal.screen;
	struct place *place = place_now(self);
	size_t rows = screen_rows(screen);

	if (!screen_terminal_is_ready())
		return false;
	screen_begin(screen);
	if (place && rows > 2)
		page_draw(&place->page, screen, 1, rows - 2);
	path_draw(self);
	if (rows > 1)
		last_line_draw(self);
	screen_terminal_flush(&self->terminal);
	return true;
}

static void browse_turn(struct browser *self, bool is_drawn)
{
	struct epoll_event event;
	int key = KEY_NONE;

	(void)epoll_wait(self->terminal.epoll_fd, &event, 1,
	                 is_drawn && !key_is_pending(&self->terminal.keys) ? -1 : AGAIN_MS);
	if (!screen_terminal_take_news(&self->terminal)) {
		self->is_over = true;
		return;
	}
	place_fit(self);
	while (!self->is_over && (key = screen_terminal_key(&self->terminal)) > KEY_NONE)
		browse_key(self, key);
	if (key < 0)
		self->is_over = true;
	if (self->worker.socket >= 0)
		report_worker_take(&self->worker);
	if (self->asking != ASKS_NOTHING) {
		report_child_take(&self->child);
		if (self->child.is_ended)
			child_done(self);
		if (self->asking == ASKS_NOTHING)
			keys_catch_up(self);
	}
}

static void browser_release(struct browser *self)
{
	report_child_release(&self->child);
	report_worker_stop(&self->worker);
	while (self->count > 0)
		place_release(&self->place[--self->count]);
	while (self->kept_count > 0)
		kept_drop(self);
	free(self->place);
	free(self->kept);
	free(self->asked);
	free(self->worker_word);
	buffer_release(&self->before);
	buffer_release(&self->typed);
	buffer_release(&self->message);
	buffer_release(&self->commands);
}

int browse_session_run(const struct browse_setup *setup)
{
	struct browser self = {.setup = setup, .worker = {.socket = -1}};

	report_child_init(&self.child);
	buffer_init(&self.before, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < setup->file_count; i++) {
		shell_quote_append(&self.before, setup->files[i]);
		buffer_putc(&self.before, ' ');
	}
	buffer_puts(&self.before, setup->lasting);
	buffer_init(&self.typed, 500);
	buffer_init(&self.message, BUFFER_LIMIT_DEFAULT);
	buffer_init(&self.commands, BUFFER_LIMIT_DEFAULT);
	screen_terminal_init(&self.terminal);
	if (!screen_terminal_begin(&self.terminal)) {
		screen_terminal_end(&self.terminal);
		browser_release(&self);
		return message_fail(STATUS_FAILED, "browse: it needs a terminal with a screen; "
		                    "ftwait report shows the same as text");
	}
	browse_ask(&self, ASKS_PLACE, setup->first);
	while (!self.is_over)
		browse_turn(&self, browse_draw(&self));
	screen_terminal_end(&self.terminal);
	if (self.status && self.message.length)
		(void)message_fail(0, "%s", self.message.text);
	(void)fputs(self.commands.text, stdout);
	self.status = self.status ? self.status : STATUS_FINE;
	browser_release(&self);
	return self.status;
}
