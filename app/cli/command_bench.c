/* SPDX-License-Identifier: MIT */
/* debye-cli bench: speed and accuracy of the kernels on this machine; listed by command_list.c. */
#include <string.h>

#include "app/analysis/driver/common_settings.h"
#include "app/analysis/driver/memory_size.h"
#include "app/installation/installation.h"
#include "bench_report.h"
#include "bench_run.h"
#include "cli_work.h"
#include "arguments.h"
#include "interrupt.h"
#include "kernels/cpu/backend_cpu.h"
#include "plot_output.h"
#include "render/plot/plot_cairo.h"

static const DebyeChoice kernels[] = {
    {"direct", "Direct sum", "Coulomb's sum at every grid point"},
    {"cutoff", "Cutoff", "the sum over the atoms within a cutoff"},
    {"multilevel", "Multilevel summation", "the whole sum, in linear time"},
    {"ewald", "Particle mesh Ewald", "the sum over all images"},
    {"histogram", "Pair distances",
     "counting distances with and without atomic additions; without them, counts are lost (teaching "
     "variants)"},
    {"pairs", "Pair histogram", "counting pair distances, as rdf does"},
    {"self", "Self scattering", "autocorrelation of each atom, for incoherent scattering"},
    {"coherent", "Coherent scattering", "scattering amplitudes at vectors q"},
    {"orbital", "Orbitals", "drawing an orbital of C60 in 6-31G(d)"},
    {"ligand", "Ligand sampling", "free energy of xenon among random atoms"},
    {"density", "Densities", "occupancy of voxels by atoms that move"},
    {NULL, NULL, NULL},
};

static const DebyeChoice figures[] = {
    {"g", "g(r)", "g(r) as each variant of --kernel histogram counted it"},
    {"roofline", "Roofline", "speed by arithmetic intensity under the limits of the devices"},
    {NULL, NULL, NULL},
};

typedef enum {
  KERNEL_HISTOGRAM = 4, /* of the choices */
} Kernel;

typedef struct {
  const char *size, *against, *sweep, *show, *bins, *batches, *slices, *exercise, *whole;
  DebyeJobSettings job;
  double bin_size;
  gint64 bin_capacity;
  gboolean list;
  gint64 repeat;
  Kernel kernel;
  int plot; /* of the figures */
  gboolean has_kernel, has_size, has_plot;
  DebyeBenchSourceSettings class_source;
  double cutoff, spacing, tolerance;
  DebyeChargeSource charges;
  DebyeLaneSettings lanes;
} Settings;

#define OF_MACRO(name)                                                                            \
  DEBYE_SETTING_MEMBER(Settings, class_source.name), .kind = DEBYE_SETTING_INTEGER, .minimum = 1, \
                                                     .maximum = 65536

