/* SPDX-License-Identifier: MIT */
/* Applies unwrapping, centring, wrapping and superposition to frames. The order is fixed because each step
 * builds on the one before: molecules are followed before they are moved, the centre is set before the cell
 * is laid around it, and turning comes last, since it turns the cell away from the axes. */
#include "frame_edit.h"

#include "data/molecule/bonds.h"
#include "data/files/error.h"
#include "data/molecule/gather.h"
#include "data/molecule/unwrap.h"

struct _DebyeFrameEdit {
  DebyeTopology *topology;
  gboolean wrap, whole, follow, by_mass, gathers;
  DebyeVec3 translate;
  DebyeSelection *center, *superpose;
  DebyeTopology *bonded;     /* with bonds of the first frame's distances where the file has none */
  DebyeMolecules *molecules; /* from the first frame on, where a step needs them */
  const guint32 *molecule_of;
  DebyeUnwrap *unwrap;     /* NULL: not asked for */
  GArray *superpose_atoms; /* decided once: the fit needs the same atoms in the reference */
  GArray *center_atoms;    /* of a selection that isn't dynamic */
  DebyeGather *gather;     /* of the atoms that are superposed; NULL: not asked for, or not yet known */
  DebyeFrame *reference;
  gboolean edits_reference; /* it is still to be edited */
  const float *weights;     /* masses, or NULL where none is known */
  DebyeSuperposition motion;
};

static const DebyeSuperposition no_motion = {.rotation = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

static GArray *
choose_atoms(DebyeFrameEdit *edit, DebyeSelection *selection, const DebyeFrame *frame, GError **error)
{
  g_autoptr(GArray) atoms = debye_selection_evaluate(selection, edit->topology, frame, error);
  if (atoms && atoms->len == 0) {
    debye_error_set(error, DEBYE_ERROR_SELECTION, "selection “%s”: expected at least one atom, found none",
                    debye_selection_get_text(selection));
    return NULL;
  }
  return g_steal_pointer(&atoms);
}

static const float *
get_weights(DebyeTopology *topology)
{
  const float *masses = debye_topology_get_masses(topology);
  gsize n_atoms = debye_topology_get_n_atoms(topology);
  for (gsize i = 0; i < n_atoms; i++)
    if (masses[i] > 0.0f)
      return masses;
  return NULL;
}

static gboolean
check_options(DebyeTopology *topology, const DebyeFrameEditOptions *options, GError **error)
{
  if (options->wrap && options->unwrap)
    return debye_error_set(error, DEBYE_ERROR_VALUE, "expected either wrap or unwrap, found both");
  gsize n_atoms = debye_topology_get_n_atoms(topology);
  if (options->reference && options->reference->n_atoms != n_atoms)
    return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                           "expected a reference of %" G_GSIZE_FORMAT " atoms, found %" G_GSIZE_FORMAT,
                           n_atoms, options->reference->n_atoms);
  return TRUE;
}

/* What doesn't depend on positions is decided before the first frame, so that a wrong selection is known at
 * once. */
static gboolean
decide_selections(DebyeFrameEdit *edit, GError **error)
{
  if (edit->center && !debye_selection_is_dynamic(edit->center)) {
    edit->center_atoms = choose_atoms(edit, edit->center, NULL, error);
    if (!edit->center_atoms)
      return FALSE;
  }
  const gboolean waits = !edit->reference || edit->edits_reference;
  if (edit->superpose && !(waits && debye_selection_is_dynamic(edit->superpose))) {
    edit->superpose_atoms = choose_atoms(edit, edit->superpose, edit->reference, error);
    if (!edit->superpose_atoms)
      return FALSE;
  }
  return TRUE;
}

static gboolean
keep_reference(DebyeFrameEdit *edit, const DebyeFrame *frame, GError **error)
{
  edit->reference = debye_frame_copy(frame);
  return edit->reference || debye_error_set_memory(error, NULL, frame->n_atoms, "atoms of one more frame");
}

DebyeFrameEdit *
debye_frame_edit_new(DebyeTopology *topology, const DebyeFrameEditOptions *options, GError **error)
{
  if (!check_options(topology, options, error))
    return NULL;
  g_autoptr(DebyeFrameEdit) edit = g_new0(DebyeFrameEdit, 1);
  edit->topology = g_object_ref(topology);
  edit->wrap = options->wrap;
  edit->whole = options->whole;
  edit->by_mass = options->by_mass;
  edit->translate = options->translate;
  edit->gathers = options->gather;
  edit->center = options->center ? debye_selection_ref(options->center) : NULL;
  edit->superpose = options->superpose ? debye_selection_ref(options->superpose) : NULL;
  if (options->reference && !keep_reference(edit, options->reference, error))
    return NULL;
  edit->edits_reference = edit->reference && options->edits_reference;
  edit->weights = get_weights(topology);
  edit->follow = options->unwrap;
  if (!decide_selections(edit, error))
    return NULL;
  return g_steal_pointer(&edit);
}

