/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words for what is not known. JSON has "unknown" for all of them. */
#pragma once

/* No event shows what a task waited for, or what it did. */
#define WORDS_NOT_RECORDED "cause not recorded"
/* Another CPU ended the wait, and no event shows which task or interrupt there. */
#define WORDS_OTHER_CPU "another CPU (which task there was not recorded)"
/* An interrupt ended the wait, and no event shows which. */
#define WORDS_SOME_INTERRUPT "a timer or device"
/* A wait that was open when the recording ended. */
#define WORDS_STILL_WAITING "still waiting at the end"
/* The walk was given up: the chain of waiters is too long, or begins before the kept history. */
#define WORDS_TOO_LONG "too long a chain to follow"
