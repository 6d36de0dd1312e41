/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a text is well-formed XML, as far as our pictures use it: no entities but the five. */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"

/* False: `why` says what is wrong, and where. */
bool xml_is_well_formed(const char *text, struct buffer *why);
