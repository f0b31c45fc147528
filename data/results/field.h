/* SPDX-License-Identifier: MIT */
/* A scalar field on a regular grid: a map; an array over z, y and x of float values, x fastest. Its axes are
 * coordinates where the steps of the grid stand along x, y and z, else distances along each step. */
#pragma once

#include "array.h"
#include "data/molecule/frame.h"
#include "data/geometry.h"
#include "data/molecule/topology.h"
#include "field_kind.h"

#define DEBYE_TYPE_FIELD (debye_field_get_type())
G_DECLARE_FINAL_TYPE(DebyeField, debye_field, DEBYE, FIELD, DebyeArray)

/* `values` holds debye_grid_n_points(grid) floats. `unit` as it is printed: "kT/e", "V" …; NULL or "" where
 * it is not known. The steps of the grid must not lie in one plane. */
DebyeField *debye_field_new(const char *name, const DebyeGrid *grid, GBytes *values, const char *unit);
DebyeField *debye_field_new_take(const char *name, const DebyeGrid *grid, float *values, const char *unit);
/* The same of a kind, by whose word it is called. */
DebyeField *debye_field_new_of_kind(DebyeFieldKind kind, const DebyeGrid *grid, float *values,
                                    const char *unit);

/* What the grid's lengths are in: "Å", or of maps of reciprocal space "Å⁻¹". The maker says so before it
 * hands the map over. */
void debye_field_set_length_unit(DebyeField *self, const char *unit);
#define debye_field_get_length_unit(field) \
  (debye_array_get_content(DEBYE_ARRAY(field))->axes[0].quantity.unit)

/* The maker says so before it hands the map over; results keep it. */
void debye_field_set_kind(DebyeField *self, DebyeFieldKind kind);
DebyeFieldKind debye_field_get_kind(DebyeField *self);

/* What lies between the charges of a potential, "no continuum solvent, ε = 1", as a message
 * (data/messages/message.h) for legends and captions; NULL: nothing is said. The maker says so before it hands the
 * map over; HDF5 keeps it. */
void debye_field_set_medium(DebyeField *self, const char *medium);
/* In English. */
#define debye_field_get_medium(field) \
  (debye_array_get_content(DEBYE_ARRAY(field))->attributes[DEBYE_ARRAY_MEDIUM])
const char *debye_field_get_medium_message(DebyeField *self);

#define debye_field_get_name(field) (debye_array_get_content(DEBYE_ARRAY(field))->name)
/* How the name ends, in files that have no other place for it, of a map that was stopped before its end. */
#define DEBYE_FIELD_PARTIAL " (partial)"
/* Whether it was read from such a file. */
void debye_field_set_partial(DebyeField *self);
gboolean debye_field_is_partial(DebyeField *self);
#define debye_field_get_unit(field) (debye_array_get_content(DEBYE_ARRAY(field))->quantity.unit)
#define debye_field_get_warnings(field) debye_array_get_warnings(DEBYE_ARRAY(field))
const DebyeGrid *debye_field_get_grid(DebyeField *self);
const float *debye_field_get_values(DebyeField *self);
/* How many values are finite: fewer than all where a map is not computed to its end (NAN there). */
gsize debye_field_get_n_finite(DebyeField *self);

/* Of the finite values; 0 with none. */
typedef struct {
  double minimum, maximum, mean, rms;
} DebyeFieldStatistics;
void debye_field_get_statistics(DebyeField *self, DebyeFieldStatistics *statistics);
/* The value below which `fraction` of the finite values lie (from a histogram: exact to 1/65,536 of the
 * range). */
double debye_field_get_percentile(DebyeField *self, double fraction);
/* Trilinear, at a point in the grid's lengths; NAN outside the grid. */
double debye_field_sample(DebyeField *self, DebyeVec3 point);
/* The same by cubes, without kinks where cells meet; as above beside the rim and values that are not finite. For
 * pictures: between points that differ much it reaches beyond them. */
double debye_field_sample_smooth(DebyeField *self, DebyeVec3 point);

/* What a file is, by what it holds, of the kinds that debye_field_load() reads. */
typedef enum {
  DEBYE_MAP_FILE_NONE,
  DEBYE_MAP_FILE_PLAIN,  /* values on a grid */
  DEBYE_MAP_FILE_RESULT, /* a result of ours, with its request: debye_result_load() gives all of it */
} DebyeMapFileKind;
DebyeMapFileKind debye_field_probe(const char *path);

/* OpenDX, Gaussian cube, CCP4/MRC (each also compressed, see input.h) or the default map of a result in HDF5: told
 * apart by what the file holds. A unit that the file doesn't state is "". */
DebyeField *debye_field_load(const char *path, GError **error);

/* Writers; errors of the stream come as they are. */
gboolean debye_field_save_dx(DebyeField *self, GOutputStream *stream, GError **error);
/* With the atoms of `topology` at the places of `frame`, where both are given. DEBYE_ERROR_VALUE where the
 * lengths are not in Å, which is all that bohr can stand for. */
gboolean debye_field_save_cube(DebyeField *self, DebyeTopology *topology, const DebyeFrame *frame,
                               GOutputStream *stream, GError **error);
/* The steps must stand as a CCP4 cell does: the first along x, the second in the xy plane, right-handed; else
 * DEBYE_ERROR_VALUE. */
gboolean debye_field_save_ccp4(DebyeField *self, GOutputStream *stream, GError **error);
/* x,y,z and the value, a row a point. `header`: lines "key: value" for the comments on top, or NULL. */
gboolean debye_field_save_csv(DebyeField *self, const char *const *header, GOutputStream *stream,
                              GError **error);

/* Whether the steps are finite and span space. */
gboolean debye_field_grid_is_valid(const DebyeGrid *grid);
/* Whether they stand along x, y and z. */
gboolean debye_grid_is_aligned(const DebyeGrid *grid);
