/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/map.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "sentences/say.h"

enum {OPENS, ENDS};

/* What is open, by its key. */
struct open_pair {
	nsec_t begin;
	uint32_t opener;
	bool is_asked;
};

/* Copies a part of the text; NULL if it is empty. */
static char *part_of(const char *text, size_t length)
{
	return length ? xstrndup(text, length) : NULL;
}

/* "FIELD" or "FIELD/FIELD" */
static void fields_read(struct pair_spec *spec, const char *text)
{
	const char *slash = strchr(text, '/');

	spec->field[OPENS] = part_of(text, slash ? (size_t)(slash - text) : strlen(text));
	spec->field[ENDS] = slash ? part_of(slash + 1, strlen(slash + 1)) : xstrdup(text);
}

bool pair_spec_read(const char *text, struct pair_spec *ret, struct buffer *why)
{
	size_t length = strcspn(text, ",");
	const char *slash = memchr(text, '/', length);
	const char *by = text[length] ? text + length + 1 : NULL;

	*ret = (struct pair_spec){.by = EVENT_BY_TASK, .by_text = "task"};
	if (slash) {
		ret->begin = part_of(text, (size_t)(slash - text));
		ret->end = part_of(slash + 1, length - (size_t)(slash + 1 - text));
	}
	if (by && strncmp(by, "by=", 3) == 0 && by[3] && !strchr(by, ',')) {
		ret->by_text = by + 3;
		ret->by = event_by_read(ret->by_text);
		by = NULL;
	}
	if (ret->by == EVENT_BY_FIELD)
		fields_read(ret, ret->by_text);
	if (ret->begin && ret->end && !by && ret->by != EVENT_BY_EVENT &&
	    ret->by != EVENT_BY_STACK && !ret->field[OPENS] == !ret->field[ENDS])
		return true;
	say(why, NULL,
	    "{foreign}: not A/B,by=KEY with two events and KEY a field of both, \"task\" or "
	    "\"cpu\", like io_uring_submit_req/io_uring_complete,by=req", FOREIGN(text));
	return false;
}

void pair_spec_release(struct pair_spec *spec)
{
	free(spec->begin);
	free(spec->end);
	free(spec->field[OPENS]);
	free(spec->field[ENDS]);
	*spec = (struct pair_spec){0};
}

static uint64_t hash_text(uint64_t hash, const struct text *text)
{
	for (uint32_t i = 0; i < text->length; i++)
		hash = hash_mix(hash, (unsigned char)text->at[i]);
	return hash_mix(hash, text->length);
}

/* Returns whether the event has the key. Keys are compared by a hash of 64 bits. */
static bool key_find(const struct pairing *pairing, const struct raw_event *event,
                     const struct event_field *field, uint64_t *ret)
{
	uint64_t hash = hash_mix(event->host, 0);
	struct raw_value value;

	if (pairing->spec->by == EVENT_BY_TASK) {
		/* all idle tasks have one number */
		*ret = hash_mix(hash_mix(hash, (uint32_t)event->task),
		                event->task == 0 ? event->cpu : UINT64_MAX);
		return event->task >= 0;
	}
	if (pairing->spec->by == EVENT_BY_CPU) {
		*ret = hash_mix(hash, event->cpu);
		return true;
	}
	if (!field)
		return false;
	value = raw_event_value(event, field);
	if (value.kind == RAW_TEXT || value.kind == RAW_BYTES)
		*ret = hash_text(hash, &value.text);
	else
		*ret = hash_mix(hash, value.number);
	return value.kind != RAW_NONE;
}

static void pair_end(struct pairing *pairing, const struct raw_event *event,
                     const struct event_field *field)
{
	const struct open_pair *open;
	uint64_t key;

	if (!key_find(pairing, event, field, &key))
		return;
	open = object_pool_take(&pairing->open, key);
	if (!open) {
		pairing->counts.unopened += asked_events_ran(pairing->events, event);
		return;
	}
	if (!open->is_asked)
		return;
	pairing->counts.paired++;
	pairing->take(pairing->state,
	              &(struct event_pair){open->begin, event->time, open->opener,
	                                   asked_events_track(pairing->events, event), event->host},
	              pairing->events, event, field);
}

static void pair_open(struct pairing *pairing, const struct raw_event *event,
                      const struct event_field *field)
{
	struct open_pair *open;
	uint64_t key;

	if (!key_find(pairing, event, field, &key))
		return;
	open = object_pool_put(&pairing->open, key);
	pairing->counts.unpaired += open->is_asked;
	*open = (struct open_pair){
		.begin = event->time,
		.opener = asked_events_track(pairing->events, event),
		.is_asked = asked_events_ran(pairing->events, event),
	};
}

static bool open_is_asked(const void *object)
{
	return ((const struct open_pair *)object)->is_asked;
}

static void choices_release(struct pairing *pairing)
{
	event_choice_release(&pairing->choice[OPENS]);
	event_choice_release(&pairing->choice[ENDS]);
}

static bool pairs_begin(void *state, struct asked_events *events, struct buffer *why)
{
	static const struct object_pool_setup setup = {
		.object_bytes = sizeof(struct open_pair), .limit = PAIRS_OPEN_MAX,
		.is_alive = open_is_asked,
	};
	struct pairing *pairing = state;
	const struct pair_spec *spec = pairing->spec;

	pairing->events = events;
	event_choice_init(&pairing->choice[OPENS], spec->begin, spec->field[OPENS], NULL);
	event_choice_init(&pairing->choice[ENDS], spec->end, spec->field[ENDS], NULL);
	if (!event_choice_exists(&pairing->choice[OPENS], events, why) ||
	    !event_choice_exists(&pairing->choice[ENDS], events, why)) {
		choices_release(pairing);
		return false;
	}
	object_pool_init(&pairing->open, &setup);
	return true;
}

static void pairs_take(void *state, const struct raw_event *event)
{
	struct pairing *pairing = state;
	const struct chosen_format *ends, *opens;

	ends = event_choice_find(&pairing->choice[ENDS], event);
	if (ends)
		pair_end(pairing, event, ends->field[0]);
	opens = event_choice_find(&pairing->choice[OPENS], event);
	if (opens)
		pair_open(pairing, event, opens->field[0]);
}

static void pairs_end(void *state)
{
	struct pairing *pairing = state;

	for (const struct open_pair *open = object_pool_at(&pairing->open, pairing->open.oldest);
	     open; open = object_pool_next(&pairing->open, open))
		pairing->counts.unpaired += open->is_asked;
	if (pairing->open.forgotten)
		health_doubt(pairing->events->question->health,
		             "more than %u pairs were open at a time: %s are left out",
		             PAIRS_OPEN_MAX, COUNT_TEXT(pairing->open.forgotten));
	object_pool_release(&pairing->open);
	choices_release(pairing);
}

const struct events_taker pairs_taker = {pairs_begin, pairs_take, pairs_end};
