/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/asked_tasks.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/seal.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "base/text/shell_quote.h"
#include "cmd/options/report_options.h"
#include "cmd/report/report_output.h"
#include "cmd/report/report_progress.h"
#include "commands.h"
#include "engine/report_run.h"
#include "export/gzip_file.h"
#include "live_reading.h"
#include "machines/machines.h"
#include "memory_end.h"
#include "pager.h"
#include "present/text/trace_line.h"
#include "source/file/input_file.h"
#include "source/source.h"
#include "terminal.h"
#include "words/time_scale.h"

/* The recordings of several machines, as report gets them. Errors are printed here. */

/* Whether both names are of one file; false if there is no such file. */
static bool is_one_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

static int check_names(const struct string_list *names, size_t count, const char *of)
{
	if (names->count > count)
		return message_fail(-EINVAL, "report: --name: %zu names for %zu %s", names->count,
		                    count, of);
	for (size_t i = 0; i < names->count; i++) {
		const char *name = names->text[i];

		if (!*name || strpbrk(name, ":/ \t\n") || strlen(name) >= HOST_BYTES)
			return message_fail(-EINVAL, "report: --name: \"%s\" cannot be a name of a "
			                    "machine: it must be a word of at most %d bytes "
			                    "without \":\" or \"/\"", name, HOST_BYTES - 1);
	}
	return 0;
}

static void warn_of_unnamed(const struct string_list *names, const char *const *paths, size_t count)
{
	_cleanup_(buffer_release) struct buffer files = buffer_of(BUFFER_LIMIT_DEFAULT);
	size_t rest = count - names->count;

	if (names->count == 0 || rest == 0)
		return;
	trace_files_append(&files, paths + names->count, rest);
	message_warning("report: --name: %zu name%s for %zu files: %s keep%s",
	                names->count, format_plural(names->count), count, files.text,
	                rest == 1 ? "s its own name" : " their own names");
}

/* Whether these files and --name can be taken together; -EINVAL: not. */
static int report_machines_check(const struct report_options *options, const char *const *paths,
                          size_t count)
{
	if (options->follow.is_given)
		return message_fail(-EINVAL, "report: --follow reads one stream, not %zu files",
		                    count);
	if (options->kallsyms)
		return message_fail(-EINVAL, "report: --kallsyms has the symbols of one kernel; "
		                    "report on one file, not %zu", count);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(paths[i], "-") == 0)
			return message_fail(-EINVAL, "report: standard input cannot be one of "
			                    "several files: each is read twice, to compare the "
			                    "clocks first; save it in a file");
		for (size_t k = 0; k < i; k++)
			if (is_one_file(paths[k], paths[i]))
				return message_fail(-EINVAL, "report: %s and %s are one file; give "
				                    "each machine's recording once", paths[k],
				                    paths[i]);
	}
	if (check_names(&options->names, count, "files") < 0)
		return -EINVAL;
	warn_of_unnamed(&options->names, paths, count);
	return 0;
}

/* What machines are opened from: several files, or one. */
struct machines_input {
	const struct report_options *options;
	const char *const *paths;
	const struct source *source; /* NULL: several files */
};

static int open_one(void *state, size_t index, struct source **ret, struct buffer *why)
{
	const struct machines_input *input = state;

	return input->source ? input->source->ops->open_machine(input->source, index, ret, why)
	                     : report_options_open(input->options, input->paths[index], ret, why);
}

/* Opens all of them as one source; negative on failure. Release *ret if there is none. */
static int machines_open_all(struct machines_input *input, size_t count, struct machines *ret)
{
	const struct string_list *names = &input->options->names;
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	struct machine_file files[HOSTS_MAX];
	const struct machines_setup setup = {
		.files = files,
		.count = count,
		.open = open_one,
		.state = input,
		.on_progress = report_progress_step,
	};
	size_t at = 0;
	int r;

	for (size_t i = 0; i < count; i++)
		files[i] = (struct machine_file){
			.path = input->paths[input->source ? 0 : i],
			.name = i < names->count ? names->text[i] : NULL,
		};
	r = machines_open(&setup, ret, &at, &why);
	if (r < 0)
		message_error("report: %s: %s", files[at].path, why.text);
	return r;
}

