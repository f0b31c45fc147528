/* SPDX-License-Identifier: MIT */
/* Frames for the screen: what was asked for last arrives, on the main thread; what fails says so; nothing
 * comes after the end. */
#include <glib/gstdio.h>
#include <string.h>

#include "app/frames/frame_loader.h"
#include "data/work/threads.h"
#include "data/trajectory/dataset.h"

#define N_FRAMES 40
#define PATIENCE (20 * G_USEC_PER_SEC) /* for a machine that is busy */

typedef struct {
  char *folder, *path;
  DebyeDataset *dataset;
  DebyeFrameLoader *loader;
  guint n_loaded;
  gsize last;
  float last_x, placed_x;
  char *reason;
} Fixture;

/* Frame k has its atom at x = k, in a cell of 10 Å. */
static void
write_trajectory(const char *path)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (int k = 0; k < N_FRAMES; k++)
    g_string_append_printf(text, "1\nLattice=\"10 0 0 0 10 0 0 0 10\"\nC %d.0 0.0 0.0\n", k);
  g_assert_true(g_file_set_contents(path, text->str, -1, NULL));
}

static void
on_loaded(Fixture *fixture, DebyeFrame *frame, DebyeFrame *placed)
{
  g_assert_true(g_main_context_is_owner(g_main_context_default()));
  fixture->n_loaded++;
  fixture->last = frame->index;
  fixture->last_x = frame->x[0];
  fixture->placed_x = placed->x[0];
}

static void
on_failed(Fixture *fixture, const char *reason)
{
  g_free(fixture->reason);
  fixture->reason = g_strdup(reason);
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GError *error = NULL;
  fixture->folder = g_dir_make_tmp("debye-frames-XXXXXX", &error);
  g_assert_no_error(error);
  fixture->path = g_build_filename(fixture->folder, "line.xyz", NULL);
  write_trajectory(fixture->path);
  fixture->dataset = debye_dataset_open((const char *const[]){fixture->path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  fixture->loader = debye_frame_loader_new(debye_dataset_get_trajectory(fixture->dataset));
  fixture->last = G_MAXSIZE;
  g_signal_connect_swapped(fixture->loader, "loaded", G_CALLBACK(on_loaded), fixture);
  g_signal_connect_swapped(fixture->loader, "failed", G_CALLBACK(on_failed), fixture);
}

static void
remove_folder(const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_unlink(path);
  }
  g_rmdir(folder);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_object_unref(fixture->loader);
  debye_threads_wait_for_all();
  g_object_unref(fixture->dataset);
  remove_folder(fixture->folder);
  g_free(fixture->folder);
  g_free(fixture->path);
  g_free(fixture->reason);
}

/* Runs the main loop until `frame` is there. */
static void
wait_for(Fixture *fixture, gsize frame)
{
  gint64 deadline = g_get_monotonic_time() + PATIENCE;
  while (fixture->last != frame && fixture->reason == NULL && g_get_monotonic_time() < deadline) {
    g_main_context_iteration(NULL, FALSE);
    g_usleep(500);
  }
  g_assert_cmpstr(fixture->reason, ==, NULL);
  g_assert_cmpuint(fixture->last, ==, frame);
}

static void
test_frames(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const gsize wanted[] = {7, 0, N_FRAMES - 1, 7};
  for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++) {
    debye_frame_loader_request(fixture->loader, wanted[i]);
    wait_for(fixture, wanted[i]);
    g_assert_cmpfloat(fixture->last_x, ==, (float)wanted[i]);
    g_assert_cmpfloat(fixture->placed_x, ==, (float)wanted[i]);
  }
  g_assert_cmpuint(fixture->n_loaded, ==, G_N_ELEMENTS(wanted));
  g_assert_null(fixture->reason);
}

/* The frame as the file has it comes with the one that is drawn; the same frame again where only the placing
 * changes, or the one that is shown where none was asked for. */
static void
test_placing(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  DebyeTopology *topology = debye_dataset_get_topology(fixture->dataset);
  debye_frame_loader_set_placing(fixture->loader, topology, DEBYE_PLACING_CELL, 12);
  wait_for(fixture, 12);
  g_assert_cmpfloat(fixture->last_x, ==, 12.0f);
  g_assert_cmpfloat(fixture->placed_x, ==, 2.0f);
  debye_frame_loader_request(fixture->loader, 37);
  wait_for(fixture, 37);
  g_assert_cmpfloat(fixture->placed_x, ==, 7.0f);
  fixture->last = G_MAXSIZE;
  debye_frame_loader_set_placing(fixture->loader, topology, DEBYE_PLACING_FILE, 12);
  wait_for(fixture, 37);
  g_assert_cmpfloat(fixture->placed_x, ==, 37.0f);
}

