/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_progress.h"

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/text/format.h"
#include "base/text/message.h"

#define SECOND     UINT64_C(1000000000)
#define BEFORE_NS  SECOND       /* shorter operations show nothing */
#define BETWEEN_NS (SECOND / 5) /* for readability */

static struct {
	nsec_t begin, shown_at;
	nsec_t read_begin; /* begin of reading */
} progress;

/* Whether it is time for output. */
static bool is_due(nsec_t time, nsec_t between)
{
	if (time - progress.begin < BEFORE_NS || time - progress.shown_at < between)
		return false;
	progress.shown_at = time;
	return true;
}

void report_copying_append(struct buffer *to, const struct spool_progress *copied, nsec_t elapsed)
{
	if (copied->recorded > 0)
		buffer_printf(to, "receiving the recording, %llu s so far, ",
		              (unsigned long long)(copied->recorded / SECOND));
	else
		buffer_puts(to, "unpacking or copying, ");
	buffer_printf(to, "%s, %s/s", SIZE_TEXT(copied->bytes),
	              SIZE_TEXT(nsec_per_second(copied->bytes, elapsed)));
}

static void on_copied(const struct spool_progress *copied)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(200);
	nsec_t time = monotonic_now();

	if (!is_due(time, BETWEEN_NS))
		return;
	buffer_puts(&line, "ftwait: ");
	report_copying_append(&line, copied, time - progress.begin);
	status_line_show(line.text);
}

void report_progress_begin(bool is_wanted)
{
	status_line_begin(is_wanted);
	progress.begin = monotonic_now();
	spool_on_progress(status_line_is_on() ? on_copied : NULL);
}

void report_progress_append(struct buffer *to, const struct source *source, uint64_t events,
                            nsec_t elapsed)
{
	uint64_t all = source->data_bytes, done = source->data_read;

	if (all > 0 && done > 0 && done <= all) {
		buffer_printf(to, "reading, %.0f %% of %s", 100.0 * (double)done / (double)all,
		              SIZE_TEXT(all));
	} else {
		buffer_printf(to, "reading, %s events", COUNT_TEXT(events));
		all = 0;
	}
	buffer_printf(to, ", %s events/s", COUNT_TEXT(nsec_per_second(events, elapsed)));
	if (all > 0)
		buffer_printf(to, ", %.0f s left",
		              (double)elapsed / (double)SECOND * (double)(all - done) /
		                      (double)done);
}

void report_progress_step(const char *what, size_t done, size_t all)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(200);

	if (!status_line_is_on() || !is_due(monotonic_now(), BETWEEN_NS))
		return;
	buffer_printf(&line, "ftwait: %s, %zu of %zu", what, done, all);
	status_line_show(line.text);
}

static bool on_events(void *state, uint64_t events)
{
	const struct report_run *run = state;
	_cleanup_(buffer_release) struct buffer line = buffer_of(200);
	nsec_t time = monotonic_now();

	if (!is_due(time, BETWEEN_NS))
		return true;
	buffer_puts(&line, "ftwait: ");
	report_progress_append(&line, run->loaded->source, events, time - progress.read_begin);
	status_line_show(line.text);
	return true;
}

/* Shows a phase at once, as its duration is not known. */
static void on_phase(void *state, const char *what)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(200);

	(void)state;
	if (!is_due(monotonic_now(), 0))
		return;
	buffer_printf(&line, "ftwait: making %s", what);
	status_line_show(line.text);
}

void report_progress_watch(struct report_run *run)
{
	if (!status_line_is_on())
		return;
	progress.read_begin = monotonic_now();
	run->on_progress = on_events;
	run->on_phase = on_phase;
	run->progress_state = run;
}

void report_progress_end(void)
{
	status_line_begin(/* is_wanted= */ false);
	spool_on_progress(NULL);
}
