/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbols.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "words/symbol_line.h"

#define READ_BYTES (64u << 10)
/* Longer lines of kallsyms are ignored. */
#define LINE_BYTES 1024
/* Distance from the begin of the last function beyond which an address is in none. */
#define FUNCTION_BYTES_MAX (1u << 18)

struct symbol {
	uint64_t address;
	uint32_t name; /* offset in names */
	char type;
	bool is_dotted;
};

/* All symbols of one kind; sorted by address when all are read. */
struct symbol_list {
	struct symbol *symbol;
	size_t count, capacity;
	size_t dotted_count;
	char *names;
	size_t names_bytes, names_capacity;
};

/* Prefixes of aliases of functions: readers of the kernel's source look for the other name. */
static const char *const alias_prefixes[] = {
	"__se_",        "__do_sys_",     "__do_compat_sys_",
	"__ia32_",      "__s390_",       /* the entries of 32-bit programs */
	"SyS_",         "compat_SyS_",
	"__pi_",        "__kvm_nvhe_",   "__efistub_", /* of code that is linked twice */
};
static const char *const alias_names[] = {"init_module", "cleanup_module"};
/* Ends of names, beginning with "_", that mark where a section begins or ends. */
static const char *const mark_suffixes[] = {"_start", "_end", "_begin", "text", "_edata"};

struct symbols {
	struct source *source; /* NULL: a text is read instead */
	struct symbol_text text;
	unsigned kinds; /* enum symbol_kind: kinds that are kept */
	bool is_read;
	bool is_in_long_line; /* the begin of the line was skipped */
	struct symbol_list functions, objects;
};

struct symbols *symbols_new(struct source *source)
{
	struct symbols *symbols = xcalloc(1, sizeof(*symbols));

	symbols->source = source;
	symbols->kinds = SYMBOL_FUNCTION;
	symbols->text.has_modules = true;
	return symbols;
}

struct symbols *symbols_new_of_text(const struct symbol_text *text)
{
	struct symbols *symbols = symbols_new(NULL);

	symbols->text = *text;
	return symbols;
}

void symbols_keep_objects(struct symbols *symbols)
{
	symbols->kinds |= SYMBOL_OBJECT;
}

void symbols_leave_modules(struct symbols *symbols)
{
	symbols->text.has_modules = false;
}

static void list_release(struct symbol_list *list)
{
	free(list->symbol);
	free(list->names);
}

struct symbols *symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return NULL;
	list_release(&symbols->functions);
	list_release(&symbols->objects);
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
	for (size_t i = 0; name[0] == '_' && i < ARRAY_SIZE(mark_suffixes); i++)
		if (has_suffix(name, mark_suffixes[i]))
			return true;
	return false;
}

