/* SPDX-License-Identifier: MIT */
/* Every call must succeed: a test that doesn't make what it means to tests nothing. */
#include "h5_builder.h"

#include <string.h>

H5Builder
h5_builder_new(const DebyeTemporaryFolder *folder, const char *name, H5BuilderVersion version)
{
  DEBYE_H5_LOCKED();
  H5Builder builder = {.path = g_build_filename(folder, name, NULL)};
  g_auto(DebyeH5Properties) access = H5Pcreate(H5P_FILE_ACCESS);
  H5F_libver_t bound = version == H5_BUILDER_OLDEST ? H5F_LIBVER_EARLIEST : H5F_LIBVER_LATEST;
  g_assert_cmpint(H5Pset_libver_bounds(access, bound, H5F_LIBVER_LATEST), >=, 0);
  builder.file = H5Fcreate(builder.path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  g_assert_cmpint(builder.file, >=, 0);
  return builder;
}

void
h5_builder_finish(H5Builder *builder)
{
  DEBYE_H5_LOCKED();
  g_assert_cmpint(H5Fclose(builder->file), >=, 0);
  builder->file = H5I_INVALID_HID;
}

void
h5_builder_clear(H5Builder *builder)
{
  if (builder->file >= 0)
    h5_builder_finish(builder);
  g_free(builder->path);
}

static hid_t
make_parents(void)
{
  hid_t properties = H5Pcreate(H5P_LINK_CREATE);
  g_assert_cmpint(H5Pset_create_intermediate_group(properties, 1), >=, 0);
  return properties;
}

static void
put(H5Builder *builder, const char *path, hid_t file_type, hid_t memory_type, int rank, const hsize_t *shape,
    const hsize_t *chunk, const void *values)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5Space) space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape, NULL);
  g_auto(DebyeH5Properties) links = make_parents();
  g_auto(DebyeH5Properties) creation = H5Pcreate(H5P_DATASET_CREATE);
  if (chunk != NULL) {
    g_assert_cmpint(H5Pset_chunk(creation, rank, chunk), >=, 0);
    g_assert_cmpint(H5Pset_shuffle(creation), >=, 0);
    g_assert_cmpint(H5Pset_deflate(creation, 4), >=, 0);
  }
  g_auto(DebyeH5Dataset) dataset =
      H5Dcreate2(builder->file, path, file_type, space, links, creation, H5P_DEFAULT);
  g_assert_cmpint(dataset, >=, 0);
  g_assert_cmpint(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
}

void
h5_builder_put(H5Builder *builder, const char *path, hid_t file_type, hid_t memory_type, int rank,
               const hsize_t *shape, const void *values)
{
  put(builder, path, file_type, memory_type, rank, shape, NULL, values);
}

void
h5_builder_put_packed(H5Builder *builder, const char *path, hid_t file_type, hid_t memory_type, int rank,
                      const hsize_t *shape, const hsize_t *chunk, const void *values)
{
  put(builder, path, file_type, memory_type, rank, shape, chunk, values);
}

void
h5_builder_put_floats(H5Builder *builder, const char *path, int rank, const hsize_t *shape,
                      const float *values)
{
  put(builder, path, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, rank, shape, NULL, values);
}

void
h5_builder_put_text(H5Builder *builder, const char *path, const char *text)
{
  DEBYE_H5_LOCKED();
  const hsize_t one = 1;
  g_auto(DebyeH5Type) type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, strlen(text) + 1);
  put(builder, path, type, type, 1, &one, NULL, text);
}

void
h5_builder_add_group(H5Builder *builder, const char *path)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5Properties) links = make_parents();
  g_auto(DebyeH5Group) group = H5Gcreate2(builder->file, path, links, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint(group, >=, 0);
}

static void
mark(H5Builder *builder, const char *path, const char *name, hid_t type, hid_t space, const void *values)
{
  hid_t object = H5Oopen(builder->file, path, H5P_DEFAULT);
  g_assert_cmpint(object, >=, 0);
  g_auto(DebyeH5Attribute) attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint(attribute, >=, 0);
  g_assert_cmpint(H5Awrite(attribute, type, values), >=, 0);
  H5Oclose(object);
}

void
h5_builder_mark(H5Builder *builder, const char *path, const char *name, const char *text)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5Type) type = H5Tcopy(H5T_C_S1);
  g_auto(DebyeH5Space) space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE);
  mark(builder, path, name, type, space, &text);
}

void
h5_builder_mark_fixed(H5Builder *builder, const char *path, const char *name, const char *text)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5Type) type = H5Tcopy(H5T_C_S1);
  g_auto(DebyeH5Space) space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(text) + 1);
  mark(builder, path, name, type, space, text);
}

void
h5_builder_mark_many(H5Builder *builder, const char *path, const char *name, const char *const *texts,
                     hsize_t n)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5Type) type = H5Tcopy(H5T_C_S1);
  g_auto(DebyeH5Space) space = H5Screate_simple(1, &n, NULL);
  H5Tset_size(type, H5T_VARIABLE);
  mark(builder, path, name, type, space, texts);
}

void
h5_builder_mark_numbers(H5Builder *builder, const char *path, const char *name, const double *values,
                        hsize_t n)
{
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5Space) space = n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
  mark(builder, path, name, H5T_NATIVE_DOUBLE, space, values);
}
