/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads FOLDER...: all views of every trace are the same whether a second thread reads ahead or
 * not, with all of the history and with little room for it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "each_recording.h"
#include "engine/report_run.h"
#include "source/source.h"

#define LITTLE_BYTES (64u << 10)

/* The views that can do with little room, or all, as JSON; NULL: the file cannot be opened. */
static char *report_text(const char *path, unsigned threads, size_t history_bytes)
{
	_cleanup_(source_closep) struct source *source = recording_open(path);
	struct report_form form = {.presenter = presenter_find("json"), .file = path};
	struct asked asked = ASKED_EVERYTHING;
	struct loaded loaded;
	struct report_run run;
	char *text = NULL;
	size_t length;

	if (!source)
		return NULL;
	asked.is_all = true;
	loaded_init(&loaded, source);
	report_run_init(&run, &loaded, &asked);
	loaded.threads = threads;
	loaded.history_bytes = history_bytes;
	for (size_t i = 0; analyses[i]; i++)
		if (!history_bytes || !analyses[i]->needs_history)
			report_run_ask(&run, analyses[i]);
	report_run_read(&run);
	form.out = open_memstream(&text, &length);
	if (!form.out)
		abort();
	report_run_show(&run, &form);
	(void)fclose(form.out);
	report_run_release(&run);
	return text;
}

static bool is_same(const char *path, size_t history_bytes)
{
	_cleanup_(freep) char *one = report_text(path, 1, history_bytes);
	_cleanup_(freep) char *two = report_text(path, 2, history_bytes);

	if (!one || !two)
		return false;
	if (strcmp(one, two) == 0)
		return true;
	printf("%s: two threads tell something else than one, with %zu bytes of history\n", path,
	       history_bytes);
	return false;
}

static bool file_check(void *state, const char *path)
{
	(void)state;
	return is_same(path, 0) && is_same(path, LITTLE_BYTES);
}

int main(int argc, char **argv)
{
	return each_recording(argc, argv, file_check, NULL);
}
