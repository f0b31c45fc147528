/* SPDX-License-Identifier: MIT */
/* Pairs counted by several devices: the same counts, to the last one, whoever did what and whoever failed;
 * and what becomes of frames that can't be counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/pairs/pair_histogram_lanes.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_pairs.h"
#include "tests/support/pair_systems.h"

#define N_FRAMES 6
#define N_BINS 60
#define MAX_LANES 5

typedef struct {
  DebyePairSystem systems[N_FRAMES];
  DebyePairFrame frames[N_FRAMES];
  DebyeGroupPair *pairs;
  DebyePairLanesSettings settings;
  uint64_t *expected; /* of the oracle */
  uint64_t *near;
} Fixture;

/* Frames with cells of their own, and one without. */
static void
set_up(Fixture *fixture)
{
  size_t n_pairs = debye_all_group_pairs(2, &fixture->pairs), n = n_pairs * N_BINS;
  fixture->settings = (DebyePairLanesSettings){.pair = {.max_atoms = 300,
                                                        .n_groups = 2,
                                                        .pairs = fixture->pairs,
                                                        .n_pairs = n_pairs,
                                                        .r_max = 14.0,
                                                        .n_bins = N_BINS}};
  fixture->expected = calloc(N_FRAMES * n, sizeof *fixture->expected);
  fixture->near = calloc(N_FRAMES * (n + n_pairs), sizeof *fixture->near);
  for (size_t f = 0; f < N_FRAMES; f++) {
    fixture->systems[f] =
        debye_pair_random(300 - 20 * f, &debye_test_cells[f].cell, 2, 0.0, 50 + (unsigned)f);
    fixture->frames[f] = fixture->systems[f].frame;
    fixture->frames[f].cell = f == 3 ? NULL : &fixture->systems[f].cell;
    debye_oracle_pairs(&fixture->settings.pair, &fixture->frames[f], fixture->expected + f * n,
                       fixture->near + f * (n + n_pairs));
  }
}

static void
tear_down(Fixture *fixture)
{
  for (size_t f = 0; f < N_FRAMES; f++)
    debye_pair_system_clear(&fixture->systems[f]);
  free(fixture->pairs);
  free(fixture->expected);
  free(fixture->near);
}

/* The processor and so many fake devices. */
static DebyeRegistry *
make_registry(int n_fakes, const DebyeDeviceEntry **devices, size_t *n_devices)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  debye_fake_reset(n_fakes);
  if (n_fakes > 0)
    debye_registry_add(registry, &debye_fake_backend);
  *n_devices = debye_registry_get_count(registry);
  for (size_t i = 0; i < *n_devices; i++)
    devices[i] = debye_registry_get(registry, i);
  return registry;
}

static void
check_counts(const Fixture *fixture, const uint64_t *found)
{
  const DebyePairSettings *settings = &fixture->settings.pair;
  size_t n = settings->n_pairs * N_BINS;
  for (size_t f = 0; f < N_FRAMES; f++) {
    size_t n_different = debye_oracle_pairs_compare(settings, found + f * n, fixture->expected + f * n,
                                                    fixture->near + f * (n + settings->n_pairs));
    CHECK_THAT(n_different == 0, "%zu histograms of frame %zu differ", n_different, f + 1);
  }
}

typedef struct {
  size_t done, total, n_calls;
} Seen;

static void
see_progress(void *data, size_t done, size_t total)
{
  Seen *seen = data;
  CHECK(done > seen->done && done <= total);
  *seen = (Seen){done, total, seen->n_calls + 1};
}

