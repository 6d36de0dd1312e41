/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file/output_guard.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "cmd/standard_output.h"

#define OUTPUT_BYTES 65536

/* A file by name; NULL or "-": the standard stream `otherwise`. */
static bool file_find(const char *path, int otherwise, struct stat *ret)
{
	int r = path && strcmp(path, "-") != 0 ? stat(path, ret) : fstat(otherwise, ret);

	return r == 0;
}

static bool output_is_input(const char *output, const char *input)
{
	struct stat to, from;

	return file_find(output, STDOUT_FILENO, &to) && file_find(input, STDIN_FILENO, &from) &&
	       S_ISREG(to.st_mode) && to.st_dev == from.st_dev && to.st_ino == from.st_ino;
}

static int output_complain(const char *command, const char *path, int error)
{
	return message_fail(error, "%s: cannot write to %s: %s", command, path, strerror(-error));
}

/* Which file would be overwritten; NULL: none. A recording must not be, as it cannot be made
   again. */
static const char *output_overwrites(const struct report_target *target)
{
	for (size_t i = 0; i < target->input_count; i++)
		if (output_is_input(target->path, target->input[i]))
			return "the recording itself";
	for (size_t i = 0; i < KEPT_FILES_MAX; i++)
		if (target->kept[i].path && output_is_input(target->path, target->kept[i].path))
			return target->kept[i].what;
	return NULL;
}

/* Whether the place is a link in /proc to the file of standard output, as /dev/stdout is. */
static bool place_is_stdout(const struct output_place *place)
{
	struct stat named, standard;

	return place->is_kernels && stat(place->path, &named) == 0 &&
	       fstat(STDOUT_FILENO, &standard) == 0 && named.st_dev == standard.st_dev &&
	       named.st_ino == standard.st_ino;
}

/* Whether the error means that the file cannot be replaced, though it may be writable. */
static bool is_refusal(int r)
{
	return r == -EACCES || r == -EPERM || r == -EROFS || r == -EMLINK || r == -EINVAL;
}

/* Opens the file to write to, if possible a file beside the named one. The named file is opened for
   writing in any case: a file without write permission must not be replaced either. */
static int output_open_file(struct report_output *output, const struct output_place *place,
                            struct buffer *why)
{
	int old = output_place_open(place, O_WRONLY, why), r;
	struct stat file = {.st_mode = S_IFREG};

	if (old < 0 && old != -ENOENT)
		return old;
	r = old >= 0 && fstat(old, &file) < 0 ? -errno : 0;
	if (r == 0 && !S_ISREG(file.st_mode))
		return old;
	if (r == 0)
		r = replaced_file_begin(place, old, &output->replaced);
	output->is_replaced = r >= 0;
	if (old >= 0 && is_refusal(r))
		return old;
	if (r < 0)
		closep(&old);
	return r;
}

static int output_open(struct report_output *output, const char *path, struct buffer *why)
{
	_cleanup_(output_place_release) struct output_place place;
	int r = output_place_find(&place, path, why);

	if (r < 0)
		return r;
	if (place_is_stdout(&place))
		return 0;
	r = output_open_file(output, &place, why);
	if (r < 0)
		return r;
	output->file = fdopen(r, "we");
	if (!output->file) {
		int error = errno;

		(void)close(r);
		if (output->is_replaced)
			replaced_file_discard(&output->replaced);
		return -error;
	}
	output->path = path;
	(void)setvbuf(output->file, NULL, _IONBF, 0); /* data arrives buffered */
	return 0;
}

int report_output_open(const struct report_target *target, struct report_output *ret)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	const char *path = target->path, *overwritten = output_overwrites(target);
	int r;

	*ret = (struct report_output){.command = target->command, .file = stdout};
	if (overwritten)
		return message_fail(-EINVAL, "%s: %s%s%s: that is %s; name another file",
		                    target->command,
		                    !path            ? "standard output"
		                    : target->option ? target->option
		                                     : "-o",
		                    path ? " " : "", path ? path : "", overwritten);
	if (!path || strcmp(path, "-") == 0)
		return 0;
	r = output_open(ret, path, &why);
	if (r < 0 && why.length > 0)
		message_error("%s: %s", target->command, why.text);
	else if (r < 0)
		(void)output_complain(target->command, path, r);
	return r;
}

int report_output_folder(const struct report_output *output)
{
	return output->is_replaced ? output->replaced.folder : -1;
}

