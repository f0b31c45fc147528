/* SPDX-License-Identifier: MIT */
/* Finds the variables of AMBER's convention in a NetCDF file for format_netcdf.c. Variables are found by
 * their names and judged by their shapes; what the dimensions are called differs between the programs and
 * tells nothing more. */
#include "netcdf_amber.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "netcdf_values.h"
#include "data/tables/unit.h"
#include "data/messages/message.h"

/* Dimensions of a quantity in a file of one frame. */
enum { RANK_OF_NUMBER = 0, RANK_OF_CELL = 1, RANK_OF_IDS = 1, RANK_OF_VECTORS = 2 };

/* --- Units --- */

static void G_GNUC_PRINTF(2, 3) warn(DebyeAmberNetcdf *amber, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_ptr_array_add(amber->warnings, debye_message_new_valist(format, arguments));
  va_end(arguments);
}

/* Where the unit isn't known the convention's own is taken. */
static void
set_scale(DebyeAmberNetcdf *amber, DebyeAmberQuantity *quantity, gboolean is_known, double unit,
          const char *assumed)
{
  const DebyeNetcdfVariable *variable = quantity->variable;
  if (!is_known && variable->units != NULL && variable->units[0] != '\0')
    warn(amber, "the unit “%s” of %s is unknown: assuming %s", variable->units, variable->name, assumed);
  quantity->scale = variable->scale_factor * (is_known ? unit : 1.0);
  if (isfinite(quantity->scale) && quantity->scale != 0.0)
    return;
  warn(amber, "the scale factor of %s is not a usable number: assuming 1", variable->name);
  quantity->scale = is_known ? unit : 1.0;
}

static void
set_unit(DebyeAmberNetcdf *amber, DebyeAmberQuantity *quantity, DebyeUnitKind kind, const char *assumed)
{
  double unit = 1.0;
  if (quantity->variable != NULL) {
    gboolean is_known = debye_unit_get_scale(quantity->variable->units, kind, &unit);
    set_scale(amber, quantity, is_known, unit, assumed);
  }
}

static void
set_angle_unit(DebyeAmberNetcdf *amber, DebyeAmberQuantity *quantity)
{
  const char *text = quantity->variable != NULL ? quantity->variable->units : NULL;
  gboolean is_degree = text != NULL && g_ascii_strncasecmp(text, "deg", 3) == 0;
  gboolean is_radian = text != NULL && g_ascii_strncasecmp(text, "rad", 3) == 0;
  if (quantity->variable != NULL)
    set_scale(amber, quantity, is_degree || is_radian, is_radian ? 180.0 / G_PI : 1.0, "degree");
}

/* --- Shapes --- */

static gboolean
is_real(const DebyeNetcdfVariable *variable)
{
  return variable->type == DEBYE_NETCDF_FLOAT || variable->type == DEBYE_NETCDF_DOUBLE;
}

/* A dimension that grows is one of frames. */
static gboolean
is_of_one_frame(const DebyeNetcdfVariable *variable, guint rank)
{
  return variable->rank == rank && !variable->has_records;
}

static char *
describe_shape(const DebyeNetcdfVariable *variable)
{
  g_autoptr(GString) text = g_string_new("(");
  for (guint k = 0; k < variable->rank; k++)
    g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, k > 0 ? ", " : "", variable->shape[k]);
  return g_string_free(g_string_append_c(g_steal_pointer(&text), ')'), FALSE);
}

static gboolean
take_coordinates(DebyeAmberNetcdf *amber, DebyeInput *input, GError **error)
{
  const DebyeNetcdfVariable *variable = debye_netcdf_file_find(amber->file, input, "coordinates");
  if (variable == NULL)
    return debye_input_set_error(
        input, error, DEBYE_ERROR_MISSING,
        "expected the variable “coordinates” of a trajectory, found NetCDF without it");
  gboolean has_frames = variable->rank == RANK_OF_VECTORS + 1;
  if (!is_real(variable) || !(has_frames || is_of_one_frame(variable, RANK_OF_VECTORS)) ||
      variable->shape[variable->rank - 1] != 3 || variable->shape[variable->rank - 2] == 0) {
    g_autofree char *shape = describe_shape(variable);
    return debye_input_set_error(
        input, error, DEBYE_ERROR_SYNTAX,
        "expected coordinates as reals of shape (frames, atoms, 3), found %s of shape %s",
        is_real(variable) ? "reals" : "integers", shape);
  }
  amber->coordinates.variable = variable;
  amber->n_atoms = (gsize)variable->shape[variable->rank - 2];
  amber->n_frames = has_frames ? variable->shape[0] : 1;
  return TRUE;
}

