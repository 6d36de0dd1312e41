/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a fuzz target is: libFuzzer calls it with bytes of its own making (`make fuzz`),
 * replay_main.c with those of a corpus, mutate_main.c with damaged ones. It must come back, must
 * not crash, and asserts what has to hold for every input.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
