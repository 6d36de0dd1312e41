/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample_names.h"

static struct intern_entry entries[SAMPLE_COUNT] = {
	[SAMPLE_NONE] = {.text = ""},
	[SAMPLE_READ] = {.text = "R"},
	[SAMPLE_WRITE_SYNC] = {.text = "WS"},
	[SAMPLE_FLUSH] = {.text = "FF"},
	[SAMPLE_PEER_V4] = {.text = "127.0.0.1:80"},
	[SAMPLE_PEER_V6] = {.text = "[fe80::1]:22"},
	[SAMPLE_PEER_LOCAL] = {.text = "[::1]:80"},
	[SAMPLE_PEER_SILENT] = {.text = "10.0.0.7:80"},
};

const struct intern sample_names = {.entry = entries, .count = SAMPLE_COUNT};
