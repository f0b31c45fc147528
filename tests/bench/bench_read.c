/* SPDX-License-Identifier: MIT */
/* How fast a trajectory is read on one thread, against a plain read of the same file in the same run.
 *
 *   bench_read FILE [REPEAT [STRUCTURE]]
 *
 * The file is read once beforehand, so that all of it comes from the page cache. The best of REPEAT (default
 * 5) passes counts, by the clock and by the thread's processor time (which other work on the machine hardly
 * changes). STRUCTURE is for trajectories that don't say how many atoms they have. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "data/trajectory/dataset.h"

#define BLOCK (1u << 20)

typedef struct {
  double seconds, processor_seconds;
  double bytes;
  gsize frames;
} Pass;

static double
seconds_since(gint64 begin)
{
  return 1e-6 * (double)(g_get_monotonic_time() - begin);
}

static double
get_processor_seconds(void)
{
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static Pass
read_plainly(const char *path)
{
  g_autofree char *block = g_malloc(BLOCK);
  gint64 begin = g_get_monotonic_time();
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  Pass pass = {0};
  for (gssize n; fd >= 0 && (n = read(fd, block, BLOCK)) > 0;)
    pass.bytes += (double)n;
  if (fd >= 0)
    close(fd);
  pass.seconds = seconds_since(begin);
  return pass;
}

static Pass
read_frames(DebyeTrajectory *trajectory)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(debye_trajectory_get_n_atoms(trajectory));
  double processor_begin = get_processor_seconds();
  gint64 begin = g_get_monotonic_time();
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, &error);
  Pass pass = {.frames = debye_trajectory_get_n_frames(trajectory)};
  for (gsize k = 0; k < pass.frames; k++)
    if (!reader || !debye_trajectory_reader_read(reader, k, frame, &error))
      g_error("%s", error->message);
  pass.seconds = seconds_since(begin);
  pass.processor_seconds = get_processor_seconds() - processor_begin;
  return pass;
}

int
main(int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  int repeat = argc > 2 ? atoi(argv[2]) : 5;
  if (argc < 2 || repeat < 1) {
    fprintf(stderr, "usage: bench_read FILE [REPEAT [STRUCTURE]]\n");
    return 2;
  }
  const char *const paths[] = {argv[1], argc > 3 ? argv[3] : NULL, NULL};
  Pass plain = read_plainly(argv[1]);
  double processor_begin = get_processor_seconds();
  gint64 begin = g_get_monotonic_time();
  g_autoptr(DebyeDataset) dataset = debye_dataset_open(paths, NULL, NULL, &error);
  double opening = seconds_since(begin), processor_opening = get_processor_seconds() - processor_begin;
  if (!dataset) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
  }
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  Pass frames = read_frames(trajectory);
  plain = read_plainly(argv[1]);
  for (int k = 1; k < repeat; k++) {
    Pass again = read_frames(trajectory), plain_again = read_plainly(argv[1]);
    frames.seconds = MIN(frames.seconds, again.seconds);
    frames.processor_seconds = MIN(frames.processor_seconds, again.processor_seconds);
    plain = plain_again.seconds < plain.seconds ? plain_again : plain;
  }
  double n_atoms = (double)debye_trajectory_get_n_atoms(trajectory);
  printf("%" G_GSIZE_FORMAT " frames of %.0f atoms, opened in %.2f ms (%.2f ms of processor time)\n",
         frames.frames, n_atoms, 1e3 * opening, 1e3 * processor_opening);
  printf("frames  %10.0f frames/s  %8.0f MB/s  %6.2f ns an atom\n", (double)frames.frames / frames.seconds,
         1e-6 * plain.bytes / frames.seconds, 1e9 * frames.seconds / ((double)frames.frames * n_atoms));
  printf("        %10.0f frames/s of processor time\n", (double)frames.frames / frames.processor_seconds);
  printf("plain   %10s           %8.0f MB/s  ratio %.2f\n", "", 1e-6 * plain.bytes / plain.seconds,
         plain.seconds / frames.seconds);
  return 0;
}
