/* SPDX-License-Identifier: MIT */
/* What the class room measures, as jobs: a family of teaching variants, one after the other on each device;
 * the methods on growing volumes; bins of many sizes; Born's ion; the intensity from more and more
 * orientations. Each publishes what it has after every measurement. */
#pragma once

#include "app/bench/bench_deal.h"
#include "app/bench/bench_ladder.h"
#include "bin_statistics.h"
#include "data/trajectory/dataset.h"
#include "data/results/result.h"
#include "app/installation/devices.h"
#include "app/jobs/job.h"
#include "render/plot/plot.h"

/* Texts of devices and variants last as long as the program. */
typedef struct {
  const char *id, *name;
  DebyeLadderLimits limits;
} DebyeClassroomDevice;

typedef struct {
  const char *id;                      /* of its variant; NULL: the class's own */
  const char *title, *lesson, *device; /* device: its id */
  const char *source;                  /* for debye_ladder_source_text, or NULL */
  DebyeLadderFigure lecture;
  guint number; /* on its device in its lesson, from 1 */
  DebyeLadderKind kind;
  gboolean is_gpu, is_race, is_recorded;            /* recorded: on another machine */
  double rate, operations, share, error, intensity; /* as in DebyeBenchResult, as are: */
  double seconds, overflow, kernel_seconds, overflow_seconds;
  DebyeLadderResources resources;         /* of a GPU; all 0: not known */
  double watts, clock;                    /* as in DebyeBenchPower */
  double first_launch, copy_in, copy_out; /* as in DebyeLadderTimes */
  double whole;                           /* as in DebyeBenchResult */
  double spread;          /* of the repeats: the slowest less the fastest, of the fastest; 0: not known */
  double reciprocal_roof; /* operations a second if each evaluation waits for one 1/√x; 0: it needs none */
} DebyeClassroomStep;

typedef struct {
  const char *title, *device;
  gboolean loses_counts;
  double lost; /* share of all pairs */
  DebyeBenchCounts counts;
} DebyeClassroomCount;

typedef struct {
  DebyePotentialMethod method;
  const char *device;     /* its id */
  double volume, seconds; /* Å³, s */
} DebyeClassroomTime;

/* What the lecture takes, and of bins with that edge how many have 0, 1, 2, … atoms. */
typedef struct {
  double edge, cutoff, spacing; /* Å */
  guint capacity;
  double within; /* atoms within the cutoff of an atom, on average */
  guint fullest;
} DebyeClassroomBinChoice;

typedef struct {
  double edge; /* Å */
  DebyeBinNeighbours neighbours;
  double mean, covered, filled; /* as in DebyeBinFilling */
} DebyeClassroomBins;

/* An ion in a solvent with a 1:1 salt, classroom_born.c. */
typedef struct {
  double radius;       /* Å */
  double strength;     /* of the salt, mol/l */
  double permittivity; /* of the solvent */
  double spacing;      /* of the grid, Å */
} DebyeClassroomBornChoice;

/* A batch of transforms of a(t) = exp(i q·r(t)), classroom_batches.c. */
typedef struct {
  gsize n_frames, n_vectors, n_atoms; /* of all that scatters */
  gsize block;                        /* atoms of a batch */
  double memory;                      /* of a GPU, bytes */
} DebyeClassroomBatchChoice;
#define DEBYE_CLASSROOM_GIB 1073741824.0

typedef struct {
  double x, y;
} DebyeClassroomPoint;

/* What was measured so far; a copy is published each time, and never changed afterwards. */
#define DEBYE_TYPE_CLASSROOM_RECORD (debye_classroom_record_get_type())
G_DECLARE_FINAL_TYPE(DebyeClassroomRecord, debye_classroom_record, DEBYE, CLASSROOM_RECORD, GObject)

