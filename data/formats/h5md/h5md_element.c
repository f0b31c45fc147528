/* SPDX-License-Identifier: MIT */
/* Opens an element of H5MD: a data set, or a group of value, step and time; used by the other H5MD files. */
#include "h5md_file.h"

#include <math.h>

/* Some programs put "units" for "unit", and on the group instead of the values. */
static char *
find_unit(hid_t first, hid_t second, DebyeInput *input)
{
  static const char *const names[] = {"unit", "units"};
  const hid_t objects[] = {first, second};
  for (gsize k = 0; k < G_N_ELEMENTS(objects); k++)
    for (gsize i = 0; objects[k] >= 0 && i < G_N_ELEMENTS(names); i++) {
      char *unit = debye_h5_find_string(objects[k], names[i], input);
      if (unit != NULL)
        return g_strstrip(unit);
    }
  return NULL;
}

static double *
read_counter(hid_t group, const char *name, DebyeInput *input, gsize *n, gboolean *is_interval, double *first,
             char **unit)
{
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(group, name);
  *n = 0;
  *is_interval = FALSE;
  *first = 0.0;
  if (dataset < 0)
    return NULL;
  if (unit != NULL)
    *unit = find_unit(dataset, H5I_INVALID_HID, input);
  debye_h5_read_doubles(dataset, "offset", first, 1);
  return debye_h5_get_doubles(dataset, debye_input_get_size(input), n, is_interval);
}

static gboolean
open_values(DebyeH5mdElement *element, hid_t parent, const char *name, int least_rank, hid_t type,
            DebyeInput *input)
{
  hid_t fixed = debye_h5_open_dataset(parent, name);
  guint64 size = debye_input_get_size(input);
  if (fixed >= 0) {
    element->unit = find_unit(fixed, H5I_INVALID_HID, input);
    element->values = debye_h5_series_new(fixed, TRUE, least_rank, type, size);
    return element->values != NULL;
  }
  g_auto(DebyeH5Group) group = debye_h5_open_group(parent, name);
  hid_t values = group < 0 ? H5I_INVALID_HID : debye_h5_open_dataset(group, "value");
  if (values < 0)
    return FALSE;
  element->unit = find_unit(values, group, input);
  element->values = debye_h5_series_new(values, FALSE, least_rank, type, size);
  element->times = read_counter(group, "time", input, &element->n_times, &element->times_are_interval,
                                &element->first_time, &element->time_unit);
  element->steps = read_counter(group, "step", input, &element->n_steps, &element->steps_are_interval,
                                &element->first_step, NULL);
  return element->values != NULL;
}

DebyeH5mdElement *
debye_h5md_element_open(hid_t group, const char *name, int least_rank, hid_t type, DebyeInput *input)
{
  g_autoptr(DebyeH5mdElement) element = g_new0(DebyeH5mdElement, 1);
  return open_values(element, group, name, least_rank, type, input) ? g_steal_pointer(&element) : NULL;
}

void
debye_h5md_element_free(DebyeH5mdElement *element)
{
  g_clear_pointer(&element->values, debye_h5_series_free);
  g_free(element->times);
  g_free(element->steps);
  g_free(element->unit);
  g_free(element->time_unit);
  g_free(element);
}

static double
get_counter(const double *values, gsize n, gboolean is_interval, double first, gsize frame_number)
{
  if (values == NULL)
    return NAN;
  if (is_interval)
    return first + values[0] * (double)frame_number;
  return frame_number < n ? values[frame_number] : NAN;
}

double
debye_h5md_element_get_time(const DebyeH5mdElement *element, gsize frame_number)
{
  return get_counter(element->times, element->n_times, element->times_are_interval, element->first_time,
                     frame_number);
}

double
debye_h5md_element_get_step(const DebyeH5mdElement *element, gsize frame_number)
{
  return get_counter(element->steps, element->n_steps, element->steps_are_interval, element->first_step,
                     frame_number);
}
