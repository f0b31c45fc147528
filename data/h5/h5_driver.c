/* SPDX-License-Identifier: MIT */
/* HDF5 reads through a DebyeInput: the very file that was recognised, whatever its name leads to by now, what
 * was compressed and lies in a file without a name, and nothing else. A file that shrinks meanwhile is an
 * error of a read, and so is a description of groups and data sets that isn't whole (h5_check.h). */
#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"
#include "h5.h"
#include "h5_check.h"

/* HDF5's own part comes first. */
typedef struct {
  H5FD_t base;
  DebyeInput *input;
  DebyeH5Check *check;
  gboolean owns_input, owns_check;
  haddr_t end_of_allocation;
  DebyeH5Stretch *wanted; /* where to note a stretch of values instead of reading it; NULL: values are read */
} File;

typedef struct {
  DebyeInput *input;
  DebyeH5Check *check;
} Settings;

/* Registered for good: HDF5 1.10 lets go of a file's driver before it calls the driver's own close. */
static hid_t driver = H5I_INVALID_HID;

static H5FD_t *
driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
  (void)name, (void)most;
  const Settings *settings = H5Pget_driver_info(access);
  if (settings == NULL || (flags & H5F_ACC_RDWR) != 0)
    return NULL;
  File *file = g_new0(File, 1);
  file->input = settings->input;
  file->check = settings->check;
  return &file->base;
}

static herr_t
driver_close(H5FD_t *base)
{
  File *file = (File *)base;
  if (file->owns_input)
    debye_input_close(file->input);
  if (file->owns_check)
    debye_h5_check_free(file->check);
  g_free(file);
  return 0;
}

/* Never the same, so that HDF5 never shares one thread's input with another. */
static int
driver_compare(const H5FD_t *a, const H5FD_t *b)
{
  return a < b ? -1 : a > b;
}

static herr_t
driver_query(const H5FD_t *file, unsigned long *flags)
{
  (void)file;
  *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_METADATA;
  return 0;
}

static haddr_t
driver_get_end_of_allocation(const H5FD_t *file, H5FD_mem_t kind)
{
  (void)kind;
  return ((const File *)file)->end_of_allocation;
}

static herr_t
driver_set_end_of_allocation(H5FD_t *file, H5FD_mem_t kind, haddr_t address)
{
  (void)kind;
  ((File *)file)->end_of_allocation = address;
  return 0;
}

static haddr_t
driver_get_end_of_file(const H5FD_t *file, H5FD_mem_t kind)
{
  (void)kind;
  return debye_input_get_size(((const File *)file)->input);
}

/* Of what stands in a global heap (strings of variable length, what a virtual data set is made of) the
 * library doesn't look for where it ends: strings are read by h5_heap.c. It asks for heaps as for values. */
static gboolean
is_global_heap(H5FD_mem_t kind, const void *bytes, size_t n)
{
  static const guint8 head[] = {'G', 'C', 'O', 'L', 1};
  return kind == H5FD_MEM_GHEAP ||
         (kind == H5FD_MEM_DRAW && n >= sizeof head && memcmp(bytes, head, sizeof head) == 0);
}

static gboolean
may_read(const File *file, H5FD_mem_t kind, haddr_t address, size_t n)
{
  switch (kind) {
  case H5FD_MEM_OHDR:
    return debye_h5_check_block(file->check, DEBYE_H5_BLOCK_HEADER, address, n, file->end_of_allocation);
  case H5FD_MEM_BTREE:
    return debye_h5_check_block(file->check, DEBYE_H5_BLOCK_TREE, address, n, file->end_of_allocation);
  default:
    return TRUE;
  }
}

static herr_t
driver_read(H5FD_t *base, H5FD_mem_t kind, hid_t transfer, haddr_t address, size_t n, void *buffer)
{
  (void)transfer;
  File *file = (File *)base;
  if (file->wanted != NULL && kind == H5FD_MEM_DRAW) {
    file->wanted->address = address;
    file->wanted->n_bytes = n;
    return 0;
  }
  gboolean is_read = may_read(file, kind, address, n) &&
                     debye_input_read(file->input, address, buffer, n, NULL) &&
                     !is_global_heap(kind, buffer, n);
  return is_read ? 0 : -1;
}

