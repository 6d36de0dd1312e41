/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "endpoint.h"

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

#include "base/cleanup.h"

#define IPV4_BYTES 4
/* "[" an IPv6 address "]:65535" */
#define PEER_TEXT_BYTES (INET6_ADDRSTRLEN + 9)

/* What addresses of IPv4 begin with. */
static const uint8_t mapped[ADDRESS_BYTES - IPV4_BYTES] = {[10] = 0xff, [11] = 0xff};
static_assert(sizeof(struct endpoint) == ADDRESS_BYTES + sizeof(uint16_t), "it has no padding");

bool endpoint_read(const struct text *text, uint64_t port, struct endpoint *ret)
{
	const uint8_t *at = (const uint8_t *)text->at;
	size_t length = text->length;
	/* the family of a struct sockaddr is a small number, in either byte order */
	int family = length > ADDRESS_BYTES        ? at[0] | at[1]
	             : length == IPV4_BYTES ? AF_INET
	                                    : AF_INET6;
	size_t offset = length > ADDRESS_BYTES ? 8 : 0;

	*ret = (struct endpoint){.port = (uint16_t)port};
	if (family == AF_INET) {
		ret->address[10] = 0xff;
		ret->address[11] = 0xff;
		memcpy(ret->address + 12, length == IPV4_BYTES ? at : at + 4, IPV4_BYTES);
		return true;
	}
	if (family != AF_INET6 || length < offset + ADDRESS_BYTES)
		return false;
	memcpy(ret->address, at + offset, ADDRESS_BYTES);
	return true;
}

bool endpoint_is_ipv4(const struct endpoint *endpoint)
{
	return memcmp(endpoint->address, mapped, sizeof(mapped)) == 0;
}

bool endpoint_is_any(const struct endpoint *endpoint)
{
	static const uint8_t any[ADDRESS_BYTES], any_v4[ADDRESS_BYTES] = {[10] = 0xff, [11] = 0xff};

	return memcmp(endpoint->address, any, sizeof(any)) == 0 ||
	       memcmp(endpoint->address, any_v4, sizeof(any_v4)) == 0;
}

bool endpoint_is_loopback(const struct endpoint *endpoint)
{
	static const uint8_t loopback[ADDRESS_BYTES] = {[15] = 1};
	static const uint8_t loopback_v4[13] = {[10] = 0xff, [11] = 0xff, [12] = 127};

	return memcmp(endpoint->address, loopback, sizeof(loopback)) == 0 ||
	       memcmp(endpoint->address, loopback_v4, sizeof(loopback_v4)) == 0;
}

void endpoint_append_address(struct buffer *to, const struct endpoint *endpoint)
{
	bool is_v4 = endpoint_is_ipv4(endpoint);
	char address[INET6_ADDRSTRLEN];
	const char *done = inet_ntop(is_v4 ? AF_INET : AF_INET6,
	                             endpoint->address + (is_v4 ? sizeof(mapped) : 0), address,
	                             sizeof(address));

	assert(done);
	(void)done;
	buffer_puts(to, address);
}

void endpoint_append(struct buffer *to, const struct endpoint *endpoint)
{
	bool is_v4 = endpoint_is_ipv4(endpoint);

	buffer_puts(to, is_v4 ? "" : "[");
	endpoint_append_address(to, endpoint);
	buffer_printf(to, is_v4 ? ":%u" : "]:%u", endpoint->port);
}

uint32_t endpoint_intern(const struct endpoint *endpoint, struct intern *names)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(PEER_TEXT_BYTES);

	endpoint_append(&text, endpoint);
	return intern_add(names, text.text, text.length);
}
