/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ftwait help --complete=SHELL -- INDEX WORD...`, which the scripts of completion.h ask. WORDs are
 * those of the command line as they stand there, the name of the program first; that of INDEX is
 * the one at the cursor, up to the cursor. bash gives what it has split at = and : and gets texts
 * that take the place of what it would replace, quoted for where they are put; the other two quote
 * themselves.
 *
 * The answer's first line says of what kind the rest is (words, files, recordings, folders,
 * programs, nothing), behind a blank what of the word at the cursor is kept, or the index of the
 * word where another program's command line begins. Then a line for each word; for zsh and fish a
 * tab may follow, and what it is. Files stand there for bash alone; zsh and fish have better means,
 * and fish gets a line with how the name begins.
 *
 * It must not make a shell wait: it ends after two seconds at most, whatever it was asked.
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
/* For who checks tables: "COMMAND OPTION VALUE", a line for each fixed value of every option. */
void completion_fixed_print(FILE *out);
