/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vt_screen.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"

#define PARAMETERS_MAX 16

static size_t clamp(size_t size, size_t max)
{
	return size < 1 ? 1 : size > max ? max : size;
}

static void cells_fill(struct vt_screen *vt, size_t row, size_t from, size_t to, const char *text)
{
	for (size_t i = from; i < to; i++) {
		vt->cell[row][i] = (struct vt_cell){0};
		memcpy(vt->cell[row][i].text, text, strlen(text));
	}
}

static void all_fill(struct vt_screen *vt, const char *text)
{
	for (size_t row = 0; row < vt->rows; row++)
		cells_fill(vt, row, 0, vt->columns, text);
}

void vt_begin(struct vt_screen *vt, size_t rows, size_t columns)
{
	*vt = (struct vt_screen){0};
	vt->rows = clamp(rows, VT_ROWS_MAX);
	vt->columns = clamp(columns, VT_COLUMNS_MAX);
	all_fill(vt, " ");
}

/* Some terminals keep what they show, some break lines anew, some cut them. */
void vt_resize(struct vt_screen *vt, size_t rows, size_t columns)
{
	vt->rows = clamp(rows, VT_ROWS_MAX);
	vt->columns = clamp(columns, VT_COLUMNS_MAX);
	vt->row = vt->row < vt->rows ? vt->row : vt->rows - 1;
	vt->column = vt->column < vt->columns ? vt->column : vt->columns - 1;
	vt->is_behind = vt->is_main_known = false;
	all_fill(vt, VT_UNKNOWN);
}

static void unknown_note(struct vt_screen *vt, const char *bytes, size_t length)
{
	size_t at = 0;

	if (vt->unknown++ > 0)
		return;
	for (size_t i = 0; i < length && at + 5 < sizeof(vt->unknown_text); i++) {
		unsigned char byte = (unsigned char)bytes[i];

		if (byte > 0x20 && byte < 0x7f)
			vt->unknown_text[at++] = (char)byte;
		else
			at += (size_t)snprintf(vt->unknown_text + at, 5, "\\x%02x", byte);
	}
	vt->unknown_text[at] = '\0';
}

static void line_feed(struct vt_screen *vt)
{
	vt->is_behind = false;
	if (vt->row + 1 < vt->rows) {
		vt->row++;
		return;
	}
	memmove(vt->cell[0], vt->cell[1], (vt->rows - 1) * sizeof(vt->cell[0]));
	cells_fill(vt, vt->rows - 1, 0, vt->columns, " ");
}

static void cursor_move(struct vt_screen *vt, size_t row, size_t column)
{
	if (row >= vt->rows || column >= vt->columns)
		vt->strays++;
	vt->row = row < vt->rows ? row : vt->rows - 1;
	vt->column = column < vt->columns ? column : vt->columns - 1;
	vt->is_behind = false;
}

static void pen_set(struct vt_screen *vt, const unsigned *parameter, size_t count)
{
	if (count == 0)
		vt->is_reverse = false;
	for (size_t i = 0; i < count; i++)
		if (parameter[i] == 0 || parameter[i] == 7)
			vt->is_reverse = parameter[i] == 7;
}

static void screen_change(struct vt_screen *vt, bool is_alternate)
{
	if (vt->is_alternate == is_alternate)
		return;
	vt->is_alternate = is_alternate;
	if (is_alternate)
		memcpy(vt->main_cell, vt->cell, sizeof(vt->cell));
	if (!is_alternate && vt->is_main_known)
		memcpy(vt->cell, vt->main_cell, sizeof(vt->cell));
	else
		all_fill(vt, VT_UNKNOWN);
	vt->is_main_known = is_alternate;
}

/* False: it is not known. */
static bool mode_set(struct vt_screen *vt, unsigned mode, bool is_on)
{
	switch (mode) {
	case 7:
		vt->is_without_wrap = !is_on;
		return true;
	case 25:
		vt->is_cursor_hidden = !is_on;
		return true;
	case 1049:
		screen_change(vt, is_on);
		return true;
	default:
		return false;
	}
}

static bool sequence_obey(struct vt_screen *vt, bool is_private, const unsigned *parameter,
                          size_t count, char final)
{
	size_t first = count > 0 && parameter[0] > 0 ? parameter[0] : 1;
	size_t second = count > 1 && parameter[1] > 0 ? parameter[1] : 1;

	if (is_private)
		return count == 1 && (final == 'h' || final == 'l') &&
		       mode_set(vt, parameter[0], final == 'h');
	switch (final) {
	case 'H':
		/* the programs go below all by a large number */
		if (first == 999)
			first = vt->rows;
		cursor_move(vt, first - 1, second - 1);
		return count <= 2;
	case 'C':
		/* where the cursor is behind the last column is up to the terminal */
		vt->strays += vt->is_behind;
		cursor_move(vt, vt->row, vt->column + first);
		return count <= 1;
	case 'K':
		vt->strays += vt->is_behind || vt->is_reverse;
		cells_fill(vt, vt->row, vt->column, vt->columns, " ");
		return count == 0;
	case 'J':
		all_fill(vt, " ");
		vt->overprints = vt->strays = 0;
		return count == 1 && parameter[0] == 2;
	case 'm':
		pen_set(vt, parameter, count);
		return true;
	default:
		return false;
	}
}