/* Every frame is drawn where the reference is; what can't be superposed is drawn where it is, and told once. */
static void
test_alignment(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const DebyeAlignment on_fifth = {(char *)"all", (char *)"frame:5", FALSE}, none = {0};
  static const DebyeAlignment wrong = {(char *)"all", (char *)"frame:x", FALSE};
  debye_frame_loader_set_alignment(fixture->loader, fixture->dataset, &on_fifth, 12);
  wait_for(fixture, 12);
  g_assert_cmpfloat(fixture->last_x, ==, 12.0f);
  g_assert_cmpfloat_with_epsilon(fixture->placed_x, 5.0f, 1e-5f);
  debye_frame_loader_request(fixture->loader, 31);
  wait_for(fixture, 31);
  g_assert_cmpfloat_with_epsilon(fixture->placed_x, 5.0f, 1e-5f);
  fixture->last = G_MAXSIZE;
  debye_frame_loader_set_alignment(fixture->loader, fixture->dataset, &none, 12);
  wait_for(fixture, 31);
  g_assert_cmpfloat(fixture->placed_x, ==, 31.0f);
  debye_frame_loader_set_alignment(fixture->loader, fixture->dataset, &wrong, 12);
  gint64 deadline = g_get_monotonic_time() + PATIENCE;
  while (fixture->reason == NULL && g_get_monotonic_time() < deadline)
    g_main_context_iteration(NULL, FALSE);
  g_assert_nonnull(strstr(fixture->reason, "frame"));
  g_assert_cmpfloat(fixture->placed_x, ==, 31.0f);
  g_clear_pointer(&fixture->reason, g_free);
  debye_frame_loader_request(fixture->loader, 8);
  wait_for(fixture, 8);
  g_assert_cmpfloat(fixture->placed_x, ==, 8.0f);
}

/* A hand that scrubs: only the newest of what waits is read. At most one frame was ready when the requests
 * ended, one was being read, and then comes the last. */
static void
test_newest_wins(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (int round = 0; round < 25; round++)
    for (gsize k = 0; k < N_FRAMES; k++)
      debye_frame_loader_request(fixture->loader, k);
  wait_for(fixture, N_FRAMES - 1);
  g_assert_cmpuint(fixture->n_loaded, <=, 3);
}

static void
test_failure(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  /* Moved aside and back: a file that is written anew may or may not have the number of the old one. */
  g_autofree char *aside = g_strconcat(fixture->path, ".aside", NULL);
  g_assert_cmpint(g_rename(fixture->path, aside), ==, 0);
  debye_frame_loader_request(fixture->loader, 3);
  gint64 deadline = g_get_monotonic_time() + PATIENCE;
  while (fixture->reason == NULL && g_get_monotonic_time() < deadline)
    g_main_context_iteration(NULL, FALSE);
  g_assert_nonnull(fixture->reason);
  g_assert_nonnull(strstr(fixture->reason, "line.xyz"));
  g_assert_cmpuint(fixture->n_loaded, ==, 0);

  /* The file is back: the next request is as good as any. */
  g_assert_cmpint(g_rename(aside, fixture->path), ==, 0);
  g_clear_pointer(&fixture->reason, g_free);
  debye_frame_loader_request(fixture->loader, 4);
  wait_for(fixture, 4);
}

static void
test_stop(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  debye_frame_loader_request(fixture->loader, 5);
  debye_frame_loader_stop(fixture->loader);
  for (int i = 0; i < 50; i++) {
    g_main_context_iteration(NULL, FALSE);
    g_usleep(1000);
  }
  g_assert_cmpuint(fixture->n_loaded, ==, 0);
  debye_frame_loader_stop(fixture->loader); /* again does nothing */
}

/* Whether a thread of this name runs here. */
static gboolean
has_thread(const char *name)
{
  g_autoptr(GDir) tasks = g_dir_open("/proc/self/task", 0, NULL);
  const char *task;
  while ((task = g_dir_read_name(tasks)) != NULL) {
    g_autofree char *path = g_build_filename("/proc/self/task", task, "comm", NULL), *found = NULL;
    if (g_file_get_contents(path, &found, NULL, NULL) && g_str_equal(g_strchomp(found), name))
      return TRUE;
  }
  return FALSE;
}

/* A frame that takes a tenth of a second and more: nobody waits for its end, but who asks to. */
static void
test_slow_read(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) text = g_string_new("600000\nframe\n");
  for (int i = 0; i < 600000; i++)
    g_string_append(text, "C 1.234567 2.345678 3.456789\n");
  g_assert_true(g_file_set_contents(fixture->path, text->str, (gssize)text->len, NULL));
  g_autoptr(DebyeDataset) large =
      debye_dataset_open((const char *const[]){fixture->path, NULL}, NULL, NULL, &error);
  g_assert_no_error(error);
  debye_frame_loader_set_trajectory(fixture->loader, debye_dataset_get_trajectory(large));
  debye_frame_loader_request(fixture->loader, 0);
  g_usleep(G_USEC_PER_SEC / 100);
  debye_frame_loader_stop(fixture->loader);
  g_assert_true(has_thread("debye-frames"));
  debye_threads_wait_for_all();
  g_assert_cmpuint(fixture->n_loaded, ==, 0);
}

static void
add(const char *path, void (*test)(Fixture *, gconstpointer))
{
  g_test_add(path, Fixture, NULL, set_up, test, tear_down);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  add("/frame-loader/frames", test_frames);
  add("/frame-loader/placing", test_placing);
  add("/frame-loader/alignment", test_alignment);
  add("/frame-loader/newest-wins", test_newest_wins);
  add("/frame-loader/failure", test_failure);
  add("/frame-loader/stop", test_stop);
  add("/frame-loader/slow-read", test_slow_read);
  return g_test_run();
}
