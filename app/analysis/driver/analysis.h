/* SPDX-License-Identifier: MIT */
/* An analysis is one constant struct: its settings table, its words and a few functions. The window and the command
 * line know no more of it than this. */
#pragma once

#include "data/trajectory/dataset.h"
#include "data/results/result.h"
#include "kernels/registry.h"
#include "ranks.h"

typedef struct {
  double seconds; /* of the whole run */
  guint64 host_bytes, device_bytes;
  char *devices; /* "NVIDIA H200 + 16 cores" */
  gboolean is_accelerated;
  gboolean is_of_runs; /* from times of whole runs, not from scores of kernels */
} DebyeEstimate;

/* Reading time per atom and frame of a compressed trajectory: tests/bench/RESULTS.md. */
#define DEBYE_READ_SECONDS 2e-8

void debye_estimate_clear(DebyeEstimate *estimate);

/* How a run tells its caller what happens. Called from any one thread at a time; `result` is a complete
 * object to keep. Any may be NULL. */
typedef struct {
  const volatile bool *cancel;
  void (*progress)(double fraction, const char *message, gpointer data);
  void (*partial)(DebyeResult *result, gpointer data);
  gpointer data;
  DebyeStages *stages; /* the caller's clock, which the run goes on with; NULL: the run has one of its own */
} DebyeRunCallbacks;

typedef struct _DebyeAnalysis DebyeAnalysis;

/* What a request comes to with a dataset, found once for the form, the estimate and the run: the completed settings, or why
 * it can't be run. Made on a worker thread; used by one thread at a time, and run once. */
typedef struct {
  const DebyeAnalysis *analysis;
  DebyeDataset *dataset;
  DebyeRequest *request; /* the plan's own: what the data suggest is filled in */
  gpointer own;          /* the analysis' part, of its plan_size */
  GError
      *refusal; /* NULL: it can be run. The text begins with the setting's label where one is the cause … */
  const char *key; /* … and this is that setting; or NULL */
} DebyePlan;

DebyePlan *debye_plan_new(const DebyeAnalysis *analysis, DebyeDataset *dataset, DebyeRequest *request);
void debye_plan_free(DebyePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyePlan, debye_plan_free)

typedef struct {
  DebyeDataset *dataset;
  DebyeRequest *request;
  const DebyeRegistry *registry;
  const DebyeRunCallbacks *callbacks;
  DebyeStages *stages;     /* the clock of the thread that leads the run */
  const DebyeRanks *ranks; /* that do the run together; NULL: this process alone */
} DebyeRunInput;

/* What debye-cli has to say of an analysis: with its table, all that its command, help and manual page are made from. */
typedef struct {
  const char *operands;        /* NULL: "FILE..." */
  const char *summary;         /* one line, no full stop */
  const char *description;     /* paragraphs, separated by empty lines */
  const char *const *examples; /* command lines, NULL-terminated */
  gboolean makes_curves;       /* which it can draw; otherwise maps */
  gboolean can_share;          /* its work with other processes that mpirun started */
} DebyeAnalysisCommand;

struct _DebyeAnalysis {
  const DebyeSettingTable *table;
  const DebyeAnalysisCommand *command; /* of the table's id */
  /* What is asked is of the solute, where there is one: a window then chooses its atoms to begin with. */
  gboolean about_solute;
  /* What is asked is of the setting “pair”: a window then begins with the pair that the system suggests. */
  gboolean about_pair;
  /* What a form says about the result beforehand, one line to be translated and freed; NULL: nothing. */
  char *(*remark)(DebyeRequest *request);
  /* The analysis' part of a plan, all zero before: completes plan->request where the data suggest something and fills
   * `own`, which may borrow from the plan. FALSE with an error, and plan->key where a setting is the cause. */
  gsize plan_size;
  gboolean (*plan)(gpointer own, DebyePlan *plan, GError **error);
  void (*plan_clear)(gpointer own);
  /* What a run would cost on the devices that the request asks for. */
  gboolean (*estimate)(gpointer own, const DebyePlan *plan, const DebyeRegistry *registry,
                       DebyeEstimate *estimate, GError **error);
  /* The result; a cancelled run that has something gives it, marked partial. `input` is of the plan. */
  DebyeResult *(*run)(gpointer own, const DebyeRunInput *input, GError **error);
};

/* Of a plan that isn't refused; the error otherwise. */
gboolean debye_plan_estimate(DebyePlan *plan, const DebyeRegistry *registry, DebyeEstimate *estimate,
                             GError **error);
DebyeResult *debye_plan_run(DebyePlan *plan, const DebyeRegistry *registry,
                            const DebyeRunCallbacks *callbacks, const DebyeRanks *ranks, GError **error);
