/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/symbol_line.h"

#define READ_BYTES (64u << 10)
/* A line of kallsyms longer than this is not one. */
#define LINE_BYTES 1024
/* What lies further behind the begin of the last function is none. */
#define FUNCTION_BYTES_MAX (1u << 18)
#define RANK_CLASS_SHIFT 8
#define RANK_OF_MARKS    2

struct symbol {
	uint64_t address;
	uint32_t name; /* offset in names */
	uint16_t rank; /* of several at one address the least is told */
	bool is_dotted;
};

/* Second names of functions: those who know the kernel's source look for the other one. */
static const char *const alias_prefixes[] = {
	"__se_",        "__do_sys_",     "__do_compat_sys_",
	"__ia32_",      "__s390_",       /* the entries of 32-bit programs */
	"SyS_",         "compat_SyS_",
	"__pi_",        "__kvm_nvhe_",   "__efistub_", /* of code that is linked twice */
};
static const char *const alias_names[] = {"init_module", "cleanup_module"};
/* Where a section begins or ends, if the name begins with "_", too. */
static const char *const mark_suffixes[] = {"_start", "_end", "_begin", "text", "_edata"};

struct symbols {
	struct source *source;
	bool is_read;
	bool is_in_long_line; /* its begin has been left out */
	struct symbol *symbol;
	size_t count, capacity;
	size_t dotted_count;
	bool keeps_objects;
	struct symbol *object; /* variables */
	size_t object_count, object_capacity;
	char *names;
	size_t names_bytes, names_capacity;
};

struct symbols *symbols_new(struct source *source)
{
	struct symbols *symbols = xcalloc(1, sizeof(*symbols));

	symbols->source = source;
	return symbols;
}

void symbols_keep_objects(struct symbols *symbols)
{
	symbols->keeps_objects = true;
}

struct symbols *symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return NULL;
	free(symbols->symbol);
	free(symbols->object);
	free(symbols->names);
	free(symbols);
	return NULL;
}

static bool has_prefix(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name), bytes = strlen(suffix);

	return length >= bytes && strcmp(name + length - bytes, suffix) == 0;
}

static bool is_section_mark(const char *name)
{
	for (size_t i = 0; name[0] == '_' && i < ARRAY_SIZE(mark_suffixes); i++) {
		if (has_suffix(name, mark_suffixes[i]))
			return true;
	}
	return false;
}

static bool is_alias(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(alias_prefixes); i++) {
		if (has_prefix(name, alias_prefixes[i]))
			return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(alias_names); i++) {
		if (strcmp(name, alias_names[i]) == 0)
			return true;
	}
	return false;
}

/* A function's own name before another one, before a mark; then global names, then local ones, then
   weak ones, which stand for many; then the fewest underscores before it. */
static uint16_t symbol_rank(const char *name, char type)
{
	static const char types[] = "TtWw";
	size_t underscores = strspn(name, "_");
	unsigned class = is_section_mark(name) ? RANK_OF_MARKS : is_alias(name) ? 1 : 0;
	unsigned order = (unsigned)(strchr(types, type) - types);

	underscores = underscores < 15 ? underscores : 15;
	return (uint16_t)(class << RANK_CLASS_SHIFT | order << 4 | underscores);
}

static char *symbols_add_name(struct symbols *symbols, const char *name, size_t length)
{
	char *added;

	if (symbols->names_bytes + length + 1 > symbols->names_capacity) {
		symbols->names_capacity = (symbols->names_capacity + LINE_BYTES) * 2;
		symbols->names = xrealloc(symbols->names, symbols->names_capacity);
	}
	added = symbols->names + symbols->names_bytes;
	memcpy(added, name, length);
	added[length] = '\0';
	symbols->names_bytes += length + 1;
	return added;
}

static void symbols_add_object(struct symbols *symbols, const struct symbol_line *line)
{
	struct symbol symbol = {.address = line->address, .name = (uint32_t)symbols->names_bytes};

	if (symbols->object_count >= SYMBOLS_MAX)
		return;
	(void)symbols_add_name(symbols, line->name, line->name_length);
	ARRAY_GROW(symbols->object, symbols->object_count, symbols->object_capacity);
	symbols->object[symbols->object_count++] = symbol;
}

static void symbols_add_function(struct symbols *symbols, const struct symbol_line *line)
{
	struct symbol symbol = {.address = line->address};

	if (symbols->count >= SYMBOLS_MAX)
		return;
	symbol.is_dotted = line->name[0] == '.' && line->name_length > 1;
	symbol.name = (uint32_t)symbols->names_bytes;
	symbol.rank = symbol_rank(symbols_add_name(symbols, line->name + symbol.is_dotted,
	                                           line->name_length - symbol.is_dotted),
	                          line->type);
	symbols->dotted_count += symbol.is_dotted;
	ARRAY_GROW(symbols->symbol, symbols->count, symbols->capacity);
	symbols->symbol[symbols->count++] = symbol;
}