static const DebyeSetting settings[] = {
    {.key = "kernel",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, kernel),
     .label = "Kernel",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "direct",
     .choices = kernels,
     .help = "kernel to time"},
    {.key = "size",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, size),
     .label = "Size",
     .kind = DEBYE_SETTING_TEXT,
     .initial = "64,1000",
     .help = "grid points per side and number of atoms, for scattering also frames and vectors: "
             "POINTS,ATOMS[,FRAMES[,VECTORS]]; of files at most this many atoms; default: 64,1000, of files "
             "all atoms",
     .derived = TRUE},
    {.key = "sweep",
     DEBYE_SETTING_MEMBER(Settings, sweep),
     .label = "Sweep",
     .kind = DEBYE_SETTING_TEXT,
     .repeated = TRUE,
     .help = "measure for each value of NAME, one of threads, devices, ranks, atoms, points, frames, "
             "vectors, cutoff, spacing, tolerance, kernel: 1,2,4 or FIRST:LAST:STEP or FIRST:LAST:xFACTOR; "
             "devices also by name (cpu,cuda:0,cuda:0+cpu). With --source atoms, points, frames, vectors, "
             "cutoff, spacing or one of its macros: block, block-x, block-y, block-z, grid-x, grid-y, "
             "unroll, points-per-thread, points-in-y, points-in-z, tile, chunk, atom-block, edge and "
             "capacity of bins, voxels, block-frames. A second one makes several curves"},
    {.key = "job",
     DEBYE_SETTING_MEMBER(Settings, whole),
     .label = "Job",
     .kind = DEBYE_SETTING_TEXT,
     .help = "time an analysis from start to end instead of a kernel, such as “map protease.pqr”, with "
             "--threads, --device or --sweep of threads and devices: the shortest of the repeats. Its "
             "outputs (-o, else .h5) go to a temporary folder, which is removed"},
    DEBYE_SETTING_CONTINUE_ENTRY(Settings, "file (.json) of the same --sweep, existing or new: its points "
                                           "are not measured again, and each new one is written to it"),
    {.key = "save-every",
     DEBYE_SETTING_MEMBER(Settings, job.save_every),
     .label = "Save every",
     .unit = "s",
     .kind = DEBYE_SETTING_NUMBER,
     .maximum = 1e6,
     .initial = "0",
     .help = "approximate interval between writes to the file of continue; 0: at each point"},
    {.key = "cutoff",
     DEBYE_SETTING_MEMBER(Settings, cutoff),
     .label = "Cutoff",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.1,
     .maximum = 1e4,
     .help = "cutoff distance (default: 12); for multilevel and ewald, of the short-range part (default: "
             "automatic); for pairs, the largest distance (default: all, in a cell half its width)"},
    {.key = "spacing",
     DEBYE_SETTING_MEMBER(Settings, spacing),
     .label = "Grid spacing",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 0.01,
     .maximum = 100.0,
     .help = "grid spacing of the map, instead of its number of points"},
    {.key = "tolerance",
     DEBYE_SETTING_MEMBER(Settings, tolerance),
     .label = "Tolerance",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = 1e-11,
     .maximum = 1.0,
     .help =
         "accepted error of multilevel (default: 1e-3) and ewald (default: 1e-4), relative to the map's root "
         "mean square"},
    {.key = "repeat",
     DEBYE_SETTING_MEMBER(Settings, repeat),
     .label = "Repeats",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1,
     .maximum = 10000,
     .help = "number of timed runs after one warm-up run; default: until the median is known to 2 %, at most "
             "3 s"},
    {.key = "against",
     DEBYE_SETTING_MEMBER(Settings, against),
     .label = "Against",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "variants to time beside the kernel direct, cutoff, self, coherent, orbital, ligand or density, "
         "comma-separated: double (the reference path of maps), naive (two plain loops on one thread; "
         "direct alone), all (every teaching variant), or teaching variants by name, as --list shows them"},
    {.key = "plot",
     DEBYE_SETTING_OPTIONAL_MEMBER(Settings, plot),
     .label = "Plot",
     .kind = DEBYE_SETTING_CHOICE,
     .choices = figures,
     .help = "figure of teaching variants; default: g of --kernel histogram, roofline of others"},
    {.key = "list",
     DEBYE_SETTING_MEMBER(Settings, list),
     .label = "List",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "list the teaching variants by family, without timing"},
    {.key = "show",
     DEBYE_SETTING_MEMBER(Settings, show),
     .label = "Show",
     .kind = DEBYE_SETTING_TEXT,
     .help = "print the code of this teaching variant, without timing"},
    {.key = "source",
     DEBYE_SETTING_MEMBER(Settings, class_source.source),
     .label = "Source",
     .kind = DEBYE_SETTING_TEXT,
     .help = "C or CUDA file (.c, .cu) with your own kernel, which is compiled, checked and timed; --show "
             "prints examples"},
    {.key = "block",
     OF_MACRO(block),
     .label = "Block",
     .help = "value of the macro BLOCK of the source; default: its own"},
    {.key = "unroll",
     OF_MACRO(unroll),
     .label = "Unroll",
     .help = "value of the macro UNROLL of the source; default: its own"},
    {.key = "points-per-thread",
     OF_MACRO(points),
     .label = "Points per thread",
     .help = "value of the macro POINTS of the source; default: its own"},
    {.key = "tile",
     OF_MACRO(tile),
     .label = "Tile",
     .help = "value of the macro TILE of the source; default: its own"},
    {.key = "chunk",
     OF_MACRO(chunk),
     .label = "Chunk",
     .help = "value of the macro CHUNK of the source; default: its own"},
    {.key = "atom-block",
     OF_MACRO(atom_block),
     .label = "Atom block",
     .help = "value of the macro ATOMS of the source; default: its own"},
    {.key = "exercise",
     DEBYE_SETTING_MEMBER(Settings, exercise),
     .label = "Exercise",
     .kind = DEBYE_SETTING_TEXT,
     .help = "write the teaching variants of --kernel into this folder, with gaps in the code and the "
             "answers in separate files, without timing"},
    {.key = "bins",
     DEBYE_SETTING_MEMBER(Settings, bins),
     .label = "Bins",
     .kind = DEBYE_SETTING_TEXT,
     .help = "list how atoms fill the bins of a cutoff for several bin edges, without timing; -o writes this "
             "figure: neighbours, filling, capacity, reuse, cutoff, within, spacing, smoothing or split; or "
             "the map of this part: "
             "short, level-1, level-2 or rest"},
    {.key = "batches",
     DEBYE_SETTING_MEMBER(Settings, batches),
     .label = "Batches",
     .kind = DEBYE_SETTING_TEXT,
     .help =
         "list the memory of batched transforms of self scattering, by --size, --atom-block and --memory, "
         "without timing; -o writes this figure: atoms or frames"},
    {.key = "slices",
     DEBYE_SETTING_MEMBER(Settings, slices),
     .label = "Slices",
     .kind = DEBYE_SETTING_TEXT,
     .help = "deal a map's slices cyclically to one device, then to more, beside the lecture's figures and "
             "an estimate for placing ions; without a GPU, to CPU threads; -o writes this figure: dealt, "
             "devices or ions"},
    {.key = "bin-size",
     DEBYE_SETTING_MEMBER(Settings, bin_size),
     .label = "Bin size",
     .unit = "Å",
     .kind = DEBYE_SETTING_NUMBER,
     .minimum = DEBYE_CLASSROOM_LEAST_EDGE,
     .maximum = DEBYE_CLASSROOM_LAST_EDGE,
     .initial = "4",
     .help = "edge of the bins of --bins"},
    {.key = "bin-capacity",
     DEBYE_SETTING_MEMBER(Settings, bin_capacity),
     .label = "Bin capacity",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1,
     .maximum = 1024,
     .initial = "8",
     .help = "slots of a bin of --bins"},
    DEBYE_SETTING_CHARGES_ENTRY(Settings),
    DEBYE_SETTING_ELEMENT_ENTRY,
    DEBYE_SETTING_DATASET_ENTRIES,
    DEBYE_SETTING_LANES_ENTRIES(Settings),
};