/* The length of the sequence behind ESC; 0: it has not ended. */
static size_t sequence_take(struct vt_screen *vt, const char *bytes, size_t length)
{
	unsigned parameter[PARAMETERS_MAX] = {0};
	size_t at = 1, count = 0;
	bool is_private;

	if (length > 0 && bytes[0] != '[') {
		unknown_note(vt, bytes, 1);
		return 1;
	}
	is_private = length > 1 && bytes[1] == '?';
	at += is_private;
	for (; at < length && (bytes[at] == ';' || (bytes[at] >= '0' && bytes[at] <= '9')); at++) {
		if (count == 0)
			count = 1;
		if (bytes[at] == ';' && count < PARAMETERS_MAX)
			count++;
		else if (bytes[at] != ';')
			parameter[count - 1] =
				parameter[count - 1] * 10 + (unsigned)(bytes[at] - '0');
	}
	if (at >= length && length < VT_SEQUENCE_MAX - 1)
		return 0;
	if (at >= length || !sequence_obey(vt, is_private, parameter, count, bytes[at]))
		unknown_note(vt, bytes, at < length ? at + 1 : length);
	return at < length ? at + 1 : length;
}

/* A character of two columns is in the first of its cells. */
static void character_put(struct vt_screen *vt, const char *text, size_t length, size_t columns)
{
	struct vt_cell *cell;

	if (columns == 2 && vt->column + 1 == vt->columns)
		vt->is_behind = true;

	if (vt->is_behind && vt->is_without_wrap) {
		vt->overprints++;
	} else if (vt->is_behind) {
		vt->column = 0;
		line_feed(vt);
	}
	cell = &vt->cell[vt->row][vt->column];
	*cell = (struct vt_cell){.is_marked = vt->is_reverse};
	memcpy(cell->text, text, length);
	if (columns == 2 && vt->column + 1 < vt->columns)
		vt->cell[vt->row][++vt->column] = (struct vt_cell){0};
	if (vt->column + 1 < vt->columns)
		vt->column++;
	else
		vt->is_behind = true;
}

/* Bytes of the character that begins there, 0: it has not ended. */
static size_t character_take(struct vt_screen *vt, const char *bytes, size_t length)
{
	unsigned char first = (unsigned char)*bytes;
	size_t expected = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	size_t count, columns;
	char text[5] = "";

	if (first == '\r') {
		vt->column = 0;
		vt->is_behind = false;
		return 1;
	}
	if (first == '\n') {
		line_feed(vt);
		return 1;
	}
	if (length < expected)
		return 0;
	count = utf8_sequence_bytes(bytes, length);
	if (count > 0)
		memcpy(text, bytes, count);
	columns = utf8_columns(text);
	/* terminals differ in how wide they show some characters: no screen may rely on that */
	if (count == 0 || first < 0x20 || first == 0x7f || (vt->is_alternate && columns != 1))
		unknown_note(vt, bytes, count ? count : 1);
	else if (columns > 0)
		character_put(vt, bytes, count, columns);
	return count ? count : 1;
}

void vt_write(struct vt_screen *vt, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		size_t taken;

		vt->pending[vt->pending_length++] = bytes[i];
		if (vt->pending[0] != '\033')
			taken = character_take(vt, vt->pending, vt->pending_length);
		else
			taken = vt->pending_length > 1
			                ? sequence_take(vt, vt->pending + 1, vt->pending_length - 1)
			                : 0;
		if (taken > 0)
			vt->pending_length = 0;
	}
}

const char *vt_row_text(const struct vt_screen *vt, size_t row)
{
	static char text[VT_COLUMNS_MAX * 4 + 1];
	size_t length = 0;

	for (size_t i = 0; row < vt->rows && i < vt->columns; i++) {
		const char *cell = vt->cell[row][i].text;

		memcpy(text + length, cell, strlen(cell));
		length += strlen(cell);
	}
	while (length > 0 && text[length - 1] == ' ')
		length--;
	text[length] = '\0';
	return text;
}

bool vt_is_clean(const struct vt_screen *vt)
{
	for (size_t row = 0; row < vt->rows; row++)
		for (size_t i = 0; i < vt->columns; i++)
			if (strcmp(vt->cell[row][i].text, VT_UNKNOWN) == 0)
				return false;
	return vt->overprints == 0 && vt->strays == 0 && vt->unknown == 0;
}

size_t vt_marked_rows(const struct vt_screen *vt)
{
	size_t count = 0;

	for (size_t row = 0; row < vt->rows; row++) {
		bool is_marked = false;

		for (size_t i = 0; i < vt->columns; i++)
			is_marked |= vt->cell[row][i].is_marked;
		count += is_marked;
	}
	return count;
}
