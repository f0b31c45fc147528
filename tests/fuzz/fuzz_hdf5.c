/* SPDX-License-Identifier: MIT */
/* libFuzzer target for a format within HDF5, which the compiler's FORMAT names: the bytes are a recipe for a
 * file that is well formed, but holds anything in the places where the format has its parts, and any bytes
 * for chunks. (Damaged descriptions are for fuzz_hdf5_bytes.c.) What Debye parses of the file itself, strings
 * of variable length, is then looked for in a copy with some bytes changed. */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gio/gunixoutputstream.h>

#include "data/trajectory/format_list.h"
#include "data/h5/h5.h"

#ifndef FORMAT
#error "FORMAT must be a DebyeFormat, for instance debye_format_h5md"
#endif

#define CONTENT_BYTES 8192
#define FRAMES_READ 8

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

static const char *const paths[] = {"/particles/all/position/value",
                                    "/particles/all/position/step",
                                    "/particles/all/position/time",
                                    "/particles/all/position",
                                    "/particles/all/velocity/value",
                                    "/particles/all/box/edges/value",
                                    "/particles/all/box/edges/step",
                                    "/particles/all/box/edges",
                                    "/particles/all/box/boundary",
                                    "/particles/all/id/value",
                                    "/particles/all/id",
                                    "/particles/all/species",
                                    "/particles/all/species/value",
                                    "/particles/all/mass",
                                    "/particles/all/charge",
                                    "/particles/b/position/value",
                                    "/particles/b/id",
                                    "/connectivity/bonds",
                                    "/connectivity/b/bonds",
                                    "/coordinates",
                                    "/topology",
                                    "/cell_lengths",
                                    "/cell_angles",
                                    "/time",
                                    "/velocities",
                                    "/other"};
static const char *const marks[] = {"unit",         "units",       "offset", "boundary",       "Conventions",
                                    "scale_factor", "conventions", "edges",  "particles_group"};
static const char *const texts[] = {
    "nm",
    "Angstrom",
    "nm ps-1",
    "none",
    "periodic",
    "Pande",
    "AMBER",
    "g mol-1",
    "C",
    "sigma",
    "",
    "{\"chains\":[{\"residues\":[{\"atoms\":[{\"name\":\"C\",\"element\":\"C\"},{}]}]}],\"bonds\":[[0,1]]}",
    "{\"chains\":[[]]}",
    "{\"chains\":[{\"residues\":[{\"atoms\":[{},{},{}]}]}]}"};

static hid_t
make_enumeration(void)
{
  static const gint8 values[] = {1, 8};
  hid_t type = H5Tenum_create(H5T_STD_I8LE);
  H5Tenum_insert(type, "H", &values[0]);
  H5Tenum_insert(type, "O", &values[1]);
  return type;
}

static hid_t
make_text_type(size_t size)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  return type;
}

static hid_t
make_type(Recipe *recipe)
{
  switch (take(recipe) % 10) {
  case 0:
  case 1:
  case 2:
    return H5Tcopy(H5T_NATIVE_FLOAT);
  case 3:
    return H5Tcopy(H5T_IEEE_F64BE);
  case 4:
    return H5Tcopy(H5T_STD_I64BE);
  case 5:
    return H5Tcopy(H5T_STD_U8LE);
  case 6:
    return make_enumeration();
  case 7:
    return H5Tcreate(H5T_COMPOUND, 16);
  case 8:
    return make_text_type(H5T_VARIABLE);
  default:
    return make_text_type(1 + take(recipe));
  }
}

/* Small shapes that may fit together, and now and then one that nothing fills. */
static hid_t
make_space(Recipe *recipe)
{
  hsize_t shape[4];
  int rank = (int)(take(recipe) % 5);
  for (int i = 0; i < 4; i++) {
    unsigned size = take(recipe);
    shape[i] = size > 250 ? (hsize_t)1 << (size - 235) : size % 6;
  }
  return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape, NULL);
}

static void
fill(Recipe *recipe, char content[CONTENT_BYTES])
{
  memset(content, 0, CONTENT_BYTES);
  unsigned choice = take(recipe);
  if (choice < G_N_ELEMENTS(texts))
    g_strlcpy(content, texts[choice], CONTENT_BYTES);
  else
    for (unsigned i = 0; i < choice; i++)
      content[i] = (char)take(recipe);
}

