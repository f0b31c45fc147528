/* SPDX-License-Identifier: MIT */
/* What the tests of maps share: fields whose values are known, and a folder that goes with the test. */
#pragma once

#include "data/results/field.h"
#include "data/results/result.h"

/* A folder below the temporary one; remove it with map_support_remove_folder. */
char *map_support_make_folder(void);
void map_support_remove_folder(char *folder);
char *map_support_write(const char *folder, const char *name, const char *text, gssize length);

/* 20 × 18 × 7 points (more planes than the writers take at once) with values of all sizes; skew or along x,
 * y, z. */
DebyeField *map_support_make_field(gboolean skew);
void map_support_assert_same_values(DebyeField *field, DebyeField *expected);
/* Origin and steps within `tolerance` Å. */
void map_support_assert_same_grid(DebyeField *field, DebyeField *expected, double tolerance);

extern const DebyeSettingTable map_support_table;
const DebyeSettingTable *map_support_find_table(const char *id);

/* Sets the locale to de_DE.UTF-8, made with localedef where the system lacks it; FALSE where that can't be
 * done. */
gboolean map_support_set_german(const char *folder);
