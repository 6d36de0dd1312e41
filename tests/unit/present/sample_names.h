/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The strings that causes of the tests have among their members. */
#pragma once

#include "base/data/intern.h"

enum sample_name {
	SAMPLE_NONE,
	SAMPLE_READ,        /* "R" */
	SAMPLE_WRITE_SYNC,  /* "WS" */
	SAMPLE_FLUSH,       /* "FF" */
	SAMPLE_PEER_V4,     /* "127.0.0.1:80" */
	SAMPLE_PEER_V6,     /* "[fe80::1]:22" */
	SAMPLE_PEER_LOCAL,  /* "[::1]:80" */
	SAMPLE_PEER_SILENT, /* "10.0.0.7:80" */
	SAMPLE_COUNT,
};

extern const struct intern sample_names;
