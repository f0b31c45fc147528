/* SPDX-License-Identifier: MIT */
/* Locates back ends, samples and translations of this installation; called by both programs. */
#include "installation.h"

#include "data/files/error.h"

const char *
debye_installation_get_backend_dir(void)
{
  const char *folder = g_getenv("DEBYE_BACKEND_DIR");
  return folder != NULL ? folder : DEBYE_INSTALLED_BACKEND_DIR;
}

const char *
debye_installation_get_locale_dir(void)
{
  const char *folder = g_getenv("DEBYE_LOCALE_DIR");
  return folder != NULL ? folder : DEBYE_INSTALLED_LOCALE_DIR;
}

/* In a build folder the programs are in app/, and this one in app/runner/. */
static char *
find_in_build(const char *name)
{
  g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *folder = self != NULL ? g_path_get_dirname(self) : g_strdup("");
  return g_build_filename(folder, "runner", name, NULL);
}

char *
debye_installation_find_helper(const char *name, GError **error)
{
  const char *folder = g_getenv("DEBYE_LIBEXEC_DIR");
  g_autofree char *in_build = find_in_build(name);
  g_autofree char *path = g_build_filename(folder != NULL ? folder : DEBYE_INSTALLED_LIBEXEC_DIR, name, NULL);
  if (folder == NULL && g_file_test(in_build, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer(&in_build);
  if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer(&path);
  debye_error_set_of_file(error, DEBYE_ERROR_MISSING, path, "missing; reinstall Debye");
  return NULL;
}

static gboolean
has_index(const char *folder)
{
  g_autofree char *path = g_build_filename(folder, "index.ini", NULL);
  return g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

/* DEBYE_SAMPLES_DIR where set, else the installed folder, else (in a build that is not installed) the
 * source's. */
static const char *
get_sample_dir(void)
{
  const char *folder = g_getenv("DEBYE_SAMPLES_DIR");
  if (folder != NULL)
    return folder;
  return has_index(DEBYE_INSTALLED_SAMPLE_DIR) ? DEBYE_INSTALLED_SAMPLE_DIR : DEBYE_SOURCE_SAMPLE_DIR;
}

char **
debye_installation_list_recording_dirs(void)
{
  char **folders = g_new0(char *, 3);
  folders[0] = g_build_filename(g_get_user_data_dir(), "debye", "recordings", NULL);
  folders[1] = g_build_filename(get_sample_dir(), "recordings", NULL);
  return folders;
}

static void
sample_free(DebyeSample *sample)
{
  if (sample == NULL)
    return;
  g_free(sample->name);
  g_free(sample->title);
  g_free(sample->description);
  g_free(sample->command);
  g_free(sample->grow);
  g_strfreev(sample->paths);
  g_array_unref(sample->steps);
  g_free(sample);
}

static void
free_sample(gpointer sample)
{
  sample_free(sample);
}

static void
clear_step(gpointer data)
{
  DebyeSampleStep *step = data;
  g_free(step->title);
  g_free(step->text);
  g_free(step->answer);
  g_free(step->button);
  g_free(step->drawing);
  g_strfreev(step->deeds);
}

static char *
read_words(GKeyFile *index, const char *name, guint number, const char *part)
{
  g_autofree char *key = g_strdup_printf("step%u-%s", number, part);
  return g_key_file_get_locale_string(index, name, key, NULL, NULL);
}

/* "step1-title", "step1-text" and so on, as long as there are titles. */
static GArray *
read_steps(GKeyFile *index, const char *name)
{
  GArray *steps = g_array_new(FALSE, FALSE, sizeof(DebyeSampleStep));
  char *title;
  g_array_set_clear_func(steps, clear_step);
  for (guint number = 1; (title = read_words(index, name, number, "title")) != NULL; number++) {
    g_autofree char *key = g_strdup_printf("step%u-do", number);
    g_autofree char *minutes = g_strdup_printf("step%u-minutes", number),
                    *drawing = g_strdup_printf("step%u-drawing", number);
    DebyeSampleStep step = {.title = title,
                            .text = read_words(index, name, number, "text"),
                            .answer = read_words(index, name, number, "answer"),
                            .minutes = (guint)MAX(g_key_file_get_integer(index, name, minutes, NULL), 0),
                            .drawing = g_key_file_get_string(index, name, drawing, NULL),
                            .button = read_words(index, name, number, "button"),
                            .deeds = g_key_file_get_string_list(index, name, key, NULL, NULL)};
    if (step.deeds == NULL)
      step.deeds = g_new0(char *, 1);
    g_array_append_val(steps, step);
  }
  return steps;
}

static DebyeSample *
read_sample(GKeyFile *index, const char *folder, const char *name)
{
  DebyeSample *sample = g_new0(DebyeSample, 1);
  sample->name = g_strdup(name);
  sample->title = g_key_file_get_locale_string(index, name, "title", NULL, NULL);
  sample->description = g_key_file_get_locale_string(index, name, "description", NULL, NULL);
  sample->command = g_key_file_get_string(index, name, "command", NULL);
  sample->grow = g_key_file_get_string(index, name, "grow", NULL);
  sample->steps = read_steps(index, name);
  sample->is_first = g_key_file_get_boolean(index, name, "first", NULL);
  sample->paths = g_key_file_get_string_list(index, name, "files", NULL, NULL);
  if (sample->paths == NULL)
    sample->paths = g_new0(char *, 1);
  for (char **path = sample->paths; *path != NULL; path++) {
    char *whole = g_build_filename(folder, *path, NULL);
    g_free(*path);
    *path = whole;
  }
  return sample;
}

GPtrArray *
debye_installation_list_samples(GError **error)
{
  const char *folder = get_sample_dir();
  g_autofree char *path = g_build_filename(folder, "index.ini", NULL);
  g_autoptr(GKeyFile) index = g_key_file_new();
  g_autoptr(GError) problem = NULL;
  if (!g_key_file_load_from_file(index, path, G_KEY_FILE_NONE, &problem)) {
    debye_error_set(error, DEBYE_ERROR_MISSING, "%s: the list of samples can't be read: %s", path,
                    problem->message);
    return NULL;
  }
  GPtrArray *samples = g_ptr_array_new_with_free_func(free_sample);
  g_auto(GStrv) names = g_key_file_get_groups(index, NULL);
  for (char **name = names; *name != NULL; name++)
    g_ptr_array_add(samples, read_sample(index, folder, *name));
  return samples;
}
