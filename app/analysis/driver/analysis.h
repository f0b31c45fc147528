/* SPDX-License-Identifier: MIT */
/* An analysis is one constant struct: its settings table and four functions. The window and the command line
 * know no more of it than this. */
#pragma once

#include "data/trajectory/dataset.h"
#include "data/results/result.h"
#include "kernels/registry.h"
#include "ranks.h"

G_BEGIN_DECLS

typedef struct {
  double seconds; /* of the whole run */
  guint64 host_bytes, device_bytes;
  char *devices; /* "NVIDIA H200 + 16 cores" */
} DebyeEstimate;

void debye_estimate_clear(DebyeEstimate *estimate);

/* How a run tells its caller what happens. Called from any one thread at a time; `result` is a complete
 * object to keep. Any may be NULL. */
typedef struct {
  const volatile bool *cancel;
  void (*progress)(double fraction, const char *message, gpointer data);
  void (*partial)(DebyeResult *result, gpointer data);
  gpointer data;
} DebyeRunCallbacks;

typedef struct {
  DebyeDataset *dataset;
  DebyeRequest *request;
  const DebyeRegistry *registry;
  const DebyeRunCallbacks *callbacks;
  const DebyeRanks *ranks; /* that do the run together; NULL: this process alone */
} DebyeRunInput;

typedef struct {
  const DebyeSettingTable *table;
  /* What is asked is of the solute, where there is one: a window then chooses its atoms to begin with. */
  gboolean about_solute;
  /* What a form says about the result beforehand, one line to be translated and freed; NULL: nothing. */
  char *(*remark)(DebyeRequest *request);
  /* Fills settings that depend on the data (grid spacing by size …), those not set by the user only. */
  void (*suggest)(DebyeDataset *dataset, DebyeRequest *request);
  /* What would be refused, known before the run; error texts begin with the setting's label where one is the
   * cause, and *key (where not NULL) names it. */
  gboolean (*check)(DebyeDataset *dataset, DebyeRequest *request, const char **key, GError **error);
  gboolean (*estimate)(const DebyeRunInput *input, DebyeEstimate *estimate, GError **error);
  /* The result; a cancelled run that has something gives it, marked partial. */
  DebyeResult *(*run)(const DebyeRunInput *input, GError **error);
} DebyeAnalysis;

/* How a note of a result begins that is a warning. */
#define DEBYE_NOTE_WARNING "Warning: "

/* What 1 e/Å is in `unit` (a choice of the setting “unit”) at `temperature` (K); NAN for an unknown name. */
double debye_potential_unit_factor(const char *unit, double temperature);

G_END_DECLS
