/* SPDX-License-Identifier: MIT */
/* Assigns a force field's charges to a topology, residue by residue; called by charge_choice.c of the
 * analyses. */
#include "table_charges.h"

#include <string.h>

#include "data/messages/message.h"
#include "data/tables/charge_match.h"
#include "data/tables/charge_small.h"
#include "data/tables/residue_class.h"

/* More than any form has. */
#define SITES_MAXIMUM 96
typedef struct {
  const char *sources[DEBYE_CHARGED_KINDS];
  const DebyeChargeRow *rows;
  const DebyeChargeRow *radii; /* row by row as those */
  double (*ion_radius)(guint8 element, int charge);
  /* Of water, Å: TIP3P's (Jorgensen et al., J. Chem. Phys. 79, 926, 1983), half of the minimum distance. Other models' oxygens
   * differ by 0.02 Å. */
  float oxygen, hydrogen;
  DebyeWaterModel water; /* of three atoms that no name tells a model of; no name: TIP3P */
} Table;

/* PARSE has no radii of ions. */
static double
get_no_radius(guint8 element, int charge)
{
  (void)element;
  (void)charge;
  return 0.0;
}

static const Table tables[] = {
    [DEBYE_CHARGE_TABLE_AMBER] = {.sources = {[DEBYE_CHARGED_PROTEIN] = "AMBER ff14SB (Maier et al. 2015)",
                                              [DEBYE_CHARGED_NUCLEIC] = "AMBER OL15 and OL3 (Zgarbová et al. "
                                                                        "2015, 2011)"},
                                  .rows = debye_charge_rows_amber,
                                  .radii = debye_radius_rows_amber,
                                  .ion_radius = debye_ion_radius_amber,
                                  .oxygen = 1.7683f,
                                  .hydrogen = 0.0f},
    [DEBYE_CHARGE_TABLE_CHARMM] = {.sources = {[DEBYE_CHARGED_PROTEIN] = "CHARMM36 (Best et al. 2012)",
                                               [DEBYE_CHARGED_NUCLEIC] =
                                                   "CHARMM36 (Hart et al. 2012, Denning et al. 2011)"},
                                   .rows = debye_charge_rows_charmm,
                                   .radii = debye_radius_rows_charmm,
                                   .ion_radius = debye_ion_radius_charmm,
                                   .oxygen = 1.7682f,
                                   .hydrogen = 0.2245f},
    [DEBYE_CHARGE_TABLE_PARSE] = {.sources = {[DEBYE_CHARGED_PROTEIN] = "PARSE (Sitkoff et al. 1994)",
                                              [DEBYE_CHARGED_NUCLEIC] = "PARSE (Tang et al. 2007)"},
                                  .rows = debye_charge_rows_parse,
                                  .radii = debye_radius_rows_parse,
                                  .ion_radius = get_no_radius,
                                  .oxygen = 1.4f,
                                  .hydrogen = 1.0f,
                                  .water = {"PARSE (Sitkoff et al. 1994)", -0.72, 0.36, 0.0, 0}},
};

/* Other names of a family's residues, between blanks. */
static const struct {
  const char *family, *names;
} aliases[] = {
    {"ASP", " ASH ASPH ASPP ASPM "},
    {"GLU", " GLH GLUH GLUP GLUM "},
    {"CYS", " CYX CYM CYS1 CYS2 CYSH CYSM CYN "},
    {"HIS", " HID HIE HIP HSD HSE HSP HISA HISB HISD HISE HISH HIS1 HIS2 HISP "},
    {"LYS", " LYN LYSH LYSN LSN LYP "},
    {"ARG", " ARGN "},
    {"ACE", " ACEX "},
    {"NME", " NMA NAC CT3 "},
    {"NH2", " NHE CT2 "},
    {"A", " DA DA3 DA5 DAN A3 A5 AN RA RA3 RA5 RAN ADE DADE RADE "},
    {"C", " DC DC3 DC5 DCN C3 C5 CN RC RC3 RC5 RCN CYT DCYT RCYT "},
    {"G", " DG DG3 DG5 DGN G3 G5 GN RG RG3 RG5 RGN GUA DGUA RGUA "},
    {"T", " DT DT3 DT5 DTN T3 T5 THY DTHY "},
    {"U", " U3 U5 UN RU RU3 RU5 RUN URA RURA "},
};

