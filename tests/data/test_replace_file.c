/* SPDX-License-Identifier: MIT */
/* The old file or the whole new one, whatever happens between. */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "data/files/error.h"
#include "data/files/replace_file.h"
#include "map_support.h"

static char *folder;

static char *
path_of(const char *name)
{
  return g_build_filename(folder, name, NULL);
}

static void
assert_content(const char *path, const char *expected)
{
  g_autofree char *text = NULL;
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  g_assert_cmpstr(text, ==, expected);
}

static guint
count_files(void)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name(dir) != NULL)
    n++;
  return n;
}

static guint
mode_of(const char *path)
{
  GStatBuf info;
  g_assert_cmpint(g_stat(path, &info), ==, 0);
  return info.st_mode & 0777;
}

static void
write_text(const char *path, const char *text)
{
  GError *error = NULL;
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, &error);
  g_assert_no_error(error);
  g_output_stream_write_all(debye_replace_file_get_stream(file), text, strlen(text), NULL, NULL, &error);
  g_assert_no_error(error);
  g_assert_true(debye_replace_file_commit(g_steal_pointer(&file), &error));
  g_assert_no_error(error);
}

static void
test_new_and_again(void)
{
  g_autofree char *path = path_of("new.txt");
  guint before = count_files();
  umask(027);
  write_text(path, "one");
  assert_content(path, "one");
  g_assert_cmphex(mode_of(path), ==, 0640);
  g_chmod(path, 0604);
  write_text(path, "two");
  assert_content(path, "two");
  g_assert_cmphex(mode_of(path), ==, 0604);
  g_assert_cmpuint(count_files(), ==, before + 1);
}

static void
test_abandon(void)
{
  g_autofree char *path = map_support_write(folder, "old.txt", "old", -1);
  guint before = count_files();
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, NULL);
  g_output_stream_write_all(debye_replace_file_get_stream(file), "new", 3, NULL, NULL, NULL);
  /* One more where the file system knows no files without a name. */
  g_assert_cmpuint(count_files(), <=, before + 1);
  g_clear_pointer(&file, debye_replace_file_abandon);
  assert_content(path, "old");
  g_assert_cmpuint(count_files(), ==, before);
}

static void
test_seek(void)
{
  g_autofree char *path = path_of("seek.txt");
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, NULL);
  GOutputStream *stream = debye_replace_file_get_stream(file);
  g_assert_true(G_IS_SEEKABLE(stream) && g_seekable_can_seek(G_SEEKABLE(stream)));
  g_output_stream_write_all(stream, "0 frames", 8, NULL, NULL, NULL);
  g_assert_true(g_seekable_seek(G_SEEKABLE(stream), 0, G_SEEK_SET, NULL, NULL));
  g_output_stream_write_all(stream, "7", 1, NULL, NULL, NULL);
  g_assert_true(debye_replace_file_commit(g_steal_pointer(&file), NULL));
  assert_content(path, "7 frames");
}

static void
test_links(void)
{
  g_autofree char *target = map_support_write(folder, "target.txt", "old", -1);
  g_autofree char *link = path_of("link.txt"), *dangling = path_of("dangling.txt"),
                  *made = path_of("made.txt");
  g_autofree char *loop = path_of("loop.txt");
  g_autoptr(GError) error = NULL;
  g_assert_cmpint(symlink("target.txt", link), ==, 0);
  g_assert_cmpint(symlink("made.txt", dangling), ==, 0);
  g_assert_cmpint(symlink("loop.txt", loop), ==, 0);
  write_text(link, "new");
  write_text(dangling, "made");
  g_assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
  assert_content(target, "new");
  assert_content(made, "made");
  g_assert_null(debye_replace_file_new(loop, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
}

static void
assert_refused(const char *path, const char *part)
{
  g_autoptr(GError) error = NULL;
  g_assert_null(debye_replace_file_new(path, &error));
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
  if (strstr(error->message, part) == NULL)
    g_error("“%s” lacks “%s”", error->message, part);
}

static void
test_refused(void)
{
  g_autofree char *missing = path_of("no/such/file.txt");
  assert_refused(missing, "there is no folder");
  assert_refused(folder, "a folder");
  assert_refused("/dev/null", "a device");
}

/* A name of the greatest length has room for the temporary file beside it. */
static void
test_long_name(void)
{
  g_autofree char *name = g_strnfill(255, 'n');
  g_autofree char *path = path_of(name);
  write_text(path, "long");
  assert_content(path, "long");
}

/* A limit on the size of files is a full disk that a test can have. */
static void
test_full_disk(void)
{
  g_autofree char *path = map_support_write(folder, "full.txt", "old", -1);
  g_autofree char *much = g_malloc0(1 << 20);
  g_autoptr(GError) error = NULL;
  struct rlimit before, small;
  guint files = count_files();
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 1000;
  g_autoptr(DebyeReplaceFile) file = debye_replace_file_new(path, &error);
  g_assert_no_error(error);
  setrlimit(RLIMIT_FSIZE, &small);
  /* Less than the buffer: the error comes with the commit. */
  g_output_stream_write_all(debye_replace_file_get_stream(file), much, 100000, NULL, NULL, NULL);
  gboolean done = debye_replace_file_commit(g_steal_pointer(&file), &error);
  setrlimit(RLIMIT_FSIZE, &before);
  g_assert_false(done);
  g_assert_error(error, DEBYE_ERROR, DEBYE_ERROR_WRITE);
  assert_content(path, "old");
  g_assert_cmpuint(count_files(), ==, files);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = map_support_make_folder();
  g_test_add_func("/replace-file/new-and-again", test_new_and_again);
  g_test_add_func("/replace-file/abandon", test_abandon);
  g_test_add_func("/replace-file/seek", test_seek);
  g_test_add_func("/replace-file/links", test_links);
  g_test_add_func("/replace-file/refused", test_refused);
  g_test_add_func("/replace-file/long-name", test_long_name);
  g_test_add_func("/replace-file/full-disk", test_full_disk);
  int status = g_test_run();
  map_support_remove_folder(folder);
  return status;
}
