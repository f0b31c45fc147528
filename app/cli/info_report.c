/* SPDX-License-Identifier: MIT */
/* Prints what debye-cli info has found out, for programs and for people; called by command_info.c. */
#include "info_report.h"

#include <math.h>
#include <stdio.h>

#include "app/document/json_writer.h"
#include "data/messages/decimal_text.h"
#include "data/molecule/altloc.h"
#include "data/selection/element_choice.h"

/* Kinds of atoms whose elements were decided from names or types, as many as a screen takes. */
#define KINDS_SHOWN 12

/* By DebyeElementSource, in JSON. */
static const char *const element_sources[] = {
    [DEBYE_ELEMENT_FROM_FILE] = "file",  [DEBYE_ELEMENT_FROM_MASS] = "mass",
    [DEBYE_ELEMENT_FROM_TYPE] = "type",  [DEBYE_ELEMENT_FROM_NAME] = "name",
    [DEBYE_ELEMENT_UNKNOWN] = "unknown", [DEBYE_ELEMENT_CHOSEN] = "chosen",
};

/* --- JSON --- */

static void
add_cell(DebyeJson *json, const DebyeInfo *info)
{
  if (!info->has_cell) {
    debye_json_null(json, "cell");
    return;
  }
  debye_json_open(json, "cell", '[');
  for (int i = 0; i < 3; i++)
    debye_json_number(json, NULL, info->lengths[i]);
  for (int i = 0; i < 3; i++)
    debye_json_number(json, NULL, info->angles[i]);
  debye_json_close(json, ']');
}

static void
add_time(DebyeJson *json, const DebyeInfo *info)
{
  if (!info->has_times) {
    debye_json_null(json, "time");
    return;
  }
  debye_json_open(json, "time", '{');
  debye_json_number(json, "first", info->first);
  debye_json_number(json, "last", info->last);
  debye_json_number(json, "step", info->step);
  debye_json_close(json, '}');
}

static void
add_elements(DebyeJson *json, const DebyeInfo *info)
{
  debye_json_open(json, "elements", '{');
  for (guint i = 1; i < DEBYE_N_ELEMENTS; i++)
    if (info->counts[i] > 0)
      debye_json_integer(json, debye_element_get((guint8)i)->symbol, (gint64)info->counts[i]);
  if (info->counts[0] > 0)
    debye_json_integer(json, "unknown", (gint64)info->counts[0]);
  debye_json_close(json, '}');
}

static void
add_element_sources(DebyeJson *json, const DebyeInfo *info)
{
  debye_json_open(json, "element_sources", '{');
  for (gsize i = 0; i < G_N_ELEMENTS(element_sources); i++)
    if (info->sources[i] > 0)
      debye_json_integer(json, element_sources[i], (gint64)info->sources[i]);
  debye_json_close(json, '}');
}