typedef struct {
  DebyeTopology *topology;
  const Table *table;
  DebyeChargeReport *report;
  float *charges;
  float *radii;         /* NULL: not asked for */
  GHashTable *failures; /* text → Failure: what to say of the residues without charges */
  GPtrArray *failures_in_order;
  const char *water; /* the model, of which the sentence speaks */
} Assignment;

typedef struct {
  char *name;
  const char *reason;
  gint32 first_number;
  gsize n_residues;
} Failure;

static void
failure_free(gpointer data)
{
  Failure *failure = data;
  g_free(failure->name);
  g_free(failure);
}

/* The atoms of a residue, of which there are none before `first` and none from `end` on. */
typedef struct {
  const DebyeResidue *residue;
  const char *name;
  guint32 first, n;
} Part;

static gboolean
is_listed(const char *names, const char *name)
{
  g_autofree char *word = g_strdup_printf(" %s ", name);
  return strstr(names, word) != NULL;
}

/* The family that a name belongs to; NALA and CALA are ALA. */
static const char *
find_family(const DebyeChargeRow *rows, const char *name)
{
  for (gsize k = 0; k < G_N_ELEMENTS(aliases); k++)
    if (is_listed(aliases[k].names, name))
      return aliases[k].family;
  for (const DebyeChargeRow *row = rows; row->family != NULL; row++)
    if (strcmp(row->family, name) == 0)
      return row->family;
  if (strlen(name) == 4 && (name[0] == 'N' || name[0] == 'C'))
    return find_family(rows, name + 1);
  return NULL;
}

static const char *
get_atom_name(const Assignment *assignment, gsize atom)
{
  return debye_string_pool_get(debye_topology_get_string_pool(assignment->topology),
                               debye_topology_get_names(assignment->topology)[atom]);
}

/* --- Cysteine without its hydrogen: a disulfide, or a thiolate --- */

static gboolean
is_bonded_to_sulfur(DebyeTopology *topology, gsize atom)
{
  const guint32 *offsets, *partners;
  const guint8 *elements = debye_topology_get_elements(topology);
  debye_topology_get_bond_graph(topology, &offsets, &partners);
  for (guint32 k = offsets[atom]; k < offsets[atom + 1]; k++)
    if (elements[partners[k]] == 16)
      return TRUE;
  return FALSE;
}

/* The name decides, then bonds where there are any; with neither, a disulfide is the commoner. */
static gboolean
is_thiolate(const Assignment *assignment, const Part *part)
{
  gsize n_bonds;
  debye_topology_get_bonds(assignment->topology, &n_bonds);
  if (g_str_has_suffix(part->name, "CYM") || strcmp(part->name, "CYSM") == 0)
    return TRUE;
  if (g_str_has_suffix(part->name, "CYX") || strcmp(part->name, "CYS2") == 0 || n_bonds == 0)
    return FALSE;
  const guint8 *elements = debye_topology_get_elements(assignment->topology);
  for (guint32 i = part->first; i < part->first + part->n; i++)
    if (elements[i] == 16)
      return !is_bonded_to_sulfur(assignment->topology, i);
  return FALSE;
}

static gboolean
is_wrong_cysteine(const Assignment *assignment, const DebyeChargeRow *row, const Part *part)
{
  gboolean of_thiolate = strstr(row->name, "CYM") != NULL;
  gboolean of_disulfide = strstr(row->name, "CYX") != NULL || strstr(row->name, "CYS2") != NULL;
  if (!of_thiolate && !of_disulfide)
    return FALSE;
  return is_thiolate(assignment, part) != of_thiolate;
}

/* --- Residues of chains --- */

static void
give(Assignment *assignment, const Part *part, DebyeChargedKind kind)
{
  memset(assignment->report->kinds + part->first, kind, part->n);
  assignment->report->n_atoms[kind] += part->n;
  assignment->report->n_residues[kind]++;
}

static gboolean
has_hydrogens(const DebyeChargeSite *sites, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (sites[i].is_hydrogen)
      return TRUE;
  return FALSE;
}

/* Said once for all residues, of which a crystal structure has hundreds. */
static const char *const without_hydrogens = N_("the hydrogens are missing");

/* The row of the charges fits the atoms, so the one of the radii does. */
static void
assign_radii(Assignment *assignment, const Part *part, const DebyeChargeRow *row, DebyeChargeSite *sites)
{
  if (assignment->radii == NULL)
    return;
  debye_charge_match(assignment->table->radii + (row - assignment->table->rows), sites, part->n);
  for (guint32 i = 0; i < part->n; i++)
    assignment->radii[part->first + i] = (float)sites[i].charge;
}

