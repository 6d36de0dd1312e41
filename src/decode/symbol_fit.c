/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol_fit.h"

#include <stdbool.h>
#include <string.h>

#include "base/data/array.h"

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
