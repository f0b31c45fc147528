/* SPDX-License-Identifier: MIT */
/* Whether a program that is kept open all day stays as it is: a window opens, reads files, computes and
 * closes, again and again, and what the process holds of memory, threads, files and OpenGL objects is told
 * between. Needs a display:
 *
 *     bench_cycles CYCLES SPACING [FILE...]
 *
 * A spacing of 0 computes nothing, no file only opens and closes windows: that tells where something is left
 * over. Ends with 1 where memory has grown by more than 1 % in the second half, or threads, files or objects
 * are left over. Memory is then the median of the last tenth of each half: where glibc happens to have holes
 * makes single windows differ by some per cent. */
#include <epoxy/gl.h>
#include <malloc.h>
#include <stdlib.h>

#include "app/window/application.h"
#include "app/window/window_controller.h"

#define N_REPORTS 10
#define MOST_GROWTH 0.01
/* What the desktop's libraries keep is there after some windows. */
#define FIRST_CYCLES 10
#define SETTLE_MILLISECONDS 300

typedef struct {
  double memory; /* bytes: anonymous pages that are in use */
  double in_use; /* bytes of them that were allocated; the rest is what glibc keeps between them */
  guint n_threads, n_files;
  int n_objects;
} Holding;

/* --- OpenGL objects: made and not deleted --- */

static int n_objects;
static PFNGLGENTEXTURESPROC gen_textures, gen_buffers, gen_arrays, gen_framebuffers;
static PFNGLDELETETEXTURESPROC delete_textures, delete_buffers, delete_arrays, delete_framebuffers;

/* All of these have the same parameters: a number and names. */
#define COUNT_KIND(kind)                                          \
  static void count_gen_##kind(GLsizei n, GLuint *names)          \
  {                                                               \
    n_objects += n;                                               \
    gen_##kind(n, names);                                         \
  }                                                               \
  static void count_delete_##kind(GLsizei n, const GLuint *names) \
  {                                                               \
    for (GLsizei i = 0; i < n; i++)                               \
      n_objects -= names[i] != 0;                                 \
    delete_##kind(n, names);                                      \
  }
COUNT_KIND(textures)
COUNT_KIND(buffers)
COUNT_KIND(arrays)
COUNT_KIND(framebuffers)

#define WATCH(make, end, kind)     \
  gen_##kind = epoxy_##make;       \
  delete_##kind = epoxy_##end;     \
  epoxy_##make = count_gen_##kind; \
  epoxy_##end = count_delete_##kind

/* Once epoxy has looked the functions up, which it does when each is called first. */
static void
watch_objects(void)
{
  WATCH(glGenTextures, glDeleteTextures, textures);
  WATCH(glGenBuffers, glDeleteBuffers, buffers);
  WATCH(glGenVertexArrays, glDeleteVertexArrays, arrays);
  WATCH(glGenFramebuffers, glDeleteFramebuffers, framebuffers);
}

/* --- What the process holds --- */

static guint
count_entries(const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  guint n = 0;
  while (dir != NULL && g_dir_read_name(dir) != NULL)
    n++;
  return n;
}

static double
read_memory(void)
{
  g_autofree char *text = NULL;
  g_file_get_contents("/proc/self/status", &text, NULL, NULL);
  const char *line = text != NULL ? strstr(text, "RssAnon:") : NULL;
  return line != NULL ? 1024.0 * g_ascii_strtod(line + strlen("RssAnon:"), NULL) : 0.0;
}

static Holding
look(void)
{
  malloc_trim(0);
  const struct mallinfo2 heap = mallinfo2();
  return (Holding){read_memory(), (double)heap.uordblks + (double)heap.hblkhd,
                   count_entries("/proc/self/task"), count_entries("/proc/self/fd"), n_objects};
}

static void
report(guint cycle, const Holding *holding)
{
  g_print("| %u | %.1f | %.2f | %u | %u | %d |\n", cycle, holding->memory / 1e6, holding->in_use / 1e6,
          holding->n_threads, holding->n_files, holding->n_objects);
}

/* --- A cycle --- */

static gboolean
on_over(gpointer over)
{
  *(gboolean *)over = TRUE;
  return G_SOURCE_REMOVE;
}

