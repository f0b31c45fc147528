/* SPDX-License-Identifier: MIT */
/* Implementation of map_residues.h. */
#include "map_residues.h"

#include <math.h>

#include "app/analysis/driver/potential_unit.h"
#include "app/analysis/driver/side_files.h"
#include "data/files/error.h"
#include "data/messages/message.h"
#include "map_energies.h"
#include "map_residue_courses.h"
#include "map_residue_curves.h"

/* What is averaged of an atom, kT/e: sums over the frames. */
typedef enum {
  REACTION, /* of the solvent and its ions */
  COULOMB,  /* of all other atoms, in the solute's permittivity */
  OUTSIDE,  /* of the atoms of other residues likewise */
  N_PARTS,
} Part;

struct DebyeMapResidues {
  const DebyeMapPlan *plan;
  gsize n, n_residues;
  guint64 n_frames;
  double *sums[N_PARTS];
  double *squares;                        /* of the reaction field and what is outside, for its spread */
  double *residue_sums, *residue_squares; /* of the mean of that over a residue's atoms */
  double *residue_charge;
  guint32 *residue_atoms;          /* how many are chosen */
  double *coulomb;                 /* e/Å, of the frame at hand */
  DebyeMapResidueCourses *courses; /* NULL: none is followed over time */
};

static gboolean
allocate(DebyeMapResidues *self)
{
  gboolean good = TRUE;
  for (int part = 0; part < N_PARTS; part++)
    good = (self->sums[part] = g_try_new0(double, self->n)) != NULL && good;
  good = (self->squares = g_try_new0(double, self->n)) != NULL && good;
  good = (self->coulomb = g_try_new0(double, self->n)) != NULL && good;
  good = (self->residue_sums = g_try_new0(double, self->n_residues)) != NULL && good;
  good = (self->residue_squares = g_try_new0(double, self->n_residues)) != NULL && good;
  good = (self->residue_charge = g_try_new0(double, self->n_residues)) != NULL && good;
  return (self->residue_atoms = g_try_new0(guint32, self->n_residues)) != NULL && good;
}

static guint32
atom_of(const DebyeMapResidues *self, gsize i)
{
  return g_array_index(self->plan->atoms, guint32, i);
}

static guint32
residue_of(const DebyeMapResidues *self, gsize i)
{
  return debye_topology_get_residues(self->plan->topology)[atom_of(self, i)];
}

gboolean
debye_map_residues_are_wanted(const DebyeMapPlan *plan)
{
  const DebyeMapSettings *settings = &plan->settings;
  const gboolean is_written = settings->residues != NULL && *settings->residues != '\0';
  return is_written || debye_map_residues_are_followed(plan) ||
         (settings->energies && !debye_selection_is_dynamic(plan->selection));
}

DebyeMapResidues *
debye_map_residues_new(const DebyeMapPlan *plan, GError **error)
{
  DebyeMapResidues *self = g_new0(DebyeMapResidues, 1);
  const float *charges = debye_topology_get_charges(plan->topology);
  self->plan = plan;
  self->n = plan->atoms->len;
  self->n_residues = debye_topology_get_n_residues(plan->topology);
  if (!allocate(self)) {
    debye_error_set_memory(error, NULL, self->n, "atoms and their potentials");
    debye_map_residues_free(self);
    return NULL;
  }
  if (debye_map_residues_are_followed(plan) &&
      (self->courses = debye_map_residue_courses_new(plan, error)) == NULL) {
    debye_map_residues_free(self);
    return NULL;
  }
  for (gsize i = 0; i < self->n; i++) {
    self->residue_atoms[residue_of(self, i)]++;
    self->residue_charge[residue_of(self, i)] += (double)charges[atom_of(self, i)];
  }
  return self;
}

void
debye_map_residues_free(DebyeMapResidues *self)
{
  if (self == NULL)
    return;
  for (int part = 0; part < N_PARTS; part++)
    g_free(self->sums[part]);
  g_free(self->squares);
  g_free(self->coulomb);
  g_free(self->residue_sums);
  g_free(self->residue_squares);
  g_free(self->residue_charge);
  g_free(self->residue_atoms);
  debye_map_residue_courses_free(self->courses);
  g_free(self);
}

/* --- Frames --- */

/* Σ z/d over the other atoms of an atom's own residue, which mostly lie beside it: [first, end) holds them all, or more. */
static double
sum_own(const DebyeMapResidues *self, const DebyeSpheres *spheres, const float *charges, gsize i, gsize first,
        gsize end)
{
  const DebyeVec3 at = debye_sphere_center(spheres, i);
  const guint32 residue = residue_of(self, i);
  double sum = 0.0;
  /* Files without residues have one of all atoms. */
  if (self->residue_atoms[residue] == self->n)
    return self->coulomb[i];
  for (gsize j = first; j < end; j++) {
    if (j == i || residue_of(self, j) != residue)
      continue;
    const double distance = debye_vec3_length(debye_vec3_subtract(debye_sphere_center(spheres, j), at));
    sum += distance > 0.0 ? (double)charges[j] / distance : 0.0;
  }
  return sum;
}