/* Opens the machines of one file as one source; `source` is the first of them. */
static int report_machines_split(const struct report_options *options, const struct source *source,
                          const char *path, struct machines *ret)
{
	if (options->kallsyms)
		return message_fail(-EINVAL, "report: --kallsyms has the symbols of one kernel, "
		                    "and %s is of %zu machines", path, source->machine_count);
	if (check_names(&options->names, source->machine_count, "machines") < 0)
		return -EINVAL;
	return machines_open_all(&(struct machines_input){options, &path, source},
	                         source->machine_count, ret);
}

#define INPUT_DEFAULT "ftwait.dat"

/* Whether the asked task and wait exist; if not, prints an error. `path`: of the recording. */
static bool report_has_answers(const struct report_run *run, const char *path)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);

	if (report_run_has_answers(run, &why))
		return true;
	return message_fail(false, "report: %s: %s", path, why.text);
}

/* Whether the window ends before it begins. That is a mistake: prints an error, and no report is
   made. */
static bool report_window_is_reversed(const struct report_run *run,
                                      const struct report_options *options)
{
	if (!run->resolved.is_reversed)
		return false;
	return message_fail(true, "report: --from %s is later than --to %s; swap the two",
	                    options->from, options->to);
}

/* Prints a warning if the window contains nothing of the recording. The user may
   mean a time of day in another time zone, so the warning names the zone. */
static void report_warn_window(const struct report_run *run)
{
	const struct timeline *timeline = run->question.timeline;
	_cleanup_(buffer_release) struct buffer days = buffer_of(256);

	if (!report_run_is_beside(run))
		return;
	if (run->question.has_days) {
		const struct realtime *realtime = run->question.recording.realtime;

		buffer_puts(&days, ", from ");
		date_append(&days, time_scale_real(realtime, timeline->begin));
		buffer_puts(&days, " to ");
		date_append(&days, time_scale_real(realtime, timeline->end));
	}
	message_warning("report: %s nothing of this trace, which is %s long%s",
	                run->question.asked->at_trigger ? "--at trigger leaves"
	                                                : "--from and --to leave",
	                DURATION_TEXT(timeline->end - timeline->begin), days.text);
}

/* For each asked task that does not exist. */
static void warn_missing(const char *phrase)
{
	message_warning("report: %s", phrase);
}

static bool source_failed(const struct report_run *run)
{
	return run->loaded->source->health.failure && run->loaded->source->health.failure->error;
}

/* Prints a warning about damage of the input; and about lost events, if the format cannot contain
   them. `where`: names an output that shows what is lacking; NULL: this one does. A medium that
   cannot be read is report_status()'s error. */
static void report_warn_impaired(const struct report_run *run, const char *path, const char *where)
{
	const char *damage = source_damage_words(run->loaded->source);
	_cleanup_(buffer_release) struct buffer words = buffer_of(1024);

	if (source_failed(run) || !health_is_impaired(&run->health) ||
	    (!run->health.input_damaged && !where))
		return;
	if (!run->health.input_damaged)
		buffer_puts(&words, "events were lost");
	else
		buffer_printf(&words, "%s: damaged%s%s", path, *damage ? ": " : "", damage);
	if (where)
		buffer_printf(&words, "; %s what to distrust", where);
	message_warning("report: %s", words.text);
}

/*
 * The exit status of a report that was written, by how much of the recording could be read; prints
 * read errors of the medium. `path`: of the recording.
 */
static int report_status(const struct report_run *run, const struct report_options *options,
                         const char *path)
{
	const struct read_failure *failure = run->loaded->source->health.failure;

	if (source_failed(run))
		message_error("report: %s: cannot read it at byte %llu: %s; the report covers what "
		              "could be read; copy that, as with ddrescue",
		              path, (unsigned long long)failure->offset, strerror(-failure->error));
	if (options->is_strict && (source_failed(run) || health_is_impaired(&run->health)))
		return STATUS_IMPAIRED;
	return source_failed(run) ? STATUS_FAILED : STATUS_FINE;
}

