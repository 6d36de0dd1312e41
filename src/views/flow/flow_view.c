/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all tasks and devices of the window did, in full (ftwait/flow.h). It is no view of its own:
 * every interactive page contains it, whatever else is asked for.
 */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/paths/path_pieces.h"
#include "analysis/paths/path_task.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "flow_path.h"
#include "graph/aims/aim.h"
#include "graph/timeline/shared_cause.h"
#include "graph/timeline/timeline_tasks.h"

/* The number of stretches that a browser draws with ease; if there are more, some are joined. */
#define STRETCHES_MAX 2000000u
/* The same for the path, which is one row: number of legs, plus shares of joined legs. */
#define PATH_LEGS_MAX 1000000u

/* Number of rows at the top, which matter most; they are in the order in which the path comes to
   them. The other tasks on the path follow: a build has hundreds that are on it for a moment. */
#define ROWS_FIRST 30

#define LABEL_BYTES_MAX 1024

/*
 * Numbers for the tasks, causes and stacks that a flow refers to (ftwait/flow.h). Causes that are
 * alike and involve the same tasks share a number, and so do equal stacks. Each cause and stack is
 * emitted when it is first met.
 */
struct flow_numbers {
	const struct timeline *timeline;
	const uint32_t *task; /* by track: number of its task; FLOW_NONE: the task has no number */
	const struct flow_hooks *hooks;
	void *to; /* argument of the hooks */
	struct tally causes, places; /* const struct cause_note *, struct wait_stacks */
};

/* Everything is borrowed until the release. */
static void flow_numbers_init(struct flow_numbers *numbers, const struct timeline *timeline,
                              const uint32_t *task, const struct flow_hooks *hooks, void *to)
{
	*numbers = (struct flow_numbers){
		.timeline = timeline, .task = task, .hooks = hooks, .to = to,
	};
	tally_init(&numbers->causes, sizeof(struct cause_note *), sizeof(struct cause_note *),
	           TALLY_NO_LIMIT);
	tally_init(&numbers->places, sizeof(struct wait_stacks), sizeof(struct wait_stacks),
	           TALLY_NO_LIMIT);
}

static void flow_numbers_release(struct flow_numbers *numbers)
{
	tally_release(&numbers->causes);
	tally_release(&numbers->places);
}

/* Number of the track's task; FLOW_NONE for TRACK_NONE. */
static uint32_t flow_number_task(const struct flow_numbers *numbers, uint32_t track)
{
	return track == TRACK_NONE ? FLOW_NONE : numbers->task[track];
}

static uint32_t note_clock_bound(const struct cause_note *note)
{
	return note->kind == CAUSE_NET ? note->as.net.clock_bound : 0;
}

static bool notes_are_one(const void *row, const void *wanted)
{
	const struct cause_note *a = *(const struct cause_note *const *)row;
	const struct cause_note *b = *(const struct cause_note *const *)wanted;

	return a->waker == b->waker && a->originator == b->originator &&
	       a->confidence == b->confidence && note_clock_bound(a) == note_clock_bound(b) &&
	       cause_notes_are_shared(a, b);
}

static void cause_emit(const struct flow_numbers *numbers, const struct cause_note *note)
{
	const struct shared_cause shared = shared_cause_of(note);
	const struct cause cause = shared_cause_result(numbers->timeline, &shared);

	const struct flow_cause shown = {
		.cause = &cause,
		.aim = brief_aim_of_cause(numbers->timeline, TRACK_NONE, note),
		.waker = flow_number_task(numbers, note->waker),
		.originator = flow_number_task(numbers, note->originator),
		.clock_bound = note_clock_bound(note),
	};

	numbers->hooks->cause(numbers->to, &shown);
}

/* The number of the cause; FLOW_NONE for NULL. The note belongs to the timeline. */
static uint32_t flow_number_cause(struct flow_numbers *numbers, const struct cause_note *note)
{
	size_t before = numbers->causes.count;
	const void *row;
	uint64_t hash;

	if (!note)
		return FLOW_NONE;
	hash = hash_mix(hash_mix(note->waker, note->originator), note->confidence);
	row = tally_row_of(&numbers->causes, shared_cause_hash(note, hash), &note, notes_are_one);
	if (numbers->causes.count > before)
		cause_emit(numbers, note);
	return tally_number(&numbers->causes, row);
}

