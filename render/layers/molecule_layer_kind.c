/* SPDX-License-Identifier: MIT */
/* What can be set of a layer of atoms, and how one is made; listed by layer_kinds.c. */
#include <glib/gi18n.h>

#include "color_map_choice.h"
#include "data/molecule/bonds.h"
#include "molecule_layer.h"

/* Cartoons are layers of their own, of which the option knows. */
static const DebyeChoice styles[] = {
    {"spheres", N_("Spheres"), "van der Waals radii"},
    {"ball-and-stick", N_("Ball and stick"), "small spheres with bonds between them"},
    {"sticks", N_("Sticks"), "bonds only"},
    {"lines", N_("Lines"), "thin bonds"},
    {"cartoon", N_("Cartoon"), "proteins and nucleic acids as ribbons, other atoms in their default style"},
    {NULL, NULL, NULL},
};

/* Those of atoms and of cartoons. */
static const DebyeChoice colors[] = {
    {"element", "Element", "Jmol's colours"},
    {"residue", "Residue type", "by type of residue"},
    {"chain", "Chain", "by chain"},
    {"charge", "Charge", "blue +, red −"},
    {"structure", "Structure", "helices, strands and the rest (cartoons only)"},
    {"sequence", "Sequence", "from the first residue of a chain to its last (cartoons only)"},
    {"b-factor", "B factor", "from blue to red"},
    {"uniform", "One colour", "one colour for all"},
    {NULL, NULL, NULL},
};

static const DebyeLayerSetting settings[] = {
    {.property = "style",
     .label = N_("Style"),
     .choices = styles,
     .option = {.key = "style",
                .help = "style of the atoms; default: proteins and nucleic acids as cartoons, other solutes "
                        "ball and stick, ions as spheres, water as thin lines"}},
    {.property = "coloring",
     .label = N_("Colour by"),
     .choices = debye_molecule_colorings,
     .option = {.key = "color",
                .label = "Colour",
                .kind = DEBYE_SETTING_CHOICE,
                .initial = "element",
                .choices = colors,
                .help = "colour scheme of the atoms"}},
    {.property = "color", .label = N_("Colour"), .name = N_("Colour of the atoms")},
    {DEBYE_COLOR_MAP_SETTING,
     .option = {.key = "color-map",
                .kind = DEBYE_SETTING_TEXT,
                .help = "colours of values: RdBu, PiYG, PRGn, BrBG, viridis, cividis, inferno, grey, or a "
                        "file of rows r g b or position r g b; default: RdBu where values have both signs, "
                        "else viridis"}},
    {.property = "choice", .label = N_("Atoms"), .name = N_("Atoms of this layer")},
    {.property = "scale", .label = N_("Size"), .low = 0.1, .high = 2.0},
    {DEBYE_LAYER_LEGEND_SETTING},
    {DEBYE_LAYER_CUT_SETTING},
};

static gpointer
create(const DebyeLayerContents *contents)
{
  g_autoptr(DebyeTopology) bonded = debye_topology_get_bonded(contents->topology, contents->frame);
  return debye_molecule_layer_new(bonded);
}

static gboolean
begin(DebyeLayer *layer, const DebyeCamera *camera G_GNUC_UNUSED, DebyeField *map G_GNUC_UNUSED)
{
  debye_molecule_layer_set_style(DEBYE_MOLECULE_LAYER(layer), DEBYE_STYLE_STICKS);
  return TRUE;
}

const DebyeLayerKind debye_molecule_layer_kind = {
    .key = "atoms",
    .title = N_("Atoms"),
    .section = 1,
    .needs = DEBYE_LAYER_NEEDS_ATOMS,
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
    .create = create,
    .begin = begin,
};
