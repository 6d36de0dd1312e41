/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "keys.h"

#include <string.h>

#include "base/data/array.h"

#define ESC 0x1b

/* Keys by what follows ESC [. */
static const struct {
	const char *sequence;
	int key;
} control_keys[] = {
	{"A", KEY_UP}, {"B", KEY_DOWN}, {"C", KEY_RIGHT}, {"D", KEY_LEFT},
	{"H", KEY_HOME}, {"1~", KEY_HOME}, {"7~", KEY_HOME},
	{"F", KEY_END}, {"4~", KEY_END}, {"8~", KEY_END},
	{"3~", KEY_DELETE}, {"5~", KEY_PAGE_UP}, {"6~", KEY_PAGE_DOWN},
	{"11~", KEY_F1}, {"21~", KEY_F10},
};

/* Keys by the byte behind ESC O: cursor keys and the keypad in application mode, PF1. */
static const struct {
	char byte;
	int key;
} shift_keys[] = {
	{'A', KEY_UP}, {'B', KEY_DOWN}, {'C', KEY_RIGHT}, {'D', KEY_LEFT},
	{'H', KEY_HOME}, {'F', KEY_END}, {'P', KEY_F1}, {'M', KEY_ENTER},
};

static int plain_key(unsigned char byte)
{
	switch (byte) {
	case '\r':
	case '\n':
		return KEY_ENTER;
	case '\b':
	case 0x7f:
		return KEY_BACKSPACE;
	case 'C' - '@':
		return KEY_CTRL_C;
	case 'L' - '@':
		return KEY_CTRL_L;
	default:
		return byte >= 0x20 && byte < 0x7f ? byte : KEY_NONE;
	}
}

static void escape_begin(struct key_decoder *decoder)
{
	decoder->state = KEYS_ESCAPE;
	decoder->length = 0;
}

/* A second ESC begins anew; any other byte is a key together with Alt. */
static int escape_go_on(struct key_decoder *decoder, unsigned char byte)
{
	decoder->state = KEYS_PLAIN;
	if (byte == ESC)
		escape_begin(decoder);
	else if (byte == '[')
		decoder->state = KEYS_CONTROL;
	else if (byte == 'O')
		decoder->state = KEYS_SHIFT;
	else if (byte == 'P' || byte == ']' || byte == 'X' || byte == '^' || byte == '_')
		decoder->state = KEYS_STRING;
	return KEY_NONE;
}

static int control_end(struct key_decoder *decoder)
{
	decoder->state = KEYS_PLAIN;
	if (decoder->length > sizeof(decoder->sequence))
		return KEY_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(control_keys); i++)
		if (strlen(control_keys[i].sequence) == decoder->length &&
		    memcmp(control_keys[i].sequence, decoder->sequence, decoder->length) == 0)
			return control_keys[i].key;
	return KEY_NONE;
}

/* A control character ends a sequence early, and counts itself. */
static int cut_short(struct key_decoder *decoder, unsigned char byte)
{
	decoder->state = KEYS_PLAIN;
	if (byte != ESC)
		return plain_key(byte);
	escape_begin(decoder);
	return KEY_NONE;
}

static int control_go_on(struct key_decoder *decoder, unsigned char byte)
{
	if (byte < 0x20)
		return cut_short(decoder, byte);
	if (decoder->length == 0 && byte == '[') {
		decoder->state = KEYS_LINUX;
		return KEY_NONE;
	}
	if (decoder->length < sizeof(decoder->sequence))
		decoder->sequence[decoder->length] = (char)byte;
	decoder->length++;
	return byte >= 0x40 && byte < 0x7f ? control_end(decoder) : KEY_NONE;
}

static int linux_end(struct key_decoder *decoder, unsigned char byte)
{
	if (byte < 0x20)
		return cut_short(decoder, byte);
	decoder->state = KEYS_PLAIN;
	return byte == 'A' ? KEY_F1 : KEY_NONE;
}

static int shift_end(struct key_decoder *decoder, unsigned char byte)
{
	if (byte < 0x20)
		return cut_short(decoder, byte);
	decoder->state = KEYS_PLAIN;
	for (size_t i = 0; i < ARRAY_SIZE(shift_keys); i++)
		if ((unsigned char)shift_keys[i].byte == byte)
			return shift_keys[i].key;
	return KEY_NONE;
}

/* The backslash behind the ESC that ends a string is dropped as a key together with Alt. */
static int string_go_on(struct key_decoder *decoder, unsigned char byte)
{
	if (byte == ESC)
		escape_begin(decoder);
	else if (byte == '\a' || ++decoder->length > KEY_STRING_MAX)
		decoder->state = KEYS_PLAIN;
	return KEY_NONE;
}

int key_decode(struct key_decoder *decoder, unsigned char byte)
{
	switch (decoder->state) {
	case KEYS_ESCAPE:
		return escape_go_on(decoder, byte);
	case KEYS_CONTROL:
		return control_go_on(decoder, byte);
	case KEYS_LINUX:
		return linux_end(decoder, byte);
	case KEYS_SHIFT:
		return shift_end(decoder, byte);
	case KEYS_STRING:
		return string_go_on(decoder, byte);
	case KEYS_PLAIN:
		break;
	}
	if (byte != ESC)
		return plain_key(byte);
	escape_begin(decoder);
	return KEY_NONE;
}

bool key_is_pending(const struct key_decoder *decoder)
{
	return decoder->state == KEYS_ESCAPE || decoder->state == KEYS_STRING;
}

/* The rest of a sequence that has begun may still come, however late: it is no key. */
int key_timeout(struct key_decoder *decoder)
{
	bool is_escape = decoder->state == KEYS_ESCAPE;

	if (key_is_pending(decoder))
		decoder->state = KEYS_PLAIN;
	return is_escape ? KEY_ESCAPE : KEY_NONE;
}