static size_t
count_bytes(hid_t type, hid_t space)
{
  hssize_t n = H5Sget_simple_extent_npoints(space);
  return n > CONTENT_BYTES ? CONTENT_BYTES + 1 : H5Tget_size(type) * (size_t)n;
}

static hid_t
make_creation(Recipe *recipe, hid_t space)
{
  hsize_t chunk[4] = {2, 2, 1, 2};
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  unsigned layout = take(recipe) % 7;
  if (layout == 1)
    H5Pset_external(creation, "/dev/null", 0, H5F_UNLIMITED);
  else if (layout == 2 && H5Sget_simple_extent_ndims(space) > 0)
    H5Pset_virtual(creation, space, "/dev/null", "/x", space);
  else if (layout > 2)
    H5Pset_chunk(creation, MAX(1, H5Sget_simple_extent_ndims(space)), chunk);
  if (layout > 4)
    H5Pset_deflate(creation, 1);
  if (layout == 6)
    H5Pset_fletcher32(creation);
  return creation;
}

static void
put_attribute(Recipe *recipe, hid_t object)
{
  char content[CONTENT_BYTES], *pointers[CONTENT_BYTES / sizeof(char *)];
  const char *name = marks[take(recipe) % G_N_ELEMENTS(marks)];
  g_auto(DebyeH5Type) type = make_type(recipe);
  g_auto(DebyeH5Space) space = make_space(recipe);
  fill(recipe, content);
  for (gsize i = 0; i < G_N_ELEMENTS(pointers); i++)
    pointers[i] = content;
  if (count_bytes(type, space) > CONTENT_BYTES)
    return;
  H5Adelete(object, name);
  g_auto(DebyeH5Attribute) attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0)
    H5Awrite(attribute, type, H5Tis_variable_str(type) > 0 ? (void *)pointers : (void *)content);
}

/* What the file has for a chunk: nothing that must fit its shape, or its filters. */
static void
put_chunk(Recipe *recipe, hid_t dataset, hid_t creation)
{
  static const hsize_t first[4];
  char content[CONTENT_BYTES];
  fill(recipe, content);
  if (H5Pget_layout(creation) == H5D_CHUNKED)
    H5Dwrite_chunk(dataset, H5P_DEFAULT, take(recipe) % 4, first, 1 + take(recipe), content);
}

static void
put_dataset(Recipe *recipe, hid_t file)
{
  char content[CONTENT_BYTES];
  const char *path = paths[take(recipe) % G_N_ELEMENTS(paths)];
  g_auto(DebyeH5Type) type = make_type(recipe);
  g_auto(DebyeH5Space) space = make_space(recipe);
  g_auto(DebyeH5Properties) creation = make_creation(recipe, space);
  g_auto(DebyeH5Properties) links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  fill(recipe, content);
  H5Ldelete(file, path, H5P_DEFAULT);
  g_auto(DebyeH5Dataset) dataset = H5Dcreate2(file, path, type, space, links, creation, H5P_DEFAULT);
  if (dataset < 0)
    return;
  unsigned how = take(recipe) % 4;
  if (how == 1 && H5Sget_simple_extent_npoints(space) > 0)
    put_chunk(recipe, dataset, creation);
  else if (how > 1 && H5Tis_variable_str(type) == 0 && count_bytes(type, space) <= CONTENT_BYTES &&
           H5Pget_external_count(creation) == 0 && H5Pget_layout(creation) != H5D_VIRTUAL)
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, content);
  put_attribute(recipe, dataset);
}

static void
put_link(Recipe *recipe, hid_t file)
{
  const char *path = paths[take(recipe) % G_N_ELEMENTS(paths)];
  H5Ldelete(file, path, H5P_DEFAULT);
  if (take(recipe) % 2)
    H5Lcreate_external("/dev/null", "/", file, path, H5P_DEFAULT, H5P_DEFAULT);
  else
    H5Lcreate_hard(file, "/particles/all", file, path, H5P_DEFAULT, H5P_DEFAULT);
}

