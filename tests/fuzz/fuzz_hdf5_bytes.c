/* SPDX-License-Identifier: MIT */
/* libFuzzer target for what describes an HDF5 file's groups and data sets, which the library decodes: any
 * bytes, with whatever checksums. Whatever the check of h5_check.h lets pass, the library survives: all
 * groups are listed, all data sets and attributes opened. */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "believe_checksums.h"
#include "data/h5/h5.h"

#define DEPTH_MAXIMUM 4
#define CHILDREN_MAXIMUM 64

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

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

static void
read_attributes(hid_t object, DebyeInput *input)
{
  static const char *const names[] = {"NX_class", "units", "a", "Conventions", "author"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    double value;
    g_strfreev(debye_h5_find_strings(object, names[i], input));
    debye_h5_read_doubles(object, names[i], &value, 1);
  }
}

static void
read_dataset(hid_t parent, const char *name, hid_t dataset, DebyeInput *input)
{
  gsize n;
  hsize_t shape[H5S_MAX_RANK];
  guint64 size = debye_input_get_size(input);
  debye_h5_get_shape(dataset, size, shape);
  read_attributes(dataset, input);
  g_strfreev(debye_h5_get_strings(parent, name, size));
  g_free(debye_h5_get_numbers(parent, name, H5T_NATIVE_DOUBLE, sizeof(double), size, &n));
}

static void
read_group(hid_t group, DebyeInput *input, guint depth)
{
  read_attributes(group, input);
  g_auto(GStrv) names = debye_h5_list(group);
  for (gsize i = 0; names[i] != NULL && i < CHILDREN_MAXIMUM; i++) {
    g_auto(DebyeH5Group) child = debye_h5_open_group(group, names[i]);
    g_auto(DebyeH5Dataset) dataset = debye_h5_open_dataset(group, names[i]);
    if (child >= 0 && depth < DEPTH_MAXIMUM)
      read_group(child, input, depth + 1);
    if (dataset >= 0)
      read_dataset(group, names[i], dataset, input);
  }
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  believe_checksums();
  return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  g_autoptr(GError) error = NULL;
  g_autofree uint8_t *believed = g_memdup2(bytes, n);
  believe_heaps(believed, n);
  g_autoptr(DebyeInput) input = open_bytes(believed, n);
  DEBYE_H5_LOCKED();
  g_auto(DebyeH5File) file = input != NULL ? debye_h5_open_input(input, &error) : H5I_INVALID_HID;
  g_assert_true((file < 0) == (error != NULL || input == NULL));
  g_auto(DebyeH5Group) root = file >= 0 ? H5Gopen2(file, "/", H5P_DEFAULT) : H5I_INVALID_HID;
  if (root >= 0)
    read_group(root, input, 0);
  return 0;
}