static bool is_alias(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(alias_prefixes); i++)
		if (has_prefix(name, alias_prefixes[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(alias_names); i++)
		if (strcmp(name, alias_names[i]) == 0)
			return true;
	return false;
}

static const char *list_name(const struct symbol_list *list, const struct symbol *symbol)
{
	return list->names + symbol->name;
}

/* The order of preference: a function's own name before an alias, and that before a mark; then
   global names, then local ones, then weak ones, which stand for many; then the fewest leading
   underscores. */
static unsigned list_rank(const struct symbol_list *list, const struct symbol *symbol)
{
	static const char types[] = "TtWw";
	const char *name = list_name(list, symbol);
	size_t underscores = strspn(name, "_");
	unsigned class = is_section_mark(name) ? 2 : is_alias(name) ? 1 : 0;
	unsigned order = (unsigned)(strchr(types, symbol->type) - types);

	underscores = underscores < 15 ? underscores : 15;
	return class << 8 | order << 4 | (unsigned)underscores;
}

static uint32_t list_add_name(struct symbol_list *list, const char *name, size_t length)
{
	size_t at = list->names_bytes;

	if (at + length + 1 > list->names_capacity) {
		list->names_capacity = (list->names_capacity + LINE_BYTES) * 2;
		list->names = xrealloc(list->names, list->names_capacity);
	}
	memcpy(list->names + at, name, length);
	list->names[at + length] = '\0';
	list->names_bytes += length + 1;
	return (uint32_t)at;
}

static void list_add(struct symbol_list *list, const struct symbol_line *line, bool is_dotted)
{
	if (list->count >= SYMBOLS_MAX)
		return;
	list->dotted_count += is_dotted;
	ARRAY_ADD(list->symbol, list->count, list->capacity) = (struct symbol){
		.address = line->address,
		.name = list_add_name(list, line->name + is_dotted, line->name_length - is_dotted),
		.type = line->type,
		.is_dotted = is_dotted,
	};
}

/* "name\t[module]" */
static bool line_is_of_module(const struct symbol_line *line)
{
	const char *behind = line->name + line->name_length;

	while (behind < line->end && (*behind == ' ' || *behind == '\t'))
		behind++;
	return behind < line->end && *behind == '[';
}

static void symbols_add_line(struct symbols *symbols, const char *at, const char *end)
{
	struct symbol_line line;

	if (end - at >= LINE_BYTES || !symbol_line_parse(at, end, symbols->kinds, &line))
		return;
	if (!symbols->text.has_modules && line_is_of_module(&line))
		return;
	line.address += symbols->text.shift;
	if (line.kind == SYMBOL_FUNCTION)
		list_add(&symbols->functions, &line, line.name[0] == '.' && line.name_length > 1);
	else
		list_add(&symbols->objects, &line, /* is_dotted= */ false);
}

/* ".name" is the entry of function "name" if all functions have one: on 64-bit PowerPC with the
   ELF ABI version 1. Elsewhere it is a label inside a function. */
static void list_drop_labels(struct symbol_list *list)
{
	size_t kept = 0;

	if (list->dotted_count == 0 || list->dotted_count > list->count / 2)
		return;
	for (size_t i = 0; i < list->count; i++)
		if (!list->symbol[i].is_dotted)
			list->symbol[kept++] = list->symbol[i];
	list->count = kept;
}

ORDER_FUNCTION(symbol_compare, struct symbol, RISING(x, y, address), RISING(x, y, name))

/* The number of symbols at the begin that are in order. */
static size_t list_count_sorted(const struct symbol_list *list)
{
	size_t at = 1;

	while (at < list->count && list->symbol[at - 1].address <= list->symbol[at].address)
		at++;
	return at < list->count ? at : list->count;
}

/* Merges those after the first `sorted` ones into place. */
static void list_sort_rest(struct symbol_list *list, size_t sorted)
{
	size_t to = list->count, left = to - sorted;
	_cleanup_(freep) struct symbol *rest = xreallocarray(NULL, left, sizeof(*rest));

	memcpy(rest, list->symbol + sorted, left * sizeof(*rest));
	qsort(rest, left, sizeof(*rest), symbol_compare);
	while (left > 0) {
		bool is_rest = sorted == 0 ||
		               list->symbol[sorted - 1].address <= rest[left - 1].address;

		list->symbol[--to] = is_rest ? rest[--left] : list->symbol[--sorted];
	}
}

/* The kernel's own symbols, nearly all, are in order; those of modules, which follow, are not. */
static void list_sort(struct symbol_list *list)
{
	size_t sorted = list_count_sorted(list);

	if (sorted < list->count)
		list_sort_rest(list, sorted);
}

/* Keeps only the best of several at one address; of equals the first. */
static void list_keep_best(struct symbol_list *list)
{
	size_t kept = 0, at = 0;

	while (at < list->count) {
		struct symbol best = list->symbol[at++];

		for (; at < list->count && list->symbol[at].address == best.address; at++)
			if (list_rank(list, &list->symbol[at]) < list_rank(list, &best))
				best = list->symbol[at];
		list->symbol[kept++] = best;
	}
	list->count = kept;
}

/* Adds the lines that end in the piece; returns the bytes of the unfinished one, or 0 if that is
   too long already. */
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

static void symbols_read_source(struct symbols *symbols)
{
	_cleanup_(freep) char *piece = xmalloc(READ_BYTES + LINE_BYTES);
	uint64_t offset = 0;
	size_t kept = 0; /* bytes of an unfinished line at the begin of piece */
	int64_t got;

	while ((got = source_read_symbols(symbols->source, offset, piece + kept, READ_BYTES)) > 0) {
		const char *end = piece + kept + got;

		offset += (uint64_t)got;
		kept = symbols_add_lines(symbols, piece, end);
		memmove(piece, end - kept, kept);
	}
}

static void symbols_read_all(struct symbols *symbols)
{
	const struct symbol_text *text = &symbols->text;

	symbols->is_read = true;
	if (symbols->source)
		symbols_read_source(symbols);
	else
		(void)symbols_add_lines(symbols, text->text, text->text + text->length);
	list_drop_labels(&symbols->functions);
	list_sort(&symbols->functions);
	list_keep_best(&symbols->functions);
	list_sort(&symbols->objects);
}

void symbols_read(struct symbols *symbols)
{
	if (!symbols->is_read)
		symbols_read_all(symbols);
}

bool symbols_are_read(const struct symbols *symbols)
{
	return symbols->is_read;
}

static const struct symbol_list *symbols_functions(struct symbols *symbols)
{
	symbols_read(symbols);
	return &symbols->functions;
}

size_t symbols_function_count(struct symbols *symbols)
{
	return symbols_functions(symbols)->count;
}

uint64_t symbols_function_at(struct symbols *symbols, size_t index)
{
	return symbols_functions(symbols)->symbol[index].address;
}

/* The number of symbols below the address. */
static size_t list_count_below(const struct symbol_list *list, uint64_t address)
{
	return array_lower_bound_u64(list->symbol, list->count, sizeof(*list->symbol), address);
}

/* The first name of exactly that address. */
static const char *list_find_exact(const struct symbol_list *list, uint64_t address)
{
	size_t at = list_count_below(list, address);

	if (at == list->count || list->symbol[at].address != address)
		return NULL;
	return list_name(list, &list->symbol[at]);
}

/* Whether the source itself finds names; *ret_name then contains the address. */
static bool symbols_are_found(const struct symbols *symbols, uint64_t address,
                              uint64_t *ret_begin, const char **ret_name)
{
	const struct source *source = symbols->source;

	if (!source || !source->ops->find_symbol)
		return false;
	*ret_name = source->ops->find_symbol(source, address, ret_begin);
	return true;
}

const char *symbols_find(struct symbols *symbols, uint64_t address)
{
	const struct symbol_list *functions;
	const char *name;
	uint64_t begin;

	if (symbols_are_found(symbols, address, &begin, &name))
		return name && begin == address ? name : NULL;
	functions = symbols_functions(symbols);
	name = list_find_exact(functions, address);
	if (!name && (address & 1))
		name = list_find_exact(functions, address & ~1ull);
	return name;
}

const char *symbols_find_within(struct symbols *symbols, uint64_t address)
{
	const struct symbol_list *functions;
	const char *name, *next;
	uint64_t begin;
	size_t at;

	if (address == UINT64_MAX)
		return NULL;
	if (symbols_are_found(symbols, address, &begin, &name))
		return name;
	functions = symbols_functions(symbols);
	at = list_count_below(functions, address + 1);
	if (at == 0)
		return NULL;
	name = list_name(functions, &functions->symbol[at - 1]);
	/*
	 * Code at a mark makes no calls. A function that begins right after it was put on the
	 * stack as a return address: ARM's entry does that with ret_fast_syscall.
	 */
	next = is_section_mark(name) ? list_find_exact(functions, address + 1) : NULL;
	if (next)
		return next;
	return address - functions->symbol[at - 1].address < FUNCTION_BYTES_MAX ? name : NULL;
}

const char *symbols_find_object(struct symbols *symbols, uint64_t address)
{
	symbols_read(symbols);
	return list_find_exact(&symbols->objects, address);
}

/* KASLR offsets are multiples of this: of 16 KiB on s390, of 64 KiB or 2 MiB elsewhere. */
#define SHIFT_ALIGN (UINT64_C(16) << 10)
/* Functions of the kernel's main text are closer to each other than this. */
#define CODE_GAP_MAX (UINT64_C(4) << 20)
/* Shifts are derived from this many addresses, of which some may belong to modules. */
#define GUESSED_FUNCTIONS_MAX 24
#define GUESSED_SLEEPS_MAX    4
/* A matching __schedule() weighs as much as this many callbacks; more if its caller matches. */
#define SLEEP_WEIGHT        3
#define SLEEP_CALLER_WEIGHT 6
/* The weight that proves a shift other than 0: thousands of those are possible. */
#define PROOF_MOVED 6
#define PROOF       3
/* One in this many callbacks may be at no function's beginning, as in code that is patched in. */
#define STRAY_SHARE 16

struct fit {
	struct symbols *symbols;
	const struct symbol_evidence *evidence;
	uint64_t begin, end; /* the kernel's main code */
	uint64_t sleep_begin, sleep_end; /* __schedule(); both 0: not known */
};

struct score {
	uint64_t shift;
	size_t functions, begins; /* as in struct symbol_fit */
	size_t sleeps, callers;   /* stacks that have __schedule(), and these with its caller */
	size_t weight;            /* 0: contradicted */
};

static bool is_sleep_name(const char *name)
{
	static const char sleep[] = "__schedule";
	size_t length = sizeof(sleep) - 1;

	/* compilers append ".constprop.0" and the like */
	return name && strncmp(name, sleep, length) == 0 && (!name[length] || name[length] == '.');
}

/* Finds the main text, around the middle function: ARM's vectors and boot code are far from it. */
static void fit_find_code(struct fit *fit)
{
	size_t count = symbols_function_count(fit->symbols), first = count / 2, last = first;

	while (first > 0 && symbols_function_at(fit->symbols, first) -
	                    symbols_function_at(fit->symbols, first - 1) <= CODE_GAP_MAX)
		first--;
	while (last + 1 < count && symbols_function_at(fit->symbols, last + 1) -
	                           symbols_function_at(fit->symbols, last) <= CODE_GAP_MAX)
		last++;
	fit->begin = symbols_function_at(fit->symbols, first);
	fit->end = symbols_function_at(fit->symbols, last) + 1;
	for (size_t i = first; i < last; i++) {
		uint64_t at = symbols_function_at(fit->symbols, i);

		if (!is_sleep_name(symbols_find(fit->symbols, at)))
			continue;
		fit->sleep_begin = at;
		fit->sleep_end = symbols_function_at(fit->symbols, i + 1);
	}
}

/* Whether the frame is in a function that calls __schedule(). The list has only functions that
   compilers do not inline. */
static bool fit_is_caller(const struct fit *fit, uint64_t frame, uint64_t shift)
{
	static const char *const callers[] = {
		"schedule", "preempt_schedule", "__cond_resched", "do_task_dead",
	};
	const char *name = symbols_find_within(fit->symbols, frame - 1 - shift);

	for (size_t i = 0; name && i < ARRAY_SIZE(callers); i++)
		if (strncmp(name, callers[i], strlen(callers[i])) == 0)
			return true;
	return false;
}

static void fit_take_sleep(const struct fit *fit, const uint64_t *frame, struct score *score)
{
	for (size_t i = 0; i < SLEEP_FRAMES && frame[i]; i++) {
		uint64_t call = frame[i] - 1 - score->shift;

		if (call < fit->sleep_begin || call >= fit->sleep_end)
			continue;
		score->sleeps++;
		score->callers += i + 1 < SLEEP_FRAMES && frame[i + 1] &&
		                  fit_is_caller(fit, frame[i + 1], score->shift);
		return;
	}
}

static struct score fit_score(const struct fit *fit, uint64_t shift)
{
	const struct symbol_evidence *evidence = fit->evidence;
	struct score score = {.shift = shift};
	bool has_sleeps = fit->sleep_end > 0 && evidence->sleep_count > 0;

	for (size_t i = 0; i < evidence->function_count; i++) {
		uint64_t address = evidence->function[i] - shift;

		if (address < fit->begin || address >= fit->end)
			continue;
		score.functions++;
		score.begins += symbols_find(fit->symbols, address) != NULL;
	}
	for (size_t i = 0; has_sleeps && i < evidence->sleep_count; i++)
		fit_take_sleep(fit, evidence->sleep[i], &score);
	if ((score.functions - score.begins) * STRAY_SHARE > score.functions)
		return score;
	/* some unwinders, such as ARM's, omit the innermost frames, so stacks without __schedule()
	   contradict nothing where callbacks prove the shift */
	if (has_sleeps && score.sleeps * 2 < evidence->sleep_count) {
		score.weight = score.begins >= PROOF_MOVED ? score.begins : 0;
		return score;
	}
	score.weight = score.begins;
	if (has_sleeps)
		score.weight += score.callers * 2 >= score.sleeps ? SLEEP_CALLER_WEIGHT
		                                                  : SLEEP_WEIGHT;
	return score;
}

static bool score_is_better(const struct score *a, const struct score *b)
{
	return a->weight != b->weight ? a->weight > b->weight : a->begins > b->begins;
}

/* The best scores of two different shifts. */
struct ranking {
	struct score best, next;
};

static void fit_try(const struct fit *fit, uint64_t shift, struct ranking *ranking)
{
	struct score score;

	if (shift % SHIFT_ALIGN || shift == ranking->best.shift || shift == ranking->next.shift)
		return;
	score = fit_score(fit, shift);
	if (score_is_better(&score, &ranking->best)) {
		ranking->next = ranking->best;
		ranking->best = score;
	} else if (score_is_better(&score, &ranking->next)) {
		ranking->next = score;
	}
}

/* The shifts with which __schedule() contains that return address. */
static void fit_try_sleep(const struct fit *fit, uint64_t frame, struct ranking *ranking)
{
	uint64_t first = (frame - fit->sleep_end) & ~(SHIFT_ALIGN - 1);
	uint64_t count = (fit->sleep_end - fit->sleep_begin) / SHIFT_ALIGN + 2;

	for (uint64_t i = 0; i < count; i++)
		fit_try(fit, first + i * SHIFT_ALIGN, ranking);
}

static void fit_try_all(const struct fit *fit, struct ranking *ranking)
{
	const struct symbol_evidence *evidence = fit->evidence;
	size_t count = symbols_function_count(fit->symbols);

	for (size_t i = 0; i < evidence->function_count && i < GUESSED_FUNCTIONS_MAX; i++)
		for (size_t k = 0; k < count; k++)
			fit_try(fit, (evidence->function[i] & ~1ull) -
			             symbols_function_at(fit->symbols, k), ranking);
	for (size_t i = 0; fit->sleep_end && i < evidence->sleep_count &&
	                   i < GUESSED_SLEEPS_MAX; i++)
		for (size_t k = 0; k < SLEEP_FRAMES && evidence->sleep[i][k]; k++)
			fit_try_sleep(fit, evidence->sleep[i][k], ranking);
}

static struct symbol_fit fit_result(enum symbol_fit_kind kind, const struct score *score)
{
	return (struct symbol_fit){
		.kind = kind,
		.shift = score->shift,
		.functions = score->functions,
		.begins = score->begins,
	};
}

/* Whether the evidence suffices to prove a shift. If it does and none matches, the symbols belong
   to another kernel. */
static bool fit_has_evidence(const struct fit *fit)
{
	bool has_sleeps = fit->sleep_end > 0 && fit->evidence->sleep_count > 0;

	return fit->evidence->function_count + (has_sleeps ? SLEEP_CALLER_WEIGHT : 0) >=
	       PROOF_MOVED;
}

static struct symbol_fit fit_decide(const struct fit *fit)
{
	const struct score unmoved = fit_score(fit, 0);
	struct ranking ranking = {unmoved, {.shift = UINT64_MAX}};

	if (unmoved.weight >= PROOF)
		return fit_result(FIT_PROVEN, &unmoved);
	fit_try_all(fit, &ranking);
	if (ranking.best.weight >= PROOF_MOVED)
		return fit_result(ranking.next.weight * 2 <= ranking.best.weight ? FIT_PROVEN
		                                                                 : FIT_AMBIGUOUS,
		                  &ranking.best);
	if (unmoved.weight > 0 || fit->evidence->function_count + fit->evidence->sleep_count == 0)
		return fit_result(FIT_UNKNOWN, &unmoved);
	return fit_result(fit_has_evidence(fit) ? FIT_WRONG : FIT_AMBIGUOUS, &ranking.best);
}

struct symbol_fit symbol_fit_find(struct symbols *symbols, const struct symbol_evidence *evidence)
{
	struct fit fit = {.symbols = symbols, .evidence = evidence};

	if (symbols_function_count(symbols) == 0)
		return (struct symbol_fit){.kind = FIT_WRONG};
	fit_find_code(&fit);
	return fit_decide(&fit);
}

void symbol_evidence_add(struct symbol_evidence *evidence, uint64_t function)
{
	if (function == 0 || evidence->function_count == FIT_FUNCTIONS_MAX)
		return;
	for (size_t i = 0; i < evidence->function_count; i++)
		if (evidence->function[i] == function)
			return;
	evidence->function[evidence->function_count++] = function;
}
