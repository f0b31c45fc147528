/* SPDX-License-Identifier: MIT */
/* One value of a plot's look as a row: a title, and an entry, a list or a switch by the kind of the setting. What is typed is
 * seen at once; what the grammar refuses is said once the hand rests. */
#pragma once

#include <adwaita.h>

#include "render/look/result_look.h"

#define DEBYE_TYPE_LOOK_ROW (debye_look_row_get_type())
G_DECLARE_FINAL_TYPE(DebyeLookRow, debye_look_row, DEBYE, LOOK_ROW, AdwPreferencesRow)

/* `key` is of debye_style_table. `hint` stands in the empty entry; NULL: nothing. */
GtkWidget *debye_look_row_new(DebyeResultLook *look, const char *key, const char *title, const char *hint);
/* Another hint in the row's entry. */
void debye_look_row_set_hint(DebyeLookRow *self, const char *hint);
/* A list in place of the entry: values and what they are called, ended by NULL. The first choice is as it is by itself. */
void debye_look_row_set_choices(DebyeLookRow *self, const char *const *values, const char *const *labels);
/* The row is one half of a value with a comma: what is before it, or what is behind it, which counts only beside the other. */
typedef enum { DEBYE_LOOK_WHOLE, DEBYE_LOOK_FIRST_HALF, DEBYE_LOOK_SECOND_HALF } DebyeLookHalf;
void debye_look_row_set_half(DebyeLookRow *self, DebyeLookHalf half);
