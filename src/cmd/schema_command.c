/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs may expect of the JSON, as JSON Schema (2020-12). A schema is made of a table whose
 * rows are members, each before those in it. Members beyond those of the table are allowed: new
 * ones may come, as ftwait-json(5) says.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "commands.h"
#include "ftwait/cause.h"
#include "present/data/json_writer.h"

#define DRAFT "https://json-schema.org/draft/2020-12/schema"

enum json_types {
	IS_STRING  = 1u << 0,
	IS_INTEGER = 1u << 1,
	IS_NUMBER  = 1u << 2,
	IS_BOOL    = 1u << 3,
	IS_OBJECT  = 1u << 4, /* the rows below it, one deeper, are its members */
	IS_ARRAY   = 1u << 5, /* the same, of its elements; if there are none, these are strings */
	IS_NULL    = 1u << 6,
	IS_RARE    = 1u << 7, /* the member may be absent */
	IS_SURE    = 1u << 8, /* one of the names of enum confidence */
};

struct member {
	unsigned depth;
	const char *key;
	unsigned types;
	const char *about;
};

static const struct member explain_members[] = {
	{0, "schema", IS_STRING, NULL},
	{0, "file", IS_STRING, "the recording, as it was given"},
	{0, "question", IS_STRING | IS_NULL, "as it was asked; null: none was"},
	{0, "answers", IS_ARRAY, "at most five sentences in all, what matters most first"},
	{1, "says", IS_STRING, "one sentence of the report, or two: what is so, and why"},
	{1, "value_ns", IS_INTEGER | IS_RARE, "the figure of the last sentence, if it is a time"},
	{1, "value", IS_NUMBER | IS_NULL | IS_RARE, "else: a number, or a part of 1; null: none"},
	{1, "task", IS_OBJECT | IS_NULL, "the task that the figure is of, where it is of one"},
	{2, "tid", IS_INTEGER, NULL},
	{2, "tgid", IS_INTEGER | IS_NULL, NULL},
	{2, "comm", IS_STRING, NULL},
	{1, "confidence", IS_STRING | IS_SURE, NULL},
	{1, "evidence", IS_ARRAY, "the events that it rests on"},
	{2, "cpu", IS_INTEGER, NULL},
	{2, "at_ns", IS_INTEGER, "of the trace's clock"},
	{2, "event", IS_STRING, NULL},
	{2, "says", IS_STRING, NULL},
	{1, "inferred", IS_BOOL, "it cites no events"},
	{1, "next", IS_STRING, "the command that shows more, for a shell"},
	{0, "health", IS_OBJECT, "how far the answers can be trusted"},
	{1, "is_impaired", IS_BOOL, "events were lost, or the file is damaged"},
	{1, "is_sound", IS_BOOL, "and nearly all of the time is explained"},
	{1, "events_lost", IS_INTEGER | IS_NULL, "as far as counted; null: not known"},
	{1, "says", IS_STRING, NULL},
};

static const struct member report_members[] = {
	{0, "schema", IS_STRING, NULL},
	{0, "trace", IS_OBJECT, "what was recorded"},
	{1, "files", IS_ARRAY, NULL},
	{1, "kernel", IS_STRING | IS_NULL, NULL},
	{1, "arch", IS_STRING | IS_NULL, NULL},
	{1, "cpus", IS_INTEGER, NULL},
	{1, "clock", IS_STRING | IS_NULL, NULL},
	{1, "begin_ns", IS_INTEGER, "the first event"},
	{1, "end_ns", IS_INTEGER, "the last one"},
	{1, "events", IS_INTEGER, NULL},
	{1, "recorded", IS_ARRAY | IS_NULL, "groups and events; null: the file does not say"},
	{1, "realtime_begin_ns", IS_INTEGER | IS_NULL, "since 1970"},
	{0, "health", IS_OBJECT, "how far the answers can be trusted"},
	{1, "events", IS_INTEGER, NULL},
	{1, "events_lost", IS_INTEGER | IS_NULL, NULL},
	{1, "unknown_ns", IS_INTEGER, NULL},
	{1, "task_ns", IS_INTEGER, NULL},
	{1, "explained_ns", IS_INTEGER, NULL},
	{1, "open_waits", IS_INTEGER, NULL},
};

static const struct schema {
	const char *name; /* of the program's JSON */
	const char *about;
	const struct member *members;
	size_t count;
	bool has_views; /* and a member for each view that was asked for */
} schemas[] = {
	{"ftwait.explain/1", "what ftwait explain --json writes", explain_members,
	 ARRAY_SIZE(explain_members), false},
	{"ftwait.report/1",
	 "what ftwait report --json writes; members of views: ftwait-json(5)", report_members,
	 ARRAY_SIZE(report_members), true},
};

static const struct option_row rows[] = {
	OPT_HEADING("Options"),
};

