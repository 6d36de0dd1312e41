/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Heads of streams (recorder/file/datfile_head.h) for tests, in this machine's byte order. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"

#define HEAD_PAGE_BYTES 4096u

void head_put_u32(struct buffer *to, uint32_t number);
void head_put_text64(struct buffer *to, const char *text);
/* A head with the kernel's own formats `own` and those of one system, of 3 CPUs. */
void head_make(struct buffer *to, const char *own, const char *const *formats, size_t count);
