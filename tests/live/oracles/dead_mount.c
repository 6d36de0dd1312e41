/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A FUSE file system whose server stops answering, and a program that has to do with it. It is
 * mounted in a mount namespace of its own, so that no other program of the machine comes near it.
 *
 *     dead_mount FOLDER WHAT
 *
 * The program does WHAT and prints "PID ready"; when a line arrives at standard input, the server
 * takes requests but answers no more, and the program goes on. The end of standard input ends both:
 * the kernel then ends all requests.
 *
 *     held   has a file of it open, and sleeps: it waits for nothing of it
 *     read   reads a file of it
 *     stat   looks at a name of it
 *     futex  sleeps at a futex in a page of it that is not in memory any more
 *     exe    executes a program that lies on it, which sleeps
 *     exec   executes another program and has a file of it to close: its close waits inside exec()
 *     alive  as held, but the server goes on answering
 *
 * The protocol is that of the kernel's include/uapi/linux/fuse.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_NODE     2
#define REQUEST_BYTES (FUSE_MIN_READ_BUFFER + (1u << 17))
#define DATA_BYTES    (1u << 17)
#define ALIVE_SECONDS 3600

struct server {
	int fuse_fd;
	int program_fd; /* what the file has in it: this program */
	bool is_silent;
	bool stays_alive; /* goes on answering when it should fall silent */
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "dead_mount: %s: %s\n", what, strerror(errno));
	exit(77);
}

static void answer(const struct server *server, uint64_t unique, int error, const void *data,
		   size_t size)
{
	static char reply[DATA_BYTES + sizeof(struct fuse_out_header)];
	struct fuse_out_header head = {
		.len = (uint32_t)(sizeof(head) + size),
		.error = error,
		.unique = unique,
	};

	memcpy(reply, &head, sizeof(head));
	if (size > 0)
		memcpy(reply + sizeof(head), data, size);
	if (write(server->fuse_fd, reply, head.len) < 0 && errno != ENOENT)
		fail("answer");
}

static struct fuse_attr attributes(const struct server *server, uint64_t node)
{
	struct stat program;

	if (fstat(server->program_fd, &program) < 0)
		fail("the program's size");
	return (struct fuse_attr){
		.ino = node,
		.mode = node == FUSE_ROOT_ID ? S_IFDIR | 0755 : S_IFREG | 0755,
		.nlink = 1,
		.size = node == FUSE_ROOT_ID ? 0 : (uint64_t)program.st_size,
		.blksize = 4096,
	};
}

static void answer_read(const struct server *server, const struct fuse_in_header *head,
			const void *body)
{
	static char data[DATA_BYTES];
	const struct fuse_read_in *in = body;
	size_t size = in->size < DATA_BYTES ? in->size : DATA_BYTES;
	ssize_t got = pread(server->program_fd, data, size, (off_t)in->offset);

	answer(server, head->unique, got < 0 ? -EIO : 0, data, got < 0 ? 0 : (size_t)got);
}

static void serve(const struct server *server, const struct fuse_in_header *head, const void *body)
{
	switch (head->opcode) {
	case FUSE_INIT: {
		const struct fuse_init_in *in = body;
		struct fuse_init_out out = {
			.major = FUSE_KERNEL_VERSION,
			.minor = in->minor < FUSE_KERNEL_MINOR_VERSION ? in->minor
								       : FUSE_KERNEL_MINOR_VERSION,
			.max_write = 4096,
		};

		answer(server, head->unique, 0, &out, sizeof(out));
		return;
	}
	case FUSE_LOOKUP: {
		struct fuse_entry_out out = {.nodeid = FILE_NODE,
					     .attr = attributes(server, FILE_NODE)};

		answer(server, head->unique, 0, &out, sizeof(out));
		return;
	}
	case FUSE_GETATTR: {
		struct fuse_attr_out out = {.attr = attributes(server, head->nodeid)};

		answer(server, head->unique, 0, &out, sizeof(out));
		return;
	}
	case FUSE_OPEN: {
		struct fuse_open_out out = {.fh = 1};

		answer(server, head->unique, 0, &out, sizeof(out));
		return;
	}
	case FUSE_READ:
		answer_read(server, head, body);
		return;
	case FUSE_FLUSH:
	case FUSE_RELEASE:
		answer(server, head->unique, 0, NULL, 0);
		return;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		return;
	default:
		answer(server, head->unique, -ENOSYS, NULL, 0);
	}
}

/* Until the end of standard input, which ends the mount, too. A line makes the server fall silent,
   and is passed on to the program. */
