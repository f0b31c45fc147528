/* SPDX-License-Identifier: MIT */
/* Colours of atoms by each colouring mode, for all layers of atoms. Residues are coloured by their chemistry,
 * so that charged, polar and greasy patches show; chains by colours that stay apart for colour-blind eyes
 * (Okabe and Ito 2008, and tints of them). */
#include "molecule_colors.h"

#include <glib/gi18n.h>
#include <string.h>

#include "data/tables/elements.h"

const DebyeChoice debye_molecule_colorings[] = {
    {"element", N_("Element"), NULL}, /* of atoms without elements, as beads, by type */
    {"residue", N_("Residue type"), NULL}, {"chain", N_("Chain"), NULL},
    {"charge", N_("Charge"), NULL},        {"b-factor", N_("B factor"), NULL},
    {"uniform", N_("One colour"), NULL},   {NULL, NULL, NULL},
};

/* Neighbours differ in brightness too, by 17 of 100 or more, so that chains stay apart in a grey print: L* of the first
 * eight is 41, 71, 54, 84, 35, 89, 65 and 47. */
static const guint32 chain_colors[] = {0x0064a6, 0xe69f00, 0x00936b, 0xf4c3de, 0x96300f, 0xf0e442, 0x45a8e0,
                                       0x707070, 0xf2c76b, 0x6a3d8f, 0x9ad0f5, 0x4f6b1f, 0xe3b1cd, 0xd55e00};

#define ACIDIC 0xd9534f
#define BASIC 0x4477cc
#define POLAR 0x66b8a6
#define GREASY 0xc9b68a
#define AROMATIC 0xa98bbf
#define SULPHUR 0xe0c341
#define SPECIAL 0xb0b0b0
#define WATER 0x8fbfe0
#define ION 0x9955bb

typedef struct {
  const char *names; /* separated and ended by blanks */
  guint32 color;
  const char *label;
} ResidueClass;

static const ResidueClass residue_classes[] = {
    {" ASP GLU ASH GLH ASPP GLUP ", ACIDIC, N_("acidic")},
    {" ARG LYS HIP LYN HSP ARGN ", BASIC, N_("basic")},
    {" SER THR ASN GLN HIS HID HIE HSD HSE ", POLAR, N_("polar")},
    {" ALA VAL LEU ILE ", GREASY, N_("hydrophobic")},
    {" PHE TYR TRP ", AROMATIC, N_("aromatic")},
    {" CYS CYX CYM MET MSE ", SULPHUR, N_("with sulphur")},
    {" GLY PRO ACE NME NMA NH2 ", SPECIAL, N_("glycine, proline, caps")},
    {" HOH WAT SOL TIP3 TP3M TIP4 TIP5 SPC SPCE T3P T4P H2O ", WATER, N_("water")},
    {" NA CL K MG CA ZN SOD CLA POT CAL CES LIT NA+ CL- K+ MG2 ZN2 ", ION, N_("ions")},
    {" A DA RA ADE A5 A3 DA5 DA3 ", 0x7fb069, N_("adenine")},
    {" T DT THY U RU URA DT5 DT3 U5 U3 ", 0xd9a441, N_("thymine, uracil")},
    {" G DG RG GUA G5 G3 DG5 DG3 ", 0x6c8ebf, N_("guanine")},
    {" C DC RC CYT C5 C3 DC5 DC3 ", 0xc26d6d, N_("cytosine")},
};

guint32
debye_molecule_chain_color(guint number)
{
  return chain_colors[number % G_N_ELEMENTS(chain_colors)];
}

const char *
debye_molecule_find_residue_class(const char *name, guint32 *color)
{
  g_autofree char *upper = g_ascii_strup(name, -1);
  g_autofree char *word = g_strconcat(" ", upper, " ", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(residue_classes) && *upper; i++)
    if (strstr(residue_classes[i].names, word)) {
      *color = residue_classes[i].color;
      return residue_classes[i].label;
    }
  *color = debye_molecule_chain_color(g_str_hash(upper));
  return NULL;
}

static guint32
residue_color(const char *name)
{
  guint32 color;
  debye_molecule_find_residue_class(name, &color);
  return color;
}

static gint64
chain_key(const DebyeStringPool *pool, const DebyeResidue *residue)
{
  return *debye_string_pool_get(pool, residue->chain)
             ? (gint64)residue->chain
             : (gint64)((guint64)residue->segment << 32 | residue->chain);
}

