/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For a child process that runs the code of a library on untrusted input, and is expected to crash.
 */
#pragma once

#include <stdint.h>

/*
 * Call in the child, directly after fork(), also if the parent is sealed (base/file/seal.h). From
 * then on the child
 *   - ends when the thread that made it does,
 *   - has the default action for signals that end it, blocks none, and leaves no core,
 *   - reads nothing from standard input and writes nothing to standard output and error,
 *   - gets at most `memory` bytes of address space more than it has, and if it lacks some, leaves
 *     alone what the parent would tidy up (base/xalloc.h).
 */
void child_confine(uint64_t memory);
