/* SPDX-License-Identifier: MIT */
/* NXcanSAS (manual.nexusformat.org, NXcanSAS 1.1) and other NeXus files whose default plot is one curve, results of this
 * program among them. An entry (SASentry) holds data (SASdata) with I over Q, Idev and Qdev, or what the attributes
 * signal, axes, uncertainties and resolutions name. Called by curve_load.c. */
#include "curve_private.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/h5/h5.h"

typedef struct {
  DebyeInput *input;
  DebyeH5File file;
  DebyeH5Group entry, data;
  char *signal, *axis;
} NexusReader;

static void
nexus_reader_clear(NexusReader *reader)
{
  if (reader->data >= 0)
    H5Gclose(reader->data);
  if (reader->entry >= 0)
    H5Gclose(reader->entry);
  if (reader->file >= 0)
    H5Fclose(reader->file);
  g_free(reader->signal);
  g_free(reader->axis);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(NexusReader, nexus_reader_clear)

static gboolean
is_of_class(hid_t group, const char *const *classes, DebyeInput *input)
{
  g_autofree char *sas = debye_h5_find_string(group, "canSAS_class", input);
  g_autofree char *nexus = debye_h5_find_string(group, "NX_class", input);
  return (sas != NULL && g_strv_contains(classes, sas)) || (nexus != NULL && g_strv_contains(classes, nexus));
}

/* The child that the parent says is its default, else the first of that class. */
static hid_t
open_child(const NexusReader *reader, hid_t parent, const char *const *classes)
{
  g_autofree char *chosen = debye_h5_find_string(parent, "default", reader->input);
  g_auto(DebyeH5Group) named = chosen != NULL ? debye_h5_open_group(parent, chosen) : H5I_INVALID_HID;
  if (named >= 0 && is_of_class(named, classes, reader->input)) {
    const hid_t found = named;
    named = H5I_INVALID_HID;
    return found;
  }
  g_auto(GStrv) names = debye_h5_list(parent);
  for (char **name = names; *name != NULL; name++) {
    g_auto(DebyeH5Group) group = debye_h5_open_group(parent, *name);
    if (group < 0 || !is_of_class(group, classes, reader->input))
      continue;
    const hid_t found = group;
    group = H5I_INVALID_HID;
    return found;
  }
  return H5I_INVALID_HID;
}

/* An attribute of the data, in the order of the names; its last text, as "Time,Q" has the curve's axis behind. */
static char *
find_name(const NexusReader *reader, const char *const *attributes, const char *otherwise)
{
  for (; *attributes != NULL; attributes++) {
    g_auto(GStrv) texts = debye_h5_find_strings(reader->data, *attributes, reader->input);
    const guint n = texts != NULL ? g_strv_length(texts) : 0;
    if (n == 0)
      continue;
    const char *last = strrchr(texts[n - 1], ',');
    return g_strstrip(g_strdup(last != NULL ? last + 1 : texts[n - 1]));
  }
  return g_strdup(otherwise);
}

static gboolean
fail(const NexusReader *reader, GError **error, const char *expected)
{
  return debye_input_set_error(reader->input, error, DEBYE_ERROR_MISSING, "expected %s, found none",
                               expected);
}

static gboolean
enter(NexusReader *reader, GError **error)
{
  static const char *const entries[] = {"SASentry", "NXentry", NULL}, *const data[] = {"SASdata", "NXdata",
                                                                                       NULL};
  static const char *const signals[] = {"signal", NULL}, *const axes[] = {"I_axes", "axes", NULL};
  reader->file = debye_h5_open_input(reader->input, error);
  if (reader->file < 0)
    return FALSE;
  reader->entry = open_child(reader, reader->file, entries);
  if (reader->entry < 0)
    return fail(reader, error, "an entry (SASentry or NXentry)");
  reader->data = open_child(reader, reader->entry, data);
  if (reader->data < 0)
    return fail(reader, error, "a group of data (SASdata or NXdata)");
  reader->signal = find_name(reader, signals, "I");
  reader->axis = find_name(reader, axes, "Q");
  return TRUE;
}

static double *
get_numbers(const NexusReader *reader, const char *name, gsize *n)
{
  return debye_h5_get_numbers(reader->data, name, H5T_NATIVE_DOUBLE, sizeof(double),
                              debye_input_get_size(reader->input), n);
}

static char *
get_attribute(const NexusReader *reader, const char *dataset, const char *name)
{
  g_auto(DebyeH5Dataset) object = debye_h5_open_dataset(reader->data, dataset);
  return object >= 0 ? debye_h5_find_string(object, name, reader->input) : NULL;
}

/* Numbers beside `dataset` that its attribute names, else those of one of the usual names; NULL: none that are as many. */
static double *
get_beside(const NexusReader *reader, const char *dataset, const char *attribute, const char *usual, gsize n)
{
  g_autofree char *named = get_attribute(reader, dataset, attribute);
  g_autofree char *suffixed = g_strconcat(dataset, "_errors", NULL);
  const char *const names[] = {named, usual, suffixed};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    gsize n_found = 0;
    g_autofree double *values = names[i] != NULL ? get_numbers(reader, names[i], &n_found) : NULL;
    if (values != NULL && n_found == n)
      return g_steal_pointer(&values);
  }
  return NULL;
}

static DebyeCurve *
read_points(const NexusReader *reader, GError **error)
{
  gsize n = 0, n_values = 0;
  g_auto(DebyeCurvePoints) points;
  debye_curve_points_init(&points);
  g_autofree double *x = get_numbers(reader, reader->axis, &n);
  g_autofree double *y = get_numbers(reader, reader->signal, &n_values);
  if (x == NULL || y == NULL || n != n_values) {
    debye_input_set_error(reader->input, error, DEBYE_ERROR_MISMATCH,
                          "expected one-dimensional numbers, as many of %s as of %s, found others",
                          reader->axis, reader->signal);
    return NULL;
  }
  g_autofree double *errors = get_beside(reader, reader->signal, "uncertainties", "Idev", n);
  g_autofree double *resolution = get_beside(reader, reader->axis, "resolutions", "Qdev", n);
  for (gsize i = 0; i < n; i++)
    debye_curve_points_add(&points, x[i], y[i], errors != NULL ? errors[i] : NAN,
                           resolution != NULL ? resolution[i] : NAN);
  points.x_name = get_attribute(reader, reader->axis, "name");
  points.y_name = get_attribute(reader, reader->signal, "name");
  points.x_unit = get_attribute(reader, reader->axis, "units");
  points.y_unit = get_attribute(reader, reader->signal, "units");
  return debye_curve_points_finish(&points, reader->input, error);
}

DebyeCurve *
debye_curve_read_nexus(DebyeInput *input, GError **error)
{
  DEBYE_H5_LOCKED();
  g_auto(NexusReader)
      reader = {.input = input, .file = H5I_INVALID_HID, .entry = H5I_INVALID_HID, .data = H5I_INVALID_HID};
  return enter(&reader, error) ? read_points(&reader, error) : NULL;
}
