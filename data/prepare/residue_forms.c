/* SPDX-License-Identifier: MIT */
/* The table of residue_forms.h and how residues of files are found in it. */
#include "residue_forms.h"

#include <string.h>

#include "data/tables/charge_rows.h"

#define BACKBONE "N=H CA:HA C O "
#define BETA "CB:HB2,HB3 "
#define GAMMA "CG:HG2,HG3 "
#define RING "CG CD1=HD1 CD2=HD2 CE1=HE1 CE2=HE2 "
#define PHOSPHATE "P OP1 OP2 "
#define SUGAR "C4':H4' C5':H5',H5'' O5' O4' C3':H3' O3' "
#define RIBOSE PHOSPHATE SUGAR "C2':H2' O2':HO2' C1':H1' "
#define DEOXYRIBOSE PHOSPHATE SUGAR "C2':H2',H2'' C1':H1' "
#define ADENINE "N9 C8=H8 N7 N1 C5 C6 N6=H61,H62 C2=H2 N3 C4"
#define GUANINE "N9 C8=H8 N7 C5 C6 O6 N1=H1 C2 N2=H21,H22 N3 C4"
#define CYTOSINE "N1 C2 O2 N3 C4 N4=H41,H42 C5=H5 C6=H6"
#define THYMINE "N1 C2 O2 N3=H3 C4 O4 C5 C7:H71,H72,H73 C6=H6"
#define URACIL "N1 C2 O2 N3=H3 C4 O4 C5=H5 C6=H6"

#define PYRROLE(a) "C1" a " C2" a " C3" a " C4" a " N" a " "
#define HEME                                                                                          \
  "FE " PYRROLE("A") PYRROLE("B") PYRROLE("C")                                                        \
      PYRROLE("D") "CHA=HHA CHB=HHB CHC=HHC CHD=HHD "                                                 \
                   "CMA:HMA1,HMA2,HMA3 CMB:HMB1,HMB2,HMB3 CMC:HMC1,HMC2,HMC3 CMD:HMD1,HMD2,HMD3 "     \
                   "CAA:HAA1,HAA2 CBA:HBA1,HBA2 CGA O1A O2A CAD:HAD1,HAD2 CBD:HBD1,HBD2 CGD O1D O2D " \
                   "CAB=HAB CBB=HBB1,HBB2 CAC=HAC CBC=HBC1,HBC2"

/* Which hydrogen of a pair is which depends on the order of the two atoms bonded to its carbon (hydrogen_site.h), and which of
 * an amide on that of the carbon's: so proline's N is the last, and so is N3 in adenine. */
#define ACID DEBYE_FORM_AMINO_ACID

