/* SPDX-License-Identifier: MIT */
/* Writes water of any size, for end_to_end.py.
 *
 *   make_water FOLDER N N_FRAMES
 *
 * N³ molecules (TIP3P's geometry) on a cubic lattice of 3.1 Å, turned at random, shaken by 0.3 Å in each frame: water.gro,
 * water.xtc and water.dcd. The same numbers give the same files. */
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/files/error.h"
#include "data/molecule/frame.h"
#include "data/trajectory/format_list.h"

#define SPACING 3.1 /* Å: 1 g/cm³ */
#define SHAKE 0.3   /* Å */
#define BOND 0.9572 /* Å */
#define ANGLE (104.52 * G_PI / 180.0)

static guint64 state = 1;

/* SplitMix64 (Steele, Lea and Flood 2014), 0 to 1. */
static double
next_random(void)
{
  guint64 z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Hydrogens in a plane through a random axis. */
static void
place_molecule(DebyeFrame *frame, gsize first, const double centre[3])
{
  const double z = 2.0 * next_random() - 1.0, phi = 2.0 * G_PI * next_random(),
               psi = 2.0 * G_PI * next_random();
  const double s = sqrt(1.0 - z * z), axis[3] = {s * cos(phi), s * sin(phi), z};
  const double u[3] = {-sin(phi), cos(phi), 0.0};
  const double v[3] = {-axis[2] * u[1], axis[2] * u[0], axis[0] * u[1] - axis[1] * u[0]};
  float *const to[3] = {frame->x, frame->y, frame->z};
  for (int k = 0; k < 3; k++) {
    const double side = cos(psi) * u[k] + sin(psi) * v[k];
    const double place = centre[k] + SHAKE * (next_random() - 0.5);
    to[k][first] = (float)place;
    for (int h = 0; h < 2; h++)
      to[k][first + 1 + (gsize)h] = (float)(place + BOND * (cos(0.5 * ANGLE) * axis[k] +
                                                            (h == 0 ? 1.0 : -1.0) * sin(0.5 * ANGLE) * side));
  }
}

static void
make_frame(DebyeFrame *frame, gsize n, gsize number)
{
  const double length = SPACING * (double)n;
  for (gsize m = 0; m < n * n * n; m++)
    place_molecule(frame, 3 * m,
                   (const double[3]){SPACING * ((double)(m % n) + 0.5), SPACING * ((double)(m / n % n) + 0.5),
                                     SPACING * ((double)(m / n / n) + 0.5)});
  frame->has_cell = TRUE;
  frame->cell = (DebyeCell){.a = {length, 0.0, 0.0}, .b = {0.0, length, 0.0}, .c = {0.0, 0.0, length}};
  frame->index = number;
  frame->time = (double)number;
  frame->step = (gint64)number;
}

static void
fail(const char *path, const GError *error)
{
  fprintf(stderr, "make_water: %s: %s\n", path, error != NULL ? error->message : "can't be written");
  exit(1);
}

static void
write_structure(const char *path, const DebyeFrame *frame)
{
  static const char *const names[3] = {"OW", "HW1", "HW2"};
  FILE *file = g_fopen(path, "w");
  if (file == NULL)
    fail(path, NULL);
  fprintf(file, "Water on a lattice\n%zu\n", frame->n_atoms);
  for (gsize i = 0; i < frame->n_atoms; i++)
    fprintf(file, "%5zu%-5s%5s%5zu%8.3f%8.3f%8.3f\n", (i / 3 + 1) % 100000, "SOL", names[i % 3],
            (i + 1) % 100000, 0.1 * (double)frame->x[i], 0.1 * (double)frame->y[i],
            0.1 * (double)frame->z[i]);
  fprintf(file, "%.5f %.5f %.5f\n", 0.1 * frame->cell.a.x, 0.1 * frame->cell.b.y, 0.1 * frame->cell.c.z);
  if (fclose(file) != 0)
    fail(path, NULL);
}

typedef struct {
  const DebyeFormat *format;
  char *path;
  GFileOutputStream *stream;
  gpointer writer;
} Output;

static Output
open_output(const DebyeFormat *format, const char *folder, gsize n_atoms, gsize n_frames)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *name = g_strconcat("water.", format->suffixes[0], NULL);
  Output output = {.format = format, .path = g_build_filename(folder, name, NULL)};
  g_autoptr(GFile) file = g_file_new_for_path(output.path);
  output.stream = g_file_replace(file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error);
  if (output.stream != NULL)
    output.writer = format->writer_new(G_OUTPUT_STREAM(output.stream), NULL, n_atoms, n_frames, &error);
  if (output.writer == NULL)
    fail(output.path, error);
  return output;
}

static void
close_output(Output *output)
{
  g_autoptr(GError) error = NULL;
  if (!output->format->writer_finish(output->writer, &error) ||
      !g_output_stream_close(G_OUTPUT_STREAM(output->stream), NULL, &error))
    fail(output->path, error);
  g_object_unref(output->stream);
  g_free(output->path);
}

int
main(int argc, char **argv)
{
  if (argc != 4) {
    fputs("usage: make_water FOLDER N N_FRAMES\n", stderr);
    return 2;
  }
  const gsize n = strtoul(argv[2], NULL, 10), n_frames = strtoul(argv[3], NULL, 10), n_atoms = 3 * n * n * n;
  g_autoptr(DebyeFrame) frame = debye_frame_new(n_atoms);
  g_autofree char *structure = g_build_filename(argv[1], "water.gro", NULL);
  Output outputs[] = {open_output(&debye_format_xtc, argv[1], n_atoms, n_frames),
                      open_output(&debye_format_dcd, argv[1], n_atoms, n_frames)};
  for (gsize k = 0; k < n_frames; k++) {
    g_autoptr(GError) error = NULL;
    make_frame(frame, n, k);
    if (k == 0)
      write_structure(structure, frame);
    for (gsize i = 0; i < G_N_ELEMENTS(outputs); i++)
      if (!outputs[i].format->write_frame(outputs[i].writer, frame, &error))
        fail(outputs[i].path, error);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(outputs); i++)
    close_output(&outputs[i]);
  return 0;
}