/* The variable, if its last dimensions are those given and its first one, where it has one more, holds all
 * frames. */
static const DebyeNetcdfVariable *
find_quantity(DebyeAmberNetcdf *amber, DebyeInput *input, const char *name, guint rank, guint64 first,
              guint64 second)
{
  const guint64 expected[] = {first, second};
  const DebyeNetcdfVariable *variable = debye_netcdf_file_find(amber->file, input, name);
  if (variable == NULL)
    return NULL;
  gboolean has_frames = variable->rank == rank + 1;
  gboolean fits = (has_frames && variable->shape[0] >= amber->n_frames) || is_of_one_frame(variable, rank);
  for (guint k = 0; k < rank && fits; k++)
    fits = variable->shape[k + has_frames] == expected[k];
  if (fits)
    return variable;
  g_autofree char *shape = describe_shape(variable);
  warn(amber, "%s have a shape of %s and are left out", name, shape);
  return NULL;
}

static void
find_quantities(DebyeAmberNetcdf *amber, DebyeInput *input)
{
  guint64 n = amber->n_atoms;
  amber->velocities.variable = find_quantity(amber, input, "velocities", RANK_OF_VECTORS, n, 3);
  amber->time.variable = find_quantity(amber, input, "time", RANK_OF_NUMBER, 0, 0);
  amber->lengths.variable = find_quantity(amber, input, "cell_lengths", RANK_OF_CELL, 3, 0);
  amber->angles.variable = find_quantity(amber, input, "cell_angles", RANK_OF_CELL, 3, 0);
  amber->origin.variable = find_quantity(amber, input, "cell_origin", RANK_OF_CELL, 3, 0);
  amber->ids.variable = find_quantity(amber, input, "id", RANK_OF_IDS, n, 0);
  if (amber->velocities.variable != NULL && !is_real(amber->velocities.variable))
    amber->velocities.variable = NULL;
  if (amber->ids.variable != NULL && is_real(amber->ids.variable))
    amber->ids.variable = NULL;
}

static void
find_scales(DebyeAmberNetcdf *amber)
{
  set_unit(amber, &amber->coordinates, DEBYE_UNIT_LENGTH, "Å");
  set_unit(amber, &amber->velocities, DEBYE_UNIT_VELOCITY, "Å/ps");
  set_unit(amber, &amber->time, DEBYE_UNIT_TIME, "ps");
  set_unit(amber, &amber->lengths, DEBYE_UNIT_LENGTH, "Å");
  set_unit(amber, &amber->origin, DEBYE_UNIT_LENGTH, "Å");
  set_angle_unit(amber, &amber->angles);
  amber->ids.scale = 1.0;
}

/* --- Opening --- */

gboolean
debye_amber_netcdf_open(DebyeAmberNetcdf *amber, DebyeInput *input, GError **error)
{
  *amber = (DebyeAmberNetcdf){.warnings = g_ptr_array_new_with_free_func(g_free)};
  amber->file = debye_netcdf_file_open(input, error);
  if (amber->file == NULL || !take_coordinates(amber, input, error))
    return FALSE;
  const char *conventions = debye_netcdf_file_get_conventions(amber->file);
  const char *warning = debye_netcdf_file_get_warning(amber->file);
  if (conventions == NULL || strstr(conventions, "AMBER") == NULL)
    warn(amber, "the file doesn't say that it follows AMBER's convention");
  if (warning != NULL)
    warn(amber, "%s", warning);
  find_quantities(amber, input);
  find_scales(amber);
  return TRUE;
}

void
debye_amber_netcdf_clear(DebyeAmberNetcdf *amber)
{
  g_clear_pointer(&amber->file, debye_netcdf_file_free);
  g_clear_pointer(&amber->warnings, g_ptr_array_unref);
}

