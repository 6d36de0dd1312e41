/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/version.h"
#include "commands.h"
#include "standard_output.h"

static int command_run(int argc, char **argv)
{
	const struct command *command = command_find(argv[0]);

	if (command)
		return command->run(argc, argv);
	command_complain(argv[0]);
	return STATUS_USAGE;
}

/* What may stand in place of a command. */
static const char *const version_words[] = {"--version", "-V", "-v", "version", NULL};
static const char *const help_words[] = {"--help", "-h", NULL};

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}

static int main_run(int argc, char **argv)
{
	if (argc < 2) {
		help_overview_print(stderr);
		return STATUS_USAGE;
	}
	if (is_one_of(argv[1], version_words)) {
		(void)printf("ftwait %s\n", ftwait_version);
		return STATUS_FINE;
	}
	if (is_one_of(argv[1], help_words)) {
		help_overview_print(stdout);
		return STATUS_FINE;
	}
	return command_run(argc - 1, argv + 1);
}

/*
 * If a standard stream is closed, the next opened file would get its number, and messages would be
 * written to that file. So a file that is opened in the wrong direction takes the number: it fails
 * as a closed stream does.
 */
static void standard_streams_hold(void)
{
	static const int modes[] = {
		[STDIN_FILENO] = O_WRONLY,
		[STDOUT_FILENO] = O_RDONLY,
		[STDERR_FILENO] = O_RDONLY,
	};

	for (int fd = 0; fd < (int)ARRAY_SIZE(modes); fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd] | O_CLOEXEC) < 0)
			return;
}

int main(int argc, char **argv)
{
	standard_streams_hold();
	(void)setlocale(LC_CTYPE, "");
	/* A closed pipe is reported as EPIPE, so that files and instances are still cleaned up. */
	(void)signal(SIGPIPE, SIG_IGN);
	return standard_output_finish(main_run(argc, argv));
}
