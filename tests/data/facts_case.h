/* SPDX-License-Identifier: MIT */
/* What Debye reads from a file of the reference data, against the facts: atoms, residues, bonds, elements,
 * charges, frames, positions, cells, velocities. What the facts don't say isn't compared. */
#pragma once

#include "data/trajectory/dataset.h"
#include "support/shared.h"

/* Where Debye says something else than the facts, with what it says and why the format wants that. */
typedef struct {
  const char *file;
  const char *key;
  const char *value;
  const char *reason;
} DebyeFactsDifference;

typedef struct {
  DebyeFacts *facts;
  const DebyeFactsDifference *differences;
  gsize n_differences;
} DebyeFactsSource;

void debye_facts_test_file(const DebyeFactsSource *source, const char *file);
