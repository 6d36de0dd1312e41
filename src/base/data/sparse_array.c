/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sparse_array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

void sparse_array_init(struct sparse_array *array, size_t object_bytes)
{
	*array = (struct sparse_array){
		.object_bytes = sizeof(struct sparse_head) + ((object_bytes + 7) & ~(size_t)7),
	};
}

void sparse_array_release(struct sparse_array *array)
{
	for (size_t i = 0; i < array->chunk_count; i++)
		free(array->chunk[i]);
	free(array->chunk);
	free(array->object_of);
	*array = (struct sparse_array){0};
}

static void array_reach(struct sparse_array *array, uint32_t number)
{
	size_t count = array->number_count ? array->number_count : SPARSE_CHUNK;

	if (number < array->number_count)
		return;
	while (count <= number)
		count *= 2;
	/* NOLINTNEXTLINE: pointers are meant */
	array->object_of = xreallocarray(array->object_of, count, sizeof(*array->object_of));
	for (size_t i = array->number_count; i < count; i++)
		array->object_of[i] = NULL;
	array->number_count = count;
}

static uint32_t array_new_place(struct sparse_array *array)
{
	uint32_t place = array->first_free;

	if (place) {
		array->first_free = sparse_array_head(array, place - 1)->place;
		return place - 1;
	}
	if (array->place_count == array->chunk_count * SPARSE_CHUNK) {
		/* NOLINTNEXTLINE: pointers are meant */
		ARRAY_ADD(array->chunk, array->chunk_count, array->chunk_capacity) =
			xreallocarray(NULL, SPARSE_CHUNK, array->object_bytes);
	}
	return array->place_count++;
}

void *sparse_array_get(struct sparse_array *array, uint32_t number)
{
	void *object = sparse_array_find(array, number);
	struct sparse_head *head;
	uint32_t place;

	assert(number < SPARSE_FREE);
	if (object)
		return object;
	array_reach(array, number);
	place = array_new_place(array);
	head = sparse_array_head(array, place);
	memset(head, 0, array->object_bytes);
	head->number = number;
	head->place = place + 1;
	array->object_of[number] = head + 1;
	array->count++;
	return head + 1;
}

void sparse_array_drop(struct sparse_array *array, uint32_t number)
{
	void *object = sparse_array_find(array, number);
	struct sparse_head *head;
	uint32_t place;

	if (!object)
		return;
	head = (struct sparse_head *)object - 1;
	place = head->place;
	head->number = SPARSE_FREE;
	head->place = array->first_free;
	array->first_free = place;
	array->object_of[number] = NULL;
	array->count--;
}