/* NULL, or why there are no charges. */
static const char *
assign_chain_residue(Assignment *assignment, const Part *part, const char *family, DebyeChargedKind kind)
{
  DebyeChargeSite sites[SITES_MAXIMUM];
  const guint8 *elements = debye_topology_get_elements(assignment->topology);
  if (part->n > SITES_MAXIMUM)
    return N_("it has more atoms than any form in the table");
  for (guint32 i = 0; i < part->n; i++) {
    debye_charge_site_set_name(&sites[i], get_atom_name(assignment, part->first + i));
    sites[i].is_hydrogen = elements[part->first + i] == 1;
  }
  for (const DebyeChargeRow *row = assignment->table->rows; row->family != NULL; row++) {
    if (strcmp(row->family, family) != 0 || is_wrong_cysteine(assignment, row, part) ||
        !debye_charge_match(row, sites, part->n))
      continue;
    for (guint32 i = 0; i < part->n; i++)
      assignment->charges[part->first + i] = (float)sites[i].charge;
    assign_radii(assignment, part, row, sites);
    give(assignment, part, kind);
    return NULL;
  }
  return has_hydrogens(sites, part->n) ? N_("the atoms aren't those of any form in the table")
                                       : without_hydrogens;
}

/* --- Water and ions --- */

static const char *
assign_water(Assignment *assignment, const Part *part)
{
  const guint8 *elements = debye_topology_get_elements(assignment->topology) + part->first;
  const DebyeWaterModel *model = debye_water_model_find(part->name, elements, part->n);
  if (model != NULL && part->n == 3 && assignment->table->water.name != NULL)
    model = &assignment->table->water;
  if (model == NULL)
    return N_("it isn't an oxygen with two hydrogens and the sites of a known model");
  for (guint32 i = 0; i < part->n; i++)
    assignment->charges[part->first + i] = (float)(elements[i] == 8   ? model->oxygen
                                                   : elements[i] == 1 ? model->hydrogen
                                                                      : model->site);
  for (guint32 i = 0; assignment->radii != NULL && i < part->n; i++)
    assignment->radii[part->first + i] = elements[i] == 8   ? assignment->table->oxygen
                                         : elements[i] == 1 ? assignment->table->hydrogen
                                                            : 0.0f;
  if (assignment->water != NULL && assignment->water != model->name)
    assignment->water = N_("several models");
  else
    assignment->water = model->name;
  give(assignment, part, DEBYE_CHARGED_WATER);
  return NULL;
}

/* A million waters are one question: what follows a water with its names and elements is charged as it is. */
static gboolean
repeat_water(Assignment *assignment, const Part *before, const Part *part)
{
  const guint8 *elements = debye_topology_get_elements(assignment->topology);
  if (before->n != part->n || before->name != part->name ||
      assignment->report->kinds[before->first] != DEBYE_CHARGED_WATER ||
      memcmp(elements + before->first, elements + part->first, part->n) != 0)
    return FALSE;
  memcpy(assignment->charges + part->first, assignment->charges + before->first, part->n * sizeof(float));
  if (assignment->radii != NULL)
    memcpy(assignment->radii + part->first, assignment->radii + before->first, part->n * sizeof(float));
  give(assignment, part, DEBYE_CHARGED_WATER);
  return TRUE;
}

static gboolean
assign_ion(Assignment *assignment, const Part *part)
{
  const guint8 element = debye_topology_get_elements(assignment->topology)[part->first];
  const int charge = debye_ion_charge(part->name, element);
  if (part->n != 1 || charge == 0)
    return FALSE;
  assignment->charges[part->first] = (float)charge;
  if (assignment->radii != NULL)
    assignment->radii[part->first] = (float)assignment->table->ion_radius(element, charge);
  give(assignment, part, DEBYE_CHARGED_ION);
  return TRUE;
}

/* --- All residues --- */

static const char *
assign_residue(Assignment *assignment, const Part *part)
{
  if ((debye_residue_class_of(part->name) & DEBYE_RESIDUE_WATER) != 0)
    return assign_water(assignment, part);
  if (assign_ion(assignment, part))
    return NULL;
  const char *family = find_family(assignment->table->rows, part->name);
  if (family == NULL)
    return N_("the table doesn't know the residue");
  return assign_chain_residue(assignment, part, family,
                              strlen(family) == 1 ? DEBYE_CHARGED_NUCLEIC : DEBYE_CHARGED_PROTEIN);
}

