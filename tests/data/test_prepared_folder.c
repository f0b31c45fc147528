/* SPDX-License-Identifier: MIT */
/* The cache of prepared structures: what is held stays, the rest is bounded and cleared. */
#include <glib/gstdio.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/prepared_folder.h"

#define MANY 70
#define KEPT 64

static int
hold(const char *name)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = debye_prepared_folder_get_path(name);
  g_autofree char *file = g_build_filename(path, "1abc.pqr", NULL);
  const int held = debye_prepared_folder_hold(path, &error);
  g_assert_no_error(error);
  g_assert_true(g_file_set_contents(file, "0123456789", 10, NULL));
  return held;
}

static gboolean
is_there(const char *name)
{
  g_autofree char *path = debye_prepared_folder_get_path(name);
  return g_file_test(path, G_FILE_TEST_IS_DIR);
}

static void
test_bound(void)
{
  const int first = hold("first");
  for (int k = 0; k < MANY; k++) {
    g_autofree char *name = g_strdup_printf("%d", k);
    debye_prepared_folder_release(hold(name));
  }
  const guint64 size = debye_prepared_folder_get_size();
  g_assert_true(size >= 10 * KEPT && size <= 10 * (KEPT + 2));
  g_assert_true(is_there("first"));
  debye_prepared_folder_clear();
  g_assert_cmpuint(debye_prepared_folder_get_size(), ==, 10);
  debye_prepared_folder_release(first);
  debye_prepared_folder_clear();
  g_assert_cmpuint(debye_prepared_folder_get_size(), ==, 0);
  g_assert_false(is_there("first"));
}

static void
test_refused(void)
{
  g_autoptr(GError) error = NULL;
  g_assert_cmpint(debye_prepared_folder_hold("/dev/null/prepared", &error), ==, -1);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
  g_assert_true(g_str_has_prefix(error->message, "/dev/null/prepared: can't be created: "));
}

int
main(int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp("debye-prepared-XXXXXX", NULL);
  g_setenv("XDG_CACHE_HOME", cache, TRUE);
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/prepared folder/bound", test_bound);
  g_test_add_func("/prepared folder/refused", test_refused);
  const int status = g_test_run();
  g_autofree char *debye = g_build_filename(cache, "debye", NULL);
  g_autofree char *prepared = g_build_filename(debye, "prepared", NULL);
  g_rmdir(prepared);
  g_rmdir(debye);
  g_rmdir(cache);
  return status;
}
