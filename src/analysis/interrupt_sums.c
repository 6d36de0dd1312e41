/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interrupt_sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

void interrupt_sums_init(struct interrupt_sums *sums)
{
	*sums = (struct interrupt_sums){0};
	map_init(&sums->by_key);
}

void interrupt_sums_release(struct interrupt_sums *sums)
{
	free(sums->sum);
	map_release(&sums->by_key);
}

void interrupt_sums_add(struct interrupt_sums *sums, const struct interval *interval, nsec_t begin,
                        nsec_t end)
{
	bool is_timer = interval->kind == INTERVAL_TIMER;
	struct interrupt_sum sum = {
		.cpu = interval->cpu,
		.kind = (uint8_t)interval->kind,
		.name = is_timer ? interval->timer.function : interval->irq.name,
		.number = is_timer ? 0 : interval->irq.number,
	};
	uint64_t key = hash_mix(hash_mix(sum.cpu, (uint64_t)sum.kind << 32 | sum.name),
	                        (uint32_t)sum.number);
	uint32_t at = map_get(&sums->by_key, key);

	if (at == MAP_NONE) {
		at = (uint32_t)sums->count;
		map_put(&sums->by_key, key, at);
		ARRAY_GROW(sums->sum, sums->count, sums->capacity);
		sums->sum[sums->count++] = sum;
	}
	sums->sum[at].total += end > begin ? end - begin : 0;
}

bool interrupt_sums_append_most(const struct interrupt_sums *sums, uint32_t cpu,
                                const struct timeline *timeline, struct buffer *to)
{
	static const char *const words[INTERVAL_KIND_COUNT] = {
		[INTERVAL_IRQ] = "irq", [INTERVAL_SOFTIRQ] = "softirq", [INTERVAL_IPI] = "IPI",
		[INTERVAL_TIMER] = "timer",
	};
	const struct interrupt_sum *most = NULL;
	const char *name;

	for (size_t i = 0; i < sums->count; i++)
		if (sums->sum[i].cpu == cpu && (!most || sums->sum[i].total > most->total))
			most = &sums->sum[i];
	if (!most || most->total == 0)
		return false;
	buffer_puts(to, words[most->kind]);
	if (most->kind == INTERVAL_IRQ)
		buffer_printf(to, " %" PRId32, most->number);
	name = most->name ? intern_text(&timeline->names, most->name) : "";
	if (name[0]) {
		buffer_putc(to, ' ');
		buffer_puts_clean(to, name, strlen(name));
	}
	return true;
}
