/* SPDX-License-Identifier: MIT */
/* Amplitudes and reciprocal lattices by several devices: the same numbers, whoever did what and whoever
 * failed; and what becomes of frames that can't be used. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scattering/scattering_amplitude_lanes.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/scattering/scattering_lattice_lanes.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_scattering.h"

#define N_FRAMES 7
#define N_VECTORS 300
#define N_GROUPS 2
#define MAX_LANES 5

typedef struct {
  DebyeScatteringSystem systems[N_FRAMES];
  DebyeScatteringFrame frames[N_FRAMES];
  DebyeVec3 q[N_VECTORS];
  DebyeAmplitudeLanesSettings amplitude;
  DebyeLatticeLanesSettings lattice;
  size_t n_values;
  /* By the processor's kernels alone. */
  double amplitudes[2 * N_FRAMES * N_GROUPS * N_VECTORS];
  double *sums; /* of all pairs */
} Fixture;

static void
compute_expected(Fixture *fixture)
{
  const DebyeAmplitudeKernel *amplitude = debye_backend_cpu.amplitude;
  const DebyeLatticeKernel *lattice = debye_backend_cpu.lattice;
  DebyeAmplitudeSettings settings = fixture->amplitude.amplitude;
  DebyeKernelPlan *plan = NULL;
  DebyeKernelPlan *lattice_plan = NULL;
  DebyeStatus status = {0};
  settings.max_frames = N_FRAMES;
  CHECK(amplitude->head.create(0, &settings, &plan, &status) == DEBYE_STATUS_OK);
  CHECK(amplitude->set_vectors(plan, fixture->q, N_VECTORS, &status) == DEBYE_STATUS_OK);
  CHECK(amplitude->execute(plan, fixture->frames, N_FRAMES, fixture->amplitudes, NULL, NULL, &status) ==
        DEBYE_STATUS_OK);
  amplitude->head.destroy(plan);
  CHECK(lattice->head.create(0, &fixture->lattice.lattice, &lattice_plan, &status) == DEBYE_STATUS_OK);
  for (size_t f = 0; f < N_FRAMES; f++)
    CHECK(lattice->execute(lattice_plan, &fixture->frames[f], NULL, NULL, &status) == DEBYE_STATUS_OK);
  for (size_t pair = 0; pair < debye_lattice_n_pairs(N_GROUPS); pair++)
    CHECK(lattice->get_sums(lattice_plan, pair, fixture->sums + pair * fixture->n_values, &status) ==
          DEBYE_STATUS_OK);
  lattice->head.destroy(lattice_plan);
}

static void
set_up(Fixture *fixture, bool by_length)
{
  for (size_t f = 0; f < N_FRAMES; f++) {
    fixture->systems[f] = debye_scattering_system_new(200, N_GROUPS, debye_vec3((double)f, 0.0, 0.0),
                                                      15.0 + (double)f, false, 5);
    fixture->frames[f] = fixture->systems[f].frame;
    fixture->frames[f].cell = &fixture->systems[f].cell;
  }
  debye_random_vectors(fixture->q, N_VECTORS, 5.0, 6);
  fixture->amplitude = (DebyeAmplitudeLanesSettings){
      .amplitude = {
          .n_atoms = 200, .groups = fixture->systems[0].groups, .max_vectors = N_VECTORS, .max_frames = 3}};
  fixture->lattice = (DebyeLatticeLanesSettings){.lattice = {.n_atoms = 200,
                                                             .groups = fixture->systems[0].groups,
                                                             .extent = {3, 4, 5},
                                                             .tolerance = 1e-6,
                                                             .by_length = by_length,
                                                             .sums = true}};
  fixture->n_values = debye_lattice_n_sums(&fixture->lattice.lattice);
  fixture->sums = calloc(debye_lattice_n_pairs(N_GROUPS) * fixture->n_values, sizeof *fixture->sums);
  compute_expected(fixture);
}

