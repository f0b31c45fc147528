/* SPDX-License-Identifier: MIT */
/* What files hold together, as it was chosen to count: structure, trajectory and warnings; called by both programs. Files are
 * opened in dataset_open.c. */
#include "dataset_private.h"

#include "data/molecule/altloc.h"
#include "data/selection/element_choice.h"
#include "length_unit.h"
#include "data/files/error.h"
#include "data/messages/message.h"

#include <math.h>
#include <string.h>

/* A force field's rounded charges sum up to an integer within this, e. */
#define CHARGE_TOLERANCE 0.02

G_DEFINE_FINAL_TYPE(DebyeDataset, debye_dataset, G_TYPE_OBJECT)

static void
debye_dataset_finalize(GObject *object)
{
  DebyeDataset *self = DEBYE_DATASET(object);
  g_free(self->name);
  g_clear_object(&self->of_files);
  g_clear_object(&self->topology);
  g_clear_object(&self->trajectory);
  g_strfreev(self->paths);
  g_strfreev(self->choices);
  g_free(self->altloc);
  g_free(self->cell);
  g_free(self->length_unit);
  g_ptr_array_unref(self->formats);
  g_ptr_array_unref(self->remarks);
  g_ptr_array_unref(self->warnings);
  G_OBJECT_CLASS(debye_dataset_parent_class)->finalize(object);
}

static void
debye_dataset_class_init(DebyeDatasetClass *klass)
{
  G_OBJECT_CLASS(klass)->finalize = debye_dataset_finalize;
}

static void
debye_dataset_init(DebyeDataset *self)
{
  self->formats = g_ptr_array_new();
  self->remarks = g_ptr_array_new_with_free_func(g_free);
  self->warnings = g_ptr_array_new_with_free_func(g_free);
  self->altloc = g_strdup(DEBYE_ALTLOC_HIGHEST);
  self->cell = g_strdup(DEBYE_CELL_OF_FILE);
}

void
debye_dataset_warn(GPtrArray *warnings, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_ptr_array_add(warnings, debye_say_valist(format, arguments));
  va_end(arguments);
}

/* --- Warnings --- */

static void
warn_of_charge(DebyeDataset *self)
{
  double charge = debye_topology_get_total_charge(self->topology);
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  if (fabs(charge - nearbyint(charge)) > CHARGE_TOLERANCE)
    debye_dataset_warn(self->warnings,
                       "the total charge, %s e, is not an integer: atoms or charges may be missing",
                       g_ascii_formatd(text, sizeof text, "%.4f", charge));
}

static void
warn_of_elements(DebyeDataset *self)
{
  const guint8 *sources = debye_topology_get_element_sources(self->topology);
  gsize n_unknown = 0, first = 0;
  for (gsize i = debye_topology_get_n_atoms(self->topology); i-- > 0;)
    if (sources[i] == DEBYE_ELEMENT_UNKNOWN) {
      n_unknown++;
      first = i;
    }
  if (n_unknown == 0)
    return;
  const DebyeStringPool *pool = debye_topology_get_string_pool(self->topology);
  debye_dataset_warn(self->warnings,
                     "the elements of %" G_GSIZE_FORMAT
                     " atoms are unknown; the first is atom %" G_GSIZE_FORMAT ", named “%s”",
                     n_unknown, first,
                     debye_string_pool_get(pool, debye_topology_get_names(self->topology)[first]));
}

static void
warn_of_altloc(DebyeDataset *self)
{
  g_autofree char *sentence = debye_dataset_describe_altloc(self);
  if (sentence != NULL)
    debye_dataset_warn(self->warnings, "%s", sentence);
}

void
debye_dataset_collect_warnings(DebyeDataset *self)
{
  for (guint i = 0; i < self->remarks->len; i++)
    debye_dataset_warn(self->warnings, "%s", (const char *)self->remarks->pdata[i]);
  for (const char *const *text = self->trajectory != NULL ? debye_trajectory_get_warnings(self->trajectory)
                                                          : NULL;
       text != NULL && *text != NULL; text++)
    debye_dataset_warn(self->warnings, "%s", *text);
  if (self->leaves_unit_open && self->length_unit == NULL)
    debye_dataset_warn(self->warnings, "the files don't state their unit of length: Å is assumed");
  warn_of_altloc(self);
  warn_of_charge(self);
  if (self->is_named)
    warn_of_elements(self);
  g_ptr_array_add(self->warnings, NULL);
}

/* --- The same files, later or otherwise --- */

static void
set_text(char **text, const char *value)
{
  char *copy = g_strdup(value);
  g_free(*text);
  *text = copy;
}

/* The caller sets what differs, and collects the warnings. */
static DebyeDataset *
copy_dataset(DebyeDataset *self)
{
  DebyeDataset *copy = g_object_new(DEBYE_TYPE_DATASET, NULL);
  copy->name = g_strdup(self->name);
  copy->of_files = g_object_ref(self->of_files);
  copy->topology = g_object_ref(self->topology);
  copy->trajectory = self->trajectory != NULL ? g_object_ref(self->trajectory) : NULL;
  copy->paths = g_strdupv(self->paths);
  copy->choices = g_strdupv(self->choices);
  set_text(&copy->altloc, self->altloc);
  set_text(&copy->cell, self->cell);
  set_text(&copy->length_unit, self->length_unit);
  copy->leaves_unit_open = self->leaves_unit_open;
  copy->is_named = self->is_named;
  for (guint i = 0; i < self->formats->len; i++)
    g_ptr_array_add(copy->formats, self->formats->pdata[i]);
  for (guint i = 0; i < self->remarks->len; i++)
    g_ptr_array_add(copy->remarks, g_strdup(self->remarks->pdata[i]));
  return copy;
}

