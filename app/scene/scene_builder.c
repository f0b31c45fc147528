/* SPDX-License-Identifier: MIT */
/* Makes layers with good defaults from data; called by the window's scene and debye-cli render. */
#include "scene_builder.h"

#include <glib/gi18n.h>
#include <math.h>

#include "data/molecule/backbone.h"
#include "data/molecule/bonds.h"
#include "data/files/error.h"
#include "data/selection/selection.h"

#define MANY_WATER_ATOMS 300    /* hidden from here on where there is a solute: they would bury it */
#define MANY_SOLUTE_ATOMS 50000 /* drawn as lines from here on */
#define SHORTEST_PROTEIN 9      /* links; with fewer, atoms say more than a cartoon */
#define SHORTEST_NUCLEIC_ACID 3
#define WATER_OPACITY 0.35
#define ION_SCALE 0.45 /* of the van der Waals radius */
#define SURFACE_OPACITY 0.55
#define SLICE_OPACITY 0.9
#define LEVEL_TAIL 0.04       /* of the points lie beyond a level */
#define LEAST_TAIL 0.003      /* where that many have the other sign */
#define ALIKE 2.5             /* the ratio up to which two levels become one */
#define BONDED "debye-bonded" /* on a topology: the one with bonds, which may be itself */

/* --- Bonds --- */

static gpointer
ref_bonded(gpointer bonded, gpointer data G_GNUC_UNUSED)
{
  return bonded != NULL ? g_object_ref(bonded) : NULL;
}

static void
unref_bonded(gpointer bonded)
{
  g_object_unref(bonded);
}

/* Whoever comes second, of two threads that look at the same time, takes what the first has found. */
DebyeTopology *
debye_scene_builder_find_bonds(DebyeTopology *topology, DebyeFrame *frame)
{
  DebyeTopology *known = g_object_dup_data(G_OBJECT(topology), BONDED, ref_bonded, NULL);
  if (known != NULL)
    return known;
  g_autoptr(DebyeTopology) bonded = debye_topology_with_guessed_bonds(topology, frame);
  g_object_replace_data(G_OBJECT(bonded), BONDED, NULL, bonded, NULL, NULL);
  if (bonded != topology &&
      g_object_replace_data(G_OBJECT(topology), BONDED, NULL, bonded, unref_bonded, NULL))
    g_object_ref(bonded);
  return g_object_dup_data(G_OBJECT(topology), BONDED, ref_bonded, NULL);
}

/* --- Molecules --- */

DebyeMoleculeLayer *
debye_scene_builder_atoms(DebyeTopology *topology, DebyeFrame *frame, const guint32 *atoms, gsize n_atoms)
{
  DebyeMoleculeLayer *layer = debye_molecule_layer_new(topology);
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_BALL_AND_STICK);
  if (atoms != NULL)
    debye_molecule_layer_set_atoms(layer, atoms, n_atoms);
  debye_molecule_layer_set_frame(layer, frame);
  return layer;
}

static GArray *
choose(const char *text, DebyeTopology *topology)
{
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, NULL);
  GArray *atoms = selection != NULL ? debye_selection_evaluate(selection, topology, NULL, NULL) : NULL;
  return atoms != NULL ? atoms : g_array_new(FALSE, FALSE, sizeof(guint32));
}

static DebyeMoleculeLayer *
add_molecules(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, GArray *atoms, const char *name)
{
  DebyeMoleculeLayer *layer =
      debye_scene_builder_atoms(topology, frame, (const guint32 *)atoms->data, atoms->len);
  debye_layer_set_name(DEBYE_LAYER(layer), name);
  g_ptr_array_add(layers, layer);
  return layer;
}

static void
add_water(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, GArray *atoms, gboolean has_solute)
{
  DebyeMoleculeLayer *layer = add_molecules(layers, topology, frame, atoms, N_("Water"));
  debye_molecule_layer_set_selection(layer, "water");
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_LINES);
  g_object_set(layer, "opacity", WATER_OPACITY, NULL);
  debye_layer_set_visible(DEBYE_LAYER(layer), !has_solute || atoms->len < MANY_WATER_ATOMS);
}

static void
add_ions(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, GArray *atoms)
{
  DebyeMoleculeLayer *layer = add_molecules(layers, topology, frame, atoms, N_("Ions"));
  debye_molecule_layer_set_selection(layer, "ion and not water");
  debye_molecule_layer_set_style(layer, DEBYE_STYLE_SPHERES);
  g_object_set(layer, "scale", ION_SCALE, NULL);
}

