/* SPDX-License-Identifier: MIT */
/* Completes the settings of a run into a plan or refuses them; everything about scattering starts from it. */
#include "scattering_plan.h"

#include <math.h>
#include <string.h>

#include "app/analysis/driver/analysis.h"
#include "app/analysis/driver/memory_size.h"
#include "data/files/error.h"
#include "data/messages/message.h"

/* Vectors of a run at most: beyond, a person has mistyped the range. */
#define MAX_VECTORS 4000000

#define USUAL_Q_MAX 5.0         /* Å⁻¹: a liquid's structure is seen */
#define USUAL_SHELL_VECTORS 300 /* in time */
#define OPEN_Q_STEP 0.05        /* Å⁻¹: where no cell says how fine it can be */
#define FEWEST_Q 10 /* with fewer, the steps of a small cell put several reflections in one shell */

void
debye_scattering_plan_clear(gpointer own)
{
  DebyeScatteringPlan *plan = own;
  debye_frame_choice_clear(&plan->frames);
  debye_scatterers_clear(&plan->scatterers);
  debye_orientation_clear(&plan->orientation);
  debye_scattering_vectors_clear(&plan->vectors);
  g_clear_pointer(&plan->q, g_array_unref);
  g_clear_pointer(&plan->notes, g_ptr_array_unref);
}

static void
add_note(DebyeScatteringPlan *plan, DebyeNoteKind kind, const char *text)
{
  g_ptr_array_add(plan->notes, debye_note_new(kind, NULL, "%s", text));
}

/* --- q --- */

/* As far as the reciprocal lattice has no more vectors than a run takes: the form of a cell of 200 Å would begin with an
 * error. */
static double
find_usual_end(const DebyeCell *cell, double step)
{
  const double density = debye_cell_volume(cell) / pow(2.0 * G_PI, 3.0);
  const double reach = cbrt(MAX_VECTORS / (4.0 / 3.0 * G_PI * density)) - step;
  return fmin(USUAL_Q_MAX, reach);
}

char *
debye_scattering_plan_suggest_q(const DebyeFrame *frame)
{
  char step_text[G_ASCII_DTOSTR_BUF_SIZE], last_text[G_ASCII_DTOSTR_BUF_SIZE];
  double step = OPEN_Q_STEP, end = USUAL_Q_MAX;
  if (frame->has_cell && debye_cell_is_valid(&frame->cell)) {
    double longest = fmax(debye_vec3_length(frame->cell.a),
                          fmax(debye_vec3_length(frame->cell.b), debye_vec3_length(frame->cell.c)));
    /* Up to two digits: what a person would type. */
    double exact = 2.0 * G_PI / longest, unit = pow(10.0, floor(log10(exact)) - 1.0);
    step = ceil(exact / unit) * unit;
    if (USUAL_Q_MAX / step < FEWEST_Q)
      step = OPEN_Q_STEP;
    end = find_usual_end(&frame->cell, step);
  }
  double last = step * floor(end / step);
  if (last < step)
    last = step;
  return g_strdup_printf("%s:%s:%s", g_ascii_formatd(step_text, sizeof step_text, "%g", step),
                         g_ascii_formatd(last_text, sizeof last_text, "%g", last), step_text);
}

static gboolean
choose_q(DebyeScatteringPlan *plan, const char **key, GError **error)
{
  g_autofree char *suggested = NULL;
  const char *text = plan->settings.q;
  gboolean has_hkl = plan->settings.hkl != NULL, has_vectors = plan->settings.q_vectors != NULL;
  plan->rows_are_vectors = has_hkl || has_vectors;
  *key = "q";
  if ((text != NULL) + has_hkl + has_vectors > 1)
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Scattering vector",
                                 "expected one of lengths, a file of vectors and reflections, found two");
  if (plan->rows_are_vectors)
    return TRUE;
  if (text == NULL)
    text = suggested = debye_scattering_plan_suggest_q(plan->frames.first);
  plan->q = debye_scattering_parse_q(text, error);
  return plan->q != NULL;
}

