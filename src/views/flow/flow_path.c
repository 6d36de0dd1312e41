/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flow_path.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"

void flow_objects_release(struct flow_objects *objects)
{
	free(objects->disk.item);
	free(objects->other.item);
}

static nsec_t item_length(const struct flow_item *item)
{
	return item->end - item->begin;
}

ORDER_FUNCTION(length_compare, nsec_t, (*x < *y) - (*x > *y))

/* Keeps the longer half; of equally long items the earlier. */
static void heap_halve(struct flow_heap *heap)
{
	nsec_t *lengths = xreallocarray(NULL, heap->count, sizeof(*lengths));
	size_t longer = 0, kept = 0, half = heap->count / 2;

	for (size_t i = 0; i < heap->count; i++)
		lengths[i] = item_length(&heap->item[i]);
	array_sort(lengths, heap->count, sizeof(*lengths), length_compare);
	heap->least = lengths[half - 1];
	free(lengths);
	for (size_t i = 0; i < heap->count; i++)
		longer += item_length(&heap->item[i]) > heap->least;
	for (size_t i = 0; i < heap->count; i++) {
		nsec_t length = item_length(&heap->item[i]);

		if (length < heap->least || (length == heap->least && longer == half))
			continue;
		longer += length == heap->least;
		heap->item[kept++] = heap->item[i];
	}
	heap->left_out += heap->count - kept;
	heap->count = kept;
}

static void heap_add(struct flow_heap *heap, const struct flow_item *item)
{
	if (item_length(item) < heap->least) {
		heap->left_out++;
		return;
	}
	if (heap->count == FLOW_OBJECTS_MAX)
		heap_halve(heap);
	ARRAY_ADD(heap->item, heap->count, heap->capacity) = *item;
}

void flow_objects_add(struct flow_objects *objects, const struct hosts *hosts,
                      const struct interval *interval)
{
	struct flow_item item = {
		.begin = interval->begin,
		.started = interval_started(interval),
		.end = interval->end,
		.number = interval->cpu,
		.task = interval->task,
		.kind = (uint8_t)interval->kind,
	};

	if (interval->kind == INTERVAL_DISK) {
		item.number = interval->disk.dev;
		item.bytes = interval->disk.bytes;
		item.name = interval->disk.rwbs;
		heap_add(&objects->disk, &item);
		return;
	}
	if (interval->kind == INTERVAL_WORK) {
		item.number = hosts_of_cpu(hosts, interval->cpu);
		item.name = interval->work.name;
		item.what = interval->work.function;
	} else {
		/* a softirq may have been raised long ago, and the interrupted task is not
		   involved */
		item.begin = item.started;
		item.task = TRACK_NONE;
		item.name = interval->irq.name;
		item.what = (uint64_t)interval->irq.number;
	}
	heap_add(&objects->other, &item);
}

ORDER_FUNCTION(item_compare, struct flow_item, RISING(x, y, kind), RISING(x, y, number),
               RISING(x, y, begin), RISING(x, y, end))

struct flow_item *flow_objects_sort(const struct flow_objects *objects, nsec_t begin, nsec_t end,
                                    size_t *ret_count)
{
	const struct flow_heap *const heaps[] = {&objects->disk, &objects->other};
	size_t room = objects->disk.count + objects->other.count, count = 0;
	struct flow_item *items = xreallocarray(NULL, room ? room : 1, sizeof(*items));

	for (size_t h = 0; h < ARRAY_SIZE(heaps); h++)
		for (size_t i = 0; i < heaps[h]->count; i++)
			if (heaps[h]->item[i].begin <= end && heaps[h]->item[i].end >= begin)
				items[count++] = heaps[h]->item[i];
	array_sort(items, count, sizeof(*items), item_compare);
	*ret_count = count;
	return items;
}

bool flow_items_share_row(const struct flow_item *a, const struct flow_item *b)
{
	return a->kind == b->kind && a->number == b->number;
}

static uint32_t item_machine(const struct flow_item *item, const struct timeline *timeline)
{
	const uint32_t number = (uint32_t)item->number;

	if (timeline->hosts.count == 0)
		return FLOW_NONE;
	if (item->kind == INTERVAL_DISK)
		return device_names_host(&timeline->devices, number);
	return item->kind == INTERVAL_WORK ? number : hosts_of_cpu(&timeline->hosts, number);
}

struct flow_row flow_item_row(const struct flow_item *item, const struct timeline *timeline,
                              struct buffer *label)
{
	const uint32_t number = (uint32_t)item->number;
	struct flow_row row = {.kind = "work", .machine = item_machine(item, timeline)};

