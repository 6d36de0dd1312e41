/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library that the kernel maps into every process, read from our own memory. */
#pragma once

#include <stdbool.h>

#include "elf_image.h"

bool vdso_open(struct elf_image *ret);
