/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library for LD_PRELOAD that makes folders look like the tracing of an old kernel: FAKE_TRACING
 * is the folder, which lies in a tmpfs, FAKE_MAGIC what statfs(2) says of it, FAKE_RELEASE and
 * FAKE_MACHINE what uname(2) says, FAKE_INSTANCE the folder that becomes each new instance.
 * Each write into the folder is a line "FILE VALUE" of the file FAKE_LOG. Clocks that are not in
 * trace_clock are refused. As before Linux 5.17, a trigger of stacks writes into the top level;
 * with FAKE_OWN_STACKS into its instance, when the task sleeps for the second time: the first
 * sleep is so short that it is none. As before 6.7, the top level's buffers no longer grow when an
 * instance has been given a size. The counters of a CPU have the time, which is that of the clock
 * mono whatever clock is set.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define PATH_BYTES 4096

static const char *folder(void)
{
	const char *path = getenv("FAKE_TRACING");

	return path ? path : "/nowhere";
}

/* The rest of a path in the folder, "instances/x"; NULL: it is elsewhere. */
static const char *path_in_folder(const char *path)
{
	size_t length = strlen(folder());

	if (strncmp(path, folder(), length) != 0 || (path[length] && path[length] != '/'))
		return NULL;
	return path + length + (path[length] == '/');
}

static void line_append(const char *file, const char *line)
{
	FILE *to = fopen(file, "ae");

	if (!to)
		return;
	(void)fputs(line, to);
	(void)fclose(to);
}

int statfs(const char *path, struct statfs *ret)
{
	int (*real)(const char *, struct statfs *) = dlsym(RTLD_NEXT, "statfs");
	int r = real(path, ret);

	if (r == 0 && path_in_folder(path))
		ret->f_type = (__typeof__(ret->f_type))strtoul(getenv("FAKE_MAGIC"), NULL, 0);
	return r;
}

int statfs64(const char *path, struct statfs64 *ret)
{
	int (*real)(const char *, struct statfs64 *) = dlsym(RTLD_NEXT, "statfs64");
	int r = real(path, ret);

	if (r == 0 && path_in_folder(path))
		ret->f_type = (__typeof__(ret->f_type))strtoul(getenv("FAKE_MAGIC"), NULL, 0);
	return r;
}

int uname(struct utsname *ret)
{
	int (*real)(struct utsname *) = dlsym(RTLD_NEXT, "uname");
	int r = real(ret);

	(void)snprintf(ret->release, sizeof(ret->release), "%s", getenv("FAKE_RELEASE"));
	(void)snprintf(ret->machine, sizeof(ret->machine), "%s", getenv("FAKE_MACHINE"));
	return r;
}

static int is_instance(const char *path)
{
	const char *name = path_in_folder(path);

	return name && strncmp(name, "instances/", 10) == 0 && !strchr(name + 10, '/');
}

int mkdir(const char *path, mode_t mode)
{
	int (*real)(const char *, mode_t) = dlsym(RTLD_NEXT, "mkdir");
	char command[3 * PATH_BYTES];
	int r = real(path, mode);

	if (r < 0 || !is_instance(path))
		return r;
	(void)snprintf(command, sizeof(command), "LD_PRELOAD= cp -r '%s/.' '%s'",
	               getenv("FAKE_INSTANCE"), path);
	return system(command) == 0 ? 0 : -1;
}

int rmdir(const char *path)
{
	int (*real)(const char *) = dlsym(RTLD_NEXT, "rmdir");
	char command[2 * PATH_BYTES];

	if (!is_instance(path))
		return real(path);
	(void)snprintf(command, sizeof(command), "LD_PRELOAD= rm -r '%s'", path);
	return system(command) == 0 ? 0 : -1;
}

static char stack_file[PATH_BYTES]; /* where the trigger of stacks writes; "": none is set */
static unsigned sleeps;             /* since then */

int nanosleep(const struct timespec *time, struct timespec *rest)
{
	int (*real)(const struct timespec *, struct timespec *) = dlsym(RTLD_NEXT, "nanosleep");

	if (stack_file[0] && sleeps++ == 0)
		return 0;
	if (stack_file[0])
		line_append(stack_file, " <stack trace>\n");
	return real(time, rest);
}

/* What the kernel does beside taking the value; 0, or an errno. */
static int effect_of(const char *file, const char *value)
{
	const char *name = strrchr(file, '/');
	char path[PATH_BYTES], clocks[PATH_BYTES] = "";
	FILE *from;

	name = name ? name + 1 : file;
	if (strcmp(name, "trigger") == 0 && getenv("FAKE_OWN_STACKS")) {
		(void)snprintf(stack_file, sizeof(stack_file), "%s/%.*s/trace", folder(),
		               (int)(strstr(file, "/events/") - file), file);
		if (value[0] == '!')
			stack_file[0] = 0;
		sleeps = 0;
	} else if (strcmp(name, "trigger") == 0 && strncmp(value, "stacktrace", 10) == 0) {
		(void)snprintf(path, sizeof(path), "%s/trace", folder());
		line_append(path, " <stack trace>\n");
	} else if (strcmp(name, "buffer_size_kb") == 0) {
		(void)snprintf(path, sizeof(path), "%s/buffer_size_kb", folder());
		(void)truncate(path, 0);
		line_append(path, "7\n");
	} else if (strcmp(name, "trace_clock") == 0) {
		(void)snprintf(path, sizeof(path), "%s/trace_clock", folder());
		from = fopen(path, "re");
		if (!from || !fgets(clocks, sizeof(clocks), from) || !strstr(clocks, value))
			errno = EINVAL;
		if (from)
			(void)fclose(from);
		return strstr(clocks, value) ? 0 : EINVAL;
	}
	return 0;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
	char link[64], path[PATH_BYTES] = "", line[2 * PATH_BYTES], value[256];
	const char *file;
	int error;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, path, sizeof(path) - 1) < 0 || !(file = path_in_folder(path)))
		return real(fd, bytes, size);
	(void)snprintf(value, sizeof(value), "%.*s", (int)(size < 250 ? size : 250),
	               (const char *)bytes);
	(void)snprintf(line, sizeof(line), "%s %s\n", file, value);
	line_append(getenv("FAKE_LOG"), line);
	error = effect_of(file, value);
	if (error) {
		errno = error;
		return -1;
	}
	if (strlen(file) > 11 && strcmp(file + strlen(file) - 11, "trace_clock") == 0) {
		/* the one that is selected stands in brackets */
		(void)snprintf(line, sizeof(line), "[%s]\n", value);
		if (ftruncate(fd, 0) < 0 || real(fd, line, strlen(line)) < 0)
			return -1;
		return (ssize_t)size;
	}
	return real(fd, bytes, size);
}

ssize_t read(int fd, void *to, size_t size)
{
	ssize_t (*real)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
	char link[64], path[PATH_BYTES] = "", text[64];
	struct timespec now;
	size_t length;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, path, sizeof(path) - 1) < 0 || !path_in_folder(path) ||
	    strcmp(path + strlen(path) - strlen("/stats"), "/stats") != 0 ||
	    lseek(fd, 0, SEEK_CUR) != 0)
		return real(fd, to, size);
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	length = (size_t)snprintf(text, sizeof(text), "now ts: %5lld.%06ld\n",
	                          (long long)now.tv_sec, now.tv_nsec / 1000);
	if (length > size)
		length = size;
	memcpy(to, text, length);
	(void)lseek(fd, (off_t)length, SEEK_SET);
	return (ssize_t)length;
}
