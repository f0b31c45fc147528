/* SPDX-License-Identifier: MIT */
/* A map's slices dealt cyclically, as the lecture does with several GPUs: of n devices, device k mod n sums slice k, on a host
 * thread of its own. Without a GPU the processor's threads stand for devices. Debye's own lanes (kernels/lanes.h) give
 * a faster device more instead. Called by the class room and debye-cli bench --slices. */
#pragma once

#include "bench.h"

#define DEBYE_BENCH_DEAL_MAX 16 /* devices */
/* The lecture counts a reciprocal square root as two. */
#define DEBYE_BENCH_DEAL_OPERATIONS 7.375

/* What the lecture found with several GPUs together. */
typedef struct {
  const char *device;      /* NULL: its document doesn't state it */
  guint n_devices;         /* 0: likewise */
  double rate, operations; /* evaluations and operations a second */
  double times, watts;     /* as fast as one core of its processor; 0: it has no figure */
} DebyeBenchDealLecture;
extern const DebyeBenchDealLecture debye_bench_deal_lecture[3];

/* The lecture's placement of ions around a virus, in seconds. */
#define DEBYE_BENCH_DEAL_VIRUS_CPU (110.0 * 3600.0)
#define DEBYE_BENCH_DEAL_VIRUS_GPU (1.35 * 3600.0)
#define DEBYE_BENCH_DEAL_VIRUS_THREE (27.0 * 60.0)
/* Evaluations of it, which the lecture doesn't state: its time on three GPUs at their rate. */
#define DEBYE_BENCH_DEAL_VIRUS (DEBYE_BENCH_DEAL_VIRUS_THREE * 117e9)

typedef struct {
  guint run, slice, device; /* all from 0 */
  double begin, end;        /* s, since the run began */
} DebyeBenchDealSlice;

typedef struct {
  guint n_devices, n_slices;
  double seconds, rate; /* evaluations a second */
  double watts;         /* of the GPUs together; 0: not known */
  double error;         /* as in DebyeBenchResult */
} DebyeBenchDealRun;

typedef struct DebyeBenchDeal DebyeBenchDeal;

/* `charges` NULL: made-up ones. The grid has as many points as one device sums in some 2 s. `devices` (borrowed): GPUs among
 * them are dealt to, one alone together with the processor; if there are none, `n_threads` of the processor's threads are.
 * NULL with an error. */
DebyeBenchDeal *debye_bench_deal_new(const DebyeDeviceEntry *const *devices, gsize n_devices, guint n_threads,
                                     const DebyeCharges *charges, const volatile bool *cancel,
                                     GError **error);
void debye_bench_deal_free(DebyeBenchDeal *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeBenchDeal, debye_bench_deal_free)

guint debye_bench_deal_get_n_devices(const DebyeBenchDeal *self);
/* "cuda:0", "cpu", or of the processor's threads, from 1, "cpu 1"; lasts as long as the deal. */
const char *debye_bench_deal_get_id(const DebyeBenchDeal *self, guint device);
gboolean debye_bench_deal_is_threads(const DebyeBenchDeal *self);
const DebyeBenchProblem *debye_bench_deal_get_problem(const DebyeBenchDeal *self);
/* How many devices a run is made with, ascending from 1 to all; returns their number. */
guint debye_bench_deal_list(const DebyeBenchDeal *self, guint counts[DEBYE_BENCH_DEAL_MAX]);

/* Evaluations a second of one thread of the processor alone, measured. */
double debye_bench_deal_get_thread_rate(const DebyeBenchDeal *self);

/* Called on the caller's thread, in the order in which they end. May be NULL. */
typedef void (*DebyeBenchDealFunc)(const DebyeBenchDealSlice *slice, gpointer data);
/* All slices by the first `n_devices`. FALSE with an error. */
gboolean debye_bench_deal_run(DebyeBenchDeal *self, guint number, guint n_devices, DebyeBenchDealRun *run,
                              DebyeBenchDealFunc ended, gpointer data, GError **error);

/* Evaluations of a placement of ions by the direct sum: a protein's density of atoms, on a grid of this spacing (Å) over
 * their volume. */
double debye_bench_deal_count_ions(double n_atoms, double spacing);
