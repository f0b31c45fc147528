/* SPDX-License-Identifier: MIT */
/* A potential map that ions are put into, one after the other: it stays on its device, and so does the mask
 * of the points that are still open to an ion. Each ion takes one pass over the map, where computing the map
 * anew would take one for every charge.
 *
 * What an ion adds is q/max(d, core), d to its nearest image along the periodic axes; or, where the map is of
 * one cell that repeats along all three axes, q times a map of one unit charge, shifted cyclically to the
 * ion's point: exact for every method that can compute that map.
 *
 * All back ends agree to the last bit: every operation is one IEEE operation, fused ones are asked for by
 * name, and of equal extremes the one with the lowest index is taken. So the same map gives the same ions. */
#pragma once

#include "kernels/kernel_head.h"
#include "data/geometry.h"
#include "kernels/registry.h"

DEBYE_BEGIN_DECLS

typedef struct {
  DebyeGrid grid;
  double core_radius; /* Å, as of the map */
  unsigned periodic;  /* DEBYE_PERIODIC_* */
  DebyeCell cell;     /* where anything is periodic */
  bool has_unit_map;  /* ions add a shifted unit map and not q/d */
} DebyeIonFieldSettings;

typedef struct {
  size_t n_open; /* points that an ion can still be put on; with none there is no extreme */
  size_t index;  /* of the extreme */
  float value;
} DebyeIonExtreme;

/* The most centres that forbid is given at once. */
#define DEBYE_ION_FIELD_BATCH 1024

/* A back end's part; use it through DebyeIonField. Places are in the turned frame of the grid
 * (potential_math.h). A plan is used by one thread at a time. */
struct DebyeIonFieldKernel {
  DebyeKernelHead head;
  /* All points whose value is a finite number are open afterwards. */
  DebyeStatusCode (*set_map)(DebyeKernelPlan *plan, const float *map, DebyeStatus *status);
  DebyeStatusCode (*set_unit_map)(DebyeKernelPlan *plan, const float *map, DebyeStatus *status);
  /* Closes the points that are nearer than `distance` to one of the centres, which are taken without images. */
  DebyeStatusCode (*forbid)(DebyeKernelPlan *plan, const double (*centres)[3], size_t n, double distance,
                            DebyeStatus *status);
  DebyeStatusCode (*add_charge)(DebyeKernelPlan *plan, float charge, const double place[3],
                                DebyeStatus *status);
  DebyeStatusCode (*add_unit)(DebyeKernelPlan *plan, float charge, const size_t point[3],
                              DebyeStatus *status);
  /* Of the open points the one with the largest value of sign·V, sign 1 or −1. */
  DebyeStatusCode (*find_extreme)(DebyeKernelPlan *plan, int sign, DebyeIonExtreme *extreme,
                                  DebyeStatus *status);
  DebyeStatusCode (*get_map)(DebyeKernelPlan *plan, float *map, DebyeStatus *status);
};

DebyeStatusCode debye_ion_field_settings_check(const DebyeIonFieldSettings *settings, DebyeStatus *status);

typedef struct DebyeIonField DebyeIonField;

/* UNSUPPORTED where the device's back end has no such kernel. */
DebyeStatusCode debye_ion_field_create(const DebyeDeviceEntry *device, const DebyeIonFieldSettings *settings,
                                       DebyeIonField **field, DebyeStatus *status);
void debye_ion_field_destroy(DebyeIonField *field);

/* What is done with a field, on another thread; begun anew on the next device where it fails on one. */
typedef struct {
  DebyeStatusCode (*use)(void *data, const DebyeDeviceEntry *device, DebyeIonField *field,
                         DebyeStatus *status);
  void (*failed)(void *data, const DebyeDeviceEntry *device, const char *reason); /* at the end */
  void *data;
} DebyeIonFieldUse;

/* Uses a field on the first device that can, within `memory_limit` bytes (0: what it has). */
DebyeStatusCode debye_ion_field_use(const DebyeIonFieldSettings *settings, uint64_t memory_limit,
                                    const DebyeDeviceEntry *const *devices, size_t n_devices,
                                    const DebyeIonFieldUse *use, const volatile bool *cancel,
                                    DebyeStatus *status);

/* The grid's values, x fastest. */
DebyeStatusCode debye_ion_field_set_map(DebyeIonField *field, const float *map, DebyeStatus *status);
/* Of a unit charge at the grid's first point. */
DebyeStatusCode debye_ion_field_set_unit_map(DebyeIonField *field, const float *map, DebyeStatus *status);
DebyeStatusCode debye_ion_field_get_map(DebyeIonField *field, float *map, DebyeStatus *status);

/* Closes what is nearer than `distance` (Å) to one of n positions or to one of their images. CANCELLED where
 * `cancel` (may be NULL) became true: some are closed then and some not. */
DebyeStatusCode debye_ion_field_forbid(DebyeIonField *field, const float *x, const float *y, const float *z,
                                       size_t n, double distance, const volatile bool *cancel,
                                       DebyeStatus *status);
DebyeStatusCode debye_ion_field_find_extreme(DebyeIonField *field, int sign, DebyeIonExtreme *extreme,
                                             DebyeStatus *status);
/* Puts an ion of `charge` e on a grid point: adds its potential and closes what is nearer to it than
 * `distance`. */
DebyeStatusCode debye_ion_field_place(DebyeIonField *field, size_t index, double charge, double distance,
                                      DebyeStatus *status);

DEBYE_END_DECLS
