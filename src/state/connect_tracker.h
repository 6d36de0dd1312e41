/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connections that tasks open; see connect_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The task opens a connection, of that socket; it is open, or given up. */
void connect_note_opening(struct machine *machine, uint32_t line, uint64_t socket);
void connect_note_opened(struct machine *machine, uint32_t line, uint64_t socket);
