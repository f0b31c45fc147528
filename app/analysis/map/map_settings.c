/* SPDX-License-Identifier: MIT */
/* The settings table of the electrostatic map: form, options, attributes and "Copy as command" come from
 * here. Only what works is listed. */
#include "map_settings.h"

#include "app/analysis/driver/common_settings.h"

static const DebyeChoice methods[] = {
    {"direct", "Direct sum", "every atom at every point: exact, open boundary or nearest image"},
    {"cutoff", "Cutoff sum", "atoms within a cutoff of each point, and their periodic images"},
    {"multilevel", "Multilevel summation", "the full 1/r in a time proportional to the system's size"},
    {"ewald", "Particle mesh Ewald", "a periodic system with all its images"},
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
    {"excluded", "Solvent-excluded", "volume that a rolling probe can't reach (Connolly's)"},
    {"vdw", "van der Waals", "union of the atoms' spheres"},
    {"accessible", "Solvent-accessible", "surface traced by the probe's centre"},
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
    {"dz2", "Squares beforehand", "both: dz² once per plane"},
    {"row-array", "An array for each row", "CPU: x, charge and dy² + dz² of all atoms"},
    {"scatter-threads", "Scatter to all points", "CPU: atoms shared among threads, atomic additions"},
    {"gather-threads", "Gather from all atoms", "CPU: points shared among threads"},
    {"gather-fission", "Gather by loop fission", "both: y in an array, so that the loops nest directly"},
    {"unrolled", "Eight points at once", "both: neighbours in x share terms"},
    {"blocked", "Blocked for the cache", "CPU: tiles of atoms in the first-level cache"},
    {"simd", "Vectors", "CPU: points in the lanes of vectors"},
    {"threads", "All threads", "CPU: rows shared among all threads"},
    {"scatter-const", "Scatter", "GPU: one thread per atom, atomic additions"},
    {"gather-const", "Gather", "GPU: one thread per point, atoms in constant memory"},
    {"const-precalc", "Const+Precalc", "GPU: dz² from the host, slice by slice"},
    {"const-unrolled", "Const+Precalc+Loop Unrolling", "GPU: four points in x per thread"},
    {"const-shared", "Const+Shared+Loop Unrolling+Precalc", "GPU: eight points, the map in shared memory"},
    {"const-coalesced", "Const+Loop Unrolling+Coalescing", "GPU: eight points half a warp apart"},
    {"const-copied", "The slice copied in each pass", "GPU: one slice in its memory, the map on the host"},
    {"const-padded", "A padded map instead of guards", "GPU: the map ends with whole blocks"},
    {"shared-tiles", "Tiles in shared memory", "GPU: each block loads its atoms itself"},
    {"register-tiles", "Tiles in registers", "GPU: four points of four rows per thread"},
    {"ours", "Debye's own", "both: the production kernel, on one device"},
    {"scatter", "Scatter", "GPU, formerly: one thread per atom, atomic additions"},
    {"gather", "Gather", "GPU, formerly: 64 atoms in constant memory"},
    {"shared", "Shared memory", "GPU, formerly: tiles of atoms in shared memory"},
    {"coalesced", "Coalesced stores", "GPU, formerly: neighbouring threads store neighbouring points"},
    {NULL, NULL, NULL},
};

/* The order of DebyeMapBoundary. */
static const DebyeChoice boundaries[] = {
    {"debye-huckel", "Debye-Hückel", "each charge's own potential in the solvent"},
    {"focus", "Focused", "from a larger, coarser grid; if chosen, the map may cut the molecule"},
    {"zero", "Zero", "no potential: for grids much larger than the Debye length"},
    {NULL, NULL, NULL},
};