static double
largest_q(const DebyeScatteringPlan *plan)
{
  double largest = 0.0;
  if (plan->q != NULL)
    return g_array_index(plan->q, double, plan->q->len - 1);
  for (guint i = 0; i < plan->vectors.vectors->len; i++)
    largest = fmax(largest, debye_vec3_length(g_array_index(plan->vectors.vectors, DebyeVec3, i)));
  return largest;
}

/* --- Orientation and vectors --- */

static gboolean
refuse_lattice(const DebyeScatteringPlan *plan, const char *label, const char *expected, GError **error)
{
  return debye_error_set_about(error, DEBYE_ERROR_MISSING, label,
                               "frame %" G_GSIZE_FORMAT
                               " has no cell whose reciprocal lattice could be used: expected %s",
                               plan->frames.first->index, expected);
}

static gboolean
choose_orientation(DebyeScatteringPlan *plan, GError **error)
{
  const char *text = plan->settings.orientation;
  if (plan->rows_are_vectors) {
    gboolean has_hkl = plan->settings.hkl != NULL;
    plan->orientation =
        (DebyeOrientation){.kind = has_hkl ? DEBYE_ORIENTATION_LATTICE : DEBYE_ORIENTATION_NONE};
    if (has_hkl && !plan->is_periodic)
      return refuse_lattice(plan,
                            "h,k,l of the cell's reciprocal lattice; each becomes a row of the result, "
                            "F(hkl, τ), without an average, and moves with the cell",
                            N_("a file of vectors"), error);
    if (text == NULL || g_str_equal(text, "none"))
      return TRUE;
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, "Orientation",
                                 "rows of vectors are not averaged, expected none, found “%s”", text);
  }
  if (text == NULL)
    text = plan->is_periodic && plan->with_coherent ? "lattice" : "exact";
  if (!debye_orientation_parse(&plan->orientation, text, error))
    return FALSE;
  if (plan->orientation.kind == DEBYE_ORIENTATION_LATTICE && !plan->is_periodic)
    return refuse_lattice(plan, "Orientation", N_("exact, sphere:N or multipole:L"), error);
  return TRUE;
}

/* Complex lengths tell a vector from its opposite. */
static gboolean
has_complex_weights(const DebyeScatterers *scatterers)
{
  for (guint i = 0; i < scatterers->species->len; i++)
    if (debye_scatterers_get(scatterers, i)->coherent_imaginary != 0.0)
      return TRUE;
  return FALSE;
}

static gboolean
make_vectors(DebyeScatteringPlan *plan, const char **key, GError **error)
{
  switch (plan->orientation.kind) {
  case DEBYE_ORIENTATION_EXACT:
  case DEBYE_ORIENTATION_MULTIPOLE:
    return TRUE;
  case DEBYE_ORIENTATION_VECTORS:
    return debye_scattering_vectors_read(&plan->vectors, plan->orientation.path, plan->q, error);
  case DEBYE_ORIENTATION_LATTICE:
    *key = "q";
    return debye_scattering_vectors_lattice(&plan->vectors, G_OBJECT(plan->topology),
                                            &plan->frames.first->cell, plan->q,
                                            has_complex_weights(&plan->scatterers), MAX_VECTORS, error);
  case DEBYE_ORIENTATION_NONE:
  case DEBYE_ORIENTATION_SPHERE:
  case DEBYE_ORIENTATION_RANDOM:
  case DEBYE_ORIENTATION_CYLINDER:
    break;
  }
  return debye_scattering_vectors_make(&plan->vectors, plan->q, &plan->orientation,
                                       (guint64)plan->settings.seed, error);
}

/* The vectors that are rows of their own. */
static gboolean
make_rows(DebyeScatteringPlan *plan, const char **key, GError **error)
{
  if (plan->settings.hkl == NULL)
    return debye_scattering_vectors_read(&plan->vectors, plan->settings.q_vectors, NULL, error);
  *key = "hkl";
  return debye_scattering_vectors_reflections(&plan->vectors, &plan->frames.first->cell, plan->settings.hkl,
                                              error);
}