static void
note_failure(Assignment *assignment, const Part *part, const char *reason)
{
  const char *name = reason == without_hydrogens ? N_("of proteins or nucleic acids") : part->name;
  g_autofree char *key = g_strdup_printf("%s %s", name, reason);
  Failure *failure = g_hash_table_lookup(assignment->failures, key);
  if (failure == NULL) {
    failure = g_new0(Failure, 1);
    failure->name = g_strdup(name);
    failure->reason = reason;
    failure->first_number = part->residue->number;
    g_hash_table_insert(assignment->failures, g_steal_pointer(&key), failure);
    g_ptr_array_add(assignment->failures_in_order, failure);
  }
  failure->n_residues++;
  assignment->report->n_atoms[DEBYE_CHARGED_NONE] += part->n;
  assignment->report->n_residues[DEBYE_CHARGED_NONE]++;
}

/* A residue is the run of atoms that belong to it: one that comes again further on doesn't fit a form anyway.
 */
static void
assign_all(Assignment *assignment)
{
  DebyeTopology *topology = assignment->topology;
  const guint32 *residues = debye_topology_get_residues(topology);
  guint32 n_atoms = (guint32)debye_topology_get_n_atoms(topology);
  Part before = {0};
  for (guint32 first = 0, end; first < n_atoms; first = end) {
    for (end = first + 1; end < n_atoms && residues[end] == residues[first];)
      end++;
    const DebyeResidue *residue = &debye_topology_get_residue_table(topology)[residues[first]];
    Part part = {.residue = residue,
                 .name = debye_string_pool_get(debye_topology_get_string_pool(topology), residue->name),
                 .first = first,
                 .n = end - first};
    const char *reason = repeat_water(assignment, &before, &part) ? NULL : assign_residue(assignment, &part);
    if (reason != NULL)
      note_failure(assignment, &part, reason);
    before = part;
  }
}

/* --- The report --- */

void
debye_charge_report_clear(DebyeChargeReport *report)
{
  g_free(report->kinds);
  g_strfreev(report->sentences);
  *report = (DebyeChargeReport){0};
}

static void
add_kind(const Assignment *assignment, GPtrArray *sentences, DebyeChargedKind kind, const char *what,
         const char *source)
{
  const DebyeChargeReport *report = assignment->report;
  const gsize n_atoms = report->n_atoms[kind], n_residues = report->n_residues[kind];
  g_autofree char *atoms =
      n_atoms == 1 ? g_strdup(N_("1 atom")) : debye_message_new("%" G_GSIZE_FORMAT " atoms", n_atoms);
  g_autofree char *residues = n_residues == 1 ? g_strdup(N_("1 residue"))
                                              : debye_message_new("%" G_GSIZE_FORMAT " residues", n_residues);
  if (n_atoms > 0)
    g_ptr_array_add(sentences,
                    debye_message_new("%s: %s in %s, charges of %s", what, atoms, residues, source));
}

static void
add_failure(GPtrArray *sentences, const Failure *failure)
{
  g_ptr_array_add(sentences,
                  failure->n_residues == 1
                      ? debye_message_new("1 residue %s (number %d) without charges: %s", failure->name,
                                          failure->first_number, failure->reason)
                      : debye_message_new("%" G_GSIZE_FORMAT " residues %s (the first is number %d) without "
                                          "charges: %s",
                                          failure->n_residues, failure->name, failure->first_number,
                                          failure->reason));
}

static void
name_sources(const Assignment *assignment)
{
  const char **sources = assignment->report->sources;
  memcpy(sources, assignment->table->sources, sizeof assignment->table->sources);
  sources[DEBYE_CHARGED_NONE] = N_("none; treated as neutral");
  sources[DEBYE_CHARGED_WATER] = assignment->water;
  sources[DEBYE_CHARGED_ION] = N_("their valence");
}

