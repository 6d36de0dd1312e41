/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of interrupts: hard, soft, and between processors. */
#include "tracepoint.h"

#define SOFTIRQ(event, kind_, use_)                                                    \
	{                                                                              \
		.system = "irq", .name = event, .group = "irq", .use = use_,           \
		.kind = kind_, .field = {FIELD_NUMBER("vec", irq.number)},             \
	}
#define IPI(system_, event, group_, ...)                                               \
	{                                                                              \
		.system = system_, .name = event, .group = group_, .is_optional = true, \
		.use = "calls between CPUs as causes", .kind = __VA_ARGS__             \
	}
#define REASON                                                                         \
	FIELD_TEXT_IF_ANY("reason", ipi.reason), FIELD_NUMBER_IF_ANY("reason", ipi.address)

const struct tracepoint irq_tracepoints[] = {
	{
		.system = "irq", .name = "irq_handler_entry", .group = "irq",
		.use = "interrupts as causes, by number and name", .kind = EVENT_IRQ_ENTRY,
		.field = {
			FIELD_NUMBER("irq", irq.number),
			FIELD_TEXT_IF_ANY("name", irq.name),
		},
	},
	{
		.system = "irq", .name = "irq_handler_exit", .group = "irq",
		.use = "where an interrupt ends", .kind = EVENT_IRQ_EXIT,
		.field = {FIELD_NUMBER("irq", irq.number)},
	},
	SOFTIRQ("softirq_raise", EVENT_SOFTIRQ_RAISE, "delays of soft interrupts, sends over "
	                                              "loopback"),
	SOFTIRQ("softirq_entry", EVENT_SOFTIRQ_ENTRY, "soft interrupts as causes, RCU"),
	SOFTIRQ("softirq_exit", EVENT_SOFTIRQ_EXIT, "where a soft interrupt ends"),
	IPI("ipi", "ipi_entry", "irq", EVENT_IPI_ENTRY, .field = {REASON}),
	IPI("ipi", "ipi_exit", "irq", EVENT_IPI_EXIT),
	{
		.system = "ipi", .name = "ipi_raise", .group = "irq", .is_optional = true,
		.replaces = "sched:sched_waking",
		.use = "which CPU a queued wake-up came from", .kind = EVENT_IPI_RAISE,
		.field = {REASON, FIELD_TEXT_IF_ANY("target_cpus", ipi.targets),
		          FIELD_TEXT_IF_ANY("target_mask", ipi.mask)},
	},
	IPI("csd", "csd_function_entry", "irq", EVENT_CSD_ENTRY),
	IPI("csd", "csd_function_exit", "irq", EVENT_IPI_EXIT),
	/* x86, where csd events describe the relevant ones as well */
	IPI("irq_vectors", "call_function_entry", NULL, EVENT_IPI_ENTRY),
	IPI("irq_vectors", "call_function_exit", NULL, EVENT_IPI_EXIT),
	IPI("irq_vectors", "call_function_single_entry", NULL, EVENT_IPI_ENTRY),
	IPI("irq_vectors", "call_function_single_exit", NULL, EVENT_IPI_EXIT),
	IPI("irq_vectors", "reschedule_entry", "irq", EVENT_RESCHEDULE_ENTRY,
	    .replaces = "sched:sched_waking"),
	IPI("irq_vectors", "reschedule_exit", "irq", EVENT_IPI_EXIT,
	    .replaces = "sched:sched_waking"),
	{0},
};