static const char *stack_text(const struct flow_numbers *numbers, uint32_t id)
{
	return id ? intern_text(&numbers->timeline->names, id) : NULL;
}

/* The number of the place; FLOW_NONE if there is no place, or the place has no stack. */
static uint32_t flow_number_place(struct flow_numbers *numbers, const struct sleep_place *place)
{
	struct wait_stacks stacks = place_stacks(place);
	size_t before = numbers->places.count;
	const void *row;

	if (stacks.frames == 0 && stacks.user == 0 && stacks.waker == 0)
		return FLOW_NONE;
	row = tally_row(&numbers->places, &stacks);
	if (numbers->places.count > before)
		numbers->hooks->place(numbers->to, &(struct flow_place){
							   stack_text(numbers, stacks.frames),
							   stack_text(numbers, stacks.user),
							   stack_text(numbers, stacks.waker),
						   });
	return tally_number(&numbers->places, row);
}

struct flow_view {
	const struct question *question;
	struct flow_objects objects;
};

struct flow {
	const struct question *question;
	struct path_pieces path;
	struct flow_path legs; /* of the path */
	struct flow_scale scale;
	struct picture_track *track;
	size_t track_count;
	uint32_t *task; /* by track: its number */
	struct flow_numbers numbers;
	const struct flow_hooks *hooks;
	void *to;
};

static void flow_view_on_interval(void *state, const struct interval *interval)
{
	struct flow_view *view = state;

	if (question_may_touch(view->question, interval->begin, interval->end))
		flow_objects_add(&view->objects, &view->question->timeline->hosts, interval);
}

static void flow_view_end(void *state)
{
	struct flow_view *view = state;

	flow_objects_release(&view->objects);
}

static bool flow_view_has_answer(const void *state, struct buffer *why)
{
	const struct flow_view *view = state;

	return path_task_is_there(view->question, why);
}

static struct track *flow_track(const struct flow *flow, size_t row)
{
	return &flow->question->timeline->track[flow->track[row].track];
}

struct stretch_sums {
	size_t count;   /* of stretches */
	uint64_t mixed; /* number of segments in stretches of several segments */
};

static void track_sum(const struct flow *flow, size_t row, struct stretch_sums *sums)
{
	struct flow_stretch stretch = {0};

	while (flow_stretch_next(&flow->scale, flow_track(flow, row), &stretch)) {
		sums->count++;
		sums->mixed += stretch.count > 1 ? stretch.count : 0;
	}
}

static struct stretch_sums flow_sum(const struct flow *flow)
{
	struct stretch_sums sums = {0};

	for (size_t row = 0; row < flow->track_count; row++)
		track_sum(flow, row, &sums);
	return sums;
}

/* Finds the least scale that is enough. Returns the number of segments in stretches of several
   segments. */
static uint64_t flow_settle_scale(struct flow *flow)
{
	struct stretch_sums sums = flow_sum(flow);

	for (nsec_t below = FLOW_MIXED_BELOW_MIN; sums.count > STRETCHES_MAX; below *= 2) {
		flow->scale.mixed_below = below;
		sums = flow_sum(flow);
	}
	return sums.mixed;
}

static void flow_choose(struct flow *flow)
{
	const struct picture_frame frame = {flow->scale.begin, flow->scale.end, .is_all = true};
	size_t tracks = flow->question->timeline->track_count;

	flow->track = picture_tracks_choose(&flow->path, flow->question, &frame,
	                                    &flow->track_count);
	picture_tracks_order(flow->track, flow->track_count < ROWS_FIRST ? flow->track_count
	                                                                 : ROWS_FIRST);
	flow->task = xreallocarray(NULL, tracks ? tracks : 1, sizeof(*flow->task));
	for (size_t i = 0; i < tracks; i++)
		flow->task[i] = FLOW_NONE;
	for (size_t row = 0; row < flow->track_count; row++)
		flow->task[flow->track[row].track] = (uint32_t)row;
}

