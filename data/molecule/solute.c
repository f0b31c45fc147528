/* SPDX-License-Identifier: MIT */
/* Finds the solute of a topology; called by the selection language and by what superposes frames. */
#include "solute.h"

#include "data/tables/residue_class.h"

#define RESIDUES_PER_LIGAND 10 /* of polymers: more copies than one for so many are a cosolvent */
#define LIGANDS_ALWAYS 4
#define RESIDUES_PER_METAL 30 /* the same for Ca and Mg: more of them are counterions */
#define METALS_ALWAYS 1
#define POLYMER_RESIDUES 3 /* bonded ones, of names that nobody knows */

/* Cryoprotectants, precipitants and buffers by the names of the Protein Data Bank and of force fields. */
static const char *const additives[] = {
    "GOL", "GLYC",  "EDO", "EGL",  "PGO", "PGR",  "MPD", "MRD", "DMS", "DMSO", "PEG", "PGE", "PG4",  "1PE",
    "2PE", "P6G",   "PE4", "PE5",  "PE8", "7PE",  "12P", "15P", "XPE", "P33",  "1PG", "PG0", "BU3",  "BU1",
    "HEZ", "JEF",   "EOH", "ETOH", "MOH", "MEOH", "IPA", "IOH", "TBU", "POL",  "ACN", "ACT", "ACY",  "FMT",
    "CIT", "FLC",   "TLA", "TAR",  "SRT", "MLI",  "MLA", "MLT", "SIN", "OXL",  "SO4", "SUL", "PO4",  "2HP",
    "PI",  "NO3",   "CO3", "BCT",  "SCN", "AZI",  "CAC", "BO3", "BO4", "TRS",  "TAM", "BTB", "B3P",  "MES",
    "EPE", "HEPES", "PIN", "CXS",  "IMD", "BME",  "DTT", "DTU", "DTV", "TCEP", "TCE", "URE", "UREA", "GAI",
    "GND", "NH4",   "TMA", "TMO",  "BET", "SUC",  "TRE", "UNX", NULL};

typedef enum { NOT_SOLUTE, LIGAND, METAL, STRUCTURAL_ION, POLYMER } Role;

/* Zn and Cd count with the transition metals, Ca and Mg are told apart by their number. */
static Role
role_of_ion(guint8 element)
{
  if ((element >= 21 && element <= 30) || (element >= 39 && element <= 48) ||
      (element >= 72 && element <= 80))
    return STRUCTURAL_ION;
  return element == 12 || element == 20 ? METAL : NOT_SOLUTE;
}

/* Of a residue by itself. */
static Role
role_of_residue(const char *name, guint class, const DebyeResidue *residue, gsize n_counted,
                const guint8 *elements)
{
  if (class & (DEBYE_RESIDUE_PROTEIN | DEBYE_RESIDUE_NUCLEIC) && residue->n_atoms > 0)
    return POLYMER;
  if (class & DEBYE_RESIDUE_ION || n_counted == 1)
    return n_counted == 1 ? role_of_ion(elements[residue->first_atom]) : NOT_SOLUTE;
  if (class & (DEBYE_RESIDUE_WATER | DEBYE_RESIDUE_LIPID) || g_strv_contains(additives, name))
    return NOT_SOLUTE;
  return LIGAND;
}

typedef struct {
  DebyeTopology *topology;
  const DebyeStringPool *pool;
  const DebyeResidue *table;
  const guint32 *residues; /* of the atoms */
  gsize n_atoms, n_residues;
  guint *classes; /* of names */
  Role *roles;    /* of residues */
} Search;

static void
search_clear(Search *search)
{
  g_free(search->classes);
  g_free(search->roles);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Search, search_clear)