/* Where the atoms of each residue begin and end among the chosen ones. */
static void
find_spans(const DebyeMapResidues *self, gsize *first, gsize *end)
{
  for (gsize i = self->n; i-- > 0;)
    first[residue_of(self, i)] = i;
  for (gsize i = 0; i < self->n; i++)
    end[residue_of(self, i)] = i + 1;
}

static void
add_atoms(DebyeMapResidues *self, const DebyeFrame *frame, const DebyeSpheres *spheres, const float *charges,
          const double *field)
{
  const DebyeMapSettings *settings = &self->plan->settings;
  const double scale = DEBYE_BJERRUM_VACUUM(settings->temperature) / settings->solute_permittivity;
  g_autofree gsize *first = g_new0(gsize, self->n_residues), *end = g_new0(gsize, self->n_residues);
  g_autofree double *means = g_new0(double, self->n_residues);
  find_spans(self, first, end);
  for (gsize i = 0; i < self->n; i++) {
    const guint32 residue = residue_of(self, i);
    const double own = sum_own(self, spheres, charges, i, first[residue], end[residue]);
    const double environment = field[i] + scale * (self->coulomb[i] - own);
    self->sums[REACTION][i] += field[i];
    self->sums[COULOMB][i] += scale * self->coulomb[i];
    self->sums[OUTSIDE][i] += scale * (self->coulomb[i] - own);
    self->squares[i] += environment * environment;
    means[residue] += environment / (double)self->residue_atoms[residue];
  }
  for (gsize residue = 0; residue < self->n_residues; residue++) {
    self->residue_sums[residue] += means[residue];
    self->residue_squares[residue] += means[residue] * means[residue];
  }
  if (self->courses != NULL)
    debye_map_residue_courses_add(self->courses, frame, means);
}

DebyeStatusCode
debye_map_residues_set_frame(DebyeMapResidues *self, const DebyeSpheres *spheres, const float *charges,
                             DebyeStatus *status)
{
  return debye_poisson_coulomb_potential(spheres, charges, self->coulomb, status);
}

void
debye_map_residues_add_frame(DebyeMapResidues *self, const DebyeFrame *frame, const DebyeSpheres *spheres,
                             const float *charges, const double *field)
{
  add_atoms(self, frame, spheres, charges, field);
  self->n_frames++;
}

const double *
debye_map_residues_get_coulomb(const DebyeMapResidues *self)
{
  return self->coulomb;
}

void
debye_map_residues_list_state(DebyeMapResidues *self, DebyeFrameState *state)
{
  static const char *const names[N_PARTS] = {"reaction_sums", "coulomb_sums", "outside_sums"};
  debye_frame_state_add_counts(state, "residue_frames", DEBYE_STATE_SUM, &self->n_frames, 1);
  for (int part = 0; part < N_PARTS; part++)
    debye_frame_state_add(state, names[part], DEBYE_STATE_SUM, self->sums[part], self->n);
  debye_frame_state_add(state, "environment_squares", DEBYE_STATE_SUM, self->squares, self->n);
  debye_frame_state_add(state, "residue_sums", DEBYE_STATE_SUM, self->residue_sums, self->n_residues);
  debye_frame_state_add(state, "residue_squares", DEBYE_STATE_SUM, self->residue_squares, self->n_residues);
  if (self->courses != NULL)
    debye_map_residue_courses_list_state(self->courses, state);
}

/* --- The table --- */

typedef enum {
  COLUMN_NUMBER,
  COLUMN_ATOM,
  COLUMN_CHARGE,
  COLUMN_RADIUS,
  COLUMN_REACTION,
  COLUMN_COULOMB,
  COLUMN_POTENTIAL,
  COLUMN_ENVIRONMENT,
  COLUMN_SPREAD,
  COLUMN_ENERGY,
  N_NUMBERS,
} Column;

typedef struct {
  GPtrArray *level, *segment, *chain, *residue, *insertion, *name; /* of char *, borrowed but insertion's */
  GArray *numbers[N_NUMBERS];                                      /* of double */
} Rows;

static void
rows_init(Rows *rows)
{
  GPtrArray **const texts[] = {&rows->level, &rows->segment, &rows->chain, &rows->residue, &rows->name};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    *texts[i] = g_ptr_array_new();
  rows->insertion = g_ptr_array_new_with_free_func(g_free);
  for (int i = 0; i < N_NUMBERS; i++)
    rows->numbers[i] = g_array_new(FALSE, FALSE, sizeof(double));
}

