/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_machines.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "commands.h"
#include "present/text/trace_line.h"
#include "cmd/report/report_progress.h"

/* Whether both names are of one file; false if there is no such file. */
static bool is_one_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

static int check_names(const struct string_list *names, size_t count)
{
	if (names->count > count) {
		message_error("report: --name: %zu names for %zu files", names->count, count);
		return -EINVAL;
	}
	for (size_t i = 0; i < names->count; i++) {
		const char *name = names->text[i];

		if (!*name || strpbrk(name, ":/ \t\n") || strlen(name) >= HOST_BYTES) {
			message_error("report: --name: \"%s\" cannot be a name of a machine: it "
			              "must be a word of at most %d bytes without \":\" or \"/\"",
			              name, HOST_BYTES - 1);
			return -EINVAL;
		}
	}
	return 0;
}

static void warn_of_unnamed(const struct string_list *names, const char *const *paths, size_t count)
{
	_cleanup_(buffer_release) struct buffer files = {0};
	size_t rest = count - names->count;

	if (names->count == 0 || rest == 0)
		return;
	buffer_init(&files, BUFFER_LIMIT_DEFAULT);
	trace_files_append(&files, paths + names->count, rest);
	message_warning("report: --name: %zu name%s for %zu files: %s keep%s",
	                names->count, format_plural(names->count), count, files.text,
	                rest == 1 ? "s its own name" : " their own names");
}

int report_machines_check(const struct report_options *options, const char *const *paths,
                          size_t count)
{
	if (options->follow.is_given) {
		message_error("report: --follow reads one stream, not %zu files", count);
		return -EINVAL;
	}
	if (options->kallsyms) {
		message_error("report: --kallsyms has the symbols of one kernel; report on one "
		              "file, not %zu", count);
		return -EINVAL;
	}
	for (size_t i = 0; i < count; i++) {
		if (strcmp(paths[i], "-") == 0) {
			message_error("report: standard input cannot be one of several files: each "
			              "is read twice, to compare the clocks first; save it in a "
			              "file");
			return -EINVAL;
		}
		for (size_t k = 0; k < i; k++)
			if (is_one_file(paths[k], paths[i])) {
				message_error("report: %s and %s are one file; give each machine's "
				              "recording once",
				              paths[k], paths[i]);
				return -EINVAL;
			}
	}
	if (check_names(&options->names, count) < 0)
		return -EINVAL;
	warn_of_unnamed(&options->names, paths, count);
	return 0;
}

static int open_one(void *state, const char *path, struct source **ret, struct buffer *why)
{
	return report_options_open(state, path, ret, why);
}

int report_machines_open(const struct report_options *options, const char *const *paths,
                         size_t count, struct machines *ret)
{
	_cleanup_(buffer_release) struct buffer why = {0};
	struct machine_file files[HOSTS_MAX];
	const struct machines_setup setup = {
		.files = files,
		.count = count,
		.open = open_one,
		.state = (void *)(uintptr_t)options,
		.on_progress = report_progress_step,
	};
	size_t at = 0;
	int r;

	for (size_t i = 0; i < count; i++)
		files[i] = (struct machine_file){
			.path = paths[i],
			.name = i < options->names.count ? options->names.text[i] : NULL,
		};
	buffer_init(&why, 1024);
	r = machines_open(&setup, ret, &at, &why);
	if (r < 0)
		message_error("report: %s: %s", paths[at], why.text);
	return r;
}