static void window_emit(const struct flow *flow, uint64_t mixed, uint64_t objects_left_out)
{
	const struct timeline *timeline = flow->question->timeline;
	const struct flow_window window = {
		.origin = timeline->begin,
		.begin = flow->scale.begin,
		.end = flow->scale.end,
		.path_of = flow->path.log.part_count
		                   ? flow_number_task(&flow->numbers, flow->path.track)
		                   : FLOW_NONE,
		.path_begin = flow->path.begin,
		.path_why = flow->path.why,
		.mixed_below = mixed ? flow->scale.mixed_below : 0,
		.mixed = mixed,
		.path_mixed_below = flow->legs.mixed ? flow->legs.mixed_below : 0,
		.path_mixed = flow->legs.mixed,
		.objects_left_out = objects_left_out,
	};

	flow->hooks->begin(flow->to, &window);
}

static void task_emit(const struct flow *flow, size_t row)
{
	const struct timeline *timeline = flow->question->timeline;
	const struct picture_track *chosen = &flow->track[row];
	const struct track *track = &timeline->track[chosen->track];
	const struct flow_task task = {
		.task = timeline_task(timeline, chosen->track, NSEC_NEVER),
		.parent = flow_number_task(&flow->numbers, track->parent),
		.priority = track->priority,
		.is_asked = chosen->is_asked,
		.is_on_path = chosen->on_path > 0,
		.is_kernel = track_is_kernel(timeline, chosen->track),
		.is_command = track->is_command,
		.is_recorder = track->is_recorder,
	};

	flow->hooks->task(flow->to, &task);
	for (uint32_t n = 0; n < track->name_count && track->name_count > 1; n++)
		flow->hooks->name(flow->to, (uint32_t)row, track->name[n].time,
		                  timeline_own_name(timeline, track->name[n].name));
}

static void segment_emit(struct flow *flow, uint32_t index, const struct flow_stretch *stretch)
{
	const struct timeline *timeline = flow->question->timeline;
	const struct span span = timeline_span(timeline, index, stretch->first);
	struct flow_segment segment = {
		.begin = stretch->begin,
		.end = stretch->end,
		.state = flow_state_of(timeline, &timeline->track[index].segment[stretch->first]),
		.cpu = span.cpu,
		.cause = FLOW_NONE,
		.place = FLOW_NONE,
		.is_doubtful = span.is_doubtful,
		.is_open = span.is_open && stretch->end == span.end,
	};

	if (segment.state != FLOW_RUNNING)
		segment.cause = flow_number_cause(&flow->numbers, span.cause);
	if (!flow->question->asked->ignores_stacks)
		segment.place = flow_number_place(&flow->numbers, span.place);
	flow->hooks->segment(flow->to, &segment);
}

static void mix_emit(const struct flow *flow, const struct track *track,
                     const struct flow_stretch *stretch)
{
	const struct timeline *timeline = flow->question->timeline;
	nsec_t time[FLOW_STATE_COUNT] = {0};
	struct flow_mix mix = {.time = time};

	mix.segments = flow_stretch_mix(&flow->scale, timeline, track, stretch, time);
	flow->hooks->segment(flow->to, &(struct flow_segment){
					       .begin = stretch->begin,
					       .end = stretch->end,
					       .state = FLOW_MIXED,
					       .cause = FLOW_NONE,
					       .place = FLOW_NONE,
				       });
	flow->hooks->mix(flow->to, &mix);
}

static void flow_track_emit(struct flow *flow, size_t row)
{
	struct flow_stretch stretch = {0};
	struct stretch_sums sums = {0};
	struct track *track = flow_track(flow, row);

	track_sum(flow, row, &sums);
	flow->hooks->segments_begin(flow->to, sums.count);
	while (flow_stretch_next(&flow->scale, track, &stretch))
		if (stretch.count > 1)
			mix_emit(flow, track, &stretch);
		else
			segment_emit(flow, flow->track[row].track, &stretch);
}

static void leg_mix_emit(const struct flow *flow, const struct flow_leg *leg)
{
	_cleanup_(freep) struct flow_share *share =
		xreallocarray(NULL, leg->share_count + 1, sizeof(*share));
	const struct flow_part_mix mix = {leg->parts, share, leg->share_count};

	for (size_t i = 0; i < leg->share_count; i++)
		share[i] = (struct flow_share){
			.task = flow_number_task(&flow->numbers, leg->share[i].track),
			.state = leg->share[i].state,
			.time = leg->share[i].time,
		};
	flow->hooks->part_mix(flow->to, &mix);
}

