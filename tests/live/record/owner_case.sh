#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Under sudo the file belongs to the user who called it.
. "$(dirname "$0")/prelude.sh"

[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
SUDO_UID=1234 SUDO_GID=2345 "$FTWAIT" record -o a.dat true 2> errors
expect "status 0" [ $? -eq 0 ]
expect "owner" [ "$(stat -c %u:%g a.dat)" = 1234:2345 ]
finish
