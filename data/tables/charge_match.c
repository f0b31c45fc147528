/* SPDX-License-Identifier: MIT */
/* Matches atoms of a residue with those of a force field for table_charges.c. Heavy atoms are told by name,
 * with a few that have several. Hydrogens are told by the atom that carries them: those on CB are HB2 and
 * HB3, or HB1 and HB2, or 1HB and 2HB, but always all of them. */
#include "charge_match.h"

#include <string.h>

#define HYDROGENS_MAXIMUM 3

/* One word of a row. */
typedef struct {
  char name[DEBYE_CHARGE_NAME_SIZE];
  double charge;
  double hydrogens[HYDROGENS_MAXIMUM];
  gsize n_hydrogens;
} Heavy;

/* Names that mean the same, the first as in the rows of one of the force fields. */
static const char *const synonyms[][5] = {
    {"O", "OT1", "O1", "OC1", NULL},
    {"OXT", "OT2", "O2", "OC2", NULL},
    {"CD1", "CD", NULL},
    {"CD", "CD1", NULL},
    {"OP1", "O1P", NULL},
    {"OP2", "O2P", NULL},
    {"O1P", "OP1", NULL},
    {"O2P", "OP2", NULL},
    {"C7", "C5M", NULL},
    {"C5M", "C7", NULL},
    {"CH3", "C", "CAY", "CAT", NULL},
};

/* Hydrogens whose names don't follow their atom's. Of the two that CHARMM's RNA calls H2'' and H2', the first
 * is on the carbon. */
static const struct {
  const char *heavy, *hydrogen;
} special[] = {
    {"C2'", "H2''"}, {"O2'", "HO2'"}, {"O2'", "HO'2"}, {"O2'", "2HO'"}, {"O5'", "HO5'"},
    {"O5'", "H5T"},  {"O3'", "HO3'"}, {"O3'", "H3T"},  {"N", "HN"},
};

void
debye_charge_site_set_name(DebyeChargeSite *site, const char *name)
{
  g_strlcpy(site->name, strlen(name) < DEBYE_CHARGE_NAME_SIZE ? name : "", DEBYE_CHARGE_NAME_SIZE);
  for (char *letter = site->name; *letter != '\0'; letter++)
    *letter = *letter == '*' ? '\'' : g_ascii_toupper(*letter);
}

static DebyeChargeSite *
find_site(DebyeChargeSite *sites, gsize n_sites, const char *name, gboolean is_hydrogen)
{
  for (gsize i = 0; i < n_sites; i++)
    if (!sites[i].is_used && sites[i].is_hydrogen == is_hydrogen && strcmp(sites[i].name, name) == 0)
      return &sites[i];
  return NULL;
}

static DebyeChargeSite *
find_heavy(DebyeChargeSite *sites, gsize n_sites, const char *name)
{
  DebyeChargeSite *site = find_site(sites, n_sites, name, FALSE);
  for (gsize k = 0; k < G_N_ELEMENTS(synonyms) && site == NULL; k++)
    for (gsize j = 1; strcmp(synonyms[k][0], name) == 0 && synonyms[k][j] != NULL && site == NULL; j++)
      site = find_site(sites, n_sites, synonyms[k][j], FALSE);
  return site;
}

/* All of the names, or none is taken. */
static gboolean
take(DebyeChargeSite *sites, gsize n_sites, const Heavy *heavy, char names[][DEBYE_CHARGE_NAME_SIZE])
{
  DebyeChargeSite *found[HYDROGENS_MAXIMUM];
  for (gsize k = 0; k < heavy->n_hydrogens; k++)
    if ((found[k] = find_site(sites, n_sites, names[k], TRUE)) == NULL)
      return FALSE;
  for (gsize k = 0; k < heavy->n_hydrogens; k++) {
    found[k]->is_used = TRUE;
    found[k]->charge = heavy->hydrogens[k];
  }
  return TRUE;
}

/* The name of hydrogen k of those on one atom: HB; H, H2, H3; H5' and H5''; HB1 HB2; 1HB 2HB; HB2 HB3; 2HB
 * 3HB. */
static void
make_name(char *name, const char *stem, int k, int way)
{
  int number = k + 1 + (way - 1) / 2;
  if (way == 0 && k == 0)
    g_snprintf(name, DEBYE_CHARGE_NAME_SIZE, "H%s", stem);
  else if (way == 0 && g_str_has_suffix(stem, "'"))
    g_snprintf(name, DEBYE_CHARGE_NAME_SIZE, "H%s'", stem);
  else if (way % 2 == 0 && way > 0)
    g_snprintf(name, DEBYE_CHARGE_NAME_SIZE, "%dH%s", number, stem);
  else
    g_snprintf(name, DEBYE_CHARGE_NAME_SIZE, "H%s%d", stem, number);
}

