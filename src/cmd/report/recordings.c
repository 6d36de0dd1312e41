/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recordings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "cmd/commands.h"
#include "cmd/pager.h"
#include "cmd/terminal.h"
#include "source/source.h"

bool shown_format_is_known(const char *command, const char *format, option_value_at formats)
{
	_cleanup_(buffer_release) struct buffer words = buffer_of(1024);

	for (size_t i = 0; formats(i); i++)
		if (strcmp(formats(i), format) == 0)
			return true;
	option_values_append(&words, formats, ", ");
	return message_fail(false, "%s: --format %s: no such value; use one of %s", command, format,
	                    words.text);
}

void recordings_init(struct recordings *recordings, const char *command,
                     const struct asked_options *tasks, const struct analysis *view)
{
	struct asked asked = ASKED_EVERYTHING;

	asked.pids.number = tasks->pids.number;
	asked.pids.count = tasks->pids.count;
	asked.comms = (const char *const *)tasks->comms.text;
	asked.comm_count = tasks->comms.count;
	asked.cgroups = (const char *const *)tasks->cgroups.text;
	asked.cgroup_count = tasks->cgroups.count;
	asked.is_all = tasks->is_all;
	*recordings = (struct recordings){.command = command, .asked = asked};
	recordings_ask(recordings, view);
}

void recordings_ask(struct recordings *recordings, const struct analysis *view)
{
	assert(recordings->view_count < RECORDINGS_VIEWS_MAX);
	recordings->view[recordings->view_count++] = view;
}

void recordings_release(struct recordings *recordings)
{
	free(recordings->path);
	health_release(&recordings->health);
}

bool recordings_read(struct recordings *recordings, char *const *paths, size_t count,
                     bool (*take)(void *state, const struct report_run *run, const char *path),
                     void *state)
{
	for (size_t i = 0; i < count; i++) {
		_cleanup_(source_closep) struct source *source = NULL;
		_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
		struct report_run run;
		struct loaded loaded;
		bool is_taken;

		if (source_open(paths[i], &source, &why) < 0)
			return message_fail(false, "%s: %s: %s", recordings->command, paths[i],
			                    why.text);
		loaded_init(&loaded, source);
		report_run_init(&run, &loaded, &recordings->asked);
		for (size_t view = 0; view < recordings->view_count; view++)
			report_run_ask(&run, recordings->view[view]);
		report_run_read(&run);
		is_taken = take(state, &run, paths[i]);
		health_add(&recordings->health, &run.health);
		/* NOLINTNEXTLINE: pointers are meant */
		ARRAY_ADD(recordings->path, recordings->count, recordings->capacity) = paths[i];
		report_run_release(&run);
		loaded_release(&loaded);
		if (!is_taken)
			return false;
	}
	return true;
}

int recordings_show(const struct recordings *recordings, const struct shown_options *shown,
                    size_t old_count, void (*put)(const void *state, const struct output *to),
                    const void *state)
{
	const struct presenter *presenter = presenter_find(shown->format);
	const struct trace_summary trace = {
		.files = recordings->path,
		.file_count = recordings->count,
		.old_count = old_count,
		.events = recordings->health.events,
	};
	struct presenter_options how = {
		.top = (unsigned)shown->top,
		.views = 1,
		.is_verbose = shown->is_verbose,
	};
	const struct report_target target = {
		.command = recordings->command,
		.path = shown->output,
		.input = recordings->path,
		.input_count = recordings->count,
		.kept = {recordings->kept},
	};
	struct report_output output;
	struct output to = {.presenter = presenter};
	struct pager pager = {0};

	if (report_output_open(&target, &output) < 0)
		return STATUS_FAILED;
	if ((presenter->is_document && report_output_is_terminal(&output, shown->format)) ||
	    report_output_begin(&output) < 0) {
		report_output_discard(&output);
		return STATUS_FAILED;
	}
	terminal_fit(output.file, &how);
	if (!output.path && !shown->no_pager)
		pager_begin(&pager);
	to.state = presenter->begin(output.to, &how, &trace);
	put(state, &to);
	presenter->end(to.state, &recordings->health);
	(void)fflush(output.to);
	pager_end(&pager);
	return report_output_close(&output) < 0 ? STATUS_FAILED : STATUS_FINE;
}