static void symbols_add_line(struct symbols *symbols, const char *at, const char *end)
{
	unsigned kinds = SYMBOL_FUNCTION | (symbols->keeps_objects ? SYMBOL_OBJECT : 0);
	struct symbol_line line;

	if (end - at >= LINE_BYTES || !symbol_line_parse(at, end, kinds, &line))
		return;
	if (line.kind == SYMBOL_FUNCTION)
		symbols_add_function(symbols, &line);
	else
		symbols_add_object(symbols, &line);
}

static int symbol_compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name; /* stable: the first name wins */
}

/* ".name" is the entry of function "name" where all functions are so: on 64-bit PowerPC with the
   ELF ABI version 1. Elsewhere it is a label within one. */
static void symbols_drop_labels(struct symbols *symbols)
{
	size_t kept = 0;

	if (symbols->dotted_count > symbols->count / 2)
		return;
	for (size_t i = 0; i < symbols->count; i++) {
		if (!symbols->symbol[i].is_dotted)
			symbols->symbol[kept++] = symbols->symbol[i];
	}
	symbols->count = kept;
}

/* Adds the lines that end in the piece; returns the bytes of the one that does not, or 0 where
   that is too long already. */
static size_t symbols_add_lines(struct symbols *symbols, const char *at, const char *end)
{
	const char *newline;

	while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
		if (!symbols->is_in_long_line)
			symbols_add_line(symbols, at, newline);
		symbols->is_in_long_line = false;
		at = newline + 1;
	}
	symbols->is_in_long_line |= end - at >= LINE_BYTES;
	return symbols->is_in_long_line ? 0 : (size_t)(end - at);
}

static void symbols_read(struct symbols *symbols)
{
	_cleanup_(freep) char *piece = xmalloc(READ_BYTES + LINE_BYTES);
	uint64_t offset = 0;
	size_t kept = 0; /* bytes of an unfinished line at the begin of piece */
	int64_t got;

	symbols->is_read = true;
	while ((got = source_read_symbols(symbols->source, offset, piece + kept, READ_BYTES)) > 0) {
		const char *end = piece + kept + got;

		offset += (uint64_t)got;
		kept = symbols_add_lines(symbols, piece, end);
		memmove(piece, end - kept, kept);
	}
	symbols_drop_labels(symbols);
	if (symbols->count)
		qsort(symbols->symbol, symbols->count, sizeof(*symbols->symbol), symbol_compare);
	if (symbols->object_count)
		qsort(symbols->object, symbols->object_count, sizeof(*symbols->object),
		      symbol_compare);
}

static size_t count_below(const struct symbol *symbol, size_t count, uint64_t address)
{
	return array_lower_bound_u64(symbol, count, sizeof(*symbol), address);
}

/* How many symbols lie below the address. */
static size_t symbols_count_below(const struct symbols *symbols, uint64_t address)
{
	return count_below(symbols->symbol, symbols->count, address);
}

/* The best symbol of exactly that address. */
static const char *symbols_find_exact(const struct symbols *symbols, uint64_t address)
{
	size_t at = symbols_count_below(symbols, address);

	if (at == symbols->count || symbols->symbol[at].address != address)
		return NULL;
	return symbols->names + symbols->symbol[at].name;
}

const char *symbols_find(struct symbols *symbols, uint64_t address)
{
	const char *name;

	if (!symbols->is_read)
		symbols_read(symbols);
	name = symbols_find_exact(symbols, address);
	if (!name && (address & 1))
		name = symbols_find_exact(symbols, address & ~1ull);
	return name;
}

/*
 * Nothing is called from where only a mark stands. A function that begins right behind it was laid
 * on the stack by hand, to be returned to: ARM's entry does that with ret_fast_syscall.
 */
static const char *symbols_find_behind(const struct symbols *symbols, const struct symbol *symbol,
                                       uint64_t address)
{
	return symbol->rank >> RANK_CLASS_SHIFT < RANK_OF_MARKS
	               ? NULL
	               : symbols_find_exact(symbols, address + 1);
}

const char *symbols_find_within(struct symbols *symbols, uint64_t address)
{
	const struct symbol *symbol;
	const char *name;
	size_t at;

	if (!symbols->is_read)
		symbols_read(symbols);
	if (address == UINT64_MAX)
		return NULL;
	at = symbols_count_below(symbols, address + 1);
	if (at == 0)
		return NULL;
	symbol = &symbols->symbol[at - 1];
	/* of several at one address the best name, as symbols_find() says */
	while (at > 1 && symbols->symbol[at - 2].address == symbol->address)
		symbol = &symbols->symbol[--at - 1];
	name = symbols_find_behind(symbols, symbol, address);
	if (name)
		return name;
	return address - symbol->address < FUNCTION_BYTES_MAX ? symbols->names + symbol->name
	                                                      : NULL;
}

const char *symbols_find_object(struct symbols *symbols, uint64_t address)
{
	size_t at;

	if (!symbols->is_read)
		symbols_read(symbols);
	at = count_below(symbols->object, symbols->object_count, address);
	return at < symbols->object_count && symbols->object[at].address == address
	               ? symbols->names + symbols->object[at].name
	               : NULL;
}