guint *
debye_molecule_number_chains(DebyeTopology *topology, guint *n_chains)
{
  gsize n = debye_topology_get_n_residues(topology);
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  g_autoptr(GHashTable) known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  guint *numbers = g_new0(guint, n + 1);
  *n_chains = 0;
  for (gsize r = 0; r < n; r++) {
    gint64 key = chain_key(pool, &table[r]);
    if (r > 0 && table[r].chain == table[r - 1].chain && table[r].segment == table[r - 1].segment) {
      numbers[r] = numbers[r - 1];
      continue;
    }
    gpointer number;
    if (!g_hash_table_lookup_extended(known, &key, NULL, &number)) {
      number = GUINT_TO_POINTER((*n_chains)++);
      g_hash_table_insert(known, g_memdup2(&key, sizeof key), number);
    }
    numbers[r] = GPOINTER_TO_UINT(number);
  }
  return numbers;
}

/* One colour a residue. */
static guint32 *
residue_colors(DebyeTopology *topology, gboolean by_chain)
{
  gsize n = debye_topology_get_n_residues(topology);
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  guint32 *colors = g_new0(guint32, n + 1);
  guint n_chains;
  g_autofree guint *chains = debye_molecule_number_chains(topology, &n_chains);
  for (gsize r = 0; r < n; r++) {
    if (by_chain)
      colors[r] = debye_molecule_chain_color(chains[r]);
    else if (r > 0 && table[r].name == table[r - 1].name)
      colors[r] = colors[r - 1];
    else
      colors[r] = residue_color(debye_string_pool_get(pool, table[r].name));
  }
  return colors;
}

static const float *
colored_column(DebyeTopology *topology, DebyeMoleculeColoring coloring)
{
  if (coloring == DEBYE_COLOR_BY_CHARGE)
    return debye_topology_get_charges(topology);
  if (coloring == DEBYE_COLOR_BY_B_FACTOR)
    return debye_topology_get_b_factors(topology);
  return NULL;
}

gboolean
debye_molecule_color_scale(DebyeTopology *topology, DebyeMoleculeColoring coloring,
                           const DebyeColorMap *chosen, const DebyeColorMap **map, double *minimum,
                           double *maximum, const char **title)
{
  const float *column = colored_column(topology, coloring);
  gsize n = debye_topology_get_n_atoms(topology);
  if (!column || n == 0)
    return FALSE;
  double low = INFINITY, high = -INFINITY;
  for (gsize i = 0; i < n; i++) {
    low = fmin(low, (double)column[i]);
    high = fmax(high, (double)column[i]);
  }
  gboolean charge = coloring == DEBYE_COLOR_BY_CHARGE;
  /* Charges beyond one e are ions; a wider range would bleach everything else. */
  double largest = fmin(fmax(fabs(low), fabs(high)), 1.0);
  *map = chosen ? chosen : debye_color_map_find(charge ? "red-white-blue" : "viridis");
  *minimum = charge ? -largest : low;
  *maximum = charge ? largest : high;
  *title = charge ? "charge (e)" : "B (Å²)";
  return isfinite(*minimum) && isfinite(*maximum) && *maximum > *minimum;
}

/* --- What is missing --- */

static gboolean
knows_elements(DebyeTopology *topology)
{
  const guint8 *elements = debye_topology_get_elements(topology);
  for (gsize i = 0; i < debye_topology_get_n_atoms(topology); i++)
    if (elements[i] > 0 && elements[i] < DEBYE_N_ELEMENTS)
      return TRUE;
  return FALSE;
}

static gboolean
names_residues(DebyeTopology *topology)
{
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  for (gsize r = 0; r < debye_topology_get_n_residues(topology); r++)
    if (*debye_string_pool_get(pool, table[r].name))
      return TRUE;
  return FALSE;
}

