/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interrupt_sums.h"

#include <inttypes.h>

#include "base/data/order.h"
#include "sentences/say.h"

void interrupt_sums_add(struct keyed_sums *sums, const struct interval *interval, nsec_t begin,
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
	struct interrupt_sum *of = keyed_sums_of(sums, key);

	if (of->of.count++ == 0) {
		sum.of = of->of;
		*of = sum;
	}
	of->of.total += end > begin ? end - begin : 0;
}

void interrupt_sums_append_most(const struct keyed_sums *sums, uint32_t cpu,
                                const struct timeline *timeline, struct buffer *to)
{
	static const char *const words[INTERVAL_KIND_COUNT] = {
		[INTERVAL_IRQ] = "irq", [INTERVAL_SOFTIRQ] = "softirq", [INTERVAL_IPI] = "IPI",
		[INTERVAL_TIMER] = "timer",
	};
	const struct interrupt_sum *most =
		ORDER_MOST(it, (const struct interrupt_sum *)sums->element, sums->count,
	                   it->cpu == cpu, it->of.total);

	if (!most)
		return;
	buffer_puts(to, words[most->kind]);
	if (most->kind == INTERVAL_IRQ)
		buffer_printf(to, " %" PRId32, most->number);
	say(to, timeline, "[ {foreign}]",
	    WHEN(most->name, FOREIGN(intern_text(&timeline->names, most->name))));
}
