/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "flight/watch.h"
#include "recorder/run/record_output.h"
#include "words/kernel/trace_clock.h"

#define TIME_DEFAULT UINT64_C(30000000000)
#define TIME_MIN     UINT64_C(1000000000)
#define BYTES_MIN    (UINT64_C(1) << 20)

#define AFTER_DEFAULT    UINT64_C(1000000000)
#define EVERY_DEFAULT    UINT64_C(60000000000)
#define SIZE_MAX_DEFAULT (UINT64_C(500) << 20)

bool flight_is_asked(const struct flight_options *options)
{
	return options->ring.text || options->triggers.count > 0;
}

static bool goes_only_with_flight(const struct flight_options *options)
{
	const char *option = options->ring_file                      ? "--ring-file"
	                     : options->after != FLIGHT_NOT_GIVEN    ? "--after"
	                     : options->every != FLIGHT_NOT_GIVEN    ? "--every"
	                     : options->shots != FLIGHT_NOT_GIVEN    ? "--shots"
	                     : options->size_max != FLIGHT_NOT_GIVEN ? "--max-size"
	                                                             : NULL;

	if (!option)
		return true;
	return message_fail(false, "record: %s goes with --trigger or --ring=TIME only", option);
}

static bool ring_parse(struct flight_options *options)
{
	_cleanup_(buffer_release) struct buffer given = buffer_of(BUFFER_LIMIT_DEFAULT);
	const char *text = options->ring.text;

	options->bytes = 0;
	options->time = TIME_DEFAULT;
	if (!text)
		return true;
	if (parse_time(text, &options->time) == 0) {
		if (options->time >= TIME_MIN && options->time < NSEC_NEVER / 2)
			return true;
		return message_fail(false, "record: --ring=%s: give at least 1s, and an end", text);
	}
	options->time = NSEC_NEVER;
	if (parse_size(text, &options->bytes) == 0) {
		if (options->bytes >= BYTES_MIN)
			return true;
		return message_fail(false, "record: --ring=%s: less than 1M holds too little",
		                    text);
	}
	buffer_puts_clean(&given, text, strlen(text));
	return message_fail(false, "record: --ring=%s: neither a time, as 30s, nor a size, as 64M",
	                    given.text);
}

/* Who leaves out the unit may have meant another one. */
static void trigger_say_unit(const struct condition *condition)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(2048);

	if (!condition->has_no_unit)
		return;
	condition_append(&text, condition);
	message_note("record: --trigger: a time without a unit is in seconds: %s", text.text);
}

static bool triggers_parse(struct flight_options *options)
{
	size_t count = options->triggers.count;

	if (count > WATCH_CONDITIONS_MAX)
		return message_fail(false, "record: %zu triggers; at most %d", count,
		                    WATCH_CONDITIONS_MAX);
	options->condition = xcalloc(count + 1, sizeof(*options->condition));
	options->wish = xcalloc(count * CONDITION_NEEDS_MAX + 1, sizeof(*options->wish));
	for (size_t i = 0; i < count; i++) {
		struct condition_need needs[CONDITION_NEEDS_MAX];
		_cleanup_(buffer_release) struct buffer why = buffer_of(2048);
		size_t needed;

		if (condition_parse(options->triggers.text[i], &options->condition[i], &why) < 0)
			return message_fail(false, "record: --trigger: %s", why.text);
		trigger_say_unit(&options->condition[i]);
		needed = condition_needs(&options->condition[i], needs);
		for (size_t j = 0; j < needed; j++)
			options->wish[options->wish_count++] =
				(struct event_wish){needs[j].event, needs[j].filter};
	}
	return true;
}

static bool record_is_fit(const struct record_options *record)
{
	const char *what = record_output_is_stdout(record->output)
	                           ? "-o - : shots are files, as -o slow.dat makes them"
	                   : record->flush != FLUSH_NOT_GIVEN
	                           ? "--flush: what is recorded is looked at at once"
	                   : record->clock && !trace_clock_can_be_followed(record->clock)
	                           ? "--clock: it follows only mono, boot and global"
	                           : NULL;

	if (what)
		message_error("record: a flight recorder (--trigger, --ring=TIME) takes no %s",
		              what);
	return !what;
}

static void default_take(uint64_t *value, uint64_t when_not_given)
{
	if (*value == FLIGHT_NOT_GIVEN)
		*value = when_not_given;
}

bool flight_options_parse(struct flight_options *options, const struct record_options *record)
{
	if (!flight_is_asked(options))
		return goes_only_with_flight(options);
	default_take(&options->after, AFTER_DEFAULT);
	default_take(&options->every, EVERY_DEFAULT);
	default_take(&options->shots, 0);
	default_take(&options->size_max, SIZE_MAX_DEFAULT);
	return record_is_fit(record) && ring_parse(options) && triggers_parse(options);
}

void flight_options_release(struct flight_options *options)
{
	for (size_t i = 0; options->condition && i < options->triggers.count; i++)
		condition_release(&options->condition[i]);
	free(options->condition);
	free(options->wish);
	options->condition = NULL;
	options->wish = NULL;
}
