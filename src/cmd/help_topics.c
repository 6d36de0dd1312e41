/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "help_topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "pager.h"
#include "source/file/unpack.h"

#define NAMES_BETWEEN '|'

/* A line of the text, without its end. */
struct topic_line {
	int level;         /* 0: it only continues topics. Otherwise it ends those of this level
	                      and of higher ones */
	const char *kind;  /* NULL: it begins no topic */
	const char *names; /* with NAMES_BETWEEN */
	const char *text;  /* NULL: nothing is to be shown */
};

struct topic_text {
	char *text; /* of which the lines are parts */
	struct topic_line *line;
	size_t count;
};

static const struct {
	const char *kind, *words;
} kind_words[] = {
	{"group", "Group of events (ftwait record -e):"},
	{"cause", "Kind of cause (ftwait report --kind):"},
	{"stall", "Stall:"},
};

/* Cuts the text at the next such byte, and moves *at behind it. */
static char *part_cut(char **at, char end)
{
	char *part = *at;

	*at = strchr(part, end);
	if (*at)
		*(*at)++ = '\0';
	else
		*at = part + strlen(part);
	return part;
}

static struct topic_line line_read(char *text)
{
	struct topic_line line = {.text = text};

	if (*text != '\t')
		return line;
	text++;
	line.level = *part_cut(&text, '\t') - '0';
	if (!*text)
		return (struct topic_line){.level = line.level};
	line.kind = part_cut(&text, '\t');
	line.names = part_cut(&text, '\t');
	line.text = text;
	return line;
}

static void text_load(struct topic_text *ret)
{
	size_t capacity = 0;

	*ret = (struct topic_text){.text = xcalloc(help_text_size + 1, 1)};
	/* it is a part of the program, so that it can be unpacked */
	(void)unpack(PACKING_ZLIB, help_text_packed, help_text_packed_size, ret->text,
	             help_text_size);
	for (char *at = ret->text; *at;)
		ARRAY_ADD(ret->line, ret->count, capacity) = line_read(part_cut(&at, '\n'));
}

static void text_release(struct topic_text *text)
{
	free(text->line);
	free(text->text);
}

void help_topics_each(void (*each)(void *context, const char *name, const char *kind),
                      void *context)
{
	_cleanup_(text_release) struct topic_text text;

	text_load(&text);
	for (size_t i = 0; i < text.count; i++) {
		_cleanup_(freep) char *names = xstrdup(text.line[i].kind ? text.line[i].names : "");

		for (char *at = names; *at;)
			each(context, part_cut(&at, NAMES_BETWEEN), text.line[i].kind);
	}
}

/* Whether the first line of a topic has the name. */
static bool line_has_name(const struct topic_line *line, const char *name,
                          int (*compare)(const char *, const char *))
{
	_cleanup_(freep) char *names = xstrdup(line->names);

	for (char *at = names; *at;)
		if (compare(part_cut(&at, NAMES_BETWEEN), name) == 0)
			return true;
	return false;
}

/* Appends what the topic is, if its first line does not show that. */
static void heading_append(struct buffer *to, const struct topic_line *topic, const char *view)
{
	if (strcmp(topic->kind, "column") == 0)
		buffer_printf(to, "Column%s%s:\n", view ? " of --" : "", view ? view : "");
	for (size_t i = 0; i < ARRAY_SIZE(kind_words); i++)
		if (strcmp(topic->kind, kind_words[i].kind) == 0)
			buffer_printf(to, "%s\n", kind_words[i].words);
}

/* Appends the topic that begins with the line `first`. */
static void topic_append(struct buffer *to, const struct topic_text *text, size_t first)
{
	const struct topic_line *line = text->line;

	for (size_t i = first; i < text->count; i++) {
		if (i > first && line[i].level > 0 && line[i].level <= line[first].level)
			return;
		if (line[i].text)
			buffer_printf(to, "%s\n", line[i].text);
	}
}

static void topics_append(struct buffer *to, const struct topic_text *text, const char *name,
                          int (*compare)(const char *, const char *))
{
	const char *view = NULL; /* in which section the line is */

	for (size_t i = 0; i < text->count; i++) {
		const struct topic_line *line = &text->line[i];

		if (!line->kind)
			continue;
		if (strcmp(line->kind, "view") == 0)
			view = line->names;
		else if (strcmp(line->kind, "section") == 0)
			view = NULL;
		if (!line_has_name(line, name, compare))
			continue;
		if (to->length > 0)
			buffer_putc(to, '\n');
		heading_append(to, line, view);
		topic_append(to, text, i);
	}
}

bool help_topics_show(const char *name, bool has_pager)
{
	_cleanup_(text_release) struct topic_text text;
	_cleanup_(buffer_release) struct buffer shown = buffer_of(SIZE_MAX);
	struct pager pager = {0};

	text_load(&text);
	topics_append(&shown, &text, name, strcmp);
	if (shown.length == 0)
		topics_append(&shown, &text, name, strcasecmp);
	if (shown.length == 0)
		return false;
	if (has_pager)
		pager_begin(&pager);
	(void)fputs(shown.text, stdout);
	pager_end(&pager);
	return true;
}
