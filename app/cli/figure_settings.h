/* SPDX-License-Identifier: MIT */
/* The settings table of debye-cli figure; used by command_figure.c. */
#pragma once

#include "data/settings/request.h"
#include "render/plot/figure.h"

G_BEGIN_DECLS

extern const DebyeSettingTable debye_figure_settings;

/* From a request of that table. */
void debye_figure_style_from_request(DebyeFigureStyle *style, DebyeRequest *request);

G_END_DECLS
