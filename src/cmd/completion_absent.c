/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorder alone (make RECORDER=1) has no completion: none of its options needs these. */
#include "commands.h"
#include "completion.h"

const char *completion_shell_at(size_t index)
{
	(void)index;
	return NULL;
}

void completion_print(FILE *out, enum completion_shell shell)
{
	(void)out;
	(void)shell;
}

int completion_answer(FILE *out, enum completion_shell shell, char *const *words, size_t count)
{
	(void)out;
	(void)shell;
	(void)words;
	(void)count;
	return STATUS_USAGE;
}

void completion_fixed_print(FILE *out)
{
	(void)out;
}