static const DebyeSettingTable table = {
    .id = "bench",
    .title = "Benchmark",
    .question = "How fast are the kernels here?",
    .settings = settings,
    .n_settings = G_N_ELEMENTS(settings),
};

/* --- What was asked for --- */

/* Without a file all sizes of the default; the atoms of files are theirs unless somebody says how many. */
static gboolean
choose_sizes(DebyeBenchJob *job, const Settings *asked, gboolean has_files, GError **error)
{
  double *sizes = job->asked.sizes;
  if (!debye_bench_parse_size(asked->size, sizes, error))
    return FALSE;
  if (has_files && !asked->has_size)
    sizes[DEBYE_BENCH_ATOMS] = 0.0;
  if (job->asked.kernel->subject != NULL && !asked->has_size)
    sizes[DEBYE_BENCH_POINTS] = 0.0;
  if (job->whole.line != NULL)
    sizes[DEBYE_BENCH_THREADS] = (double)asked->lanes.threads;
  sizes[DEBYE_BENCH_CUTOFF] = asked->cutoff > 0.0 ? asked->cutoff : 0.0;
  sizes[DEBYE_BENCH_SPACING] = asked->spacing > 0.0 ? asked->spacing : 0.0;
  sizes[DEBYE_BENCH_TOLERANCE] = asked->tolerance > 0.0 ? asked->tolerance : 0.0;
  return TRUE;
}

static gboolean
open_files(DebyeArguments *arguments, DebyeBenchJob *job, DebyeChargeSource charges, GError **error)
{
  const double n_frames = MAX(debye_bench_job_find_most(job, DEBYE_BENCH_FRAMES), 1.0);
  const DebyeBenchAxis *atoms = debye_bench_sweep_find(&job->sweep, "atoms");
  const double n_atoms =
      atoms != NULL ? debye_bench_job_find_most(job, DEBYE_BENCH_ATOMS) : job->asked.sizes[DEBYE_BENCH_ATOMS];
  if (debye_arguments_get_n_files(arguments) == 0)
    return TRUE;
  g_autoptr(DebyeDataset) dataset = debye_cli_open(arguments, debye_arguments_get_files(arguments), error);
  if (dataset == NULL)
    return FALSE;
  job->atoms = debye_bench_atoms_new_for_dataset(dataset, charges, n_atoms > 0.0 ? (gsize)n_atoms : G_MAXSIZE,
                                                 (gsize)n_frames, debye_interrupt_flag(), error);
  if (job->atoms == NULL)
    return FALSE;
  job->asked.atoms = job->atoms;
  job->asked.sizes[DEBYE_BENCH_ATOMS] = MIN(job->asked.sizes[DEBYE_BENCH_ATOMS], (double)job->atoms->n_atoms);
  return TRUE;
}

