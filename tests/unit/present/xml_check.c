/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "xml_check.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/text/utf8.h"

#define DEPTH_MAX 16
#define NAME_MAX_BYTES 32

struct reader {
	const char *text, *at;
	char open[DEPTH_MAX][NAME_MAX_BYTES]; /* elements that have not ended yet */
	unsigned depth, roots;
	struct buffer *why;
};

static bool fail(struct reader *reader, const char *what)
{
	buffer_printf(reader->why, "%s at \"%.40s\"", what, reader->at);
	return false;
}

static bool starts(const struct reader *reader, const char *with)
{
	return strncmp(reader->at, with, strlen(with)) == 0;
}

/* One character that XML has, or a reference; `stop` must not be among them. */
static bool character_read(struct reader *reader, char stop)
{
	static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
	uint32_t code = 0;
	size_t size = utf8_decode(reader->at, strlen(reader->at), &code);

	if (size == 0 || (code < 0x20 && code != '\n' && code != '\t') || code == 0xfffe ||
	    code == 0xffff)
		return fail(reader, "no character of XML");
	if (*reader->at == '<' || *reader->at == stop || starts(reader, "]]>"))
		return fail(reader, "markup within text");
	for (size_t i = 0; *reader->at == '&'; i++) {
		if (i == 5)
			return fail(reader, "no reference");
		if (starts(reader, references[i])) {
			reader->at += strlen(references[i]);
			return true;
		}
	}
	reader->at += size;
	return true;
}

static bool name_read(struct reader *reader, char name[NAME_MAX_BYTES])
{
	size_t length = strspn(reader->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-:");

	if (length == 0 || length >= NAME_MAX_BYTES)
		return fail(reader, "no name");
	memcpy(name, reader->at, length);
	name[length] = '\0';
	reader->at += length;
	return true;
}

static bool attributes_read(struct reader *reader)
{
	char name[NAME_MAX_BYTES], seen[8][NAME_MAX_BYTES * 2];
	size_t count = 0;

	while (*reader->at == ' ') {
		reader->at++;
		if (!name_read(reader, name))
			return false;
		for (size_t i = 0; i < count; i++)
			if (strcmp(seen[i], name) == 0)
				return fail(reader, "an attribute twice");
		if (count < 8)
			strncpy(seen[count++], name, NAME_MAX_BYTES);
		if (!starts(reader, "=\""))
			return fail(reader, "no value");
		for (reader->at += 2; *reader->at != '"';)
			if (!character_read(reader, '"'))
				return false;
		reader->at++;
	}
	return true;
}

static bool start_read(struct reader *reader)
{
	char name[NAME_MAX_BYTES];

	reader->at++;
	if (reader->depth == 0 && reader->roots++ > 0)
		return fail(reader, "a second root");
	if (reader->depth == DEPTH_MAX)
		return fail(reader, "too deep");
	if (!name_read(reader, name) || !attributes_read(reader))
		return false;
	if (starts(reader, "/>")) {
		reader->at += 2;
		return true;
	}
	if (*reader->at != '>')
		return fail(reader, "no end of a tag");
	reader->at++;
	memcpy(reader->open[reader->depth++], name, sizeof(name));
	return true;
}

static bool end_read(struct reader *reader)
{
	char name[NAME_MAX_BYTES];

	reader->at += 2;
	if (!name_read(reader, name))
		return false;
	if (reader->depth == 0 || strcmp(reader->open[--reader->depth], name) != 0 ||
	    *reader->at != '>')
		return fail(reader, "an end that fits no beginning");
	reader->at++;
	return true;
}

static bool data_read(struct reader *reader)
{
	const char *end = strstr(reader->at, "]]>");

	if (!end)
		return fail(reader, "no end of data");
	reader->at = end + 3;
	return true;
}

static bool piece_read(struct reader *reader)
{
	if (starts(reader, "<![CDATA["))
		return data_read(reader);
	if (starts(reader, "</"))
		return end_read(reader);
	if (*reader->at == '<')
		return start_read(reader);
	if (reader->depth == 0 && !isspace((unsigned char)*reader->at))
		return fail(reader, "text beside the root");
	return character_read(reader, '\0');
}

bool xml_is_well_formed(const char *text, struct buffer *why)
{
	static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
	struct reader reader = {.text = text, .at = text, .why = why};

	if (!starts(&reader, declaration))
		return fail(&reader, "no declaration");
	reader.at += strlen(declaration);
	while (*reader.at)
		if (!piece_read(&reader))
			return false;
	return reader.roots == 1 && reader.depth == 0 ? true : fail(&reader, "not closed");
}
