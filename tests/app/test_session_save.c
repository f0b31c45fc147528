/* SPDX-License-Identifier: MIT */
/* Sessions with results: each result has a file that holds it and nothing else, is written once, and the
 * thread that saves changes nothing of it. */
#include <glib/gstdio.h>
#include <string.h>

#include "app/document/result_command.h"
#include "app/document/session_save.h"
#include "data/files/picture_origin.h"

static const DebyeSetting settings[] = {
    {.key = "bins",
     .label = "Bins",
     .kind = DEBYE_SETTING_INTEGER,
     .minimum = 1.0,
     .maximum = 10.0,
     .help = "n"},
    {.key = "data", .label = "Data", .kind = DEBYE_SETTING_TEXT, .help = "file"},
};
static const DebyeSettingTable table = {.id = "test",
                                        .title = "Test",
                                        .question = "?",
                                        .settings = settings,
                                        .n_settings = G_N_ELEMENTS(settings)};

typedef struct {
  char *folder, *path, *input;
  DebyeResult *result, *other;
} Fixture;

static DebyeResult *
create_result(const char *input, double last)
{
  static const DebyeQuantity distance = {"distance", "r", "Å"}, pairs = {"pairs", "g(r)", NULL};
  static const double x[] = {0.0, 1.0, 2.0};
  const double y[] = {1.0, 2.0, last};
  g_autoptr(DebyeRequest) request = debye_request_new(&table);
  DebyeResult *result = debye_result_new(request, "Test");
  g_autoptr(DebyeCurve) curve =
      debye_curve_new("g", &distance, &pairs, DEBYE_CURVE_LINE, G_N_ELEMENTS(x), x, y, NULL);
  debye_result_add_curve(result, curve);
  debye_result_set_inputs(result, (const char *const[]){input, NULL});
  return result;
}

static void
set_up(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  fixture->folder = g_dir_make_tmp("debye-save-XXXXXX", &error);
  g_assert_no_error(error);
  fixture->path = g_build_filename(fixture->folder, "work.debye", NULL);
  fixture->input = g_build_filename(fixture->folder, "input.xyz", NULL);
  g_assert_true(g_file_set_contents(fixture->input, "1\n\nC 0 0 0\n", -1, NULL));
  fixture->result = create_result(fixture->input, 3.0);
  fixture->other = create_result(fixture->input, 4.0);
}

static void
remove_folder(const char *folder)
{
  g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
  for (const char *name; entries != NULL && (name = g_dir_read_name(entries)) != NULL;) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    remove_folder(path);
  }
  g_remove(folder);
}

static void
tear_down(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  remove_folder(fixture->folder);
  g_object_unref(fixture->result);
  g_object_unref(fixture->other);
  g_free(fixture->folder);
  g_free(fixture->path);
  g_free(fixture->input);
}

static gpointer
run_save(gpointer save)
{
  g_autoptr(GError) error = NULL;
  DebyeSession *session = debye_session_save_run(save, NULL, &error);
  g_assert_no_error(error);
  return session;
}

/* As a window does: collected here, written on a thread, remembered here. */
static DebyeSession *
save(Fixture *fixture)
{
  GVariantDict values;
  g_variant_dict_init(&values, NULL);
  DebyeSessionResults *results = debye_session_results_new(fixture->path);
  debye_session_results_add(results, fixture->result);
  debye_session_results_add(results, fixture->other);
  DebyeSessionSave *saving =
      debye_session_save_new(fixture->path, g_variant_dict_end(&values), results, NULL);
  DebyeSession *session = g_thread_join(g_thread_new("save", run_save, saving));
  debye_session_save_remember(saving);
  debye_session_save_free(saving);
  g_assert_cmpuint(debye_session_get_n_files(session), ==, 2);
  return session;
}

static const char *
path_of(DebyeSession *session, guint index)
{
  return debye_session_get_file(session, index)->path;
}

static void export(DebyeResult *result, const char *path)
{
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_result_save(result, path, NULL, &error));
  g_assert_no_error(error);
}

static gint64
get_time(const char *path)
{
  GStatBuf status;
  g_assert_cmpint(g_stat(path, &status), ==, 0);
  return (gint64)status.st_mtim.tv_sec * G_USEC_PER_SEC + status.st_mtim.tv_nsec / 1000;
}

