/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "signal_names.h"

#include <stddef.h>
#include <string.h>

#include "base/data/array.h"

#define SIGNALS_MAX 31 /* signals from 32 on are real-time signals, which have no names */

struct signal_names {
	const char *arch; /* prefix of uname -m */
	const char *name[SIGNALS_MAX]; /* names of signal 1 and the following */
};

/* Source: arch/.../include/uapi/asm/signal.h of the kernel. */
static const struct signal_names machines[] = {
	{"mips",
	 {"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGEMT",
	  "SIGFPE", "SIGKILL", "SIGBUS", "SIGSEGV", "SIGSYS", "SIGPIPE", "SIGALRM",
	  "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPWR", "SIGWINCH", "SIGURG",
	  "SIGIO", "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU", "SIGVTALRM",
	  "SIGPROF", "SIGXCPU", "SIGXFSZ"}},
	{"alpha",
	 {"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGEMT",
	  "SIGFPE", "SIGKILL", "SIGBUS", "SIGSEGV", "SIGSYS", "SIGPIPE", "SIGALRM",
	  "SIGTERM", "SIGURG", "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGCHLD", "SIGTTIN",
	  "SIGTTOU", "SIGIO", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF",
	  "SIGWINCH", "SIGPWR", "SIGUSR1", "SIGUSR2"}},
	{"sparc",
	 {"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGEMT",
	  "SIGFPE", "SIGKILL", "SIGBUS", "SIGSEGV", "SIGSYS", "SIGPIPE", "SIGALRM",
	  "SIGTERM", "SIGURG", "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGCHLD", "SIGTTIN",
	  "SIGTTOU", "SIGIO", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF",
	  "SIGWINCH", "SIGLOST", "SIGUSR1", "SIGUSR2"}},
	{"parisc",
	 {"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGSTKFLT",
	  "SIGFPE", "SIGKILL", "SIGBUS", "SIGSEGV", "SIGXCPU", "SIGPIPE", "SIGALRM",
	  "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPWR", "SIGVTALRM",
	  "SIGPROF", "SIGIO", "SIGWINCH", "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGTTIN",
	  "SIGTTOU", "SIGURG", "SIGXFSZ", "SIGSYS"}},
	{"",
	 {"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS",
	  "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM",
	  "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP",
	  "SIGTTIN", "SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM",
	  "SIGPROF", "SIGWINCH", "SIGIO", "SIGPWR", "SIGSYS"}}, /* all others */
};

const struct signal_names *signal_names_of(const char *arch)
{
	size_t i = arch ? 0 : ARRAY_SIZE(machines) - 1;

	while (arch && strncmp(arch, machines[i].arch, strlen(machines[i].arch)) != 0)
		i++;
	return &machines[i];
}

const char *signal_name(const struct signal_names *names, int number)
{
	return number >= 1 && number <= SIGNALS_MAX ? names->name[number - 1] : NULL;
}
