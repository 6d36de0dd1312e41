/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "syscall_names.h"

#include <string.h>

#include "base/data/array.h"
#include "syscall_rows.h"

enum syscall_abi {
	ABI_X86_64,
	ABI_X32, /* only calls that differ from x86_64 */
	ABI_I386,
	ABI_ARM,
	ABI_GENERIC,
	ABI_PPC,
	ABI_PPC64,
	ABI_S390,
	ABI_S390X,
	ABI_MIPS_O32,
	ABI_MIPS_N64,
	ABI_MIPS_N32,
	ABI_COUNT,
};

/* All names, each with its NUL, in the order of the rows, back to back: pointers to them would take
   more room than the names themselves, and would have to be relocated. */
#define ROW_MEMBER(name, ...)  char name##_[sizeof(#name)];
#define ROW_NAME(name, ...)    #name,
#define ROW_NUMBERS(name, ...) {__VA_ARGS__},
static const struct {
	SYSCALL_ROWS(ROW_MEMBER)
} names = {SYSCALL_ROWS(ROW_NAME)};
static const int16_t numbers[][ABI_COUNT] = {SYSCALL_ROWS(ROW_NUMBERS)};

/* The ABIs that a kernel serves, by prefix of uname -m: the first row that matches, and all rows
   with the same prefix. */
static const struct {
	const char *arch;
	uint8_t abi; /* enum syscall_abi */
	bool is_compat;
	int16_t base; /* of its numbers */
} machines[] = {
	{"x86_64", ABI_X86_64, false, 0},    {"x86_64", ABI_I386, true, 0},
	{"x86_64", ABI_X32, false, 0},
	{"aarch64", ABI_GENERIC, false, 0},  {"aarch64", ABI_ARM, true, 0},
	{"riscv", ABI_GENERIC, false, 0},    {"loongarch", ABI_GENERIC, false, 0},
	{"arm", ABI_ARM, false, 0},          {"i3", ABI_I386, false, 0},
	{"i4", ABI_I386, false, 0},          {"i5", ABI_I386, false, 0},
	{"i6", ABI_I386, false, 0},
	{"s390x", ABI_S390X, false, 0},      {"s390x", ABI_S390, true, 0},
	{"s390", ABI_S390, false, 0},        {"ppc64", ABI_PPC64, false, 0},
	{"ppc64", ABI_PPC, true, 0},         {"ppc", ABI_PPC, false, 0},
	{"mips", ABI_MIPS_O32, false, 4000}, {"mips", ABI_MIPS_N64, false, 5000},
	{"mips", ABI_MIPS_N32, false, 6000},
};

static size_t machine_first(const char *arch)
{
	size_t i = arch ? 0 : ARRAY_SIZE(machines);

	while (i < ARRAY_SIZE(machines) &&
	       strncmp(arch, machines[i].arch, strlen(machines[i].arch)) != 0)
		i++;
	return i;
}

static bool machine_is_alike(size_t first, size_t i)
{
	return i < ARRAY_SIZE(machines) && strcmp(machines[i].arch, machines[first].arch) == 0;
}

/* NULL: the ABI has no call of that number. */
static const char *name_of(enum syscall_abi abi, int64_t number)
{
	const char *name = (const char *)&names;
	size_t row = 0;

	while (row < ARRAY_SIZE(numbers) && numbers[row][abi] != number)
		row++;
	if (row == ARRAY_SIZE(numbers))
		return NULL;
	while (row-- > 0)
		name += strlen(name) + 1;
	return name;
}

bool syscall_has_compat(const char *arch)
{
	size_t first = machine_first(arch);

	for (size_t i = first; machine_is_alike(first, i); i++)
		if (machines[i].is_compat)
			return true;
	return false;
}

const char *syscall_name(const char *arch, bool is_compat, int64_t number)
{
	size_t first = machine_first(arch);
	const char *name = NULL;

	/* other ABIs have no such high numbers */
	if (arch && strcmp(arch, "x86_64") == 0 && !is_compat)
		number &= ~SYSCALL_X32_BIT;
	is_compat &= syscall_has_compat(arch);
	for (size_t i = first; number >= 0 && !name && machine_is_alike(first, i); i++)
		if (machines[i].is_compat == is_compat && number >= machines[i].base)
			name = name_of((enum syscall_abi)machines[i].abi,
			               number - machines[i].base);
	return name;
}

size_t syscall_numbers(const char *arch, const char *wanted, int64_t ret[SYSCALL_NUMBERS_MAX])
{
	size_t first = machine_first(arch), count = 0;
	const char *name = (const char *)&names;

	for (size_t row = 0; row < ARRAY_SIZE(numbers); row++, name += strlen(name) + 1) {
		if (*name != *wanted || strcmp(name, wanted) != 0)
			continue;
		for (size_t i = first; machine_is_alike(first, i); i++)
			if (!machines[i].is_compat && numbers[row][machines[i].abi] >= 0 &&
			    count < SYSCALL_NUMBERS_MAX)
				ret[count++] = machines[i].base +
				               numbers[row][machines[i].abi];
	}
	return count;
}
