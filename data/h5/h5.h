/* SPDX-License-Identifier: MIT */
/* The only door to HDF5. The library may be built without thread safety, so every use stands under one lock:
 *
 *     DEBYE_H5_LOCKED();          first in the scope
 *     g_auto(DebyeH5Group) …      closed by scope, before the lock goes
 *
 * All functions here need that lock. Private to the data layer. */
#pragma once

#include <gio/gio.h>
#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "data/files/input.h"

/* Takes the lock (recursive) and keeps the library from printing on this thread. */
void debye_h5_lock(void);
void debye_h5_unlock(void);

typedef int DebyeH5Scope;
static inline DebyeH5Scope
debye_h5_scope_enter(void)
{
  debye_h5_lock();
  return 1;
}
static inline void
debye_h5_scope_leave(DebyeH5Scope scope)
{
  (void)scope;
  debye_h5_unlock();
}
G_DEFINE_AUTO_CLEANUP_FREE_FUNC(DebyeH5Scope, debye_h5_scope_leave, 0)
#define DEBYE_H5_LOCKED() G_GNUC_UNUSED g_auto(DebyeH5Scope) debye_h5_scope = debye_h5_scope_enter()

typedef hid_t DebyeH5File, DebyeH5Group, DebyeH5Dataset, DebyeH5Space, DebyeH5Type, DebyeH5Attribute,
    DebyeH5Properties;
G_DEFINE_AUTO_CLEANUP_FREE_FUNC(DebyeH5File, H5Fclose, H5I_INVALID_HID)
G_DEFINE_AUTO_CLEANUP_FREE_FUNC(DebyeH5Group, H5Gclose, H5I_INVALID_HID)
G_DEFINE_AUTO_CLEANUP_FREE_FUNC(DebyeH5Dataset, H5Dclose, H5I_INVALID_HID)
G_DEFINE_AUTO_CLEANUP_FREE_FUNC(DebyeH5Space, H5Sclose, H5I_INVALID_HID)
G_DEFINE_AUTO_CLEANUP_FREE_FUNC(DebyeH5Type, H5Tclose, H5I_INVALID_HID)
G_DEFINE_AUTO_CLEANUP_FREE_FUNC(DebyeH5Attribute, H5Aclose, H5I_INVALID_HID)
G_DEFINE_AUTO_CLEANUP_FREE_FUNC(DebyeH5Properties, H5Pclose, H5I_INVALID_HID)

/* An error with what was tried and the library's innermost reason. Call it at once: the next HDF5 call
 * forgets that. Returns FALSE. */
gboolean debye_h5_set_error(GError **error, int code, const char *what);
/* "can't write WHAT: " and that reason. */
gboolean debye_h5_set_write_error(GError **error, const char *what);

/* --- Writing; an error is DEBYE_ERROR_WRITE. Strings are of a fixed length, in UTF-8 --- */

/* In memory: the library (1.10) doesn't survive a full disk. */
hid_t debye_h5_create_file(GError **error);
/* All that is in it, to a stream; errors of the stream come as they are. */
gboolean debye_h5_finish_file(hid_t file, GOutputStream *stream, GError **error);
/* A group with its NX_class. */
hid_t debye_h5_create_group(hid_t parent, const char *name, const char *nexus_class, GError **error);
gboolean debye_h5_write_string(hid_t object, const char *attribute, const char *value, GError **error);
gboolean debye_h5_write_strings(hid_t object, const char *attribute, const char *const *values, gsize n,
                                GError **error);
gboolean debye_h5_write_doubles(hid_t object, const char *attribute, const double *values, int rank,
                                const hsize_t *shape, GError **error);
gboolean debye_h5_write_integer(hid_t object, const char *attribute, int value, GError **error);
/* The object `name` of `group` as `as` of `parent`, too: an object with two names, nothing is kept twice. */
gboolean debye_h5_link(hid_t parent, const char *as, hid_t group, const char *name, GError **error);
/* Data sets; `units` NULL: none. */
gboolean debye_h5_put_string(hid_t parent, const char *name, const char *value, GError **error);
gboolean debye_h5_put_strings(hid_t parent, const char *name, const char *const *values, gsize n,
                              GError **error);
gboolean debye_h5_put_numbers(hid_t parent, const char *name, hid_t type, const void *values, gsize n,
                              const char *units, GError **error);

/* --- Reading files that may be hostile: only hard links are followed, and nothing outside the file is opened
 * --- */

hid_t debye_h5_open_file(const char *path, GError **error);
/* The input's content, which must stay open as long as the file does: also what was compressed, and never
 * another file that got its name meanwhile. */
hid_t debye_h5_open_input(DebyeInput *input, GError **error);
/* What the file that holds this object is read from; NULL where neither of those opened it. */
DebyeInput *debye_h5_get_input(hid_t object);
/* Where a chunk of values lies in the input, as its index says. */
typedef struct {
  guint64 address, n_bytes; /* 0 bytes: nothing was ever written there */
  unsigned skipped_filters; /* bit i: filter i was left out */
} DebyeH5Stretch;
/* `first`: the chunk's first element, in elements. FALSE where the index can't be read. */
gboolean debye_h5_locate_chunk(hid_t dataset, const hsize_t *first, DebyeH5Stretch *stretch);
/* Children by one name, no path; H5I_INVALID_HID where there is none of that kind. */
hid_t debye_h5_open_group(hid_t parent, const char *name);
hid_t debye_h5_open_dataset(hid_t parent, const char *name);
/* The shape, or 0 dimensions where the data set is not one that a file of `file_size` bytes can hold: data
 * kept elsewhere, filters other than deflate, more values than the stored bytes can expand to. */
int debye_h5_get_shape(hid_t dataset, guint64 file_size, hsize_t shape[H5S_MAX_RANK]);
char *debye_h5_read_string(hid_t object, const char *attribute);   /* NULL: none */
char **debye_h5_read_strings(hid_t object, const char *attribute); /* of any number; NULL: none */
/* The same, and also strings of variable length, which are parsed from the file itself (see h5_heap.c). */
char **debye_h5_find_strings(hid_t object, const char *attribute, DebyeInput *input);
char *debye_h5_find_string(hid_t object, const char *attribute, DebyeInput *input);
/* Where the description of a group or data set begins in the file. */
gboolean debye_h5_get_header_address(hid_t object, haddr_t *address);
/* The names of a group's links, and of an object's attributes, sorted, at most DEBYE_H5_NAMES of them;
 * NULL-terminated. */
#define DEBYE_H5_NAMES 65536
char **debye_h5_list(hid_t group);
char **debye_h5_list_attributes(hid_t object);
/* All of `n` numbers of an attribute, or FALSE. */
gboolean debye_h5_read_doubles(hid_t object, const char *attribute, double *values, gsize n);
gboolean debye_h5_has_attribute(hid_t object, const char *attribute);
/* Data sets; NULL: none of that kind. */
char *debye_h5_get_string(hid_t parent, const char *name, guint64 file_size);
char **debye_h5_get_strings(hid_t parent, const char *name, guint64 file_size);
/* A data set of so many dimensions as numbers of a native type of `size` bytes. `shape`: what it must be, or it
 * begins with 0 and is told. NULL with an error (that names no file) only where it is that and can't be read. */
gpointer debye_h5_get_block(hid_t parent, const char *name, hid_t type, gsize size, guint64 file_size,
                            int rank, hsize_t *shape, GError **error);
/* Of one dimension. */
gpointer debye_h5_get_numbers(hid_t parent, const char *name, hid_t type, gsize size, guint64 file_size,
                              gsize *n);
