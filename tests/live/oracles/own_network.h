/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A network namespace of the oracle's own, with nothing but lo, and datagrams on it.
 */
#pragma once

#include <netinet/in.h>

/*
 * Before any thread. `receive_cpus`: which CPUs receive what lo carries, as a mask in the words of
 * rps_cpus. Skips the oracle where the machine refuses. It ends with the process.
 */
void own_network_begin(const char *receive_cpus);
/* A datagram socket on lo; port 0: any. */
int own_network_socket(in_port_t port);
/* One byte, which may be lost. */
void own_network_send(int fd, in_port_t port);