/* All kinds but those of which the file itself says what they are. */
static void
add_element_kinds(DebyeJson *json, const DebyeInfo *info)
{
  g_autoptr(GPtrArray) kinds = debye_element_kinds_new(info->topology);
  debye_json_open(json, "element_kinds", '[');
  for (guint i = 0; i < kinds->len; i++) {
    const DebyeElementKind *kind = kinds->pdata[i];
    if (kind->source == DEBYE_ELEMENT_FROM_FILE)
      continue;
    debye_json_open(json, NULL, '{');
    debye_json_string(json, "atoms", kind->atoms);
    debye_json_string(json, "element",
                      kind->element != 0 ? debye_element_get(kind->element)->symbol : "none");
    debye_json_string(json, "source", element_sources[kind->source]);
    debye_json_integer(json, "count", (gint64)kind->n_atoms);
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

static void
add_bonds(DebyeJson *json, const DebyeInfo *info)
{
  if (!info->has_bonds) {
    debye_json_null(json, "bonds");
    return;
  }
  debye_json_open(json, "bonds", '{');
  debye_json_integer(json, "file", (gint64)info->bonds.n_listed);
  debye_json_integer(json, "distances", (gint64)info->bonds.n_of_distances);
  debye_json_integer(json, "templates", (gint64)info->bonds.n_of_templates);
  debye_json_close(json, '}');
}

static void
add_check(DebyeJson *json, const DebyeInfoCheck *check)
{
  if (!check->is_told)
    return;
  debye_json_open(json, "check", '{');
  debye_json_integer(json, "frames", (gint64)check->n_checked);
  debye_json_integer(json, "bad_frames", (gint64)check->n_bad_frames);
  if (check->n_bad_frames > 0) {
    debye_json_integer(json, "first_frame", (gint64)check->first_frame);
    debye_json_integer(json, "first_atom", (gint64)check->first_atom);
  }
  debye_json_close(json, '}');
}

static void
add_vibrations(DebyeJson *json, const DebyeVibrations *vibrations)
{
  if (vibrations == NULL)
    return;
  debye_json_open(json, "vibrations", '[');
  for (guint i = 0; i < vibrations->modes->len; i++) {
    const DebyeVibration *mode = &g_array_index(vibrations->modes, DebyeVibration, i);
    debye_json_open(json, NULL, '{');
    debye_json_integer(json, "number", mode->number);
    debye_json_number(json, "wavenumber", mode->frequency);
    debye_json_number(json, "intensity", mode->intensity);
    debye_json_number(json, "reduced_mass", mode->reduced_mass);
    debye_json_close(json, '}');
  }
  debye_json_close(json, ']');
}

void
debye_info_print_json(const DebyeInfo *info)
{
  g_auto(DebyeJson) json = debye_json_begin();
  debye_json_integer(&json, "atoms", (gint64)debye_topology_get_n_atoms(info->topology));
  debye_json_integer(&json, "frames", (gint64)info->n_frames);
  add_cell(&json, info);
  add_time(&json, info);
  if (debye_topology_get_charges(info->topology) != NULL)
    debye_json_number(&json, "total_charge", debye_topology_get_total_charge(info->topology));
  else
    debye_json_null(&json, "total_charge");
  add_elements(&json, info);
  add_element_sources(&json, info);
  add_element_kinds(&json, info);
  debye_json_integer(&json, "residues", (gint64)debye_topology_get_n_residues(info->topology));
  debye_json_integer(&json, "alternates", (gint64)debye_topology_get_n_alternates(info->topology));
  add_bonds(&json, info);
  add_check(&json, &info->check);
  add_vibrations(&json, info->vibrations);
  debye_json_strings(&json, "format", debye_dataset_get_formats(info->dataset));
  debye_json_strings(&json, "warnings", (const char *const *)info->warnings);
  debye_json_print(&json);
}

/* --- For people --- */

static void
print_elements(const DebyeInfo *info)
{
  printf("Elements      ");
  for (guint i = 1; i < DEBYE_N_ELEMENTS; i++)
    if (info->counts[i] > 0)
      printf("%s %" G_GSIZE_FORMAT "  ", debye_element_get((guint8)i)->symbol, info->counts[i]);
  if (info->counts[0] > 0)
    printf("unknown %" G_GSIZE_FORMAT, info->counts[0]);
  printf("\n");
}

/* Nothing is said where the file itself says what its atoms are. */
static void
print_element_sources(const DebyeInfo *info)
{
  gsize n_atoms = debye_topology_get_n_atoms(info->topology);
  if (info->sources[DEBYE_ELEMENT_FROM_FILE] == n_atoms)
    return;
  printf("  decided by  ");
  for (guint i = 0; i < DEBYE_ELEMENT_SOURCES; i++)
    if (info->sources[i] > 0)
      printf("%s %" G_GSIZE_FORMAT "  ", debye_element_source_describe(i), info->sources[i]);
  printf("\n");
}

/* Those that may be wrong, with what to write after --element where they are. */
static void
print_element_kinds(const DebyeInfo *info)
{
  g_autoptr(GPtrArray) kinds = debye_element_kinds_new(info->topology);
  guint n_shown = 0, n_unsure = 0;
  for (guint i = 0; i < kinds->len; i++) {
    const DebyeElementKind *kind = kinds->pdata[i];
    if (kind->source == DEBYE_ELEMENT_FROM_FILE || kind->source == DEBYE_ELEMENT_FROM_MASS)
      continue;
    if (n_unsure++ >= KINDS_SHOWN)
      continue;
    n_shown++;
    printf("    %s=%s  %" G_GSIZE_FORMAT " by %s\n", kind->atoms,
           kind->element != 0 ? debye_element_get(kind->element)->symbol : "none", kind->n_atoms,
           debye_element_source_describe(kind->source));
  }
  if (n_unsure > n_shown)
    printf("    %u kinds more; --json tells all\n", n_unsure - n_shown);
}

static void
print_bonds(const DebyeInfo *info)
{
  const DebyeBondSources *bonds = &info->bonds;
  if (!info->has_bonds)
    return;
  printf("Bonds         ");
  if (bonds->n_listed > 0)
    printf("the file %" G_GSIZE_FORMAT "  ", bonds->n_listed);
  if (bonds->n_of_distances > 0 || bonds->n_listed == 0)
    printf("distances %" G_GSIZE_FORMAT "  ", bonds->n_of_distances);
  if (bonds->n_of_templates > 0)
    printf("templates %" G_GSIZE_FORMAT, bonds->n_of_templates);
  printf("\n");
  if (bonds->n_doubtful == 0)
    return;
  DebyeTopology *topology = debye_dataset_get_topology(info->dataset);
  const DebyeResidue *residue = &debye_topology_get_residue_table(topology)[bonds->first_doubtful];
  printf("  distances don't fit %" G_GSIZE_FORMAT
         " standard residue%s (the first: %s %d), whose names tell\n",
         bonds->n_doubtful, bonds->n_doubtful == 1 ? "" : "s",
         debye_string_pool_get(debye_topology_get_string_pool(topology), residue->name), residue->number);
}

/* Which of them other commands take. */
static void
print_alternates(const DebyeInfo *info)
{
  const gsize n_alternates = debye_topology_get_n_alternates(info->topology);
  if (n_alternates == 0)
    return;
  g_autoptr(DebyeTopology) chosen = debye_topology_choose_altloc(info->topology, DEBYE_ALTLOC_HIGHEST);
  printf("Alternates    other commands use %" G_GSIZE_FORMAT " of these %" G_GSIZE_FORMAT
         " atoms by default (--altloc)\n",
         n_alternates - (debye_topology_get_n_atoms(chosen) - debye_topology_get_n_counted(chosen)),
         n_alternates);
}

static void
print_check(const DebyeInfo *info)
{
  const DebyeInfoCheck *check = &info->check;
  gboolean is_whole = check->n_checked == info->n_frames;
  if (!check->is_told)
    return;
  printf("Checked       %" G_GSIZE_FORMAT, check->n_checked);
  if (!is_whole)
    printf(" of %" G_GSIZE_FORMAT, info->n_frames);
  printf(" frames: ");
  if (check->n_bad_frames == 0)
    printf("all coordinates are numbers");
  else
    printf("%" G_GSIZE_FORMAT " coordinates are not numbers, in %" G_GSIZE_FORMAT
           " frames; the first is atom %" G_GSIZE_FORMAT " of frame %" G_GSIZE_FORMAT,
           check->n_bad, check->n_bad_frames, check->first_atom, check->first_frame);
  printf(is_whole ? "\n" : "; --check reads all\n");
}

/* Imaginary ones as in the window: "250.5 i". */
static void
print_vibrations(const DebyeVibrations *vibrations)
{
  DebyeDecimalText number;
  for (guint i = 0; vibrations != NULL && i < vibrations->modes->len; i++) {
    const DebyeVibration *mode = &g_array_index(vibrations->modes, DebyeVibration, i);
    printf("%-14s%4u  %8s%s cm⁻¹", i == 0 ? "Vibrations" : "", mode->number,
           debye_decimal_text_format(&number, "%.1f", fabs(mode->frequency)),
           mode->frequency < 0.0 ? " i" : "  ");
    if (!isnan(mode->intensity))
      printf("  %8s km/mol", debye_decimal_text_format(&number, "%.1f", mode->intensity));
    if (!isnan(mode->reduced_mass))
      printf("  %6s u", debye_decimal_text_format(&number, "%.2f", mode->reduced_mass));
    printf("\n");
  }
}

void
debye_info_print_table(const DebyeInfo *info)
{
  const char *const *paths = debye_dataset_get_paths(info->dataset);
  const char *const *formats = debye_dataset_get_formats(info->dataset);
  DebyeDecimalText n[6];
  for (gsize i = 0; paths[i] != NULL; i++)
    printf("File          %s (%s)\n", paths[i], formats[i]);
  printf("Atoms         %" G_GSIZE_FORMAT "\n", debye_topology_get_n_atoms(info->topology));
  printf("Residues      %" G_GSIZE_FORMAT "\n", debye_topology_get_n_residues(info->topology));
  print_alternates(info);
  print_elements(info);
  print_element_sources(info);
  print_element_kinds(info);
  if (debye_topology_get_charges(info->topology) != NULL)
    printf("Total charge  %s e\n",
           debye_decimal_text_format(n, "%.6g",
                                     debye_charge_round(debye_topology_get_total_charge(info->topology))));
  else
    printf("Total charge  none given\n");
  print_bonds(info);
  printf("Frames        %" G_GSIZE_FORMAT "\n", info->n_frames);
  print_check(info);
  if (info->has_times && isnan(info->step))
    printf("Time          %s to %s ps, in uneven steps\n",
           debye_decimal_text_format(&n[0], "%.6g", info->first),
           debye_decimal_text_format(&n[1], "%.6g", info->last));
  else if (info->has_times)
    printf("Time          %s to %s ps, every %s ps\n", debye_decimal_text_format(&n[0], "%.6g", info->first),
           debye_decimal_text_format(&n[1], "%.6g", info->last),
           debye_decimal_text_format(&n[2], "%.6g", info->step));
  if (info->has_cell)
    printf("Cell          %s × %s × %s Å, %s° %s° %s°\n",
           debye_decimal_text_format(&n[0], "%.6g", info->lengths[0]),
           debye_decimal_text_format(&n[1], "%.6g", info->lengths[1]),
           debye_decimal_text_format(&n[2], "%.6g", info->lengths[2]),
           debye_decimal_text_format(&n[3], "%.6g", info->angles[0]),
           debye_decimal_text_format(&n[4], "%.6g", info->angles[1]),
           debye_decimal_text_format(&n[5], "%.6g", info->angles[2]));
  else
    printf("Cell          none\n");
  print_vibrations(info->vibrations);
}
