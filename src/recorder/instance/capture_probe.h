/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out what can be recorded here: tries every part of recording in an instance that is removed
 * again. For `ftwait doctor`.
 */
#pragma once

#include "user_ways.h"

/* Calls `on_finding` for each finding in turn. Returns the worst verdict. */
enum probe_verdict capture_probe(void (*on_finding)(void *state,
                                                    const struct probe_finding *finding),
                                 void *state);
