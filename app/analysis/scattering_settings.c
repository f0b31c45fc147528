/* SPDX-License-Identifier: MIT */
/* The settings table of scattering: form, options, attributes and "Copy as command" come from here. */
#include "scattering_settings.h"

#include "common_settings.h"

static const DebyeChoice probes[] = {
    {"neutron", "Neutrons", "bound scattering lengths of nuclei, isotope by isotope"},
    {"xray", "X-rays", "form factors of the electrons, elastic, without dispersion"},
    {NULL, NULL, NULL},
};

static const DebyeChoice kinds[] = {
    {"coherent", "Coherent", "interference between all atoms: structure and collective motion"},
    {"incoherent", "Incoherent", "each atom with itself: single-particle motion; neutrons only"},
    {"total", "Both", "what an instrument without polarisation analysis counts"},
    {NULL, NULL, NULL},
};

static const DebyeChoice signals[] = {
    {"autocorrelate", "Correlation in time", "⟨a*(t) a(t + τ)⟩ over all t"},
    {"square", "Squared modulus", "|a(t)|² of each frame"},
    {"plain", "Amplitude", "a(t) of each frame"},
    {NULL, NULL, NULL},
};

static const DebyeChoice norms[] = {
    {"atom", "Per atom", "divided by the number of atoms that scatter"},
    {"raw", "None", "the sum itself: fm² or electrons²"},
    {"weight", "By Σb²", "divided by the sum of squared weights: 1 without interference"},
    {"absolute", "Absolute", "differential cross section per volume, cm⁻¹; needs a cell or a volume"},
    {"faber-ziman", "Faber-Ziman", "S(q) = 1 + (I/N − ⟨b²⟩)/⟨b⟩²; coherent scattering of many frames"},
    {NULL, NULL, NULL},
};

static const DebyeChoice tables[] = {
    {"waasmaier-kirfel", "Waasmaier-Kirfel", "five Gaussians, up to 75 Å⁻¹"},
    {"cromer-mann", "Cromer-Mann", "four Gaussians, up to 25 Å⁻¹, as in the International Tables"},
    {NULL, NULL, NULL},
};

static const DebyeChoice displaced[] = {
    {"table", "Tabulated", "of H, C, N, O, P and S; of others the van der Waals sphere's; Gaussian"},
    {"sphere", "Spheres", "4/3·πr³ of the van der Waals radius, Gaussian"},
    {"gaussian", "Gaussian spheres", "π^{3/2}·r³ of the van der Waals radius, Gaussian"},
    {"table-flat", "Tabulated, flat", "tabulated volumes that don't fall off with q"},
    {"sphere-flat", "Spheres, flat", "4/3·πr³ that don't fall off with q"},
    {"gaussian-flat", "Gaussian spheres, flat", "π^{3/2}·r³ that don't fall off with q"},
    {NULL, NULL, NULL},
};

static const DebyeChoice windows[] = {
    {"hann", "Hann", "½(1 + cos πτ/τ_max): smooth end, little leakage"},
    {"gaussian", "Gaussian", "exp(−½(3τ/τ_max)²)"},
    {"none", "None", "cut off at the longest time: ripples where F has not decayed"},
    {NULL, NULL, NULL},
};

static const DebyeChoice frequency_units[] = {
    {"meV", "meV", "energy transfer ħω"},
    {"1/ps", "1/ps", "angular frequency"},
    {NULL, NULL, NULL},
};

static const DebyeChoice precisions[] = {
    {"single", "Single", "phases right to 1e-6 of a full turn, sums in double"},
    {"double", "Double", "the checking path, several times slower"},
    {NULL, NULL, NULL},
};

#define ONLY_XRAYS        \
  (const char *const[])   \
  {                       \
    "probe", "xray", NULL \
  }
#define ONLY_NEUTRONS        \
  (const char *const[])      \
  {                          \
    "probe", "neutron", NULL \
  }
#define ONLY_DYNAMIC        \
  (const char *const[])     \
  {                         \
    "dynamic", "true", NULL \
  }