static void
iterate_for(guint milliseconds)
{
  gboolean over = FALSE;
  g_timeout_add(milliseconds, on_over, &over);
  while (!over)
    g_main_context_iteration(NULL, TRUE);
}

static void
compute(DebyeWindowController *controller, const char *spacing)
{
  DebyeWindowComputing *computing = debye_window_controller_get_parts(controller)->computing;
  DebyeWindowAnalyses *analyses = debye_window_computing_get_analyses(computing);
  GListModel *results =
      debye_window_document_get_results(debye_window_controller_get_parts(controller)->document);
  DebyeAnalysisForm *form = debye_window_analyses_find_form(analyses, "map");
  debye_request_set(debye_analysis_form_get_request(form), "spacing", spacing, NULL);
  debye_window_computing_run_form(computing, form);
  while (g_list_model_get_n_items(results) == 0)
    g_main_context_iteration(NULL, TRUE);
}

static void
run_cycle(DebyeApplication *application, const char *spacing, const char *const *paths)
{
  DebyeWindowController *controller = debye_application_create_window(application);
  DebyeWindow *window =
      debye_window_document_get_window(debye_window_controller_get_parts(controller)->document);
  gpointer gone = window;
  g_object_add_weak_pointer(G_OBJECT(window), &gone);
  if (paths[0] != NULL)
    debye_window_opening_open(debye_window_controller_get_parts(controller)->opening, paths);
  while (paths[0] != NULL && debye_window_get_content(window) != DEBYE_WINDOW_OPEN)
    g_main_context_iteration(NULL, TRUE);
  if (g_ascii_strtod(spacing, NULL) > 0.0)
    compute(controller, spacing);
  iterate_for(SETTLE_MILLISECONDS);
  gtk_window_close(GTK_WINDOW(window));
  for (int i = 0; i < 20 && gone != NULL; i++)
    iterate_for(50);
  if (gone != NULL)
    g_error("the window is closed and still there, with %u references", G_OBJECT(gone)->ref_count);
}

static int
compare_numbers(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of the `n` numbers that end at `end`. */
static double
median_before(const double *end, gsize n)
{
  g_autofree double *sorted = g_memdup2(end - n, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, compare_numbers);
  return 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}

/* Of all `n` looks. */
static int
judge(const Holding *looks, gsize n)
{
  const gsize half = n / 2, few = MAX(1, half / 10);
  const Holding *before = &looks[half - 1], *after = &looks[n - 1];
  g_autofree double *memory = g_new(double, n);
  for (gsize i = 0; i < n; i++)
    memory[i] = looks[i].memory;
  const double growth = median_before(memory + n, few) / median_before(memory + half, few) - 1.0;
  g_print("\nIn the second half memory grew by %.2f %%, what of it is allocated by %.2f %%.\n",
          100.0 * growth, 100.0 * (after->in_use / before->in_use - 1.0));
  return growth > MOST_GROWTH || after->n_threads > before->n_threads || after->n_files > before->n_files ||
                 after->n_objects > before->n_objects
             ? EXIT_FAILURE
             : EXIT_SUCCESS;
}

int
main(int argc, char **argv)
{
  if (argc < 3) {
    g_printerr("usage: bench_cycles CYCLES SPACING [FILE...]\n");
    return 2;
  }
  const guint n = (guint)MAX(2 * FIRST_CYCLES, g_ascii_strtoull(argv[1], NULL, 10));
  g_autoptr(DebyeApplication) application = debye_application_new();
  g_autofree Holding *looks = g_new(Holding, n);
  g_application_set_flags(G_APPLICATION(application), G_APPLICATION_NON_UNIQUE);
  if (!g_application_register(G_APPLICATION(application), NULL, NULL))
    return EXIT_FAILURE;
  g_print("| cycles | memory, MB | allocated, MB | threads | files | OpenGL objects "
          "|\n|---|---|---|---|---|---|\n");
  for (guint cycle = 1; cycle <= n; cycle++) {
    run_cycle(application, argv[2], (const char *const *)argv + 3);
    if (cycle == 1)
      watch_objects();
    looks[cycle - 1] = look();
    if (cycle % MAX(1, n / N_REPORTS) == 0)
      report(cycle, &looks[cycle - 1]);
  }
  return judge(looks, n);
}
