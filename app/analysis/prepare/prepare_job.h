/* SPDX-License-Identifier: MIT */
/* A dataset made ready as a request wants it, and what comes of it as files. Called by debye-cli prepare and
 * by preparation.c. */
#pragma once

#include "data/settings/request.h"
#include "data/trajectory/dataset.h"
#include "prepare_settings.h"

G_BEGIN_DECLS

/* `states`: path of the file of chosen states; NULL: none. The dataset has its choices already. Errors name the dataset's
 * file, the residue and what can be done. */
DebyePrepared *debye_prepare_job_run(DebyeRequest *request, DebyeDataset *dataset, const char *states,
                                     GError **error);

/* DebyeLigand of each file that the request names. */
GPtrArray *debye_prepare_job_read_ligands(DebyeRequest *request, GError **error);

/* One of the file's models, from 1. */
DebyeFrame *debye_prepare_job_read_model(DebyeDataset *dataset, gint64 model, GError **error);

/* Each output in the format of its extension; comments begin with the request. */
gboolean debye_prepare_job_save(const DebyePrepared *prepared, const char *const *outputs, GError **error);
gboolean debye_prepare_job_save_report(const DebyePrepared *prepared, DebyeRequest *request, const char *path,
                                       GError **error);

G_END_DECLS
