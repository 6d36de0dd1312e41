/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wait_times.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/distribution.h"
#include "analysis/histogram.h"
#include "analysis/prose.h"
#include "analysis/recorded.h"
#include "analysis/wait_list.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "base/intern.h"

/* Groups whose bars are shown, the largest ones. */
#define BARS_MAX 3
/* More than the names of any machine: further ones are one group. */
#define GROUPS_MAX (1u << 14)

struct wait_group {
	uint32_t name; /* name id; 0: not known */
	struct distribution length, delay;
};

struct wait_times {
	const struct question *question;
	struct intern names;
	struct wait_group *group; /* in order of appearance; the first is of all waits */
	size_t count, capacity;
	struct map by_name;
};

static enum grouping wait_times_by(const struct wait_times *times)
{
	return times->question->asked->lengths.by;
}

static void group_add(struct wait_group *group, const struct wait *wait)
{
	distribution_add(&group->length, wait->end - wait->begin, wait->begin);
	if (wait->run != NSEC_NEVER)
		distribution_add(&group->delay, wait->run - wait->end, wait->end);
}

/* The name that the wait is grouped by: its task's, its cause's kind's, or that of the sleeping
   function. */
static uint32_t wait_group_name(struct wait_times *times, const struct wait *wait)
{
	const struct timeline *timeline = times->question->timeline;
	const char *text = "";
	size_t length;

	if (wait_times_by(times) == BY_COMM)
		text = intern_text(&timeline->names,
		                   timeline_name_at(&timeline->line[wait->line], wait->begin));
	else if (wait_times_by(times) == BY_KIND)
		text = cause_kind_name(wait->cause ? (enum cause_kind)wait->cause->kind
		                                   : CAUSE_UNKNOWN);
	else
		text = intern_text(&timeline->names, wait->place.frames);
	length = wait_times_by(times) == BY_FUNCTION ? strcspn(text, ";") : strlen(text);
	return times->names.count < GROUPS_MAX ? intern_add(&times->names, text, length)
	                                       : INTERN_OVERFLOW;
}

static struct wait_group *times_find(struct wait_times *times, const struct wait *wait)
{
	uint32_t name = wait_group_name(times, wait);
	uint32_t at = map_get(&times->by_name, name);

	if (at != MAP_NONE)
		return &times->group[at];
	ARRAY_GROW(times->group, times->count, times->capacity);
	map_put(&times->by_name, name, (uint32_t)times->count);
	times->group[times->count] = (struct wait_group){.name = name};
	return &times->group[times->count++];
}

static void times_gather(struct wait_times *times)
{
	struct wait_stream stream;
	struct wait wait;

	ARRAY_GROW(times->group, times->count, times->capacity);
	times->group[times->count++] = (struct wait_group){.name = 0};
	wait_stream_init(&stream, times->question);
	while (wait_stream_next(&stream, &wait)) {
		if (wait_is_stop(&wait))
			continue;
		group_add(&times->group[0], &wait);
		if (wait_times_by(times) != BY_NOTHING)
			group_add(times_find(times, &wait), &wait);
	}
	wait_stream_release(&stream);
}

