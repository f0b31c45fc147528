/* SPDX-License-Identifier: MIT */
/* Reading HDF5 files of which nothing is known: what is not of the expected kind counts as not there, and
 * what a file claims is held against its size before memory is asked for. */
#include "h5.h"

#include <string.h>

#include "data/files/error.h"
#include "h5_filters.h"
#include "h5_rows.h"

#define NAME_LIMIT 4096
#define STRING_LIMIT (1 << 20)
#define MAX_IN_ATTRIBUTE (1 << 24)

static herr_t
refuse_external_link(const char *parent_file, const char *parent_group, const char *child_file,
                     const char *child_object, unsigned *flags, hid_t access, void *data)
{
  (void)parent_file, (void)parent_group, (void)child_file, (void)child_object, (void)flags, (void)access,
      (void)data;
  return -1;
}

static hid_t
open_object(hid_t parent, const char *name, H5I_type_t kind)
{
  H5L_info_t link;
  if (strchr(name, '/') != NULL || H5Lexists(parent, name, H5P_DEFAULT) <= 0 ||
      H5Lget_info(parent, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
    return H5I_INVALID_HID;
  g_auto(DebyeH5Properties) access = H5Pcreate(H5P_LINK_ACCESS);
  H5Pset_elink_cb(access, refuse_external_link, NULL);
  hid_t object = H5Oopen(parent, name, access);
  if (object >= 0 && H5Iget_type(object) != kind) {
    H5Oclose(object);
    return H5I_INVALID_HID;
  }
  return object;
}

hid_t
debye_h5_open_group(hid_t parent, const char *name)
{
  return open_object(parent, name, H5I_GROUP);
}

hid_t
debye_h5_open_dataset(hid_t parent, const char *name)
{
  return open_object(parent, name, H5I_DATASET);
}

static herr_t
add_name(GPtrArray *names, const char *name)
{
  if (*name != '\0' && strlen(name) < NAME_LIMIT)
    g_ptr_array_add(names, g_strdup(name));
  return names->len >= DEBYE_H5_NAMES; /* enough */
}

static herr_t
add_link(hid_t group, const char *name, const H5L_info_t *info, void *data)
{
  (void)group, (void)info;
  return add_name(data, name);
}

static herr_t
add_attribute(hid_t object, const char *name, const H5A_info_t *info, void *data)
{
  (void)object, (void)info;
  return add_name(data, name);
}

static gint
compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All at once, and sorted here: asked for by number, the library sorts a large group's links again for each;
 * asked for in order, it lets go of links that it never made where a damaged file's end early, or are fewer than
 * the file says. */
static char **
sort_names(GPtrArray *names)
{
  g_ptr_array_sort(names, compare_names);
  g_ptr_array_add(names, NULL);
  return (char **)g_ptr_array_free(names, FALSE);
}

char **
debye_h5_list(hid_t group)
{
  GPtrArray *names = g_ptr_array_new();
  H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, add_link, names);
  return sort_names(names);
}

char **
debye_h5_list_attributes(hid_t object)
{
  GPtrArray *names = g_ptr_array_new();
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, add_attribute, names);
  return sort_names(names);
}

/* How much larger than stored the values may be; 0: a filter that isn't expected, or data outside the file. */
static guint64
max_expansion(hid_t dataset)
{
  g_auto(DebyeH5Properties) creation = H5Dget_create_plist(dataset);
  guint64 expansion = 1;
  if (creation < 0 || H5Pget_layout(creation) == H5D_VIRTUAL || H5Pget_external_count(creation) != 0)
    return 0;
  int n_filters = H5Pget_layout(creation) == H5D_CHUNKED ? H5Pget_nfilters(creation) : 0;
  for (int i = 0; i < n_filters; i++) {
    unsigned flags, configuration;
    gsize n_values = 0;
    H5Z_filter_t filter =
        H5Pget_filter2(creation, (unsigned)i, &flags, &n_values, NULL, 0, NULL, &configuration);
    if (filter == H5Z_FILTER_DEFLATE)
      expansion = DEBYE_H5_MAX_DEFLATED;
    else if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      return 0;
  }
  return expansion;
}

int
debye_h5_get_shape(hid_t dataset, guint64 file_size, hsize_t shape[H5S_MAX_RANK])
{
  g_auto(DebyeH5Space) space = H5Dget_space(dataset);
  g_auto(DebyeH5Type) type = H5Dget_type(dataset);
  int rank = space < 0 ? 0 : H5Sget_simple_extent_dims(space, shape, NULL);
  gsize bytes = type < 0 ? 0 : H5Tget_size(type);
  guint64 room, n = bytes;
  if (rank < 1 || bytes == 0 || !g_uint64_checked_mul(&room, file_size, max_expansion(dataset)))
    return 0;
  for (int i = 0; i < rank; i++)
    if (!g_uint64_checked_mul(&n, n, shape[i]))
      return 0;
  /* The library visits all chunks to know how much is stored: not before there can be as many. */
  if (n > room)
    return 0;
  return n <= MIN(H5Dget_storage_size(dataset), file_size) * max_expansion(dataset) ? rank : 0;
}

typedef gboolean (*ReadFunction)(hid_t object, hid_t type, void *buffer, gsize n);

static gboolean
read_attribute(hid_t attribute, hid_t type, void *buffer, G_GNUC_UNUSED gsize n)
{
  return H5Aread(attribute, type, buffer) >= 0;
}

static gboolean
read_dataset(hid_t dataset, hid_t type, void *buffer, gsize n)
{
  return debye_h5_read_values(dataset, type, buffer, n, NULL);
}

