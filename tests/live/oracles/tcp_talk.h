/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What both ends of a TCP connection of an oracle need. */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

/* text: "10.213.79.1". Ends the oracle where that is no address. */
struct sockaddr_in tcp_address(const char *text, in_port_t port);
/* Receives so many bytes and drops them; false where the other end closes before, or resets. */
bool tcp_take(int fd, size_t bytes);
