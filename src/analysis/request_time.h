/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of one request, from one turn of a TCP connection (INTERVAL_EXCHANGE): for a server its
   work, from the last read of the request to its first write; for a client its wait for the
   answer. */
#pragma once

#include "graph/timeline/interval.h"

struct request_time {
	uint32_t task;    /* track */
	uint32_t address; /* name id: that of the server; 0: not known */
	bool is_client;
	nsec_t begin, end, length;
};

/* False if the turn had no such time, or if its task or its role is not known. */
bool request_time(const struct interval *exchange, struct request_time *ret);
