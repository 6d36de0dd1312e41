/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A source that has formats and symbols, but no records, for the tests of texts. */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/record.h"
#include "ftwait/source.h"

#define TEXT_COMMON                                                            \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define TEXT_FORMAT(name, id, fields, print) \
	"name: " name "\nID: " #id "\nformat:\n" TEXT_COMMON fields "\nprint fmt: " print "\n"
#define TEXT_FIELD(declaration, offset, size, is_signed) \
	"\tfield:" declaration ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #is_signed ";\n"

/* Has no formats; a later call makes the same one new. */
struct source *text_fixture(void);
/* A little-endian machine's of 64 bits, unless the source says otherwise; the text is borrowed. */
void text_fixture_add(struct source *source, const char *system, const char *format);
/* What read_symbols() gives. */
void text_fixture_symbols(const char *kallsyms);

/* A record of that type, with `value` at offset 8 in 8 bytes; valid until the call with the same
   number. */
const struct record *text_record(unsigned number, uint16_t type, uint64_t value);
