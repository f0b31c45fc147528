/* SPDX-License-Identifier: MIT */
/* The normal modes of a molecule, as programs of quantum chemistry write them beside or without a wave function: Molden's
 * sections [FREQ], [FR-COORD] and [FR-NORM-COORD], and the entries “Vib-E2” and “Vib-Modes” of Gaussian's formatted
 * checkpoints (freq=SaveNormalModes). Called by the window's list of vibrations, by movies and by debye-cli info.
 * Immutable once read, so threads share it. */
#pragma once

#include "data/molecule/frame.h"

typedef struct {
  guint number;        /* in the file, from 1 */
  double frequency;    /* cm⁻¹; below 0: imaginary */
  double intensity;    /* of infrared absorption, km/mol; NAN: the file has none */
  double reduced_mass; /* u; NAN: the file has none */
} DebyeVibration;

typedef struct {
  gatomicrefcount n_references;
  gsize n_atoms;
  double *positions;     /* Å, 3 · n_atoms: the equilibrium that the modes are of */
  GArray *modes;         /* DebyeVibration; those that displace no atom are left out */
  GArray *displacements; /* double, 3 · n_atoms per mode; the atom that moves farthest moves by 1 */
} DebyeVibrations;

/* As many frames make a period on the playback bar and in a movie. */
#define DEBYE_VIBRATION_FRAMES 24

/* One of the modes as it is played. */
typedef struct {
  DebyeVibrations *vibrations; /* NULL: none is */
  guint mode;                  /* its index */
  double amplitude;            /* Å */
} DebyeVibrationMotion;

/* For readers: of positions in bohr, which are copied. */
DebyeVibrations *debye_vibrations_new(gsize n_atoms, const double *positions);
DebyeVibrations *debye_vibrations_ref(DebyeVibrations *self);
void debye_vibrations_unref(DebyeVibrations *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeVibrations, debye_vibrations_unref)
/* Scales the 3 · n_atoms displacements. */
void debye_vibrations_add(DebyeVibrations *self, const DebyeVibration *mode, const double *displacements);

/* Positions at `phase` (radian) of the mode with this index, positions + amplitude · sin(phase) · displacement, in Å:
 * `amplitude` is how far the atom goes that moves farthest. Fills a frame of n_atoms; it has no time and no cell. */
void debye_vibrations_fill_frame(const DebyeVibrations *self, guint mode, double amplitude, double phase,
                                 DebyeFrame *frame);

/* Picture `number` of `n_pictures`, which are a whole number of periods and so go on with the first one: 24 pictures a
 * period, or as near to that as whole periods allow. NULL: there is no memory. */
DebyeFrame *debye_vibration_motion_make_frame(const DebyeVibrationMotion *self, gsize number,
                                              gsize n_pictures);
gsize debye_vibration_count_periods(gsize n_pictures);
void debye_vibration_motion_clear(DebyeVibrationMotion *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyeVibrationMotion, debye_vibration_motion_clear)