static gboolean
names_chains(DebyeTopology *topology)
{
  const DebyeResidue *table = debye_topology_get_residue_table(topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  for (gsize r = 0; r < debye_topology_get_n_residues(topology); r++)
    if (*debye_string_pool_get(pool, table[r].chain) || *debye_string_pool_get(pool, table[r].segment))
      return TRUE;
  return FALSE;
}

static gboolean
has_scale(DebyeTopology *topology, DebyeMoleculeColoring coloring)
{
  const DebyeColorMap *map;
  const char *title;
  double minimum, maximum;
  return debye_molecule_color_scale(topology, coloring, NULL, &map, &minimum, &maximum, &title);
}

const char *
debye_molecule_find_coloring_lack(DebyeTopology *topology, DebyeMoleculeColoring coloring)
{
  switch (coloring) {
  case DEBYE_COLOR_BY_ELEMENT:
    return knows_elements(topology) ? NULL
                                    : N_("These files have no elements: colours are those of atom types");
  case DEBYE_COLOR_BY_RESIDUE:
    return names_residues(topology) ? NULL : N_("These files have no residue names");
  case DEBYE_COLOR_BY_CHAIN:
    return names_chains(topology) ? NULL : N_("These files have no chain names");
  case DEBYE_COLOR_BY_CHARGE:
    if (!debye_topology_get_charges(topology))
      return N_("These files have no charges");
    return has_scale(topology, coloring) ? NULL : N_("All charges are zero");
  case DEBYE_COLOR_BY_B_FACTOR:
    if (!debye_topology_get_b_factors(topology))
      return N_("These files have no B factors");
    return has_scale(topology, coloring) ? NULL : N_("All B factors are the same");
  case DEBYE_COLOR_UNIFORM:
  default:
    return NULL;
  }
}

/* --- Kinds of atoms without elements --- */

static int
compare_types(gconstpointer a, gconstpointer b, gpointer pool)
{
  const char *first = debye_string_pool_get(pool, *(const guint32 *)a);
  const char *second = debye_string_pool_get(pool, *(const guint32 *)b);
  g_autofree char *first_key = g_utf8_collate_key_for_filename(first, -1);
  g_autofree char *second_key = g_utf8_collate_key_for_filename(second, -1);
  return strcmp(first_key, second_key);
}

guint *
debye_molecule_number_types(DebyeTopology *topology)
{
  const gsize n = debye_topology_get_n_atoms(topology);
  if (n == 0 || knows_elements(topology))
    return NULL;
  const guint32 *types = debye_topology_get_types(topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  g_autofree guint *of_codes = g_new0(guint, debye_string_pool_get_count(pool) + 1);
  g_autoptr(GArray) codes = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (gsize i = 0; i < n; i++)
    if (of_codes[types[i]]++ == 0)
      g_array_append_val(codes, types[i]);
  g_array_sort_with_data(codes, compare_types, (gpointer)pool); /* only read */
  for (guint k = 0; k < codes->len; k++)
    of_codes[g_array_index(codes, guint32, k)] = k;
  guint *numbers = g_new(guint, n);
  for (gsize i = 0; i < n; i++)
    numbers[i] = of_codes[types[i]];
  return numbers;
}

/* --- Colours --- */

static guint32
scale_color(const DebyeColorMap *map, double fraction)
{
  float rgb[3];
  debye_color_map_get(map, fraction, rgb);
  guint32 color = 0;
  for (int c = 0; c < 3; c++)
    color = color << 8 | (guint32)(rgb[c] * 255.0f + 0.5f);
  return color;
}

static float
radius_of(guint8 element, const float *radii, gsize atom)
{
  if (element > 0 && element < DEBYE_N_ELEMENTS) {
    float radius = debye_element_get_radius(element, DEBYE_RADII_BONDI);
    if (radius > 0.0f)
      return radius;
  }
  return radii && radii[atom] > 0.0f ? radii[atom] : 1.5f;
}

float
debye_molecule_radius(DebyeTopology *topology, gsize atom)
{
  return radius_of(debye_topology_get_elements(topology)[atom], debye_topology_get_radii(topology), atom);
}

guint8 *
debye_molecule_styles(DebyeTopology *topology, DebyeMoleculeColoring coloring, guint32 uniform,
                      const DebyeColorMap *chosen)
{
  gsize n = debye_topology_get_n_atoms(topology);
  const guint8 *elements = debye_topology_get_elements(topology);
  const guint32 *residues = debye_topology_get_residues(topology);
  const float *radii = debye_topology_get_radii(topology), *column = colored_column(topology, coloring);
  const DebyeColorMap *map = NULL;
  double minimum = 0.0, maximum = 1.0;
  const char *title;
  gboolean scaled = debye_molecule_color_scale(topology, coloring, chosen, &map, &minimum, &maximum, &title);
  g_autofree guint32 *of_residues = NULL;
  if (coloring == DEBYE_COLOR_BY_RESIDUE || coloring == DEBYE_COLOR_BY_CHAIN)
    of_residues = residue_colors(topology, coloring == DEBYE_COLOR_BY_CHAIN);
  g_autofree guint *types = coloring == DEBYE_COLOR_BY_ELEMENT ? debye_molecule_number_types(topology) : NULL;
  guint8 *styles = g_malloc(4 * n + 4);
  for (gsize i = 0; i < n; i++) {
    guint32 color = debye_element_get(elements[i])->color;
    if (of_residues)
      color = of_residues[residues[i]];
    else if (scaled)
      color = scale_color(map, ((double)column[i] - minimum) / (maximum - minimum));
    else if (coloring == DEBYE_COLOR_UNIFORM)
      color = uniform;
    else if (types)
      color = debye_molecule_chain_color(types[i]);
    float radius = radius_of(elements[i], radii, i) / DEBYE_RADIUS_STEP;
    styles[4 * i] = (guint8)(color >> 16);
    styles[4 * i + 1] = (guint8)(color >> 8);
    styles[4 * i + 2] = (guint8)color;
    styles[4 * i + 3] = (guint8)CLAMP(radius + 0.5f, 1.0f, 255.0f);
  }
  return styles;
}