static gboolean
check_vectors(DebyeScatteringPlan *plan, GError **error)
{
  if (plan->vectors.vectors == NULL)
    return TRUE;
  if (plan->vectors.vectors->len == 0)
    return debye_error_set_about(error, DEBYE_ERROR_VALUE, "Scattering vector",
                                 "no vector of the cell's reciprocal lattice has the requested length");
  if (plan->vectors.vectors->len > MAX_VECTORS)
    return debye_error_set_about(error, DEBYE_ERROR_LIMIT, "Scattering vector",
                                 "%u vectors are too many; at most %d can be used",
                                 plan->vectors.vectors->len, MAX_VECTORS);
  return TRUE;
}

/* Of lattice shells, which are large where the cell is, some vectors will do in time: each costs a course. */
static void
thin_shells(DebyeScatteringPlan *plan)
{
  const gboolean in_time = plan->settings.dynamic || plan->settings.spectrum;
  const gint64 usual = in_time ? USUAL_SHELL_VECTORS : 0;
  const gint64 most = plan->settings.has_shell_vectors ? plan->settings.shell_vectors : usual;
  if (most == 0 || plan->rows_are_vectors || plan->orientation.kind != DEBYE_ORIENTATION_LATTICE)
    return;
  gsize n_all = debye_scattering_vectors_thin(&plan->vectors, (gsize)most, (guint64)plan->settings.seed);
  if (plan->vectors.vectors->len < n_all)
    g_ptr_array_add(plan->notes,
                    debye_note_new(DEBYE_NOTE_PLAIN, NULL,
                                   "Of %" G_GSIZE_FORMAT
                                   " lattice vectors, %u are used, at most %" G_GINT64_FORMAT " per q",
                                   n_all, plan->vectors.vectors->len, most));
}

/* Of the whole job, whatever part of it is computed at a time. */
static void
note_vectors(DebyeScatteringPlan *plan)
{
  if (plan->vectors.vectors != NULL)
    g_ptr_array_add(plan->notes, debye_note_new(DEBYE_NOTE_PLAIN, NULL, "Vectors: %u in %u shells",
                                                plan->vectors.vectors->len, plan->vectors.shells->len));
}

/* Shells are in order of q: only the first one reaches down to 0. */
static void
look_at_forward_beam(DebyeScatteringPlan *plan)
{
  const GArray *shells = plan->vectors.shells;
  char q[G_ASCII_DTOSTR_BUF_SIZE];
  if (plan->orientation.kind != DEBYE_ORIENTATION_LATTICE || plan->rows_are_vectors)
    return;
  const DebyeScatteringShell *first = &g_array_index(shells, DebyeScatteringShell, 0);
  for (gsize v = 0; v < first->n && first->n > 1; v++) {
    const int *indices = ((const int(*)[3])plan->vectors.indices->data)[v];
    if (indices[0] == 0 && indices[1] == 0 && indices[2] == 0)
      g_ptr_array_add(plan->notes,
                      debye_note_new(DEBYE_NOTE_WARNING, NULL,
                                     "the mean at q = %s Å⁻¹ includes 000, the forward beam, as bright as "
                                     "all atoms together: begin at a larger q, or use smaller steps",
                                     g_ascii_formatd(q, sizeof q, "%.3g", first->q)));
  }
}

