/* SPDX-License-Identifier: MIT */
/* Compiles a CUDA source of the class with NVRTC, in debye-kernel-runner; used by bench_source_run.c. */
#include "bench_source_private.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "data/files/error.h"

#define SECONDS 15.0 /* of which the compiler has 10 */
#define NO_NVRTC 3   /* exit status, as in app/runner/runner_driver.h */

/* Behind the text: how it is launched, as kernels/cuda/ladder/variant.cu.in has it, in the order of
 * DebyeRunnerGeometry. */
static const char geometry[] =
    "\n#line 1 \"debye.cu\"\n"
    "#ifndef BLOCK_Y\n#define BLOCK_Y 1\n#endif\n"
    "#ifndef BLOCK_Z\n#define BLOCK_Z 1\n#endif\n"
    "#ifndef POINTS\n#define POINTS 1\n#endif\n"
    "#ifndef POINTS_Y\n#define POINTS_Y 1\n#endif\n"
    "#ifndef CHUNK\n#define CHUNK 0\n#endif\n"
    "#ifndef GRID_X\n#define GRID_X 0\n#define GRID_Y 0\n#endif\n"
    "#ifndef SQUARES\n#define SQUARES 0\n#endif\n"
    "#ifndef OVER_ATOMS\n#define OVER_ATOMS 0\n#endif\n"
    "#ifndef FLOATS\n#define FLOATS 0\n#endif\n"
    "#ifndef BLOCK_X\n#error expected a macro BLOCK_X with the threads of a block\n"
    "#define BLOCK_X 1\n#endif\n"
    "extern \"C\" __device__ int debye_geometry[] = {BLOCK_X, BLOCK_Y, BLOCK_Z,\n"
    "  POINTS, POINTS_Y, CHUNK, GRID_X, GRID_Y, SQUARES, OVER_ATOMS, FLOATS};\n";

/* The same of families from orbitals on, in the order of DebyeRunnerBatches. */
static const char batches[] =
    "#ifndef ATOMS\n#define ATOMS 0\n#endif\n"
    "#ifndef FRAMES\n#define FRAMES 0\n#endif\n"
    "#ifndef VOXELS\n#define VOXELS 0\n#endif\n"
    "#ifndef BLOCK_FRAMES\n#define BLOCK_FRAMES 1\n#endif\n"
    "#ifndef POINTS_Z\n#define POINTS_Z 1\n#endif\n"
    "#ifndef ACROSS\n#define ACROSS 0\n#endif\n"
    "#ifndef APART\n#define APART 0\n#endif\n"
    "extern \"C\" __device__ int debye_batches[] = {ATOMS, FRAMES, VOXELS, BLOCK_FRAMES,\n"
    "  POINTS_Z, ACROSS, APART};\n";

gboolean
debye_bench_source_check_mps(GError **error)
{
  const char *folder = g_getenv("CUDA_MPS_PIPE_DIRECTORY");
  g_autofree char *control = g_build_filename(folder != NULL ? folder : "/tmp/nvidia-mps", "control", NULL);
  return !g_file_test(control, G_FILE_TEST_EXISTS) ||
         debye_error_set(error, DEBYE_ERROR_UNKNOWN,
                         "The GPU is shared through MPS (%s), where a fault in the class's kernel would end "
                         "the programs of others. Stop MPS with: echo quit | nvidia-cuda-mps-control",
                         control);
}

/* The first error: "source.cu(7): error: expected a ";"". */
static void
take_message(const DebyeBenchSource *source, const char *messages, DebyeBenchVerdict *verdict)
{
  g_auto(GStrv) lines = g_strsplit(messages, "\n", -1);
  g_autoptr(GRegex) at_line =
      g_regex_new("^(?:source|debye)\\.cu\\((\\d+)\\): (?:catastrophic )?error[^:]*: (.*)$", 0, 0, NULL);
  for (gsize i = 0; lines[i] != NULL; i++) {
    g_autoptr(GMatchInfo) match = NULL;
    if (!g_regex_match(at_line, lines[i], 0, &match))
      continue;
    g_autofree char *number = g_match_info_fetch(match, 1), *text = g_match_info_fetch(match, 2);
    const gboolean is_ours = g_str_has_prefix(lines[i], "debye");
    verdict->line = is_ours ? 0 : (guint)strtoul(number, NULL, 10);
    if (is_ours)
      debye_error_set_of_file(&verdict->problem, DEBYE_ERROR_SYNTAX, source->name, "the compiler failed: %s",
                              text);
    else
      debye_error_set_of_file(&verdict->problem, DEBYE_ERROR_SYNTAX, source->name, "line %u: %s",
                              verdict->line, text);
    return;
  }
  debye_error_set_of_file(&verdict->problem, DEBYE_ERROR_SYNTAX, source->name, "the compiler failed: %s",
                          debye_bench_source_find_line((const char *const *)lines));
}