/* --- Polymers --- */

DebyeCartoonLayer *
debye_scene_builder_cartoon(DebyeTopology *topology, DebyeFrame *frame, const guint32 *atoms, gsize n_atoms)
{
  DebyeCartoonLayer *layer = debye_cartoon_layer_new(topology);
  if (atoms != NULL)
    debye_molecule_mesh_layer_set_atoms(DEBYE_MOLECULE_MESH_LAYER(layer), atoms, n_atoms);
  debye_molecule_mesh_layer_set_frame(DEBYE_MOLECULE_MESH_LAYER(layer), frame);
  return layer;
}

/* The residues of a kind of polymer that follow one another. */
static gsize
count_links(const DebyeBackbone *backbone, const guint8 *links, DebyePolymer polymer)
{
  gsize n = 0;
  for (gsize i = 0; i < backbone->n_units; i++)
    n += links[i] && backbone->units[i].polymer == polymer;
  return n;
}

static void
add_cartoon(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, const char *name,
            const char *selection)
{
  g_autoptr(GArray) atoms = choose(selection, topology);
  DebyeCartoonLayer *layer =
      debye_scene_builder_cartoon(topology, frame, (const guint32 *)atoms->data, atoms->len);
  debye_layer_set_name(DEBYE_LAYER(layer), name);
  debye_molecule_mesh_layer_set_selection(DEBYE_MOLECULE_MESH_LAYER(layer), selection);
  g_ptr_array_add(layers, layer);
}

/* A text that chooses what cartoons were added for; NULL: none was. Peptides of a few residues are drawn with
 * all their atoms. */
static const char *
add_cartoons(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame)
{
  g_autoptr(DebyeBackbone) backbone = debye_backbone_new(topology);
  g_autofree guint8 *links = debye_backbone_find_links(backbone, topology, frame, TRUE);
  gboolean has_protein = count_links(backbone, links, DEBYE_POLYMER_PROTEIN) >= SHORTEST_PROTEIN;
  gboolean has_nucleic = count_links(backbone, links, DEBYE_POLYMER_NUCLEIC) >= SHORTEST_NUCLEIC_ACID;
  if (has_protein)
    add_cartoon(layers, topology, frame, N_("Protein"), "protein");
  if (has_nucleic)
    add_cartoon(layers, topology, frame, N_("Nucleic acid"), "nucleic");
  if (has_protein && has_nucleic)
    return "protein or nucleic";
  return has_protein ? "protein" : has_nucleic ? "nucleic" : NULL;
}

static void
add_ligands(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, const char *polymers)
{
  g_autofree char *text = g_strdup_printf("not (water or ion or %s)", polymers);
  g_autoptr(GArray) atoms = choose(text, topology);
  if (atoms->len == 0)
    return;
  DebyeMoleculeLayer *layer = add_molecules(layers, topology, frame, atoms, N_("Ligands"));
  debye_molecule_layer_set_selection(layer, text);
  if (atoms->len >= MANY_SOLUTE_ATOMS)
    debye_molecule_layer_set_style(layer, DEBYE_STYLE_LINES);
}

static void
add_hidden_atoms(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, const char *polymers)
{
  g_autoptr(GArray) atoms = choose(polymers, topology);
  DebyeMoleculeLayer *layer = add_molecules(layers, topology, frame, atoms, N_("All atoms"));
  debye_molecule_layer_set_selection(layer, polymers);
  debye_molecule_layer_set_style(layer,
                                 atoms->len >= MANY_SOLUTE_ATOMS ? DEBYE_STYLE_LINES : DEBYE_STYLE_STICKS);
  debye_layer_set_visible(DEBYE_LAYER(layer), FALSE);
}

/* --- Surfaces --- */

DebyeMolecularSurfaceLayer *
debye_scene_builder_molecular_surface(DebyeTopology *topology, DebyeFrame *frame, const guint32 *atoms,
                                      gsize n_atoms)
{
  DebyeMolecularSurfaceLayer *layer = debye_molecular_surface_layer_new(topology);
  if (atoms != NULL)
    debye_molecule_mesh_layer_set_atoms(DEBYE_MOLECULE_MESH_LAYER(layer), atoms, n_atoms);
  debye_molecule_mesh_layer_set_frame(DEBYE_MOLECULE_MESH_LAYER(layer), frame);
  debye_layer_set_name(DEBYE_LAYER(layer), N_("Molecular surface"));
  return layer;
}