const DebyeResidueForm debye_residue_forms[] = {
    {ACID, "ALA", "ALA", NULL, 0, BACKBONE "CB:HB1,HB2,HB3"},
    {ACID, "ARG", "ARG", NULL, 1, BACKBONE BETA GAMMA "CD:HD2,HD3 NE=HE CZ NH1=HH11,HH12 NH2=HH21,HH22"},
    {ACID, "ARG", "ARN", NULL, 0, BACKBONE BETA GAMMA "CD:HD2,HD3 NE CZ NH1=HH11,HH12 NH2=HH21,HH22"},
    {ACID, "ASN", "ASN", NULL, 0, BACKBONE BETA "CG OD1 ND2=HD21,HD22"},
    {ACID, "ASP", "ASP", NULL, -1, BACKBONE BETA "CG OD1 OD2"},
    {ACID, "ASP", "ASH", "ASPP", 0, BACKBONE BETA "CG OD1 OD2=HD2"},
    {ACID, "CYS", "CYS", NULL, 0, BACKBONE BETA "SG:HG"},
    {ACID, "CYS", "CYX", "CYS2", 0, BACKBONE BETA "SG"},
    {ACID, "CYS", "CYM", NULL, -1, BACKBONE BETA "SG"},
    {ACID, "GLN", "GLN", NULL, 0, BACKBONE BETA GAMMA "CD OE1 NE2=HE21,HE22"},
    {ACID, "GLU", "GLU", NULL, -1, BACKBONE BETA GAMMA "CD OE1 OE2"},
    {ACID, "GLU", "GLH", "GLUP", 0, BACKBONE BETA GAMMA "CD OE1 OE2=HE2"},
    {ACID, "GLY", "GLY", NULL, 0, "N=H CA:HA2,HA3 C O"},
    {ACID, "HIS", "HIE", "HSE", 0, BACKBONE BETA "CG ND1 CD2=HD2 CE1=HE1 NE2=HE2"},
    {ACID, "HIS", "HID", "HSD", 0, BACKBONE BETA "CG ND1=HD1 CD2=HD2 CE1=HE1 NE2"},
    {ACID, "HIS", "HIP", "HSP", 1, BACKBONE BETA "CG ND1=HD1 CD2=HD2 CE1=HE1 NE2=HE2"},
    {ACID, "HYP", "HYP", NULL, 0, "CA:HA C O CB:HB2,HB3 CG:HG OD1:HD1 CD:HD22,HD23 N"},
    {ACID, "ILE", "ILE", NULL, 0, BACKBONE "CB:HB CG1:HG12,HG13 CG2:HG21,HG22,HG23 CD1:HD11,HD12,HD13"},
    {ACID, "LEU", "LEU", NULL, 0, BACKBONE BETA "CG:HG CD1:HD11,HD12,HD13 CD2:HD21,HD22,HD23"},
    {ACID, "LYS", "LYS", NULL, 1, BACKBONE BETA GAMMA "CD:HD2,HD3 CE:HE2,HE3 NZ:HZ1,HZ2,HZ3"},
    {ACID, "LYS", "LYN", "LSN", 0, BACKBONE BETA GAMMA "CD:HD2,HD3 CE:HE2,HE3 NZ:HZ2,HZ3"},
    {ACID, "MET", "MET", NULL, 0, BACKBONE BETA GAMMA "SD CE:HE1,HE2,HE3"},
    {ACID, "MSE", "MSE", NULL, 0, BACKBONE BETA GAMMA "SE CE:HE1,HE2,HE3"},
    {ACID, "PHE", "PHE", NULL, 0, BACKBONE BETA RING "CZ=HZ"},
    {ACID, "PRO", "PRO", NULL, 0, "CA:HA C O " BETA GAMMA "CD:HD2,HD3 N"},
    {ACID, "PTR", "PTR", NULL, -2, BACKBONE BETA RING "CZ OH P O1P O2P O3P"},
    {ACID, "PTR", "Y1P", NULL, -1, BACKBONE BETA RING "CZ OH P O1P:H1P O2P O3P"},
    {ACID, "SEP", "SEP", NULL, -2, BACKBONE BETA "OG P O1P O2P O3P"},
    {ACID, "SEP", "S1P", NULL, -1, BACKBONE BETA "OG P O1P:H1P O2P O3P"},
    {ACID, "SER", "SER", NULL, 0, BACKBONE BETA "OG:HG"},
    {ACID, "THR", "THR", NULL, 0, BACKBONE "CB:HB OG1:HG1 CG2:HG21,HG22,HG23"},
    {ACID, "TPO", "TPO", NULL, -2, BACKBONE "CB:HB OG1 P O1P O2P O3P CG2:HG21,HG22,HG23"},
    {ACID, "TPO", "T1P", NULL, -1, BACKBONE "CB:HB OG1 P O1P:H1P O2P O3P CG2:HG21,HG22,HG23"},
    {ACID, "TRP", "TRP", NULL, 0, BACKBONE BETA "CG CD1=HD1 CD2 NE1=HE1 CE2 CE3=HE3 CZ2=HZ2 CZ3=HZ3 CH2=HH2"},
    {ACID, "TYR", "TYR", NULL, 0, BACKBONE BETA RING "CZ OH=HH"},
    {ACID, "TYR", "TYM", NULL, -1, BACKBONE BETA RING "CZ OH"},
    {ACID, "VAL", "VAL", NULL, 0, BACKBONE "CB:HB CG1:HG11,HG12,HG13 CG2:HG21,HG22,HG23"},
    {DEBYE_FORM_CAP, "ACE", "ACE", NULL, 0, "CH3:H1,H2,H3 C O"},
    {DEBYE_FORM_CAP, "NME", "NME", "CT3", 0, "N=H CH3:HH31,HH32,HH33"},
    {DEBYE_FORM_CAP, "NH2", "NHE", "CT2", 0, "N=HN1,HN2"},
    {DEBYE_FORM_LONE, "HEM", "HEM", "HEME", -2, HEME},
    {DEBYE_FORM_RIBOSE, "A", "A", "ADE", -1, RIBOSE ADENINE},
    {DEBYE_FORM_RIBOSE, "C", "C", "CYT", -1, RIBOSE CYTOSINE},
    {DEBYE_FORM_RIBOSE, "G", "G", "GUA", -1, RIBOSE GUANINE},
    {DEBYE_FORM_RIBOSE, "U", "U", "URA", -1, RIBOSE URACIL},
    {DEBYE_FORM_DEOXYRIBOSE, "A", "DA", "DADE", -1, DEOXYRIBOSE ADENINE},
    {DEBYE_FORM_DEOXYRIBOSE, "C", "DC", "DCYT", -1, DEOXYRIBOSE CYTOSINE},
    {DEBYE_FORM_DEOXYRIBOSE, "G", "DG", "DGUA", -1, DEOXYRIBOSE GUANINE},
    {DEBYE_FORM_DEOXYRIBOSE, "T", "DT", "DTHY", -1, DEOXYRIBOSE THYMINE},
    {0},
};

