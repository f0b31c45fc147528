/* SPDX-License-Identifier: MIT */
/* The settings table of the electrostatic map: form, options, attributes and "Copy as command" come from
 * here. Only what works is listed. */
#include "map_settings.h"

#include "app/analysis/driver/common_settings.h"

static const DebyeChoice methods[] = {
    {"direct", "Direct sum", "every atom at every point: exact, open boundary or nearest image"},
    {"cutoff", "Cutoff sum", "atoms within a cutoff of each point, and their periodic images"},
    {"multilevel", "Multilevel summation", "the whole 1/r in a time that grows with the system's size only"},
    {"ewald", "Particle mesh Ewald", "a periodic system, all its images"},
    {"pb", "Poisson-Boltzmann", "a molecule in water with salt, which screen its charges"},
    {NULL, NULL, NULL},
};

static const DebyeChoice equations[] = {
    {"linear", "Linear", "for potentials of up to some kT/e"},
    {"nonlinear", "Nonlinear", "for highly charged molecules, such as nucleic acids"},
    {NULL, NULL, NULL},
};

/* The order of DebyeSurfaceKind. */
static const DebyeChoice surface_kinds[] = {
    {"excluded", "Solvent-excluded", "what a rolling probe can't reach (Connolly's)"},
    {"vdw", "van der Waals", "of the atoms' spheres"},
    {"accessible", "Solvent-accessible", "of the probe's center"},
    {NULL, NULL, NULL},
};

static const DebyeChoice radii_sources[] = {
    {"auto", "The file's, if any", "those of the files, else Bondi's"},
    {"file", "The file's", "those of PQR and prmtop files"},
    {"bondi", "Bondi's", "van der Waals radii by element, 1.20 Å for hydrogen"},
    {NULL, NULL, NULL},
};

/* By the names of kernels/ladder/ladder.h; which a device has it says itself. */
static const DebyeChoice variants[] = {
    {"grid-outer", "Grid points outside", "CPU: two plain loops"},
    {"atom-outer", "Atoms outside", "CPU: the loops interchanged"},
    {"dz2", "Squares beforehand", "both: dz² once for a plane"},
    {"row-array", "An array for each row", "CPU: x, charge and dy² + dz² of all atoms"},
    {"scatter-threads", "Scatter to all points", "CPU: threads take atoms, atomic additions"},
    {"gather-threads", "Gather from all atoms", "CPU: threads take points"},
    {"gather-fission", "Gather by loop fission",
     "both: y in an array, so that the loops stand within each other"},
    {"unrolled", "Eight points at once", "both: neighbours in x share what they can"},
    {"blocked", "Blocked for the cache", "CPU: tiles of atoms in the first-level cache"},
    {"simd", "Vectors", "CPU: points in the lanes of vectors"},
    {"threads", "All threads", "CPU: rows shared among all threads"},
    {"scatter-const", "Scatter", "GPU: one thread per atom, atomic additions"},
    {"gather-const", "Gather", "GPU: one thread per point, atoms in constant memory"},
    {"const-precalc", "Const+Precalc", "GPU: dz² from the host, slice by slice"},
    {"const-unrolled", "Const+Precalc+Loop Unrolling", "GPU: four points in x per thread"},
    {"const-shared", "Const+Shared+Loop Unrolling+Precalc", "GPU: eight points, the map in shared memory"},
    {"const-coalesced", "Const+Loop Unrolling+Coalescing", "GPU: eight points half a warp apart"},
    {"shared-tiles", "Tiles in shared memory", "GPU: blocks bring the atoms themselves"},
    {"register-tiles", "Tiles in registers", "GPU: four points of four rows per thread"},
    {"ours", "Debye's own", "both: the production kernel, on one device"},
    {"scatter", "Scatter", "GPU, formerly: one thread per atom, atomic additions"},
    {"gather", "Gather", "GPU, formerly: 64 atoms in constant memory"},
    {"shared", "Shared memory", "GPU, formerly: tiles of atoms in shared memory"},
    {"coalesced", "Coalesced stores", "GPU, formerly: neighbouring threads store neighbouring points"},
    {NULL, NULL, NULL},
};

static const DebyeChoice periodicities[] = {
    {"none", "Open", "the atoms as they are, no images"},
    {"x", "a", "images along the cell's first vector"},
    {"y", "b", "images along the cell's second vector"},
    {"z", "c", "images along the cell's third vector"},
    {"xy", "a, b", "images along the cell's first and second vectors, as for a membrane"},
    {"xz", "a, c", "images along the cell's first and third vectors"},
    {"yz", "b, c", "images along the cell's second and third vectors"},
    {"xyz", "a, b, c", "images in all directions"},
    {NULL, NULL, NULL},
};

