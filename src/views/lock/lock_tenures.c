/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_tenures.h"

#include <string.h>

#include "graph/timeline/cause_note.h"

/* How much the tenure may still matter. A long tenure matters more: some tasks may have waited
   through much of it. */
static double tenure_weight(const struct lock_tenure *tenure, nsec_t now)
{
	nsec_t age = now > tenure->end ? now - tenure->end : 0;

	return (double)(tenure->end - tenure->begin) / (double)(age + 1);
}

static uint32_t tenures_lightest(const struct lock_tenures *tenures, nsec_t now)
{
	uint32_t lightest = 0;

	for (uint32_t i = 1; i < tenures->count; i++)
		if (tenure_weight(&tenures->tenure[i], now) <
		    tenure_weight(&tenures->tenure[lightest], now))
			lightest = i;
	return lightest;
}

void lock_tenures_add(struct lock_tenures *tenures, const struct lock_tenure *tenure)
{
	struct lock_tenure added = *tenure;
	uint32_t moved = tenures->count;

	if (tenures->count && tenures->tenure[0].end > added.begin)
		added.begin = tenures->tenure[0].end;
	/* if it ends before a known tenure, or with it, nothing is left to add */
	if (added.begin >= added.end)
		return;
	if (tenures->count == LOCK_TENURES)
		moved = tenures_lightest(tenures, added.end);
	else
		tenures->count++;
	memmove(&tenures->tenure[1], &tenures->tenure[0], moved * sizeof(added));
	tenures->tenure[0] = added;
}

uint32_t lock_tenures_within(const struct lock_tenures *tenures, const struct lock_tenure *last,
                             struct lock_tenure ret[LOCK_TENURES + 1])
{
	struct lock_tenure part = *last;
	uint32_t count = 0;

	for (uint32_t i = 0; i < tenures->count; i++) {
		const struct lock_tenure *before = &tenures->tenure[i];

		if (before->end <= last->begin)
			break;
		if (before->end >= part.end) {
			/* the wait is cut, while this owner had the lock */
			if (part.owner == TRACK_NONE && before->begin < part.end) {
				part.owner = before->owner;
				part.confidence = before->confidence;
			}
			continue;
		}
		part.begin = before->end;
		ret[count++] = part;
		part = *before;
		part.begin = last->begin;
	}
	ret[count++] = part;
	return count;
}
