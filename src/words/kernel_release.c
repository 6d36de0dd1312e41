/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel_release.h"

#include <ctype.h>
#include <stddef.h>

bool kernel_release_parse(const char *text, unsigned ret[KERNEL_RELEASE_NUMBERS])
{
	for (size_t i = 0; i < KERNEL_RELEASE_NUMBERS; i++) {
		ret[i] = 0;
		if (i < 2 && !isdigit((unsigned char)*text))
			return false;
		for (; isdigit((unsigned char)*text) && ret[i] < 100000; text++)
			ret[i] = ret[i] * 10 + ((unsigned char)*text - 0x30u);
		text += *text == '.';
	}
	return true;
}

int kernel_release_compare(const unsigned a[KERNEL_RELEASE_NUMBERS],
                           const unsigned b[KERNEL_RELEASE_NUMBERS])
{
	for (size_t i = 0; i < KERNEL_RELEASE_NUMBERS; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}