DebyeMolecularSurfaceLayer *
debye_scene_builder_solute_surface(DebyeTopology *topology, DebyeFrame *frame)
{
  static const char solute[] = "not (water or ion)";
  g_autoptr(GArray) atoms = choose(solute, topology);
  gboolean has_solute = atoms->len > 0;
  DebyeMolecularSurfaceLayer *layer = debye_scene_builder_molecular_surface(
      topology, frame, has_solute ? (const guint32 *)atoms->data : NULL, atoms->len);
  debye_molecule_mesh_layer_set_selection(DEBYE_MOLECULE_MESH_LAYER(layer), has_solute ? solute : NULL);
  return layer;
}

/* --- What annotates --- */

DebyeBinLayer *
debye_scene_builder_bins(DebyeTopology *topology, DebyeFrame *frame)
{
  DebyeBinLayer *layer = debye_bin_layer_new(topology);
  debye_molecule_mesh_layer_set_frame(DEBYE_MOLECULE_MESH_LAYER(layer), frame);
  debye_layer_set_name(DEBYE_LAYER(layer), N_("Bins of the cutoff"));
  return layer;
}

DebyeHydrogenBondLayer *
debye_scene_builder_hydrogen_bonds(DebyeTopology *topology, DebyeFrame *frame)
{
  static const char solute[] = "not (water or ion)";
  g_autoptr(DebyeTopology) bonded = debye_scene_builder_find_bonds(topology, frame);
  g_autoptr(GArray) atoms = choose(solute, bonded);
  DebyeHydrogenBondLayer *layer = debye_hydrogen_bond_layer_new(bonded);
  DebyeMoleculeMeshLayer *base = DEBYE_MOLECULE_MESH_LAYER(layer);
  debye_molecule_mesh_layer_set_selection(base, atoms->len > 0 ? solute : NULL);
  if (atoms->len > 0)
    debye_molecule_mesh_layer_set_atoms(base, (const guint32 *)atoms->data, atoms->len);
  debye_molecule_mesh_layer_set_frame(base, frame);
  debye_layer_set_name(DEBYE_LAYER(layer), N_("Hydrogen bonds"));
  return layer;
}

DebyeLabelLayer *
debye_scene_builder_labels(DebyeTopology *topology, DebyeFrame *frame)
{
  static const char solute[] = "not (water or ion)";
  g_autoptr(GArray) atoms = choose(solute, topology);
  DebyeLabelLayer *layer = debye_label_layer_new(topology);
  debye_label_layer_set_selection(layer, solute);
  debye_label_layer_set_atoms(layer, (const guint32 *)atoms->data, atoms->len);
  debye_label_layer_set_frame(layer, frame);
  debye_layer_set_name(DEBYE_LAYER(layer), N_("Labels"));
  return layer;
}

DebyeMeasurementLayer *
debye_scene_builder_measurement(DebyeTopology *topology, DebyeFrame *frame, const guint32 *atoms,
                                gsize n_atoms)
{
  static const char *const names[] = {
      [1] = N_("Picked atom"), [2] = N_("Distance"), [3] = N_("Angle"), [4] = N_("Dihedral")};
  DebyeMeasurementLayer *layer = debye_measurement_layer_new(topology);
  debye_molecule_mesh_layer_set_atoms(DEBYE_MOLECULE_MESH_LAYER(layer), atoms, n_atoms);
  debye_molecule_mesh_layer_set_frame(DEBYE_MOLECULE_MESH_LAYER(layer), frame);
  debye_layer_set_name(DEBYE_LAYER(layer), names[n_atoms]);
  return layer;
}

/* --- The whole --- */

static void
add_solute(GPtrArray *layers, DebyeTopology *topology, DebyeFrame *frame, GArray *atoms, gboolean cartoons)
{
  const char *polymers = cartoons ? add_cartoons(layers, topology, frame) : NULL;
  if (polymers != NULL) {
    add_ligands(layers, topology, frame, polymers);
    add_hidden_atoms(layers, topology, frame, polymers);
    return;
  }
  g_autoptr(GArray) protein = choose("protein", topology);
  DebyeMoleculeLayer *layer = add_molecules(layers, topology, frame, atoms,
                                            protein->len > atoms->len / 2 ? N_("Protein") : N_("Molecule"));
  debye_molecule_layer_set_selection(layer, "not (water or ion)");
  if (atoms->len >= MANY_SOLUTE_ATOMS)
    debye_molecule_layer_set_style(layer, DEBYE_STYLE_LINES);
}