/* The folder, which may have the name of a person, is not in a picture that the window writes. */
static void
test_names_without_folders(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  g_assert_true(debye_request_set(debye_result_get_request(fixture->result), "data", fixture->path, &error));
  g_autofree char *command = debye_result_command_of_names(fixture->result);
  g_assert_cmpstr(command, ==, "debye-cli test --data work.debye input.xyz");
  g_autofree char *whole = debye_result_command(fixture->result, NULL);
  g_assert_nonnull(strstr(whole, fixture->folder));
  g_autoptr(DebyePictureOrigin) origin = debye_picture_origin_new("input.xyz", command);
  g_assert_true(debye_picture_origin_add_input(origin, fixture->input, &error));
  debye_picture_origin_drop_folders(origin);
  g_autofree char *text = debye_picture_origin_to_text(origin);
  g_assert_null(strstr(text, fixture->folder));
  g_assert_true(g_str_has_suffix(text, " 11 input.xyz\n"));
}

static void
test_names_without_inputs(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  debye_result_set_inputs(fixture->result, (const char *const[]){NULL});
  debye_result_set_command(fixture->result, "debye-cli map -o /home/somebody/a.h5\ndebye-cli field a.h5");
  g_assert_null(debye_result_command_of_names(fixture->result));
}

/* Each into a file of its own beside the session, and only the first time. */
static void
test_written_once(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(DebyeSession) first = save(fixture);
  g_assert_cmpstr(path_of(first, 0), !=, path_of(first, 1));
  gint64 written = get_time(path_of(first, 0));
  g_usleep(20 * 1000);
  g_autoptr(DebyeSession) second = save(fixture);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpstr(path_of(first, i), ==, path_of(second, i));
  g_assert_cmpint(get_time(path_of(second, 0)), ==, written);
}

/* What a person has exported is the result's file, in a format that holds all of it. */
static void
test_exported(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *all = g_build_filename(fixture->folder, "all.h5", NULL);
  g_autofree char *numbers = g_build_filename(fixture->folder, "numbers.csv", NULL);
  export(fixture->result, all);
  export(fixture->other, numbers);
  debye_session_results_remember_export(fixture->result, all);
  debye_session_results_remember_export(fixture->other, numbers);
  g_autoptr(DebyeSession) session = save(fixture);
  g_assert_cmpstr(path_of(session, 0), ==, all);
  g_assert_true(g_str_has_prefix(path_of(session, 1), fixture->path));
}

/* A file that another result was written over holds that one, and a file that has gone holds none. */
static void
test_written_over(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename(fixture->folder, "result.h5", NULL);
  export(fixture->result, path);
  debye_session_results_remember_export(fixture->result, path);
  g_usleep(20 * 1000);
  export(fixture->other, path);
  debye_session_results_remember_export(fixture->other, path);
  g_autoptr(DebyeSession) session = save(fixture);
  g_assert_cmpstr(path_of(session, 0), !=, path);
  g_assert_cmpstr(path_of(session, 1), ==, path);
  g_assert_cmpint(g_remove(path), ==, 0);
  g_autoptr(DebyeSession) again = save(fixture);
  g_assert_cmpstr(path_of(again, 0), ==, path_of(session, 0));
  g_assert_cmpstr(path_of(again, 1), !=, path);
  g_assert_true(g_file_test(path_of(again, 1), G_FILE_TEST_IS_REGULAR));
}

/* The trajectory has gone: results and session are written all the same, what is missing is noted. */
static void
test_gone_input(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  GVariantDict values;
  g_variant_dict_init(&values, NULL);
  g_assert_cmpint(g_remove(fixture->input), ==, 0);
  DebyeSessionResults *results = debye_session_results_new(fixture->path);
  debye_session_results_add_path(results, fixture->input);
  debye_session_results_add(results, fixture->result);
  DebyeSessionSave *saving =
      debye_session_save_new(fixture->path, g_variant_dict_end(&values), results, NULL);
  g_autoptr(DebyeSession) session = debye_session_save_run(saving, NULL, &error);
  g_assert_no_error(error);
  debye_session_save_free(saving);
  g_assert_cmpint(debye_session_get_file(session, 0)->state, ==, DEBYE_SESSION_FILE_MISSING);
  g_autoptr(DebyeSession) loaded = debye_session_load(fixture->path, &error);
  g_assert_no_error(error);
  g_assert_false(debye_session_check(loaded, NULL));
  g_assert_cmpint(debye_session_get_file(loaded, 0)->state, ==, DEBYE_SESSION_FILE_MISSING);
  g_assert_cmpint(debye_session_get_file(loaded, 1)->state, ==, DEBYE_SESSION_FILE_THERE);
}