static herr_t
driver_get_handle(H5FD_t *file, hid_t access, void **handle)
{
  (void)access;
  *handle = file;
  return 0;
}

static herr_t
driver_write(H5FD_t *file, H5FD_mem_t kind, hid_t transfer, haddr_t address, size_t n, const void *buffer)
{
  (void)file, (void)kind, (void)transfer, (void)address, (void)n, (void)buffer;
  return -1;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)H5_VFD_RESERVED,
#endif
    .name = "debye-input",
    .maxaddr = G_MAXINT64,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(Settings),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .get_eoa = driver_get_end_of_allocation,
    .set_eoa = driver_set_end_of_allocation,
    .get_eof = driver_get_end_of_file,
    .get_handle = driver_get_handle,
    .read = driver_read,
    .write = driver_write,
    .fl_map = H5FD_FLMAP_SINGLE,
};

static File *
find_file(hid_t object)
{
  void *handle = NULL;
  g_auto(DebyeH5File) file = H5Iget_file_id(object);
  g_auto(DebyeH5Properties) access = file < 0 ? H5I_INVALID_HID : H5Fget_access_plist(file);
  gboolean is_ours = access >= 0 && driver >= 0 && H5Pget_driver(access) == driver;
  return is_ours && H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 ? handle : NULL;
}

hid_t
debye_h5_open_input(DebyeInput *input, GError **error)
{
  g_autoptr(DebyeH5Check) check = debye_h5_check_new(input);
  const Settings settings = {input, check};
  if (!debye_h5_check_objects(check, error))
    return H5I_INVALID_HID;
  /* Where it can't be opened the driver has closed an input of its own. */
  g_autofree char *what = debye_message_new("%s: can't be read as HDF5", debye_input_get_name(input));
  g_auto(DebyeH5Properties) access = H5Pcreate(H5P_FILE_ACCESS);
  /* A file must not name program code to be loaded for its filters. */
  H5PLset_loading_state(0);
  if (driver < 0)
    driver = H5FDregister(&driver_class);
  hid_t file = H5I_INVALID_HID;
  if (driver >= 0 && H5Pset_driver(access, driver, &settings) >= 0)
    file = H5Fopen(debye_input_get_path(input), H5F_ACC_RDONLY, access);
  if (file < 0) {
    debye_h5_set_error(error, DEBYE_ERROR_SYNTAX, what);
    return file;
  }
  File *ours = find_file(file);
  if (ours == NULL) {
    debye_h5_set_error(error, DEBYE_ERROR_SYNTAX, what);
    H5Fclose(file);
    return H5I_INVALID_HID;
  }
  ours->owns_check = TRUE;
  g_steal_pointer(&check);
  return file;
}

/* The input goes with the file, once there is one. */
hid_t
debye_h5_open_file(const char *path, GError **error)
{
  g_autoptr(DebyeInput) input = debye_input_open(path, error);
  hid_t id = input != NULL ? debye_h5_open_input(input, error) : H5I_INVALID_HID;
  File *file = id >= 0 ? find_file(id) : NULL;
  if (file != NULL) {
    file->owns_input = TRUE;
    g_steal_pointer(&input);
  }
  if (id < 0 && input != NULL)
    debye_input_confirm(input, FALSE, error);
  return id;
}

DebyeInput *
debye_h5_get_input(hid_t object)
{
  File *file = find_file(object);
  return file != NULL ? file->input : NULL;
}

/* The library would read as many bytes as its index says, however many that are and however few there is room
 * for: it is let look the chunk up and stopped at the read. */
gboolean
debye_h5_locate_chunk(hid_t dataset, const hsize_t *first, DebyeH5Stretch *stretch)
{
  File *file = find_file(dataset);
  hsize_t n_bytes = 0;
  uint32_t skipped = 0;
  guint8 nothing[1];
  *stretch = (DebyeH5Stretch){0};
  if (file == NULL || H5Dget_chunk_storage_size(dataset, first, &n_bytes) < 0)
    return FALSE;
  if (n_bytes == 0)
    return TRUE;
  file->wanted = stretch;
  herr_t status = H5Dread_chunk(dataset, H5P_DEFAULT, first, &skipped, nothing);
  file->wanted = NULL;
  stretch->skipped_filters = skipped;
  return status >= 0 && stretch->n_bytes > 0;
}
