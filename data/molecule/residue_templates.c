/* SPDX-License-Identifier: MIT */
/* The bonds of standard residues; used by bond_sources.c. Names after IUPAC's recommendations (Markley et
 * al., Pure Appl. Chem. 70, 117, 1998) and those of the force fields where they differ. */
#include "residue_templates.h"

#include <string.h>

#include "data/tables/residue_class.h"

#define NAME_SIZE 8

typedef enum { KIND_NONE, KIND_AMINO_ACID, KIND_NUCLEOTIDE, KIND_WATER, KIND_LONE } Kind;

typedef struct {
  Kind kind;
  const char *names; /* between blanks */
  const char *bonds; /* beside those of the backbone */
} Template;

static const char amino_backbone[] = "N-CA CA-C C-O C-OXT C-OT1 C-OT2 C-OC1 C-OC2 C-O1 C-O2 CA-CB";
static const char sugar_backbone[] = "P-OP1 P-OP2 P-OP3 P-O1P P-O2P P-O3P P-O5' O5'-C5' C5'-C4' C4'-O4' "
                                     "C4'-C3' O4'-C1' C3'-O3' C3'-C2' C2'-O2' C2'-C1'";

static const Template templates[] = {
    {KIND_AMINO_ACID, " ALA GLY ", ""},
    {KIND_AMINO_ACID, " ACE ACEX ", "CH3-C"},
    {KIND_AMINO_ACID, " NME NMA NAC ", "N-CH3 N-C"},
    {KIND_AMINO_ACID, " ARG ARGN ARN ", "CB-CG CG-CD CD-NE NE-CZ CZ-NH1 CZ-NH2"},
    {KIND_AMINO_ACID, " ASN ASN1 ", "CB-CG CG-OD1 CG-ND2"},
    {KIND_AMINO_ACID, " ASP ASH ASPH ASPP ASPM ", "CB-CG CG-OD1 CG-OD2"},
    {KIND_AMINO_ACID, " CYS CYX CYM CYS1 CYS2 CYSH CYSM CYN ", "CB-SG"},
    {KIND_AMINO_ACID, " GLN QLN ", "CB-CG CG-CD CD-OE1 CD-NE2"},
    {KIND_AMINO_ACID, " GLU GLH GLUH GLUP GLUM ", "CB-CG CG-CD CD-OE1 CD-OE2"},
    {KIND_AMINO_ACID, " HIS HID HIE HIP HSD HSE HSP HISA HISB HISD HISE HISH HIS1 HIS2 HISP ",
     "CB-CG CG-ND1 CG-CD2 ND1-CE1 CE1-NE2 NE2-CD2"},
    {KIND_AMINO_ACID, " HYP ", "CB-CG CG-CD CG-OD1 CD-N"},
    {KIND_AMINO_ACID, " ILE ", "CB-CG1 CB-CG2 CG1-CD1 CG1-CD"},
    {KIND_AMINO_ACID, " LEU ", "CB-CG CG-CD1 CG-CD2"},
    {KIND_AMINO_ACID, " LYS LYN LYSH LYSN LSN LYP ", "CB-CG CG-CD CD-CE CE-NZ"},
    {KIND_AMINO_ACID, " MET ", "CB-CG CG-SD SD-CE"},
    {KIND_AMINO_ACID, " MSE ", "CB-CG CG-SE SE-CE"},
    {KIND_AMINO_ACID, " PHE ", "CB-CG CG-CD1 CG-CD2 CD1-CE1 CD2-CE2 CE1-CZ CE2-CZ"},
    {KIND_AMINO_ACID, " PRO ", "CB-CG CG-CD CD-N"},
    {KIND_AMINO_ACID, " PTR Y1P Y2P ",
     "CB-CG CG-CD1 CG-CD2 CD1-CE1 CD2-CE2 CE1-CZ CE2-CZ CZ-OH OH-P P-O1P P-O2P P-O3P"},
    {KIND_AMINO_ACID, " SER ", "CB-OG"},
    {KIND_AMINO_ACID, " SEP S1P S2P ", "CB-OG OG-P P-O1P P-O2P P-O3P"},
    {KIND_AMINO_ACID, " THR ", "CB-OG1 CB-CG2"},
    {KIND_AMINO_ACID, " TPO T1P T2P ", "CB-OG1 CB-CG2 OG1-P P-O1P P-O2P P-O3P"},
    {KIND_AMINO_ACID, " TRP ",
     "CB-CG CG-CD1 CG-CD2 CD1-NE1 NE1-CE2 CD2-CE2 CD2-CE3 CE3-CZ3 CZ3-CH2 CH2-CZ2 CZ2-CE2"},
    {KIND_AMINO_ACID, " TYR TYM ", "CB-CG CG-CD1 CG-CD2 CD1-CE1 CD2-CE2 CE1-CZ CE2-CZ CZ-OH"},
    {KIND_AMINO_ACID, " VAL ", "CB-CG1 CB-CG2"},
    {KIND_LONE, " HEM ",
     "FE-NA FE-NB FE-NC FE-ND NA-C1A NA-C4A C1A-C2A C2A-C3A C3A-C4A NB-C1B NB-C4B C1B-C2B C2B-C3B C3B-C4B "
     "NC-C1C NC-C4C C1C-C2C C2C-C3C C3C-C4C ND-C1D ND-C4D C1D-C2D C2D-C3D C3D-C4D CHA-C1A CHA-C4D CHB-C4A "
     "CHB-C1B CHC-C4B CHC-C1C CHD-C4C CHD-C1D C3A-CMA C2A-CAA CAA-CBA CBA-CGA CGA-O1A CGA-O2A C2B-CMB "
     "C3B-CAB CAB-CBB C2C-CMC C3C-CAC CAC-CBC C2D-CMD C3D-CAD CAD-CBD CBD-CGD CGD-O1D CGD-O2D"},
    {KIND_NUCLEOTIDE, " A DA DA3 DA5 DAN A3 A5 AN RA RA3 RA5 RAN ADE DADE RADE ",
     "C1'-N9 N9-C8 C8-N7 N7-C5 C5-C6 C6-N6 C6-N1 N1-C2 C2-N3 N3-C4 C4-C5 C4-N9"},
    {KIND_NUCLEOTIDE, " G DG DG3 DG5 DGN G3 G5 GN RG RG3 RG5 RGN GUA DGUA RGUA ",
     "C1'-N9 N9-C8 C8-N7 N7-C5 C5-C6 C6-O6 C6-N1 N1-C2 C2-N2 C2-N3 N3-C4 C4-C5 C4-N9"},
    {KIND_NUCLEOTIDE, " C DC DC3 DC5 DCN C3 C5 CN RC RC3 RC5 RCN CYT DCYT RCYT ",
     "C1'-N1 N1-C2 C2-O2 C2-N3 N3-C4 C4-N4 C4-C5 C5-C6 C6-N1"},
    {KIND_NUCLEOTIDE, " T DT DT3 DT5 DTN T3 T5 THY DTHY U U3 U5 UN RU RU3 RU5 RUN URA RURA ",
     "C1'-N1 N1-C2 C2-O2 C2-N3 N3-C4 C4-O4 C4-C5 C5-C7 C5-C5M C5-C6 C6-N1"},
};

