/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prose.h"

#include <inttypes.h>
#include <string.h>

#include "base/text/format.h"
#include "words/cpu_words.h"
#include "words/host_prefix.h"
#include "words/task_words.h"

void prose_put(const struct output *to, const char *text)
{
	output_field(to, NULL, NULL, &(struct cell){.type = CELL_TEXT, .text = text});
}

void prose_take(const struct output *to, struct buffer *line)
{
	prose_put(to, line->text);
	buffer_clear(line);
}

void prose_task_append(struct buffer *to, const struct timeline *timeline, uint32_t track)
{
	struct task task = timeline_task(timeline, track, NSEC_NEVER);

	task_text_append(to, &task);
}

void prose_machine_append(struct buffer *to, const struct timeline *timeline, uint32_t machine)
{
	host_prefix_append(to, hosts_name(&timeline->hosts, machine));
}

void prose_cpu_append(struct buffer *to, const struct timeline *timeline, uint32_t cpu)
{
	const struct host_cpu own = hosts_cpu(&timeline->hosts, cpu);

	cpu_append(to, &own);
}

void prose_lent_append(struct buffer *to, const struct timeline *timeline, uint32_t track,
                       const struct rank *rank)
{
	prose_task_append(to, timeline, track);
	buffer_puts(to, " (");
	priority_append(to, rank->own);
	buffer_puts(to, ", lent ");
	priority_append(to, rank->priority);
	if (rank->lender != TRACK_NONE) {
		buffer_puts(to, " by ");
		prose_task_append(to, timeline, rank->lender);
		buffer_puts(to, ", which waits for its lock");
	}
	buffer_putc(to, ')');
}

/* "12", with several machines "web:12". */
void prose_tid_append(struct buffer *to, const struct timeline *timeline, uint32_t track)
{
	const struct track *of = &timeline->track[track];

	prose_machine_append(to, timeline, of->host);
	buffer_printf(to, "%" PRId32, of->tid);
}

void prose_path_options_append(struct buffer *to, const struct timeline *timeline, uint32_t track,
                               nsec_t begin, nsec_t end)
{
	buffer_puts(to, "--critical-path=");
	prose_tid_append(to, timeline, track);
	buffer_printf(to, " --from %s --to %s", INSTANT_TEXT(begin - timeline->begin),
	              INSTANT_TEXT(end - timeline->begin + 999));
}

void prose_place_append(struct buffer *to, const struct timeline *timeline, uint32_t frames)
{
	const char *text = intern_text(&timeline->names, frames);

	buffer_puts(to, ", asleep in ");
	buffer_puts_clean(to, text, strcspn(text, ";"));
}

void prose_priority_append(struct buffer *to, const struct timeline *timeline, uint32_t track)
{
	prose_task_append(to, timeline, track);
	buffer_puts(to, " (");
	priority_append(to, track_rank(&timeline->track[track], timeline->end).own);
	buffer_putc(to, ')');
}
