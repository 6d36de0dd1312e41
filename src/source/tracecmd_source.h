/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/buffer.h"
#include "ftwait/source.h"

int reference_open(const char *path, struct source **ret, struct buffer *why);
