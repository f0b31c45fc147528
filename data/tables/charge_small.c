/* SPDX-License-Identifier: MIT */
/* Charges of water models and ions, from the publications named in the table; used by table_charges.c. */
#include "charge_small.h"

#include <string.h>

#include "elements.h"

/* The names, between blanks, that tell the model; NULL: the first of its number of sites for the others. */
static const struct {
  const char *names;
  DebyeWaterModel model;
} models[] = {
    {NULL, {"TIP3P (Jorgensen et al. 1983)", -0.834, 0.417, 0.0, 0}},
    {NULL, {"TIP4P (Jorgensen et al. 1983)", 0.0, 0.52, -1.04, 1}},
    {NULL, {"TIP5P (Mahoney and Jorgensen 2000)", 0.0, 0.241, -0.241, 2}},
    {" SPC ", {"SPC (Berendsen et al. 1981)", -0.82, 0.41, 0.0, 0}},
    {" SPCE SPC/E ", {"SPC/E (Berendsen et al. 1987)", -0.8476, 0.4238, 0.0, 0}},
    {" OPC3 O3P ", {"OPC3 (Izadi and Onufriev 2016)", -0.89517, 0.447585, 0.0, 0}},
    {" OPC ", {"OPC (Izadi et al. 2014)", 0.0, 0.679142, -1.358284, 1}},
    {" T4E T4EW T4PE TP4E ", {"TIP4P-Ew (Horn et al. 2004)", 0.0, 0.52422, -1.04844, 1}},
};

/* Names between blanks, compared with capitals and without a sign and its number at the end. */
static const struct {
  int charge;
  const char *names;
} ions[] = {
    {1, " LI LIT NA SOD K POT RB RUB CS CES AG TL CU1 "},
    {-1, " F CL CLA BR I IOD "},
    {2, " MG CA CAL SR BA BAR ZN ZN2 MN CO NI CU FE2 CD CD2 HG PB MG2 CA2 CU2 "},
    {3, " AL FE FE3 CR LA CE3 EU3 GD3 TB LU YB SM3 Y MN3 3CO GA IN "},
};

typedef struct {
  const char *symbol;
  int charge;
  double radius; /* Å */
} IonRadius;

/* Half of the minimum distance of the Lennard-Jones energy in TIP3P water, Å: charges of 1 from Joung and Cheatham, J.
 * Phys. Chem. B 112, 9020 (2008), of 2 from Li et al., J. Chem. Theory Comput. 9, 2733 (2013), of 3 and 4 from Li et al.,
 * J. Phys. Chem. B 119, 883 (2015); as AmberTools has them. */
static const IonRadius radii_amber[] = {
    {"Ag", 2, 1.336}, {"Al", 3, 1.369}, {"Ba", 2, 2.019}, {"Be", 2, 0.956}, {"Br", -1, 2.608},
    {"Ca", 2, 1.649}, {"Cd", 2, 1.412}, {"Ce", 3, 1.782}, {"Ce", 4, 1.766}, {"Cl", -1, 2.513},
    {"Co", 2, 1.299}, {"Cr", 2, 1.346}, {"Cr", 3, 1.415}, {"Cs", 1, 1.976}, {"Cu", 2, 1.218},
    {"Dy", 3, 1.637}, {"Er", 3, 1.635}, {"Eu", 2, 1.802}, {"Eu", 3, 1.716}, {"F", -1, 2.303},
    {"Fe", 2, 1.353}, {"Fe", 3, 1.443}, {"Gd", 3, 1.658}, {"Hf", 4, 1.600}, {"Hg", 2, 1.407},
    {"I", -1, 2.860}, {"In", 3, 1.491}, {"K", 1, 1.705},  {"La", 3, 1.758}, {"Li", 1, 1.025},
    {"Lu", 3, 1.625}, {"Mg", 2, 1.360}, {"Mn", 2, 1.407}, {"Na", 1, 1.369}, {"Nd", 3, 1.724},
    {"Ni", 2, 1.255}, {"Pb", 2, 1.745}, {"Pd", 2, 1.303}, {"Pr", 3, 1.780}, {"Pt", 2, 1.266},
    {"Pu", 4, 1.752}, {"Ra", 2, 2.019}, {"Rb", 1, 1.813}, {"Sm", 2, 1.819}, {"Sm", 3, 1.711},
    {"Sn", 2, 1.666}, {"Sr", 2, 1.810}, {"Tb", 3, 1.671}, {"Th", 4, 1.770}, {"Tl", 3, 1.571},
    {"Tm", 3, 1.647}, {"U", 4, 1.792},  {"V", 2, 1.364},  {"Y", 3, 1.630},  {"Yb", 2, 1.642},
    {"Zn", 2, 1.271}, {"Zr", 4, 1.609},
};

