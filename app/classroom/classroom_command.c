/* SPDX-License-Identifier: MIT */
/* Implementation of classroom_command.h. */
#include "classroom_command.h"

#include <string.h>

#include "app/bench/bench_sweep.h"
#include "classroom_problem.h"

/* The files of the molecule, quoted. */
static void
append_files(DebyeDataset *dataset, GString *command)
{
  const char *const *paths = dataset != NULL ? debye_dataset_get_paths(dataset) : NULL;
  for (gsize i = 0; paths != NULL && paths[i] != NULL; i++) {
    g_autofree char *quoted = g_shell_quote(paths[i]);
    g_string_append_printf(command, " %s", quoted);
  }
}

char *
debye_classroom_write_ladder(DebyeDataset *dataset, DebyeLadderKind kind, gboolean has_counts)
{
  static const char *const options[DEBYE_LADDER_N_KINDS] = {
      [DEBYE_LADDER_MAP] = " --against all -o ladder.svg",
      [DEBYE_LADDER_COUNT] = " --kernel histogram --plot roofline -o ladder.svg",
      [DEBYE_LADDER_CUTOFF] = " --kernel cutoff --against all --cutoff 12 --spacing 0.5 -o cutoff.svg",
      [DEBYE_LADDER_SCATTERING] = " --kernel self --against all -o scattering.svg --size 1,1000",
      [DEBYE_LADDER_ORBITAL] = " --kernel orbital --against all -o orbital.svg",
      [DEBYE_LADDER_LIGAND] = " --kernel ligand --against all -o ligand.svg",
      [DEBYE_LADDER_DENSITY] = " --kernel density --against all -o density.svg"};
  const gboolean has_files = kind != DEBYE_LADDER_SCATTERING || debye_classroom_has_courses(dataset);
  GString *command = g_string_new("debye-cli bench");
  g_string_append(command, has_counts ? " --kernel histogram -o counts.svg" : options[kind]);
  if (kind == DEBYE_LADDER_ORBITAL || kind == DEBYE_LADDER_LIGAND || kind == DEBYE_LADDER_DENSITY)
    return g_string_free(command, FALSE);
  if (has_files)
    append_files(dataset, command);
  else
    g_string_append(command, ",256,32");
  return g_string_free(command, FALSE);
}

static gboolean
has_axis(const char *const *axes, const char *name)
{
  g_autofree char *prefix = g_strconcat(name, "=", NULL);
  for (gsize i = 0; axes[i] != NULL; i++)
    if (g_str_has_prefix(axes[i], prefix))
      return TRUE;
  return FALSE;
}

/* Macros that were chosen and aren't swept: as an axis of one value. */
static void
append_axes(GString *command, const char *const *axes, const char *const *macros)
{
  for (gsize i = 0; axes[i] != NULL; i++) {
    g_autofree char *quoted = g_shell_quote(axes[i]);
    const gboolean is_plain = strpbrk(axes[i], " ;&|<>*?$'\"()\\") == NULL;
    g_string_append_printf(command, " --sweep %s", is_plain ? axes[i] : quoted);
  }
  for (gsize i = 0; macros[i] != NULL; i++) {
    g_auto(GStrv) parts = g_strsplit(macros[i], "=", 2);
    const char *name = debye_bench_sweep_name_macro(parts[0]);
    if (name != NULL && !has_axis(axes, name))
      g_string_append_printf(command, " --sweep %s=%s", name, parts[1]);
  }
}

char *
debye_classroom_write_sweep(DebyeDataset *dataset, DebyeLadderKind kind, const char *base, gboolean is_own,
                            const char *const *axes, const char *const *macros)
{
  static const char *const options[DEBYE_LADDER_N_KINDS] = {
      [DEBYE_LADDER_CUTOFF] = " --cutoff 12 --spacing 0.5", [DEBYE_LADDER_SCATTERING] = " --size 1,1000"};
  const gboolean is_cuda = g_str_has_suffix(base, ".cu"), is_scattering = kind == DEBYE_LADDER_SCATTERING,
                 has_subject = !debye_classroom_problem_has_map(kind) && !is_scattering;
  const DebyeLadderVariant *variant = debye_classroom_find_variant(base);
  const char *id = variant != NULL ? variant->id : "", *ending = is_cuda ? "cu" : "c",
             *name = is_own ? "mine" : id;
  GString *command = g_string_new(NULL);
  if (!is_own)
    g_string_append_printf(command, "debye-cli bench --show %s > %s.%s && ", id, name, ending);
  g_string_append_printf(command, "debye-cli bench --source %s.%s%s%s", name, ending,
                         is_cuda ? " --device cuda" : "", options[kind] != NULL ? options[kind] : "");
  if (is_scattering && !debye_classroom_has_courses(dataset))
    g_string_append(command, ",256,32");
  append_axes(command, axes, macros);
  if (axes[0] != NULL)
    g_string_append(command, " -o sweep.svg");
  if (!has_subject && !(is_scattering && !debye_classroom_has_courses(dataset)))
    append_files(dataset, command);
  return g_string_free(command, FALSE);
}

char *
debye_classroom_write_slices(DebyeDataset *dataset, const char *figure)
{
  GString *command = g_string_new("debye-cli bench --slices ");
  g_string_append_printf(command, "%s -o %s.svg", figure, figure);
  append_files(dataset, command);
  return g_string_free(command, FALSE);
}

char *
debye_classroom_write_growth(const char *devices)
{
  return g_strdup_printf("debye-cli bench --sweep atoms=100:25600:x2 --sweep "
                         "kernel=direct,cutoff,multilevel%s%s --spacing 1 -o growth.svg",
                         devices != NULL ? " --sweep devices=" : "", devices != NULL ? devices : "");
}

static void
append_number(GString *command, const char *option, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_printf(command, " %s %s", option, g_ascii_formatd(number, sizeof number, "%g", value));
}

char *
debye_classroom_write_bins(DebyeDataset *dataset, const char *figure, const DebyeClassroomBinChoice *choice)
{
  GString *command = g_string_new("debye-cli bench --bins ");
  g_string_append(command, figure);
  append_number(command, "--bin-size", choice->edge);
  append_number(command, "--bin-capacity", choice->capacity);
  append_number(command, "--cutoff", choice->cutoff);
  append_number(command, "--spacing", choice->spacing);
  g_string_append_printf(command, " -o %s.svg", figure);
  append_files(dataset, command);
  return g_string_free(command, FALSE);
}

char *
debye_classroom_write_batches(const char *figure, const DebyeClassroomBatchChoice *choice)
{
  return g_strdup_printf(
      "debye-cli bench --batches %s --size 1,%zu,%zu,%zu --atom-block %zu --memory %.0fG -o %s.svg", figure,
      choice->n_atoms, choice->n_frames, choice->n_vectors, choice->block,
      choice->memory / DEBYE_CLASSROOM_GIB, figure);
}

/* One run per curve, as the lesson has them, then all in one plot. */
char *
debye_classroom_write_orientations(DebyeDataset *dataset)
{
  GString *command = g_string_new("for n in exact sphere:1 sphere:6 sphere:30 sphere:150 sphere:750; do "
                                  "debye-cli scattering --orientation $n --q 0.05:3:0.025 --frames 0 "
                                  "--select 'index < 5000' --box-correction=false -o I-${n#sphere:}.h5");
  append_files(dataset, command);
  g_string_append(command, "; done; debye-cli figure --log y -o orientations.svg "
                           "I-exact.h5+I-1.h5+I-6.h5+I-30.h5+I-150.h5+I-750.h5");
  return g_string_free(command, FALSE);
}