static const Template water = {KIND_WATER, "", ""};

typedef struct {
  char name[2][NAME_SIZE];
} NamedBond;

struct _DebyeResidueTemplates {
  DebyeTopology *topology;
  const DebyeResidue *residues; /* its columns: asking for one costs more than looking at it */
  const guint32 *names;
  const guint8 *elements, *counted;
  const Template **of_name;               /* by code of the pool; NULL: none */
  GArray *bonds[G_N_ELEMENTS(templates)]; /* of NamedBond; made when first asked for */
};

/* --- Tables --- */

static const Template *
find_template(const char *name)
{
  g_autofree char *word = g_strdup_printf(" %s ", name);
  if ((debye_residue_class_of(name) & DEBYE_RESIDUE_WATER) != 0)
    return &water;
  for (gsize k = 0; k < G_N_ELEMENTS(templates); k++)
    if (strstr(templates[k].names, word) != NULL)
      return &templates[k];
  /* NALA, CALA. */
  if (strlen(name) == 4 && (name[0] == 'N' || name[0] == 'C'))
    return find_template(name + 1);
  return NULL;
}

static void
add_named_bonds(GArray *bonds, const char *text)
{
  g_auto(GStrv) words = g_strsplit(text, " ", -1);
  for (char **word = words; *word != NULL; word++) {
    const char *dash = strchr(*word, '-');
    NamedBond bond = {0};
    if (dash == NULL)
      continue;
    memcpy(bond.name[0], *word, (gsize)(dash - *word));
    g_strlcpy(bond.name[1], dash + 1, NAME_SIZE);
    g_array_append_val(bonds, bond);
  }
}