static gboolean
prepare(DebyeArguments *arguments, DebyeBenchJob *job, const Settings *asked, GError **error)
{
  g_auto(GStrv) sweeps = debye_setting_split_values(asked->sweep != NULL ? asked->sweep : "");
  job->lanes = asked->lanes;
  job->against = asked->against;
  job->figure = asked->has_plot ? figures[asked->plot].value : NULL;
  if (asked->job.continued != NULL && *asked->job.continued != '\0')
    job->continued = asked->job.continued;
  job->kept.request = debye_arguments_get_request(arguments);
  job->kept.save_every = asked->job.save_every;
  job->files =
      job->whole.line != NULL ? (const char *const *)job->whole.files : debye_arguments_get_files(arguments);
  job->class_file = asked->class_source.source;
  job->is_ladder = asked->kernel == KERNEL_HISTOGRAM;
  job->asked.kernel = debye_bench_kernel_find(job->is_ladder ? "pairs" : kernels[asked->kernel].value);
  job->asked.repeats = (DebyeBenchRepeats){.n = (guint)asked->repeat, .cancel = debye_interrupt_flag()};
  job->registry = debye_registry_new(&debye_backend_cpu, debye_installation_get_backend_dir());
  job->ranks = debye_process_ranks_get();
  debye_registry_share(job->registry, job->ranks.node_rank, job->ranks.n_on_node);
  job->n_devices = debye_device_choose(job->registry, &job->lanes, job->devices, error);
  job->asked.devices = job->devices;
  job->asked.n_devices = job->n_devices;
  return job->n_devices > 0 && debye_bench_job_check_against(job, error) &&
         debye_memory_size_parse(asked->lanes.memory, &job->asked.memory_limit, error) &&
         choose_sizes(job, asked, debye_arguments_get_n_files(arguments) > 0, error) &&
         debye_bench_sweep_parse(&job->sweep, (const char *const *)sweeps, error) &&
         debye_bench_whole_check_sweep(job, error) && debye_bench_job_check_sweep(job, error);
}

/* The source names the kernel, unless somebody does. */
static gboolean
read_source(DebyeBenchJob *job, Settings *asked, GError **error)
{
  const gboolean is_read = debye_bench_source_read_settings(&asked->class_source, &job->source, error);
  if (!is_read || job->source.name == NULL)
    return is_read;
  const char *kernel = debye_bench_source_get_kernel(&job->source);
  if ((job->runner = debye_installation_find_helper(DEBYE_BENCH_SOURCE_RUNNER, error)) == NULL)
    return FALSE;
  if (asked->has_kernel && !g_str_equal(kernels[asked->kernel].value, kernel))
    return debye_usage_refuse(error, "bench: --kernel %s: %s has “%s”, which is a source for --kernel %s",
                              kernels[asked->kernel].value, job->source.name,
                              debye_bench_source_name_function(job->source.kind), kernel);
  for (gsize i = 0; kernels[i].value != NULL; i++)
    if (g_str_equal(kernels[i].value, kernel))
      asked->kernel = (Kernel)i;
  return TRUE;
}

/* --- What is told --- */

static const char *const endings[] = {".csv", ".json", ".svg", ".pdf", ".png", ".tiff", ".tif", NULL};
static const char *const bin_endings[] = {".csv", ".svg", ".pdf", ".png", ".tiff", ".tif", NULL};

/* Of a map that no sweep changes, the number of points along its axes. */
static gboolean
find_shape(const DebyeBenchJob *job, gsize shape[3])
{
  if (job->sweep.n_axes > 0 || job->is_ladder || job->whole.line != NULL ||
      job->asked.kernel->subject != NULL || !debye_bench_kernel_has(job->asked.kernel, DEBYE_BENCH_POINTS))
    return FALSE;
  g_autoptr(DebyeBenchProblem) problem = debye_bench_case_new_problem(&job->asked, NULL);
  if (problem != NULL)
    memcpy(shape, problem->grid.shape, 3 * sizeof *shape);
  return problem != NULL;
}