static void
write_sentences(const Assignment *assignment)
{
  static const char *const words[DEBYE_CHARGED_KINDS] = {[DEBYE_CHARGED_PROTEIN] = N_("proteins"),
                                                         [DEBYE_CHARGED_NUCLEIC] = N_("nucleotides"),
                                                         [DEBYE_CHARGED_WATER] = N_("water"),
                                                         [DEBYE_CHARGED_ION] = N_("ions")};
  GPtrArray *sentences = g_ptr_array_new();
  for (guint kind = DEBYE_CHARGED_PROTEIN; kind < DEBYE_CHARGED_KINDS; kind++)
    add_kind(assignment, sentences, kind, words[kind], assignment->report->sources[kind]);
  for (guint k = 0; k < assignment->failures_in_order->len; k++)
    add_failure(sentences, g_ptr_array_index(assignment->failures_in_order, k));
  g_ptr_array_add(sentences, NULL);
  assignment->report->sentences = (char **)g_ptr_array_free(sentences, FALSE);
}

/* Into the places of the atoms that count, of all there are. */
static float *
spread(const float *values, const guint32 *atoms, gsize n_counted, gsize n_atoms)
{
  float *all = g_new0(float, MAX(n_atoms, 1));
  for (gsize k = 0; k < n_counted; k++)
    all[atoms[k]] = values[k];
  return all;
}

static DebyeTopology *
copy_with(DebyeTopology *self, const float *charges, const float *radii)
{
  g_autoptr(DebyeTopology) charged = debye_topology_with_charges(self, charges);
  return radii != NULL ? debye_topology_with_radii(charged, radii) : g_steal_pointer(&charged);
}

static DebyeTopology *assign(DebyeTopology *self, DebyeChargeTable table, gboolean wants_radii,
                             DebyeChargeReport *report);

/* A residue fits its form with the atoms that count alone. Others have no charge. */
static DebyeTopology *
assign_counted(DebyeTopology *self, DebyeChargeTable table, gboolean wants_radii, DebyeChargeReport *report)
{
  const gsize n_atoms = debye_topology_get_n_atoms(self);
  const guint8 *counted = debye_topology_get_counted(self);
  g_autofree guint32 *atoms = g_new(guint32, MAX(n_atoms, 1));
  gsize n_counted = 0;
  for (guint32 i = 0; i < n_atoms; i++)
    if (counted[i])
      atoms[n_counted++] = i;
  g_autoptr(DebyeTopology) part = debye_topology_subset(self, atoms, n_counted);
  g_autoptr(DebyeTopology) charged = assign(part, table, wants_radii, report);
  g_autofree guint8 *kinds = g_steal_pointer(&report->kinds);
  report->kinds = g_new0(guint8, MAX(n_atoms, 1));
  for (gsize k = 0; k < n_counted; k++)
    report->kinds[atoms[k]] = kinds[k];
  g_autofree float *charges = spread(debye_topology_get_charges(charged), atoms, n_counted, n_atoms);
  g_autofree float *radii =
      wants_radii ? spread(debye_topology_get_radii(charged), atoms, n_counted, n_atoms) : NULL;
  return copy_with(self, charges, radii);
}

static DebyeTopology *
assign(DebyeTopology *self, DebyeChargeTable table, gboolean wants_radii, DebyeChargeReport *report)
{
  if (debye_topology_get_counted(self) != NULL &&
      debye_topology_get_n_counted(self) < debye_topology_get_n_atoms(self))
    return assign_counted(self, table, wants_radii, report);
  gsize n_atoms = debye_topology_get_n_atoms(self);
  g_autoptr(GHashTable) failures = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, failure_free);
  g_autoptr(GPtrArray) in_order = g_ptr_array_new();
  g_autofree float *charges = g_new0(float, MAX(n_atoms, 1));
  g_autofree float *radii = wants_radii ? g_new0(float, MAX(n_atoms, 1)) : NULL;
  Assignment assignment = {.topology = self,
                           .table = &tables[table],
                           .report = report,
                           .charges = charges,
                           .radii = radii,
                           .failures = failures,
                           .failures_in_order = in_order};
  *report = (DebyeChargeReport){.kinds = g_new0(guint8, MAX(n_atoms, 1))};
  assign_all(&assignment);
  for (gsize i = 0; i < n_atoms; i++)
    report->total_charge += (double)charges[i];
  name_sources(&assignment);
  write_sentences(&assignment);
  return copy_with(self, charges, radii);
}

DebyeTopology *
debye_topology_with_table_charges(DebyeTopology *self, DebyeChargeTable table, DebyeChargeReport *report)
{
  return assign(self, table, FALSE, report);
}

DebyeTopology *
debye_topology_with_table_parameters(DebyeTopology *self, DebyeChargeTable table, DebyeChargeReport *report)
{
  return assign(self, table, TRUE, report);
}