/* NULL-terminated; NULL where the object holds no strings of a fixed length. Those of variable length are not
 * read: see string_type in h5.c. */
static char **
read_strings(hid_t object, hid_t type, gsize n, gsize limit, ReadFunction read)
{
  gsize bytes;
  if (type < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
    return NULL;
  gsize size = H5Tget_size(type);
  if (size < 1 || size > limit || !g_size_checked_mul(&bytes, MAX(n, 1), size))
    return NULL;
  g_autofree char *packed = g_try_malloc0(bytes);
  if (packed == NULL || (n > 0 && !read(object, type, packed, n)))
    return NULL;
  char **texts = g_new0(char *, n + 1);
  for (gsize i = 0; i < n; i++)
    texts[i] = g_strndup(packed + i * size, size);
  return texts;
}

gboolean
debye_h5_has_attribute(hid_t object, const char *attribute)
{
  return H5Aexists(object, attribute) > 0;
}

char **
debye_h5_read_strings(hid_t object, const char *name)
{
  g_auto(DebyeH5Attribute) attribute =
      debye_h5_has_attribute(object, name) ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
  if (attribute < 0)
    return NULL;
  g_auto(DebyeH5Type) type = H5Aget_type(attribute);
  g_auto(DebyeH5Space) space = H5Aget_space(attribute);
  hssize_t n = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  /* An attribute's values lie in the object's header, or in one object of the file: never many. */
  if (n < 1 || n > STRING_LIMIT || H5Aget_storage_size(attribute) > MAX_IN_ATTRIBUTE)
    return NULL;
  return read_strings(attribute, type, (gsize)n, STRING_LIMIT, read_attribute);
}

char *
debye_h5_read_string(hid_t object, const char *name)
{
  g_auto(GStrv) texts = debye_h5_read_strings(object, name);
  return texts != NULL && g_strv_length(texts) == 1 ? g_strdup(texts[0]) : NULL;
}

gboolean
debye_h5_read_doubles(hid_t object, const char *name, double *values, gsize n)
{
  g_auto(DebyeH5Attribute) attribute =
      debye_h5_has_attribute(object, name) ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
  if (attribute < 0)
    return FALSE;
  g_auto(DebyeH5Type) type = H5Aget_type(attribute);
  g_auto(DebyeH5Space) space = H5Aget_space(attribute);
  return type >= 0 && (H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER) && space >= 0 &&
         H5Sget_simple_extent_npoints(space) == (hssize_t)n &&
         H5Aread(attribute, H5T_NATIVE_DOUBLE, values) >= 0;
}

char *
debye_h5_get_string(hid_t parent, const char *name, guint64 file_size)
{
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(parent, name);
  if (dataset < 0)
    return NULL;
  g_auto(DebyeH5Type) type = H5Dget_type(dataset);
  g_auto(DebyeH5Space) space = H5Dget_space(dataset);
  if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 || H5Dget_storage_size(dataset) > file_size ||
      max_expansion(dataset) == 0)
    return NULL;
  g_autofree char **texts = read_strings(dataset, type, 1, STRING_LIMIT, read_dataset);
  return texts != NULL ? texts[0] : NULL;
}

char **
debye_h5_get_strings(hid_t parent, const char *name, guint64 file_size)
{
  hsize_t shape[H5S_MAX_RANK];
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(parent, name);
  if (dataset < 0)
    return NULL;
  g_auto(DebyeH5Type) type = H5Dget_type(dataset);
  if (debye_h5_get_shape(dataset, file_size, shape) != 1)
    return NULL;
  /* However long, the file holds them. */
  return read_strings(dataset, type, (gsize)shape[0], G_MAXSSIZE, read_dataset);
}

gpointer
debye_h5_get_block(hid_t parent, const char *name, hid_t type, gsize size, guint64 file_size, int rank,
                   hsize_t *shape, GError **error)
{
  const gboolean is_given = shape[0] > 0;
  hsize_t found[H5S_MAX_RANK];
  gsize n = 1, bytes;
  g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(parent, name);
  g_auto(DebyeH5Type) file_type = dataset < 0 ? H5I_INVALID_HID : H5Dget_type(dataset);
  H5T_class_t class = file_type < 0 ? H5T_NO_CLASS : H5Tget_class(file_type);
  if ((class != H5T_FLOAT && class != H5T_INTEGER) || debye_h5_get_shape(dataset, file_size, found) != rank)
    return NULL;
  for (int i = 0; i < rank; i++)
    if ((found[i] == 0 && rank > 1) || (is_given && found[i] != shape[i]) ||
        !g_size_checked_mul(&n, n, found[i]))
      return NULL;
  if (!g_size_checked_mul(&bytes, n, size))
    return NULL;
  g_autofree guint8 *values = g_try_malloc(MAX(bytes, 1));
  if (values == NULL)
    debye_error_set_memory(error, NULL, n, "values");
  if (values == NULL || !debye_h5_read_values(dataset, type, values, n, error))
    return NULL;
  memcpy(shape, found, (gsize)rank * sizeof *shape);
  return g_steal_pointer(&values);
}

gpointer
debye_h5_get_numbers(hid_t parent, const char *name, hid_t type, gsize size, guint64 file_size, gsize *n)
{
  hsize_t shape = 0;
  gpointer values = debye_h5_get_block(parent, name, type, size, file_size, 1, &shape, NULL);
  if (values != NULL)
    *n = shape;
  return values;
}
