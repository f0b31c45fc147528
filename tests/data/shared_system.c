/* SPDX-License-Identifier: MIT */
#include "shared_system.h"

#include "tests/support/shared.h"

void
shared_system_open(SharedSystem *system, const char *first, const char *second, gsize frame_number)
{
  const char *folder = debye_shared_get_folder();
  g_autofree char *first_path = g_build_filename(folder, first, NULL);
  g_autofree char *second_path = second ? g_build_filename(folder, second, NULL) : NULL;
  const char *paths[] = {first_path, second_path, NULL};
  g_autoptr(GError) error = NULL;
  system->dataset = debye_dataset_open(paths, NULL, NULL, &error);
  g_assert_no_error(error);
  system->topology = debye_dataset_get_topology(system->dataset);
  system->reader = debye_trajectory_reader_new(debye_dataset_get_trajectory(system->dataset), &error);
  g_assert_no_error(error);
  system->frame = debye_frame_new(debye_topology_get_n_atoms(system->topology));
  shared_system_read(system, frame_number);
}

void
shared_system_count_all(SharedSystem *system)
{
  g_autoptr(GError) error = NULL;
  DebyeDataset *all = debye_dataset_with_choices(system->dataset, "all", NULL, &error);
  g_assert_no_error(error);
  g_object_unref(system->dataset);
  system->dataset = all;
  system->topology = debye_dataset_get_topology(all);
}

void
shared_system_read(SharedSystem *system, gsize frame_number)
{
  g_autoptr(GError) error = NULL;
  debye_trajectory_reader_read(system->reader, frame_number, system->frame, &error);
  g_assert_no_error(error);
}

void
shared_system_close(SharedSystem *system)
{
  g_clear_pointer(&system->reader, debye_trajectory_reader_free);
  g_clear_pointer(&system->frame, debye_frame_unref);
  g_clear_object(&system->dataset);
}
