/* SPDX-License-Identifier: MIT */
/* Which atoms frames are superposed by, and with which weights: the settings “superpose” and
 * “superpose-weights”. */
#pragma once

#include "common_settings.h"
#include "data/molecule/frame.h"
#include "data/molecule/topology.h"
#include "data/results/result.h"
#include "data/selection/selection.h"

/* The words of the setting “superpose” that are no selection of their own. */
#define DEBYE_SUPERPOSE_SOLUTE "solute"
#define DEBYE_SUPERPOSE_NONE "none"

typedef struct {
  DebyeSelection *selection; /* NULL: nothing is superposed */
  gboolean by_mass;
  const char *obstacle; /* why not, though it was asked for or is usual; NULL: there is no reason to tell */
} DebyeSuperposeChoice;

void debye_superpose_choice_clear(DebyeSuperposeChoice *choice);

/* Fills *choice (all zero before). Nothing and “none” superpose nothing; “solute” does nothing where there is
 * no solute or it spans the cell of `first`. A setting that is unset counts with its default. */
gboolean debye_superpose_choice_init(DebyeSuperposeChoice *choice, const DebyeSuperposeSettings *settings,
                                     DebyeTopology *topology, const DebyeFrame *first, GError **error);
/* Why nothing is superposed by a setting's text: it is “solute”, and there is none or it spans the cell of
 * `first`. NULL: there is no reason. */
const char *debye_superpose_find_obstacle(const char *text, DebyeTopology *topology, const DebyeFrame *first);
/* What was superposed, or why nothing was: a warning where somebody asked for it. */
void debye_superpose_choice_add_note(const DebyeSuperposeChoice *choice,
                                     const DebyeSuperposeSettings *settings, DebyeResult *result);
/* As the setting “superpose” says it. */
const char *debye_superpose_choice_get_text(const DebyeSuperposeChoice *choice);
