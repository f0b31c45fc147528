/* SPDX-License-Identifier: MIT */
/* The cell that counts: the files', none, or one that a person gives. */
#pragma once

#include "data/molecule/frame.h"

#define DEBYE_CELL_OF_FILE "file"

typedef struct {
  gboolean is_of_file;
  gboolean has_cell; /* where it isn't the file's */
  DebyeCell cell;
} DebyeCellChoice;

/* "file", "none", "a,b,c" or "a,b,c,alpha,beta,gamma" in Å and degrees (90 where they aren't given): a along
 * x, b in the xy plane. DEBYE_ERROR_SETTING for anything else, and for numbers that describe no cell. */
gboolean debye_cell_choice_parse(const char *text, DebyeCellChoice *choice, GError **error);
/* Gives the frame the chosen cell. Coordinates stay as they are. */
void debye_cell_choice_apply(const DebyeCellChoice *choice, DebyeFrame *frame);