static gboolean
tell(DebyeArguments *arguments, const DebyeBenchJob *job, const char *kernel, GError **error)
{
  gsize shape[3] = {0};
  const gboolean has_shape = find_shape(job, shape);
  const gboolean has_kernels = debye_bench_sweep_find(&job->sweep, "kernel") != NULL;
  const gboolean is_whole = job->whole.line != NULL;
  const char *title = has_kernels ? "Kernels" : job->asked.kernel->title;
  g_autofree char *subject =
      is_whole         ? g_strdup(job->whole.line)
      : job->is_ladder ? g_strdup_printf("Pair distances of %.0f atoms; the error is the share that was lost",
                                         job->asked.sizes[DEBYE_BENCH_ATOMS])
                       : debye_bench_report_describe(job, title, has_shape ? shape : NULL);
  const DebyeBenchReport report = {
      .subject = subject,
      .kernel = is_whole ? job->whole.words[1] : kernel,
      .job = job->whole.line,
      .operations = has_kernels || job->is_ladder || is_whole ? NULL : job->asked.kernel->operations,
      .unit = is_whole      ? "jobs"
              : has_kernels ? "evals"
                            : job->asked.kernel->unit,
      .points_a_side = (gint64)shape[0],
      .atoms = is_whole ? 0 : (gint64)job->asked.sizes[DEBYE_BENCH_ATOMS],
      .sweep = &job->sweep,
      .rows = job->rows,
      .fits = job->fits,
      .limits = job->limits,
      .figure = job->figure,
      .verdict = job->source.name != NULL && job->sweep.n_axes == 0 ? &job->verdict : NULL,
  };
  const gboolean has_failed = job->verdict.problem != NULL;
  if (debye_arguments_get_options(arguments).json)
    debye_bench_report_print_json(&report);
  else if (!has_failed)
    debye_bench_report_print(&report);
  if (has_failed) {
    g_propagate_error(error, g_error_copy(job->verdict.problem));
    return FALSE;
  }
  const char *const *outputs = debye_arguments_get_list(arguments, "output");
  for (gsize i = 0; outputs[i] != NULL; i++) {
    /* Stopped before the first curve was whole. */
    if (debye_plot_can_save(outputs[i]) && job->sweep.n_axes > 0 && job->fits->len == 0)
      continue;
    if (!debye_bench_report_save(&report, arguments, outputs[i], error))
      return FALSE;
    debye_cli_say(arguments, "written: %s", outputs[i]);
  }
  return TRUE;
}

static gboolean
list_bins(DebyeArguments *arguments, DebyeBenchJob *job, const Settings *asked, GError **error)
{
  const DebyeClassroomBinChoice choice = {
      .edge = asked->bin_size,
      .cutoff = asked->cutoff > 0.0 ? asked->cutoff : DEBYE_CLASSROOM_CUTOFF,
      .spacing = asked->spacing > 0.0 ? asked->spacing : DEBYE_CLASSROOM_SPACING,
      .capacity = (guint)asked->bin_capacity};
  job->asked.kernel = debye_bench_kernel_find("cutoff"); /* of one frame */
  return debye_bench_bins_check(asked->bins, error) &&
         debye_cli_check_outputs(debye_arguments_get_list(arguments, "output"), bin_endings, error) &&
         open_files(arguments, job, asked->charges, error) &&
         debye_bench_bins_run(arguments, asked->bins, &choice, job->atoms, error);
}

static gboolean
list_batches(DebyeArguments *arguments, const Settings *asked, GError **error)
{
  double sizes[DEBYE_BENCH_N_SIZES] = {0.0};
  return (!asked->has_size || debye_bench_parse_size(asked->size, sizes, error)) &&
         debye_bench_batches_run(arguments, asked->batches, sizes, asked->class_source.atom_block,
                                 asked->lanes.memory, error);
}

static gboolean
deal_slices(DebyeArguments *arguments, DebyeBenchJob *job, const Settings *asked, GError **error)
{
  return debye_bench_slices_check(arguments, asked->slices, error) && prepare(arguments, job, asked, error) &&
         open_files(arguments, job, asked->charges, error) &&
         debye_bench_slices_run(arguments, asked->slices, job,
                                asked->spacing > 0.0 ? asked->spacing : DEBYE_CLASSROOM_SPACING, error);
}

static gboolean
print_variants(const Settings *asked, gboolean json, GError **error)
{
  if (asked->show == NULL)
    debye_bench_report_print_variants(json);
  return asked->show == NULL || debye_bench_report_print_source(asked->show, json, error);
}

