/* SPDX-License-Identifier: MIT */
/* Compiles a source of the class to a library; used by bench_source_run.c. */
#include "bench_source_private.h"

#include <stdlib.h>
#include <string.h>

#include "data/files/error.h"

#define SECONDS 10.0

/* Before the text: a function that is declared otherwise is an error at its line. */
static const char prototypes[] =
    "void prepare_slice(float *, int, int, float, float, float, const float *, int, float, float *, int, "
    "int);\n"
    "void sum_slice(float *, int, int, float, float, float, const float *, int, float, float *, int, int);\n"
    "void sum_regions(float *, int, int, int, float, float, float, const float *, int, const float *, const "
    "int *,\n"
    "                 const int *, int, int, const int *, const int *, int, float, float, int, int, int, "
    "int);\n"
    "void sum_overflow(float *, int, int, int, float, float, float, const float *, int, float, float, int, "
    "int);\n"
    "void count_pairs(unsigned long long *, int, float, const float *, const float *, const float *, int, "
    "int, int,\n"
    "                 float, float, float, unsigned long long *, int, int);\n"
    "void compute_orbital(float *, int, int, int, float, float, float, float, const float *, int, const int "
    "*,\n"
    "                     const int *, const float *, const float *, float *, int, int);\n"
    "void sample_planes(float *, int, int, int, float, float, float, float, float, int, const float *, const "
    "float *,\n"
    "                   int, const int *, int, int, float, float, int, int);\n"
    "void fill_voxels(unsigned *, unsigned *, int, int, int, double, double, double, double, const float *, "
    "const float *,\n"
    "                 const float *, int, int, int, int, int);\n"
    "void fold_marks(unsigned *, unsigned *, int, int, int);\n"
    "void compute_series(float *, const float *, const float *, const float *, int, int, const float *, int, "
    "int, int, int,\n"
    "                    int, int);\n"
    "void multiply_series(float *, long, int, int);\n"
    "void add_series(float *, const float *, int, int, int, int, int, int);\n"
    "#line 1 \"source.c\"\n";

/* Behind the text: what its macros say of blocks and batches, for the runner. */
static const char batches[] = "\n#line 1 \"debye.c\"\n"
                              "#ifndef ATOMS\n#define ATOMS 0\n#endif\n"
                              "#ifndef FRAMES\n#define FRAMES 0\n#endif\n"
                              "const int debye_batches[] = {ATOMS, FRAMES};\n";

static char *
find_compiler(GError **error)
{
  static const char *const names[] = {"cc", "gcc", "clang"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    char *path = g_find_program_in_path(names[i]);
    if (path != NULL)
      return path;
  }
  debye_error_set(
      error, DEBYE_ERROR_MISSING,
      "There is no C compiler (cc, gcc or clang) on this machine. Install one: gcc on Debian, Ubuntu, Fedora "
      "and Arch");
  return NULL;
}

const char *
debye_bench_source_find_line(const char *const *lines)
{
  static const char empty[] = "^\\s*$|^(In file included )?\\s*from |^\\S+: (In|At) .*:$";
  for (gsize i = 0; lines[i] != NULL; i++)
    if (!g_regex_match_simple(empty, lines[i], 0, 0))
      return lines[i];
  return "?";
}

static guint
count_lines(const char *text)
{
  guint n = 1;
  for (; *text != '\0'; text++)
    n += text[0] == '\n' && text[1] != '\0';
  return n;
}

