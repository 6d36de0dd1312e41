/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tcp_talk.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include "truth.h"

struct sockaddr_in tcp_address(const char *text, in_port_t port)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};

	truth_must(inet_pton(AF_INET, text, &in.sin_addr) == 1, "inet_pton");
	return in;
}

bool tcp_take(int fd, size_t bytes)
{
	char buffer[65536];

	while (bytes) {
		size_t most = bytes < sizeof(buffer) ? bytes : sizeof(buffer);
		ssize_t got = recv(fd, buffer, most, 0);

		if (got <= 0)
			return false;
		bytes -= (size_t)got;
	}
	return true;
}
