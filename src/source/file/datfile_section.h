/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One section of version 7: its header, its text, and options as a section.
 */
#pragma once

#include "datfile.h"

struct section {
	uint16_t id;
	bool is_packed;
	uint64_t offset, bytes; /* of what follows its header */
};
#define SECTION_HEAD_BYTES 16u
enum section_id {
	SECTION_OPTIONS = 0,
	SECTION_BUFFER = 3,
	SECTION_STRINGS = 15,
	SECTION_HEADER_INFO = 16,
	SECTION_FTRACE_FORMATS = 17,
	SECTION_EVENT_FORMATS = 18,
	SECTION_SYMBOLS = 19,
	SECTION_PRINTK = 20,
	SECTION_CMDLINES = 21,
	SECTION_LAST = 22, /* the text of a latency tracer */
};
/* The header of the section at `offset`; the section may claim to extend beyond the file. */
int datfile_section_at(struct datfile *datfile, uint64_t offset, struct section *ret);
/*
 * Reads the options section at `offset`; *ret_next is the offset of the next one, 0 if this is the
 * last. -EALREADY if it was read before.
 */
int datfile_read_options_section(struct datfile *datfile, uint64_t offset, uint64_t *ret_next);
/*
 * A cursor over the section's text; *ret_memory holds the text, to be freed after the cursor. The
 * sizes are checked against the file, and against the limit on all unpacked sections.
 */
int datfile_section_cursor(struct datfile *datfile, const struct section *section,
                           struct cursor *ret, uint8_t **ret_memory);
#define PACKED_HEAD_BYTES 8u
/* The two sizes before a section's packed bytes, checked. */
int datfile_packed_sizes(struct datfile *datfile, const struct section *section,
                         uint32_t *ret_from, uint32_t *ret_to);

/* What lies after and between the parts that a file refers to. */

/* Version 7: covers the sections found, and those that follow them without a gap. */
void datfile_cover_sections(struct datfile *datfile);
/* Call when all parts are known: notes what follows them, except zeros. */
void datfile_note_tail(struct datfile *datfile);

struct claim {
	uint64_t begin, end;
};

struct claim_list {
	struct claim *claim;
	size_t count, capacity;
};

/* Ignores a claim whose end overflows. */
void claim_list_add(struct claim_list *list, uint64_t begin, uint64_t bytes);
void claim_list_release(struct claim_list *list);
/* Notes as damage the bytes of the sections that no CPU's pages claim, except zeros. Sorts `pages`.
   Sections may overlap: the pages of one buffer may lie in the section of another. */
void datfile_note_unclaimed(struct datfile *datfile, const struct claim_list *sections,
                            struct claim_list *pages);