const struct option_set schema_option_set = {
	.command = "schema",
	.operands = "[NAME]",
	.about = "Prints the JSON Schema of what a command writes with --json: explain, report. "
	         "Without NAME, lists them.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

static void types_put(struct json_writer *json, unsigned types)
{
	static const char *const names[] = {
		"string", "integer", "number", "boolean", "object", "array", "null",
	};

	json_member_array(json, "type", JSON_INLINE);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (types & 1u << i)
			json_put_string(json, names[i]);
	json_array_end(json);
}

static void confidences_put(struct json_writer *json)
{
	json_member_array(json, "enum", JSON_INLINE);
	for (enum confidence at = CONFIDENCE_LOW; at <= CONFIDENCE_HIGH; at++)
		json_put_string(json, confidence_name(at));
	json_array_end(json);
}

static size_t members_put(struct json_writer *json, const struct schema *schema, size_t at);

/* Puts the member and those in it; returns the index of the next one. */
static size_t member_put(struct json_writer *json, const struct schema *schema, size_t at)
{
	const struct member *member = &schema->members[at];
	bool has_members = at + 1 < schema->count && member[1].depth > member->depth;

	json_member_object(json, member->key, JSON_INLINE);
	types_put(json, member->types);
	if (strcmp(member->key, "schema") == 0)
		json_member_string(json, "const", schema->name);
	if (member->types & IS_SURE)
		confidences_put(json);
	if (member->about)
		json_member_string(json, "description", member->about);
	if (member->types & IS_ARRAY) {
		json_member_object(json, "items", JSON_INLINE);
		types_put(json, has_members ? IS_OBJECT : IS_STRING);
	}
	at = has_members ? members_put(json, schema, at + 1) : at + 1;
	if (member->types & IS_ARRAY)
		json_object_end(json);
	json_object_end(json);
	return at;
}

static void required_put(struct json_writer *json, const struct schema *schema, size_t from,
                         size_t end)
{
	const struct member *member = schema->members;

	json_member_array(json, "required", JSON_INLINE);
	for (size_t i = from; i < end; i++)
		if (member[i].depth == member[from].depth && !(member[i].types & IS_RARE))
			json_put_string(json, member[i].key);
	json_array_end(json);
}

/* The members of one object, from the first of them on; returns what follows them. */
static size_t members_put(struct json_writer *json, const struct schema *schema, size_t first)
{
	unsigned depth = schema->members[first].depth;
	size_t at = first;

	json_member_object(json, "properties", JSON_LINES);
	while (at < schema->count && schema->members[at].depth >= depth)
		at = member_put(json, schema, at); /* NOLINT: recursion */
	for (size_t i = 0; depth == 0 && schema->has_views && analyses[i]; i++) {
		_cleanup_(freep) char *key = xstrdup(analyses[i]->name);

		for (char *dash = key; (dash = strchr(dash, '-'));)
			*dash = '_';
		json_member_object(json, key, JSON_INLINE);
		types_put(json, IS_OBJECT | IS_ARRAY);
		json_member_string(json, "description", analyses[i]->about);
		json_object_end(json);
	}
	json_object_end(json);
	required_put(json, schema, first, at);
	return at;
}

static void schema_print(const struct schema *schema)
{
	struct json_writer json;

	json_init(&json, stdout);
	json_object_begin(&json, JSON_LINES);
	json_member_string(&json, "$schema", DRAFT);
	json_member_string(&json, "title", schema->name);
	json_member_string(&json, "description", schema->about);
	types_put(&json, IS_OBJECT);
	(void)members_put(&json, schema, 0);
	json_object_end(&json);
	json_release(&json);
}

/* "explain", "ftwait.explain/1" */
static const struct schema *schema_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(schemas); i++) {
		const char *own = strchr(schemas[i].name, '.') + 1;
		size_t length = strcspn(own, "/");

		if (strcmp(schemas[i].name, name) == 0 ||
		    (strlen(name) == length && strncmp(own, name, length) == 0))
			return &schemas[i];
	}
	return NULL;
}

int schema_command(int argc, char **argv)
{
	const struct schema *schema;
	struct operands operands;
	char none;
	int status = options_read(&schema_option_set, argc, argv, &none, &operands);

	if (status != OPTIONS_GO_ON)
		return status;
	if (operands.count == 0) {
		for (size_t i = 0; i < ARRAY_SIZE(schemas); i++)
			(void)printf("%-18s %s\n", schemas[i].name, schemas[i].about);
		return STATUS_FINE;
	}
	schema = schema_find(operands.argv[0]);
	if (operands.count > 1 || !schema)
		return message_fail(STATUS_USAGE, "schema: %s: no such schema; there are "
		                    "ftwait.explain/1 and ftwait.report/1", operands.argv[0]);
	schema_print(schema);
	return STATUS_FINE;
}