struct _DebyeClassroomRecord {
  GObject parent_instance;
  char *subject;     /* one sentence: what it was measured on */
  GArray *devices;   /* DebyeClassroomDevice */
  GArray *steps;     /* DebyeClassroomStep */
  GArray *counts;    /* DebyeClassroomCount, of the steps of a ladder of pairs, in their order */
  GArray *times;     /* DebyeClassroomTime */
  GPtrArray *curves; /* DebyeCurve: intensities, the exact average first */
  DebyeClassroomBinChoice choice;
  GArray *bins;      /* DebyeClassroomBins, by edge */
  GArray *within;    /* DebyeClassroomPoint: cutoff in Å, atoms within it of an atom */
  GArray *bins_with; /* guint64, of the choice */
  GPtrArray *parts;  /* DebyeMatrix: maps of what 1/d is split into (classroom_levels.h); empty: not yet */
  DebyeClassroomBornChoice born;
  double born_energy;     /* of solvation on the grid, kJ/mol */
  GArray *born_potential; /* DebyeClassroomPoint: distance in Å, kT/e on the grid */
  GArray *born_energies;  /* DebyeClassroomPoint: radius in Å, kJ/mol on the grid */
  DebyeClassroomBatchChoice batch;
  const char *batch_gpu;   /* a GPU that is here, NULL: there is none, */
  double batch_gpu_memory; /* and its bytes */
  GArray *dealings;        /* DebyeBenchDealRun: slices dealt to one device, then to more */
  GArray *slices;          /* DebyeBenchDealSlice: those of these that have ended, and of the run under way */
  double thread_rate;      /* evaluations a second of one of the processor's threads */
  gboolean is_threads;     /* its threads stand for devices */
  guint n_slices;          /* of the map */
  /* Of the class's own kernel: a message; NULL: the record is of something else. Of a kernel that is right, its step is the
   * record's only one. */
  char *verdict;
  guint verdict_line;    /* of the compiler's first error; 0: none */
  DebyePlot *design;     /* of a sweep over a kernel's choices, so far; NULL: none */
  GVariant *design_kept; /* what a session keeps of it */
  gboolean is_found;     /* some point of it was right */
  GPtrArray *remarks;    /* (element-type utf8) messages: recordings that could not be read */
};

/* The device's name, and its id where another one is called the same. */
char *debye_classroom_record_name_device(DebyeClassroomRecord *self, const char *id);

/* Of the cutoff's variants, as in the lecture. */
#define DEBYE_CLASSROOM_CUTOFF 12.0 /* Å */
#define DEBYE_CLASSROOM_SPACING 0.5

/* `dataset` and `frame` NULL: on made-up charges. */
DebyeJob *debye_classroom_ladder_job_new(DebyeDevices *devices, DebyeDataset *dataset, DebyeFrame *frame,
                                         DebyeLadderKind kind);
/* One step more than `before` has (NULL: the first), of the fastest device alone; its result has those of `before` as
 * well, and none more after the last step. */
DebyeJob *debye_classroom_step_job_new(DebyeDevices *devices, DebyeDataset *dataset, DebyeFrame *frame,
                                       DebyeLadderKind kind, DebyeClassroomRecord *before);
/* The class's own kernel, made from the variant whose source is `base`, in the same language: compiled, held against sums in
 * double, and timed. `macros` (NULL: none) are "TILE=128" for each that isn't the text's own. `axes` (NULL: none), as those of
 * --sweep ("tile=64,128"), at most two: the same for each point, and the record has their plot, and the fastest as its verdict. */
DebyeJob *debye_classroom_source_job_new(DebyeDevices *devices, DebyeDataset *dataset, DebyeFrame *frame,
                                         DebyeLadderKind kind, const char *base, const char *text,
                                         const char *const *macros, const char *const *axes);
/* Whether scattering's variants are measured on the dataset's courses; else these are made up, too. */
gboolean debye_classroom_has_courses(DebyeDataset *dataset);
DebyeJob *debye_classroom_volume_job_new(DebyeDevices *devices);
/* A map's slices dealt cyclically to one device, then to more; `dataset` and `frame` NULL: on made-up charges. */
DebyeJob *debye_classroom_slice_job_new(DebyeDevices *devices, DebyeDataset *dataset, DebyeFrame *frame);
/* At once: the record with all runs; `progress` (may be NULL) publishes it as slices end. `charges` as in
 * debye_bench_deal_new; `subject` is one sentence about them. NULL with an error. */
DebyeClassroomRecord *debye_classroom_deal_slices(const DebyeDeviceEntry *const *devices, gsize n_devices,
                                                  guint n_threads, const DebyeCharges *charges,
                                                  const char *subject, const volatile bool *cancel,
                                                  DebyeJob *progress, GError **error);
