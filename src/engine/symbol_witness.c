/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol_witness.h"

#include "base/byte_order.h"
#include "decode/event_decoder.h"

struct witness {
	struct source *source;
	struct decoder *decoder;
	struct symbol_evidence *evidence;
	bool is_sleep; /* the record before this one says that a task goes to sleep */
};

/* Whether all is known that can be used. */
static bool witness_is_done(const struct witness *witness)
{
	return witness->evidence->function_count == FIT_FUNCTIONS_MAX &&
	       witness->evidence->sleep_count == FIT_SLEEPS_MAX;
}

static void witness_take_stack(struct witness *witness, const struct stack_event *stack)
{
	const struct source *source = witness->source;
	struct symbol_evidence *evidence = witness->evidence;
	bool is_swapped = source->is_big_endian != byte_order_is_big();
	const uint8_t *at = (const uint8_t *)stack->frames.at;
	size_t count = stack->frames.length / source->long_bytes;
	uint64_t *frame;

	if (!witness->is_sleep || evidence->sleep_count == FIT_SLEEPS_MAX)
		return;
	if (stack->count < count)
		count = (size_t)stack->count;
	if (count > SLEEP_FRAMES)
		count = SLEEP_FRAMES;
	frame = evidence->sleep[evidence->sleep_count];
	for (size_t i = 0; i < count; i++, at += source->long_bytes)
		frame[i] = source->long_bytes == 4 ? load_u32(at, is_swapped)
		                                   : load_u64(at, is_swapped);
	evidence->sleep_count += count > 0;
}

static void witness_take(struct witness *witness, const struct event *event)
{
	if (event->kind == EVENT_HRTIMER_START || event->kind == EVENT_HRTIMER_ENTRY ||
	    event->kind == EVENT_TIMER_START || event->kind == EVENT_TIMER_ENTRY)
		symbol_evidence_add(witness->evidence, event->timer.function);
	else if (event->kind == EVENT_WORK_QUEUE || event->kind == EVENT_WORK_START)
		symbol_evidence_add(witness->evidence, event->work.function);
	else if (event->kind == EVENT_STACK)
		witness_take_stack(witness, &event->stack);
	witness->is_sleep = event->kind == EVENT_SCHED_SWITCH;
}

static void witness_read_stream(struct witness *witness, size_t stream)
{
	uint32_t cpu = witness->source->streams[stream].cpu;
	struct record_batch batch;
	uint64_t events = 0;
	struct event event;

	witness->is_sleep = false;
	while (events < WITNESS_EVENTS_MAX && !witness_is_done(witness) &&
	       source_next_batch(witness->source, stream, &batch) == PULL_ITEM) {
		witness->is_sleep &= batch.lost_events == 0;
		events += batch.count;
		for (size_t i = 0; i < batch.count; i++) {
			if (decoder_decode(witness->decoder, &batch.records[i], cpu, &event) ==
			    DECODE_EVENT)
				witness_take(witness, &event);
			else
				witness->is_sleep = false;
		}
	}
}

/* Takes the begins of functions of the kernel itself, evenly spread. */
static void witness_read_symbols(struct witness *witness)
{
	struct symbols *symbols = symbols_new(witness->source);
	size_t count, step;

	symbols_leave_modules(symbols);
	count = symbols_function_count(symbols);
	step = count / FIT_FUNCTIONS_MAX + 1;
	for (size_t i = 0; i < count; i += step)
		symbol_evidence_add(witness->evidence, symbols_function_at(symbols, i));
	symbols_free(symbols);
}

void symbol_witness_read(struct source *source, struct symbol_evidence *ret)
{
	struct witness witness = {.source = source, .evidence = ret};

	*ret = (struct symbol_evidence){0};
	witness.decoder = decoder_new(source);
	for (size_t i = 0; i < source->stream_count; i++)
		if (!source_stream_has_stacks(source, i))
			witness_read_stream(&witness, i);
	witness_read_symbols(&witness);
	decoder_free(witness.decoder);
}
