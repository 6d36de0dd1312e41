/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader that a recording has taken over can still do: attacks in a sealed process, and in
 * the middle of a report. Each must do harm where nothing is sealed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/seal.h"
#include "base/xalloc.h"
#include "cmd/commands.h"
#include "suites.h"

#define ATTACKS_MAX  32
#define NOT_ATTEMPTED (-1)

/* What stands against an attack. */
enum {
	SECCOMP = 1,
	LANDLOCK = 2,
	LANDLOCK_NET = 4,     /* from its version 4 on */
	LANDLOCK_SIGNALS = 8, /* from its version 6 on */
	EITHER = SECCOMP | LANDLOCK,
};

static char folder[64];
static char *recording;
static int listener, connecting, *results; /* results: errors of the attacks, in shared memory */

static long closed(long fd)
{
	return fd < 0 ? -1 : close((int)fd);
}

static void setup(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t length = sizeof(address);
	static const char *const names[] = {"victim", "other"};

	(void)snprintf(folder, sizeof(folder), "/tmp/ftwait-unit.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	results = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(results, MAP_FAILED);
	for (size_t i = 0; i < ATTACKS_MAX; i++)
		results[i] = NOT_ATTEMPTED;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	connecting = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, length), 0);
	ck_assert_int_eq(listen(listener, 8), 0);
	recording = realpath("fixtures/demo.dat", NULL);
	ck_assert_ptr_nonnull(recording);
	ck_assert_int_eq(chdir(folder), 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		ck_assert_int_eq(closed(open(names[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
}

static void teardown(void)
{
	_cleanup_(freep) char *command = xasprintf("rm -r %s", folder);

	(void)close(listener);
	(void)close(connecting);
	(void)munmap(results, 4096);
	free(recording);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(system(command), 0);
}

static long attack_write(void) { return closed(open("victim", O_WRONLY | O_CLOEXEC)); }
static long attack_append(void) { return closed(open("victim", O_RDWR | O_APPEND | O_CLOEXEC)); }
static long attack_create(void) { return closed(open("new", O_RDONLY | O_CREAT | O_CLOEXEC, 0600)); }
static long attack_spool(void) { return closed(open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)); }
static long attack_empty(void) { return truncate("victim", 0); }
static long attack_directory(void) { return mkdir("directory", 0700); }
static long attack_link(void) { return link("victim", "link"); }
static long attack_symlink(void) { return symlink("/etc/passwd", "symlink"); }
static long attack_rename(void) { return rename("victim", "named"); }
static long attack_remove(void) { return unlink("other"); }
static long attack_mode(void) { return chmod(".", 0755); }
static long attack_owner(void) { return chown(".", getuid(), getgid()); }

/* A file that is open for reading is enough for that. */
static long attack_open_mode(void)
{
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r = fchmod(fd, 0755), error = errno;

	(void)close(fd);
	errno = error;
	return r;
}

#ifdef SYS_openat2
static long attack_openat2(void)
{
	uint64_t how[3] = {O_WRONLY | O_CREAT | O_CLOEXEC, 0600, 0};

	return closed(syscall(SYS_openat2, AT_FDCWD, "new2", how, sizeof(how)));
}
#endif

static long attack_socket(void) { return closed(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

static long attack_connect(void)
{
	struct sockaddr_in address;
	socklen_t length = sizeof(address);

	if (getsockname(listener, (struct sockaddr *)&address, &length) < 0)
		return -1;
	return connect(connecting, (struct sockaddr *)&address, length);
}

static long attack_signal(void) { return kill(getppid(), 0); }

/* These two Yama may forbid to all but root. The tracer's end is the end of it. */
static long attack_trace(void) { return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL); }

static long attack_memory(void)
{
	int here = 0;
	struct iovec to = {&here, sizeof(here)}, from = {&listener, sizeof(listener)};

	return process_vm_readv(getppid(), &to, 1, &from, 1, 0);
}

static long attack_terminal(void)
{
	return ioctl(STDIN_FILENO, TIOCSTI, "x");
}

static long attack_ring(void)
{
	return closed(syscall(SYS_io_uring_setup, 1, NULL)); /* NULL: EFAULT if it is not refused */
}

static long attack_execute(void)
{
	char *const words[] = {(char *)"true", NULL};

	return execve("/bin/true", words, words + 1);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
#define TRACING 0 /* that sanitizer, of which clang tells nothing, needs it */
#else
#define TRACING SECCOMP
#endif

static const struct {
	const char *name;
	long (*attempt)(void);
	unsigned refused_by;
	bool is_moot; /* it may fail for another reason, too */
} attacks[] = {
	{"write", attack_write, EITHER, false},
	{"append", attack_append, EITHER, false},
	{"create", attack_create, EITHER, false},
	{"spool", attack_spool, EITHER, true},
	{"empty", attack_empty, SECCOMP, false},
	{"directory", attack_directory, EITHER, false},
	{"link", attack_link, EITHER, true},
	{"symlink", attack_symlink, EITHER, false},
	{"rename", attack_rename, EITHER, false},
	{"remove", attack_remove, EITHER, false},
	{"mode", attack_mode, SECCOMP, false},
	{"owner", attack_owner, SECCOMP, false},
	{"mode of an open file", attack_open_mode, SECCOMP, false},
#ifdef SYS_openat2
	{"openat2", attack_openat2, EITHER, true},
#endif
	{"socket", attack_socket, SECCOMP, false},
	{"connect", attack_connect, SECCOMP | LANDLOCK_NET, false},
	{"signal", attack_signal, SECCOMP | LANDLOCK_SIGNALS, false},
	{"memory", attack_memory, EITHER, true},
	{"type", attack_terminal, SECCOMP, true},
	{"ring", attack_ring, SECCOMP, true},
	{"trace", attack_trace, TRACING | LANDLOCK, true},
	{"execute", attack_execute, EITHER, false}, /* last: it may not return */
};
_Static_assert(ARRAY_SIZE(attacks) <= ATTACKS_MAX, "room for the results");

static void attack(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(attacks); i++) {
		errno = 0;
		results[i] = 0;
		results[i] = attacks[i].attempt() < 0 ? errno : 0;
	}
}

static long landlock_version(void)
{
#ifdef SYS_landlock_create_ruleset
	return syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, 1u);
#else
	return -1;
#endif
}

/* What this kernel has; qemu's emulation of one has neither. */
static unsigned kernel_means(void)
{
	long landlock = landlock_version();
	unsigned means = 0;

#ifdef FTWAIT_COVERAGE
	return 0;
#endif
	if (landlock > 0)
		means |= LANDLOCK | (landlock >= 4 ? LANDLOCK_NET : 0) |
		         (landlock >= 6 ? LANDLOCK_SIGNALS : 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT)
		means |= SECCOMP;
	return means;
}

static int run_child(void (*run)(void))
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		run();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

static void check_refused(void)
{
	unsigned means = kernel_means();

	for (size_t i = 0; i < ARRAY_SIZE(attacks); i++) {
		bool is_refused = results[i] == EPERM || results[i] == EACCES;

		ck_assert_msg(results[i] != NOT_ATTEMPTED, "%s: not attempted", attacks[i].name);
		ck_assert_msg(!(attacks[i].refused_by & means) || is_refused, "%s: %s",
		              attacks[i].name, strerror(results[i]));
	}
}

START_TEST(attacks_do_harm)
{
	int status = run_child(attack);

	ck_assert(WIFEXITED(status));
	for (size_t i = 0; i < ARRAY_SIZE(attacks); i++)
		ck_assert_msg(results[i] == 0 || attacks[i].is_moot, "%s: %s", attacks[i].name,
		              strerror(results[i]));
}
END_TEST

static void seal_and_attack(void)
{
	struct seal seal = seal_begin(-1);
	unsigned means = kernel_means();

	attack();
	if (seal.has_landlock != !!(means & LANDLOCK) || seal.has_seccomp != !!(means & SECCOMP))
		_exit(1);
}

START_TEST(they_are_refused)
{
	ck_assert_int_eq(run_child(seal_and_attack), 0);
	check_refused();
}
END_TEST

/* The report writes, so it has read, and is sealed. */
static ssize_t attack_once(void *state, const char *bytes, size_t size)
{
	bool *is_done = state;

	(void)bytes;
	if (!*is_done)
		attack();
	*is_done = true;
	return (ssize_t)size;
}

static char *extra; /* an option; NULL: none */

static void report_and_attack(void)
{
	static const cookie_io_functions_t functions = {.write = attack_once};
	static bool is_done;
	char *words[] = {(char *)"report", recording, extra, NULL};

	stdout = fopencookie(&is_done, "w", functions);
	_exit(!stdout || report_command(extra ? 3 : 2, words) != STATUS_FINE);
}

START_TEST(a_report_is_sealed)
{
	ck_assert_int_eq(run_child(report_and_attack), 0);
	check_refused();
}
END_TEST

START_TEST(unless_it_is_told_not_to)
{
	int status;

	extra = (char *)"--no-seal";
	status = run_child(report_and_attack);
	extra = NULL;
	ck_assert(WIFEXITED(status));
	for (size_t i = 0; i < ARRAY_SIZE(attacks); i++)
		ck_assert_msg(results[i] == 0 || attacks[i].is_moot, "%s: %s", attacks[i].name,
		              strerror(results[i]));
}
END_TEST

static void on_signal(int number)
{
	(void)number;
}

static void *run_nothing(void *state)
{
	return state;
}

/* What a report does after it has been sealed. */
static void work(void)
{
	int fd = open("victim", O_WRONLY | O_CLOEXEC), here = open(".", O_PATH | O_CLOEXEC), own;
	pthread_t thread;

	if (fd < 0 || here < 0)
		_exit(1);
	(void)seal_begin(here);
	if (write(fd, "text", 4) != 4 || ftruncate(fd, 2) < 0)
		_exit(2);
	if (renameat(here, "victim", here, "named") < 0)
		_exit(3);
	if (closed(open("named", O_RDONLY | O_CLOEXEC)) < 0)
		_exit(4);
	if (pthread_create(&thread, NULL, run_nothing, NULL) != 0 ||
	    pthread_join(thread, NULL) != 0)
		_exit(5);
	if (signal(SIGUSR1, on_signal) == SIG_ERR || raise(SIGUSR1) != 0)
		_exit(6);
	own = open("named", O_WRONLY | O_CLOEXEC);
	if ((kernel_means() & EITHER) && own >= 0)
		_exit(7);
	if (unlinkat(here, "named", 0) < 0)
		_exit(8);
}

START_TEST(what_a_report_needs_is_left)
{
	ck_assert_int_eq(run_child(work), 0);
}
END_TEST

Suite *seal_suite(void)
{
	Suite *suite = suite_create("seal");
	TCase *tcase = tcase_create("seal");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, attacks_do_harm);
	tcase_add_test(tcase, they_are_refused);
	tcase_add_test(tcase, a_report_is_sealed);
	tcase_add_test(tcase, unless_it_is_told_not_to);
	tcase_add_test(tcase, what_a_report_needs_is_left);
	suite_add_tcase(suite, tcase);
	return suite;
}
