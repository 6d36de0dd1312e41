/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vdso.h"

#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/xalloc.h"

/* It has a page or a few. */
#define VDSO_BYTES_MAX (256u << 10)

/* The table of sections is at its end; without that its length is not known. */
static size_t vdso_size(const ElfW(Ehdr) *header)
{
	uint64_t end = (uint64_t)header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize;

	return header->e_shoff && end <= VDSO_BYTES_MAX ? (size_t)end : 0;
}

bool vdso_open(struct elf_image *ret)
{
	ElfW(Ehdr) header;
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): that is how the kernel passes it */
	const void *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	void *copy;
	size_t size;

	*ret = ELF_IMAGE_NONE;
	if (!vdso)
		return false;
	memcpy(&header, vdso, sizeof(header));
	size = vdso_size(&header);
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || !size)
		return false;
	copy = xmalloc(size);
	memcpy(copy, vdso, size);
	return elf_image_open_memory(ret, copy, size);
}