static GPtrArray *
build_molecules(DebyeTopology *topology, DebyeFrame *frame, gboolean cartoons)
{
  GPtrArray *layers = g_ptr_array_new_with_free_func(g_object_unref);
  g_autoptr(DebyeTopology) bonded = debye_scene_builder_find_bonds(topology, frame);
  g_autoptr(GArray) water = choose("water", bonded);
  g_autoptr(GArray) ions = choose("ion and not water", bonded);
  g_autoptr(GArray) solute = choose("not (water or ion)", bonded);
  if (water->len > 0 && solute->len + ions->len > 0)
    add_water(layers, bonded, frame, water, solute->len > 0);
  if (ions->len > 0)
    add_ions(layers, bonded, frame, ions);
  if (solute->len > 0)
    add_solute(layers, bonded, frame, solute, cartoons);
  if (layers->len == 0) {
    DebyeMoleculeLayer *layer = debye_scene_builder_atoms(bonded, frame, NULL, 0);
    debye_layer_set_name(DEBYE_LAYER(layer), N_("Atoms"));
    g_ptr_array_add(layers, layer);
  }
  return layers;
}

GPtrArray *
debye_scene_builder_molecules(DebyeTopology *topology, DebyeFrame *frame)
{
  return build_molecules(topology, frame, TRUE);
}

GPtrArray *
debye_scene_builder_all_atoms(DebyeTopology *topology, DebyeFrame *frame)
{
  return build_molecules(topology, frame, FALSE);
}

gboolean
debye_scene_builder_show_frame(DebyeLayer *layer, DebyeFrame *frame)
{
  if (DEBYE_IS_MOLECULE_LAYER(layer))
    debye_molecule_layer_set_frame(DEBYE_MOLECULE_LAYER(layer), frame);
  else if (DEBYE_IS_MOLECULE_MESH_LAYER(layer))
    debye_molecule_mesh_layer_set_frame(DEBYE_MOLECULE_MESH_LAYER(layer), frame);
  else if (DEBYE_IS_LABEL_LAYER(layer))
    debye_label_layer_set_frame(DEBYE_LABEL_LAYER(layer), frame);
  else
    return FALSE;
  return TRUE;
}

DebyeBoxLayer *
debye_scene_builder_box(DebyeFrame *frame)
{
  if (!frame->has_cell)
    return NULL;
  DebyeBoxLayer *layer = debye_box_layer_new();
  debye_box_layer_set_cell(layer, &frame->cell, frame->cell_origin);
  debye_layer_set_name(DEBYE_LAYER(layer), N_("Box"));
  debye_layer_set_visible(DEBYE_LAYER(layer), FALSE);
  return layer;
}

/* --- Maps --- */

static double
round_to_125(double value)
{
  if (!(value > 0.0) || !isfinite(value))
    return 1.0;
  double decade = pow(10.0, floor(log10(value)));
  double mantissa = value / decade;
  return decade * (mantissa < 1.5 ? 1.0 : mantissa < 3.5 ? 2.0 : mantissa < 7.5 ? 5.0 : 10.0);
}

/* What lies beyond it in the direction of `sign` is the largest part, LEVEL_TAIL at most, that has that sign.
 */
static double
suggest_level(DebyeField *field, double sign)
{
  for (double tail = LEVEL_TAIL; tail >= LEAST_TAIL; tail *= 0.5) {
    double level = debye_field_get_percentile(field, sign > 0.0 ? 1.0 - tail : tail);
    if (sign * level > 0.0)
      return sign * round_to_125(fabs(level));
  }
  return 0.0;
}

void
debye_scene_builder_suggest_levels(DebyeField *field, double *negative, double *positive)
{
  *negative = suggest_level(field, -1.0);
  *positive = suggest_level(field, 1.0);
  double ratio = *negative < 0.0 ? -*positive / *negative : 0.0;
  if (ratio >= 1.0 / ALIKE && ratio <= ALIKE) {
    *positive = fmax(*positive, -*negative);
    *negative = -*positive;
  }
}

DebyeIsosurfaceLayer *
debye_scene_builder_surface(DebyeField *field, double level)
{
  DebyeIsosurfaceLayer *layer = debye_isosurface_layer_new(field, level);
  debye_layer_set_opacity(DEBYE_LAYER(layer), SURFACE_OPACITY);
  debye_scene_builder_set_level(layer, level);
  return layer;
}