static const DebyeChoice smoothings[] = {
    {"none", "None", "q/r up to the cutoff, where it ends in a step"},
    {"smooth", "Smooth", "q/r·(1 − r²/rc²)²: value and slope end at zero"},
    {"shift", "Shifted", "q·(1/r − 1/rc): the value ends at zero"},
    {NULL, NULL, NULL},
};

static const DebyeChoice statistics[] = {
    {"mean", "Mean", "the average over the frames"},
    {"min", "Minimum", "the lowest value of any frame"},
    {"max", "Maximum", "the highest value of any frame"},
    {"std", "Standard deviation", "the spread over the frames (divided by the number of frames)"},
    {NULL, NULL, NULL},
};

static const DebyeChoice precisions[] = {
    {"auto", "By tolerance", "single precision where it keeps the tolerance, else double"},
    {"single", "Single", "error of a sum at most 5e-6 of the map's root mean square"},
    {"double", "Double", "the checking path: sums in double, many times slower"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    {.key = "method",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, method),
     .label = "Method",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "direct",
     .choices = methods,
     .help = "how the potential is summed",
     .basic = TRUE},
    {.key = "variant",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeMapSettings, variant),
     .label = "Variant",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = variants,
     .help = "a teaching variant of the direct sum, on the fastest device that has it; unset: the production "
             "kernels, on all devices",
     .needs = DEBYE_SETTING_NEEDS("method", "direct")},
    {.key = "cutoff",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, cutoff),
     .label = "Cutoff",
     .symbol = "rc",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.1,
     .maximum = 1000.0,
     .help = "how far a charge reaches in the cutoff sum (unset: 12); in the other methods how far its "
             "short-range part does (unset: from the tolerance)",
     .basic = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "cutoff", "multilevel", "ewald")},
    {.key = "smoothing",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, smoothing),
     .label = "Smoothing",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "smooth",
     .choices = smoothings,
     .help = "how the potential of a charge ends at the cutoff",
     .needs = DEBYE_SETTING_NEEDS("method", "cutoff")},
    {.key = "periodic",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeMapSettings, periodic),
     .label = "Periodic along",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = periodicities,
     .help =
         "which vectors of each frame's cell repeat the atoms (x, y, z: the first, second, third); unset: "
         "none, for Ewald all"},
    {.key = "ewald-width",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, ewald_width),
     .label = "Gaussian width",
     .symbol = "σ",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.1,
     .maximum = 100.0,
     .help = "give it, and the map is that of charges spread as Gaussians of this width (the smooth part of "
             "the Ewald sum alone); unset: of point charges",
     .needs = DEBYE_SETTING_NEEDS("method", "ewald")},
    {.key = "bin-size",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, bin_size),
     .label = "Bin size",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.5,
     .maximum = 100.0,
     .help = "edge of the bins into which a device sorts atoms; unset: 4",
     .needs = DEBYE_SETTING_NEEDS("method", "cutoff")},
    {.key = "bin-capacity",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, bin_capacity),
     .label = "Bin capacity",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 0,
     .maximum = 1024,
     .initial = "0",
     .help = "atoms in a bin of a GPU; of what does not fit the CPU sums what it can meanwhile; 0: all fit. "
             "The CPU alone has bins of any number",
     .needs = DEBYE_SETTING_NEEDS("method", "cutoff")},
    DEBYE_SETTING_SPACING_ENTRY(
        DebyeMapSettings, "distance between grid points; unset: by the number of atoms and their extent",
        TRUE),
    DEBYE_SETTING_PADDING_ENTRY(DebyeMapSettings,
                                "how far the grid reaches beyond the chosen atoms of the first frame; unset: "
                                "6, for Poisson-Boltzmann "
                                "10, and where all directions are periodic the grid is the cell",
                                "6", TRUE),
    DEBYE_SETTING_ORIGIN_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_SHAPE_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_FRAMES_ENTRY(DebyeMapSettings,
                               "frames to take, 0-based, the last included, negative from the end"),
    {.key = "statistic",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, statistic),
     .label = "Over the frames",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "mean",
     .choices = statistics,
     .help = "what is kept of each point when there are several frames"},
    DEBYE_SETTING_BLOCKS_ENTRY(
        DebyeMapSettings,
        "with 2 or more, a mean gets a second map: its standard error from so many blocks of successive "
        "frames",
        "0", DEBYE_SETTING_NEEDS("statistic", "mean")),
    DEBYE_SETTING_SUPERPOSE_SOLUTE_ENTRY(
        DebyeMapSettings,
        "atoms to superpose on the reference in each frame before summing, or none; unset: the solute "
        "(polymers and what is bound to them) if there are several frames, they are not centred, and the "
        "grid is not the cell"),
    DEBYE_SETTING_SUPERPOSE_WEIGHTS_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_REFERENCE_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_CENTER_ENTRY(
        DebyeMapSettings,
        "these atoms in the middle of the cell, whole molecules wrapped around them, before summing"),
    {DEBYE_SETTING_SELECT_ROW("atoms whose charges count and around which the grid is laid; unset: all, for "
                              "Poisson-Boltzmann the solute"),
     DEBYE_SETTING_MEMBER(DebyeMapSettings, select), .unset_differs = TRUE},
    DEBYE_SETTING_CHARGES_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_DATASET_ENTRIES,
    DEBYE_SETTING_UNIT_ENTRY(DebyeMapSettings, "unit of the map", TRUE),
    {.key = "temperature",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, temperature),
     .label = "Temperature",
     .symbol = "T",
     .unit = "K",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.001,
     .maximum = 1e6,
     .initial = "300",
     .unset_differs = TRUE,
     .help = "temperature of the unit kT/e and of the solvent; unset: 300, for Poisson-Boltzmann 298.15"},
    {.key = "permittivity",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, permittivity),
     .label = "Relative permittivity",
     .symbol = "ε",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-3,
     .maximum = 1e6,
     .initial = "1",
     .unset_differs = TRUE,
     .help = "divides the potential; 1 is vacuum. For Poisson-Boltzmann that of the solvent; unset: water's"},
    {.key = "equation",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, equation),
     .label = "Equation",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "linear",
     .choices = equations,
     .help = "how ions answer the potential",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "ionic-strength",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, ionic_strength),
     .label = "Ionic strength",
     .symbol = "I",
     .unit = "mol/l",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.0,
     .maximum = 20.0,
     .initial = "0.15",
     .help = "of the 1:1 salt in the solvent; 0: none",
     .basic = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "salt",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, salt),
     .label = "Ions",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help =
         "VALENCE,MOL_PER_LITRE,RADIUS of one kind of ions, in place of the 1:1 salt, its ionic strength and "
         "its ion radius; all kinds together are neutral, and the largest radius holds for all",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "solute-permittivity",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, solute_permittivity),
     .label = "Solute permittivity",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-3,
     .maximum = 1e6,
     .initial = "2",
     .help = "within the molecule's surface; outside it is the relative permittivity",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "surface-kind",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, surface),
     .label = "Surface",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "excluded",
     .choices = surface_kinds,
     .help = "where the solute ends and the solvent begins",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "probe",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, probe),
     .label = "Probe radius",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.0,
     .maximum = 20.0,
     .initial = "1.4",
     .help = "of the sphere that rolls over the atoms: a water molecule's",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "ion-radius",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, ion_radius),
     .label = "Ion radius",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.0,
     .maximum = 20.0,
     .initial = "2",
     .help = "how near to the atoms' spheres an ion's center comes",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "radii",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, radii),
     .label = "Radii",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "auto",
     .choices = radii_sources,
     .help = "where the atoms' radii come from",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "residual",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, residual),
     .label = "Residual",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-12,
     .maximum = 0.1,
     .initial = "1e-06",
     .help = "how well the equation is solved, relative to its right-hand side",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "energies",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, energies),
     .label = "Energies",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "reaction field, solvation and Coulomb energies, for which the equation is solved twice",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "grid-error",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, grid_error),
     .label = "Error of the grid",
     .kind = DEBYE_SETTING_BOOLEAN,
     .help = "how much the spacing changes the potential in the solvent, from a second solution at twice the "
             "spacing",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "nonpolar",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, nonpolar),
     .label = "Nonpolar energy",
     .kind = DEBYE_SETTING_TEXT,
     .help = "GAMMA,B: gamma times the solvent-accessible area plus b, in kcal/mol/Å² and kcal/mol; "
             "0.00542,0.92 is "
             "MM-PBSA's",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    DEBYE_SETTING_CORE_RADIUS_ENTRY(
        DebyeMapSettings, "a grid point nearer to an atom than this takes the value at this distance"),
    {.key = "precision",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, precision),
     .label = "Precision",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "auto",
     .choices = precisions,
     .help = "of the sum; the map is stored in single precision"},
    {.key = "tolerance",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, tolerance),
     .label = "Tolerance",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-15,
     .maximum = 1.0,
     .help =
         "largest error that is accepted, relative to the map's root mean square; unset: 5e-6 for sums over "
         "atoms, 1e-4 for multilevel summation and Ewald"},
    DEBYE_SETTING_JOB_ENTRIES(DebyeMapSettings),
    DEBYE_SETTING_LANES_ENTRIES(DebyeMapSettings),
};

const DebyeSettingTable debye_map_settings = {
    .id = "map",
    .title = "Electrostatic potential",
    .question = "How does the molecule's charge act on its surroundings?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

const char *
debye_map_settings_get_variant(const DebyeMapSettings *self)
{
  return self->has_variant ? variants[self->variant].value : NULL;
}

const char *
debye_map_periodic_name(DebyeMapPeriodic periodic)
{
  return periodicities[periodic].value;
}
