/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time_shift.h"

#include <errno.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/nsec_scale.h"
#include "base/xalloc.h"
#include "input_file.h"

#define FLAG_INTERPOLATE 1u
#define SAMPLE_BYTES     24 /* without the bits */

/* A difference may change by RISE_MAX between the first and the last sample, in the unit of stamps
   (ns, or cycles of the TSC), because the error of a sample is up to half a round trip of the
   network; or by one part in RISE_PART of the time between them. Two clocks that count the same
   unit drift by much less. */
#define RISE_MAX  100000000
#define RISE_PART 8

/* False: there are fewer. */
static bool cpu_read(struct time_shift_cpu *cpu, struct cursor *cursor)
{
	size_t count = cursor_u32(cursor);

	if (count > cursor_left(cursor) / SAMPLE_BYTES)
		return false;
	cpu->sample = xcalloc(count, sizeof(*cpu->sample));
	cpu->count = count;
	for (size_t i = 0; i < count; i++) {
		cpu->sample[i].number = i;
		cpu->sample[i].time = cursor_u64(cursor);
	}
	for (size_t i = 0; i < count; i++)
		cpu->sample[i].offset = (int64_t)cursor_u64(cursor);
	for (size_t i = 0; i < count; i++)
		cpu->sample[i].factor = cursor_u64(cursor);
	return true;
}

ORDER_FUNCTION(sample_compare, struct time_shift_sample, RISING(x, y, time), RISING(x, y, number))

/* Sorts the samples; of several at one instant the first one is left. */
static bool cpu_settle(struct time_shift_cpu *cpu)
{
	size_t kept = 0;

	array_sort(cpu->sample, cpu->count, sizeof(*cpu->sample), sample_compare);
	for (size_t i = 0; i < cpu->count; i++) {
		const struct time_shift_sample *sample = &cpu->sample[i];

		if (sample->factor == 0 || sample->bits >= 64)
			return false;
		if (kept == 0 || sample->time != cpu->sample[kept - 1].time)
			cpu->sample[kept++] = *sample;
	}
	cpu->count = kept;
	return true;
}

/* Whether the samples may be of two clocks that count the same unit. */
static bool cpu_has_one_unit(const struct time_shift_cpu *cpu)
{
	const struct time_shift_sample *first = cpu->sample, *last;
	int64_t rise;

	if (cpu->count < 2)
		return true;
	last = &cpu->sample[cpu->count - 1];
	if (__builtin_sub_overflow(last->offset, first->offset, &rise) || rise == INT64_MIN)
		return false;
	rise = rise < 0 ? -rise : rise;
	return rise <= RISE_MAX || (uint64_t)rise <= (last->time - first->time) / RISE_PART;
}

/* Differences that are not interpolated are those of a virtual machine's counter, as its host sets
   it; they may change by any amount. */
static bool has_one_unit(const struct time_shift *shift)
{
	for (size_t i = 0; i < shift->count && shift->interpolates; i++)
		if (!cpu_has_one_unit(&shift->cpu[i]))
			return false;
	return true;
}

bool time_shift_has_all(const struct time_shift *shift, uint32_t cpus)
{
	if (shift->interpolates)
		return true;
	for (size_t i = 0; i < shift->count && i < cpus; i++)
		if (shift->cpu[i].count == 0)
			return false;
	return shift->count >= cpus;
}

static int shift_fill(struct time_shift *shift, struct cursor *cursor)
{
	bool has_bits;

	for (size_t i = 0; i < shift->count; i++)
		if (!cpu_read(&shift->cpu[i], cursor))
			return -EBADMSG;
	has_bits = cursor_left(cursor) > 0;
	/* older files have none */
	for (size_t i = 0; i < shift->count && has_bits; i++)
		for (size_t k = 0; k < shift->cpu[i].count; k++)
			shift->cpu[i].sample[k].bits = cursor_u64(cursor);
	if (cursor->error)
		return -EBADMSG;
	for (size_t i = 0; i < shift->count; i++)
		if (!cpu_settle(&shift->cpu[i]))
			return -EBADMSG;
	while (shift->first < shift->count && shift->cpu[shift->first].count == 0)
		shift->first++;
	if (shift->first == shift->count)
		return -EBADMSG;
	return has_one_unit(shift) ? 0 : -ERANGE;
}

