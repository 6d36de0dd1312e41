/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Callstacks, each written once and then referred to by number, like texts. Kernel frames belong
 * to a mapping of that name, by which Perfetto distinguishes them from the program's.
 */
#pragma once

#include "perfetto_file.h"

/*
 * Adds to the packet's event the stack at its time: functions of the kernel and of the program
 * that called it, innermost first, separated by ";"; "" if not known. Writes nothing if neither is
 * known.
 */
void perfetto_callstack_put(struct perfetto_file *file, const char *kernel, const char *user);