/* Residues' names in files that state a form, beside the names of the table. */
static const struct {
  const char *form, *names; /* between blanks */
} stated_names[] = {
    {"ASH", " ASPH ASPP "},
    {"GLH", " GLUH GLUP "},
    {"CYX", " CYS2 "},
    {"CYM", " CYSM "},
    {"HID", " HSD HISD "},
    {"HIE", " HSE HISE "},
    {"HIP", " HSP HISH "},
    {"LYN", " LYSN LSN "},
    {"NME", " NMA NAC "},
    {"A", " RA RA3 RA5 RAN A3 A5 AN "},
    {"C", " RC RC3 RC5 RCN C3 C5 CN "},
    {"G", " RG RG3 RG5 RGN G3 G5 GN "},
    {"U", " RU RU3 RU5 RUN U3 U5 UN "},
    {"DA", " DA3 DA5 DAN "},
    {"DC", " DC3 DC5 DCN "},
    {"DG", " DG3 DG5 DGN "},
    {"DT", " T DT3 DT5 DTN THY "},
};

/* Nucleotides whose names tell no sugar. */
static const struct {
  const char *form, *name;
} older_names[] = {{"A", "ADE"}, {"C", "CYT"}, {"G", "GUA"}, {"U", "URA"}};

static const DebyeResidueForm *
find_named(const char *name)
{
  for (const DebyeResidueForm *form = debye_residue_forms; form->family != NULL; form++)
    if (strcmp(form->name, name) == 0)
      return form;
  return NULL;
}

static const DebyeResidueForm *
find_family(const char *name)
{
  for (const DebyeResidueForm *form = debye_residue_forms; form->family != NULL; form++)
    if (strcmp(form->family, name) == 0)
      return form;
  return NULL;
}

static const DebyeResidueForm *
find_stated(const char *name)
{
  g_autofree char *word = g_strdup_printf(" %s ", name);
  for (gsize k = 0; k < G_N_ELEMENTS(stated_names); k++)
    if (strstr(stated_names[k].names, word) != NULL)
      return find_named(stated_names[k].form);
  return NULL;
}

