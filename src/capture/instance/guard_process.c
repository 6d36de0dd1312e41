/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guard_process.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* One call if the kernel has it (5.9); else one for each possible descriptor. */
void guard_process_close_from(int first)
{
	long limit = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
		return;
#endif
	for (int fd = first; fd < limit && fd < 65536; fd++)
		(void)close(fd);
}

int guard_process_begin(int fd)
{
	sigset_t all;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	if (chdir("/") < 0 || dup2(fd, STDIN_FILENO) < 0)
		return -errno;
	return 0;
}
