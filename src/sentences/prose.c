/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prose.h"

#include <inttypes.h>
#include <string.h>

#include "base/text/format.h"
#include "words/task_words.h"

void prose_put_fact(const struct output *to, const char *text, const struct fact *fact)
{
	output_field(to, NULL, NULL,
	             &(struct cell){.type = CELL_TEXT, .text = text, .fact = fact});
}

void prose_put(const struct output *to, const char *text)
{
	prose_put_fact(to, text, NULL);
}

void prose_end_fact(const struct output *to, struct buffer *line, const struct fact *fact)
{
	if (!line->length)
		return;
	buffer_putc(line, '.');
	prose_put_fact(to, line->text, fact);
}

void prose_end(const struct output *to, struct buffer *line)
{
	prose_end_fact(to, line, NULL);
}

void prose_task_append(struct buffer *to, const struct timeline *timeline, uint32_t track)
{
	struct task task = timeline_task(timeline, track, NSEC_NEVER);

	task_text_append(to, &task);
}

bool cause_is_state(const struct cause_note *note, const struct cause *cause)
{
	return cause->kind == CAUSE_UNKNOWN || cause->kind == CAUSE_FROZEN ||
	       cause_note_is_chosen(note) || cause_is_held_back(cause) || cause_is_late(cause);
}

void prose_name_append(struct buffer *to, const struct timeline *timeline, uint32_t name)
{
	const char *text = intern_text(&timeline->names, name);

	buffer_puts_clean(to, text, strlen(text));
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

/* "12", with several machines "web:12". */
void prose_tid_append(struct buffer *to, const struct timeline *timeline, uint32_t track)
{
	const struct track *of = &timeline->track[track];

	prose_machine_append(to, timeline, of->host);
	buffer_printf(to, "%" PRId32, of->tid);
}

void prose_place_append(struct buffer *to, const struct timeline *timeline, uint32_t frames)
{
	const char *text = intern_text(&timeline->names, frames);

	buffer_puts(to, ", asleep in ");
	buffer_puts_clean(to, text, strcspn(text, ";"));
}

const struct track_death *track_death_of(const struct track *track)
{
	bool is_known = track->death.kind == DEATH_STATUS || track->death.kind == DEATH_SIGNAL;

	return is_known && !track->is_open && track->begin != NSEC_NEVER ? &track->death : NULL;
}

void death_append(struct buffer *to, const struct timeline *timeline,
                  const struct track_death *death)
{
	if (death->kind == DEATH_STATUS)
		buffer_printf(to, "exit status %" PRId32, death->number);
	else if (death->name)
		buffer_puts(to, intern_text(&timeline->names, death->name));
	else
		buffer_printf(to, "signal %" PRId32, death->number);
	buffer_puts(to, death->kind != DEATH_STATUS && death->is_oom ? " of the OOM killer" : "");
}