/* Of run `number`, from 0, whose slices may not all have ended. */
DebyePlot *debye_classroom_plot_slices(DebyeClassroomRecord *record, guint number);
DebyePlot *debye_classroom_plot_dealings(DebyeClassroomRecord *record);
/* How long ions would take at this grid spacing (Å), against the number of atoms, of which `n_atoms` is marked. */
DebyePlot *debye_classroom_plot_ions(DebyeClassroomRecord *record, double spacing, double n_atoms);
/* How atoms fill bins of many sizes, `choice` among them; without devices. */
#define DEBYE_CLASSROOM_LEAST_EDGE 2.0 /* Å */
#define DEBYE_CLASSROOM_LAST_EDGE 12.0
#define DEBYE_CLASSROOM_LEAST_CUTOFF 2.0
#define DEBYE_CLASSROOM_LAST_CUTOFF 24.0
#define DEBYE_CLASSROOM_LEAST_SPACING 0.1
#define DEBYE_CLASSROOM_LAST_SPACING 2.0
extern const DebyeClassroomBinChoice debye_classroom_lecture_bins;
/* At once, of these coordinates (Å, finite); `progress` may be NULL. */
DebyeClassroomRecord *debye_classroom_count_bins(const char *subject, const float *const coordinates[3],
                                                 gsize n_atoms, const DebyeClassroomBinChoice *choice,
                                                 DebyeJob *progress);
/* The chosen edge; NULL: bins of it are too many. */
const DebyeClassroomBins *debye_classroom_record_find_bins(DebyeClassroomRecord *self);
/* The largest edge up to which 95 % of the atoms have a slot; 0: none. */
double debye_classroom_record_find_largest_edge(DebyeClassroomRecord *self);
DebyeJob *debye_classroom_bin_job_new(DebyeDataset *dataset, DebyeFrame *frame,
                                      const DebyeClassroomBinChoice *choice);
/* Born's ion: the equation solved for the choice, then for other radii; beside it the formula's energy of solvation (kJ/mol)
 * and its potential at a distance of the radius and more (kT/e). */
#define DEBYE_CLASSROOM_LEAST_RADIUS 1.0 /* Å */
#define DEBYE_CLASSROOM_LAST_RADIUS 5.0
extern const DebyeClassroomBornChoice debye_classroom_usual_born;
DebyeJob *debye_classroom_born_job_new(DebyeDevices *devices, const DebyeClassroomBornChoice *choice);
/* At once. *energy on the grid; `points` (DebyeClassroomPoint, NULL: not wanted) gets the potential on the grid, from the
 * ion's surface outwards along x. */
gboolean debye_classroom_solve_born(const DebyeRegistry *registry, const DebyeClassroomBornChoice *choice,
                                    const volatile bool *cancel, double *energy, GArray *points,
                                    GError **error);
double debye_classroom_born_energy(const DebyeClassroomBornChoice *choice);
double debye_classroom_born_potential(const DebyeClassroomBornChoice *choice, double r);
DebyePlot *debye_classroom_plot_born_potential(DebyeClassroomRecord *record);
DebyePlot *debye_classroom_plot_born_energies(DebyeClassroomRecord *record);
/* Bytes that batches of transforms need: without a measurement; the job adds a GPU's memory if there is one. */
extern const DebyeClassroomBatchChoice debye_classroom_usual_batch;
DebyeClassroomRecord *debye_classroom_count_batches(const DebyeClassroomBatchChoice *choice);
DebyeJob *debye_classroom_batch_job_new(DebyeDevices *devices, const DebyeClassroomBatchChoice *choice);
double debye_classroom_batch_bytes(double n_atoms, gsize n_vectors, gsize n_frames);
/* "4 MiB", to be freed. */
char *debye_classroom_batch_write_bytes(const DebyeClassroomBatchChoice *choice, gsize n_atoms);
/* The most atoms of a batch that fit into the memory, and the most frames (up to 2³⁰) with the atoms of a block. */
double debye_classroom_batch_find_atoms(const DebyeClassroomBatchChoice *choice);
gsize debye_classroom_batch_find_frames(const DebyeClassroomBatchChoice *choice);
DebyePlot *debye_classroom_plot_batches_by_atoms(DebyeClassroomRecord *record);
DebyePlot *debye_classroom_plot_batches_by_frames(DebyeClassroomRecord *record);
/* Of the dataset's first frame. */
DebyeJob *debye_classroom_orientation_job_new(DebyeDevices *devices, DebyeDataset *dataset);
/* Of curve `number`, from 1, of that job's record. */
guint debye_classroom_count_directions(guint number);
/* The root mean square of a curve over the exact average at the same q up to `q_max` (1/Å), less one; NAN: it has no points
 * there. */
#define DEBYE_CLASSROOM_SMALL_Q 0.5 /* 1/Å: where few directions are enough */
double debye_classroom_find_deviation(DebyeCurve *curve, DebyeCurve *exact, double q_max);
