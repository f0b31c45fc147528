/* SPDX-License-Identifier: MIT */
/* Implementation of h5.h except reading (h5_read.c): the lock around HDF5, its errors, and writing. */
#include "h5.h"

#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"

/* How much memory the file that is being made grows by at least. */
#define CORE_INCREMENT (1 << 16)

static GRecMutex lock;

void
debye_h5_lock(void)
{
  static gboolean begun = FALSE;
  g_rec_mutex_lock(&lock);
  /* Every file is closed where it was opened. What the library would close when the program ends is what it
   * couldn't, of damaged files, and 1.10 then reads what it has freed. Before its first call only. */
  if (!begun)
    begun = H5dont_atexit() >= 0;
  /* The setting belongs to the thread, where the library knows threads. */
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void
debye_h5_unlock(void)
{
  g_rec_mutex_unlock(&lock);
}

static herr_t
keep_first(unsigned n, const H5E_error2_t *entry, void *data)
{
  (void)n;
  char **reason = data;
  if (*reason == NULL && entry->desc != NULL && *entry->desc != '\0')
    *reason = g_strdup(entry->desc);
  return 0;
}

/* Of a failed read or write the library tells everything it knows, addresses in memory included: the system's
 * own reason is what a person needs. */
static char *
shorten_reason(const char *reason)
{
  static const char mark[] = "error message = '";
  const char *start = strstr(reason, mark);
  if (start == NULL)
    return g_utf8_make_valid(reason, -1);
  start += strlen(mark);
  return g_utf8_make_valid(start, (gssize)strcspn(start, "'"));
}

gboolean
debye_h5_set_error(GError **error, int code, const char *what)
{
  g_autofree char *reason = NULL;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  g_autofree char *text = shorten_reason(reason != NULL ? reason : N_("no reason given"));
  return debye_error_set(error, code, "%s: %s", what, text);
}

gboolean
debye_h5_set_write_error(GError **error, const char *what)
{
  g_autofree char *text = debye_message_new("can't write %s", what);
  return debye_h5_set_error(error, DEBYE_ERROR_WRITE, text);
}

static gboolean
check_write(herr_t status, const char *what, GError **error)
{
  return status >= 0 || debye_h5_set_write_error(error, what);
}

hid_t
debye_h5_create_file(GError **error)
{
  g_auto(DebyeH5Properties) access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, CORE_INCREMENT, FALSE);
  /* The format of 1.8 has checksums in its metadata: a damaged file is an error then, not a wrong answer. */
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  hid_t file = H5Fcreate("result.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  check_write(file < 0 ? -1 : 0, "the file", error);
  return file;
}

gboolean
debye_h5_finish_file(hid_t file, GOutputStream *stream, GError **error)
{
  void *handle = NULL;
  hssize_t size = -1;
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0)
    size = H5Fget_file_image(file, NULL, 0);
  /* The handle of the memory driver is the address of its buffer's address. */
  if (size < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0)
    return check_write(-1, "the file", error);
  return g_output_stream_write_all(stream, *(void **)handle, (gsize)size, NULL, NULL, error);
}

hid_t
debye_h5_create_group(hid_t parent, const char *name, const char *nexus_class, GError **error)
{
  g_auto(DebyeH5Group) group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (!check_write(group < 0 ? -1 : 0, name, error) ||
      !debye_h5_write_string(group, "NX_class", nexus_class, error))
    return H5I_INVALID_HID;
  hid_t created = group;
  group = H5I_INVALID_HID;
  return created;
}

/* Strings are of a fixed length, padded with NUL: those of variable length stand in a heap that the library
 * (1.10) reads without looking whether they are there, and a damaged file would end the program. */