static void
rows_clear(Rows *rows)
{
  GPtrArray *const texts[] = {rows->level,   rows->segment,   rows->chain,
                              rows->residue, rows->insertion, rows->name};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    g_ptr_array_unref(texts[i]);
  for (int i = 0; i < N_NUMBERS; i++)
    g_array_unref(rows->numbers[i]);
}

static void
add_row(const DebyeMapResidues *self, Rows *rows, const char *level, guint32 residue, const char *name,
        const double numbers[N_NUMBERS])
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(self->plan->topology);
  const DebyeResidue *row = &debye_topology_get_residue_table(self->plan->topology)[residue];
  g_ptr_array_add(rows->level, (char *)level);
  g_ptr_array_add(rows->segment, (char *)debye_string_pool_get(pool, row->segment));
  g_ptr_array_add(rows->insertion, g_strndup(&row->insertion_code, 1)); /* of none: empty */
  g_ptr_array_add(rows->chain, (char *)debye_string_pool_get(pool, row->chain));
  g_ptr_array_add(rows->residue, (char *)debye_string_pool_get(pool, row->name));
  g_ptr_array_add(rows->name, (char *)name);
  for (int i = 0; i < N_NUMBERS; i++)
    g_array_append_val(rows->numbers[i], numbers[i]);
}

/* 1 kT/e in the plan's unit. */
static double
unit_of(const DebyeMapResidues *self)
{
  const double temperature = self->plan->settings.temperature;
  return debye_potential_unit_factor(self->plan->settings.unit, temperature) /
         DEBYE_BJERRUM_VACUUM(temperature);
}

/* Standard deviation over the frames. */
static double
spread_of(const DebyeMapResidues *self, double sum, double squares)
{
  const double n = (double)self->n_frames, mean = sum / n;
  return sqrt(MAX(0.0, squares / n - mean * mean));
}

/* Of a sum over the frames of charges times the reaction field, kT: ½ of its mean, kcal/mol. */
static double
energy_of(const DebyeMapResidues *self, double sum)
{
  return 0.5 * DEBYE_KCAL_PER_KELVIN * self->plan->settings.temperature * sum / (double)self->n_frames;
}

static void
add_atom_row(const DebyeMapResidues *self, Rows *rows, gsize i)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(self->plan->topology);
  const guint32 atom = atom_of(self, i), residue = residue_of(self, i);
  const double factor = unit_of(self);
  const double scale = factor / (double)self->n_frames;
  const double reaction = self->sums[REACTION][i], coulomb = self->sums[COULOMB][i];
  const double charge = (double)debye_topology_get_charges(self->plan->topology)[atom];
  const double numbers[N_NUMBERS] = {
      [COLUMN_NUMBER] = debye_topology_get_residue_table(self->plan->topology)[residue].number,
      [COLUMN_ATOM] = (double)atom + 1.0,
      [COLUMN_CHARGE] = charge,
      [COLUMN_RADIUS] = (double)g_array_index(self->plan->radii, float, atom),
      [COLUMN_REACTION] = scale * reaction,
      [COLUMN_COULOMB] = scale * coulomb,
      [COLUMN_POTENTIAL] = scale * (reaction + coulomb),
      [COLUMN_ENVIRONMENT] = scale * (reaction + self->sums[OUTSIDE][i]),
      [COLUMN_SPREAD] = factor * spread_of(self, reaction + self->sums[OUTSIDE][i], self->squares[i]),
      [COLUMN_ENERGY] = energy_of(self, charge * reaction),
  };
  add_row(self, rows, "atom", residue,
          debye_string_pool_get(pool, debye_topology_get_names(self->plan->topology)[atom]), numbers);
}

/* Means over its atoms, and of charges and energies the sums. */
static void
add_residue_row(const DebyeMapResidues *self, Rows *rows, guint32 residue, gsize first, gsize end)
{
  const double factor = unit_of(self);
  const double scale = factor / (double)self->n_frames;
  const float *charges = debye_topology_get_charges(self->plan->topology);
  double parts[N_PARTS] = {0.0}, energy = 0.0;
  for (gsize i = first; i < end; i++) {
    if (residue_of(self, i) != residue)
      continue;
    for (int part = 0; part < N_PARTS; part++)
      parts[part] += self->sums[part][i] * scale / (double)self->residue_atoms[residue];
    energy += (double)charges[atom_of(self, i)] * self->sums[REACTION][i];
  }
  const double numbers[N_NUMBERS] = {
      [COLUMN_NUMBER] = debye_topology_get_residue_table(self->plan->topology)[residue].number,
      [COLUMN_ATOM] = (double)atom_of(self, first) + 1.0,
      [COLUMN_CHARGE] = debye_charge_round(self->residue_charge[residue]),
      [COLUMN_RADIUS] = 0.0,
      [COLUMN_REACTION] = parts[REACTION],
      [COLUMN_COULOMB] = parts[COULOMB],
      [COLUMN_POTENTIAL] = parts[REACTION] + parts[COULOMB],
      [COLUMN_ENVIRONMENT] = parts[REACTION] + parts[OUTSIDE],
      [COLUMN_SPREAD] = factor * spread_of(self, self->residue_sums[residue], self->residue_squares[residue]),
      [COLUMN_ENERGY] = energy_of(self, energy),
  };
  add_row(self, rows, "residue", residue, "", numbers);
}

