/* SPDX-License-Identifier: MIT */
/* libFuzzer target for result files: the bytes are a recipe for an HDF5 file that is well formed, but holds
 * anything in the places where a result has its parts. (Files that HDF5 itself can't parse are the library's
 * own matter.) */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <gio/gunixoutputstream.h>

#include "data/h5/h5.h"
#include "data/results/result.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

typedef struct {
  const uint8_t *bytes;
  size_t n, at;
} Recipe;

static unsigned
take(Recipe *recipe)
{
  return recipe->at < recipe->n ? recipe->bytes[recipe->at++] : 0;
}

static const DebyeSetting settings[] = {{.key = "spacing",
                                         .label = "Grid spacing",
                                         .kind = DEBYE_SETTING_NUMBER,
                                         .maximum = 5.0,
                                         .initial = "0.5"}};
static const DebyeSettingTable table = {"map", "Map", "", settings, G_N_ELEMENTS(settings)};

static const DebyeSettingTable *
find_table(const char *id)
{
  return strcmp(id, table.id) == 0 ? &table : NULL;
}

static const char *const groups[] = {
    "/",          "entry", "entry/data", "entry/request", "entry/provenance", "entry/provenance/inputs",
    "entry/other"};
static const char *const attributes[] = {"default",      "NX_class", "signal", "axes",
                                         "origin",       "steps",    "units",  "analysis",
                                         "command_line", "spacing",  "state",  "unknown"};
static const char *const datasets[] = {"potential", "x",    "y",    "z",      "title", "notes",
                                       "wall_time", "path", "size", "sha256", "data"};
static const char *const texts[] = {"entry", "data", "NXdata", "potential", "map",
                                    "0.25",  "x",    "",       "/",         "../entry"};

static hid_t
make_type(Recipe *recipe)
{
  hid_t type;
  switch (take(recipe) % 7) {
  case 0:
    return H5Tcopy(H5T_NATIVE_FLOAT);
  case 1:
    return H5Tcopy(H5T_NATIVE_DOUBLE);
  case 2:
    return H5Tcopy(H5T_STD_I64BE);
  case 3:
    return H5Tcreate(H5T_COMPOUND, 16);
  case 4:
    type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    return type;
  default:
    type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 1 + take(recipe) % 32);
    return type;
  }
}

static hid_t
make_space(Recipe *recipe, hsize_t shape[4])
{
  int rank = (int)(take(recipe) % 5);
  for (int i = 0; i < 4; i++)
    shape[i] = take(recipe) % 6;
  return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape, NULL);
}

/* What is written: a known word, or the recipe's own bytes. */
static void
fill(Recipe *recipe, char content[8192])
{
  memset(content, 0, 8192);
  unsigned choice = take(recipe);
  if (choice < G_N_ELEMENTS(texts))
    g_strlcpy(content, texts[choice], 8192);
  else
    for (unsigned i = 0; i < choice; i++)
      content[i] = (char)take(recipe);
}

static void
put_attribute(Recipe *recipe, hid_t object)
{
  char content[8192], *pointers[1296];
  hsize_t shape[4];
  const char *name = attributes[take(recipe) % G_N_ELEMENTS(attributes)];
  g_auto(DebyeH5Type) type = make_type(recipe);
  g_auto(DebyeH5Space) space = make_space(recipe, shape);
  fill(recipe, content);
  for (gsize i = 0; i < G_N_ELEMENTS(pointers); i++)
    pointers[i] = content;
  gsize bytes = H5Tget_size(type) * (gsize)H5Sget_simple_extent_npoints(space);
  H5Adelete(object, name);
  g_auto(DebyeH5Attribute) attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0 && H5Tis_variable_str(type) > 0)
    H5Awrite(attribute, type, pointers);
  else if (attribute >= 0 && bytes <= sizeof content)
    H5Awrite(attribute, type, content);
}

