/* SPDX-License-Identifier: MIT */
/* A structure made ready for a window or a session: what it was made of, how, what was decided, and the file that it lies in.
 * That file (PQR, in the cache, named after what it is made of) is what analyses open, so that a command line that repeats a
 * result names it as any other; sessions make it anew. Immutable; made on a worker by window_opening.c and
 * document_session.c. */
#pragma once

#include "app/analysis/prepare/prepare_job.h"
#include "data/prepare/prepare_survey.h"
#include "data/prepare/prepared_result.h"
#include "data/settings/request.h"
#include "data/trajectory/dataset.h"
#include "preparation_states.h"

#define DEBYE_TYPE_PREPARATION (debye_preparation_get_type())
G_DECLARE_FINAL_TYPE(DebyePreparation, debye_preparation, DEBYE, PREPARATION, GObject)

/* What is to be done. */
typedef struct {
  DebyeRequest *request; /* of debye_prepare_settings */
  GPtrArray *states;     /* DebyePreparationState: what a person decided; NULL: nothing */
  gboolean
      leaves_out_unknown; /* residues that the table doesn't know, unless the request says what to keep */
  /* Of titrations by Poisson-Boltzmann: */
  DebyePreparation
      *titrated; /* whose titration is used again if it is of these settings but the pH; NULL: none */
  const DebyeRegistry *registry;      /* NULL: none can be solved */
  const DebyeRunCallbacks *callbacks; /* while it is solved; NULL: none */
} DebyePreparationOrder;

/* `origin`: the dataset as its files have it. Errors name its file, the residue and what can be done, or the file that can't be
 * written. `progress` is asked between the steps: where it gives FALSE this is G_IO_ERROR_CANCELLED. */
DebyePreparation *debye_preparation_run(DebyeDataset *origin, const DebyePreparationOrder *order,
                                        DebyeProgressFunc progress, gpointer data, GError **error);

DebyeDataset *debye_preparation_get_origin(DebyePreparation *self);
/* The prepared structure. */
DebyeDataset *debye_preparation_get_dataset(DebyePreparation *self);
const DebyePrepared *debye_preparation_get_prepared(DebyePreparation *self);
/* As it was made; residues that were left out are in it. */
DebyeRequest *debye_preparation_get_request(DebyePreparation *self);
/* Whether its titration by Poisson-Boltzmann is that of the request: of all settings but the pH. */
gboolean debye_preparation_is_of(DebyePreparation *self, DebyeRequest *request);
/* What the request keeps is not a person's choice: it only leaves out what the table doesn't know. */
gboolean debye_preparation_keeps_known(DebyePreparation *self);
GPtrArray *debye_preparation_get_states(DebyePreparation *self);
const char *debye_preparation_get_command(DebyePreparation *self); /* that makes it */
const char *debye_preparation_get_version(DebyePreparation *self); /* of the program that made it */

/* "pH 7 · 315 atoms added · total charge 0 e · 20 waters left out · HEM PO4 left out"; translated. */
char *debye_preparation_describe(DebyePreparation *self);

/* Its titration by Poisson-Boltzmann; NULL: it has none. */
const DebyeTitrationResult *debye_preparation_get_titration(DebyePreparation *self);
/* Its curves, of the structure that solved them; NULL: they were taken from another one, or there are none. */
DebyeResult *debye_preparation_get_solved(DebyePreparation *self);

/* Whose radii its atoms have, as a message's argument: "AMBER's radii". */
const char *debye_preparation_name_radii(DebyePreparation *self);

/* As a session keeps it: settings, states, titration, version. (transfer floating) */
GVariant *debye_preparation_save(DebyePreparation *self);
/* The same again, from the session's value. */
DebyePreparation *debye_preparation_load(DebyeDataset *origin, GVariant *saved, GError **error);
