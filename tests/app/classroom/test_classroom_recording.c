/* SPDX-License-Identifier: MIT */
/* Recordings of ladders: what a file has, what is left out, and what is no recording. */
#include "app/classroom/classroom_record.h"
#include "app/classroom/classroom_recording.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/files/error.h"
#include "data/messages/message.h"

static const char whole[] =
    "{\"recording\": 1, \"kernel\": \"direct\", \"results\": ["
    "{\"variant\": \"const-precalc\", \"device\": \"cuda:0\", \"seconds\": 0.5, \"seconds_least\": 0.5,"
    " \"seconds_most\": 0.75, \"evals_per_second\": 2e12, \"flops_per_second\": 2e13, \"share_of_limit\": "
    "0.4,"
    " \"scale_factor\": 8, \"first_launch_seconds\": 0.25, \"copy_in_seconds\": 0.002, \"copy_out_seconds\": "
    "0.001,"
    " \"flops_per_byte\": 100, \"error\": 1e-7, \"gpu\": {\"threads_per_block\": 256, "
    "\"registers_per_thread\": 40,"
    " \"shared_bytes\": 1024, \"local_bytes\": 0, \"blocks_per_multiprocessor\": 6, \"occupancy\": 0.75}},"
    "{\"variant\": \"of another version\", \"device\": \"cuda:0\", \"evals_per_second\": 1},"
    "{\"variant\": \"grid-outer\", \"device\": \"cpu\", \"evals_per_second\": 1e9},"
    "{\"variant\": \"const-precalc\", \"device\": \"cuda:7\", \"evals_per_second\": 1},"
    "{\"variant\": \"histogram-grid\", \"device\": \"cuda:0\", \"evals_per_second\": 3e11}, 7],"
    " \"limits\": [{\"device\": \"cuda:0\", \"name\": \"NVIDIA H200\", \"flops_per_second\": 5e13,"
    " \"reciprocal_roots_per_second\": 4e12, \"bytes_per_second\": 4e12},"
    " {\"device\": \"cpu\", \"name\": \"nothing\", \"flops_per_second\": -1, \"bytes_per_second\": 1}]}";

static void
test_whole(void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(DebyeClassroomRecord) record =
      debye_classroom_recording_parse(whole, strlen(whole), "h200.json", &error);
  g_assert_no_error(error);
  /* Neither an unknown variant, nor an unknown device, nor one without limits. */
  g_assert_cmpuint(record->devices->len, ==, 1);
  g_assert_cmpuint(record->steps->len, ==, 2);
  const DebyeClassroomDevice *device = &g_array_index(record->devices, DebyeClassroomDevice, 0);
  const DebyeClassroomStep *step = &g_array_index(record->steps, DebyeClassroomStep, 0);
  g_assert_cmpstr(device->name, ==, "NVIDIA H200, recorded");
  g_assert_cmpfloat(device->limits.operations, ==, 5e13);
  g_assert_true(step->device == device->id && step->is_recorded && step->kind == DEBYE_LADDER_MAP);
  g_assert_cmpstr(step->source, ==, "direct/24-const-precalc.cu");
  g_assert_cmpuint(step->number, ==, 4);
  g_assert_cmpfloat(step->rate, ==, 2e12);
  g_assert_cmpfloat(step->spread, ==, 0.5);
  g_assert_cmpfloat(step->first_launch, ==, 0.25);
  g_assert_cmpfloat(step->copy_in, ==, 0.002);
  g_assert_cmpfloat(step->copy_out, ==, 0.001);
  g_assert_cmpfloat(step->whole, ==, 8.0);
  g_assert_cmpfloat(g_array_index(record->steps, DebyeClassroomStep, 1).whole, ==, 0.0);
  g_assert_cmpint(step->resources.registers, ==, 40);
  g_assert_cmpfloat_with_epsilon((double)step->resources.occupancy, 0.75, 1e-6);
}

static void
test_bad(void)
{
  static const char *const bad[] = {"", "[]", "{}", "{\"recording\": 2}", "{\"recording\": 1"};
  for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_autoptr(GError) error = NULL;
    g_assert_null(debye_classroom_recording_parse(bad[i], strlen(bad[i]), "bad.json", &error));
    g_assert_nonnull(error);
    g_assert_nonnull(strstr(error->message, "bad.json"));
  }
}

static DebyeClassroomRecord *
read_folder(DebyeLadderKind kind, const char *folder)
{
  return debye_classroom_recordings_read(kind, (const char *const[]){"/nonexistent", folder, NULL});
}

