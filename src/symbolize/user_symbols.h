/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of functions of user programs, by file and offset within the file, as a recording knows
 * them, and names of their variables. Symbols are read from the file itself (.symtab, .dynsym, the
 * symbols of MiniDebugInfo in .gnu_debugdata), and, if it has no .symtab, from its separate debug
 * file, by build id or debug link. Three sorts of files are never read: files of another build than
 * the recorded one, because wrong names are worse than none; files over a network, such as from
 * debuginfod; files that are not regular.
 *
 * Files are not trusted: reading is bounded by the limits below, and none is mapped. A file is read
 * and closed at its first lookup; 32 bytes and the name are kept for each of its functions and
 * variables. A
 * lookup takes one hash of the path and a binary search; each function is demangled once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/code/code_part.h"
#include "base/text/buffer.h"

/* Further files are ignored. */
#define USER_SYMBOLS_FILES_MAX 4096
/* Limits on the functions of one file, and of all files together. */
#define USER_SYMBOLS_FUNCTIONS_MAX     (1u << 21)
#define USER_SYMBOLS_FUNCTIONS_ALL_MAX (1u << 22)
/* Lines of user_symbols_report(). */
#define USER_SYMBOLS_LINES_MAX 32

struct user_symbols_setup {
	/*
	 * Root of a tree that has the files; NULL: "/". Nothing outside the tree is read, not even
	 * through symbolic links and "..", except separate debug files in /usr/lib/debug/.build-id
	 * of this machine.
	 */
	const char *symfs;
};

struct user_symbols;

/* Returns false if this program is built without libelf: then functions are never named. */
bool user_symbols_is_able(void);
/* Returns NULL, with errno set, if symfs is no folder that can be opened; an empty string is
   none. */
struct user_symbols *user_symbols_new(const struct user_symbols_setup *setup);
struct user_symbols *user_symbols_free(struct user_symbols *symbols);

/*
 * The function at an offset of a file; NULL: not known. Borrowed until user_symbols_free().
 *
 * path      as recorded, absolute; if it ends in " (deleted)" it is also tried without;
 *           "[vdso]" is this machine's own, if it is that build. Other paths are no files.
 * build_id  of the file as recorded, in hexadecimal digits; NULL: not known: the file is used
 *           unseen, and a line of user_symbols_report() says so (not for "[vdso]" and deleted
 *           files: they are not used).
 * offset    bytes from the begin of the file. Of a return address the caller takes 1 off, because
 *           the call may be its function's last instruction.
 *
 * Names of C++ and Rust are demangled, without parameters, return type and Rust's hash, but with
 * arguments of templates: "ns::Pair<int>::swap". Other names have the file's bytes: the caller
 * must clean them before they are shown.
 */
const char *user_symbols_find(struct user_symbols *symbols, const char *path, const char *build_id,
                              uint64_t offset);

/*
 * The variable at an address, in memory that the program may write and that is not a thread's own;
 * NULL: not known, as in stripped programs. *ret_within: bytes from the variable's begin. Path,
 * build id and the name as in user_symbols_find().
 */
const char *user_symbols_find_variable(struct user_symbols *symbols, const char *path,
                                       const char *build_id, const struct user_place *place,
                                       uint64_t *ret_within);

/*
 * Reports which files' functions could not be named, and why: one line a file, in order of the
 * first lookups, at most USER_SYMBOLS_LINES_MAX: "/usr/lib/libfoo.so: not found". Lines are clean
 * and end in no newline.
 */
void user_symbols_report(struct user_symbols *symbols,
                         void (*on_line)(void *context, const char *line), void *context);
/*
 * Appends which files could not be asked for variables, and why: the first one, and how many more;
 * "/usr/bin/foo: another build than was recorded (build id); and 2 more files". Returns false if
 * there are none but those of user_symbols_report().
 */
bool user_symbols_report_variables(struct user_symbols *symbols, struct buffer *line);
