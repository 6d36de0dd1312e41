/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this process itself consists of: its program, the C library and the vDSO. */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "suites.h"
#include "symfs_fixture.h"

/* Where in which file an address of ours is. */
struct mapped {
	uint64_t address; /* wanted */
	char path[4096], build_id[129];
	uint64_t offset;
};

static void read_id(struct mapped *mapped, const struct dl_phdr_info *info, const ElfW(Phdr) *part)
{
	const char *at = (const char *)(info->dlpi_addr + part->p_vaddr), *end = at + part->p_memsz;

	while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		const char *name = at + sizeof(*note), *id = name + ((note->n_namesz + 3) & ~3u);

		if (note->n_type == NT_GNU_BUILD_ID && strcmp(name, "GNU") == 0) {
			for (unsigned i = 0; i < note->n_descsz && i < 64; i++)
				(void)sprintf(mapped->build_id + 2 * i, "%02x", (uint8_t)id[i]);
		}
		at = id + ((note->n_descsz + 3) & ~3u);
	}
}

static int read_object(struct dl_phdr_info *info, size_t size, void *context)
{
	struct mapped *mapped = context;
	bool is_it = false;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uint64_t begin = info->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD || mapped->address - begin >= part->p_memsz)
			continue;
		is_it = true;
		mapped->offset = mapped->address - begin + part->p_offset;
	}
	for (int i = 0; is_it && i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_NOTE)
			read_id(mapped, info, &info->dlpi_phdr[i]);
	}
	if (is_it && info->dlpi_name[0])
		ck_assert_ptr_nonnull(realpath(info->dlpi_name, mapped->path));
	else if (is_it)
		ck_assert_int_gt(readlink("/proc/self/exe", mapped->path, sizeof(mapped->path) - 1), 0);
	return is_it;
}

int known_function(int x);
/* Not static, and used: optimisation at link time would give it another name. */
__attribute__((noinline, used)) int known_function(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

/* Where a function is, as a recording would have it. */
static struct mapped mapped_at(uintptr_t address)
{
	struct mapped mapped = {.address = address};

	ck_assert_int_eq(dl_iterate_phdr(read_object, &mapped), 1);
	return mapped;
}

START_TEST(test_self)
{
	struct mapped self = mapped_at((uintptr_t)known_function);
	const char *id = self.build_id[0] ? self.build_id : NULL;
	const char *found;

	if (is_skipped("this program"))
		return;
	symbols_again(NULL);
	found = user_symbols_find(symbols, self.path, id, self.offset);
	ck_assert_msg(found && strcmp(found, "known_function") == 0, "%s, %s at 0x%llx", found,
	              self.path, (unsigned long long)self.offset);
	ck_assert_ptr_eq(user_symbols_find(symbols, self.path, NULL, self.offset + 1), found);
	ck_assert_ptr_null(user_symbols_find(symbols, self.path, HEX_ID, self.offset));
	ck_assert_ptr_null(user_symbols_find(symbols, self.path, id, 0));
	ck_assert_int_eq(known_function(1), 2);
}
END_TEST

/* Variables of this program: in .data and .bss, one that may not be written, one of each thread. */
static volatile int known_variable[4] = {1, 2, 3, 4};
static volatile long known_zero;
static const int known_constant = 5;
static _Thread_local volatile int known_of_thread;

/* The name of the variable there, as a process of this program has it in memory; NULL: not
   known. */
static const char *variable_at(const struct mapped *self, const volatile void *variable,
                               uint64_t *ret_within)
{
	const struct user_place place = {
		.begin = self->address & ~(uint64_t)0xfff,
		.offset = self->offset & ~(uint64_t)0xfff,
		.address = (uintptr_t)variable,
	};

	return user_symbols_find_variable(symbols, self->path,
	                                  self->build_id[0] ? self->build_id : NULL, &place,
	                                  ret_within);
}

START_TEST(test_variables)
{
	struct mapped self = mapped_at((uintptr_t)known_function);
	uint64_t within = 77;
	const char *found;

	if (is_skipped("variables of this program"))
		return;
	symbols_again(NULL);
	known_zero += known_variable[0] + known_constant;
	found = variable_at(&self, known_variable, &within);
	ck_assert_msg(found && strcmp(found, "known_variable") == 0, "%s", found);
	ck_assert_uint_eq(within, 0);
	found = variable_at(&self, &known_variable[3], &within);
	ck_assert_msg(found && strcmp(found, "known_variable") == 0, "%s", found);
	ck_assert_uint_eq(within, 3 * sizeof(int));
	found = variable_at(&self, &known_zero, &within);
	ck_assert_msg(found && strcmp(found, "known_zero") == 0, "%s", found);
	ck_assert_ptr_null(variable_at(&self, &known_constant, &within));
	ck_assert_ptr_null(variable_at(&self, &known_of_thread, &within));
	ck_assert_ptr_null(variable_at(&self, &self, &within));
	ck_assert_ptr_null(variable_at(&self, NULL, &within));
	/* its functions are no variables */
	found = variable_at(&self, (void *)(uintptr_t)known_function, &within);
	ck_assert_ptr_null(found);
	/* where no code of it is mapped */
	self.offset = 0x7fffff000;
	ck_assert_ptr_null(variable_at(&self, known_variable, &within));
	/* lookups of variables alone report nothing */
	ck_assert_str_eq(lines_reported(), "");
}
END_TEST

/* Stripped, as distributions have it, the C library still exports what programs call. */
START_TEST(test_c_library)
{
	pid_t (*volatile function)(void) = getppid;
	struct mapped library = mapped_at((uintptr_t)function);
	const char *found;

	if (is_skipped("the C library"))
		return;
	symbols_again(NULL);
	found = user_symbols_find(symbols, library.path, library.build_id, library.offset);
	ck_assert_msg(found && strcmp(found, "getppid") == 0, "%s, %s at 0x%llx", found, library.path,
	              (unsigned long long)library.offset);
}
END_TEST

static int read_vdso(struct dl_phdr_info *info, size_t size, void *context)
{
	const char *header = (const char *)getauxval(AT_SYSINFO_EHDR);

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (header && header == (const char *)info->dlpi_addr && part->p_type == PT_NOTE)
			read_id(context, info, part);
	}
	return 0;
}

START_TEST(test_vdso)
{
	struct mapped vdso = {0};
	unsigned named = 0;

	if (is_skipped("the vDSO"))
		return;
	(void)dl_iterate_phdr(read_vdso, &vdso);
	if (!vdso.build_id[0]) {
		printf("SKIP user_symbols, the vDSO: there is none, or it has no build id\n");
		return;
	}
	for (uint64_t offset = 0; offset < 0x4000; offset += 4) {
		const char *name = user_symbols_find(symbols, "[vdso]", vdso.build_id, offset);

		named += name && strstr(name, "clock_gettime");
		ck_assert(!user_symbols_find(symbols, "[vdso]", HEX_ID, offset));
		ck_assert(!user_symbols_find(symbols, "[vdso]", NULL, offset));
	}
	ck_assert_uint_gt(named, 0);
}
END_TEST

Suite *user_symbols_real_suite(void)
{
	Suite *suite = suite_create("user_symbols_real");
	TCase *tcase = tcase_create("user_symbols_real");

	tcase_add_checked_fixture(tcase, symfs_begin, symfs_end);
	tcase_add_test(tcase, test_self);
	tcase_add_test(tcase, test_variables);
	tcase_add_test(tcase, test_c_library);
	tcase_add_test(tcase, test_vdso);
	suite_add_tcase(suite, tcase);
	return suite;
}