/* A session that can't be written leaves no results beside it. */
static void
test_no_orphans(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr(GError) error = NULL;
  GVariantDict values;
  g_variant_dict_init(&values, NULL);
  g_autofree char *folder = g_strconcat(fixture->path, "-results", NULL);
  g_assert_cmpint(g_mkdir(fixture->path, 0700), ==, 0); /* in the session's place */
  DebyeSessionResults *results = debye_session_results_new(fixture->path);
  debye_session_results_add(results, fixture->result);
  DebyeSessionSave *saving =
      debye_session_save_new(fixture->path, g_variant_dict_end(&values), results, NULL);
  g_assert_null(debye_session_save_run(saving, NULL, &error));
  g_assert_nonnull(error);
  debye_session_save_remember(saving);
  debye_session_save_free(saving);
  g_assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
  g_assert_false(debye_session_results_has_file(fixture->result, fixture->path));
}

/* Of what is only shown the newest save keeps the file, and touches no other. */
static void
test_shown(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *last = NULL;
  for (int i = 0; i < 3; i++) {
    g_autoptr(GError) error = NULL;
    GVariantDict values;
    g_variant_dict_init(&values, NULL);
    DebyeSessionResults *results = debye_session_results_new(fixture->path);
    debye_session_results_add(results, fixture->other);
    g_autoptr(DebyeResult) shown = create_result(fixture->input, 5.0 + i);
    debye_session_results_add_shown(results, shown);
    DebyeSessionSave *saving =
        debye_session_save_new(fixture->path, g_variant_dict_end(&values), results, NULL);
    g_autoptr(DebyeSession) session = debye_session_save_run(saving, NULL, &error);
    g_assert_no_error(error);
    debye_session_save_remember(saving);
    debye_session_save_free(saving);
    g_assert_true(g_file_test(path_of(session, 0), G_FILE_TEST_EXISTS));
    g_assert_true(g_file_test(path_of(session, 1), G_FILE_TEST_EXISTS));
    g_assert_false(debye_session_results_is_shown(path_of(session, 0)));
    g_assert_true(debye_session_results_is_shown(path_of(session, 1)));
    g_assert_true(last == NULL || !g_file_test(last, G_FILE_TEST_EXISTS));
    g_free(last);
    last = g_strdup(path_of(session, 1));
  }
  /* A file of somebody else may be called so. */
  g_assert_false(debye_session_results_is_shown("/tmp/shown-orbital-1.h5"));
}

/* What closing a window would lose: a result that is in no file, nor in the session's. */
static void
test_has_file(Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *numbers = g_build_filename(fixture->folder, "numbers.csv", NULL);
  g_assert_false(debye_session_results_has_file(fixture->result, NULL));
  export(fixture->other, numbers);
  debye_session_results_remember_export(fixture->other, numbers);
  g_assert_true(debye_session_results_has_file(fixture->other, NULL));
  g_assert_cmpint(g_remove(numbers), ==, 0);
  g_assert_false(debye_session_results_has_file(fixture->other, NULL));
  g_autoptr(DebyeSession) session = save(fixture);
  g_assert_true(debye_session_results_has_file(fixture->result, fixture->path));
  g_assert_false(debye_session_results_has_file(fixture->result, NULL));
  g_assert_cmpint(g_remove(path_of(session, 0)), ==, 0);
  g_assert_false(debye_session_results_has_file(fixture->result, fixture->path));
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
  add("/session-save/written-once", test_written_once);
  add("/session-save/shown", test_shown);
  add("/session-save/exported", test_exported);
  add("/session-save/written-over", test_written_over);
  add("/session-save/gone-input", test_gone_input);
  add("/session-save/no-orphans", test_no_orphans);
  add("/session-save/has-file", test_has_file);
  add("/session-save/names-without-folders", test_names_without_folders);
  add("/session-save/names-without-inputs", test_names_without_inputs);
  return g_test_run();
}