static const DebyeChoice periodicities[] = {
    {"none", "Open", "the atoms alone, no images"},
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
    {"none", "None", "q/r up to the cutoff, with a step there"},
    {"smooth", "Smooth", "q/r·(1 − r²/rc²)²: value and slope vanish at the cutoff"},
    {"shift", "Shifted", "q·(1/r − 1/rc): the value vanishes at the cutoff"},
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
    {"auto", "By tolerance", "single precision if it meets the tolerance, else double"},
    {"single", "Single", "error of a sum at most 5e-6 of the map's root mean square"},
    {"double", "Double", "sums in double precision, for checking; many times slower"},
    {NULL, NULL, NULL},
};

static const DebyeSetting settings[] = {
    {.key = "method",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, method),
     .label = "Method",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "direct",
     .choices = methods,
     .help = "summation method for the potential",
     .basic = TRUE},
    {.key = "variant",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeMapSettings, variant),
     .label = "Variant",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = variants,
     .help = "teaching variant of the direct sum, run on the fastest device that has it; default: the "
             "production kernels, on all devices",
     .derived = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "direct")},
    {.key = "cutoff",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, cutoff),
     .label = "Cutoff",
     .symbol = "rc",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.1,
     .maximum = 1000.0,
     .help = "range of a charge in the cutoff sum (default: 12), and of its short-range part in the other "
             "methods (default: from the tolerance)",
     .derived = TRUE,
     .basic = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "cutoff", "multilevel", "ewald")},
    {.key = "smoothing",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, smoothing),
     .label = "Smoothing",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "smooth",
     .choices = smoothings,
     .help = "decay of a charge's potential towards the cutoff",
     .needs = DEBYE_SETTING_NEEDS("method", "cutoff")},
    {.key = "periodic",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeMapSettings, periodic),
     .label = "Periodic along",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = periodicities,
     .help = "cell vectors along which the atoms repeat (x, y, z: the first, second, third); default: none, "
             "for Ewald all"},
    {.key = "ewald-width",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, ewald_width),
     .label = "Gaussian width",
     .symbol = "σ",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.1,
     .maximum = 100.0,
     .help = "width of Gaussians in place of the charges (the smooth part of the Ewald sum alone); default: "
             "none, point charges",
     .needs = DEBYE_SETTING_NEEDS("method", "ewald")},
    {.key = "bin-size",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, bin_size),
     .label = "Bin size",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.5,
     .maximum = 100.0,
     .help = "edge of the bins into which a device sorts atoms; default: 4",
     .derived = TRUE,
     .constant = "4",
     .needs = DEBYE_SETTING_NEEDS("method", "cutoff")},
    {.key = "bin-capacity",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, bin_capacity),
     .label = "Bin capacity",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 0,
     .maximum = 1024,
     .initial = "0",
     .help = "atoms per bin of a GPU; meanwhile the CPU sums those that do not fit. 0: all fit. Bins of the "
             "CPU hold any number",
     .needs = DEBYE_SETTING_NEEDS("method", "cutoff")},
    DEBYE_SETTING_SPACING_ENTRY(
        DebyeMapSettings,
        "distance between grid points; default: chosen by the number of atoms and their extent", NULL, TRUE),
    DEBYE_SETTING_PADDING_ENTRY(
        DebyeMapSettings,
        "distance from the chosen atoms of the first frame to the edge of the grid; default: 6, for "
        "Poisson-Boltzmann 10, and if all directions are periodic the grid is the cell",
        "6", TRUE, TRUE),
    DEBYE_SETTING_ORIGIN_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_SHAPE_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_FRAMES_ENTRY(DebyeMapSettings,
                               "frames to use, 0-based, last included; negative numbers count from the end"),
    {.key = "statistic",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, statistic),
     .label = "Statistic",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "mean",
     .choices = statistics,
     .help = "statistic stored at each point for several frames"},
    DEBYE_SETTING_BLOCKS_ENTRY(DebyeMapSettings,
                               "number of blocks of successive frames for a second map, the standard error "
                               "of a mean; less than 2: none",
                               "0", DEBYE_SETTING_NEEDS("statistic", "mean")),
    DEBYE_SETTING_SUPERPOSE_SOLUTE_ENTRY(
        DebyeMapSettings,
        "atoms to superpose on the reference in each frame before summing, or none; default: the solute "
        "(polymers and what is bound to them) if there are several frames, they are not centred, and the "
        "grid is not the cell"),
    DEBYE_SETTING_SUPERPOSE_WEIGHTS_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_REFERENCE_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_CENTER_ENTRY(
        DebyeMapSettings,
        "atoms to put in the middle of the cell before summing, with whole molecules wrapped around them"),
    {DEBYE_SETTING_SELECT_ROW("atoms whose charges count and that the grid surrounds; default: all, for "
                              "Poisson-Boltzmann the solute"),
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeMapSettings, select), .unset_differs = TRUE, .derived = TRUE},
    DEBYE_SETTING_CHARGES_ENTRY(DebyeMapSettings),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_DATASET_ENTRIES,
    DEBYE_SETTING_UNIT_ENTRY(DebyeMapSettings, "unit of the map", TRUE),
    {.key = "temperature",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeMapSettings, temperature),
     .label = "Temperature",
     .symbol = "T",
     .unit = "K",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.001,
     .maximum = 1e6,
     .initial = "300",
     .unset_differs = TRUE,
     .help = "temperature of the unit kT/e and of the solvent; default: 300, for Poisson-Boltzmann 298.15",
     .derived = TRUE},
    {.key = "permittivity",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeMapSettings, permittivity),
     .label = "Relative permittivity",
     .symbol = "ε",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-3,
     .maximum = 1e6,
     .initial = "1",
     .unset_differs = TRUE,
     .help = "divisor of the potential; default: 1, vacuum. For Poisson-Boltzmann the permittivity of the "
             "solvent; default: water's",
     .derived = TRUE},
    {.key = "equation",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, equation),
     .label = "Equation",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "linear",
     .choices = equations,
     .help = "linear or nonlinear response of the ions",
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
     .help = "ionic strength of the 1:1 salt in the solvent; 0: none",
     .basic = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "salt",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, salt),
     .label = "Ions",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help =
         "VALENCE,MOL_PER_LITRE,RADIUS of one kind of ions, in place of the 1:1 salt, its ionic strength and "
         "its ion radius; all kinds together must be neutral; the largest radius applies to all",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "solute-permittivity",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, solute_permittivity),
     .label = "Solute permittivity",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-3,
     .maximum = 1e6,
     .initial = "2",
     .help = "permittivity within the molecule's surface; the relative permittivity holds outside",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "surface-kind",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, surface),
     .label = "Surface",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "excluded",
     .choices = surface_kinds,
     .help = "boundary between solute and solvent",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "probe",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, probe),
     .label = "Probe radius",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.0,
     .maximum = 20.0,
     .initial = "1.4",
     .help = "radius of the sphere that rolls over the atoms: a water molecule's",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "ion-radius",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, ion_radius),
     .label = "Ion radius",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.0,
     .maximum = 20.0,
     .initial = "2",
     .help = "smallest distance of an ion's centre to the atoms' spheres",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "radii",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, radii),
     .label = "Radii",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "auto",
     .choices = radii_sources,
     .help = "source of the atoms' radii",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "residual",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, residual),
     .label = "Residual",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-12,
     .maximum = 0.1,
     .initial = "1e-06",
     .help = "accepted residual of the equation, relative to its right-hand side",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "energies",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, energies),
     .label = "Energies",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "reaction field, solvation and Coulomb energies, and a table of residues; the equation is "
             "solved twice",
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "grid-error",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, grid_error),
     .label = "Error of the grid",
     .kind = DEBYE_SETTING_BOOLEAN,
     .help = "error of the potential in the solvent due to the spacing, from a second solution at twice the "
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
    {.key = "boundary",
     DEBYE_SETTING_OPTIONAL_MEMBER(DebyeMapSettings, boundary),
     .label = "Boundary",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = boundaries,
     .help = "potential at the edge of the grid; default: focused, with given maps or APBS's surface "
             "Debye-Hückel, zero if any direction is periodic",
     .derived = TRUE,
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "membrane",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, membrane),
     .label = "Membrane",
     .kind = DEBYE_SETTING_TEXT,
     .help = "Z0,Z1,EPS: layer from Z0 to Z1 (Å) across z with its permittivity, in which there are no ions; "
             "then HEAD,EPS: thickness (Å) and permittivity of head groups within it, on both sides; then "
             "PORE: radius (Å) of a pore about the middle of the atoms",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "voltage",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, voltage),
     .label = "Voltage",
     .unit = "V",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = -10.0,
     .maximum = 10.0,
     .help = "voltage across the membrane, potential below minus potential above; default: 0",
     .derived = TRUE,
     .constant = "0",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "as-apbs",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, as_apbs),
     .label = "Surface as in APBS",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help =
         "permittivities by APBS's smoothed surface (srfm smol) in place of the exact one, to compare with "
         "its results",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "reaction",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, reaction),
     .label = "Reaction field alone",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "map of the solvent's reaction field: the potential minus that with the solute's permittivity "
             "everywhere; needs a second solution",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "binding",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, binding),
     .label = "Binding of",
     .kind = DEBYE_SETTING_SELECTION_PAIR,
     .help = "two partners: energy of the complex minus that of each alone, on one grid",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "residues",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, residues),
     .label = "Table of residues",
     .kind = DEBYE_SETTING_TEXT,
     .help = "CSV file with the charge, the potential and the energy of each residue and atom",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "follow",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, follow),
     .label = "Residues over time",
     .kind = DEBYE_SETTING_SELECTION,
     .help = "residues whose potential of the surroundings becomes a curve over the frames",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "dielectric-map",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, dielectric_maps),
     .label = "Map of permittivity",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help = "file with the permittivity at the grid's points, or the option three times with files "
             "shifted half a step along x, y and z as APBS writes them (dielx, diely, dielz); replaces the "
             "surface",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "ion-map",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, ion_map),
     .label = "Map of ions",
     .kind = DEBYE_SETTING_TEXT,
     .help = "file with the ions' accessibility times κ̄², in Å⁻² as APBS writes it (kappa)",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "charge-map",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, charge_map),
     .label = "Map of charges",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "file with the density of charge, in e/Å³ as APBS writes it (charge); replaces the atoms' charges",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    {.key = "write-maps",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, write_maps),
     .label = "Write maps",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "name of the files NAME-dielx.dx, NAME-diely.dx, NAME-dielz.dx, NAME-ions.dx and NAME-charge.dx: "
         "the maps that were used",
     .rare = TRUE,
     .needs = DEBYE_SETTING_NEEDS("method", "pb")},
    DEBYE_SETTING_CORE_RADIUS_ENTRY(
        DebyeMapSettings, "smallest distance to an atom: nearer grid points get the value at this distance"),
    {.key = "precision",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, precision),
     .label = "Precision",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "auto",
     .choices = precisions,
     .help = "precision of the sum; the map is stored in single precision"},
    {.key = "tolerance",
     DEBYE_SETTING_MEMBER(DebyeMapSettings, tolerance),
     .label = "Tolerance",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-15,
     .maximum = 1.0,
     .help = "largest accepted error, relative to the map's root mean square; default: 5e-6 for sums over "
             "atoms, 1e-4 for multilevel summation and Ewald",
     .derived = TRUE},
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

const char *
debye_map_periodic_vectors(DebyeMapPeriodic periodic)
{
  return periodicities[periodic].label;
}

const char *
debye_map_boundary_name(DebyeMapBoundary boundary)
{
  return boundaries[boundary].value;
}