/* The first error: "source.c:7:5: error: expected ‘;’", or the linker's. */
static void
take_message(const DebyeBenchSource *source, const char *messages, DebyeBenchVerdict *verdict)
{
  g_auto(GStrv) lines = g_strsplit(messages, "\n", -1);
  g_autoptr(GRegex) at_line =
      g_regex_new("^(?:source|debye)\\.c:(\\d+):(?:\\d+:)? (?:fatal )?error: (.*)$", 0, 0, NULL);
  g_autoptr(GRegex) of_linker =
      g_regex_new("undefined (?:reference|symbol)[^‘`']*[`'‘: ]+([A-Za-z_]\\w*)", 0, 0, NULL);
  for (gsize i = 0; lines[i] != NULL; i++) {
    g_autoptr(GMatchInfo) match = NULL;
    if (g_regex_match(at_line, lines[i], 0, &match)) {
      g_autofree char *number = g_match_info_fetch(match, 1), *text = g_match_info_fetch(match, 2);
      /* What is wrong behind the text began in it: a brace that nothing closes. */
      verdict->line =
          g_str_has_prefix(lines[i], "debye") ? count_lines(source->text) : (guint)strtoul(number, NULL, 10);
      debye_error_set_of_file(&verdict->problem, DEBYE_ERROR_SYNTAX, source->name, "line %u: %s",
                              verdict->line, text);
      return;
    }
    g_clear_pointer(&match, g_match_info_free);
    if (g_regex_match(of_linker, lines[i], 0, &match)) {
      g_autofree char *name = g_match_info_fetch(match, 1);
      debye_error_set_of_file(
          &verdict->problem, DEBYE_ERROR_SYNTAX, source->name,
          "function “%s” isn't defined; the file must define all that it calls, except the C library", name);
      return;
    }
  }
  debye_error_set_of_file(&verdict->problem, DEBYE_ERROR_SYNTAX, source->name, "the compiler failed: %s",
                          debye_bench_source_find_line((const char *const *)lines));
}

static GPtrArray *
list_arguments(const DebyeBenchSource *source, const DebyeBenchFolder *folder, const char *compiler)
{
  static const char *const flags[] = {"-std=gnu17",
                                      "-O3",
                                      "-fno-math-errno",
                                      "-fno-trapping-math",
                                      "-ffp-contract=fast",
                                      "-w",
                                      "-Werror=implicit-function-declaration",
                                      "-fPIC",
                                      "-shared",
                                      "-pthread",
                                      "-Wl,-z,defs",
                                      "-o",
                                      "kernel.so"};
  GPtrArray *arguments = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(arguments, g_strdup(folder->runner));
  g_ptr_array_add(arguments, g_strdup("compile"));
  g_ptr_array_add(arguments, g_strdup(compiler));
  g_ptr_array_add(arguments, g_strdup(source->is_scalar ? "-fno-tree-vectorize" : "-march=native"));
  for (gsize i = 0; i < G_N_ELEMENTS(flags); i++)
    g_ptr_array_add(arguments, g_strdup(flags[i]));
  for (guint i = 0; i < source->definitions->len; i++)
    g_ptr_array_add(arguments, g_strdup_printf("-D%s", (char *)source->definitions->pdata[i]));
  g_ptr_array_add(arguments, g_strdup("unit.c"));
  g_ptr_array_add(arguments, g_strdup("-lm"));
  g_ptr_array_add(arguments, NULL);
  return arguments;
}

static gboolean
has_batches(const DebyeBenchSource *source)
{
  return source->kind == DEBYE_LADDER_SCATTERING || source->kind == DEBYE_LADDER_DENSITY;
}

gboolean
debye_bench_source_compile(const DebyeBenchSource *source, const DebyeBenchFolder *folder,
                           DebyeBenchVerdict *verdict, GError **error)
{
  g_autofree char *compiler = find_compiler(error),
                  *unit = g_strconcat(prototypes, source->text, has_batches(source) ? batches : "\n", NULL);
  g_autofree char *path = g_build_filename(folder->path, "messages", NULL), *messages = NULL;
  g_autoptr(GPtrArray) arguments = compiler != NULL ? list_arguments(source, folder, compiler) : NULL;
  gboolean is_late = FALSE;
  int status = 0;
  if (compiler == NULL || !debye_bench_folder_write(folder, "unit.c", unit, strlen(unit), error) ||
      !debye_bench_folder_run(folder, (char **)arguments->pdata, SECONDS, &is_late, &status, error))
    return FALSE;
  verdict->is_compiled = !is_late && status == 0;
  if (verdict->is_compiled)
    return TRUE;
  if (is_late)
    debye_error_set_of_file(&verdict->problem, DEBYE_ERROR_SYNTAX, source->name,
                            "compiling took longer than %.0f s and was ended", SECONDS);
  else {
    g_file_get_contents(path, &messages, NULL, NULL);
    take_message(source, messages != NULL ? messages : "", verdict);
  }
  return TRUE;
}