static int wait_group_compare(const void *a, const void *b)
{
	const struct wait_group *x = a, *y = b;

	if (x->length.total != y->length.total)
		return x->length.total > y->length.total ? -1 : 1;
	if (x->length.count != y->length.count)
		return x->length.count > y->length.count ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void group_row(const struct wait_times *times, const struct wait_group *group,
                      const struct output *to)
{
	struct distribution_sum length, delay;
	struct cell name = {.type = CELL_TEXT, .text = intern_text(&times->names, group->name)};

	distribution_sum(&group->length, &length);
	distribution_sum(&group->delay, &delay);
	if (group->name == 0)
		name.type = CELL_EMPTY;
	output_row(to, (struct cell[]){
				name,
				{.type = CELL_COUNT, .count = length.count},
				{.type = CELL_DURATION, .time = length.total},
				{.type = CELL_DISTRIBUTION, .distribution = &length},
				{.type = delay.count ? CELL_DISTRIBUTION : CELL_EMPTY,
	                        .distribution = &delay},
			});
}

static void groups_show(const struct wait_times *times, const struct output *to)
{
	static const struct {
		const char *key, *title;
	} names[] = {
		[BY_NOTHING] = {NULL, NULL}, [BY_COMM] = {"comm", "COMM"},
		[BY_KIND] = {"kind", "KIND"}, [BY_FUNCTION] = {"function", "ASLEEP IN"},
	};
	const enum grouping by = wait_times_by(times);
	const struct column columns[] = {
		{names[by].key, names[by].title, CELL_TEXT, COLUMN_TAILED},
		{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1)},
		{"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY},
		{"length", "P50 / P99 / MAX", CELL_DISTRIBUTION, 0},
		{"delay", "DELAY P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1)},
	};

	/* without groups it is one row, which only CSV needs: the fields are not in it */
	output_table_begin(to, "groups", by ? "Groups, by their time" : NULL, columns,
	                   ARRAY_SIZE(columns), /* is_single= */ false);
	for (size_t i = by ? 1 : 0; i < times->count; i++)
		group_row(times, &times->group[i], to);
	output_table_end(to);
}

static void bars_show(const struct wait_times *times, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer title = {0};

	buffer_init(&title, BUFFER_LIMIT_DEFAULT);
	histogram_show_of(&times->group[0].length, "Lengths of all waits", to);
	for (size_t i = 1; i < times->count && i <= BARS_MAX; i++) {
		const char *name = intern_text(&times->names, times->group[i].name);

		buffer_clear(&title);
		buffer_puts(&title, "Lengths of waits of ");
		buffer_puts_clean(&title, name[0] ? name : "-", strlen(name[0] ? name : "-"));
		histogram_show_of(&times->group[i].length, title.text, to);
	}
}

static void times_print(const struct wait_times *times, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};
	struct distribution_sum sum;

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	distribution_sum(&times->group[0].length, &sum);
	if (sum.count == 0) {
		prose_put(to, "No waits.");
		return;
	}
	buffer_printf(&line, "%s wait%s%s: half within %s, 99 of 100 within %s, the longest %s (at "
	              "%s).", COUNT_TEXT(sum.count), format_plural(sum.count),
	              question_scope(times->question), DURATION_TEXT(sum.p50),
	              DURATION_TEXT(sum.p99), DURATION_TEXT(sum.max),
	              INSTANT_TEXT(sum.max_at - times->question->timeline->begin));
	prose_put(to, line.text);
	if (wait_times_by(times) != BY_FUNCTION || times->question->timeline->place_count)
		return;
	buffer_clear(&line);
	buffer_puts(&line, "Where tasks slept is not known (");
	record_line_append(&line, &times->question->resolved->recorded, "", /* stacks= */ true);
	buffer_puts(&line, " tells).");
	prose_put(to, line.text);
}

static void distribution_field(const struct distribution *distribution, const char *key,
                               const struct output *to)
{
	struct distribution_sum sum;

	distribution_sum(distribution, &sum);
	output_field(to, key, NULL,
	             &(struct cell){.type = CELL_DISTRIBUTION, .distribution = &sum});
}

void wait_times_show(const struct question *question, const struct output *to)
{
	struct wait_times times = {.question = question};

	intern_init(&times.names);
	map_init(&times.by_name);
	times_gather(&times);
	if (times.count > 2)
		qsort(times.group + 1, times.count - 1, sizeof(*times.group), wait_group_compare);
	output_section_begin(to, "wait_times", "Lengths of waits", /* is_list= */ false);
	times_print(&times, to);
	distribution_field(&times.group[0].length, "length", to);
	distribution_field(&times.group[0].delay, "delay", to);
	groups_show(&times, to);
	bars_show(&times, to);
	output_section_end(to);
	for (size_t i = 0; i < times.count; i++) {
		distribution_release(&times.group[i].length);
		distribution_release(&times.group[i].delay);
	}
	free(times.group);
	map_release(&times.by_name);
	intern_release(&times.names);
}
