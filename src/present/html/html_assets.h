/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The constant parts of every page: make writes html_assets.c from the files of src/html/
 * (embed.sh). All end with NUL. The hashes, as base64, are of the scripts that the page's policy
 * allows.
 */
#pragma once

extern const unsigned char html_style[], html_script[];
extern const unsigned char html_flow_shell[], html_icicle_shell[];
extern const char html_style_hash[], html_script_hash[];
