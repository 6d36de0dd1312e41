/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A terminal for tests: it obeys what live/screen.h may send, and fails the test on all else, also
   on a character behind the last column. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct vt_cell {
	char text[5]; /* one character of UTF-8 */
	bool is_bold, is_dim, is_reverse, is_red;
};

struct vt {
	size_t rows, columns;
	struct vt_cell *cell;
	size_t row, column;
	bool is_behind; /* the last column was written: terminals differ in where it is */
	struct vt_cell pen;
};

/* It shows garbage, as a terminal may. */
struct vt vt_new(size_t rows, size_t columns);
void vt_release(struct vt *vt);
void vt_write(struct vt *vt, const char *bytes, size_t length);
/* The text of a row without blanks at its end. Valid until the next call. */
const char *vt_row(const struct vt *vt, size_t row);
bool vt_equal(const struct vt *a, const struct vt *b);