static void
fill(const DebyeMapResidues *self, Rows *rows)
{
  g_autofree gsize *first = g_new0(gsize, self->n_residues), *end = g_new0(gsize, self->n_residues);
  find_spans(self, first, end);
  for (guint32 residue = 0; residue < self->n_residues; residue++) {
    if (self->residue_atoms[residue] == 0)
      continue;
    add_residue_row(self, rows, residue, first[residue], end[residue]);
    for (gsize i = first[residue]; i < end[residue]; i++)
      if (residue_of(self, i) == residue)
        add_atom_row(self, rows, i);
  }
}

static void
add_texts(DebyeTable *table, const char *name, const char *label, GPtrArray *texts)
{
  /* The list ends with a NULL. */
  g_ptr_array_add(texts, NULL);
  debye_table_add_texts(table, &(DebyeQuantity){name, label, NULL}, (const char *const *)texts->pdata);
}

/* Texts first: what tells rows apart stands on the left. */
static DebyeTable *
make_table(const DebyeMapResidues *self, const Rows *rows)
{
  const gsize n = rows->level->len;
  const char *unit = debye_potential_unit_name(self->plan->settings.unit);
  const DebyeQuantity columns[N_NUMBERS] = {
      [COLUMN_NUMBER] = {"number", N_("residue number"), NULL},
      [COLUMN_ATOM] = {"atom", "atom, or a residue's first", NULL},
      [COLUMN_CHARGE] = {"charge", N_("charge"), "e"},
      [COLUMN_RADIUS] = {"radius", "radius", "Å"},
      [COLUMN_REACTION] = {"reaction", N_("reaction field"), unit},
      [COLUMN_COULOMB] = {"coulomb", N_("Coulomb potential of other atoms"), unit},
      [COLUMN_POTENTIAL] = {"potential", N_("whole potential"), unit},
      [COLUMN_ENVIRONMENT] = {"environment", N_("potential of the surroundings"), unit},
      [COLUMN_SPREAD] = {"environment_std", N_("standard deviation of the surroundings' potential"), unit},
      [COLUMN_ENERGY] = {"reaction_energy", N_("reaction field energy"), "kcal/mol"},
  };
  DebyeTable *table = debye_table_new(DEBYE_TABLE_OF_RESIDUES);
  add_texts(table, "level", "residue or atom", rows->level);
  add_texts(table, "segment", N_("segment"), rows->segment);
  add_texts(table, "chain", N_("chain"), rows->chain);
  add_texts(table, "residue", N_("residue"), rows->residue);
  debye_table_add_numbers(table, &columns[COLUMN_NUMBER], n,
                          (const double *)(gpointer)rows->numbers[COLUMN_NUMBER]->data);
  add_texts(table, "insertion", N_("insertion code"), rows->insertion);
  add_texts(table, "name", "name of the atom", rows->name);
  for (int i = COLUMN_ATOM; i < N_NUMBERS; i++)
    if (i != COLUMN_SPREAD || self->n_frames > 1)
      debye_table_add_numbers(table, &columns[i], n, (const double *)(gpointer)rows->numbers[i]->data);
  return table;
}

void
debye_map_residues_add_table(const DebyeMapResidues *self, DebyeResult *result)
{
  Rows rows;
  if (self->n_frames == 0)
    return;
  rows_init(&rows);
  fill(self, &rows);
  g_autoptr(DebyeTable) table = make_table(self, &rows);
  debye_result_add_table(result, table);
  debye_map_residue_curves_add(table, result);
  if (self->courses != NULL)
    debye_map_residue_courses_add_curves(self->courses, unit_of(self), result);
  rows_clear(&rows);
}

gboolean
debye_map_residues_save(DebyeResult *result, const char *path, GError **error)
{
  DebyeTable *table = debye_result_find_table(result, DEBYE_TABLE_OF_RESIDUES);
  if (table == NULL)
    return TRUE;
  if (!debye_result_save_table(result, table, path, NULL, error))
    return FALSE;
  debye_side_files_add(result, path);
  return TRUE;
}