void
debye_frame_edit_free(DebyeFrameEdit *edit)
{
  if (!edit)
    return;
  g_clear_pointer(&edit->unwrap, debye_unwrap_free);
  g_clear_pointer(&edit->gather, debye_gather_free);
  g_clear_pointer(&edit->molecules, debye_molecules_free);
  g_clear_pointer(&edit->center, debye_selection_unref);
  g_clear_pointer(&edit->superpose, debye_selection_unref);
  g_clear_pointer(&edit->center_atoms, g_array_unref);
  g_clear_pointer(&edit->superpose_atoms, g_array_unref);
  g_clear_pointer(&edit->reference, debye_frame_unref);
  g_clear_object(&edit->bonded);
  g_clear_object(&edit->topology);
  g_free(edit);
}

/* The centre of some atoms whose molecules are whole: each is taken at its image nearest to the first, so
 * that the two halves of a dimer on both sides of the cell have their centre between them and not across it.
 * `by_image` FALSE: positions as they are. */
static gboolean
find_center(const DebyeFrameEdit *edit, const GArray *atoms, const DebyeFrame *frame, gboolean by_image,
            DebyeVec3 *center)
{
  DebyePeriodic periodic;
  debye_periodic_init(&periodic, by_image && frame->has_cell ? &frame->cell : NULL);
  DebyeVec3 first = {0}, sum = {0};
  double total = 0.0;
  gboolean found = FALSE;
  guint32 molecule = G_MAXUINT32;
  DebyeVec3 shift = {0};
  for (guint k = 0; k < atoms->len; k++) {
    guint32 atom = g_array_index(atoms, guint32, k);
    double weight = edit->weights ? (double)edit->weights[atom] : 1.0;
    DebyeVec3 position = debye_frame_get_position(frame, atom);
    if (!debye_vec3_is_finite(position) || !(weight > 0.0))
      continue;
    if (!found)
      first = position;
    if (edit->molecule_of[atom] != molecule) {
      DebyeVec3 away = debye_vec3_subtract(position, first);
      shift = debye_vec3_subtract(debye_periodic_minimum_image(&periodic, away), away);
      molecule = edit->molecule_of[atom];
    }
    found = TRUE;
    sum = debye_vec3_add(sum, debye_vec3_scale(debye_vec3_add(position, shift), weight));
    total += weight;
  }
  *center = debye_vec3_scale(sum, found ? 1.0 / total : 0.0);
  return found;
}

static void
move_all(DebyeFrame *frame, DebyeVec3 shift)
{
  for (gsize i = 0; i < frame->n_atoms; i++)
    debye_frame_set_position(frame, i, debye_vec3_add(debye_frame_get_position(frame, i), shift));
}

static gboolean
apply_center(DebyeFrameEdit *edit, DebyeFrame *frame, GError **error)
{
  g_autoptr(GArray) atoms =
      edit->center_atoms ? g_array_ref(edit->center_atoms) : choose_atoms(edit, edit->center, frame, error);
  DebyeVec3 center;
  if (!atoms)
    return FALSE;
  /* After unwrapping, images mean something: a molecule that left the cell has left it. */
  if (!edit->unwrap)
    debye_molecules_make_whole(edit->molecules, frame);
  if (!find_center(edit, atoms, frame, !edit->unwrap, &center))
    return debye_error_set(
        error, DEBYE_ERROR_VALUE,
        "selection “%s”: expected finite coordinates, found none in frame %" G_GSIZE_FORMAT,
        debye_selection_get_text(edit->center), frame->index);
  DebyePeriodic periodic;
  debye_periodic_init_for_frame(&periodic, frame);
  move_all(frame, debye_vec3_subtract(debye_periodic_get_middle(&periodic), center));
  edit->motion.from = center;
  edit->motion.to = debye_periodic_get_middle(&periodic);
  frame->cell_origin = debye_vec3(0.0, 0.0, 0.0);
  return TRUE;
}

static const float *
get_fit_weights(const DebyeFrameEdit *edit)
{
  return edit->by_mass ? edit->weights : NULL;
}

/* Chooses the atoms where that is still to be done, in the frame where their positions decide. */
static gboolean
gather_atoms(DebyeFrameEdit *edit, DebyeFrame *frame, const DebyeFrame *reference, GError **error)
{
  if (!edit->superpose_atoms)
    edit->superpose_atoms = choose_atoms(edit, edit->superpose, reference ? reference : frame, error);
  if (!edit->superpose_atoms)
    return FALSE;
  if (edit->gathers && edit->molecules && !edit->gather)
    edit->gather = debye_gather_new(edit->molecules, edit->molecule_of, edit->superpose_atoms,
                                    get_fit_weights(edit), frame);
  if (edit->gather)
    debye_gather_apply(edit->gather, frame, reference);
  return TRUE;
}

