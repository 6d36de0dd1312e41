/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/intern.h"
#include "base/data/map.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "evidence_rules.h"
#include "ftwait/host.h"
#include "raw/raw_reading.h"
#include "sentences/say.h"

/* An instant at which an event of a stretch is expected. */
struct moment {
	nsec_t time;
	uint32_t stretch;
	uint8_t what; /* enum evidence_moment */
};

struct found_event {
	nsec_t time;
	uint32_t cpu;
	uint32_t event, says; /* in `text` */
	bool is_spare; /* of more events than there is room for it is left out first */
};

/* A stretch with what was found of it, in order of time. */
struct stretch {
	struct evidence_stretch of;
	bool is_inferred;
	struct found_event event[EVIDENCE_EVENTS_MAX];
	size_t count;
	bool is_caused; /* one of them shows the cause, while they are looked for */
};

/* What one CPU has recorded so far. */
struct cpu_events {
	struct last_events last;
	uint32_t sleeper; /* The last event of the CPU began this stretch, so the next event may be
	                     its stack. STRETCH_NONE: it began none. */
};

#define STRETCH_NONE UINT32_MAX

struct evidence {
	const struct question *question;
	struct map by_segment; /* stretch_key() -> index */
	struct map by_request; /* hash of the members that identify a request -> index */
	struct stretch *stretch;
	size_t count, capacity;
	struct moment *moment; /* in order of time */
	size_t moment_count, moment_capacity;
	struct cpu_events *cpu; /* by number on the timeline */
	size_t cpu_count, cpu_capacity;
	size_t sleepers; /* CPUs that have one */
	struct intern text;
	struct cell cell[EVIDENCE_EVENTS_MAX * EVIDENCE_COLUMNS];
	char cpu_text[EVIDENCE_EVENTS_MAX][32];
	bool is_read;
};

static const struct column columns[EVIDENCE_COLUMNS] = {
	{"at_ns", "TIME", CELL_INSTANT, 0},
	{"cpu", NULL, CELL_COUNT, COLUMN_DATA_ONLY | COLUMN_NUMBER},
	{NULL, "CPU", CELL_TEXT, COLUMN_TEXT_ONLY},
	{"event", "EVENT", CELL_TEXT, 0},
	{"says", "SAYS", CELL_TEXT, 0},
};

struct evidence *evidence_new(const struct question *question)
{
	struct evidence *evidence = xcalloc(1, sizeof(*evidence));

	evidence->question = question;
	map_init(&evidence->by_segment);
	map_init(&evidence->by_request);
	intern_init(&evidence->text);
	return evidence;
}

struct evidence *evidence_free(struct evidence *evidence)
{
	if (!evidence)
		return NULL;
	map_release(&evidence->by_segment);
	map_release(&evidence->by_request);
	intern_release(&evidence->text);
	free(evidence->stretch);
	free(evidence->moment);
	free(evidence->cpu);
	free(evidence);
	return NULL;
}

static uint64_t stretch_key(uint32_t track, size_t segment)
{
	return (uint64_t)track << 32 | (uint32_t)segment;
}

/* The index of the segment that the claim is about; SIZE_MAX: it has none. */
static size_t claim_segment(struct evidence *evidence, struct evidence_claim claim)
{
	if (claim.track == TRACK_NONE)
		return SIZE_MAX;
	/* the segment that begins before the next nanosecond */
	return timeline_find(&evidence->question->timeline->track[claim.track], claim.at + 1);
}

static void moment_add(struct evidence *evidence, nsec_t time, enum evidence_moment what)
{
	if (time == NSEC_NEVER)
		return;
	ARRAY_ADD(evidence->moment, evidence->moment_count, evidence->moment_capacity) =
		(struct moment){time, (uint32_t)evidence->count, (uint8_t)what};
}

static uint32_t stretch_add(struct evidence *evidence, const struct evidence_stretch *of,
                            bool is_inferred)
{
	for (unsigned what = 0; what < MOMENT_COUNT; what++)
		moment_add(evidence, of->moment[what], (enum evidence_moment)what);
	ARRAY_ADD(evidence->stretch, evidence->count, evidence->capacity) =
		(struct stretch){.of = *of, .is_inferred = is_inferred};
	return (uint32_t)(evidence->count - 1);
}

/* The index of what was claimed; MAP_NONE: it was not, and it is too late. */
static uint32_t segment_stretch(struct evidence *evidence, const struct evidence_claim *claim,
                                size_t segment)
{
	const uint64_t key = stretch_key(claim->track, segment);
	uint32_t at = map_get(&evidence->by_segment, key);
	struct evidence_stretch of;

	if (at != MAP_NONE || evidence->is_read)
		return at;
	of = evidence_stretch_of(evidence->question->timeline, claim->track, segment);
	at = stretch_add(evidence, &of, claim->is_inferred);
	map_put(&evidence->by_segment, key, at);
	return at;
}