/* Several executions of one plan, among any number of lanes. */
static void
test_lanes(const Fixture *fixture)
{
  size_t n = N_FRAMES * fixture->settings.pair.n_pairs * N_BINS;
  uint64_t *found = calloc(n, sizeof *found);
  for (int n_fakes = 0; n_fakes <= 3; n_fakes++) {
    const DebyeDeviceEntry *devices[MAX_LANES];
    size_t n_devices;
    DebyeRegistry *registry = make_registry(n_fakes, devices, &n_devices);
    DebyeSharing *counts = NULL;
    DebyeStatus status = {0};
    CHECK(debye_pair_lanes_create(&fixture->settings, devices, n_devices, &counts, &status) ==
          DEBYE_STATUS_OK);
    for (int repeat = 0; repeat < 3 && counts != NULL; repeat++) {
      Seen seen = {0};
      memset(found, 0x55, n * sizeof *found);
      CHECK(debye_pair_lanes_execute(counts, fixture->frames, N_FRAMES, found, NULL, NULL, see_progress,
                                     &seen, &status) == DEBYE_STATUS_OK);
      CHECK(seen.done == seen.total && seen.total >= N_FRAMES);
      check_counts(fixture, found);
    }
    CHECK(debye_pair_lanes_execute(counts, fixture->frames, 0, found, NULL, NULL, NULL, NULL, &status) ==
          DEBYE_STATUS_OK);
    debye_sharing_free(counts);
    for (int i = 0; i < n_fakes; i++)
      CHECK(atomic_load(&debye_fake_device(i)->n_plans) == 0);
    debye_registry_free(registry);
  }
  free(found);
}

/* Whatever fails, at whichever call: what it spoiled doesn't count, and nothing counts twice. */
static void
test_failures(const Fixture *fixture)
{
  size_t n = N_FRAMES * fixture->settings.pair.n_pairs * N_BINS;
  uint64_t *found = calloc(n, sizeof *found);
  for (unsigned fail_at = 1; fail_at <= 6; fail_at++) {
    const DebyeDeviceEntry *devices[MAX_LANES];
    size_t n_devices;
    DebyeRegistry *registry = make_registry(2, devices, &n_devices);
    DebyeSharing *counts = NULL;
    DebyeStatus status = {0};
    debye_fake_device(0)->fail_at = fail_at;
    debye_fake_device(0)->score = 1e12;
    debye_fake_device(1)->delay_microseconds = 300;
    debye_fake_device(1)->execute_code = DEBYE_STATUS_NO_MEMORY;
    debye_fake_device(1)->fail_at = fail_at + 1;
    CHECK(debye_pair_lanes_create(&fixture->settings, devices, n_devices, &counts, &status) ==
          DEBYE_STATUS_OK);
    CHECK(debye_pair_lanes_execute(counts, fixture->frames, N_FRAMES, found, NULL, NULL, NULL, NULL,
                                   &status) == DEBYE_STATUS_OK);
    check_counts(fixture, found);
    debye_sharing_free(counts);
    debye_registry_free(registry);
  }
  free(found);
}

/* A failure in the middle of one lane alone ends with its reason. */
static void
test_nobody_left(const Fixture *fixture)
{
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices;
  uint64_t *found = calloc(N_FRAMES * fixture->settings.pair.n_pairs * N_BINS, sizeof *found);
  DebyeRegistry *registry = make_registry(1, devices, &n_devices);
  DebyeSharing *counts = NULL;
  DebyeStatus status = {0};
  debye_fake_device(0)->fail_at = 2;
  CHECK(debye_pair_lanes_create(&fixture->settings, devices + 1, 1, &counts, &status) == DEBYE_STATUS_OK);
  CHECK(debye_pair_lanes_execute(counts, fixture->frames, N_FRAMES, found, NULL, NULL, NULL, NULL, &status) ==
        DEBYE_STATUS_DEVICE_FAILED);
  CHECK(strstr(status.text, "Fake device fails at execution 2") != NULL);
  debye_sharing_free(counts);

  DebyePairLanesSettings limited = fixture->settings;
  limited.memory_limit = 1000;
  CHECK(debye_pair_lanes_create(&limited, devices, n_devices, &counts, &status) == DEBYE_STATUS_NO_MEMORY);
  CHECK(counts == NULL && status.text[0] != '\0');
  /* The processor has a plan and the lane's own counts. */
  const DebyeDeviceEntry entry = {.backend = &debye_backend_cpu, .info.score = 1e9}, *processor = &entry;
  limited.memory_limit = processor->backend->pair_histogram->head.bytes_needed(0, &limited.pair);
  CHECK(debye_pair_lanes_create(&limited, &processor, 1, &counts, &status) == DEBYE_STATUS_NO_MEMORY);
  limited.memory_limit += limited.pair.n_pairs * limited.pair.n_bins * sizeof(uint64_t);
  CHECK(debye_pair_lanes_create(&limited, &processor, 1, &counts, &status) == DEBYE_STATUS_OK);
  debye_sharing_free(counts);
  DebyePairLanesSettings wrong = fixture->settings;
  wrong.pair.r_max = -1.0;
  CHECK(debye_pair_lanes_create(&wrong, devices, n_devices, &counts, &status) == DEBYE_STATUS_INVALID);
  debye_registry_free(registry);
  free(found);
}