/* The kind alone that is shown, and nothing from a folder that isn't there. */
static void
test_folder(void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp("debye-recordings-XXXXXX", &error),
                  *path = g_build_filename(folder, "h200.json", NULL),
                  *other = g_build_filename(folder, "monday.json", NULL);
  g_assert_true(g_file_set_contents(path, whole, -1, &error));
  g_autoptr(DebyeClassroomRecord) none = read_folder(DEBYE_LADDER_CUTOFF, folder);
  g_assert_cmpuint(none->steps->len + none->devices->len + none->remarks->len, ==, 0);
  g_autoptr(DebyeClassroomRecord) one = read_folder(DEBYE_LADDER_COUNT, folder);
  g_assert_cmpuint(one->steps->len, ==, 1);
  g_assert_cmpfloat(g_array_index(one->steps, DebyeClassroomStep, 0).rate, ==, 3e11);
  /* The same GPU twice: each file's is told apart, in rows and in the figure. */
  g_assert_true(g_file_set_contents(other, whole, -1, &error));
  g_autoptr(DebyeClassroomRecord) two = read_folder(DEBYE_LADDER_COUNT, folder);
  g_assert_cmpuint(two->steps->len, ==, 2);
  g_assert_cmpuint(two->devices->len, ==, 2);
  g_autofree char *name =
      debye_classroom_record_name_device(two, g_array_index(two->steps, DebyeClassroomStep, 1).device);
  g_assert_cmpstr(name, ==, "NVIDIA H200, recorded (monday.json: cuda:0)");
  g_unlink(other);
  g_unlink(path);
  g_rmdir(folder);
}

/* What is none is told, and what is good beside it kept; a pipe is not waited for. */
static void
test_bad_files(void)
{
  static const char *const names[] = {"a-text.json", "b-pipe.json", "c-folder.json", "d-large.json",
                                      "e-good.json"};
  g_autofree char *folder = g_dir_make_tmp("debye-recordings-XXXXXX", NULL);
  char *paths[G_N_ELEMENTS(names)];
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    paths[i] = g_build_filename(folder, names[i], NULL);
  g_assert_true(g_file_set_contents(paths[0], "no", -1, NULL));
  g_assert_cmpint(mkfifo(paths[1], 0600), ==, 0);
  g_assert_cmpint(g_mkdir(paths[2], 0700), ==, 0);
  g_assert_true(g_file_set_contents(paths[3], "", 0, NULL));
  g_assert_cmpint(truncate(paths[3], (off_t)5 << 20), ==, 0);
  g_assert_true(g_file_set_contents(paths[4], whole, -1, NULL));
  g_autoptr(DebyeClassroomRecord) record = read_folder(DEBYE_LADDER_MAP, folder);
  g_assert_cmpuint(record->steps->len, ==, 1);
  g_assert_cmpuint(record->remarks->len, ==, 4);
  for (guint i = 0; i < record->remarks->len; i++) {
    g_autofree char *remark = debye_message_english(record->remarks->pdata[i]);
    g_assert_nonnull(strstr(remark, names[i]));
    g_assert_cmpint(strstr(remark, "found 5 MiB") != NULL, ==, i == 3);
  }
  g_autoptr(DebyeClassroomRecord) copy = debye_classroom_record_copy(record);
  g_assert_cmpuint(copy->remarks->len, ==, 4);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    g_remove(paths[i]);
    g_free(paths[i]);
  }
  g_rmdir(folder);
}

/* A row without a device is of none; a name has a bound. */
static void
test_names(void)
{
  g_autofree char *long_name = g_strnfill(100000, 'x');
  g_autofree char *text =
      g_strdup_printf("{\"recording\": 1, \"results\": [{\"variant\": \"grid-outer\", \"device\": \"\", "
                      "\"evals_per_second\": 1},"
                      " {\"variant\": \"const-precalc\", \"device\": \"0\", \"evals_per_second\": 1}],"
                      " \"limits\": [{\"device\": \"cuda:0\", \"name\": \"%s\", \"flops_per_second\": 1, "
                      "\"bytes_per_second\": 1}]}",
                      long_name);
  g_autoptr(DebyeClassroomRecord) record =
      debye_classroom_recording_parse(text, strlen(text), "long.json", NULL);
  g_assert_cmpuint(record->steps->len, ==, 0);
  g_assert_cmpuint(record->devices->len, ==, 1);
  g_assert_cmpuint(strlen(g_array_index(record->devices, DebyeClassroomDevice, 0).name), <, 100);
}