static uint32_t request_stretch(struct evidence *evidence, const struct evidence_request *request)
{
	const uint64_t hash = hash_mix(hash_mix(request->dev, request->sector), request->completed);
	uint32_t at = map_get(&evidence->by_request, hash);
	struct evidence_stretch of;

	if (at != MAP_NONE || evidence->is_read)
		return at;
	of = evidence_stretch_of_request(request);
	at = stretch_add(evidence, &of, /* is_inferred= */ false);
	map_put(&evidence->by_request, hash, at);
	return at;
}

static struct cell text_cell(const struct evidence *evidence, uint32_t id)
{
	return (struct cell){.type = CELL_TEXT, .text = intern_text(&evidence->text, id)};
}

static struct cell_rows stretch_rows(struct evidence *evidence, const struct stretch *stretch)
{
	const struct hosts *hosts = &evidence->question->timeline->hosts;
	struct cell *cell = evidence->cell;

	for (size_t i = 0; i < stretch->count; i++) {
		const struct found_event *event = &stretch->event[i];
		const struct host_cpu cpu = hosts_cpu(hosts, event->cpu);

		(void)snprintf(evidence->cpu_text[i], sizeof(evidence->cpu_text[i]), "cpu %u",
		               cpu.number);
		*cell++ = (struct cell){.type = CELL_INSTANT, .time = event->time};
		*cell++ = (struct cell){.type = CELL_COUNT, .count = cpu.number};
		*cell++ = (struct cell){.type = CELL_TEXT, .text = evidence->cpu_text[i]};
		*cell++ = text_cell(evidence, event->event);
		*cell++ = text_cell(evidence, event->says);
	}
	return (struct cell_rows){columns, EVIDENCE_COLUMNS, evidence->cell, stretch->count};
}

struct evidence_found evidence_of(struct evidence *evidence, struct evidence_claim claim)
{
	size_t segment = claim_segment(evidence, claim);
	const struct stretch *stretch;
	uint32_t at = MAP_NONE;

	if (claim.request.dev)
		at = request_stretch(evidence, &claim.request);
	else if (segment != SIZE_MAX)
		at = segment_stretch(evidence, &claim, segment);
	if (at == MAP_NONE)
		return (struct evidence_found){.rows = {columns, EVIDENCE_COLUMNS, NULL, 0},
		                               .is_inferred = true};
	stretch = &evidence->stretch[at];
	return (struct evidence_found){
		.rows = stretch_rows(evidence, stretch),
		.is_inferred = stretch->is_inferred || stretch->count == 0,
	};
}

void evidence_fill(const struct question *question, struct evidence_claim claim,
                   struct cell cell[EVIDENCE_CELLS])
{
	struct evidence_found found;

	if (!question->evidence)
		return;
	found = evidence_of(question->evidence, claim);
	cell[0] = (struct cell){.type = CELL_ROWS, .rows = found.rows};
	cell[1] = (struct cell){.type = CELL_BOOL, .boolean = found.is_inferred};
	cell[2] = (struct cell){
		.type = CELL_BOOL,
		.boolean = found.is_inferred && found.rows.count == 0,
	};
}

/* Makes room by leaving out an event; false: none can be left out. */
static bool stretch_spare(struct stretch *stretch)
{
	for (size_t at = 0; at < stretch->count; at++) {
		if (!stretch->event[at].is_spare)
			continue;
		stretch->count--;
		memmove(&stretch->event[at], &stretch->event[at + 1],
		        (stretch->count - at) * sizeof(*stretch->event));
		return true;
	}
	return false;
}

/* Keeps an event of the stretch, in order of time; of more than it can have the first ones. */
static void stretch_take(struct evidence *evidence, struct stretch *stretch,
                         const struct seen_event *event, const char *says, bool is_spare)
{
	uint32_t name = intern_add(&evidence->text, event->name, strlen(event->name));
	size_t at;

	for (size_t i = 0; i < stretch->count; i++)
		if (stretch->event[i].time == event->time && stretch->event[i].cpu == event->cpu &&
		    stretch->event[i].event == name)
			return;
	if (stretch->count == EVIDENCE_EVENTS_MAX && !stretch_spare(stretch))
		return;
	for (at = stretch->count; at > 0 && stretch->event[at - 1].time > event->time; at--)
		stretch->event[at] = stretch->event[at - 1];
	stretch->count++;
	stretch->event[at] = (struct found_event){
		.time = event->time,
		.cpu = event->cpu,
		.event = name,
		.says = intern_add(&evidence->text, says, strlen(says)),
		.is_spare = is_spare,
	};
}

