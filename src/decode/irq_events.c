/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of interrupts: hard, soft, and between processors. */
#include "event_decoder.h"

#define SOFTIRQ(event, kind_)                                              \
	{                                                                  \
		.system = "irq", .name = event, .kind = kind_,             \
		.field = {FIELD_NUMBER("vec", irq.number)},                \
	}
/* The record of an interrupt between processors tells at most its reason. */
#define IPI(system_, event, kind_) {.system = system_, .name = event, .kind = kind_}

const struct decoder_row irq_event_rows[] = {
	{
		.system = "irq", .name = "irq_handler_entry", .kind = EVENT_IRQ_ENTRY,
		.field = {
			FIELD_NUMBER("irq", irq.number),
			FIELD_TEXT_IF_ANY("name", irq.name),
		},
	},
	{
		.system = "irq", .name = "irq_handler_exit", .kind = EVENT_IRQ_EXIT,
		.field = {FIELD_NUMBER("irq", irq.number)},
	},
	SOFTIRQ("softirq_raise", EVENT_SOFTIRQ_RAISE),
	SOFTIRQ("softirq_entry", EVENT_SOFTIRQ_ENTRY),
	SOFTIRQ("softirq_exit", EVENT_SOFTIRQ_EXIT),
	IPI("ipi", "ipi_entry", EVENT_IPI_ENTRY),
	IPI("ipi", "ipi_exit", EVENT_IPI_EXIT),
	IPI("irq_vectors", "call_function_entry", EVENT_IPI_ENTRY),
	IPI("irq_vectors", "call_function_exit", EVENT_IPI_EXIT),
	IPI("irq_vectors", "call_function_single_entry", EVENT_IPI_ENTRY),
	IPI("irq_vectors", "call_function_single_exit", EVENT_IPI_EXIT),
	IPI("irq_vectors", "reschedule_entry", EVENT_IPI_ENTRY),
	IPI("irq_vectors", "reschedule_exit", EVENT_IPI_EXIT),
	IPI("csd", "csd_function_entry", EVENT_IPI_ENTRY),
	IPI("csd", "csd_function_exit", EVENT_IPI_EXIT),
	{0},
};