int time_shift_read(struct time_shift *ret, const uint8_t *bytes, size_t size, bool is_swapped)
{
	struct cursor cursor;
	size_t count;
	int r = -EBADMSG;

	cursor_init_memory(&cursor, bytes, size, is_swapped);
	*ret = (struct time_shift){.host_id = cursor_u64(&cursor)};
	ret->interpolates = cursor_u32(&cursor) & FLAG_INTERPOLATE;
	count = cursor_u32(&cursor);
	if (count <= cursor_left(&cursor) / 4) {
		ret->count = count;
		ret->cpu = xcalloc(count, sizeof(*ret->cpu));
		r = shift_fill(ret, &cursor);
	}
	if (r < 0)
		time_shift_release(ret);
	return r;
}

/* The difference at that time on the line through two samples, rounded. */
static int64_t offset_between(const struct time_shift_sample *from,
                              const struct time_shift_sample *to, uint64_t stamp)
{
	int64_t part = (int64_t)(to->time - from->time), rise, sum;

	if (__builtin_sub_overflow(to->offset, from->offset, &rise) || part <= 0 ||
	    __builtin_mul_overflow((int64_t)(stamp - from->time), rise, &sum) ||
	    __builtin_add_overflow(sum, part / 2, &sum) ||
	    __builtin_add_overflow(from->offset, sum / part, &sum))
		return from->offset;
	return sum;
}

/* The first of the two samples that the stamp lies between. A stamp before the first sample uses
   the first two, and one after the last sample uses the last two. */
static size_t sample_find(const struct time_shift_cpu *cpu, uint64_t stamp)
{
	size_t at = array_lower_bound_u64(cpu->sample, cpu->count, sizeof(*cpu->sample), stamp);

	at += at < cpu->count && cpu->sample[at].time == stamp; /* the first one behind it */
	at = at < cpu->count - 1 ? at : cpu->count - 1;
	return at ? at - 1 : 0;
}

static uint64_t moved(uint64_t stamp, int64_t by)
{
	uint64_t size = by < 0 ? -(uint64_t)by : (uint64_t)by;

	if (by < 0)
		return stamp > size ? stamp - size : 0;
	return stamp < UINT64_MAX - size ? stamp + size : UINT64_MAX;
}

/* The difference at that time, and the sample that the factor is of; there is a sample. */
static int64_t offset_at(const struct time_shift *shift, const struct time_shift_cpu *cpu,
                         uint64_t stamp, const struct time_shift_sample **ret_from)
{
	const struct time_shift_sample *from = &cpu->sample[0];

	if (cpu->count > 1)
		from = &cpu->sample[sample_find(cpu, stamp)];
	*ret_from = from;
	return cpu->count > 1 && shift->interpolates ? offset_between(from, from + 1, stamp)
	                                             : from->offset;
}

uint64_t time_shift_apply(const struct time_shift *shift, uint32_t number, uint64_t stamp)
{
	const struct time_shift_cpu *cpu;
	const struct time_shift_sample *from;
	int64_t offset;

	if (shift->interpolates)
		number = (uint32_t)shift->first;
	if (number >= shift->count || shift->cpu[number].count == 0)
		return stamp;
	cpu = &shift->cpu[number];
	offset = offset_at(shift, cpu, stamp, &from);
	if (cpu->count > 1)
		stamp = nsec_scale(stamp, from->factor, (uint32_t)from->bits);
	return moved(stamp, offset);
}

static uint64_t distance(int64_t a, int64_t b)
{
	return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

uint64_t time_shift_spread(const struct time_shift *shift)
{
	uint64_t most = 0;

	for (size_t i = shift->first + 1; i < shift->count && shift->interpolates; i++)
		for (size_t k = 0; k < shift->cpu[i].count; k++) {
			const struct time_shift_sample *sample = &shift->cpu[i].sample[k], *from;
			int64_t first = offset_at(shift, &shift->cpu[shift->first], sample->time,
			                          &from);

			if (distance(sample->offset, first) > most)
				most = distance(sample->offset, first);
		}
	return most;
}

void time_shift_release(struct time_shift *shift)
{
	for (size_t i = 0; i < shift->count; i++)
		free(shift->cpu[i].sample);
	free(shift->cpu);
	*shift = (struct time_shift){0};
}
