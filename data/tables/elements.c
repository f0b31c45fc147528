/* SPDX-License-Identifier: MIT */
/* The periodic table's numbers. Sources:
 * masses: conventional standard atomic weights, IUPAC 2021 (Prohaska et al., Pure Appl. Chem. 94, 573); the
 * mass of the longest-lived isotope where an element has none; covalent radii: Cordero et al., Dalton Trans.
 * 2008, 2832 (up to Cm; Cm's for those after it); van der Waals radii: see DebyeRadiusSet; colours: Jmol's
 * scheme (up to Mt; Mt's for those after it). */
#include "elements.h"

#include <math.h>
#include <string.h>

static const DebyeElement elements[DEBYE_N_ELEMENTS] = {
    [0] = {"X", "unknown", 0.0, 0.70F, 1.50F, 0xFF1493},
    [1] = {"H", "hydrogen", 1.008, 0.31F, 1.10F, 0xFFFFFF},
    [2] = {"He", "helium", 4.002602, 0.28F, 1.40F, 0xD9FFFF},
    [3] = {"Li", "lithium", 6.94, 1.28F, 1.81F, 0xCC80FF},
    [4] = {"Be", "beryllium", 9.0121831, 0.96F, 1.53F, 0xC2FF00},
    [5] = {"B", "boron", 10.81, 0.84F, 1.92F, 0xFFB5B5},
    [6] = {"C", "carbon", 12.011, 0.76F, 1.70F, 0x909090},
    [7] = {"N", "nitrogen", 14.007, 0.71F, 1.55F, 0x3050F8},
    [8] = {"O", "oxygen", 15.999, 0.66F, 1.52F, 0xFF0D0D},
    [9] = {"F", "fluorine", 18.998403162, 0.57F, 1.47F, 0x90E050},
    [10] = {"Ne", "neon", 20.1797, 0.58F, 1.54F, 0xB3E3F5},
    [11] = {"Na", "sodium", 22.98976928, 1.66F, 2.27F, 0xAB5CF2},
    [12] = {"Mg", "magnesium", 24.305, 1.41F, 1.73F, 0x8AFF00},
    [13] = {"Al", "aluminium", 26.9815384, 1.21F, 1.84F, 0xBFA6A6},
    [14] = {"Si", "silicon", 28.085, 1.11F, 2.10F, 0xF0C8A0},
    [15] = {"P", "phosphorus", 30.973761998, 1.07F, 1.80F, 0xFF8000},
    [16] = {"S", "sulfur", 32.06, 1.05F, 1.80F, 0xFFFF30},
    [17] = {"Cl", "chlorine", 35.45, 1.02F, 1.75F, 0x1FF01F},
    [18] = {"Ar", "argon", 39.95, 1.06F, 1.88F, 0x80D1E3},
    [19] = {"K", "potassium", 39.0983, 2.03F, 2.75F, 0x8F40D4},
    [20] = {"Ca", "calcium", 40.078, 1.76F, 2.31F, 0x3DFF00},
    [21] = {"Sc", "scandium", 44.955907, 1.70F, 2.58F, 0xE6E6E6},
    [22] = {"Ti", "titanium", 47.867, 1.60F, 2.46F, 0xBFC2C7},
    [23] = {"V", "vanadium", 50.9415, 1.53F, 2.42F, 0xA6A6AB},
    [24] = {"Cr", "chromium", 51.9961, 1.39F, 2.45F, 0x8A99C7},
    [25] = {"Mn", "manganese", 54.938043, 1.39F, 2.45F, 0x9C7AC7},
    [26] = {"Fe", "iron", 55.845, 1.32F, 2.44F, 0xE06633},
    [27] = {"Co", "cobalt", 58.933194, 1.26F, 2.40F, 0xF090A0},
    [28] = {"Ni", "nickel", 58.6934, 1.24F, 2.40F, 0x50D050},
    [29] = {"Cu", "copper", 63.546, 1.32F, 2.38F, 0xC88033},
    [30] = {"Zn", "zinc", 65.38, 1.22F, 2.39F, 0x7D80B0},
    [31] = {"Ga", "gallium", 69.723, 1.22F, 1.87F, 0xC28F8F},
    [32] = {"Ge", "germanium", 72.63, 1.20F, 2.11F, 0x668F8F},
    [33] = {"As", "arsenic", 74.921595, 1.19F, 1.85F, 0xBD80E3},
    [34] = {"Se", "selenium", 78.971, 1.20F, 1.90F, 0xFFA100},
    [35] = {"Br", "bromine", 79.904, 1.20F, 1.83F, 0xA62929},
    [36] = {"Kr", "krypton", 83.798, 1.16F, 2.02F, 0x5CB8D1},
    [37] = {"Rb", "rubidium", 85.4678, 2.20F, 3.03F, 0x702EB0},
    [38] = {"Sr", "strontium", 87.62, 1.95F, 2.49F, 0x00FF00},
    [39] = {"Y", "yttrium", 88.905838, 1.90F, 2.75F, 0x94FFFF},
    [40] = {"Zr", "zirconium", 91.224, 1.75F, 2.52F, 0x94E0E0},
    [41] = {"Nb", "niobium", 92.90637, 1.64F, 2.56F, 0x73C2C9},
    [42] = {"Mo", "molybdenum", 95.95, 1.54F, 2.45F, 0x54B5B5},
    [43] = {"Tc", "technetium", 97.90721, 1.47F, 2.44F, 0x3B9E9E},
    [44] = {"Ru", "ruthenium", 101.07, 1.46F, 2.46F, 0x248F8F},
    [45] = {"Rh", "rhodium", 102.90549, 1.42F, 2.44F, 0x0A7D8C},
    [46] = {"Pd", "palladium", 106.42, 1.39F, 2.15F, 0x006985},
    [47] = {"Ag", "silver", 107.8682, 1.45F, 2.53F, 0xC0C0C0},
    [48] = {"Cd", "cadmium", 112.414, 1.44F, 2.49F, 0xFFD98F},
    [49] = {"In", "indium", 114.818, 1.42F, 1.93F, 0xA67573},
    [50] = {"Sn", "tin", 118.71, 1.39F, 2.17F, 0x668080},
    [51] = {"Sb", "antimony", 121.76, 1.39F, 2.06F, 0x9E63B5},
    [52] = {"Te", "tellurium", 127.6, 1.38F, 2.06F, 0xD47A00},
    [53] = {"I", "iodine", 126.90447, 1.39F, 1.98F, 0x940094},
    [54] = {"Xe", "xenon", 131.293, 1.40F, 2.16F, 0x429EB0},
    [55] = {"Cs", "caesium", 132.90545196, 2.44F, 3.43F, 0x57178F},
    [56] = {"Ba", "barium", 137.327, 2.15F, 2.68F, 0x00C900},
    [57] = {"La", "lanthanum", 138.90547, 2.07F, 2.98F, 0x70D4FF},
    [58] = {"Ce", "cerium", 140.116, 2.04F, 2.88F, 0xFFFFC7},
    [59] = {"Pr", "praseodymium", 140.90766, 2.03F, 2.92F, 0xD9FFC7},
    [60] = {"Nd", "neodymium", 144.242, 2.01F, 2.95F, 0xC7FFC7},
    [61] = {"Pm", "promethium", 144.91276, 1.99F, 2.00F, 0xA3FFC7},
    [62] = {"Sm", "samarium", 150.36, 1.98F, 2.90F, 0x8FFFC7},
    [63] = {"Eu", "europium", 151.964, 1.98F, 2.87F, 0x61FFC7},
    [64] = {"Gd", "gadolinium", 157.25, 1.96F, 2.83F, 0x45FFC7},
    [65] = {"Tb", "terbium", 158.925354, 1.94F, 2.79F, 0x30FFC7},
    [66] = {"Dy", "dysprosium", 162.5, 1.92F, 2.87F, 0x1FFFC7},
    [67] = {"Ho", "holmium", 164.930329, 1.92F, 2.81F, 0x00FF9C},
    [68] = {"Er", "erbium", 167.259, 1.89F, 2.83F, 0x00E675},
    [69] = {"Tm", "thulium", 168.934219, 1.90F, 2.79F, 0x00D452},
    [70] = {"Yb", "ytterbium", 173.045, 1.87F, 2.80F, 0x00BF38},
    [71] = {"Lu", "lutetium", 174.9668, 1.87F, 2.74F, 0x00AB24},
    [72] = {"Hf", "hafnium", 178.486, 1.75F, 2.63F, 0x4DC2FF},
    [73] = {"Ta", "tantalum", 180.94788, 1.70F, 2.53F, 0x4DA6FF},
    [74] = {"W", "tungsten", 183.84, 1.62F, 2.57F, 0x2194D6},
    [75] = {"Re", "rhenium", 186.207, 1.51F, 2.49F, 0x267DAB},
    [76] = {"Os", "osmium", 190.23, 1.44F, 2.48F, 0x266696},
    [77] = {"Ir", "iridium", 192.217, 1.41F, 2.41F, 0x175487},
    [78] = {"Pt", "platinum", 195.084, 1.36F, 2.29F, 0xD0D0E0},
    [79] = {"Au", "gold", 196.96657, 1.36F, 2.32F, 0xFFD123},
    [80] = {"Hg", "mercury", 200.592, 1.32F, 2.45F, 0xB8B8D0},
    [81] = {"Tl", "thallium", 204.38, 1.45F, 1.96F, 0xA6544D},
    [82] = {"Pb", "lead", 207.2, 1.46F, 2.02F, 0x575961},
    [83] = {"Bi", "bismuth", 208.9804, 1.48F, 2.07F, 0x9E4FB5},
    [84] = {"Po", "polonium", 208.98243, 1.40F, 1.97F, 0xAB5C00},
    [85] = {"At", "astatine", 209.98715, 1.50F, 2.02F, 0x754F45},
    [86] = {"Rn", "radon", 222.01758, 1.50F, 2.20F, 0x428296},
    [87] = {"Fr", "francium", 223.01974, 2.60F, 3.48F, 0x420066},
    [88] = {"Ra", "radium", 226.02541, 2.21F, 2.83F, 0x007D00},
    [89] = {"Ac", "actinium", 227.02775, 2.15F, 2.80F, 0x70ABFA},
    [90] = {"Th", "thorium", 232.0377, 2.06F, 2.93F, 0x00BAFF},
    [91] = {"Pa", "protactinium", 231.03588, 2.00F, 2.88F, 0x00A1FF},
    [92] = {"U", "uranium", 238.02891, 1.96F, 2.71F, 0x008FFF},
    [93] = {"Np", "neptunium", 237.04817, 1.90F, 2.82F, 0x0080FF},
    [94] = {"Pu", "plutonium", 244.06421, 1.87F, 2.81F, 0x006BFF},
    [95] = {"Am", "americium", 243.06138, 1.80F, 2.83F, 0x545CF2},
    [96] = {"Cm", "curium", 247.07035, 1.69F, 3.05F, 0x785CE3},
    [97] = {"Bk", "berkelium", 247.07031, 1.69F, 3.40F, 0x8A4FE3},
    [98] = {"Cf", "californium", 251.07959, 1.69F, 3.05F, 0xA136D4},
    [99] = {"Es", "einsteinium", 252.083, 1.69F, 2.70F, 0xB31FD4},
    [100] = {"Fm", "fermium", 257.09511, 1.69F, 2.00F, 0xB31FBA},
    [101] = {"Md", "mendelevium", 258.09843, 1.69F, 2.00F, 0xB30DA6},
    [102] = {"No", "nobelium", 259.101, 1.69F, 2.00F, 0xBD0D87},
    [103] = {"Lr", "lawrencium", 262.11, 1.69F, 2.00F, 0xC70066},
    [104] = {"Rf", "rutherfordium", 267.122, 1.69F, 2.00F, 0xCC0059},
    [105] = {"Db", "dubnium", 268.126, 1.69F, 2.00F, 0xD1004F},
    [106] = {"Sg", "seaborgium", 271.134, 1.69F, 2.00F, 0xD90045},
    [107] = {"Bh", "bohrium", 270.133, 1.69F, 2.00F, 0xE00038},
    [108] = {"Hs", "hassium", 269.1338, 1.69F, 2.00F, 0xE6002E},
    [109] = {"Mt", "meitnerium", 278.156, 1.69F, 2.00F, 0xEB0026},
    [110] = {"Ds", "darmstadtium", 281.165, 1.69F, 2.00F, 0xEB0026},
    [111] = {"Rg", "roentgenium", 281.166, 1.69F, 2.00F, 0xEB0026},
    [112] = {"Cn", "copernicium", 285.177, 1.69F, 2.00F, 0xEB0026},
    [113] = {"Nh", "nihonium", 286.182, 1.69F, 2.00F, 0xEB0026},
    [114] = {"Fl", "flerovium", 289.19, 1.69F, 2.00F, 0xEB0026},
    [115] = {"Mc", "moscovium", 289.194, 1.69F, 2.00F, 0xEB0026},
    [116] = {"Lv", "livermorium", 293.204, 1.69F, 2.00F, 0xEB0026},
    [117] = {"Ts", "tennessine", 293.208, 1.69F, 2.00F, 0xEB0026},
    [118] = {"Og", "oganesson", 294.214, 1.69F, 2.00F, 0xEB0026},
};

