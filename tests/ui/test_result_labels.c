/* SPDX-License-Identifier: MIT */
/* What a legend calls results that stand beside one another: by what differs between them. */
#include "ui/widgets/result_labels.h"

#include <locale.h>
#include <string.h>
#include <time.h>

#include "ui/forms/result_description.h"

static const DebyeChoice kinds[] = {
    {"coherent", "Coherent", "all with all"}, {"total", "Both", "all of it"}, {NULL, NULL, NULL}};
static const DebyeSetting settings[] = {
    {.key = "pair", .label = "Pairs", .kind = DEBYE_SETTING_SELECTION_PAIR, .repeated = TRUE, .help = "of"},
    {.key = "kind",
     .label = "Scattering",
     .kind = DEBYE_SETTING_CHOICE,
     .initial = "coherent",
     .choices = kinds,
     .help = "which"},
    {.key = "select", .label = "Atoms", .kind = DEBYE_SETTING_SELECTION, .initial = "all", .help = "which"},
    {.key = "frames", .label = "Frames", .kind = DEBYE_SETTING_FRAMES, .initial = "0:-1", .help = "which"},
    {.key = "temperature",
     .label = "Temperature",
     .symbol = "T",
     .unit = "K",
     .kind = DEBYE_SETTING_NUMBER,
     .initial = "300",
     .help = "how warm"},
    {.key = "solvent",
     .label = "Solvent",
     .unit = "10⁻⁶ Å⁻²",
     .kind = DEBYE_SETTING_TEXT,
     .initial = "none",
     .help = "density"},
    {.key = "exchange", .label = "H/D exchange", .kind = DEBYE_SETTING_TEXT, .repeated = TRUE, .help = "D"},
    {.key = "partials",
     .label = "Partials",
     .kind = DEBYE_SETTING_BOOLEAN,
     .initial = "false",
     .help = "too"},
    {.key = "unwrap", .label = "Unwrap", .kind = DEBYE_SETTING_BOOLEAN, .help = "as the data are"},
};
static const DebyeSettingTable table = {.id = "test",
                                        .title = "Test",
                                        .question = "?",
                                        .settings = settings,
                                        .n_settings = G_N_ELEMENTS(settings)};
static const DebyeSettingTable other_table = {.id = "other", .title = "Other", .question = "?"};

/* Of SALT.XTC; settings as key and value, ended by NULL. */
static void
add(GPtrArray *results, const DebyeSettingTable *of, const char *file, ...)
{
  const char *const inputs[] = {"salt.psf", file, NULL};
  g_autoptr(DebyeRequest) request = debye_request_new(of);
  va_list words;
  va_start(words, file);
  for (const char *key; (key = va_arg(words, const char *)) != NULL;)
    g_assert_true(debye_request_set(request, key, va_arg(words, const char *), NULL));
  va_end(words);
  DebyeResult *result = debye_result_new(request, of->title);
  debye_result_set_inputs(result, inputs);
  g_ptr_array_add(results, result);
}

static void
check(GPtrArray *results, const char *expected)
{
  g_auto(GStrv) labels = debye_result_labels(results);
  g_autofree char *all = g_strjoinv(" | ", labels);
  g_assert_cmpstr(all, ==, expected);
  g_ptr_array_set_size(results, 0);
}

static void
test_settings(void)
{
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(g_object_unref);
  check(results, "");
  add(results, &table, "salt.xtc", "frames", "0:24", NULL);
  check(results, "salt.xtc");
  add(results, &table, "salt.xtc", "frames", "25:50", "select", "ion", NULL);
  add(results, &table, "salt.xtc", "frames", "0:24", "select", "ion", NULL);
  check(results, "Frames 25:50 | Frames 0:24");
  add(results, &table, "salt.xtc", NULL);
  add(results, &table, "salt.xtc", "frames", "0:24", NULL);
  check(results, "all frames | Frames 0:24");
  add(results, &table, "salt.xtc", "temperature", "350", "kind", "total", NULL);
  add(results, &table, "salt.xtc", "partials", "true", NULL);
  check(results, "Both, T = 350 K | Coherent, T = 300 K, Partials");
  add(results, &table, "salt.xtc", "select", "resname LYS and not name CA CB CG", NULL);
  add(results, &table, "salt.xtc", NULL);
  check(results, "Atoms resname LYS and not nam… | Atoms all");
  add(results, &table, "salt.xtc", "solvent", "6.4", NULL);
  add(results, &table, "salt.xtc", "solvent", "select:water", NULL);
  add(results, &table, "salt.xtc", NULL);
  check(results, "Solvent 6.4 10⁻⁶ Å⁻² | Solvent select:water | Solvent none");
}

/* A person's own name stands for all else; the others are told apart as before. */
static void
test_names(void)
{
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(g_object_unref);
  add(results, &table, "salt.xtc", "frames", "25:50", NULL);
  add(results, &table, "salt.xtc", "frames", "0:24", NULL);
  debye_result_set_name(g_ptr_array_index(results, 0), "  equilibrated ");
  check(results, "equilibrated | Frames 0:24");
  add(results, &table, "salt.xtc", "frames", "25:50", NULL);
  debye_result_set_name(g_ptr_array_index(results, 0), " ");
  check(results, "salt.xtc");
}