static const DebyeResidueForm *
find_older(const char *name)
{
  for (gsize k = 0; k < G_N_ELEMENTS(older_names); k++)
    if (strcmp(older_names[k].name, name) == 0)
      return find_named(older_names[k].form);
  return NULL;
}

const DebyeResidueForm *
debye_residue_form_find(const char *name, gboolean *is_stated)
{
  const DebyeResidueForm *form = find_family(name);
  *is_stated = FALSE;
  /* ASP is the name of a family and of a form: of a file it says no more than that it is aspartate or its acid. */
  if (form != NULL || (form = find_older(name)) != NULL)
    return form;
  *is_stated = TRUE;
  if ((form = find_named(name)) != NULL || (form = find_stated(name)) != NULL)
    return form;
  /* AMBER's NALA and CALA. */
  if (strlen(name) == 4 && (name[0] == 'N' || name[0] == 'C'))
    return debye_residue_form_find(name + 1, is_stated);
  return NULL;
}

const DebyeResidueForm *
debye_residue_form_find_state(const DebyeResidueForm *form, const char *name)
{
  for (const DebyeResidueForm *other = debye_residue_forms; other->family != NULL; other++)
    if (other->kind == form->kind && strcmp(other->family, form->family) == 0 &&
        (strcmp(other->name, name) == 0 || g_strcmp0(other->charmm, name) == 0))
      return other;
  return NULL;
}

const DebyeResidueForm *
debye_residue_form_with_sugar(const DebyeResidueForm *form, DebyeFormKind sugar)
{
  for (const DebyeResidueForm *other = debye_residue_forms; other->family != NULL; other++)
    if (other->kind == sugar && strcmp(other->family, form->family) == 0)
      return other;
  return NULL;
}

gboolean
debye_residue_form_is_nucleotide(const DebyeResidueForm *form)
{
  return form->kind == DEBYE_FORM_RIBOSE || form->kind == DEBYE_FORM_DEOXYRIBOSE;
}

/* --- Atoms --- */

static const char *
copy_word(const char *text, char word[DEBYE_FORM_NAME_SIZE])
{
  const gsize length = strcspn(text, " :=,");
  g_assert(length < DEBYE_FORM_NAME_SIZE);
  memcpy(word, text, length);
  word[length] = '\0';
  return text + length;
}

guint
debye_residue_form_parse(const DebyeResidueForm *form, DebyeFormAtom atoms[DEBYE_FORM_ATOMS])
{
  guint n = 0;
  for (const char *text = form->atoms; *text != '\0'; text += strspn(text, " ")) {
    g_assert(n < DEBYE_FORM_ATOMS);
    DebyeFormAtom *atom = &atoms[n++];
    *atom = (DebyeFormAtom){0};
    text = copy_word(text, atom->name);
    atom->is_planar = *text == '=';
    while (*text != ' ' && *text != '\0') {
      g_assert(atom->n_hydrogens < DEBYE_FORM_HYDROGENS);
      text = copy_word(text + 1, atom->hydrogens[atom->n_hydrogens++]);
    }
  }
  return n;
}

/* Within a family where only that one has them. */
static const struct {
  const char *family, *in_file, *name;
} atom_names[] = {
    {NULL, "OT1", "O"},    {NULL, "OC1", "O"},   {NULL, "OT2", "OXT"}, {NULL, "OC2", "OXT"},
    {"ILE", "CD", "CD1"},  {NULL, "O1P", "OP1"}, {NULL, "O2P", "OP2"}, {"T", "C5M", "C7"},
    {"ACE", "CAY", "CH3"}, {"ACE", "CY", "C"},   {"ACE", "OY", "O"},   {"NME", "NT", "N"},
    {"NME", "CAT", "CH3"}, {"NME", "C", "CH3"},
};