/* Where Bondi's radii are others than Mantina's; 0 elsewhere. */
static const float bondi_radii[DEBYE_N_ELEMENTS] = {
    [1] = 1.20F,  [3] = 1.82F,  [28] = 1.63F, [29] = 1.40F, [30] = 1.39F, [35] = 1.85F, [46] = 1.63F,
    [47] = 1.72F, [48] = 1.58F, [78] = 1.75F, [79] = 1.66F, [80] = 1.55F, [92] = 1.86F,
};

const DebyeElement *
debye_element_get(guint8 atomic_number)
{
  return &elements[atomic_number < DEBYE_N_ELEMENTS ? atomic_number : 0];
}

float
debye_element_get_radius(guint8 atomic_number, DebyeRadiusSet set)
{
  const guint8 number = atomic_number < DEBYE_N_ELEMENTS ? atomic_number : 0;
  const gboolean is_bondi = set == DEBYE_RADII_BONDI && bondi_radii[number] > 0.0F;
  return is_bondi ? bondi_radii[number] : elements[number].mantina_radius;
}

guint8
debye_element_from_symbol(const char *text, gssize length)
{
  if (text == NULL)
    return 0;
  gsize n = length < 0 ? strlen(text) : (gsize)length;
  if (n < 1 || n > 2)
    return 0;
  char first = g_ascii_toupper(text[0]);
  char second = n == 2 ? g_ascii_tolower(text[1]) : '\0';
  if ((first == 'D' || first == 'T') && second == '\0')
    return 1;
  for (guint8 number = 1; number < DEBYE_N_ELEMENTS; number++)
    if (elements[number].symbol[0] == first && elements[number].symbol[1] == second)
      return number;
  return 0;
}

