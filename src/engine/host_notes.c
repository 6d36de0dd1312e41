/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "words/host_prefix.h"

/* Machines of which the same is said. */
struct host_group {
	const char **name;
	size_t count;
};

static void group_add(struct host_group *group, const struct source *source, size_t machine)
{
	group->name[group->count++] = source->parts[machine].name;
}

static void placed_append(const struct source_part *part, bool are_several, struct buffer *to)
{
	static const char *const words[] = {
		[PLACED_AT_BEGIN] = " placed as if all began together",
		[PLACED_BY_DAY] = " placed by time of day",
		[PLACED_BY_HOST] = " placed as trace-cmd measured it",
	};

	buffer_puts(to, are_several ? "they are" : "it is");
	buffer_puts(to, words[part->placement]);
	if (part->day_bound != NSEC_NEVER)
		buffer_printf(to, " (+-%s if both kernels' times of day are as exact as they say)",
		              DURATION_TEXT(part->day_bound));
}

static const char *unclear_words(const struct source_part *part)
{
	return part->is_ambiguous ? "the packets between them fit several differences of the "
	                            "clocks, or one of these was set"
	                          : "no packets between them were recognized on both sides";
}

static bool is_unclear(const struct source_part *part)
{
	return part->root != 0;
}

/* How many machines can be compared with that one, itself included. */
static size_t tree_size(const struct source *source, const struct source_part *part)
{
	size_t size = 0;

	for (size_t i = 0; i < source->part_count; i++)
		size += source->parts[i].root == part->root;
	return size;
}

/* Whether one line says of both that they cannot be compared with the first one: both belong to one
   tree, or both are alone. */
static bool are_unclear_alike(const struct source *source, size_t one, size_t other)
{
	const struct source_part *a = &source->parts[one], *b = &source->parts[other];

	return is_unclear(a) && is_unclear(b) &&
	       (a->root == b->root ||
	        (tree_size(source, a) == 1 && tree_size(source, b) == 1 &&
	         a->placement == b->placement && a->day_bound == b->day_bound &&
	         a->is_ambiguous == b->is_ambiguous));
}

static void note_unclear(const struct source *source, size_t first,
                         const struct host_group *group, struct health *health)
{
	const struct source_part *part = &source->parts[first];
	_cleanup_(buffer_release) struct buffer names = {0}, placed = {0};

	buffer_init(&names, BUFFER_LIMIT_DEFAULT);
	buffer_init(&placed, BUFFER_LIMIT_DEFAULT);
	host_names_append(&names, group->name, group->count);
	placed_append(part, group->count > 1, &placed);
	if (group->count == 1)
		buffer_printf(&placed, ", and nothing leads from %s or to it", names.text);
	else if (tree_size(source, part) == 1)
		buffer_puts(&placed, ", and nothing leads from them or to them");
	else
		buffer_puts(&placed, ", and nothing leads from these to others or back");
	health_doubt(health, "the clocks of %s and the other machines cannot be compared: %s; %s",
	             names.text, unclear_words(part), placed.text);
}

/* Notes the machines with clocks that could not be compared with that of the first one. */
static void clocks_note(const struct source *source, struct host_group *group,
                        struct health *health)
{
	for (size_t i = 1; i < source->part_count; i++) {
		bool is_noted = !is_unclear(&source->parts[i]);

		for (size_t k = 1; k < i; k++)
			is_noted |= are_unclear_alike(source, i, k);
		if (is_noted)
			continue;
		group->count = 0;
		for (size_t k = i; k < source->part_count; k++)
			if (are_unclear_alike(source, i, k))
				group_add(group, source, k);
		note_unclear(source, i, group, health);
	}
}

/* Returns the machine that trace-cmd compared the part's clock with, if that machine's clock is the
   root's; else NULL. */
static const struct source_part *measured_with(const struct source *source,
                                               const struct source_part *part)
{
	uint64_t clock = source_trace_clock(part->source);

	for (size_t i = 0; i < source->part_count; i++) {
		const struct source_part *other = &source->parts[i];

		if (other->root == part->root && other->bound == 0 &&
		    (other->source->host_trace_id || part->source->host_trace_id) &&
		    clock && clock == source_trace_clock(other->source))
			return other;
	}
	return NULL;
}

/* trace-cmd compared the clocks of a host and its virtual machines. Adds a note for each result
   that the messages between the two prove wrong. */
static void measured_note(const struct source *source, struct health *health)
{
	for (size_t i = 1; i < source->part_count; i++) {
		const struct source_part *part = &source->parts[i];
		const struct source_part *other = measured_with(source, part);
		nsec_t wrong;

		if (!other || part->bound == 0)
			continue;
		wrong = part->offset > other->offset ? (nsec_t)(part->offset - other->offset)
		                                     : (nsec_t)(other->offset - part->offset);
		if (wrong <= part->bound)
			continue;
		health_note(health,
		            "what trace-cmd measured of the clocks of %s and %s is wrong by %s "
		            "(+-%s), by their messages; times are corrected by that",
		            other->name, part->name, DURATION_TEXT(wrong),
		            DURATION_TEXT(part->bound));
	}
}

static bool has_note(const struct health *health, const char *note)
{
	for (size_t i = 0; i < health->note_count; i++)
		if (strcmp(health->notes[i], note) == 0)
			return true;
	return false;
}

/* Adds note number `of` of machine `first`, unless that was done for an earlier one. */
static void note_join(const struct source *source, const struct host_run *hosts, size_t first,
                      size_t of, struct host_group *group, struct health *ret)
{
	const char *note = hosts[first].health->notes[of];
	bool is_doubt = hosts[first].health->doubts >> of & 1;
	_cleanup_(buffer_release) struct buffer names = {0};

	for (size_t i = 0; i < first; i++)
		if (has_note(hosts[i].health, note))
			return;
	group->count = 0;
	for (size_t i = first; i < source->part_count; i++)
		if (has_note(hosts[i].health, note))
			group_add(group, source, i);
	buffer_init(&names, BUFFER_LIMIT_DEFAULT);
	host_names_append(&names, group->name, group->count);
	(is_doubt ? health_doubt : health_note)(ret, "%s: %s", names.text, note);
}

void host_notes_join(const struct source *source, const struct host_run *hosts, struct health *ret)
{
	struct host_group group = {.name = xcalloc(source->part_count, sizeof(char *))};

	clocks_note(source, &group, ret);
	measured_note(source, ret);
	for (size_t i = 0; i < source->part_count; i++)
		health_join(ret, hosts[i].health);
	for (size_t i = 0; i < source->part_count; i++)
		for (size_t n = 0; n < hosts[i].health->note_count; n++)
			note_join(source, hosts, i, n, &group, ret);
	free(group.name);
}
