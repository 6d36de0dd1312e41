/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether this build has AddressSanitizer, whose tables are larger than any limit on memory, and
   which looks for leaks by tracing its own process. */
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define IS_ADDRESS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_ADDRESS_SANITIZED 1
#endif
#endif
#ifndef IS_ADDRESS_SANITIZED
#define IS_ADDRESS_SANITIZED 0
#endif
