/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the fields of an event that hold addresses of kernel functions, by the text of its format
 * file: arguments that its print format shows by %ps, %pS, %pf, %pF or %pB, and fields named
 * location, which older kernels show by %p. An array of addresses ends with the record, whatever
 * size the format claims (kernel_stack claims 8 and has more). The address of a contended lock,
 * shown as a number, may be that of a variable. Addresses in user_stack are not the kernel's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct function_field {
	uint32_t id;     /* of the event */
	uint32_t offset; /* in the record, bytes */
	uint32_t size;   /* bytes; 0: from the offset to the end of the record */
	bool is_object;  /* may be the address of a named variable */
};

/*
 * Finds the field of that name in the text of a format, which ends with NUL: its offset and size;
 * the size is 0 for an array. False if there is none.
 */
bool function_fields_named(const char *format, const char *name, struct function_field *ret);
/* Calls `on_field` for each such field; for none if the text is malformed. */
void function_fields_find(const char *format, size_t length,
                          void (*on_field)(void *state, const struct function_field *field),
                          void *state);
