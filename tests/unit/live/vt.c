/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vt.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "base/xalloc.h"
#include "suites.h"

#define PARAMETERS_MAX 8

static void cells_fill(struct vt *vt, size_t from, size_t to, const char *text)
{
	for (size_t i = from; i < to; i++) {
		vt->cell[i] = (struct vt_cell){0};
		memcpy(vt->cell[i].text, text, strlen(text));
	}
}

struct vt vt_new(size_t rows, size_t columns)
{
	struct vt vt = {.rows = rows, .columns = columns, .is_behind = true};

	vt.cell = xcalloc(rows * columns, sizeof(*vt.cell));
	cells_fill(&vt, 0, rows * columns, "X");
	vt.pen.is_red = true;
	return vt;
}

void vt_release(struct vt *vt)
{
	free(vt->cell);
}

static void pen_set(struct vt *vt, unsigned parameter)
{
	if (parameter == 0)
		vt->pen = (struct vt_cell){0};
	else if (parameter == 1)
		vt->pen.is_bold = true;
	else if (parameter == 2)
		vt->pen.is_dim = true;
	else if (parameter == 7)
		vt->pen.is_reverse = true;
	else if (parameter == 31)
		vt->pen.is_red = true;
	else
		ck_abort_msg("SGR %u", parameter);
}

static void vt_obey(struct vt *vt, char final, const unsigned *parameter, size_t count)
{
	size_t first = count > 0 ? parameter[0] : 0;

	switch (final) {
	case 'H':
		ck_assert(count <= 2);
		vt->row = first > 1 ? first - 1 : 0;
		vt->column = count == 2 && parameter[1] > 1 ? parameter[1] - 1 : 0;
		vt->is_behind = false;
		break;
	case 'C':
		ck_assert(!vt->is_behind && count <= 1);
		vt->column += first > 1 ? first : 1;
		break;
	case 'K':
		ck_assert(!vt->is_behind && count == 0);
		ck_assert(!vt->pen.is_reverse); /* terminals differ in what they erase with */
		cells_fill(vt, vt->row * vt->columns + vt->column, (vt->row + 1) * vt->columns,
		           " ");
		break;
	case 'J':
		ck_assert(count == 1 && first == 2 && !vt->pen.is_reverse);
		cells_fill(vt, 0, vt->rows * vt->columns, " ");
		break;
	case 'm':
		for (size_t i = 0; i < count; i++)
			pen_set(vt, parameter[i]);
		if (count == 0)
			pen_set(vt, 0);
		break;
	default:
		ck_abort_msg("ESC [ %c", final);
	}
	ck_assert(vt->row < vt->rows && vt->column < vt->columns);
}

/* Reads what follows ESC; returns its length. */
static size_t sequence_obey(struct vt *vt, const char *bytes, size_t length)
{
	unsigned parameter[PARAMETERS_MAX] = {0};
	size_t at = 1, count = 0;

	ck_assert(length >= 2 && bytes[0] == '[');
	while (at < length && (bytes[at] == ';' || (bytes[at] >= '0' && bytes[at] <= '9'))) {
		if (count == 0)
			count = 1;
		if (bytes[at] == ';')
			count++;
		ck_assert(count <= PARAMETERS_MAX);
		if (bytes[at] != ';')
			parameter[count - 1] =
				parameter[count - 1] * 10 + (unsigned)(bytes[at] - '0');
		at++;
	}
	ck_assert(at < length);
	vt_obey(vt, bytes[at], parameter, count);
	return at + 1;
}

void vt_write(struct vt *vt, const char *bytes, size_t length)
{
	for (size_t at = 0; at < length;) {
		size_t count = utf8_sequence_bytes(bytes + at, length - at);
		struct vt_cell cell = vt->pen;

		if (bytes[at] == '\033') {
			at += 1 + sequence_obey(vt, bytes + at + 1, length - at - 1);
			continue;
		}
		ck_assert(count > 0 && (unsigned char)bytes[at] >= 0x20 && bytes[at] != 0x7f);
		ck_assert(!vt->is_behind);
		memcpy(cell.text, bytes + at, count);
		vt->cell[vt->row * vt->columns + vt->column] = cell;
		if (vt->column + 1 < vt->columns)
			vt->column++;
		else
			vt->is_behind = true;
		at += count;
	}
}

const char *vt_row(const struct vt *vt, size_t row)
{
	static char text[500 * 4 + 1];
	size_t length = 0;

	ck_assert_uint_lt(row, vt->rows);
	for (size_t i = 0; i < vt->columns; i++) {
		const char *cell = vt->cell[row * vt->columns + i].text;

		memcpy(text + length, cell, strlen(cell));
		length += strlen(cell);
	}
	while (length > 0 && text[length - 1] == ' ')
		length--;
	text[length] = '\0';
	return text;
}

bool vt_equal(const struct vt *a, const struct vt *b)
{
	return a->rows == b->rows && a->columns == b->columns &&
	       memcmp(a->cell, b->cell, a->rows * a->columns * sizeof(*a->cell)) == 0;
}
