/* SPDX-License-Identifier: MIT */
/* Implementation of placing.h: places molecules of a frame for pictures; called by the window and debye-cli
 * render. */
#include "placing.h"

#include "data/molecule/bonds.h"
#include "data/files/error.h"
#include "data/molecule/molecules.h"

const DebyeChoice debye_placing_choices[] = {
    {"file", "As in the file", "as in the file, even if the cell cuts them"},
    {"whole", "Whole", "made whole across the faces of the cell"},
    {"cell", "In the cell", "whole, with their centres in the cell"},
    {NULL, NULL, NULL},
};

struct _DebyePlacer {
  DebyeTopology *topology;
  DebyeMolecules *molecules; /* NULL until there is a frame to place */
};

DebyePlacer *
debye_placer_new(DebyeTopology *topology)
{
  DebyePlacer *self = g_new0(DebyePlacer, 1);
  self->topology = g_object_ref(topology);
  return self;
}

void
debye_placer_free(DebyePlacer *self)
{
  if (self == NULL)
    return;
  g_clear_pointer(&self->molecules, debye_molecules_free);
  g_clear_object(&self->topology);
  g_free(self);
}

DebyeTopology *
debye_placer_get_topology(const DebyePlacer *self)
{
  return self->topology;
}

static gboolean
check_atoms(const DebyePlacer *self, const DebyeFrame *frame, GError **error)
{
  gsize n_atoms = debye_topology_get_n_atoms(self->topology);
  if (frame->n_atoms == n_atoms)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                         "expected a frame of %" G_GSIZE_FORMAT " atoms, found %" G_GSIZE_FORMAT, n_atoms,
                         frame->n_atoms);
}

static void
find_molecules(DebyePlacer *self, const DebyeFrame *frame)
{
  g_autoptr(DebyeTopology) bonded = debye_topology_with_guessed_bonds(self->topology, frame);
  self->molecules = debye_molecules_new(bonded);
}

/* The cell stays where the file has its corner, as the box is drawn there. */
static void
put_into_cell(const DebyePlacer *self, DebyeFrame *frame)
{
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  debye_molecules_wrap(self->molecules, frame,
                       debye_vec3_add(frame->cell_origin, debye_periodic_get_middle(&periodic)));
}

DebyeFrame *
debye_placer_place(DebyePlacer *self, DebyePlacing placing, DebyeFrame *frame, GError **error)
{
  if (placing == DEBYE_PLACING_FILE || !frame->has_cell || !debye_cell_is_valid(&frame->cell))
    return debye_frame_ref(frame);
  if (!check_atoms(self, frame, error))
    return NULL;
  DebyeFrame *placed = debye_frame_copy(frame);
  if (placed == NULL)
    return debye_null(debye_error_set_memory(error, NULL, frame->n_atoms, "atoms of one more frame"));
  if (self->molecules == NULL)
    find_molecules(self, frame);
  if (placing == DEBYE_PLACING_CELL)
    put_into_cell(self, placed);
  else
    debye_molecules_make_whole(self->molecules, placed);
  return placed;
}
