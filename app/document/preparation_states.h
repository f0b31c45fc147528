/* SPDX-License-Identifier: MIT */
/* The states of residues that a person chose of a prepared structure. Used by preparation.c and app/preparing. */
#pragma once

#include <glib.h>

/* A residue as reports name it, "ASP 52", its chain and AMBER's name of its state. */
typedef struct {
  char *chain, *residue, *state;
} DebyePreparationState;

/* (element-type DebyePreparationState) */
GPtrArray *debye_preparation_states_new(void);
/* A copy in which the residue has this state; NULL: none was chosen. `states` NULL: empty. */
GPtrArray *debye_preparation_states_with(GPtrArray *states, const char *chain, const char *residue,
                                         const char *state);

/* As debye-cli prepare --states reads it. Free with g_free. */
char *debye_preparation_states_to_csv(GPtrArray *states);

/* As a session keeps them (transfer floating), and the same again; what isn't whole is left out. */
GVariant *debye_preparation_states_save(GPtrArray *states);
GPtrArray *debye_preparation_states_load(GVariant *saved);
