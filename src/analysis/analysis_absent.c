/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In a recorder alone: it has no views. */
#include "analysis.h"

const struct analysis *const analyses[] = {NULL};