const char *
debye_element_get_isotope_symbol(guint8 number, double mass)
{
  if (number == 1 && fabs(mass - (double)DEBYE_DEUTERIUM_MASS) < 0.0085)
    return "D";
  return number != 0 ? debye_element_get(number)->symbol : "";
}

/* Wide enough for the rounding of force fields ("12.01", "65.37"), and narrow enough that what isn't the
 * element's mass isn't taken for it: hydrogen mass repartitioning makes a nitrogen of 11.991 u and an oxygen
 * of 13.983 u, united atoms a CH4 of 16.043 u. Then the type or the name decides. */
static double
mass_tolerance(guint8 number)
{
  if (number <= 10)
    return 0.0155;
  return number <= 54 ? 0.03 : 0.1;
}

/* Masses that belong to an element although they aren't its standard one: isotopes by their mass in u, and
 * the united atoms CH, CH2, CH3 and CH4 of 12.011 + n·1.008 u. Hydrogen alone lies between 0.9 and 3.5 u
 * (deuterium, tritium and the 1.5, 2, 3 or 3.024 u of repartitioning), and at 4.032 u, four times its mass. */
static guint8
element_from_special_mass(double mass)
{
  static const struct {
    double mass;
    guint8 number;
  } special[] = {
      {4.032, 1},  {13.003, 6}, {13.019, 6}, {14.027, 6}, {15.035, 6}, {16.043, 6},
      {15.000, 7}, {17.999, 8}, {6.015, 3},  {7.016, 3},  {10.013, 5}, {11.009, 5},
  };
  if (mass > 0.9 && mass < 3.5)
    return 1;
  for (gsize i = 0; i < G_N_ELEMENTS(special); i++)
    if (fabs(mass - special[i].mass) < 0.0085)
      return special[i].number;
  return 0;
}

guint8
debye_element_from_mass(double mass)
{
  guint8 special = element_from_special_mass(mass);
  if (special != 0)
    return special;
  guint8 nearest = 0;
  double distance = G_MAXDOUBLE;
  for (guint8 number = 1; number < DEBYE_N_ELEMENTS; number++) {
    double difference = fabs(mass - elements[number].mass);
    if (difference < distance) {
      nearest = number;
      distance = difference;
    }
  }
  return distance <= mass_tolerance(nearest) ? nearest : 0;
}
