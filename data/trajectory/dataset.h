/* SPDX-License-Identifier: MIT */
/* What a person opens: a structure and its trajectory, from one or several files in any order. What each file
 * is comes from its content. Immutable. */
#pragma once

#include "trajectory.h"

#define DEBYE_TYPE_DATASET (debye_dataset_get_type())
G_DECLARE_FINAL_TYPE(DebyeDataset, debye_dataset, DEBYE, DATASET, GObject)

/* The rules: the topology comes from the first file that has one, files without coordinates (PSF) before
 * files with them; charges, radii, bonds that it lacks are taken from a further structure file with as many
 * atoms. The trajectory is every file that has only coordinates (DCD, XTC, TRR) or that is foremost a
 * trajectory (a LAMMPS dump), in the order given; with none, the frames of the structure files. Numbers of
 * atoms that differ are DEBYE_ERROR_MISMATCH, naming both files and numbers. A trajectory alone gets a
 * topology of unnamed atoms and a warning. */
DebyeDataset *debye_dataset_open(const char *const *paths, DebyeProgressFunc progress, gpointer data,
                                 GError **error);

/* For files that a running simulation is still writing: `self` again (with a reference) when they haven't
 * grown, else a dataset with the frames that have come and the same topology. Errors are those of
 * debye_trajectory_refresh(). */
DebyeDataset *debye_dataset_refresh(DebyeDataset *self, DebyeProgressFunc progress, gpointer data,
                                    GError **error);
/* The same files with other elements, see debye_topology_with_element_choices(): `choices` in place of those
 * that `self` has. */
DebyeDataset *debye_dataset_with_elements(DebyeDataset *self, const char *const *choices, GError **error);

/* The same files with other alternate locations (see altloc.h) and another cell (see cell_choice.h) in force;
 * NULL leaves what `self` has. A dataset opens with those of highest occupancy and the files' cell. `self`
 * again, with a reference, where nothing changes. DEBYE_ERROR_SETTING: a choice that is none. */
DebyeDataset *debye_dataset_with_choices(DebyeDataset *self, const char *altloc, const char *cell,
                                         GError **error);

/* The same files where lengths that a file gives without a unit are in this one, see length_unit.h; NULL leaves what `self`
 * has. DEBYE_ERROR_SETTING: it is none, or no file leaves it open. */
DebyeDataset *debye_dataset_with_length_unit(DebyeDataset *self, const char *unit, GError **error);
gboolean debye_dataset_leaves_unit_open(DebyeDataset *self);

const char *debye_dataset_get_name(DebyeDataset *self);        /* for a title bar */
DebyeTopology *debye_dataset_get_topology(DebyeDataset *self); /* never NULL */
/* The same as the files have it, without choices of elements and with all alternate locations. */
DebyeTopology *debye_dataset_get_topology_of_files(DebyeDataset *self);
DebyeTrajectory *debye_dataset_get_trajectory(DebyeDataset *self); /* NULL: no coordinates at all */
const char *const *debye_dataset_get_paths(DebyeDataset *self);
/* The names of the formats found, one a file in the order of the paths. */
const char *const *debye_dataset_get_formats(DebyeDataset *self);
/* All warnings: of the files, of the topology (total charge not near an integer, unknown elements …). */
const char *const *debye_dataset_get_warnings(DebyeDataset *self);

/* The choices that are in force, as they were given: elements (NULL-terminated), alternate locations, cell. */
const char *const *debye_dataset_get_element_choices(DebyeDataset *self);
const char *debye_dataset_get_altloc(DebyeDataset *self);
const char *debye_dataset_get_cell_choice(DebyeDataset *self);
const char *debye_dataset_get_length_unit(DebyeDataset *self); /* NULL: none was chosen, and Å is taken */
/* One sentence about which alternate locations count; NULL where the files have none. Free with g_free. */
char *debye_dataset_describe_altloc(DebyeDataset *self);
