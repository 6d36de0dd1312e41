/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "own_network.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include "truth.h"

#define RECEIVE_CPUS "/sys/class/net/lo/queues/rx-0/rps_cpus"

void own_network_begin(const char *receive_cpus)
{
	struct ifreq lo = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
	ssize_t length = (ssize_t)strlen(receive_cpus);
	int fd;

	truth_may(unshare(CLONE_NEWNET | CLONE_NEWNS) == 0, "a network namespace");
	truth_may(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0, "a mount namespace");
	/* a sysfs shows the network of who mounted it */
	truth_may(mount("sysfs", "/sys", "sysfs", 0, NULL) == 0, "sysfs of the namespace");
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	truth_may(fd >= 0, "a socket of the namespace");
	truth_may(ioctl(fd, SIOCSIFFLAGS, &lo) == 0, "lo of the namespace");
	(void)close(fd);
	fd = open(RECEIVE_CPUS, O_WRONLY | O_CLOEXEC);
	truth_may(fd >= 0 && write(fd, receive_cpus, (size_t)length) == length, RECEIVE_CPUS);
	(void)close(fd);
}

static struct sockaddr_in address_of(in_port_t port)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
	                            .sin_port = htons(port),
	                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

int own_network_socket(in_port_t port)
{
	struct sockaddr_in address = address_of(port);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	truth_must(fd >= 0, "socket");
	truth_must(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0, "bind");
	return fd;
}

void own_network_send(int fd, in_port_t port)
{
	struct sockaddr_in address = address_of(port);

	(void)sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof(address));
}
