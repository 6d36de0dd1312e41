/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol_line.h"

#include <string.h>

#include "base/byte_order.h"

#define ADDRESS_DIGITS_MAX 16
/* The position of the type behind a 64-bit address. */
#define TYPE_AT_64 (ADDRESS_DIGITS_MAX + 1)
/* The same byte, eight times. */
#define BYTES(byte) (UINT64_C(0x0101010101010101) * (byte))

/* enum symbol_kind by the type's letter, as in nm(1); 0: neither kind. */
static const uint8_t kind_of_type[UINT8_MAX + 1] = {
	['t'] = SYMBOL_FUNCTION, ['T'] = SYMBOL_FUNCTION, ['w'] = SYMBOL_FUNCTION,
	['W'] = SYMBOL_FUNCTION, ['b'] = SYMBOL_OBJECT,   ['B'] = SYMBOL_OBJECT,
	['d'] = SYMBOL_OBJECT,   ['D'] = SYMBOL_OBJECT,
};

static uint64_t load_8(const char *from)
{
	return load_u64((const uint8_t *)from, /* is_swapped= */ byte_order_is_big());
}

/* Takes eight hexadecimal digits at once, one in each byte. Bit 6 marks letters. The result is
   converted back to find bytes that are no digits: only values from 10 on become letters again. */
static inline bool take_8_digits(const char *from, uint64_t *value)
{
	uint64_t text = load_8(from);
	uint64_t digits = (text & BYTES(0x0f)) + (text >> 6 & BYTES(1)) * 9;
	uint64_t letters = (digits + BYTES(0x80 - 10)) >> 7 & BYTES(1);

	if ((digits & BYTES(0xf0)) || digits + BYTES('0') + letters * ('a' - 10 - '0') != text)
		return false;
	digits = (digits << 4 | digits >> 8) & UINT64_C(0x00ff00ff00ff00ff);
	digits = (digits << 8 | digits >> 16) & UINT64_C(0x0000ffff0000ffff);
	digits = (digits << 16 | digits >> 32) & UINT64_C(0xffffffff);
	*value = *value << 32 | digits;
	return true;
}

static bool take_address(const char **line, const char *end, uint64_t *ret)
{
	const char *at = *line;
	uint64_t value = 0;

	if (end - at >= ADDRESS_DIGITS_MAX && take_8_digits(at, &value)) {
		at += 8;
		if (take_8_digits(at, &value))
			at += 8;
	}
	for (; at < end; at++) {
		if (*at >= '0' && *at <= '9')
			value = value << 4 | (uint64_t)(*at - '0');
		else if (*at >= 'a' && *at <= 'f')
			value = value << 4 | (uint64_t)(*at - 'a' + 10);
		else
			break;
	}
	*ret = value;
	value = (uint64_t)(at - *line);
	*line = at;
	return value > 0 && value <= ADDRESS_DIGITS_MAX;
}

/* Sets bit 7 of each byte that is 0. Above the lowest such byte, bit 7 of other bytes may be set,
   too. */
static uint64_t zero_bytes(uint64_t word)
{
	return (word - BYTES(1)) & ~word & BYTES(0x80);
}

static uint64_t blank_bytes(uint64_t word)
{
	return zero_bytes(word ^ BYTES(' ')) | zero_bytes(word ^ BYTES('\t'));
}

/* Where the name ends: at a blank, a tab, or the end of the line. */
static const char *name_end(const char *at, const char *end)
{
	for (; end - at >= 8; at += 8) {
		uint64_t found = blank_bytes(load_8(at));

		if (found)
			return at + __builtin_ctzll(found) / 8;
	}
	while (at < end && *at != '\t' && *at != ' ')
		at++;
	return at;
}

static inline bool has_prefix(const char *name, size_t length, const char *prefix)
{
	size_t bytes = strlen(prefix);

	return length >= bytes && memcmp(name, prefix, bytes) == 0;
}

/* "L0\001": a numbered label of an assembler whose local labels have no dot (LoongArch). */
static bool is_numbered_label(const char *name, size_t length)
{
	size_t digits = 1;

	while (digits < length && name[digits] >= '0' && name[digits] <= '9')
		digits++;
	return digits > 1 && (digits == length || name[digits] < ' ');
}

static bool is_noise(const char *name, size_t length)
{
	switch (name[0]) {
	case '$': /* marks of ARM and RISC-V: "$a", "$d.7", "$xrv64i2p1" (ELF for the Arm
	             architecture, "Mapping symbols") */
		return true;
	case '.': /* local labels, which RISC-V keeps, because its linker moves code */
		return has_prefix(name, length, ".L");
	case '_':
		return has_prefix(name, length, "__pfx_") || /* padding before a function of x86
		                                                that is traced; */
		       has_prefix(name, length, "__cfi_") || /* the same with the function's type
		                                                in it */
		       has_prefix(name, length, "__UNIQUE_ID_"); /* variables of macros */
	case 'L':
		return is_numbered_label(name, length);
	default:
		return false;
	}
}

/* Never leaves an empty name. */
static inline void skip_prefix(const char **name, size_t *length, const char *prefix)
{
	size_t bytes = strlen(prefix);

	if (*length > bytes && has_prefix(*name, *length, prefix)) {
		*name += bytes;
		*length -= bytes;
	}
}

static bool is_noise_of_code(const char *name, size_t length)
{
	/* prefixes that the kernel's build gives to symbols of code linked twice */
	if (name[0] == '_') {
		skip_prefix(&name, &length, "__pi_");
		skip_prefix(&name, &length, "__kvm_nvhe_");
		skip_prefix(&name, &length, "__efistub_");
	}
	return is_noise(name, length);
}

/* Whether it is a line of a 64-bit machine with a type that is not requested, as half of all lines
   are. */
static inline bool is_of_other_type(const char *line, const char *end, unsigned kinds)
{
	uint64_t blanks;

	if (end - line <= TYPE_AT_64 || (kind_of_type[(uint8_t)line[TYPE_AT_64]] & kinds))
		return false;
	blanks = blank_bytes(load_8(line)) | blank_bytes(load_8(line + 8));
	return blanks == 0 && line[TYPE_AT_64 - 1] == ' ';
}

static bool line_parse(const char *line, const char *end, unsigned kinds, struct symbol_line *ret)
{
	const char *at = line, *name;
	uint64_t address;
	unsigned kind;
	size_t length;

	if (!take_address(&at, end, &address) || end - at < 4 || at[0] != ' ' || at[2] != ' ')
		return false;
	kind = kind_of_type[(uint8_t)at[1]];
	if (!(kind & kinds) || address == 0)
		return false;
	name = at + 3;
	length = (size_t)(name_end(name, end) - name);
	if (length == 0 || (kind == SYMBOL_FUNCTION ? is_noise_of_code(name, length)
	                                            : is_noise(name, length)))
		return false;
	*ret = (struct symbol_line){
		.address = address,
		.kind = (enum symbol_kind)kind,
		.type = at[1],
		.name = name,
		.name_length = length,
		.end = end,
	};
	return true;
}

bool symbol_line_parse(const char *line, const char *end, unsigned kinds, struct symbol_line *ret)
{
	return !is_of_other_type(line, end, kinds) && line_parse(line, end, kinds, ret);
}
