/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ftwait help --complete=SHELL -- INDEX WORD...`, for the scripts of completion.h. WORDs are
 * those of the command line as typed, the name of the program first; word INDEX is the one at the
 * cursor, cut there. bash passes words split at = and : and gets texts to insert, quoted for their
 * place; the other two shells quote themselves.
 *
 * The answer's first line is the kind of the rest (words, files, recordings, folders, programs,
 * nothing), a blank, and the part of the word at the cursor that is kept, or the index of the word
 * where another program's command line begins. Each further line is a word; for zsh and fish a tab
 * and a description may follow. Files are listed only for bash; zsh and fish have better means,
 * and fish gets a line with the begin of the name.
 *
 * It must not block the shell: it ends after two seconds at most.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

enum completion_shell {
	COMPLETION_BASH,
	COMPLETION_ZSH,
	COMPLETION_FISH,
};

/* "bash", "zsh", "fish" by index; NULL beyond. */
const char *completion_shell_at(size_t index);
/* Returns the exit status. */
int completion_answer(FILE *out, enum completion_shell shell, char *const *words, size_t count);
/* For checks of the tables: "COMMAND OPTION VALUE", a line for each fixed value of every
   option. */
void completion_fixed_print(FILE *out);
