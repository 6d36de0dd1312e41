/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Callstacks, each written once and then referred to by number, as texts are. Frames of the kernel
 * are of a mapping of that name, which is how Perfetto tells them from the program's.
 */
#pragma once

#include "perfetto_file.h"

/*
 * Of the packet's event, the stack at its time: functions, innermost first, separated by ";", of
 * the kernel and of the program that called it; "" where they are not known. Nothing is written
 * where neither is.
 */
void perfetto_callstack_put(struct perfetto_file *file, const char *kernel, const char *user);