bool report_output_is_terminal(const struct report_output *output, const char *format)
{
	if (output->path || !isatty(STDOUT_FILENO))
		return false;
	return message_fail(true, "%s: --format %s does not suit a terminal; name a file by -o, or "
	                    "use a pipe", output->command, format);
}

/* Writes nothing after a failed write, as it would be at the wrong place. */
static ssize_t output_write(void *state, const char *bytes, size_t size)
{
	struct report_output *output = state;

	if (output->error)
		return 0;
	if (output->is_terminal)
		status_line_clear();
	errno = 0;
	if (fwrite(bytes, 1, size, output->file) == size && fflush(output->file) == 0)
		return (ssize_t)size;
	output->error = errno ? -errno : -EIO;
	if (!output->path)
		standard_output_failed(output->error);
	return 0;
}

/* Empties a file that is written in place. */
static int output_empty(const struct report_output *output)
{
	struct stat file;

	if (!output->path || output->is_replaced)
		return 0;
	if (fstat(fileno(output->file), &file) < 0 ||
	    (S_ISREG(file.st_mode) && ftruncate(fileno(output->file), 0) < 0))
		return -errno;
	return 0;
}

int report_output_begin(struct report_output *output)
{
	static const cookie_io_functions_t functions = {.write = output_write};
	int r = output_empty(output);

	if (r < 0)
		return output_complain(output->command, output->path, r);
	output->is_terminal = status_line_is_on() && isatty(fileno(output->file)) == 1;
	output->to = fopencookie(output, "w", functions);
	if (!output->to)
		return output_complain(output->command,
		                       output->path ? output->path : "standard output", -errno);
	output->gathered = xmalloc(OUTPUT_BYTES); /* a larger buffer than the C library's own */
	(void)setvbuf(output->to, output->gathered, _IOFBF, OUTPUT_BYTES);
	return 0;
}

static void output_end_stream(struct report_output *output)
{
	if (output->to)
		(void)fclose(output->to); /* output->error keeps the error of the last write */
	output->to = NULL;
	free(output->gathered);
	output->gathered = NULL;
}

/* Call after a failure: empties a file that is written in place, as half a report would look
   complete. Returns whether it was emptied. */
static bool output_withdraw(const struct report_output *output)
{
	struct stat file;

	return !output->is_replaced && fstat(fileno(output->file), &file) == 0 &&
	       S_ISREG(file.st_mode) && ftruncate(fileno(output->file), 0) == 0;
}

/* Writes the file to the disk: a full disk or server may be reported only then. */
static int output_sync(const struct report_output *output)
{
	struct stat file;

	if (fflush(output->file) != 0 || fstat(fileno(output->file), &file) < 0)
		return -errno;
	if (!S_ISREG(file.st_mode) || fsync(fileno(output->file)) == 0 || errno == EINVAL)
		return 0;
	return -errno;
}

/* Closes the file, and reports failures. */
static void output_end_file(struct report_output *output)
{
	bool is_emptied;
	const char *left;

	if (!output->error)
		output->error = output_sync(output);
	is_emptied = output->error && output_withdraw(output);
	left = output->is_replaced && output->replaced.old >= 0 ? "; it is as it was before"
	       : is_emptied ? "; it was written in place, and is empty now"
	                    : "";
	if (fclose(output->file) != 0 && !output->error)
		output->error = -errno;
	if (output->error)
		message_error("%s: cannot write to %s: %s%s", output->command, output->path,
		              strerror(-output->error), left);
}

/* Gives the file its final name. */
static int output_commit(struct report_output *output)
{
	_cleanup_(buffer_release) struct buffer left = buffer_of(200);
	int r = replaced_file_commit(&output->replaced, &left);

	if (r < 0)
		message_error("%s: cannot write to %s: %s%s%s", output->command, output->path,
		              strerror(-r), left.length > 0 ? "; " : "", left.text);
	return r;
}

int report_output_close(struct report_output *output)
{
	output_end_stream(output);
	if (!output->path)
		return 0;
	output_end_file(output);
	if (output->error && output->is_replaced)
		replaced_file_discard(&output->replaced);
	if (output->error || !output->is_replaced)
		return output->error;
	return output_commit(output);
}

void report_output_discard(struct report_output *output)
{
	bool has_begun = output->to != NULL;

	output_end_stream(output);
	if (!output->path)
		return;
	if (has_begun)
		(void)output_withdraw(output);
	(void)fclose(output->file);
	if (output->is_replaced)
		replaced_file_discard(&output->replaced);
}
