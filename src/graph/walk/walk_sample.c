/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk_sample.h"

#include <assert.h>

#include "base/text/format.h"

void walk_sample_init(struct walk_sample *sample)
{
	*sample = (struct walk_sample){
		.parts_free = SAMPLE_PARTS_FREE,
		.names_max = SAMPLE_NAMES_MAX,
		.sharers = 1,
		.random = 1,
	};
	tally_init(&sample->names, sizeof(*sample->kept), sizeof(*sample->kept), TALLY_NO_LIMIT);
}

void walk_sample_share(struct walk_sample *sample, unsigned views)
{
	assert(sample->waits == 0);
	if (views > 1)
		sample->sharers = views < SAMPLE_SHARERS_MAX ? views : SAMPLE_SHARERS_MAX;
	assert(sample->sharers >= 1 && sample->sharers <= SAMPLE_SHARERS_MAX);
	sample->parts_free = SAMPLE_PARTS_FREE / sample->sharers;
}

void walk_sample_release(struct walk_sample *sample)
{
	tally_release(&sample->names);
	*sample = (struct walk_sample){0};
}

/* Draws one of the waits that are kept and one more, by their time. */
static void sample_draw(struct walk_sample *sample, struct sampled_wait *kept,
                        const struct sampled_wait *wait)
{
	nsec_t time = kept->time + wait->time;
	uint64_t waits = kept->waits + wait->waits;

	assert(wait->time > 0 && wait->waits > 0 && wait->begin < wait->end);
	/* the same numbers in each run */
	sample->random ^= sample->random << 13;
	sample->random ^= sample->random >> 7;
	sample->random ^= sample->random << 17;
	if (sample->random % time < wait->time)
		*kept = *wait;
	kept->time = time;
	kept->waits = waits;
}

/* Moves what is kept there to *ret, to be walked. */
static void kept_take(struct walk_sample *sample, struct sampled_wait *kept,
                      struct sampled_wait *ret)
{
	assert(kept->waits > 0 && kept->time >= kept->end - kept->begin);
	*ret = *kept;
	*kept = (struct sampled_wait){0};
	sample->spared += ret->waits - 1;
	if (ret->is_of_many)
		sample->spared_of_many += ret->waits - 1;
}

/* Whether there is time for a walk now, after another wait. */
static bool sample_affords(struct walk_sample *sample, uint64_t parts)
{
	sample->waits++;
	if (!sample->is_partial) {
		sample->parts_max =
			sample->parts_free + SAMPLE_PARTS_WAIT / sample->sharers * sample->waits;
		sample->is_partial = parts > sample->parts_max;
	} else {
		sample->parts_max += SAMPLE_PARTS_THEN / sample->sharers;
	}
	return parts <= sample->parts_max;
}

bool walk_sample_take(struct walk_sample *sample, uint32_t name, uint64_t parts,
                      struct sampled_wait *wait)
{
	bool is_walked = sample_affords(sample, parts);
	struct sampled_wait *kept;

	assert(wait->begin < wait->end);
	wait->time = wait->end - wait->begin;
	wait->waits = 1;
	if (is_walked && !sample->keeps)
		return true;
	kept = tally_get(&sample->names, name);
	if (!kept)
		kept = tally_make(&sample->names, name, &(struct sampled_wait){0});
	sample_draw(sample, kept, wait);
	if (!is_walked) {
		sample->keeps = true;
		return false;
	}
	kept_take(sample, kept, wait);
	return true;
}

/* The time of which each walk of the rest stands for at least so much, so that these are not too
   many; 0 if there are few names. */
static nsec_t rest_least(const struct walk_sample *sample)
{
	size_t names = 0;
	nsec_t time = 0;

	for (size_t i = 0; i < sample->count; i++) {
		names += sample->kept[i].waits > 0;
		time += sample->kept[i].time;
	}
	assert(sample->names_max > 0);
	return names > sample->names_max ? time / sample->names_max + 1 : 0;
}

bool walk_sample_rest(struct walk_sample *sample, size_t *at, struct sampled_wait *ret)
{
	if (*at == 0)
		sample->rest_least = rest_least(sample);
	while (*at < sample->count) {
		struct sampled_wait *kept = &sample->kept[(*at)++];
		bool is_of_many = sample->rest.waits > 0;

		if (kept->waits == 0)
			continue;
		if (kept->time < sample->rest_least) { /* draws one of those of several names */
			sample_draw(sample, &sample->rest, kept);
			sample->rest.is_of_many = is_of_many;
			*kept = (struct sampled_wait){0};
			kept = &sample->rest;
		}
		if (kept->time >= sample->rest_least) {
			kept_take(sample, kept, ret);
			return true;
		}
	}
	if (sample->rest.waits == 0) {
		sample->keeps = false;
		return false;
	}
	kept_take(sample, &sample->rest, ret);
	return true;
}

void walk_sample_note(const struct walk_sample *sample, struct health *health)
{
	uint64_t of_many = sample->spared_of_many;

	if (sample->spared)
		health_doubt(health,
		             "chains are too long to follow all: %s of %s waits are explained by "
		             "others of the same name%s%s%s; totals are exact, shares of causes "
		             "and chains are estimates",
		             COUNT_TEXT(sample->spared - of_many), COUNT_TEXT(sample->waits),
		             of_many ? ", " : "", of_many ? COUNT_TEXT(of_many) : "",
		             of_many ? " by others of any name, as of \"" MANY_TASKS "\"" : "");
}

/* The time for which the first `walked` ns of the walk stand. Never decreases, and is all of it at
   the end. */
static nsec_t scale_until(const struct walk_scale *scale, nsec_t walked)
{
	nsec_t part = walked, whole = scale->whole;

	assert(whole > 0 && walked <= whole);
	while (whole > UINT32_MAX) {
		part >>= 1;
		whole >>= 1;
	}
	if (walked == scale->whole)
		part = whole;
	return scale->time / scale->whole * walked +
	       nsec_share(scale->time % scale->whole, (uint32_t)part, (uint32_t)whole);
}

nsec_t walk_scale_share(struct walk_scale *scale, nsec_t length)
{
	nsec_t given = scale->given;

	scale->walked += length;
	assert(scale->walked <= scale->whole);
	scale->given = scale_until(scale, scale->walked);
	assert(scale->given >= given && scale->given <= scale->time);
	return scale->given - given;
}