static GPtrArray *
list_arguments(const DebyeBenchSource *source, const DebyeBenchFolder *folder, guint gpu)
{
  static const char *const flags[] = {"--use_fast_math", "--std=c++17", "--disable-warnings",
                                      "--device-as-default-execution-space"};
  GPtrArray *arguments = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(arguments, g_strdup(folder->runner));
  g_ptr_array_add(arguments, g_strdup("compile-cuda"));
  g_ptr_array_add(arguments, g_strdup_printf("%u", gpu));
  for (gsize i = 0; i < G_N_ELEMENTS(flags); i++)
    g_ptr_array_add(arguments, g_strdup(flags[i]));
  for (guint i = 0; i < source->definitions->len; i++)
    g_ptr_array_add(arguments, g_strdup_printf("-D%s", (char *)source->definitions->pdata[i]));
  g_ptr_array_add(arguments, NULL);
  return arguments;
}

static gboolean
has_nvrtc(int status, GError **error)
{
  return !WIFEXITED(status) || WEXITSTATUS(status) != NO_NVRTC ||
         debye_error_set(error, DEBYE_ERROR_MISSING,
                         "There is no NVRTC, CUDA's compiler library, on this machine. Install libnvrtc12 on "
                         "Debian and Ubuntu, cuda-nvrtc on Fedora, or the CUDA toolkit");
}

/* Among the symbols: ended by a 0, and no part of a longer name. */
static gboolean
has_symbol(const char *cubin, gsize n, const char *name)
{
  const gsize length = strlen(name) + 1;
  for (const char *at = cubin; (at = memmem(at, n - (gsize)(at - cubin), name, length)) != NULL; at++)
    if (at == cubin || (at[-1] != '_' && !g_ascii_isalnum(at[-1])))
      return TRUE;
  return FALSE;
}

/* A kernel that the driver will find by its name; C++ has added to that of one without extern "C". */
static void
check_function(const DebyeBenchSource *source, const DebyeBenchFolder *folder, DebyeBenchVerdict *verdict)
{
  const char *name = debye_bench_source_name_function(source->kind);
  g_autofree char *path = g_build_filename(folder->path, "kernel.cubin", NULL), *cubin = NULL,
                  *mangled = g_strdup_printf("_Z%zu%s", strlen(name), name);
  gsize n = 0;
  if (!g_file_get_contents(path, &cubin, &n, NULL) || has_symbol(cubin, n, name))
    return;
  if (memmem(cubin, n, mangled, strlen(mangled)) != NULL)
    debye_error_set_of_file(
        &verdict->problem, DEBYE_ERROR_SYNTAX, source->name,
        "“%s” is compiled as C++, which changes its name. Write extern \"C\" before its __global__", name);
  else
    debye_error_set_of_file(&verdict->problem, DEBYE_ERROR_SYNTAX, source->name,
                            "the compiled file has no kernel “%s”. Declare it extern \"C\" __global__ void",
                            name);
}

gboolean
debye_bench_source_compile_cuda(const DebyeBenchSource *source, const DebyeBenchFolder *folder, guint gpu,
                                DebyeBenchVerdict *verdict, GError **error)
{
  g_autofree char *unit = g_strconcat(
      "#line 1 \"source.cu\"\n", source->text, geometry,
      debye_bench_source_find_family(source->kind)->number >= DEBYE_RUNNER_ORBITAL ? batches : "", NULL);
  g_autofree char *path = g_build_filename(folder->path, "messages", NULL), *messages = NULL;
  g_autoptr(GPtrArray) arguments = list_arguments(source, folder, gpu);
  gboolean is_late = FALSE;
  int status = 0;
  if (!debye_bench_folder_write(folder, "unit.cu", unit, strlen(unit), error) ||
      !debye_bench_folder_run(folder, (char **)arguments->pdata, SECONDS, &is_late, &status, error) ||
      !has_nvrtc(status, error))
    return FALSE;
  verdict->is_compiled = !is_late && status == 0;
  if (verdict->is_compiled) {
    check_function(source, folder, verdict);
    return TRUE;
  }
  if (is_late || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))) {
    debye_error_set_of_file(&verdict->problem, DEBYE_ERROR_SYNTAX, source->name,
                            "compiling took longer than %.0f s and was ended", SECONDS);
    return TRUE;
  }
  g_file_get_contents(path, &messages, NULL, NULL);
  take_message(source, messages != NULL ? messages : "", verdict);
  return TRUE;
}