/* What was not asked for keeps the file's name, and so do runs that are the same or differ in their pairs. */
static void
test_equal(void)
{
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(g_object_unref);
  add(results, &table, "salt.xtc", "partials", "true", NULL);
  add(results, &table, "salt.xtc", "pair", "ion | water", NULL);
  add(results, &table, "salt.xtc", NULL);
  check(results, "Partials | salt.xtc #2 | salt.xtc");
}

static void
test_contrast(void)
{
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(g_object_unref);
  add(results, &table, "salt.xtc", "exchange", "water=0.36", NULL);
  add(results, &table, "salt.xtc", "exchange", "water=1", NULL);
  add(results, &table, "salt.xtc", NULL);
  check(results, "36 % D | 100 % D | salt.xtc");
  add(results, &table, "salt.xtc", "exchange", "water=1", NULL);
  add(results, &table, "salt.xtc", "exchange", "protein=1", NULL);
  check(results, "H/D exchange water=1 | H/D exchange protein=1");
}

static void
test_files(void)
{
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(g_object_unref);
  add(results, &table, "warm.xtc", "frames", "0:24", NULL);
  add(results, &table, "cold.xtc", "frames", "0:24", NULL);
  check(results, "warm.xtc | cold.xtc");
  add(results, &other_table, "salt.xtc", NULL);
  add(results, &table, "salt.xtc", "frames", "0:24", NULL);
  check(results, "Other | Test");
}

/* The window asks with every result that comes: of a thousand it isn't kept. */
static void
test_many(void)
{
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(g_object_unref);
  for (int i = 0; i < 1000; i++) {
    g_autofree char *frames = g_strdup_printf("0:%d", i);
    add(results, &table, "salt.xtc", "frames", frames, NULL);
  }
  const clock_t start = clock();
  g_auto(GStrv) labels = debye_result_labels(results);
  g_assert_cmpfloat((double)(clock() - start) / CLOCKS_PER_SEC, <, 0.1);
  g_assert_cmpstr(labels[0], ==, "Frames 0:0");
  g_assert_cmpstr(labels[999], ==, "Frames 0:999");
}

/* The tooltip of a result says when it was made, by which version and on what; where its file doesn't know
 * the time, nothing. */
static void
test_origin(void)
{
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(g_object_unref);
  g_autoptr(GDateTime) made = g_date_time_new_local(2026, 7, 4, 9, 5, 30.25);
  add(results, &table, "salt.xtc", "select", "ion", NULL);
  DebyeResult *result = results->pdata[0];
  debye_result_set_origin(result, made, "0.0.7");
  g_autofree char *short_one = debye_result_describe(result);
  g_assert_cmpstr(short_one, ==,
                  "Test\nsalt.psf, salt.xtc\nAtoms: ion\nMade 4 July 2026, 09:05 with Debye 0.0.7");
  debye_result_set_wall_time(result, 12.0);
  debye_result_add_note_of(result, DEBYE_NOTE_FRAMES, NULL, "Frames: 0:50, 51 of 51 used");
  debye_result_add_note_of(result, DEBYE_NOTE_DEVICE, "NVIDIA H200",
                           "Device cuda:0 (NVIDIA H200): 64 slabs in 0.8 s");
  debye_result_add_note_of(result, DEBYE_NOTE_DEVICE, "NVIDIA H200",
                           "Device cuda:1 (NVIDIA H200): 64 slabs in 0.8 s");
  debye_result_add_note_of(result, DEBYE_NOTE_DEVICE, "AMD(R) EPYC",
                           "Device cpu (AMD(R) EPYC): 3 slabs in 0.8 s");
  g_autofree char *whole = debye_result_describe(result);
  g_assert_true(g_str_has_suffix(whole,
                                 "\nFrames: 0:50, 51 of 51 used\nMade 4 July 2026, 09:05 with Debye 0.0.7, "
                                 "in 12 s on NVIDIA H200 + AMD(R) EPYC"));
  debye_result_set_origin(result, made, NULL);
  g_autofree char *by_whom = debye_result_describe(result);
  g_assert_nonnull(strstr(by_whom, "\nMade 4 July 2026, 09:05, in 12 s on"));
  debye_result_set_origin(result, NULL, NULL);
  g_autofree char *when = debye_result_describe(result);
  g_assert_null(strstr(when, "Made"));
}

/* A switch that the data set where nobody does tells which way a hand set it. */
static void
test_switched_off(void)
{
  g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(g_object_unref);
  add(results, &table, "salt.xtc", "unwrap", "false", NULL);
  add(results, &table, "salt.xtc", "unwrap", "true", "partials", "false", NULL);
  g_autofree char *off = debye_result_describe(results->pdata[0]);
  g_autofree char *on = debye_result_describe(results->pdata[1]);
  g_assert_nonnull(strstr(off, "\nUnwrap: off"));
  g_assert_true(strstr(on, "\nUnwrap") != NULL && strstr(on, "off") == NULL);
}

int
main(int argc, char **argv)
{
  setlocale(LC_ALL, "C.UTF-8");
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/result-labels/settings", test_settings);
  g_test_add_func("/result-labels/origin", test_origin);
  g_test_add_func("/result-labels/switched-off", test_switched_off);
  g_test_add_func("/result-labels/names", test_names);
  g_test_add_func("/result-labels/equal", test_equal);
  g_test_add_func("/result-labels/contrast", test_contrast);
  g_test_add_func("/result-labels/files", test_files);
  g_test_add_func("/result-labels/many", test_many);
  return g_test_run();
}
