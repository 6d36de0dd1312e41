/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lies after and between the parts that a file refers to. */
#pragma once

#include "source/file/datfile.h"

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
