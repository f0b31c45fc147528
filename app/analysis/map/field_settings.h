/* SPDX-License-Identifier: MIT */
/* The settings of what is made of maps that exist: differences, profiles, lines. They are no analysis of
 * atoms, so they have a form of their own in the window and a command of their own, `debye-cli field`. */
#pragma once

#include "data/geometry.h"
#include "data/settings/setting.h"

typedef enum {
  DEBYE_FIELD_PROFILE_NONE,
  DEBYE_FIELD_PROFILE_X,
  DEBYE_FIELD_PROFILE_Y,
  DEBYE_FIELD_PROFILE_Z,
} DebyeFieldProfile;

typedef struct {
  const char *subtract; /* file */
  DebyeFieldProfile profile;
  DebyeVec3 line_from, line_to;
  gboolean has_line_from, has_line_to;
  gint64 points;
} DebyeFieldSettings;

extern const DebyeSettingTable debye_field_table;