/* Of toppar_water_ions.str: Beglov and Roux, J. Chem. Phys. 100, 9050 (1994), and those who followed. */
static const IonRadius radii_charmm[] = {
    {"Ba", 2, 1.89},   {"Ca", 2, 1.367}, {"Cd", 2, 1.357},  {"Cl", -1, 2.27},
    {"Cs", 1, 2.1},    {"K", 1, 1.7638}, {"Li", 1, 1.2975}, {"Mg", 2, 1.185},
    {"Na", 1, 1.4108}, {"Rb", 1, 1.9},   {"Zn", 2, 1.09},
};

static gboolean
is_listed(const char *names, const char *name)
{
  g_autofree char *word = g_strdup_printf(" %s ", name);
  return names != NULL && strstr(names, word) != NULL;
}

const DebyeWaterModel *
debye_water_model_find(const char *name, const guint8 *elements, gsize n_atoms)
{
  gsize counts[3] = {0};
  for (gsize i = 0; i < n_atoms; i++)
    if (elements[i] == 8 || elements[i] == 1 || elements[i] == 0)
      counts[elements[i] == 8 ? 0 : elements[i] == 1 ? 1 : 2]++;
  if (counts[0] != 1 || counts[1] != 2 || counts[2] != n_atoms - 3)
    return NULL;
  const DebyeWaterModel *found = NULL;
  for (gsize k = 0; k < G_N_ELEMENTS(models); k++)
    if (models[k].model.n_sites == counts[2] && (models[k].names == NULL || is_listed(models[k].names, name)))
      found = &models[k].model;
  return found;
}

/* "Na+", "NA1+", "MG2+", "CL-" and "ZN+2" are the element and its charge. */
static int
parse_signed(const char *name, gsize *length)
{
  gsize n = strcspn(name, "+-");
  int sign = name[n] == '+' ? 1 : -1;
  if (name[n] == '\0' || n == 0)
    return 0;
  int number = g_ascii_isdigit(name[n - 1]) ? name[n - 1] - '0' : g_ascii_digit_value(name[n + 1]);
  *length = g_ascii_isdigit(name[n - 1]) ? n - 1 : n;
  /* "Mg+" stands for what magnesium has. */
  return number > 0 ? sign * number : 0;
}

int
debye_ion_charge(const char *name, guint8 element)
{
  gsize length = strcspn(name, "+-");
  int charge = element > 0 ? parse_signed(name, &length) : 0;
  g_autofree char *capitals = g_ascii_strup(name, (gssize)length);
  if (charge != 0 && debye_element_from_symbol(capitals, -1) == element)
    return charge;
  for (gsize k = 0; k < G_N_ELEMENTS(ions) && length > 0; k++)
    if (is_listed(ions[k].names, capitals))
      return ions[k].charge;
  return 0;
}

static double
find_radius(const IonRadius *rows, gsize n_rows, guint8 element, int charge)
{
  for (gsize k = 0; k < n_rows; k++)
    if (rows[k].charge == charge && debye_element_from_symbol(rows[k].symbol, -1) == element)
      return rows[k].radius;
  return 0.0;
}

double
debye_ion_radius_amber(guint8 element, int charge)
{
  return find_radius(radii_amber, G_N_ELEMENTS(radii_amber), element, charge);
}

double
debye_ion_radius_charmm(guint8 element, int charge)
{
  return find_radius(radii_charmm, G_N_ELEMENTS(radii_charmm), element, charge);
}