static gboolean
take_numbered(DebyeChargeSite *sites, gsize n_sites, const Heavy *heavy, const char *stem)
{
  char names[HYDROGENS_MAXIMUM][DEBYE_CHARGE_NAME_SIZE];
  for (int way = 0; way < 5; way++) {
    for (gsize k = 0; k < heavy->n_hydrogens; k++)
      make_name(names[k], stem, (int)k, way);
    if (take(sites, n_sites, heavy, names))
      return TRUE;
  }
  return FALSE;
}

static gboolean
take_special(DebyeChargeSite *sites, gsize n_sites, const Heavy *heavy)
{
  char names[HYDROGENS_MAXIMUM][DEBYE_CHARGE_NAME_SIZE];
  for (gsize k = 0; k < G_N_ELEMENTS(special) && heavy->n_hydrogens == 1; k++) {
    g_strlcpy(names[0], special[k].hydrogen, DEBYE_CHARGE_NAME_SIZE);
    if (strcmp(special[k].heavy, heavy->name) == 0 && take(sites, n_sites, heavy, names))
      return TRUE;
  }
  return FALSE;
}

/* What stands behind the H: what stands behind the heavy atom's letter, in the file or in the row. */
static gboolean
take_hydrogens(DebyeChargeSite *sites, gsize n_sites, const Heavy *heavy, const char *name_in_file)
{
  const char *stems[6] = {name_in_file + 1, heavy->name + 1};
  gsize n_stems = 2;
  if (heavy->n_hydrogens == 0 || take_special(sites, n_sites, heavy))
    return TRUE;
  if (strcmp(heavy->name, "N") == 0) {
    stems[n_stems++] = "T";
    stems[n_stems++] = "N";
  } else if (strcmp(heavy->name, "CH3") == 0) {
    stems[n_stems++] = "H3"; /* HH31 of the caps */
    stems[n_stems++] = "";
    stems[n_stems++] = "Y";
    stems[n_stems++] = "T";
  } else if (strcmp(heavy->name, "CD") == 0) {
    stems[n_stems++] = "D2"; /* HD22 of hydroxyproline */
  } else if (strcmp(heavy->name, "C5M") == 0 || strcmp(heavy->name, "C7") == 0) {
    stems[n_stems++] = "5";
    stems[n_stems++] = "7";
  }
  for (gsize k = 0; k < n_stems; k++)
    if (take_numbered(sites, n_sites, heavy, stems[k]))
      return TRUE;
  return FALSE;
}

static void
parse_word(const char *word, gsize length, Heavy *heavy)
{
  g_autofree char *text = g_strndup(word, length);
  g_auto(GStrv) parts = g_strsplit(text, ":", 3);
  *heavy = (Heavy){.charge = g_ascii_strtod(parts[1], NULL)};
  g_strlcpy(heavy->name, parts[0], sizeof heavy->name);
  const char *rest = parts[2];
  while (rest != NULL && *rest != '\0' && heavy->n_hydrogens < HYDROGENS_MAXIMUM) {
    char *end;
    heavy->hydrogens[heavy->n_hydrogens++] = g_ascii_strtod(rest, &end);
    rest = *end == ',' ? end + 1 : end;
  }
}

static gboolean
match_word(const Heavy *heavy, DebyeChargeSite *sites, gsize n_sites, gsize *n_matched)
{
  DebyeChargeSite *site = find_heavy(sites, n_sites, heavy->name);
  if (site == NULL || !take_hydrogens(sites, n_sites, heavy, site->name))
    return FALSE;
  site->is_used = TRUE;
  site->charge = heavy->charge;
  *n_matched += 1 + heavy->n_hydrogens;
  return TRUE;
}

gboolean
debye_charge_match(const DebyeChargeRow *row, DebyeChargeSite *sites, gsize n_sites)
{
  gsize n_matched = 0;
  for (gsize i = 0; i < n_sites; i++)
    sites[i].is_used = FALSE;
  for (const char *word = row->atoms; *word != '\0';) {
    Heavy heavy;
    gsize length = strcspn(word, " ");
    parse_word(word, length, &heavy);
    if (!match_word(&heavy, sites, n_sites, &n_matched))
      return FALSE;
    word += length + strspn(word + length, " ");
  }
  return n_matched == n_sites;
}