static gboolean
run(const DebyeCommand *const *all, DebyeArguments *arguments, GError **error)
{
  g_auto(DebyeBenchJob) job;
  Settings asked;
  debye_bench_job_init(&job);
  debye_request_fill(debye_arguments_get_request(arguments), &asked);
  if (asked.whole != NULL && !debye_bench_read_whole(all, arguments, asked.whole, &job.whole, error))
    return FALSE;
  if (asked.list || asked.show != NULL)
    return print_variants(&asked, debye_arguments_get_options(arguments).json, error);
  if (asked.exercise != NULL)
    return debye_bench_save_exercise(kernels[asked.kernel].value, asked.exercise, error);
  if (asked.slices != NULL)
    return deal_slices(arguments, &job, &asked, error);
  if (asked.batches != NULL)
    return list_batches(arguments, &asked, error);
  if (asked.bins != NULL)
    return list_bins(arguments, &job, &asked, error);
  if (!read_source(&job, &asked, error) || !prepare(arguments, &job, &asked, error) ||
      !debye_cli_check_outputs(debye_arguments_get_list(arguments, "output"), endings, error) ||
      !debye_bench_check_line(arguments, &job, error) || !open_files(arguments, &job, asked.charges, error) ||
      !debye_bench_job_complete(&job, error))
    return FALSE;
  debye_cli_progress_init(&job.progress, arguments, "bench");
  const gboolean ok = debye_bench_job_run(&job, error);
  debye_cli_progress_end(&job.progress);
  if (!ok)
    return FALSE;
  if (job.ranks.rank == 0 && !tell(arguments, &job, kernels[asked.kernel].value, error))
    return FALSE;
  return !debye_interrupt_came();
}

static const char *const examples[] = {"debye-cli bench --against naive,double",
                                       "debye-cli bench --against all -o ladder.svg",
                                       "debye-cli bench --kernel histogram --size 1,10000",
                                       "debye-cli bench --kernel histogram --plot roofline -o ladder.svg",
                                       "debye-cli bench --kernel cutoff --against all protease.pqr",
                                       "debye-cli bench --kernel self --against all --size 1,500,128,16",
                                       "debye-cli bench --sweep threads=1,2,4,8 -o threads.svg",
                                       "debye-cli bench --sweep atoms=1000:64000:x2 -o growth.pdf",
                                       "debye-cli bench --job 'map protease.pqr' --sweep threads=1,2,4",
                                       "debye-cli bench --bins filling -o filling.svg protease.pqr",
                                       "debye-cli bench --slices dealt -o dealt.svg",
                                       "debye-cli bench --kernel cutoff --exercise cutoff-exercise",
                                       "debye-cli bench --against all --device cuda -o ladder.json",
                                       "debye-cli bench --list",
                                       "debye-cli bench --show const-coalesced",
                                       "debye-cli bench --source mine.c --against grid-outer,simd",
                                       "debye-cli bench --size 256,16384 --device cuda --json",
                                       NULL};

const DebyeCommand debye_command_bench = {
    .name = "bench",
    .operands = "[FILE...]",
    .summary = "Times the kernels on this machine and measures their error",
    .description =
        "Uses random atoms at the density of a protein, or the atoms of the files. Each device is timed "
        "alone, then all together: the median, the shortest and the longest of the repeats and, with several "
        "devices, the speed-up over the CPU alone.\n\nThe error is the root mean square deviation from sums "
        "in double precision, relative to their root mean square; for pair counts, the share of pairs in a "
        "wrong bin. GFLOP/s count the operations listed below the table (a multiply-add is two, a root or a "
        "division one), and “% of peak” compares them with a loop of multiply-adds alone on the whole "
        "device. Teaching variants are timed on a part of the map that takes a tenth of a second, the kernel "
        "alone without copies.\n\n--sweep repeats the measurement for each value and fits a power of the "
        "time. For threads, devices and ranks (within mpirun) it reports speed-up and efficiency. With -o "
        "the rows are written as .csv, the times as a plot with both axes logarithmic. For teaching "
        "variants, -o writes the figure of the class room: speed by arithmetic intensity under the limits of "
        "the devices, or g(r) as each variant counted it.\n\nProcesses of mpirun time the kernel at the same "
        "time, each with its own devices: one row each, and one for all.",
    .examples = examples,
    .table = &table,
    .plot = &debye_bench_plot_settings,
    .least_operands = 0,
    .max_operands = G_MAXUINT,
    .can_share = TRUE,
    .run_among = run,
};