static bool path_is_packed(const char *path)
{
	size_t length = path ? strlen(path) : 0;

	return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

/* Callbacks while the recording is read. */
struct export_watch {
	const struct report_output *output;
	bool (*on_progress)(void *state, uint64_t events); /* NULL: no progress */
	void *progress_state;
};

/* Stops reading when the output has failed. */
static bool export_goes_on(void *state, uint64_t events)
{
	const struct export_watch *watch = state;

	return !watch->output->error &&
	       (!watch->on_progress || watch->on_progress(watch->progress_state, events));
}

/* Reads the source and exports it. Returns -1 if the output cannot be compressed, which is printed.
   Failed writes are reported when the output is closed. */
static int export_read(struct report_run *run, struct report_output *output, bool is_packed)
{
	FILE *packed = is_packed ? gzip_file_open(output->to) : NULL;
	struct export_watch watch = {output, run->on_progress, run->progress_state};

	if (is_packed && !packed)
		return message_fail(-1, "report: cannot compress what goes to %s: %s",
		                    output->path ? output->path : "standard output",
		                    strerror(errno));
	run->exporting.to = packed ? packed : output->to;
	run->on_progress = export_goes_on;
	run->progress_state = &watch;
	report_run_read(run);
	run->on_progress = NULL;
	run->on_phase = NULL;
	if (packed)
		(void)fclose(packed);
	return 0;
}

/*
 * Reads the source, named `path`, and writes it, compressed if the output's name ends in ".gz";
 * returns the exit status. The output must be open; it is closed. Errors are printed here.
 */
static int report_export(struct report_run *run, const struct report_options *options,
                         struct report_output *output, const char *path)
{
	bool is_reversed;
	int r;

	if (report_output_is_terminal(output, options->format) || report_output_begin(output) < 0) {
		report_output_discard(output);
		return STATUS_FAILED;
	}
	report_progress_watch(run);
	r = export_read(run, output, options->is_packed || path_is_packed(output->path));
	report_progress_end();
	if (output->error) { /* then not all of the source was read */
		(void)report_output_close(output);
		return STATUS_FAILED;
	}
	is_reversed = report_window_is_reversed(run, options);
	if (is_reversed || r < 0 || !report_has_answers(run, path)) {
		report_output_discard(output);
		return is_reversed ? STATUS_USAGE : STATUS_FAILED;
	}
	report_warn_window(run);
	asked_tasks_report_missing(&run->question, warn_missing);
	report_warn_impaired(run, path, "--summary shows");
	if (report_output_close(output) < 0)
		return STATUS_FAILED;
	return report_status(run, options, path);
}

static struct report_form form_choose(const struct report_options *options,
                                      const struct report_run *run,
                                      const struct report_output *output, const char *path)
{
	struct report_form form = {
		.out = output->to,
		.presenter = options->presenter ? options->presenter
		                                : presenter_find(options->format),
		.options = {
			.own = options->presenter_own,
			.color = report_options_color(options, output->file),
			.top = (unsigned)options->top,
			.views = (unsigned)run->view_count,
			.is_verbose = options->is_verbose,
			.has_links = options->has_links,
			.is_unanswered = asked_tasks_are_absent(&run->question),
		},
		.file = path,
	};

	terminal_fit(output->file, &form.options);
	if (options->width) {
		form.options.width = options->width;
		form.options.is_ascii = !form.options.utf8;
	}
	return form;
}

static void kept_freep(struct kept_run **kept)
{
	(void)kept_run_free(*kept);
}

/* Reads the source, or takes what is kept of it. False: that does not answer, and it has been
   read. */
static bool report_take(struct report_run *run, const struct report_options *options,
                        struct kept_run *kept)
{
	if (options->served)
		kept = options->served->kept;
	if (kept && !kept_run_can_answer(kept, run))
		return false;
	if (kept)
		kept_run_answer(kept, run);
	else
		report_run_read(run);
	return true;
}

/* Appends the command that browses the recordings, where a user who sees the report can do that:
   files that can be read again, on a terminal that has a screen. */
static void browse_append(struct buffer *to, const struct report_options *options,
                          const struct report_output *output, const struct report_target *target)
{
	if (options->is_quiet || options->has_links || options->presenter || output->path ||
	    !terminal_has_escapes(output->file))
		return;
	buffer_puts(to, "ftwait browse");
	for (size_t i = 0; i < target->input_count; i++) {
		struct stat file;

		if (stat(target->input[i], &file) < 0 || !S_ISREG(file.st_mode)) {
			buffer_clear(to);
			return;
		}
		buffer_putc(to, ' ');
		shell_quote_append(to, target->input[i]);
	}
}

/* Reads the source and shows the views; a pager that is prepared is begun. `browse`: a command, or
   "". */
static int report_make(struct report_run *run, const struct report_options *options,
                       struct report_output *output, struct pager *pager, const char *path,
                       const char *browse)
{
	_cleanup_(kept_freep) struct kept_run *kept = NULL;
	struct report_form form;
	bool is_reversed;

	if (presenter_find(options->format)->is_document &&
	    report_output_is_terminal(output, options->format)) {
		report_output_discard(output);
		return STATUS_FAILED;
	}
	report_progress_watch(run);
	if (options->debugs_kept)
		kept = kept_run_read(run->loaded, SIZE_MAX);
	if (!report_take(run, options, kept)) {
		report_output_discard(output);
		return STATUS_NOT_KEPT;
	}
	is_reversed = report_window_is_reversed(run, options);
	if (is_reversed || !report_has_answers(run, path) || report_output_begin(output) < 0) {
		report_output_discard(output);
		return is_reversed ? STATUS_USAGE : STATUS_FAILED;
	}
	report_warn_window(run);
	asked_tasks_report_missing(&run->question, warn_missing);
	form = form_choose(options, run, output, path);
	form.options.browse = browse;
	report_progress_end();
	report_warn_impaired(run, path,
	                     form.presenter->has_health ? NULL : "--format text or json shows");
	if (!output->path && !options->no_pager)
		pager_begin(pager);
	report_run_show(run, &form);
	(void)fflush(output->to); /* report_output keeps the error of this write */
	pager_end(pager);
	if (report_output_close(output) < 0)
		return STATUS_FAILED;
	return report_status(run, options, path);
}

/* Reads and shows the source. All files are open, but for those in which functions have their
   names. */
static int report_answer(struct report_run *run, const struct report_options *options,
                         struct report_output *output, const struct report_target *target,
                         const char *path)
{
	_cleanup_(buffer_release) struct buffer browse = buffer_of(BUFFER_LIMIT_DEFAULT);
	bool is_export = run->exporting.exporter != NULL;
	struct pager pager = {0};
	int status;

	browse_append(&browse, options, output, target); /* before it is sealed */
	if (!is_export && !output->path && !options->no_pager)
		pager_prepare(&pager);
	if (!options->no_seal)
		(void)seal_begin(report_output_folder(output));
	status = is_export ? report_export(run, options, output, path)
	                   : report_make(run, options, output, &pager, path, browse.text);
	pager_end(&pager); /* where nothing was shown */
	return status;
}

/* Reports on what is loaded of these files, and releases it. `path`: what messages call it. */
static int report_loaded(const struct report_options *options, struct loaded *loaded,
                         const char *const *files, size_t file_count, const char *path)
{
	const struct asked asked = report_options_asked(options);
	const struct report_target target = {
		.command = "report",
		.path = options->output,
		.input = files,
		.input_count = file_count,
	};
	struct report_run run;
	struct report_output output;
	int status = STATUS_USAGE;

	if (!report_options_fit(options, loaded->source, path)) {
		status = STATUS_FAILED;
	} else if (options->serve) {
		if (report_options_load(options, loaded) == 0)
			status = options->serve(&(struct report_served){
				.loaded = loaded, .files = files, .file_count = file_count,
				.path = path});
	} else {
		report_run_init(&run, loaded, &asked);
		if (report_options_ask(options, &run) == 0 &&
		    (options->served || report_options_load(options, loaded) == 0))
			status = report_output_open(&target, &output) < 0
			                 ? STATUS_FAILED
			                 : report_answer(&run, options, &output, &target, path);
		report_run_release(&run);
	}
	loaded_release(loaded);
	report_progress_end();
	return status;
}

/*
 * Reads the symbols of --kallsyms and checks that they belong to the recorded kernel; else prints
 * why not. The check reads the recording, which the report then reads again: it cannot be a pipe.
 */
static int kernel_open(const struct report_options *options, const char *path,
                       struct kernel_map *ret)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	struct stat file;

	if (kernel_map_read(options->kallsyms, ret, &why) < 0)
		return message_fail(-EINVAL, "report: --kallsyms %s: %s", options->kallsyms,
		                    why.text);
	if (strcmp(path, "-") == 0 || (stat(path, &file) == 0 && S_ISFIFO(file.st_mode)))
		return message_fail(-EINVAL, "report: %s: --kallsyms is checked against the "
		                    "recording first, which a pipe does not allow; save the "
		                    "recording to a file", path);
	if (kernel_map_fit(ret, path, &why) == 0)
		return 0;
	return message_fail(-EINVAL, "report: %s: --kallsyms %s: %s", path, options->kallsyms,
	                    why.text);
}