void
debye_residue_form_normalise(const DebyeResidueForm *form, const char *in_file,
                             char name[DEBYE_FORM_NAME_SIZE])
{
  g_strlcpy(name, strlen(in_file) < DEBYE_FORM_NAME_SIZE ? in_file : "", DEBYE_FORM_NAME_SIZE);
  for (char *letter = name; *letter != '\0'; letter++)
    *letter = *letter == '*' ? '\'' : g_ascii_toupper(*letter);
  /* Of phosphorylated amino acids O1P is the name. */
  if (!debye_residue_form_is_nucleotide(form) && g_str_has_suffix(name, "P") && strlen(name) == 3)
    return;
  for (gsize k = 0; k < G_N_ELEMENTS(atom_names); k++)
    if (strcmp(atom_names[k].in_file, name) == 0 &&
        (atom_names[k].family == NULL || strcmp(atom_names[k].family, form->family) == 0)) {
      g_strlcpy(name, atom_names[k].name, DEBYE_FORM_NAME_SIZE);
      return;
    }
}

/* --- Charges --- */

static char *
name_in_amber(const DebyeResidueForm *form, DebyeFormEnd start, DebyeFormEnd end)
{
  if (debye_residue_form_is_nucleotide(form))
    return g_strconcat(form->name, start && end ? "N" : start ? "5" : end ? "3" : "", NULL);
  if (start == DEBYE_END_NEUTRAL || end == DEBYE_END_NEUTRAL)
    return g_strdup("");
  return g_strconcat(start ? "N" : end ? "C" : "", form->name, NULL);
}

static char *
name_in_charmm(const DebyeResidueForm *form, DebyeFormEnd start, DebyeFormEnd end)
{
  static const char *const starts[] = {"", " NTER", " NNEU"}, *const ends[] = {"", " CTER", " CNEU"};
  const char *name = form->charmm != NULL ? form->charmm : form->name;
  if (debye_residue_form_is_nucleotide(form))
    return g_strconcat(name, start ? " 5TER" : "", end ? " 3TER" : "", NULL);
  return g_strconcat(name, starts[start], ends[end], NULL);
}

/* As make_parse_tables.py calls them. */
static char *
name_in_parse(const DebyeResidueForm *form, DebyeFormEnd start, DebyeFormEnd end)
{
  const DebyeResidueForm of_amber = {.kind = form->kind, .name = form->name};
  return debye_residue_form_is_nucleotide(form) ? name_in_amber(&of_amber, start, end)
                                                : name_in_charmm(&of_amber, start, end);
}

const DebyeResidueForm *
debye_residue_form_get_lender(const DebyeResidueForm *form)
{
  return strcmp(form->family, "MSE") == 0 ? find_named("MET") : form;
}

const DebyeChargeRow *
debye_residue_form_find_row(const DebyeResidueForm *form, DebyeChargeTable table, DebyeFormEnd start,
                            DebyeFormEnd end, gboolean of_radii)
{
  static const struct {
    const DebyeChargeRow *rows, *radii;
    char *(*make_name)(const DebyeResidueForm *form, DebyeFormEnd start, DebyeFormEnd end);
  } tables[] = {
      [DEBYE_CHARGE_TABLE_AMBER] = {debye_charge_rows_amber, debye_radius_rows_amber, name_in_amber},
      [DEBYE_CHARGE_TABLE_CHARMM] = {debye_charge_rows_charmm, debye_radius_rows_charmm, name_in_charmm},
      [DEBYE_CHARGE_TABLE_PARSE] = {debye_charge_rows_parse, debye_radius_rows_parse, name_in_parse},
  };
  /* No table has an amino acid alone. */
  if (start && end && !debye_residue_form_is_nucleotide(form))
    return NULL;
  g_autofree char *name = tables[table].make_name(debye_residue_form_get_lender(form), start, end);
  for (const DebyeChargeRow *row = of_radii ? tables[table].radii : tables[table].rows; row->family != NULL;
       row++)
    if (strcmp(row->name, name) == 0)
      return row;
  return NULL;
}

gboolean
debye_residue_form_is_charged(const DebyeResidueForm *form, DebyeChargeTable table, DebyeFormEnd start,
                              DebyeFormEnd end)
{
  return debye_residue_form_find_row(form, table, start, end, FALSE) != NULL;
}
