/* SPDX-License-Identifier: MIT */
/* One quantity has one colour scale in a scene: layers in the colours of maps of the same quantity and unit have the same
 * limits, unless their property "shares-limits" is FALSE. Called by scene.c. */
#pragma once

#include <gio/gio.h>

/* Of a list of DebyeLayer, for as long as it lives. A layer that comes takes the limits of those that are there; if its own
 * were set, those take its limits. */
void debye_shared_limits_keep(GListModel *layers);