static gboolean
apply_superposition(DebyeFrameEdit *edit, DebyeFrame *frame, GError **error)
{
  if (!gather_atoms(edit, frame, edit->reference, error))
    return FALSE;
  if (!edit->reference)
    return keep_reference(edit, frame, error);
  DebyeSuperposition superposition;
  const guint32 *atoms = (const guint32 *)(const void *)edit->superpose_atoms->data;
  if (!debye_superpose(frame, edit->reference, atoms, edit->superpose_atoms->len, get_fit_weights(edit),
                       &superposition, NULL, error))
    return FALSE;
  debye_superposition_apply(&superposition, frame);
  /* Until here there was only a shift. */
  superposition.from = debye_superposition_map_back(&edit->motion, superposition.from);
  edit->motion = superposition;
  return TRUE;
}

static gboolean
check_frame(const DebyeFrameEdit *edit, const DebyeFrame *frame, GError **error)
{
  gsize n_atoms = debye_topology_get_n_atoms(edit->topology);
  if (frame->n_atoms != n_atoms)
    return debye_error_set(error, DEBYE_ERROR_MISMATCH,
                           "expected a frame of %" G_GSIZE_FORMAT " atoms, found %" G_GSIZE_FORMAT, n_atoms,
                           frame->n_atoms);
  if ((edit->wrap || edit->follow || edit->whole) &&
      !(frame->has_cell && debye_cell_is_valid(&frame->cell))) {
    return debye_error_set(error, DEBYE_ERROR_MISSING,
                           "expected a cell to %s frame %" G_GSIZE_FORMAT " in, found none",
                           edit->wrap     ? "wrap"
                           : edit->follow ? "unwrap"
                                          : "make molecules whole of",
                           frame->index);
  }
  return TRUE;
}

/* Molecules come from bonds; a file without them is looked at in its first frame, or its molecules would be
 * torn apart atom by atom. */
static void
find_molecules(DebyeFrameEdit *edit, const DebyeFrame *frame)
{
  gsize n_molecules;
  edit->bonded = debye_topology_with_guessed_bonds(edit->topology, frame);
  edit->molecules = debye_molecules_new(edit->bonded);
  edit->molecule_of = debye_topology_get_molecules(edit->bonded, &n_molecules);
  if (edit->follow)
    edit->unwrap = debye_unwrap_new(edit->molecules);
}

/* All but superposing. */
static gboolean
place_molecules(DebyeFrameEdit *edit, DebyeFrame *frame, gboolean is_reference, GError **error)
{
  if (edit->unwrap && !is_reference)
    debye_unwrap_apply(edit->unwrap, frame);
  else if (edit->unwrap || edit->whole)
    debye_molecules_make_whole(edit->molecules, frame);
  if (edit->center && !apply_center(edit, frame, error))
    return FALSE;
  if (debye_vec3_length(edit->translate) > 0.0) {
    move_all(frame, edit->translate);
    edit->motion.to = debye_vec3_add(edit->motion.to, edit->translate);
  }
  if (edit->wrap) {
    DebyePeriodic periodic;
    debye_periodic_init_for_frame(&periodic, frame);
    debye_molecules_wrap(edit->molecules, frame, debye_periodic_get_middle(&periodic));
    frame->cell_origin = debye_vec3(0.0, 0.0, 0.0);
  }
  return TRUE;
}

/* Once: where the cell cuts molecules in the one and not in the other they are of different shapes. */
static gboolean
edit_reference(DebyeFrameEdit *edit, GError **error)
{
  if (!edit->edits_reference)
    return TRUE;
  edit->edits_reference =
      !(check_frame(edit, edit->reference, error) && place_molecules(edit, edit->reference, TRUE, error) &&
        (!edit->gathers || gather_atoms(edit, edit->reference, NULL, error)));
  return !edit->edits_reference;
}

/* Gathering without a cell has nothing to do. */
static gboolean
needs_molecules(const DebyeFrameEdit *edit, const DebyeFrame *frame)
{
  return edit->wrap || edit->follow || edit->whole || edit->center || (edit->gathers && frame->has_cell);
}

gboolean
debye_frame_edit_apply(DebyeFrameEdit *edit, DebyeFrame *frame, GError **error)
{
  if (!check_frame(edit, frame, error))
    return FALSE;
  if (!edit->molecules && needs_molecules(edit, frame))
    find_molecules(edit, frame);
  if (!edit_reference(edit, error))
    return FALSE;
  edit->motion = no_motion;
  return place_molecules(edit, frame, FALSE, error) &&
         (!edit->superpose || apply_superposition(edit, frame, error));
}

DebyeSuperposition
debye_frame_edit_get_motion(const DebyeFrameEdit *edit)
{
  return edit->motion;
}
