/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sudo_caller.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text/parse.h"

bool sudo_caller_find(uid_t *ret_user, gid_t *ret_group)
{
	const char *user = getenv("SUDO_UID"), *group = getenv("SUDO_GID");
	int32_t uid, gid;

	if (geteuid() != 0 || !user || !group || parse_pid(user, &uid) < 0 ||
	    parse_pid(group, &gid) < 0)
		return false;
	*ret_user = (uid_t)uid;
	*ret_group = (gid_t)gid;
	return true;
}