/* Beside the lattice of a periodic system the signal is mostly the shape of its cell. */
static void
look_at_box(DebyeScatteringPlan *plan)
{
  gboolean on_lattice = plan->orientation.kind == DEBYE_ORIENTATION_LATTICE;
  if (!plan->is_periodic || !plan->with_coherent)
    return;
  if (plan->vectors.vectors == NULL) {
    if (plan->orientation.kind == DEBYE_ORIENTATION_EXACT)
      add_note(
          plan, DEBYE_NOTE_WARNING,
          "the exact average treats the atoms as a finite body without images, so that a periodic system "
          "shows mostly the shape of its cell: choose orientation lattice, or a selection that is one body");
    else
      add_note(plan, DEBYE_NOTE_WARNING,
               "multipoles treat the atoms as a finite body without images, so that a periodic system shows "
               "mostly the shape of its cell: choose orientation lattice, or a selection that is one body");
    return;
  }
  for (guint i = 0; i < plan->vectors.vectors->len && !on_lattice; i++) {
    DebyeVec3 q = g_array_index(plan->vectors.vectors, DebyeVec3, i);
    if (debye_reciprocal_lattice_has(&plan->frames.first->cell, q))
      continue;
    plan->corrects_box = plan->settings.has_box_correction
                             ? plan->settings.box_correction
                             : !plan->rows_are_vectors && plan->settings.normalise != DEBYE_NORMALISE_RAW;
    add_note(plan, plan->corrects_box ? DEBYE_NOTE_PLAIN : DEBYE_NOTE_WARNING,
             plan->corrects_box
                 ? "Not all vectors are on the cell's reciprocal lattice: atoms are wrapped into the cell, "
                   "and its shape at the mean density is subtracted from the amplitudes"
                 : "not all vectors are on the cell's reciprocal lattice: coherent scattering elsewhere is "
                   "mostly that of the cell's shape; choose orientation lattice or box-correction");
    return;
  }
}

/* --- The rest --- */

static gboolean
choose_volume(DebyeScatteringPlan *plan, GError **error)
{
  if (!plan->settings.volume_map)
    return TRUE;
  if (plan->orientation.kind != DEBYE_ORIENTATION_LATTICE || !plan->with_coherent)
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, "S(hkl) as a volume",
                                 "expected coherent scattering with orientation lattice");
  g_ptr_array_add(
      plan->notes,
      debye_note_new(
          DEBYE_NOTE_CAPTION, "S(hkl)",
          "S(hkl): the value at 000, the forward beam, is replaced by the mean of the six values around it"));
  /* Only real parts of products are summed on the lattice. */
  if (has_complex_weights(&plan->scatterers))
    g_ptr_array_add(
        plan->notes,
        debye_note_new(
            DEBYE_NOTE_CAPTION, "S(hkl)",
            "S(hkl): some scattering lengths are complex: each value is the mean of hkl and its opposite"));
  return TRUE;
}

static gboolean
choose_norm(DebyeScatteringPlan *plan, const char **key, GError **error)
{
  plan->volume = isnan(plan->settings.volume) ? 0.0 : plan->settings.volume;
  if (plan->settings.normalise == DEBYE_NORMALISE_ABSOLUTE && plan->volume == 0.0 && !plan->is_periodic) {
    *key = "volume";
    return debye_error_set_about(error, DEBYE_ERROR_MISSING, "Volume",
                                 "absolute units need one, and frame %" G_GSIZE_FORMAT " has no cell",
                                 plan->frames.first->index);
  }
  if (plan->settings.normalise == DEBYE_NORMALISE_FABER_ZIMAN && plan->with_incoherent) {
    *key = "normalise";
    return debye_error_set_about(
        error, DEBYE_ERROR_SETTING, "Normalise",
        "Faber–Ziman partials apply to coherent scattering only, found incoherent as well");
  }
  return TRUE;
}

static gboolean
choose_kind(DebyeScatteringPlan *plan, const char **key, GError **error)
{
  const DebyeScatteringPart kind = plan->settings.kind;
  plan->with_coherent = kind != DEBYE_SCATTERING_INCOHERENT;
  plan->with_incoherent = kind != DEBYE_SCATTERING_COHERENT;
  if (!plan->with_incoherent || plan->settings.probe == DEBYE_PROBE_NEUTRON)
    return TRUE;
  *key = "kind";
  return debye_error_set_about(
      error, DEBYE_ERROR_SETTING, "Scattering",
      "X-rays have no incoherent scattering by nuclei, expected coherent, found “%s”",
      kind == DEBYE_SCATTERING_TOTAL ? "total" : "incoherent");
}