/* --- Reading --- */

/* `rank`: of the variable in a file of one frame; with a dimension more, the first is that of frames. */
static gint64
get_row(const DebyeAmberQuantity *quantity, guint rank, gsize frame_number)
{
  return quantity->variable->rank > rank ? (gint64)frame_number : -1;
}

gsize
debye_amber_netcdf_get_block(const DebyeAmberNetcdf *amber, const DebyeAmberQuantity *quantity,
                             gsize values_of_atom)
{
  guint64 n = (guint64)amber->n_atoms * values_of_atom;
  return (gsize)(debye_netcdf_file_get_block(amber->file, quantity->variable, n) / values_of_atom);
}

gboolean
debye_amber_netcdf_read_atoms(const DebyeAmberNetcdf *amber, DebyeInput *input,
                              const DebyeAmberQuantity *quantity, gsize values_of_atom, gsize frame_number,
                              gsize first, gsize n, gpointer bytes, GError **error)
{
  gint64 row = get_row(quantity, values_of_atom == 1 ? RANK_OF_IDS : RANK_OF_VECTORS, frame_number);
  return debye_netcdf_file_read(amber->file, input, quantity->variable, row, (guint64)first * values_of_atom,
                                (guint64)n * values_of_atom, bytes, error);
}

gboolean
debye_amber_netcdf_view_vectors(const DebyeAmberNetcdf *amber, DebyeInput *input,
                                const DebyeAmberQuantity *quantity, gsize frame_number, DebyeInputView *view)
{
  return debye_netcdf_file_view(amber->file, input, quantity->variable,
                                get_row(quantity, RANK_OF_VECTORS, frame_number), (guint64)amber->n_atoms * 3,
                                view);
}

/* One number or three. */
static gboolean
read_numbers(const DebyeAmberNetcdf *amber, DebyeInput *input, const DebyeAmberQuantity *quantity, guint rank,
             gsize frame_number, gsize n, double *values, GError **error)
{
  guint8 bytes[3 * 8];
  g_return_val_if_fail(n <= 3, FALSE);
  if (!debye_netcdf_file_read(amber->file, input, quantity->variable, get_row(quantity, rank, frame_number),
                              0, n, bytes, error))
    return FALSE;
  debye_netcdf_get_doubles(quantity->variable->type, bytes, n, quantity->scale, values);
  return TRUE;
}

double
debye_amber_netcdf_read_time(const DebyeAmberNetcdf *amber, DebyeInput *input, gsize frame_number)
{
  double time;
  if (amber->time.variable == NULL ||
      !read_numbers(amber, input, &amber->time, RANK_OF_NUMBER, frame_number, 1, &time, NULL))
    return NAN;
  return time;
}

gboolean
debye_amber_netcdf_read_cell(const DebyeAmberNetcdf *amber, DebyeInput *input, gsize frame_number,
                             const double known_angles[3], DebyeCell *cell, GError **error)
{
  double edges[3], angles[3];
  *cell = (DebyeCell){0};
  for (int k = 0; k < 3; k++)
    angles[k] = isnan(known_angles[k]) ? 90.0 : known_angles[k];
  if (amber->lengths.variable == NULL ||
      !read_numbers(amber, input, &amber->lengths, RANK_OF_CELL, frame_number, 3, edges, error))
    return FALSE;
  if (amber->angles.variable != NULL &&
      !read_numbers(amber, input, &amber->angles, RANK_OF_CELL, frame_number, 3, angles, error))
    return FALSE;
  return debye_cell_from_lengths_angles(cell, edges, angles);
}

DebyeVec3
debye_amber_netcdf_read_origin(const DebyeAmberNetcdf *amber, DebyeInput *input, gsize frame_number)
{
  double v[3];
  if (amber->origin.variable == NULL ||
      !read_numbers(amber, input, &amber->origin, RANK_OF_CELL, frame_number, 3, v, NULL) ||
      !isfinite(v[0] + v[1] + v[2]))
    return debye_vec3(0.0, 0.0, 0.0);
  return debye_vec3(v[0], v[1], v[2]);
}
