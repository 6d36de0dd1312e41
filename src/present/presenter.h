/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The presenters, one file each; presenter.c lists them. The contract is in ftwait/report.h.
 */
#pragma once

#include "ftwait/record.h"
#include "ftwait/report.h"

extern const struct presenter text_presenter;
extern const struct presenter json_presenter;
extern const struct presenter csv_presenter;
extern const struct presenter folded_presenter;
extern const struct presenter dot_presenter;