static void
put_dataset(Recipe *recipe, hid_t group)
{
  char content[8192];
  hsize_t shape[4], chunk[4] = {2, 2, 2, 2};
  const char *name = datasets[take(recipe) % G_N_ELEMENTS(datasets)];
  g_auto(DebyeH5Type) type = make_type(recipe);
  g_auto(DebyeH5Space) space = make_space(recipe, shape);
  g_auto(DebyeH5Properties) properties = H5Pcreate(H5P_DATASET_CREATE);
  unsigned layout = take(recipe) % 4;
  if (layout > 0)
    H5Pset_chunk(properties, MAX(1, H5Sget_simple_extent_ndims(space)), chunk);
  if (layout > 1)
    H5Pset_deflate(properties, 1);
  if (layout > 2)
    H5Pset_szip(properties, H5_SZIP_NN_OPTION_MASK, 8);
  fill(recipe, content);
  H5Ldelete(group, name, H5P_DEFAULT);
  g_auto(DebyeH5Dataset) dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  gsize bytes = H5Tget_size(type) * (gsize)H5Sget_simple_extent_npoints(space);
  if (dataset >= 0 && H5Tis_variable_str(type) == 0 && bytes <= sizeof content && take(recipe) % 4 > 0)
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, content);
  if (dataset >= 0)
    put_attribute(recipe, dataset);
}

static void
put_link(Recipe *recipe, hid_t group)
{
  const char *name = datasets[take(recipe) % G_N_ELEMENTS(datasets)];
  H5Ldelete(group, name, H5P_DEFAULT);
  if (take(recipe) % 2)
    H5Lcreate_external("/dev/null", "/", group, name, H5P_DEFAULT, H5P_DEFAULT);
  else
    H5Lcreate_soft("/entry", group, name, H5P_DEFAULT, H5P_DEFAULT);
}

static void
follow(Recipe *recipe, hid_t file)
{
  for (gsize i = 1; i < G_N_ELEMENTS(groups); i++) {
    g_auto(DebyeH5Group) group = H5Gcreate2(file, groups[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    debye_h5_write_string(group, "NX_class", "NXdata", NULL);
  }
  g_auto(DebyeH5Group) request = H5Gopen2(file, "entry/request", H5P_DEFAULT);
  debye_h5_write_string(request, "analysis", "map", NULL);
  while (recipe->at < recipe->n) {
    g_auto(DebyeH5Group) group = H5Gopen2(file, groups[take(recipe) % G_N_ELEMENTS(groups)], H5P_DEFAULT);
    unsigned what = take(recipe) % 8;
    if (what < 4)
      put_attribute(recipe, group);
    else if (what < 7)
      put_dataset(recipe, group);
    else
      put_link(recipe, group);
  }
}

static void
load(const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeResult) result = debye_result_load(path, find_table, &error);
  g_assert_true((result == NULL) == (error != NULL));
  g_clear_error(&error);
  g_autoptr(DebyeField) field = debye_field_load(path, &error);
  g_assert_true((field == NULL) == (error != NULL));
  g_clear_error(&error);
  g_auto(GStrv) inputs = NULL;
  g_autoptr(DebyeRequest) request = debye_result_load_request(path, find_table, &inputs, &error);
  g_assert_true((request == NULL) == (error != NULL));
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  Recipe recipe = {.bytes = bytes, .n = MIN(n, 4096)};
  /* A real file: HDF5 wants the name that a link leads to, and one in memory has none. */
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp("debye-fuzz-XXXXXX", &path, NULL);
  {
    DEBYE_H5_LOCKED();
    g_autoptr(GOutputStream) stream = g_unix_output_stream_new(fd, FALSE);
    g_auto(DebyeH5File) file = debye_h5_create_file(NULL);
    follow(&recipe, file);
    debye_h5_finish_file(file, stream, NULL);
  }
  load(path);
  close(fd);
  unlink(path);
  return 0;
}