int report_file(const struct report_options *options, const char *path, const char *label)
{
	_cleanup_(source_closep) struct source *source = NULL;
	_cleanup_(machines_release) struct machines machines = {0};
	_cleanup_(kernel_map_release) struct kernel_map kernel = {0};
	struct loaded loaded;
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	struct interrupt interrupt;
	int r;

	report_progress_begin(!options->is_quiet);
	interrupt_hold(&interrupt, path);
	r = report_options_open(options, path, &source, &why);
	interrupt_resume(&interrupt);
	if (r < 0)
		return message_fail(STATUS_FAILED, "report: %s: %s", path, why.text);
	if (source->machine_count > 0 &&
	    report_machines_split(options, source, path, &machines) < 0)
		return STATUS_FAILED;
	if (options->kallsyms && kernel_open(options, path, &kernel) < 0)
		return STATUS_FAILED;
	if (machines.source) {
		source_close(source);
		source = NULL;
	}
	loaded_init(&loaded, machines.source ? machines.source : source);
	if (machines.source)
		loaded.messages = &machines.messages;
	loaded.kernel = options->kallsyms ? &kernel : NULL;
	path = label ? label : path;
	return report_loaded(options, &loaded, &path, 1, path);
}

/* Reports on several machines together. */
static int report_files(const struct report_options *options, const char *const *paths,
                        size_t count)
{
	_cleanup_(machines_release) struct machines machines = {0};
	_cleanup_(buffer_release) struct buffer names = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct loaded loaded;

	if (report_machines_check(options, paths, count) < 0)
		return STATUS_USAGE;
	report_progress_begin(!options->is_quiet);
	if (machines_open_all(&(struct machines_input){options, paths, NULL}, count, &machines) < 0)
		return STATUS_FAILED;
	trace_files_append(&names, paths, count);
	loaded_init(&loaded, machines.source);
	loaded.messages = &machines.messages;
	return report_loaded(options, &loaded, paths, count, names.text);
}

