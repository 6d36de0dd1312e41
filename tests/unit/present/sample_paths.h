/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths of flame graphs as they are written in tests. */
#pragma once

#include "ftwait/report.h"

#define SAMPLE_PATH_FRAMES 16

struct sample_path {
	struct path_frame frame[SAMPLE_PATH_FRAMES];
	struct path path;
};

/* "sh;k:schedule;c:[disk]": frames of tasks, of the kernel (k), of a program (u), causes (c) and
   marks (m). The texts are kept within `text`, of `size` bytes. */
struct path sample_path(struct sample_path *to, char *text, size_t size, const char *notation,
                        nsec_t total, uint64_t count);
