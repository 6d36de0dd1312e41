/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines of words/command_line.h as cells. */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/report.h"

/* The words of a command line, as a program got them; "..." stands for what is left out. */
struct arguments {
	struct cell *cell;
	size_t count;
	char *bytes; /* of the words */
};

/* `text` "": not known. */
void arguments_read(struct arguments *arguments, const char *text);
void arguments_release(struct arguments *arguments);
/* A list of the words, valid as long as the arguments; an empty cell if they are not known. */
struct cell arguments_cell(const struct arguments *arguments);
/* Appends a command line for people, of limited length. */
void arguments_append(struct buffer *to, const char *text);
