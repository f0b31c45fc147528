/* SPDX-License-Identifier: MIT */
/* A dataset made ready as a request wants it, and what comes of it as files. Called by debye-cli prepare and
 * by preparation.c. */
#pragma once

#include "data/settings/request.h"
#include "app/analysis/titration/titration_run.h"
#include "data/trajectory/dataset.h"
#include "prepare_settings.h"

/* What a titration by Poisson-Boltzmann needs beside the request. */
typedef struct {
  const DebyeRegistry *registry;      /* NULL: nothing is solved, for there is `kept` */
  const DebyeRunCallbacks *callbacks; /* NULL: none */
  DebyeTitrationResult **result;      /* gets it, or NULL where none was asked for; NULL: not wanted */
  DebyeTitrationResult *kept;         /* of these settings but the pH, used instead; NULL: none */
} DebyePrepareTitration;

/* `states`: path of the file of chosen states; NULL: none. The dataset has its choices already. Errors name the dataset's
 * file, the residue and what can be done. */
DebyePrepared *debye_prepare_job_run(DebyeRequest *request, DebyeDataset *dataset, const char *states,
                                     const DebyePrepareTitration *titration, GError **error);

/* DebyeLigand of each file that the request names. */
GPtrArray *debye_prepare_job_read_ligands(DebyeRequest *request, GError **error);

/* The result of the titration alone, of a request that names its files itself. */
DebyeResult *debye_prepare_job_titrate(DebyeRequest *request, DebyeDataset *dataset,
                                       const DebyeRegistry *registry, const DebyeRunCallbacks *callbacks,
                                       GError **error);

/* One of the file's models, from 1. */
DebyeFrame *debye_prepare_job_read_model(DebyeDataset *dataset, gint64 model, GError **error);

/* Each output in the format of its extension; comments begin with the request. */
gboolean debye_prepare_job_save(const DebyePrepared *prepared, const char *const *outputs, GError **error);
gboolean debye_prepare_job_save_report(const DebyePrepared *prepared, DebyeRequest *request, const char *path,
                                       GError **error);