static void server_run(struct server *server, int go_fd)
{
	static char request[REQUEST_BYTES];
	struct pollfd fds[2] = {{.fd = server->fuse_fd, .events = POLLIN},
				{.fd = STDIN_FILENO, .events = POLLIN}};

	for (;;) {
		char byte;

		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[1].revents) {
			if (read(STDIN_FILENO, &byte, 1) != 1)
				return;
			server->is_silent = !server->stays_alive;
			if (write(go_fd, "", 1) < 0 && errno != EPIPE)
				return; /* EPIPE: a program that was executed reads none */
		}
		if (fds[0].revents) {
			ssize_t got = read(server->fuse_fd, request, sizeof(request));
			const struct fuse_in_header *head = (const void *)request;

			if (got < 0 && errno != EINTR && errno != EAGAIN && errno != ENOENT)
				return;
			if (got >= (ssize_t)sizeof(*head) && !server->is_silent)
				serve(server, head, request + sizeof(*head));
		}
	}
}

static void say_ready(void)
{
	printf("%d ready\n", (int)getpid());
	fflush(stdout);
}

static void await_go(int go_fd)
{
	char byte;

	if (read(go_fd, &byte, 1) != 1)
		exit(0);
}

static int file_open(int flags)
{
	int fd = open("file", flags);

	if (fd < 0)
		fail("open");
	return fd;
}

/* Waits until the sleeper is in its futex, then drops the page. */
struct dropped_page {
	int fd;
	uint32_t *word;
};

static void *page_drop(void *state)
{
	const struct dropped_page *page = state;

	usleep(200000);
	(void)madvise(page->word, 4096, MADV_DONTNEED);
	(void)posix_fadvise(page->fd, 0, 0, POSIX_FADV_DONTNEED);
	say_ready();
	return NULL;
}

static void sleep_in_dropped_page(void)
{
	struct dropped_page page = {.fd = file_open(O_RDONLY)};
	pthread_t thread;
	void *memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, page.fd, 0);

	if (memory == MAP_FAILED)
		fail("mmap");
	page.word = memory;
	if (pthread_create(&thread, NULL, page_drop, &page) != 0)
		fail("pthread_create");
	(void)syscall(SYS_futex, page.word, FUTEX_WAIT, *(volatile uint32_t *)page.word, NULL, NULL,
		      0);
}

static void program_run(const char *what, int go_fd)
{
	char buffer[4096];
	struct stat file;
	int fd;

	if (strcmp(what, "exe") == 0) {
		execl("./file", "dead_mount", "--sleep", (char *)NULL);
		fail("exec");
	}
	if (strcmp(what, "futex") == 0) {
		sleep_in_dropped_page();
		return;
	}
	if (strcmp(what, "stat") == 0) {
		char path[4096];

		if (!getcwd(path, sizeof(path) - 6))
			fail("getcwd");
		strcat(path, "/other");
		say_ready();
		await_go(go_fd);
		(void)stat(path, &file);
		return;
	}
	fd = file_open(O_RDONLY | (strcmp(what, "exec") == 0 ? O_CLOEXEC : 0));
	say_ready();
	await_go(go_fd);
	if (strcmp(what, "read") == 0)
		(void)!pread(fd, buffer, sizeof(buffer), 4096);
	else if (strcmp(what, "exec") == 0)
		execlp("sleep", "sleep", "3600", (char *)NULL);
	else
		sleep(ALIVE_SECONDS);
}

int main(int argc, char **argv)
{
	struct server server = {0};
	char options[128];
	int go[2];
	pid_t program;

	if (argc == 2 && strcmp(argv[1], "--sleep") == 0) {
		say_ready();
		sleep(ALIVE_SECONDS);
		return 0;
	}
	if (argc != 3)
		return 2;
	server.stays_alive = strcmp(argv[2], "alive") == 0;
	server.program_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	server.fuse_fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (server.fuse_fd < 0 || server.program_fd < 0)
		fail("/dev/fuse");
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		fail("a mount namespace");
	(void)snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0",
		       server.fuse_fd);
	if (mount("dead", argv[1], "fuse.dead", MS_NOSUID | MS_NODEV, options) < 0)
		fail("mount");
	if (pipe2(go, O_CLOEXEC) < 0)
		fail("pipe");
	(void)signal(SIGPIPE, SIG_IGN);
	program = fork();
	if (program == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)signal(SIGPIPE, SIG_DFL);
		(void)close(server.fuse_fd);
		(void)close(go[1]);
		/* its own file system is what it works in: paths are relative */
		if (chdir(argv[1]) < 0)
			fail("chdir");
		program_run(argv[2], go[0]);
		_exit(0);
	}
	(void)close(go[0]);
	server_run(&server, go[1]);
	(void)kill(program, SIGKILL);
	(void)close(server.fuse_fd); /* ends all requests */
	(void)waitpid(program, NULL, 0);
	return 0;
}
