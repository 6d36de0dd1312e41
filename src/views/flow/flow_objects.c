/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flow_objects.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "graph/timeline/timeline_tasks.h"
#include "words/task_words.h"

void flow_objects_release(struct flow_objects *objects)
{
	free(objects->disk.item);
	free(objects->other.item);
}

static nsec_t item_length(const struct flow_item *item)
{
	return item->end - item->begin;
}

static int length_compare(const void *a, const void *b)
{
	nsec_t x = *(const nsec_t *)a, y = *(const nsec_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

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
	ARRAY_GROW(heap->item, heap->count, heap->capacity);
	heap->item[heap->count++] = *item;
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

static int item_compare(const void *a, const void *b)
{
	const struct flow_item *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

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
	const struct host_cpu cpu = hosts_cpu(&timeline->hosts, (uint32_t)item->number);
	struct flow_row row = {.kind = "work", .machine = item_machine(item, timeline)};

	buffer_clear(label);
	if (item->kind == INTERVAL_DISK) {
		row.kind = "disk";
		buffer_printf(label, "disk %s",
		              TIMELINE_DEVICE_TEXT(timeline, (uint32_t)item->number));
	} else if (item->kind == INTERVAL_IRQ) {
		row.kind = "irq";
		buffer_puts(label, "interrupts of CPU ");
		cpu_append(label, &cpu);
	} else if (item->kind == INTERVAL_SOFTIRQ) {
		row.kind = "softirq";
		buffer_puts(label, "soft interrupts of CPU ");
		cpu_append(label, &cpu);
	} else {
		buffer_puts(label, "work items");
		if (timeline->hosts.count)
			buffer_printf(label, " of %s", timeline->hosts.host[item->number].name);
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