static void leg_emit(void *state, const struct flow_leg *leg)
{
	struct flow *flow = state;
	const struct part *part = &leg->part;
	struct flow_part sent = {
		.begin = part->begin,
		.end = part->end,
		.task = FLOW_NONE,
		.state = FLOW_MIXED,
		.cause = FLOW_NONE,
	};

	if (leg->parts == 1) {
		sent.task = flow_number_task(&flow->numbers, part->track);
		sent.state = flow_state_of_part(part);
		sent.cause = flow_number_cause(&flow->numbers, part->cause);
	}
	flow->hooks->part(flow->to, &sent);
	if (leg->parts > 1)
		leg_mix_emit(flow, leg);
}

/* The number of items, from the first on, that belong to one row. */
static size_t row_length(const struct flow_item *items, size_t count)
{
	size_t length = 1;

	while (length < count && flow_items_share_row(&items[0], &items[length]))
		length++;
	return length;
}

static void rows_emit(const struct flow *flow, const struct flow_item *items, size_t count)
{
	_cleanup_(buffer_release) struct buffer label = buffer_of(LABEL_BYTES_MAX);
	struct flow_row row;

	for (size_t at = 0; at < count; at += row.count) {
		row = flow_item_row(&items[at], flow->question->timeline, &label);
		row.count = row_length(&items[at], count - at);
		flow->hooks->row(flow->to, &row);
	}
}

static void objects_emit(const struct flow *flow, const struct flow_item *items, size_t count)
{
	_cleanup_(buffer_release) struct buffer name = buffer_of(64);

	for (size_t at = 0; at < count; at++)
		flow->hooks->object(
			flow->to,
			&(struct flow_object){
				.begin = items[at].begin,
				.started = items[at].started,
				.end = items[at].end,
				.task = flow_number_task(&flow->numbers, items[at].task),
				.bytes = items[at].bytes,
				.name = flow_item_name(&items[at], flow->question->timeline, &name),
			});
}

static void flow_emit(struct flow *flow, const struct flow_objects *objects)
{
	uint64_t left_out = objects->disk.left_out + objects->other.left_out;
	size_t count;
	struct flow_item *items = flow_objects_sort(objects, flow->scale.begin, flow->scale.end,
	                                            &count);

	window_emit(flow, flow_settle_scale(flow), left_out);
	for (size_t row = 0; row < flow->track_count; row++)
		task_emit(flow, row);
	rows_emit(flow, items, count);
	for (size_t row = 0; row < flow->track_count; row++)
		flow_track_emit(flow, row);
	flow_path_visit(&flow->legs, leg_emit, flow);
	objects_emit(flow, items, count);
	free(items);
}

static void flow_view_report(const void *state, const struct output *to)
{
	const struct flow_view *view = state;
	struct flow flow = {
		.question = view->question,
		.hooks = to->presenter->flow,
		.to = to->state,
	};

	if (!to->presenter->flow)
		return;
	path_pieces_make(&flow.path, view->question);
	flow_path_settle(&flow.legs, &flow.path.log, PATH_LEGS_MAX);
	flow.scale.begin = view->question->resolved->begin;
	flow.scale.end = view->question->resolved->end;
	flow_choose(&flow);
	flow_numbers_init(&flow.numbers, view->question->timeline, flow.task, flow.hooks,
	                  to->state);
	flow_emit(&flow, &view->objects);
	flow_numbers_release(&flow.numbers);
	free(flow.task);
	free(flow.track);
	path_pieces_release(&flow.path);
}

const struct analysis flow_analysis = {
	.name = "flow",
	.about = "what all tasks and devices did",
	.heeds = HEEDS_TASKS | HEEDS_WALKS | HEEDS_STACKS,
	.needs_history = true,
	.is_of_path = true,
	.state_bytes = sizeof(struct flow_view),
	.on_interval = flow_view_on_interval,
	.interval_kinds = FLOW_OBJECT_KINDS,
	.has_answer = flow_view_has_answer,
	.report = flow_view_report,
	.end = flow_view_end,
};
