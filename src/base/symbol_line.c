/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol_line.h"

#include <string.h>

#include "array.h"

#define ADDRESS_DIGITS_MAX 16

/* What the kernel's build puts before every symbol of code that is linked twice. */
static const char *const copy_prefixes[] = {"__pi_", "__kvm_nvhe_", "__efistub_"};

static const char *const noise_prefixes[] = {
	"$",            /* marks of ARM and RISC-V: "$a", "$d.7", "$xrv64i2p1" (ELF for the Arm
	                   architecture, "Mapping symbols") */
	".L",           /* local labels, which RISC-V keeps, because its linker moves code */
	"__pfx_",       /* padding before a function of x86 that is traced; */
	"__cfi_",       /* the same with the function's type in it */
	"__UNIQUE_ID_", /* variables of macros */
};

static bool symbol_line_take_address(const char **at, const char *end, uint64_t *ret)
{
	const char *begin = *at;
	uint64_t value = 0;

	for (; *at < end; (*at)++) {
		char c = **at;

		if (c >= '0' && c <= '9')
			value = value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	*ret = value;
	return *at != begin && *at - begin <= ADDRESS_DIGITS_MAX;
}

bool symbol_line_parse(const char *line, const char *end, struct symbol_line *ret)
{
	struct symbol_line parsed = {.end = end};
	const char *at = line;

	if (!symbol_line_take_address(&at, end, &parsed.address) || end - at < 4 || at[0] != ' ' ||
	    at[2] != ' ')
		return false;
	parsed.type = at[1];
	parsed.name = at + 3;
	for (at = parsed.name; at < end && *at != '\t' && *at != ' '; at++)
		;
	parsed.name_length = (size_t)(at - parsed.name);
	if (parsed.name_length == 0)
		return false;
	*ret = parsed;
	return true;
}

static bool has_prefix(const char *name, size_t length, const char *prefix)
{
	size_t bytes = strlen(prefix);

	return length >= bytes && memcmp(name, prefix, bytes) == 0;
}

/* "L0\001": a numbered label of an assembler whose local labels have no dot (LoongArch). */
static bool is_numbered_label(const char *name, size_t length)
{
	size_t digits = 1;

	if (name[0] != 'L')
		return false;
	while (digits < length && name[digits] >= '0' && name[digits] <= '9')
		digits++;
	return digits > 1 && (digits == length || name[digits] < ' ');
}

static bool is_noise(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(noise_prefixes); i++) {
		if (has_prefix(name, length, noise_prefixes[i]))
			return true;
	}
	return is_numbered_label(name, length);
}

bool symbol_line_is_function(const struct symbol_line *line)
{
	const char *name = line->name;
	size_t length = line->name_length;

	if (line->address == 0 || line->type == '\0' || !strchr("tTwW", line->type))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(copy_prefixes); i++) {
		size_t bytes = strlen(copy_prefixes[i]);

		if (length > bytes && has_prefix(name, length, copy_prefixes[i])) {
			name += bytes;
			length -= bytes;
		}
	}
	return !is_noise(name, length);
}

bool symbol_line_is_object(const struct symbol_line *line)
{
	return line->address > 0 && line->type && strchr("dDbB", line->type) &&
	       !is_noise(line->name, line->name_length);
}
