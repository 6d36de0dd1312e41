/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorder alone (make RECORDER=1) has no views. */
#include "analysis.h"

const struct analysis *const analyses[] = {NULL};
