/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of control groups, from their paths. The short name is what tables show: the systemd unit
 * and what is below it, or the last component; long ids of containers are cut to the 12 digits that
 * container tools show.
 *
 *	/system.slice/nginx.service                  nginx.service
 *	/system.slice/db.service/workers             db.service/workers
 *	/system.slice/docker-0123456789abcdef...scope  docker-0123456789ab
 *	/docker/0123456789abcdef...                  docker/0123456789ab
 *	/kubepods/burstable/pod1234.../0123456...    pod1234.../0123456789ab
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"

/* Appends the short name; the bytes are those of the path, so they may be any but NUL. */
void control_group_name_append(struct buffer *to, const char *path);
/*
 * Whether the glob matches the group, or one that contains it: by its path or by the last component
 * of that. The root contains all groups, and is matched only as itself.
 */
bool control_group_matches(const char *path, const char *glob);