	buffer_clear(label);
	if (item->kind == INTERVAL_DISK) {
		row.kind = "disk";
		say(label, timeline, "disk {device}", DEVICE(number));
	} else if (item->kind == INTERVAL_IRQ) {
		row.kind = "irq";
		say(label, timeline, "interrupts of CPU {cpu}", CPU(number));
	} else if (item->kind == INTERVAL_SOFTIRQ) {
		row.kind = "softirq";
		say(label, timeline, "soft interrupts of CPU {cpu}", CPU(number));
	} else {
		say(label, timeline, "work items[ of {foreign}]",
		    FOREIGN(hosts_name(&timeline->hosts, number)));
	}
	row.label = label->text;
	return row;
}

const char *flow_item_name(const struct flow_item *item, const struct timeline *timeline,
                           struct buffer *text)
{
	const char *name = item->name ? intern_text(&timeline->names, item->name) : "";

	if (item->kind == INTERVAL_DISK)
		return request_word(name);
	if (*name)
		return name;
	buffer_clear(text);
	buffer_printf(text, item->kind == INTERVAL_WORK ? "0x%" PRIx64 : "%" PRIu64, item->what);
	return text->text;
}

/* Cuts a segment to the window; false: nothing is left. */
static bool segment_clip(const struct flow_scale *scale, const struct track *track, size_t at,
                         nsec_t *begin, nsec_t *end)
{
	*begin = nsec_max(track->segment[at].begin, scale->begin);
	*end = nsec_min(timeline_segment_end(track, at), scale->end);
	return *begin < *end;
}

static size_t first_segment(const struct flow_scale *scale, struct track *track)
{
	size_t at = timeline_find(track, scale->begin);

	return at == SIZE_MAX ? 0 : at;
}

bool flow_stretch_next(const struct flow_scale *scale, struct track *track,
                       struct flow_stretch *stretch)
{
	size_t at = stretch->count ? stretch->next : first_segment(scale, track);
	nsec_t begin, end;

	while (at < track->segment_count && !segment_clip(scale, track, at, &begin, &end))
		at++;
	if (at >= track->segment_count)
		return false;
	*stretch = (struct flow_stretch){begin, end, at, 1, at + 1};
	for (at++; at < track->segment_count &&
	           stretch->end - stretch->begin < scale->mixed_below; at++) {
		if (segment_clip(scale, track, at, &begin, &end)) {
			if (end - begin >= scale->mixed_below)
				break;
			stretch->end = end;
		}
		stretch->count = at + 1 - stretch->first;
		stretch->next = at + 1;
	}
	return true;
}

unsigned flow_state_of(const struct timeline *timeline, const struct segment *segment)
{
	switch ((enum segment_kind)segment->kind) {
	case SEGMENT_RUN:
		return FLOW_RUNNING;
	case SEGMENT_RUNNABLE:
		return FLOW_RUNNABLE;
	case SEGMENT_STOPPED:
		return FLOW_STOPPED;
	case SEGMENT_WAIT:
		break;
	case SEGMENT_UNKNOWN:
	case SEGMENT_DEAD:
	case SEGMENT_NEW:
		return FLOW_UNKNOWN;
	}
	if (segment->detail & WAIT_FOR_WORK)
		return FLOW_FOR_WORK;
	return FLOW_WAIT + (segment->cause == CAUSE_NONE
	                            ? (unsigned)CAUSE_UNKNOWN
	                            : timeline_cause_at(timeline, segment->cause)->kind);
}

uint64_t flow_stretch_mix(const struct flow_scale *scale, const struct timeline *timeline,
                          const struct track *track, const struct flow_stretch *stretch,
                          nsec_t time[static FLOW_STATE_COUNT])
{
	uint64_t segments = 0;
	nsec_t begin, end;

	for (size_t at = stretch->first; at < stretch->first + stretch->count; at++) {
		if (!segment_clip(scale, track, at, &begin, &end))
			continue;
		time[flow_state_of(timeline, &track->segment[at])] += end - begin;
		segments++;
	}
	return segments;
}

#define SHARE_NONE UINT32_MAX

struct joiner {
	nsec_t below;
	struct flow_leg leg;
	struct flow_leg_share *share;
	size_t capacity;
	uint32_t *first; /* by track: index of its first share; valid only if that share is of
	                    this leg and track */
	void (*on_leg)(void *state, const struct flow_leg *leg);
	void *state;
};