DebyeResidueTemplates *
debye_residue_templates_new(DebyeTopology *topology)
{
  DebyeResidueTemplates *self = g_new0(DebyeResidueTemplates, 1);
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const DebyeResidue *residues = debye_topology_get_residue_table(topology);
  self->topology = g_object_ref(topology);
  self->residues = residues;
  self->names = debye_topology_get_names(topology);
  self->elements = debye_topology_get_elements(topology);
  self->counted = debye_topology_get_counted(topology);
  self->of_name = g_new0(const Template *, debye_string_pool_get_count(pool));
  for (gsize k = 0; k < G_N_ELEMENTS(templates); k++) {
    self->bonds[k] = g_array_new(FALSE, FALSE, sizeof(NamedBond));
    if (templates[k].kind != KIND_LONE)
      add_named_bonds(self->bonds[k], templates[k].kind == KIND_AMINO_ACID ? amino_backbone : sugar_backbone);
    add_named_bonds(self->bonds[k], templates[k].bonds);
  }
  g_autofree gboolean *is_looked_up = g_new0(gboolean, debye_string_pool_get_count(pool));
  for (gsize r = 0; r < debye_topology_get_n_residues(topology); r++)
    if (!is_looked_up[residues[r].name]) {
      is_looked_up[residues[r].name] = TRUE;
      self->of_name[residues[r].name] = find_template(debye_string_pool_get(pool, residues[r].name));
    }
  return self;
}

void
debye_residue_templates_free(DebyeResidueTemplates *self)
{
  if (self == NULL)
    return;
  for (gsize k = 0; k < G_N_ELEMENTS(self->bonds); k++)
    g_array_unref(self->bonds[k]);
  g_free(self->of_name);
  g_object_unref(self->topology);
  g_free(self);
}

/* --- One residue --- */

static const DebyeResidue *
get_residue(const DebyeResidueTemplates *self, gsize residue)
{
  return &self->residues[residue];
}

static const Template *
get_template(const DebyeResidueTemplates *self, gsize residue)
{
  return self->of_name[get_residue(self, residue)->name];
}

/* An asterisk is how older files write the prime. */
static void
copy_name(const DebyeResidueTemplates *self, guint32 atom, char name[NAME_SIZE])
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(self->topology);
  g_strlcpy(name, debye_string_pool_get(pool, self->names[atom]), NAME_SIZE);
  for (char *c = name; *c != '\0'; c++)
    if (*c == '*')
      *c = '\'';
}

/* A heavy atom that counts. */
static gboolean
is_heavy(const DebyeResidueTemplates *self, guint32 atom)
{
  return (self->counted == NULL || self->counted[atom]) && self->elements[atom] > 1;
}

/* The only heavy atom of that name; FALSE with none or two. */
static gboolean
find_atom(const DebyeResidueTemplates *self, const DebyeResidue *residue, const char *name, guint32 *found)
{
  guint n = 0;
  for (guint32 i = residue->first_atom; i < residue->first_atom + residue->n_atoms; i++) {
    char own[NAME_SIZE];
    copy_name(self, i, own);
    if (is_heavy(self, i) && strcmp(own, name) == 0) {
      *found = i;
      n++;
    }
  }
  return n == 1;
}

static guint
count_heavy(const DebyeResidueTemplates *self, const DebyeResidue *residue)
{
  guint n = 0;
  for (guint32 i = residue->first_atom; i < residue->first_atom + residue->n_atoms; i++)
    n += is_heavy(self, i);
  return n;
}

/* Each heavy atom takes part in a bond, and each name is there once: then it is the residue it is called. */
static gboolean
is_complete(const GArray *bonds, const DebyeResidue *residue, guint n_heavy)
{
  g_autofree gboolean *is_bonded = g_new0(gboolean, residue->n_atoms);
  guint n_bonded = 0;
  for (guint k = 0; k < bonds->len; k++) {
    DebyeBond bond = g_array_index(bonds, DebyeBond, k);
    is_bonded[bond.i - residue->first_atom] = is_bonded[bond.j - residue->first_atom] = TRUE;
  }
  for (guint32 i = 0; i < residue->n_atoms; i++)
    n_bonded += is_bonded[i];
  return n_bonded == n_heavy;
}