static hid_t
string_type(gsize size)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, MAX(size, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

/* The strings one behind the other, each `*size` bytes. */
static char *
pack_strings(const char *const *values, gsize n, gsize *size)
{
  *size = 1;
  for (gsize i = 0; i < n; i++)
    *size = MAX(*size, strlen(values[i]));
  char *packed = g_malloc0_n(MAX(n, 1), *size);
  for (gsize i = 0; i < n; i++)
    memcpy(packed + i * *size, values[i], strlen(values[i]));
  return packed;
}

static gboolean
write_attribute(hid_t object, const char *name, hid_t type, hid_t space, const void *values, GError **error)
{
  g_auto(DebyeH5Attribute) attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  return check_write(attribute < 0 ? -1 : H5Awrite(attribute, type, values), name, error);
}

static gboolean
write_string_attribute(hid_t object, const char *name, const char *const *values, gsize n, hid_t space,
                       GError **error)
{
  gsize size;
  g_autofree char *packed = pack_strings(values, n, &size);
  g_auto(DebyeH5Type) type = string_type(size);
  return write_attribute(object, name, type, space, packed, error);
}

gboolean
debye_h5_write_string(hid_t object, const char *attribute, const char *value, GError **error)
{
  g_auto(DebyeH5Space) space = H5Screate(H5S_SCALAR);
  return write_string_attribute(object, attribute, &value, 1, space, error);
}

gboolean
debye_h5_write_strings(hid_t object, const char *attribute, const char *const *values, gsize n,
                       GError **error)
{
  hsize_t shape = n;
  g_auto(DebyeH5Space) space = H5Screate_simple(1, &shape, NULL);
  return write_string_attribute(object, attribute, values, n, space, error);
}

gboolean
debye_h5_write_doubles(hid_t object, const char *attribute, const double *values, int rank,
                       const hsize_t *shape, GError **error)
{
  g_auto(DebyeH5Space) space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape, NULL);
  return write_attribute(object, attribute, H5T_NATIVE_DOUBLE, space, values, error);
}

gboolean
debye_h5_write_integer(hid_t object, const char *attribute, int value, GError **error)
{
  g_auto(DebyeH5Space) space = H5Screate(H5S_SCALAR);
  return write_attribute(object, attribute, H5T_NATIVE_INT, space, &value, error);
}

gboolean
debye_h5_link(hid_t parent, const char *as, hid_t group, const char *name, GError **error)
{
  return check_write(H5Lcreate_hard(group, name, parent, as, H5P_DEFAULT, H5P_DEFAULT), as, error);
}

static gboolean
put_dataset(hid_t parent, const char *name, hid_t type, hid_t space, const void *values, const char *units,
            GError **error)
{
  g_auto(DebyeH5Dataset) dataset =
      H5Dcreate2(parent, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return check_write(dataset < 0 ? -1 : H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name,
                     error) &&
         (units == NULL || debye_h5_write_string(dataset, "units", units, error));
}

static gboolean
put_string_dataset(hid_t parent, const char *name, const char *const *values, gsize n, hid_t space,
                   GError **error)
{
  gsize size;
  g_autofree char *packed = pack_strings(values, n, &size);
  g_auto(DebyeH5Type) type = string_type(size);
  return put_dataset(parent, name, type, space, packed, NULL, error);
}

gboolean
debye_h5_put_string(hid_t parent, const char *name, const char *value, GError **error)
{
  g_auto(DebyeH5Space) space = H5Screate(H5S_SCALAR);
  return put_string_dataset(parent, name, &value, 1, space, error);
}

gboolean
debye_h5_put_strings(hid_t parent, const char *name, const char *const *values, gsize n, GError **error)
{
  hsize_t shape = n;
  g_auto(DebyeH5Space) space = H5Screate_simple(1, &shape, NULL);
  return put_string_dataset(parent, name, values, n, space, error);
}

gboolean
debye_h5_put_numbers(hid_t parent, const char *name, hid_t type, const void *values, gsize n,
                     const char *units, GError **error)
{
  static const double nothing = 0.0;
  hsize_t shape = n;
  g_auto(DebyeH5Space) space = H5Screate_simple(1, &shape, NULL);
  return put_dataset(parent, name, type, space, n > 0 ? values : &nothing, units, error);
}