static gboolean
choose_vectors(DebyeScatteringPlan *plan, const char **key, GError **error)
{
  if (!choose_q(plan, key, error))
    return FALSE;
  *key = "orientation";
  if (!choose_orientation(plan, error))
    return FALSE;
  *key = "q-vectors";
  if (plan->rows_are_vectors && !make_rows(plan, key, error))
    return FALSE;
  if (!debye_scatterers_init(&plan->scatterers, plan->topology, plan->frames.first, &plan->settings,
                             largest_q(plan), key, error))
    return FALSE;
  *key = "orientation";
  if (!plan->rows_are_vectors && !make_vectors(plan, key, error))
    return FALSE;
  *key = "q";
  return check_vectors(plan, error);
}

gboolean
debye_scattering_plan_init(DebyeScatteringPlan *plan, DebyeDataset *dataset, DebyeRequest *request,
                           const char **key, GError **error)
{
  const char *ignored;
  if (key == NULL)
    key = &ignored;
  *key = NULL;
  plan->notes = g_ptr_array_new_with_free_func((GDestroyNotify)debye_note_free);
  debye_request_fill(request, &plan->settings);
  plan->topology = debye_dataset_get_topology(dataset);
  if (!debye_frame_choice_init(&plan->frames, dataset, plan->settings.frames, key, error))
    return FALSE;
  plan->is_periodic = plan->frames.first->has_cell && debye_cell_is_valid(&plan->frames.first->cell);
  if (!choose_kind(plan, key, error) || !choose_norm(plan, key, error) || !choose_vectors(plan, key, error))
    return FALSE;
  thin_shells(plan);
  note_vectors(plan);
  look_at_forward_beam(plan);
  look_at_box(plan);
  *key = "volume-map";
  if (!choose_volume(plan, error))
    return FALSE;
  plan->double_precision = plan->settings.precision == DEBYE_SCATTERING_PRECISION_DOUBLE;
  plan->n_blocks = MIN((gsize)plan->settings.blocks, plan->frames.n_frames);
  *key = "memory";
  if (!debye_memory_size_parse(plan->settings.lanes.memory, &plan->memory_limit, error))
    return FALSE;
  *key = NULL;
  return TRUE;
}

DebyeVec3 *
debye_scattering_plan_get_vectors(const DebyeScatteringPlan *plan, const DebyeFrame *frame)
{
  guint n = plan->vectors.vectors->len;
  DebyeVec3 *vectors = g_new(DebyeVec3, n);
  memcpy(vectors, plan->vectors.vectors->data, n * sizeof *vectors);
  if (plan->orientation.kind == DEBYE_ORIENTATION_LATTICE)
    for (guint i = 0; i < n; i++)
      vectors[i] = debye_reciprocal_vector(&frame->cell, ((const int(*)[3])plan->vectors.indices->data)[i]);
  return vectors;
}

/* --- Rows --- */

double *
debye_scattering_plan_list_q(const DebyeScatteringPlan *plan, gsize *n)
{
  const GArray *shells = plan->vectors.shells;
  *n = shells != NULL ? shells->len : plan->q->len;
  double *q = g_new(double, *n);
  for (gsize k = 0; k < *n; k++)
    q[k] =
        shells != NULL ? g_array_index(shells, DebyeScatteringShell, k).q : g_array_index(plan->q, double, k);
  return q;
}

void
debye_scattering_plan_pick(DebyeScatteringPlan *some, const DebyeScatteringPlan *plan, const guint *rows,
                           guint n)
{
  *some = *plan;
  some->vectors = (DebyeScatteringVectors){0};
  if (plan->vectors.shells != NULL) {
    debye_scattering_vectors_pick(&some->vectors, &plan->vectors, rows, n);
    if (plan->q != NULL)
      g_array_ref(plan->q);
    return;
  }
  some->q = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint i = 0; i < n; i++)
    g_array_append_val(some->q, g_array_index(plan->q, double, rows[i]));
}

void
debye_scattering_plan_drop(DebyeScatteringPlan *some)
{
  debye_scattering_vectors_clear(&some->vectors);
  g_clear_pointer(&some->q, g_array_unref);
}