/* Ladder and class: the class's step is the last, and a device that both have stands once. */
static void
test_join(void)
{
  g_autoptr(DebyeClassroomRecord) ladder =
      debye_classroom_recording_parse(whole, strlen(whole), "h200.json", NULL);
  g_autoptr(DebyeClassroomRecord) ours = debye_classroom_record_new("ours");
  const DebyeClassroomStep step = {.title = "ours", .device = "cpu"};
  const DebyeClassroomDevice device = {.id = "cpu", .name = "CPU"};
  g_array_append_val(ours->steps, step);
  g_array_append_val(ours->devices, device);
  g_autoptr(DebyeClassroomRecord) both = debye_classroom_record_join(ladder, ours);
  g_autoptr(DebyeClassroomRecord) again = debye_classroom_record_join(both, ours);
  g_assert_cmpuint(both->steps->len, ==, 3);
  g_assert_cmpuint(both->devices->len, ==, 2);
  g_assert_cmpuint(again->devices->len, ==, 2);
  g_assert_cmpstr(g_array_index(both->steps, DebyeClassroomStep, 2).title, ==, "ours");
  g_autoptr(DebyeClassroomRecord) alone = debye_classroom_record_join(NULL, ours);
  g_assert_cmpuint(alone->steps->len, ==, 1);
}

/* A ladder's step has its row once; the production kernel beside it is none, though the direct sum's last step is called the
 * same. */
static void
test_production(void)
{
  static const char text[] =
      "{\"recording\": 1, \"results\": ["
      "{\"variant\": \"ours\", \"device\": \"cuda:0\", \"evals_per_second\": 3},"
      "{\"variant\": \"ours\", \"device\": \"cuda:0\", \"evals_per_second\": 4, \"flops_per_byte\": 360}],"
      " \"limits\": [{\"device\": \"cuda:0\", \"name\": \"H200\", \"flops_per_second\": 1, "
      "\"bytes_per_second\": 1}]}";
  g_autoptr(DebyeClassroomRecord) record =
      debye_classroom_recording_parse(text, strlen(text), "ours.json", NULL);
  g_assert_cmpuint(record->steps->len, ==, 1);
  g_assert_cmpfloat(g_array_index(record->steps, DebyeClassroomStep, 0).rate, ==, 4.0);
}

/* Of each family those that ship with the program have every step of a GPU, in order, with what the driver told. */
static void
test_shipped(void)
{
  g_autofree char *folder = g_build_filename(g_getenv("DEBYE_SAMPLES_DIR"), "recordings", NULL);
  for (int kind = 0; kind < DEBYE_LADDER_N_KINDS; kind++) {
    g_autoptr(DebyeClassroomRecord) record = read_folder((DebyeLadderKind)kind, folder);
    guint n = 0;
    g_assert_cmpuint(record->remarks->len, ==, 0);
    for (gsize i = 0; i < DEBYE_LADDER_N_CUDA; i++) {
      const DebyeLadderVariant *variant = &debye_ladder_cuda_variants[i];
      if (variant->kind != (DebyeLadderKind)kind || variant->is_legacy)
        continue;
      g_assert_cmpuint(record->steps->len, >, n);
      const DebyeClassroomStep *step = &g_array_index(record->steps, DebyeClassroomStep, n++);
      g_assert_cmpstr(step->id, ==, variant->id);
      g_assert_true(step->watts > 0.0 && step->clock > 0.0 && step->intensity > 0.0);
      /* Sums of q/d wait for 1/√x, others don't. */
      g_assert_cmpint(step->reciprocal_roof > 0.0, ==,
                      kind == DEBYE_LADDER_MAP || kind == DEBYE_LADDER_CUTOFF);
    }
    /* None of the list among them: it would never end. */
    g_assert_cmpuint(record->steps->len, ==, n);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/classroom-recording/whole", test_whole);
  g_test_add_func("/classroom-recording/bad", test_bad);
  g_test_add_func("/classroom-recording/folder", test_folder);
  g_test_add_func("/classroom-recording/bad-files", test_bad_files);
  g_test_add_func("/classroom-recording/names", test_names);
  g_test_add_func("/classroom-recording/join", test_join);
  g_test_add_func("/classroom-recording/production", test_production);
  g_test_add_func("/classroom-recording/shipped", test_shipped);
  return g_test_run();
}