/* The frame and the atom are named, whichever lane came across them. */
static void
test_bad_frame(const Fixture *fixture)
{
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices, bad = 99;
  uint64_t *found = calloc(N_FRAMES * fixture->settings.pair.n_pairs * N_BINS, sizeof *found);
  DebyePairFrame frames[N_FRAMES];
  float x[300];
  DebyeRegistry *registry = make_registry(2, devices, &n_devices);
  DebyeSharing *counts = NULL;
  DebyeStatus status = {0};
  memcpy(frames, fixture->frames, sizeof frames);
  memcpy(x, frames[4].x, frames[4].n * sizeof *x);
  x[6] = NAN;
  frames[4].x = x;
  CHECK(debye_pair_lanes_create(&fixture->settings, devices, n_devices, &counts, &status) == DEBYE_STATUS_OK);
  CHECK(debye_pair_lanes_execute(counts, frames, N_FRAMES, found, &bad, NULL, NULL, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK_THAT(bad == 4 && strstr(status.text, "Atom 7 ") != NULL, "frame %zu: %s", bad, status.text);
  CHECK(debye_pair_lanes_execute(counts, fixture->frames, N_FRAMES, found, NULL, NULL, NULL, NULL, &status) ==
        DEBYE_STATUS_OK);
  check_counts(fixture, found);
  bool cancel = true;
  CHECK(debye_pair_lanes_execute(counts, fixture->frames, N_FRAMES, found, NULL, &cancel, NULL, NULL,
                                 &status) == DEBYE_STATUS_CANCELLED);
  debye_sharing_free(counts);
  debye_registry_free(registry);
  free(found);
}

/* Threads don't show either. */
static void
test_threads(const Fixture *fixture)
{
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices, n = N_FRAMES * fixture->settings.pair.n_pairs * N_BINS;
  uint64_t *found = calloc(n, sizeof *found);
  for (unsigned threads = 1; threads <= 5; threads += 2) {
    debye_backend_cpu.set_threads(threads);
    DebyeRegistry *registry = make_registry(0, devices, &n_devices);
    DebyeSharing *counts = NULL;
    DebyeStatus status = {0};
    CHECK(debye_pair_lanes_create(&fixture->settings, devices, n_devices, &counts, &status) ==
          DEBYE_STATUS_OK);
    CHECK(debye_pair_lanes_execute(counts, fixture->frames, N_FRAMES, found, NULL, NULL, NULL, NULL,
                                   &status) == DEBYE_STATUS_OK);
    check_counts(fixture, found);
    debye_sharing_free(counts);
    debye_registry_free(registry);
  }
  debye_backend_cpu.set_threads(0);
  free(found);
}

int
main(void)
{
  Fixture fixture;
  set_up(&fixture);
  test_lanes(&fixture);
  test_failures(&fixture);
  test_nobody_left(&fixture);
  test_bad_frame(&fixture);
  test_threads(&fixture);
  tear_down(&fixture);
  return debye_check_finish();
}
