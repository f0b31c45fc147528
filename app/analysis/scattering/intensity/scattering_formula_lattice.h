/* SPDX-License-Identifier: MIT */
/* The Debye formula of frames from amplitudes on a lattice (kernels/scattering/scattering_debye_lattice.h); called by
 * scattering_by_formula.c. */
#pragma once

#include "scattering_method.h"

typedef struct DebyeFormulaByLattice DebyeFormulaByLattice;

DebyeFormulaByLattice *debye_formula_by_lattice_new(const DebyeScatteringTask *task);
void debye_formula_by_lattice_free(DebyeFormulaByLattice *by);
/* Whether the frame is less work this way than by its distances, and there is memory for it. */
gboolean debye_formula_by_lattice_suits(DebyeFormulaByLattice *by, const DebyeFrame *frame);
/* Whether it fits the lattice that the last frame which suited has. */
gboolean debye_formula_by_lattice_holds(const DebyeFormulaByLattice *by, const DebyeFrame *frame);
/* Adds the products of frames that fit it, products[pair·n_q + k], unless it returns something else
 * than OK; INVALID: *bad_frame is the frame's index. */
DebyeStatusCode debye_formula_by_lattice_add(DebyeFormulaByLattice *by, DebyeFrame *const *frames,
                                             gsize n_frames, double complex *products, gsize *bad_frame,
                                             DebyeStatus *status);
/* No frame suits from now on. */
void debye_formula_by_lattice_refuse(DebyeFormulaByLattice *by);
/* No note where no frame was added. */
void debye_formula_by_lattice_add_notes(const DebyeFormulaByLattice *by, DebyeResult *result);
