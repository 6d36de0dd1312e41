/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of every page, from src/html/: make writes html_assets.c from them (embed.sh). All end
 * with NUL. The hashes are those of the scripts that the page's policy allows, as base64.
 */
#pragma once

extern const unsigned char html_style[], html_script[];
extern const unsigned char html_flow_shell[], html_icicle_shell[];
extern const char html_style_hash[], html_script_hash[];