static void
tear_down(Fixture *fixture)
{
  for (size_t f = 0; f < N_FRAMES; f++)
    debye_scattering_system_clear(&fixture->systems[f]);
  free(fixture->sums);
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

/* All kernels are the processor's: the same to the last bit. */
static void
check_amplitudes(const Fixture *fixture, DebyeSharing *amplitudes, size_t n_frames)
{
  static double found[2 * N_FRAMES * N_GROUPS * N_VECTORS];
  const size_t n = 2 * n_frames * N_GROUPS * N_VECTORS;
  DebyeStatus status = {0};
  memset(found, 0x55, sizeof found);
  CHECK_THAT(debye_amplitude_lanes_execute(amplitudes, fixture->q, N_VECTORS, fixture->frames, n_frames,
                                           found, NULL, NULL, &status) == DEBYE_STATUS_OK,
             "%s", status.text);
  CHECK(memcmp(found, fixture->amplitudes, n * sizeof *found) == 0);
}

static void
check_lattice(const Fixture *fixture, DebyeSharing *lattice)
{
  const size_t n = debye_lattice_n_pairs(N_GROUPS) * fixture->n_values;
  double *found = malloc(n * sizeof *found), worst = 0.0;
  DebyeStatus status = {0};
  memset(found, 0x55, n * sizeof *found);
  CHECK_THAT(debye_lattice_lanes_execute(lattice, fixture->frames, N_FRAMES, found, NULL, NULL, &status) ==
                 DEBYE_STATUS_OK,
             "%s", status.text);
  for (size_t i = 0; i < n; i++)
    worst = fmax(worst, fabs(found[i] - fixture->sums[i]));
  /* Sums in another order. */
  CHECK_AT_MOST(worst, 1e-14 * N_FRAMES * 200.0 * 200.0);
  free(found);
}

/* Several executions of one plan, among any number of lanes, of all frames and of so few that the q are
 * shared. */
static void
test_lanes(const Fixture *fixture)
{
  for (int n_fakes = 0; n_fakes <= 3; n_fakes++) {
    const DebyeDeviceEntry *devices[MAX_LANES];
    size_t n_devices;
    DebyeRegistry *registry = make_registry(n_fakes, devices, &n_devices);
    DebyeSharing *amplitudes = NULL;
    DebyeSharing *lattice = NULL;
    DebyeStatus status = {0};
    CHECK(debye_amplitude_lanes_create(&fixture->amplitude, devices, n_devices, &amplitudes, &status) ==
          DEBYE_STATUS_OK);
    CHECK(debye_amplitude_lanes_execute(amplitudes, NULL, 0, fixture->frames, N_FRAMES, NULL, NULL, NULL,
                                        &status) == DEBYE_STATUS_OK);
    for (size_t n_frames = 1; n_frames <= N_FRAMES; n_frames += 2)
      check_amplitudes(fixture, amplitudes, n_frames);
    debye_sharing_free(amplitudes);
    CHECK(debye_lattice_lanes_create(&fixture->lattice, devices, n_devices, &lattice, &status) ==
          DEBYE_STATUS_OK);
    for (int repeat = 0; repeat < 3; repeat++)
      check_lattice(fixture, lattice);
    debye_sharing_free(lattice);
    for (int i = 0; i < n_fakes; i++)
      CHECK(atomic_load(&debye_fake_device(i)->n_plans) == 0);
    debye_registry_free(registry);
  }
}

/* Whatever fails, at whichever call: what it spoiled doesn't count, and nothing counts twice. */
static void
test_failures(const Fixture *fixture)
{
  for (unsigned fail_at = 1; fail_at <= 6; fail_at++)
    for (size_t n_frames = 1; n_frames <= N_FRAMES; n_frames += N_FRAMES - 1) {
      const DebyeDeviceEntry *devices[MAX_LANES];
      size_t n_devices;
      DebyeRegistry *registry = make_registry(2, devices, &n_devices);
      DebyeSharing *amplitudes = NULL;
      DebyeSharing *lattice = NULL;
      DebyeStatus status = {0};
      debye_fake_device(0)->fail_at = fail_at;
      debye_fake_device(0)->score = 1e12;
      debye_fake_device(1)->delay_microseconds = 300;
      debye_fake_device(1)->execute_code = DEBYE_STATUS_NO_MEMORY;
      debye_fake_device(1)->fail_at = fail_at + 1;
      CHECK(debye_amplitude_lanes_create(&fixture->amplitude, devices, n_devices, &amplitudes, &status) ==
            DEBYE_STATUS_OK);
      check_amplitudes(fixture, amplitudes, n_frames);
      debye_sharing_free(amplitudes);
      CHECK(debye_lattice_lanes_create(&fixture->lattice, devices, n_devices, &lattice, &status) ==
            DEBYE_STATUS_OK);
      check_lattice(fixture, lattice);
      debye_sharing_free(lattice);
      debye_registry_free(registry);
    }
}

/* One lane alone that fails ends with its reason; too little memory and wrong settings are refused at once.
 */
static void
test_nobody_left(const Fixture *fixture)
{
  double *sums = calloc(debye_lattice_n_pairs(N_GROUPS) * fixture->n_values, sizeof *sums);
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices;
  static double found[2 * N_FRAMES * N_GROUPS * N_VECTORS];
  DebyeRegistry *registry = make_registry(1, devices, &n_devices);
  DebyeSharing *amplitudes = NULL;
  DebyeSharing *lattice = NULL;
  DebyeStatus status = {0};
  debye_fake_device(0)->fail_at = 2;
  CHECK(debye_amplitude_lanes_create(&fixture->amplitude, devices + 1, 1, &amplitudes, &status) ==
        DEBYE_STATUS_OK);
  CHECK(debye_amplitude_lanes_execute(amplitudes, fixture->q, N_VECTORS, fixture->frames, N_FRAMES, found,
                                      NULL, NULL, &status) == DEBYE_STATUS_DEVICE_FAILED);
  CHECK(strstr(status.text, "Fake device fails at execution 2") != NULL);
  debye_sharing_free(amplitudes);
  CHECK(debye_lattice_lanes_create(&fixture->lattice, devices + 1, 1, &lattice, &status) == DEBYE_STATUS_OK);
  CHECK(debye_lattice_lanes_execute(lattice, fixture->frames, N_FRAMES, sums, NULL, NULL, &status) ==
        DEBYE_STATUS_DEVICE_FAILED);
  debye_sharing_free(lattice);

  DebyeAmplitudeLanesSettings limited = fixture->amplitude, wrong = fixture->amplitude;
  DebyeLatticeLanesSettings limited_lattice = fixture->lattice, wrong_lattice = fixture->lattice;
  limited.memory_limit = limited_lattice.memory_limit = 1000;
  wrong.amplitude.max_frames = 0;
  wrong_lattice.lattice.tolerance = -1.0;
  CHECK(debye_amplitude_lanes_create(&limited, devices, n_devices, &amplitudes, &status) ==
        DEBYE_STATUS_NO_MEMORY);
  CHECK(debye_amplitude_lanes_create(&wrong, devices, n_devices, &amplitudes, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(debye_lattice_lanes_create(&limited_lattice, devices, n_devices, &lattice, &status) ==
        DEBYE_STATUS_NO_MEMORY);
  CHECK(debye_lattice_lanes_create(&wrong_lattice, devices, n_devices, &lattice, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(amplitudes == NULL && lattice == NULL && status.text[0] != '\0');
  free(sums);
  debye_registry_free(registry);
}

/* The frame and the atom are named, whichever lane came across them; then all goes on. */
static void
test_bad_frame(const Fixture *fixture)
{
  double *sums = calloc(debye_lattice_n_pairs(N_GROUPS) * fixture->n_values, sizeof *sums);
  const DebyeDeviceEntry *devices[MAX_LANES];
  size_t n_devices, bad = 99;
  static double found[2 * N_FRAMES * N_GROUPS * N_VECTORS];
  float x[200];
  bool cancel = true;
  DebyeScatteringFrame frames[N_FRAMES];
  DebyeRegistry *registry = make_registry(2, devices, &n_devices);
  DebyeSharing *amplitudes = NULL;
  DebyeSharing *lattice = NULL;
  DebyeStatus status = {0};
  memcpy(frames, fixture->frames, sizeof frames);
  memcpy(x, frames[4].x, sizeof x);
  x[6] = NAN;
  frames[4].x = x;
  CHECK(debye_amplitude_lanes_create(&fixture->amplitude, devices, n_devices, &amplitudes, &status) ==
        DEBYE_STATUS_OK);
  CHECK(debye_amplitude_lanes_execute(amplitudes, fixture->q, N_VECTORS, frames, N_FRAMES, found, &bad, NULL,
                                      &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(bad == 4 && strstr(status.text, "Atom 7 ") != NULL, "frame %zu: %s", bad, status.text);
  CHECK(debye_amplitude_lanes_execute(amplitudes, fixture->q, N_VECTORS, fixture->frames, N_FRAMES, found,
                                      NULL, &cancel, &status) == DEBYE_STATUS_CANCELLED);
  check_amplitudes(fixture, amplitudes, N_FRAMES);
  debye_sharing_free(amplitudes);
  bad = 99;
  CHECK(debye_lattice_lanes_create(&fixture->lattice, devices, n_devices, &lattice, &status) ==
        DEBYE_STATUS_OK);
  CHECK(debye_lattice_lanes_execute(lattice, frames, N_FRAMES, sums, &bad, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK_THAT(bad == 4 && strstr(status.text, "Atom 7 ") != NULL, "frame %zu: %s", bad, status.text);
  CHECK(debye_lattice_lanes_execute(lattice, fixture->frames, N_FRAMES, sums, NULL, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
  debye_sharing_free(lattice);
  free(sums);
  debye_registry_free(registry);
}

int
main(void)
{
  static Fixture fixture;
  for (int by_length = 0; by_length < 2; by_length++) {
    set_up(&fixture, by_length > 0);
    test_lanes(&fixture);
    test_failures(&fixture);
    test_nobody_left(&fixture);
    test_bad_frame(&fixture);
    tear_down(&fixture);
  }
  return debye_check_finish();
}