/*
 * Whether an operand that is no file seems to be meant as the value of the option before it: there
 * is another file to read, given or the default one. Prints an error then.
 */
static bool value_is_misplaced(const struct report_options *options,
                               const struct operands *operands)
{
	const char *name = operands->behind;
	_cleanup_(buffer_release) struct buffer word = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (!name || strcmp(name, "-") == 0 || access(name, F_OK) == 0)
		return false;
	if (operands->count == 1 && !options->input && access(INPUT_DEFAULT, F_OK) < 0)
		return false;
	shell_word_write(&word, name);
	return message_fail(true, "report: \"%s\" is taken for a file; a value belongs behind "
	                    "\"=\": --%s=%s", name, operands->behind_option, word.text);
}

static int report_inputs(const struct report_options *options, const struct operands *operands)
{
	const char *inputs[HOSTS_MAX] = {options->input};
	const struct report_served *served = options->served;
	size_t count = options->input != NULL;

	if (served)
		return report_loaded(options, served->loaded, served->files, served->file_count,
		                     served->path);

	if (operands->count + count > HOSTS_MAX)
		return message_fail(STATUS_USAGE, "report: %zu files: at most %d machines can be "
		                    "reported on together", operands->count + count, HOSTS_MAX);
	for (size_t i = 0; i < operands->count; i++)
		inputs[count++] = operands->argv[i];
	if (count == 0)
		inputs[count++] = INPUT_DEFAULT;
	if (count > 1)
		return report_files(options, inputs, count);
	input_file_on_endless(end_signals_begin, end_signals_came);
	return options->follow.is_given ? report_follow(options, inputs[0])
	               : report_file(options, inputs[0], NULL);
}

int report_command_as(int argc, char **argv, const struct report_options *defaults)
{
	struct report_options options = *defaults;
	struct operands operands;
	int status = options_read(&report_option_set, argc, argv, &options, &operands);

	if (status != OPTIONS_GO_ON)
		return status;
	memory_end_prepare("report", "ask for views that do not keep the whole trace, such as "
	                             "--summary, --sched or --disk, or read it where there is more "
	                             "memory");
	/* so that a write beyond a limit on file sizes fails, with a message */
	(void)signal(SIGXFSZ, SIG_IGN);
	status = STATUS_USAGE;
	if (!value_is_misplaced(&options, &operands) && report_options_check(&options) == 0)
		status = report_inputs(&options, &operands);
	options_release(&report_option_set, &options);
	return status;
}

int report_command(int argc, char **argv)
{
	return report_command_as(argc, argv, &(struct report_options)REPORT_OPTIONS_DEFAULT);
}
