/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes a Perfetto trace by the first bytes of an input. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool perfetto_is_trace(const void *head, size_t bytes);