DebyeDataset *
debye_dataset_refresh(DebyeDataset *self, DebyeProgressFunc progress, gpointer data, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DATASET(self), NULL);
  if (self->trajectory == NULL)
    return g_object_ref(self);
  g_autoptr(DebyeTrajectory) fresh = debye_trajectory_refresh(self->trajectory, progress, data, error);
  if (fresh == NULL)
    return NULL;
  if (fresh == self->trajectory)
    return g_object_ref(self);
  DebyeDataset *copy = copy_dataset(self);
  g_set_object(&copy->trajectory, fresh);
  debye_dataset_collect_warnings(copy);
  return copy;
}

/* From the files' one, by the choices that the dataset has. */
static gboolean
choose_topology_again(DebyeDataset *self, GError **error)
{
  g_autoptr(DebyeTopology) chosen =
      debye_topology_with_element_choices(self->of_files, (const char *const *)self->choices, error);
  if (chosen == NULL)
    return FALSE;
  g_object_unref(self->topology);
  self->topology = debye_topology_choose_altloc(chosen, self->altloc);
  return TRUE;
}

DebyeDataset *
debye_dataset_with_elements(DebyeDataset *self, const char *const *choices, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DATASET(self), NULL);
  g_autoptr(DebyeDataset) copy = copy_dataset(self);
  g_strfreev(copy->choices);
  copy->choices = choices != NULL ? g_strdupv((char **)choices) : g_new0(char *, 1);
  if (!choose_topology_again(copy, error))
    return NULL;
  debye_dataset_collect_warnings(copy);
  return g_steal_pointer(&copy);
}

DebyeDataset *
debye_dataset_with_choices(DebyeDataset *self, const char *altloc, const char *cell, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DATASET(self), NULL);
  const gboolean has_altloc = altloc != NULL && strcmp(altloc, self->altloc) != 0;
  const gboolean has_cell = cell != NULL && strcmp(cell, self->cell) != 0;
  DebyeCellChoice choice;
  if (!has_altloc && !has_cell)
    return g_object_ref(self);
  if ((has_altloc && !debye_altloc_check(altloc, error)) ||
      (has_cell && !debye_cell_choice_parse(cell, &choice, error)))
    return NULL;
  g_autoptr(DebyeDataset) copy = copy_dataset(self);
  if (has_altloc) {
    set_text(&copy->altloc, altloc);
    if (!choose_topology_again(copy, error))
      return NULL;
  }
  if (has_cell)
    set_text(&copy->cell, cell);
  if (has_cell && self->trajectory != NULL) {
    g_object_unref(copy->trajectory);
    copy->trajectory = debye_trajectory_with_choices(self->trajectory, &choice, NAN);
  }
  debye_dataset_collect_warnings(copy);
  return g_steal_pointer(&copy);
}

/* A topology keeps the bonds that were found from distances, which are others now. */
static gboolean
forget_distances(DebyeDataset *self, GError **error)
{
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(self->of_files, &n_bonds);
  g_autoptr(DebyeTopology) fresh = debye_topology_with_bonds(self->of_files, bonds, n_bonds);
  g_set_object(&self->of_files, fresh);
  return choose_topology_again(self, error);
}

DebyeDataset *
debye_dataset_with_length_unit(DebyeDataset *self, const char *unit, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_DATASET(self), NULL);
  double angstrom;
  if (unit == NULL || g_strcmp0(unit, self->length_unit) == 0)
    return g_object_ref(self);
  if (!debye_length_unit_parse(unit, &angstrom, error))
    return NULL;
  if (!self->leaves_unit_open) {
    debye_error_set(error, DEBYE_ERROR_SETTING,
                    "expected a file that leaves its unit open (pos.d) for “%s”, found none", unit);
    return NULL;
  }
  g_autoptr(DebyeDataset) copy = copy_dataset(self);
  set_text(&copy->length_unit, unit);
  if (!forget_distances(copy, error))
    return NULL;
  g_object_unref(copy->trajectory);
  copy->trajectory = debye_trajectory_with_choices(self->trajectory, NULL, angstrom);
  debye_dataset_collect_warnings(copy);
  return g_steal_pointer(&copy);
}

gboolean
debye_dataset_leaves_unit_open(DebyeDataset *self)
{
  return self->leaves_unit_open;
}

const char *
debye_dataset_get_name(DebyeDataset *self)
{
  return self->name;
}

DebyeTopology *
debye_dataset_get_topology(DebyeDataset *self)
{
  return self->topology;
}

DebyeTopology *
debye_dataset_get_topology_of_files(DebyeDataset *self)
{
  return self->of_files;
}

DebyeTrajectory *
debye_dataset_get_trajectory(DebyeDataset *self)
{
  return self->trajectory;
}

const char *const *
debye_dataset_get_paths(DebyeDataset *self)
{
  return (const char *const *)self->paths;
}

const char *const *
debye_dataset_get_formats(DebyeDataset *self)
{
  return (const char *const *)self->formats->pdata;
}

const char *const *
debye_dataset_get_warnings(DebyeDataset *self)
{
  return (const char *const *)self->warnings->pdata;
}

const char *const *
debye_dataset_get_element_choices(DebyeDataset *self)
{
  return (const char *const *)self->choices;
}

const char *
debye_dataset_get_altloc(DebyeDataset *self)
{
  return self->altloc;
}

const char *
debye_dataset_get_cell_choice(DebyeDataset *self)
{
  return self->cell;
}

const char *
debye_dataset_get_length_unit(DebyeDataset *self)
{
  return self->length_unit;
}

char *
debye_dataset_describe_altloc(DebyeDataset *self)
{
  return debye_altloc_describe(self->topology, self->altloc);
}