/* What most recipes need to come further than the first look. */
static void
put_base(hid_t file, const char *path)
{
  static const float values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const hsize_t shape[] = {2, 2, 3};
  g_auto(DebyeH5Space) space = H5Screate_simple(3, shape, NULL);
  g_auto(DebyeH5Properties) links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  g_auto(DebyeH5Dataset) dataset =
      H5Dcreate2(file, path, H5T_IEEE_F32LE, space, links, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
}

static void
put_group_attribute(Recipe *recipe, hid_t file)
{
  static const char *const groups[] = {"/", "/particles/all", "/particles/all/position",
                                       "/particles/all/box"};
  hid_t object = H5Oopen(file, groups[take(recipe) % G_N_ELEMENTS(groups)], H5P_DEFAULT);
  if (object < 0)
    return;
  put_attribute(recipe, object);
  H5Oclose(object);
}

static void
follow(Recipe *recipe, hid_t file)
{
  if (take(recipe) % 8 > 0) {
    put_base(file, "/particles/all/position/value");
    put_base(file, "/coordinates");
  }
  while (recipe->at < recipe->n) {
    unsigned what = take(recipe) % 8;
    if (what < 5)
      put_dataset(recipe, file);
    else if (what < 7)
      put_group_attribute(recipe, file);
    else
      put_link(recipe, file);
  }
}

/* --- Reading --- */

static void
read_frames(DebyeInput *input, const DebyeFrameIndex *index)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeFrame) frame = debye_frame_new(index->n_atoms);
  gpointer reader = FORMAT.reader_new(input, index, &error);
  g_assert_true((reader != NULL) == (error == NULL));
  for (gsize k = 0; reader && frame && k < MIN(index->offsets->len, FRAMES_READ); k++) {
    gsize number = k % 2 ? index->offsets->len - 1 - k / 2 : k / 2;
    gboolean good = FORMAT.read_frame(reader, input, index, number, frame, &error);
    g_assert_true(good == (error == NULL));
    g_clear_error(&error);
  }
  if (reader)
    FORMAT.reader_free(reader);
}

static void
read_all(DebyeInput *input)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  g_autoptr(DebyeFrameIndex) index = debye_frame_index_new();
  FORMAT.look(input);
  gboolean good = FORMAT.read_topology == NULL || FORMAT.read_topology(input, builder, &error);
  g_assert_true(good == (error == NULL));
  if (good)
    g_object_unref(debye_topology_builder_finish(builder));
  g_clear_error(&error);
  good = FORMAT.index_frames(input, index, NULL, NULL, &error);
  g_assert_true(good == (error == NULL));
  if (good)
    read_frames(input, index);
}

static DebyeInput *
open_bytes(const void *bytes, size_t n)
{
  int fd = memfd_create("fuzz", MFD_CLOEXEC);
  if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
    g_error("no memory file");
  g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
  DebyeInput *input = debye_input_open(path, NULL);
  close(fd);
  return input;
}

/* HDF5 reads the good file, and the strings are looked for in the spoilt one. */
static void
find_strings(DebyeInput *good, DebyeInput *spoilt)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5File) file = debye_h5_open_input(good, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
    hid_t object = H5Oopen(file, paths[i], H5P_DEFAULT);
    for (gsize k = 0; object >= 0 && k < G_N_ELEMENTS(marks); k++)
      g_strfreev(debye_h5_find_strings(object, marks[k], spoilt));
    if (object >= 0)
      H5Oclose(object);
  }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  Recipe recipe = {.bytes = bytes, .n = MIN(n, 2048)};
  g_autoptr(GOutputStream) stream = g_memory_output_stream_new_resizable();
  {
    DEBYE_H5_LOCKED();
    g_auto(DebyeH5Properties) access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, FALSE);
    /* Headers of version 1 and of version 2. */
    H5F_libver_t version = n % 2 ? H5F_LIBVER_EARLIEST : H5F_LIBVER_V18;
    H5Pset_libver_bounds(access, version, H5F_LIBVER_LATEST);
    g_auto(DebyeH5File) file = H5Fcreate("fuzz.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    follow(&recipe, file);
    debye_h5_finish_file(file, stream, NULL);
  }
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM(stream);
  size_t size = g_memory_output_stream_get_data_size(memory);
  uint8_t *content = g_memory_output_stream_get_data(memory);
  g_autoptr(DebyeInput) good = open_bytes(content, size);
  read_all(good);
  for (size_t i = 0; size > 0 && i + 3 <= n && i < 96; i += 3)
    content[(bytes[i] | (size_t)bytes[i + 1] << 8) % size] = bytes[i + 2];
  g_autoptr(DebyeInput) spoilt = open_bytes(content, size);
  find_strings(good, spoilt);
  return 0;
}
