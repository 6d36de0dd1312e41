/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "version.h"

const char ftwait_version[] = FTWAIT_VERSION;
