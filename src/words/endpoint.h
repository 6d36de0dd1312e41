/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An end of a connection on the internet: address and port. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/data/intern.h"
#include "base/text/buffer.h"
#include "ftwait/event.h"

#define ADDRESS_BYTES 16

/* Without padding: two are equal if their bytes are. */
struct endpoint {
	uint8_t address[ADDRESS_BYTES]; /* of IPv4: mapped into IPv6 */
	uint16_t port;                  /* 0: none, the socket listens */
};

/* Returns false if the bytes are no internet address. */
bool endpoint_read(const struct text *text, uint64_t port, struct endpoint *ret);
bool endpoint_is_ipv4(const struct endpoint *endpoint);
/* Whether it is the wildcard address, as of a socket that is not bound to an address. */
bool endpoint_is_any(const struct endpoint *endpoint);
/* Whether it is a loopback address. */
bool endpoint_is_loopback(const struct endpoint *endpoint);
/* "10.0.0.7", "fe80::1" */
void endpoint_append_address(struct buffer *to, const struct endpoint *endpoint);
/* "10.0.0.7:80", "[fe80::1]:80" */
void endpoint_append(struct buffer *to, const struct endpoint *endpoint);
/* Name id of the same. */
uint32_t endpoint_intern(const struct endpoint *endpoint, struct intern *names);
