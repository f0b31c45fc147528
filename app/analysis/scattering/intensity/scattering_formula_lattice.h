/* SPDX-License-Identifier: MIT */
/* The Debye formula of frames from amplitudes on a lattice (kernels/scattering/scattering_debye_lattice.h); called by
 * scattering_by_formula.c. */
#pragma once

#include "scattering_method.h"

G_BEGIN_DECLS

typedef struct DebyeFormulaByLattice DebyeFormulaByLattice;

DebyeFormulaByLattice *debye_formula_by_lattice_new(const DebyeScatteringTask *task);
void debye_formula_by_lattice_free(DebyeFormulaByLattice *by);
/* Whether the frame is less work this way than by its distances, and there is memory for it. */
gboolean debye_formula_by_lattice_suits(DebyeFormulaByLattice *by, const DebyeFrame *frame);
/* Adds the products of a frame that suits, products[pair·n_q + k]. FALSE with an error, or without one where it was stopped. */
gboolean debye_formula_by_lattice_add(DebyeFormulaByLattice *by, const DebyeFrame *frame,
                                      double complex *products, GError **error);
/* No note where no frame was added. */
void debye_formula_by_lattice_add_notes(const DebyeFormulaByLattice *by, DebyeResult *result);

G_END_DECLS