#define ONLY_SPECTRUM        \
  (const char *const[])      \
  {                          \
    "spectrum", "true", NULL \
  }

static const DebyeSetting settings[] = {
    {.key = "probe",
     .label = "Probe",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "neutron",
     .choices = probes,
     .help = "what is scattered",
     .basic = TRUE},
    {.key = "kind",
     .label = "Scattering",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "coherent",
     .choices = kinds,
     .help = "which part of it",
     .basic = TRUE},
    {.key = "q",
     .label = "Scattering vector",
     .symbol = "q",
     .unit = "Å⁻¹",
     .kind = DEBYE_SETTING_TEXT,
     .help = "lengths as min:max:step, ends included, or a list; unset: up to 5 in steps that suit the cell",
     .basic = TRUE},
    DEBYE_SETTING_SELECT_ENTRY("atoms that scatter"),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_FRAMES_ENTRY("frames to take, 0-based, the last included, negative from the end"),
    {.key = "orientation",
     .label = "Orientation",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "how the mean over directions is made: lattice (all vectors of the cell's reciprocal lattice), "
         "exact, sphere:N, random:N, multipole:L, cylinder:N[:x,y,z[:axial part]], "
         "multipole:L:cylinder[:x,y,z], vectors:FILE, none[:x,y,z]; unset: lattice in a cell, else exact"},
    {.key = "q-vectors",
     .label = "Vectors",
     .kind = DEBYE_SETTING_TEXT,
     .help = "a file of rows qx qy qz in Å⁻¹: each is a row of the result, without an average"},
    {.key = "seed",
     .label = "Seed",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 0,
     .maximum = 9007199254740992.0,
     .initial = "1",
     .help = "of random directions and motions"},
    {.key = "normalise",
     .label = "Normalise",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "atom",
     .choices = norms,
     .help = "what the sum is divided by"},
    {.key = "volume",
     .label = "Volume",
     .unit = "Å³",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-3,
     .maximum = 1e15,
     .help = "that the sample takes, for absolute units; unset: each frame's cell",
     .needs = (const char *const[]){"normalise", "absolute", NULL}},
    {.key = "partials",
     .label = "Partials",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "what each pair of species adds to the sum, too"},
    {.key = "isotope",
     .label = "Isotopes",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help = "SELECTION=ISOTOPE: these atoms are of that isotope (resname SOL=D, name CA=13C)",
     .needs = ONLY_NEUTRONS},
    {.key = "exchange",
     .label = "H/D exchange",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help = "SELECTION=FRACTION: so many of these hydrogens are deuterium, from 0 to 1",
     .needs = ONLY_NEUTRONS},
    {.key = "contrast-series",
     .label = "Contrast series",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "I(q) at 0, 25, 50, 75 and 100 % deuterium, too: in the hydrogens of H/D exchange, else in all",
     .needs = ONLY_NEUTRONS},
    {.key = "form-factors",
     .label = "Form factors",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "waasmaier-kirfel",
     .choices = tables,
     .help = "which table",
     .needs = ONLY_XRAYS},
    {.key = "ionic",
     .label = "Ions",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "ions that stand alone take the form factor of their charge, not the atom's",
     .needs = ONLY_XRAYS},
    {.key = "solvent",
     .label = "Solvent",
     .unit = "10⁻⁶ Å⁻²",
     .kind = DEBYE_SETTING_TEXT,
     .initial = "none",
     .help = "scattering length density of what surrounds the atoms and is displaced by them: none, h2o, "
             "d2o, d2o:PERCENT or a number"},
    {.key = "displaced",
     .label = "Displaced volumes",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "table",
     .choices = displaced,
     .help = "how much solvent an atom displaces"},
    {.key = "displaced-scale",
     .label = "Scale of volumes",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help = "SELECTION=FACTOR: the displaced volumes of these atoms times that"},
    {.key = "box-correction",
     .label = "Box correction",
     .kind = DEBYE_SETTING_BOOLEAN,
     .help =
         "in a cell, at vectors that are not on its reciprocal lattice: take the shape of the cell at the "
         "mean density off the amplitude; unset: yes for averages that aren't raw"},
    {.key = "blocks",
     .label = "Blocks for the error",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 0,
     .maximum = 10000,
     .initial = "10",
     .help = "standard errors come from so many blocks of successive frames; 0: none"},
    {.key = "dynamic",
     .label = "In time",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "the intermediate scattering function F(q, τ), too",
     .basic = TRUE},
    {.key = "signal",
     .label = "Signal",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "autocorrelate",
     .choices = signals,
     .help = "what is made of the amplitudes in time",
     .needs = ONLY_DYNAMIC},
    {.key = "lags",
     .label = "Longest time",
     .symbol = "τ",
     .unit = "ps",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.0,
     .maximum = 1e12,
     .help = "F(q, τ) up to here; unset: as long as the frames last",
     .needs = ONLY_DYNAMIC},
    {.key = "spectrum",
     .label = "Spectrum",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "S(q, ω), the Fourier transform of F(q, τ) in time; makes F(q, τ)"},
    {.key = "window",
     .label = "Window",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "hann",
     .choices = windows,
     .help = "what F(q, τ) is multiplied with before the transform",
     .needs = ONLY_SPECTRUM},
    {.key = "resolution",
     .label = "Resolution",
     .unit = "meV",
     .kind = DEBYE_SETTING_TEXT,
     .initial = "none",
     .help =
         "of the instrument: none, gaussian:FWHM, lorentzian:FWHM, or file:FILE with rows of energy (meV) "
         "and intensity",
     .needs = ONLY_SPECTRUM},
    {.key = "frequency",
     .label = "Unit of ω",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "meV",
     .choices = frequency_units,
     .help = "of the spectrum's axis",
     .needs = ONLY_SPECTRUM},
    {.key = "detailed-balance",
     .label = "Detailed balance",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "multiply the classical spectrum by exp(ħω/2kT)",
     .needs = ONLY_SPECTRUM},
    {.key = "temperature",
     .label = "Temperature",
     .symbol = "T",
     .unit = "K",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.001,
     .maximum = 1e6,
     .initial = "300",
     .help = "of detailed balance",
     .needs = ONLY_SPECTRUM},
    {.key = "unwrap",
     .label = "Unwrap",
     .kind = DEBYE_SETTING_BOOLEAN,
     .help = "follow atoms across the cell's faces; unset: where single atoms are followed in time"},
    {.key = "superpose",
     .label = "Superpose",
     .kind = DEBYE_SETTING_SELECTION,
     .help = "these atoms of each frame onto those of the first one, mass-weighted, before scattering"},
    {.key = "center",
     .label = "Centre",
     .kind = DEBYE_SETTING_SELECTION,
     .help = "the centre of mass of these atoms at the origin in each frame, before scattering"},
    {.key = "motion",
     .label = "Added motion",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help = "SELECTION=MOTION, of these atoms as one body: linear:vx,vy,vz, oscillation:ax,ay,az:period, "
             "random-walk:step, brownian:step, localised:step:radius, rotational:degrees, fixed; lengths in "
             "Å, times in ps, a "
             "step a frame"},
    {.key = "precision",
     .label = "Precision",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "single",
     .choices = precisions,
     .help = "of the phases"},
    {.key = "continue",
     .label = "Continue",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "a result file (.h5) of the same job: rows of q that are there are not computed again; I(q) only"},
    {.key = "volume-map",
     .label = "S(hkl) as a volume",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "all reciprocal lattice vectors as a map, for slices and surfaces"},
    DEBYE_SETTING_TOLERANCE_ENTRY,
    DEBYE_SETTING_DEVICE_ENTRY,
    DEBYE_SETTING_THREADS_ENTRY,
    DEBYE_SETTING_MEMORY_ENTRY,
};

const DebyeSettingTable debye_scattering_settings = {
    .id = "scattering",
    .title = "Scattering",
    .question = "What would neutrons or X-rays see of this?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};
