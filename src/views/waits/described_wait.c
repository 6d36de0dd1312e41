/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "described_wait.h"

#include "graph/aims/aim.h"
#include "graph/walk/fold.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_words.h"
#include "words/cause/unknown_words.h"

static void why_append(struct buffer *to, const struct timeline *timeline, const struct wait *wait,
                       const struct cause *cause)
{
	struct brief_aim aim = brief_aim_of_segment(timeline, wait->track, wait->segment);

	if (wait->is_open)
		open_text_append(to, WORDS_STILL_WAITING, cause);
	else
		cause_text_append(to, cause);
	aim_behind_append(to, &aim, cause);
}

static void spurious_wakers_describe(const struct timeline *timeline,
                                     const struct spurious_wakeup *wakeup,
                                     struct described_wait *wait)
{
	size_t count = wait->spurious_wakeups;

	if (count > SPURIOUS_WAKERS_MAX)
		count = SPURIOUS_WAKERS_MAX;
	wait->spurious_wakers = (struct links){.link = wait->waker, .count = count};
	for (size_t i = 0; i < count; i++) {
		const struct cause_note *note = timeline_cause_at(timeline, wakeup[i].cause);
		struct cause *cause = &wait->waker_cause[i];

		*cause = timeline_cause(timeline, note, wakeup[i].time);
		wait->waker[i] = (struct chain_link){
			.comm = cause->has_waker ? cause->waker.comm
			                         : cause_kind_name(cause->kind),
			.state = "waiting",
			.cause = cause,
			.aim = brief_aim_of_cause(timeline, wait->wait.track, note),
		};
	}
}

void wait_describe(struct described_wait *described)
{
	const struct timeline *timeline = described->timeline;
	const struct wait *wait = &described->wait;
	const struct spurious_wakeup *wakeup =
		timeline_spurious_wakeups(&timeline->track[wait->track], wait->segment,
		                          &described->spurious_wakeups);

	described->length = wait->end - wait->begin;
	described->delay = wait->run == NSEC_NEVER ? NSEC_NEVER : wait->run - wait->end;
	described->cause = timeline_cause(timeline, wait->cause, wait->end);
	if (described->is_for_people) {
		buffer_clear(&described->why);
		why_append(&described->why, timeline, wait, &described->cause);
	} else {
		described->is_for_work = wait_is_for_work(timeline, wait);
		described->aim = timeline_aim_shown(timeline, wait->track, wait->segment);
		spurious_wakers_describe(timeline, wakeup, described);
	}
}