/* Whether the event is what the stretch expects then; if so, what it and those before it on its CPU
   say is kept. */
static void moment_try(struct evidence *evidence, const struct moment *moment,
                       const struct seen_event *event)
{
	const struct timeline *timeline = evidence->question->timeline;
	struct stretch *stretch = &evidence->stretch[moment->stretch];
	struct cpu_events *cpu = &evidence->cpu[event->cpu];
	_cleanup_(buffer_release) struct buffer says = buffer_of(4096);
	struct evidence_use use = {.rule = 0};

	if (!evidence_rule_fits(timeline, &stretch->of, moment->what, event, &says))
		return;
	stretch_take(evidence, stretch, event, says.text, /* is_spare= */ false);
	stretch->is_caused |= stretch->of.is_caused_by[moment->what];
	while (evidence_rule_before(timeline, &stretch->of, moment->what, &cpu->last, event, &use,
	                            &says)) {
		stretch_take(evidence, stretch, use.event, says.text, /* is_spare= */ false);
		stretch->is_caused |= use.is_cause;
	}
	if (moment->what == MOMENT_BEGIN && stretch->of.kind == SEGMENT_WAIT)
		cpu->sleeper = moment->stretch;
}

/* Takes the stack that follows the begin of a sleep on the CPU. */
static void stack_try(struct evidence *evidence, uint32_t sleeper, const struct seen_event *event)
{
	_cleanup_(buffer_release) struct buffer says = buffer_of(4096);
	struct stretch *stretch = &evidence->stretch[sleeper];
	bool is_cause;

	if (!evidence_rule_stack(evidence->question->timeline, &stretch->of, &is_cause, &says))
		return;
	stretch_take(evidence, stretch, event, says.text, /* is_spare= */ true);
	stretch->is_caused |= is_cause;
}

/* What no event shows is inferred, and the last event says so. */
static void stretch_conclude(struct evidence *evidence, struct stretch *stretch)
{
	_cleanup_(buffer_release) struct buffer says = buffer_of(4096);
	struct found_event *last;

	stretch->is_inferred |= stretch->of.has_cause && !stretch->is_caused;
	if (!stretch->is_inferred || stretch->count == 0)
		return;
	last = &stretch->event[stretch->count - 1];
	say(&says, NULL, "{text}; inferred from these events and others",
	    TEXT(intern_text(&evidence->text, last->says)));
	last->says = intern_add(&evidence->text, says.text, says.length);
}

ORDER_FUNCTION(moment_compare, struct moment, RISING(x, y, time), RISING(x, y, stretch),
               RISING(x, y, what))

/* Tries the event on all that expect one now. *at: the first moment that may still come. */
static void event_try(struct evidence *evidence, const struct seen_event *event, size_t *at)
{
	while (*at < evidence->moment_count && evidence->moment[*at].time < event->time)
		++*at;
	for (size_t i = *at;
	     i < evidence->moment_count && evidence->moment[i].time == event->time; i++)
		moment_try(evidence, &evidence->moment[i], event);
}

static void evidence_see(struct evidence *evidence, struct seen_event event, size_t *at)
{
	struct cpu_events *cpu;
	uint32_t sleeper;

	while (evidence->cpu_count <= event.cpu)
		ARRAY_ADD(evidence->cpu, evidence->cpu_count, evidence->cpu_capacity) =
			(struct cpu_events){.sleeper = STRETCH_NONE};
	cpu = &evidence->cpu[event.cpu];
	sleeper = cpu->sleeper;
	cpu->sleeper = STRETCH_NONE;
	evidence->sleepers -= sleeper != STRETCH_NONE;
	if (sleeper != STRETCH_NONE && event.kind == EVENT_STACK)
		stack_try(evidence, sleeper, &event);
	event_try(evidence, &event, at);
	evidence->sleepers += cpu->sleeper != STRETCH_NONE;
	last_events_take(&cpu->last, &event);
}

int evidence_read(struct evidence *evidence, struct buffer *why)
{
	struct raw_reading *reading;
	struct raw_event raw;
	struct event event;
	size_t at = 0;
	int r = raw_reading_open(evidence->question->recording.source, &reading, why);

	if (r < 0)
		return r;
	if (evidence->moment_count)
		qsort(evidence->moment, evidence->moment_count, sizeof(*evidence->moment),
		      moment_compare);
	while ((at < evidence->moment_count || evidence->sleepers) &&
	       raw_reading_next(reading, &raw)) {
		if (raw.format && raw_reading_decode(reading, &raw, &event))
			evidence_see(evidence, seen_event_of(&event, &raw), &at);
	}
	for (size_t i = 0; i < evidence->count; i++)
		stretch_conclude(evidence, &evidence->stretch[i]);
	evidence->is_read = true;
	raw_reading_close(reading);
	return 0;
}