unsigned flow_state_of_part(const struct part *part)
{
	switch (part->state) {
	case PART_RUNNING:
		return FLOW_RUNNING;
	case PART_RUNNABLE:
		return FLOW_RUNNABLE;
	case PART_STOPPED:
		return FLOW_STOPPED;
	case PART_UNKNOWN:
	case PART_CUT:
		return FLOW_UNKNOWN;
	case PART_WAITING:
	case PART_STATE_COUNT:
		break;
	}
	return FLOW_WAIT + (part->cause ? (unsigned)part->cause->kind : (unsigned)CAUSE_UNKNOWN);
}

/* Entries of earlier legs are not cleared: they lead to no share, or to a share of another
   track. */
static bool track_has_share(const struct joiner *joiner, uint32_t track)
{
	uint32_t at = joiner->first[track];

	return at < joiner->leg.share_count && joiner->share[at].track == track;
}

static struct flow_leg_share *flow_share_of(struct joiner *joiner, uint32_t track, unsigned state)
{
	uint32_t first = track_has_share(joiner, track) ? joiner->first[track] : SHARE_NONE;
	size_t *count = &joiner->leg.share_count;

	for (uint32_t at = first; at != SHARE_NONE; at = joiner->share[at].next)
		if (joiner->share[at].state == state)
			return &joiner->share[at];
	ARRAY_GROW(joiner->share, *count, joiner->capacity);
	joiner->first[track] = (uint32_t)*count;
	joiner->share[*count] = (struct flow_leg_share){
		.track = track, .state = state, .next = first,
	};
	return &joiner->share[(*count)++];
}

static void share_add(struct joiner *joiner, const struct part *part)
{
	if (part->begin < part->end)
		flow_share_of(joiner, part->track, flow_state_of_part(part))->time +=
			part->end - part->begin;
}

static void leg_flush(struct joiner *joiner)
{
	joiner->leg.share = joiner->share;
	if (joiner->leg.parts > 0)
		joiner->on_leg(joiner->state, &joiner->leg);
	joiner->leg = (struct flow_leg){0};
}

static bool leg_takes(const struct joiner *joiner, const struct part *part)
{
	const struct part *leg = &joiner->leg.part;

	return joiner->leg.parts > 0 && leg->end - leg->begin < joiner->below &&
	       part->end - part->begin < joiner->below;
}

static void flow_path_on_part(void *state, const struct part *part)
{
	struct joiner *joiner = state;

	if (!leg_takes(joiner, part)) {
		leg_flush(joiner);
		joiner->leg.part = *part;
	} else if (joiner->leg.parts == 1) {
		share_add(joiner, &joiner->leg.part);
	}
	if (joiner->leg.parts++ > 0) {
		share_add(joiner, part);
		joiner->leg.part.end = part->end;
	}
}

void flow_path_visit(const struct flow_path *path,
                     void (*on_leg)(void *state, const struct flow_leg *leg), void *state)
{
	struct joiner joiner = {
		.below = path->mixed_below,
		.first = xcalloc(path->tracks ? path->tracks : 1, sizeof(*joiner.first)),
		.on_leg = on_leg,
		.state = state,
	};

	part_log_visit(path->log, flow_path_on_part, &joiner);
	leg_flush(&joiner);
	free(joiner.share);
	free(joiner.first);
}

struct leg_sums {
	size_t count;
	uint64_t mixed;
};

static void leg_sum(void *state, const struct flow_leg *leg)
{
	struct leg_sums *sums = state;

	sums->count += leg->parts > 1 ? 1 + leg->share_count : 1;
	sums->mixed += leg->parts > 1 ? leg->parts : 0;
}

static struct leg_sums path_sum(const struct flow_path *path)
{
	struct leg_sums sums = {0};

	flow_path_visit(path, leg_sum, &sums);
	return sums;
}

void flow_path_settle(struct flow_path *path, const struct part_log *log, size_t most)
{
	/* the length of the path, which no leg exceeds */
	nsec_t length = log->block_count ? log->block[0].end - log->begin : 0;
	struct leg_sums sums = {.count = log->part_count};

	*path = (struct flow_path){.log = log, .tracks = log->timeline->track_count};
	for (nsec_t below = FLOW_MIXED_BELOW_MIN;
	     sums.count > most && path->mixed_below <= length; below *= 2) {
		path->mixed_below = below;
		sums = path_sum(path);
	}
	path->mixed = sums.mixed;
}
