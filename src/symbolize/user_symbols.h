/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of functions of user programs, by file and offset within the file, as a recording knows
 * them. What is read: the file itself (.symtab, .dynsym, the symbols that MiniDebugInfo has in
 * .gnu_debugdata), and where it has no .symtab its separate debug file, by build id or debug link.
 * Never read: a file of another build than was recorded, because wrong names are worse than none;
 * anything over a network, such as debuginfod; what is no regular file.
 *
 * Files are not trusted: reading is bounded by the limits below, and none is mapped. A file is read
 * at its first question, and closed; kept are 32 bytes and the name for each of its functions. An
 * answer takes one hash of the path and a binary search; each function is demangled once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Of more files nothing is known. */
#define USER_SYMBOLS_FILES_MAX 4096
/* Functions of one file; of all files together. */
#define USER_SYMBOLS_FUNCTIONS_MAX     (1u << 21)
#define USER_SYMBOLS_FUNCTIONS_ALL_MAX (1u << 22)
/* Bytes of a name, as it is told; a longer one is cut and ends in "...". */
#define USER_SYMBOLS_NAME_MAX 1024
/* Lines of user_symbols_tell(). */
#define USER_SYMBOLS_LINES_MAX 32

struct user_symbols_setup {
	/* The root of a tree that has the files, below which everything stays, through symbolic
	   links and "..", too; NULL: "/". Separate debug files may be in it or in
	   /usr/lib/debug/.build-id of this machine. */
	const char *symfs;
};

struct user_symbols;

/* False: the program is built without; nothing is ever named then. */
bool user_symbols_is_able(void);
/* NULL: symfs is no folder that can be opened (an empty one is none either), as errno says. */
struct user_symbols *user_symbols_new(const struct user_symbols_setup *setup);
struct user_symbols *user_symbols_free(struct user_symbols *symbols);

/*
 * The function at an offset of a file; NULL: not known. Borrowed until user_symbols_free().
 *
 * path      as recorded, absolute; one that ends in " (deleted)" is also looked for without that;
 *           "[vdso]" is this machine's own, if it is that build. Any other is not a file.
 * build_id  of the file as recorded, in hexadecimal digits; NULL: not known, then the file is used
 *           unseen, and a line of user_symbols_tell() says so (not for "[vdso]" and deleted files:
 *           they are not used).
 * offset    bytes from the begin of the file. Of a return address the caller takes 1 off, because
 *           the call may be its function's last instruction.
 *
 * Names of C++ and Rust are told as people write them, without parameters, return type and Rust's
 * hash, but with arguments of templates: "ns::Pair<int>::swap". The bytes of the others are the
 * file's: who shows them cleans them.
 */
const char *user_symbols_find(struct user_symbols *symbols, const char *path, const char *build_id,
                              uint64_t offset);

/*
 * What could not be named and why, a line a file in the order of first questions, at most
 * USER_SYMBOLS_LINES_MAX: "/usr/lib/libfoo.so: not found". Lines are clean and end in no newline.
 */
void user_symbols_tell(struct user_symbols *symbols, void (*tell)(void *context, const char *line),
                       void *context);
