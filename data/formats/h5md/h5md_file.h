/* SPDX-License-Identifier: MIT */
/* A file after the H5MD convention (de Buyl, Colberg, Höfling, Comput. Phys. Commun. 2014, 185, 1546;
 * version 1.1): the particle groups that make up its frames. Private to the H5MD reader. Needs h5.h's lock. */
#pragma once

#include "data/formats/format.h"
#include "data/h5/h5_series.h"

/* An element: values for each frame, or the same in all. `time` and `step` may have fewer entries, or be one
 * number, the interval. */
typedef struct {
  DebyeH5Series *values;
  double *times; /* in the file's unit; NULL: none */
  double *steps;
  gsize n_times, n_steps;
  gboolean times_are_interval, steps_are_interval;
  double first_time, first_step; /* of intervals */
  char *unit, *time_unit;        /* NULL: none stated */
} DebyeH5mdElement;

typedef struct {
  gint64 id;
  guint32 atom; /* counted within the group */
} DebyeH5mdId;

/* One particle group. */
typedef struct {
  char *name;
  hid_t group;
  gsize n_rows;     /* particles as stored */
  gsize n_atoms;    /* those that are there: a negative id marks a row without one */
  gsize first_atom; /* in the frames */
  int n_dimensions; /* 1 to 3 */
  DebyeH5mdElement *position, *velocity, *ids, *edges; /* NULL: none, but for the position */
  DebyeH5mdId *known_ids;                              /* of frame 0, ascending; NULL: there are none */
  gsize n_known_ids;
  gboolean rows_change; /* a row isn't the same particle in each frame */
  gboolean is_periodic;
  double fixed_edges[9]; /* that the box has as an attribute, as versions before 1.0 did */
  gsize n_fixed_edges;   /* 0, 3 or 9 */
} DebyeH5mdGroup;

typedef struct {
  hid_t file;
  guint64 size;
  GPtrArray *groups; /* DebyeH5mdGroup, at least one */
  gsize n_atoms, n_frames;
  double length_scale, velocity_scale, edge_scale, time_scale; /* to Å, Å/ps, Å, ps; NAN: of unknown time */
  GPtrArray *warnings;                                         /* char * */
} DebyeH5mdFile;

/* Whether /particles or /h5md is there. `file` is open. */
gboolean debye_h5md_is_one(hid_t file);

DebyeH5mdFile *debye_h5md_file_open(DebyeInput *input, GError **error);
void debye_h5md_file_close(DebyeH5mdFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeH5mdFile, debye_h5md_file_close)

/* The atom, counted within the group, of an id; without ids the row of that number. FALSE: there is none. */
gboolean debye_h5md_group_find_id(const DebyeH5mdGroup *group, gint64 id, gsize *atom);

/* NULL: there is no such element, or none of numbers with so many dimensions (that of the frames included). */
DebyeH5mdElement *debye_h5md_element_open(hid_t group, const char *name, int least_rank, hid_t type,
                                          DebyeInput *input);
void debye_h5md_element_free(DebyeH5mdElement *element);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeH5mdElement, debye_h5md_element_free)
/* NAN: not told. */
double debye_h5md_element_get_time(const DebyeH5mdElement *element, gsize frame_number);
double debye_h5md_element_get_step(const DebyeH5mdElement *element, gsize frame_number);

/* Species, masses, charges and bonds. */
void debye_h5md_file_add_to(DebyeH5mdFile *file, DebyeInput *input, DebyeTopologyBuilder *builder);