void
debye_scene_builder_set_level(DebyeIsosurfaceLayer *layer, double level)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *name =
      g_strdup_printf("Surface at %s %s", g_ascii_formatd(number, sizeof number, "%+g", level),
                      debye_field_get_unit(debye_isosurface_layer_get_field(layer)));
  /* In this order: a row of the window, which hears of the level, writes its numbers in its own way. */
  debye_layer_set_name(DEBYE_LAYER(layer), name);
  debye_isosurface_layer_set_level(layer, level);
}

DebyeSliceLayer *
debye_scene_builder_slice(DebyeField *field, int axis, double position)
{
  DebyeSliceLayer *layer = debye_slice_layer_new(field);
  debye_slice_layer_set_axis(layer, axis);
  debye_slice_layer_set_position(layer, position);
  g_object_set(layer, "opacity", SLICE_OPACITY, NULL);
  debye_layer_set_name(DEBYE_LAYER(layer), N_("Slice"));
  return layer;
}

GPtrArray *
debye_scene_builder_field(DebyeField *field)
{
  GPtrArray *layers = g_ptr_array_new_with_free_func(g_object_unref);
  double negative, positive;
  debye_scene_builder_suggest_levels(field, &negative, &positive);
  DebyeSliceLayer *slice = debye_scene_builder_slice(field, 2, 0.5);
  debye_layer_set_visible(DEBYE_LAYER(slice), FALSE);
  g_ptr_array_add(layers, slice);
  if (negative < 0.0)
    g_ptr_array_add(layers, debye_scene_builder_surface(field, negative));
  if (positive > 0.0)
    g_ptr_array_add(layers, debye_scene_builder_surface(field, positive));
  return layers;
}

/* --- What is typed --- */

static int
find_word(const char *const *words, const char *text)
{
  for (int i = 0; words[i] != NULL; i++)
    if (g_strcmp0(words[i], text) == 0)
      return i;
  return -1;
}

gboolean
debye_scene_builder_parse_style(const char *text, DebyeMoleculeStyle *style)
{
  static const char *const words[] = {"spheres", "ball-and-stick", "sticks", "lines", NULL};
  int i = find_word(words, text);
  if (i >= 0)
    *style = (DebyeMoleculeStyle)i;
  return i >= 0;
}

gboolean
debye_scene_builder_parse_coloring(const char *text, DebyeMoleculeColoring *coloring)
{
  static const char *const words[] = {"element", "residue", "chain", "charge", "b-factor", "uniform", NULL};
  int i = find_word(words, text);
  if (i >= 0)
    *coloring = (DebyeMoleculeColoring)i;
  return i >= 0;
}

gboolean
debye_scene_builder_parse_cartoon_coloring(const char *text, DebyeCartoonColoring *coloring)
{
  static const char *const words[] = {"structure", "residue", "chain", "sequence",
                                      "b-factor",  "uniform", NULL};
  int i = find_word(words, text);
  if (i >= 0)
    *coloring = (DebyeCartoonColoring)i;
  return i >= 0;
}

/* A coordinate along one axis of the grid as a fraction of the grid's length there; *is_number says whether
 * it is one at all. */
static gboolean
to_fraction(const char *text, const DebyeGrid *grid, int axis, double *position, gboolean *is_number)
{
  char *end = NULL;
  double value = g_ascii_strtod(text, &end);
  const double *origin = &grid->origin.x, *step = &grid->step[axis].x;
  double length = step[axis] * (double)(grid->shape[axis] - 1);
  *is_number = end != text && *end == '\0';
  if (!*is_number || !(fabs(length) > 0.0))
    return FALSE;
  *position = (value - origin[axis]) / length;
  return *position >= 0.0 && *position <= 1.0;
}

gboolean
debye_scene_builder_parse_slice(const char *text, const DebyeGrid *grid, int *axis, double *position,
                                GError **error)
{
  *axis = text[0] - 'x';
  *position = 0.5;
  gboolean is_understood = *axis >= 0 && *axis <= 2 && (text[1] == '\0' || text[1] == ':');
  if (is_understood && text[1] == '\0')
    return TRUE;
  if (is_understood && to_fraction(text + 2, grid, *axis, position, &is_understood))
    return TRUE;
  g_set_error(
      error, DEBYE_ERROR, is_understood ? DEBYE_ERROR_VALUE : DEBYE_ERROR_SETTING,
      "Slice: expected x, y or z, or an axis and a place within the map such as z:12.5 (Å), found “%s”",
      text);
  return FALSE;
}