static void
search_init(Search *search, DebyeTopology *topology)
{
  *search = (Search){.topology = topology,
                     .pool = debye_topology_get_string_pool(topology),
                     .table = debye_topology_get_residue_table(topology),
                     .residues = debye_topology_get_residues(topology),
                     .n_atoms = debye_topology_get_n_atoms(topology),
                     .n_residues = debye_topology_get_n_residues(topology)};
  const guint8 *elements = debye_topology_get_elements(topology);
  guint n_names = debye_string_pool_get_count(search->pool);
  search->classes = g_new0(guint, MAX(n_names, 1));
  for (guint code = 0; code < n_names; code++)
    search->classes[code] = debye_residue_class_of(debye_string_pool_get(search->pool, code));
  search->roles = g_new0(Role, MAX(search->n_residues, 1));
  for (gsize r = 0; r < search->n_residues; r++) {
    const DebyeResidue *residue = &search->table[r];
    search->roles[r] =
        role_of_residue(debye_string_pool_get(search->pool, residue->name), search->classes[residue->name],
                        residue, debye_topology_get_n_counted_of(search->topology, (guint32)r), elements);
  }
}

/* --- What bonds say --- */

/* Of one molecule. */
typedef struct {
  guint32 n_ligands, last; /* residues that may be of a polymer, the last of them + 1 */
  gboolean has_polymer, has_lipid;
} Molecule;

static void
count_in_molecule(const Search *search, Molecule *molecule, guint32 residue)
{
  const guint class = search->classes[search->table[residue].name];
  molecule->has_polymer |= search->roles[residue] == POLYMER;
  molecule->has_lipid |= (class & DEBYE_RESIDUE_LIPID) != 0;
  if (search->roles[residue] == LIGAND && molecule->last != residue + 1) {
    molecule->n_ligands++;
    molecule->last = residue + 1;
  }
}

/* A glycan, a haem that is bonded to its protein, a palmitoyl chain: a polymer takes with it what it is bonded
 * to. */
static void
spread_over_bonds(Search *search)
{
  gsize n_bonds, n_molecules;
  debye_topology_get_bonds(search->topology, &n_bonds);
  if (n_bonds == 0)
    return;
  const guint32 *molecule_of = debye_topology_get_molecules(search->topology, &n_molecules);
  g_autofree Molecule *molecules = g_new0(Molecule, MAX(n_molecules, 1));
  for (gsize i = 0; i < search->n_atoms; i++)
    count_in_molecule(search, &molecules[molecule_of[i]], search->residues[i]);
  for (gsize i = 0; i < search->n_atoms; i++) {
    const Molecule *molecule = &molecules[molecule_of[i]];
    const guint32 residue = search->residues[i];
    const gboolean is_water = (search->classes[search->table[residue].name] & DEBYE_RESIDUE_WATER) != 0;
    if (!is_water &&
        (molecule->has_polymer || (molecule->n_ligands >= POLYMER_RESIDUES && !molecule->has_lipid)))
      search->roles[residue] = POLYMER;
  }
}

/* --- How many there are --- */

static void
drop_many(Search *search, Role role, gsize most)
{
  g_autofree guint32 *copies = g_new0(guint32, MAX(debye_string_pool_get_count(search->pool), 1));
  for (gsize r = 0; r < search->n_residues; r++)
    copies[search->table[r].name] += search->roles[r] == role;
  for (gsize r = 0; r < search->n_residues; r++)
    if (search->roles[r] == role && copies[search->table[r].name] > most)
      search->roles[r] = NOT_SOLUTE;
}

guint8 *
debye_solute_find(DebyeTopology *topology)
{
  g_auto(Search) search;
  search_init(&search, topology);
  spread_over_bonds(&search);
  gsize n_polymer = 0;
  for (gsize r = 0; r < search.n_residues; r++)
    n_polymer += search.roles[r] == POLYMER;
  drop_many(&search, LIGAND, MAX(n_polymer / RESIDUES_PER_LIGAND, LIGANDS_ALWAYS));
  drop_many(&search, METAL, MAX(n_polymer / RESIDUES_PER_METAL, METALS_ALWAYS));
  guint8 *mask = g_new0(guint8, MAX(search.n_atoms, 1));
  for (gsize i = 0; n_polymer > 0 && i < search.n_atoms; i++)
    mask[i] = search.roles[search.residues[i]] != NOT_SOLUTE;
  return mask;
}
