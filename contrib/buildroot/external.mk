# SPDX-License-Identifier: GPL-2.0-or-later
include $(BR2_EXTERNAL_FTWAIT_PATH)/ftwait.mk