gboolean
debye_residue_templates_get_bonds(const DebyeResidueTemplates *self, gsize number, GArray *bonds)
{
  const DebyeResidue *residue = get_residue(self, number);
  const Template *template = get_template(self, number);
  g_array_set_size(bonds, 0);
  const guint n_heavy = template != NULL ? count_heavy(self, residue) : 0;
  if (n_heavy == 0)
    return FALSE;
  if (template->kind == KIND_WATER)
    return n_heavy == 1;
  const GArray *named = self->bonds[template - templates];
  for (guint k = 0; k < named->len; k++) {
    const NamedBond *bond = &g_array_index(named, NamedBond, k);
    guint32 i, j;
    if (!find_atom(self, residue, bond->name[0], &i) || !find_atom(self, residue, bond->name[1], &j))
      continue;
    DebyeBond found = {MIN(i, j), MAX(i, j)};
    g_array_append_val(bonds, found);
  }
  return is_complete(bonds, residue, n_heavy);
}

/* --- Hydrogens --- */

/* What stands behind the element's letter: "D21" of HD21, "5''" of H5''; digits before it are left out. */
static const char *
get_locants(const char *name)
{
  while (g_ascii_isdigit(*name))
    name++;
  return *name != '\0' ? name + 1 : name;
}

static gboolean
find_by_locants(const DebyeResidueTemplates *self, const DebyeResidue *residue, const char *locants,
                gsize length, guint32 *heavy)
{
  guint n = 0;
  for (guint32 i = residue->first_atom; i < residue->first_atom + residue->n_atoms; i++) {
    char name[NAME_SIZE];
    copy_name(self, i, name);
    const char *own = get_locants(name);
    if (is_heavy(self, i) && strlen(own) == length && strncmp(own, locants, length) == 0) {
      *heavy = i;
      n++;
    }
  }
  return n == 1;
}

/* H1, H2 and H3 are the nitrogen's where a chain begins, and the methyl group's in a cap, which has no CA. */
static gboolean
find_of_end(const DebyeResidueTemplates *self, const DebyeResidue *residue, guint32 *heavy)
{
  guint32 ignored;
  if (find_atom(self, residue, "CA", &ignored))
    return find_atom(self, residue, "N", heavy);
  return find_atom(self, residue, "CH3", heavy) || find_atom(self, residue, "C", heavy);
}

gboolean
debye_residue_templates_find_heavy_atom(const DebyeResidueTemplates *self, gsize number, guint32 hydrogen,
                                        guint32 *heavy)
{
  const DebyeResidue *residue = get_residue(self, number);
  const Template *template = get_template(self, number);
  char name[NAME_SIZE];
  if (template == NULL)
    return FALSE;
  copy_name(self, hydrogen, name);
  const char *locants = get_locants(name);
  if (template->kind == KIND_WATER)
    return find_by_locants(self, residue, "", 0, heavy) || find_by_locants(self, residue, "W", 1, heavy) ||
           find_by_locants(self, residue, "H2", 2, heavy);
  if (template->kind == KIND_AMINO_ACID && (*locants == '\0' || *locants == 'N'))
    return find_atom(self, residue, "N", heavy);
  if (template->kind == KIND_AMINO_ACID && (*locants == 'T' || g_ascii_isdigit(*locants)))
    return find_of_end(self, residue, heavy);
  /* Base hydrogens of two digits (H61) belong to the nitrogen, and one digit is shared by both: not told. */
  for (gsize length = strlen(locants); length > 0; length--)
    if (find_by_locants(self, residue, locants, length, heavy))
      return TRUE;
  return FALSE;
}

/* --- Chains --- */

gboolean
debye_residue_templates_get_link(const DebyeResidueTemplates *self, gsize number, DebyeBond *bond)
{
  const Template *template = get_template(self, number);
  if (template == NULL || template->kind == KIND_WATER ||
      number + 1 >= debye_topology_get_n_residues(self->topology))
    return FALSE;
  const DebyeResidue *residue = get_residue(self, number), *next = residue + 1;
  const Template *template_of_next = get_template(self, number + 1);
  const gboolean is_chain =
      template_of_next != NULL && template_of_next->kind == template->kind && next->chain == residue->chain &&
      next->segment == residue->segment &&
      (next->number == residue->number + 1 ||
       (next->number == residue->number && next->insertion_code != residue->insertion_code));
  const gboolean is_amino_acid = template->kind == KIND_AMINO_ACID;
  return is_chain && find_atom(self, residue, is_amino_acid ? "C" : "O3'", &bond->i) &&
         find_atom(self, next, is_amino_acid ? "N" : "P", &bond->j) && bond->i < bond->j;
}
