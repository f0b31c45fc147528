/* SPDX-License-Identifier: MIT */
/* Lanes: whatever fails, every item is done once and the map is the same; and everybody gets home after a
 * Stop. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/cpu/backend_cpu.h"
#include "kernels/potential/ion_field.h"
#include "kernels/potential/potential_map_lanes.h"
#include "tests/support/check.h"
#include "tests/support/fake_backend.h"
#include "tests/support/oracle_potential.h"

#define CORE 1e-3
#define PLANES 40
#define PLANE (24 * 20)
#define N_ATOMS 150

typedef struct {
  DebyeRegistry *registry;
  const DebyeDeviceEntry *entries[DEBYE_FAKE_MAX_DEVICES];
  size_t n;
} Devices;

/* After debye_fake_reset and its changes. */
static Devices
choose(const char *text)
{
  Devices devices = {.registry = debye_registry_new(&debye_backend_cpu, NULL)};
  debye_registry_add(devices.registry, &debye_fake_backend);
  DebyeStatus status;
  devices.n = debye_registry_choose(devices.registry, text, devices.entries, DEBYE_FAKE_MAX_DEVICES, &status);
  CHECK_THAT(devices.n > 0, "%s", status.text);
  return devices;
}

static void
pause_microseconds(long microseconds)
{
  nanosleep(&(struct timespec){.tv_nsec = 1000L * microseconds}, NULL);
}

/* Lanes without a kernel. */

#define N_ITEMS 500

typedef struct {
  atomic_uint done[N_ITEMS];
  atomic_int n_open, n_in_finished;
  size_t last_done;
  long delay;        /* microseconds an item */
  const char *fails; /* the device whose lane doesn't open; NULL: none */
} Counting;

/* A lane's own. */
typedef struct {
  size_t n_items;
  bool is_open;
} CountingLane;

static DebyeStatusCode
open_counting(void *context, const DebyeDeviceEntry *device, size_t number, void *state, DebyeStatus *status)
{
  CHECK(number < 4);
  Counting *counting = context;
  CountingLane *lane = state;
  CHECK(!lane->is_open && lane->n_items == 0);
  atomic_fetch_add(&counting->n_open, 1);
  lane->is_open = true;
  if (counting->fails != NULL && strcmp(device->info.id, counting->fails) == 0)
    return debye_status_set(status, DEBYE_STATUS_DEVICE_FAILED, "It fails on purpose.");
  return DEBYE_STATUS_OK;
}

static DebyeStatusCode
work_counting(void *context, void *state, size_t first, size_t count, const volatile bool *cancel,
              DebyeStatus *status)
{
  Counting *counting = context;
  CountingLane *lane = state;
  (void)cancel, (void)status;
  CHECK(lane->is_open && count > 0 && first + count <= N_ITEMS);
  lane->n_items += count;
  if (counting->delay > 0)
    pause_microseconds(counting->delay * (long)count);
  for (size_t i = first; i < first + count; i++)
    atomic_fetch_add(&counting->done[i], 1);
  return DEBYE_STATUS_OK;
}

static void
close_counting(void *context, void *state)
{
  Counting *counting = context;
  CountingLane *lane = state;
  CHECK(lane->is_open && (counting->fails == NULL || lane->n_items == 0 || lane->n_items == N_ITEMS));
  lane->is_open = false;
  atomic_fetch_sub(&counting->n_open, 1);
}

static void
finished_counting(void *context, size_t first, size_t count, size_t n_done)
{
  Counting *counting = context;
  CHECK(atomic_fetch_add(&counting->n_in_finished, 1) == 0);
  CHECK(n_done == counting->last_done + count);
  CHECK(first + count <= N_ITEMS);
  counting->last_done = n_done;
  atomic_fetch_sub(&counting->n_in_finished, 1);
}

static void
test_each_item_once(double item_cost)
{
  debye_check_subject("each item once, item cost %g", item_cost);
  debye_fake_reset(3);
  debye_fake_device(1)->score = 5e9;
  Devices devices = choose("auto");
  Counting *counting = calloc(1, sizeof *counting);
  const DebyeLaneWork work = {.context = counting,
                              .state_bytes = sizeof(CountingLane),
                              .open = open_counting,
                              .work = work_counting,
                              .close = close_counting,
                              .finished = finished_counting};
  DebyeLanes *lanes = debye_lanes_new(devices.entries, devices.n);
  DebyeStatus status;
  CHECK(debye_lanes_open(lanes, &work, &status) == DEBYE_STATUS_OK);
  CHECK(atomic_load(&counting->n_open) == 4);
  for (unsigned run = 1; run <= 200; run++) {
    size_t n_wrong = 0, n_reported = 0;
    counting->last_done = 0;
    CHECK(debye_lanes_run(lanes, N_ITEMS, item_cost, NULL, &status) == DEBYE_STATUS_OK);
    CHECK(counting->last_done == N_ITEMS);
    for (size_t i = 0; i < N_ITEMS; i++)
      n_wrong += atomic_load(&counting->done[i]) != run;
    CHECK_THAT(n_wrong == 0, "%zu items were not done %u times", n_wrong, run);
    const DebyeLaneReport *reports;
    size_t n = debye_lanes_get_reports(lanes, &reports);
    for (size_t i = 0; i < n; i++)
      n_reported += reports[i].items_done;
    CHECK(n == 4 && n_reported == N_ITEMS);
  }
  CHECK(debye_lanes_run(lanes, 0, item_cost, NULL, &status) == DEBYE_STATUS_OK);
  debye_lanes_close(lanes);
  CHECK(atomic_load(&counting->n_open) == 0);
  debye_lanes_free(lanes);
  debye_registry_free(devices.registry);
  free(counting);
}

/* A lane that doesn't open is closed at once, and its device retires; the other has all items. */
static void
test_failed_open(void)
{
  debye_check_subject("a lane that doesn't open");
  debye_fake_reset(2);
  Devices devices = choose("fake:0,fake:1");
  Counting *counting = calloc(1, sizeof *counting);
  const DebyeLaneWork work = {.context = counting,
                              .state_bytes = sizeof(CountingLane),
                              .open = open_counting,
                              .work = work_counting,
                              .close = close_counting};
  DebyeLanes *lanes = debye_lanes_new(devices.entries, devices.n);
  DebyeStatus status;
  const DebyeLaneReport *reports;
  counting->fails = "fake:1";
  CHECK(debye_lanes_open(lanes, &work, &status) == DEBYE_STATUS_OK);
  CHECK(atomic_load(&counting->n_open) == 1);
  CHECK(debye_lanes_run(lanes, N_ITEMS, 0.0, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(debye_lanes_get_reports(lanes, &reports) == 2);
  CHECK(reports[0].items_done == N_ITEMS && !reports[0].retired);
  CHECK(reports[1].retired && strcmp(reports[1].reason, "It fails on purpose.") == 0);
  debye_lanes_free(lanes);
  CHECK(atomic_load(&counting->n_open) == 0);
  lanes = debye_lanes_new(&devices.entries[1], 1);
  CHECK(debye_lanes_open(lanes, &work, &status) == DEBYE_STATUS_DEVICE_FAILED);
  CHECK(atomic_load(&counting->n_open) == 0);
  debye_lanes_free(lanes);
  debye_registry_free(devices.registry);
  free(counting);
}

/* A CPU a thousand times slower than the accelerator gets nothing that the accelerator would wait for. */
static void
test_slow_processor(void)
{
  debye_check_subject("slow processor");
  DebyeDeviceEntry entries[2] = {{.backend = &debye_fake_backend, .info.score = 1e12},
                                 {.backend = &debye_backend_cpu, .info.score = 1e9}};
  const DebyeDeviceEntry *devices[2] = {&entries[0], &entries[1]};
  Counting *counting = calloc(1, sizeof *counting);
  const DebyeLaneWork work = {.context = counting,
                              .state_bytes = sizeof(CountingLane),
                              .open = open_counting,
                              .work = work_counting,
                              .close = close_counting,
                              .finished = finished_counting};
  DebyeLanes *lanes = debye_lanes_new(devices, 2);
  DebyeStatus status;
  const DebyeLaneReport *reports;
  CHECK(debye_lanes_open(lanes, &work, &status) == DEBYE_STATUS_OK);
  /* 0.1 ms an item for the one, 0.1 s for the other; 50 ms in all. */
  CHECK(debye_lanes_run(lanes, N_ITEMS, 1e8, NULL, &status) == DEBYE_STATUS_OK);
  CHECK(debye_lanes_get_reports(lanes, &reports) == 2);
  CHECK(reports[0].items_done == N_ITEMS && reports[1].items_done == 0);
  debye_lanes_free(lanes);
  free(counting);
}

/* Items whose parts share an input. The lane of item 0 waits until the other has begun: with which item? */
typedef struct {
  Counting counting;
  atomic_size_t other;
} Parted;

static DebyeStatusCode
work_parted(void *context, void *state, size_t first, size_t count, const volatile bool *cancel,
            DebyeStatus *status)
{
  Parted *parted = context;
  size_t none = 0;
  if (first > 0)
    atomic_compare_exchange_strong(&parted->other, &none, first);
  while (first == 0 && atomic_load(&parted->other) == 0)
    pause_microseconds(100);
  CHECK(first / (N_ITEMS / 2) == (first + count - 1) / (N_ITEMS / 2));
  return work_counting(&parted->counting, state, first, count, cancel, status);
}

static void
test_parts(double item_cost)
{
  debye_check_subject("a part for each lane, item cost %g", item_cost);
  debye_fake_reset(2);
  Devices devices = choose("fake:0,fake:1");
  Parted *parted = calloc(1, sizeof *parted);
  const DebyeLaneWork work = {.context = parted,
                              .state_bytes = sizeof(CountingLane),
                              .open = open_counting,
                              .work = work_parted,
                              .close = close_counting,
                              .part_items = N_ITEMS / 2};
  DebyeLanes *lanes = debye_lanes_new(devices.entries, devices.n);
  DebyeStatus status;
  size_t n_wrong = 0;
  CHECK(debye_lanes_open(lanes, &work, &status) == DEBYE_STATUS_OK);
  CHECK(debye_lanes_run(lanes, N_ITEMS, item_cost, NULL, &status) == DEBYE_STATUS_OK);
  for (size_t i = 0; i < N_ITEMS; i++)
    n_wrong += atomic_load(&parted->counting.done[i]) != 1;
  CHECK_THAT(n_wrong == 0, "%zu items were not done once", n_wrong);
  CHECK_THAT(atomic_load(&parted->other) == N_ITEMS / 2, "the second lane began with item %zu",
             atomic_load(&parted->other));
  debye_lanes_free(lanes);
  debye_registry_free(devices.registry);
  free(parted);
}

static void
test_no_lanes(void)
{
  debye_check_subject("no lanes");
  Counting *counting = calloc(1, sizeof *counting);
  const DebyeLaneWork work = {.context = counting,
                              .state_bytes = sizeof(CountingLane),
                              .open = open_counting,
                              .work = work_counting,
                              .close = close_counting,
                              .finished = finished_counting};
  DebyeLanes *lanes = debye_lanes_new(NULL, 0);
  DebyeStatus status;
  CHECK(debye_lanes_open(lanes, &work, &status) == DEBYE_STATUS_UNSUPPORTED && status.text[0] != '\0');
  debye_lanes_free(lanes);
  free(counting);
}

/* Maps on devices that fail. */

typedef struct {
  DebyeRandomSystem system;
  DebyePotentialMapLanesSettings settings;
  float *expected, *out;
} Problem;

static Problem
problem_new(void)
{
  Problem problem = {
      .system = debye_random_system_new(N_ATOMS, debye_vec3(0.0, 0.0, 0.0), debye_vec3(12.0, 12.0, 12.0), 3),
      .settings = {.potential = {.grid = debye_plain_grid(debye_vec3(0.0, 0.0, 0.0), 0.5, 24, 20, PLANES),
                                 .core_radius = CORE,
                                 .max_charges = N_ATOMS}},
      .expected = calloc(PLANES * PLANE, sizeof(float)),
      .out = calloc(PLANES * PLANE, sizeof(float)),
  };
  debye_fake_reset(1);
  Devices devices = choose("cpu");
  DebyeSharing *map;
  DebyeStatus status;
  CHECK(debye_potential_map_lanes_create(&problem.settings, devices.entries, devices.n, &map, &status) ==
        DEBYE_STATUS_OK);
  CHECK(debye_potential_map_lanes_execute(map, &problem.system.charges, NULL, problem.expected, NULL, NULL,
                                          NULL, NULL, &status) == DEBYE_STATUS_OK);
  CHECK_AT_MOST(debye_oracle_error(&problem.system.charges, &problem.settings.potential.grid, CORE,
                                   problem.expected, NULL, 500),
                5e-6);
  debye_sharing_free(map);
  debye_registry_free(devices.registry);
  return problem;
}

static void
problem_clear(Problem *problem)
{
  debye_random_system_clear(&problem->system);
  free(problem->expected);
  free(problem->out);
}

static void
poison(Problem *problem)
{
  for (size_t i = 0; i < PLANES * PLANE; i++)
    problem->out[i] = NAN;
}

/* All these devices compute on the same CPU kernel, so not a bit may differ. */
static void
check_map(const Problem *problem)
{
  CHECK(memcmp(problem->out, problem->expected, PLANES * PLANE * sizeof(float)) == 0);
}

static void
check_no_plans(void)
{
  for (int i = 0; i < DEBYE_FAKE_MAX_DEVICES; i++)
    CHECK(atomic_load(&debye_fake_device(i)->n_plans) == 0);
}

/* Whether the first of the fake devices, and no other, has retired for this reason. */
static bool
has_retired(const DebyeSharing *map, const char *reason)
{
  const DebyeLaneReport *reports;
  size_t n = debye_sharing_get_reports(map, &reports);
  bool found = false;
  for (size_t i = 0; i < n; i++)
    if (strcmp(reports[i].id, "fake:0") == 0)
      found = reports[i].retired && strstr(reports[i].reason, reason) != NULL;
    else
      CHECK(!reports[i].retired && reports[i].reason[0] == '\0');
  return found;
}

/* One fault in the first of the fake devices: the map must not change, and the lane says why it retired. */
static void
check_fault(Problem *problem, const char *devices_text, const char *reason)
{
  Devices devices = choose(devices_text);
  DebyeSharing *map;
  DebyeStatus status;
  CHECK(debye_potential_map_lanes_create(&problem->settings, devices.entries, devices.n, &map, &status) ==
        DEBYE_STATUS_OK);
  /* Who takes what is the lanes' affair: as many frames as it takes until the fault was met, and two after
   * it. */
  bool met = false;
  for (int frame = 0, after = 0; frame < 1000 && after < 2; frame++) {
    poison(problem);
    CHECK(debye_potential_map_lanes_execute(map, &problem->system.charges, NULL, problem->out, NULL, NULL,
                                            NULL, NULL, &status) == DEBYE_STATUS_OK);
    check_map(problem);
    after += met;
    met = met || has_retired(map, reason);
  }
  CHECK_THAT(met, "fake:0 did not retire because of “%s”", reason);
  debye_sharing_free(map);
  debye_registry_free(devices.registry);
  check_no_plans();
}

static void
test_faults(Problem *problem)
{
  static const char *const choices[] = {"fake:0,cpu", "fake:0,fake:1", "fake,cpu"};
  static const DebyeStatusCode codes[] = {DEBYE_STATUS_NO_MEMORY, DEBYE_STATUS_UNSUPPORTED,
                                          DEBYE_STATUS_DEVICE_FAILED};
  for (size_t i = 0; i < 3; i++) {
    for (unsigned fail_at = 1; fail_at <= 3; fail_at++) {
      debye_check_subject("fault at execution %u, %s", fail_at, choices[i]);
      debye_fake_reset(3);
      /* By far the fastest as far as the lanes know, so that most items go its way. */
      debye_fake_device(0)->score = 2e13;
      debye_fake_device(0)->fail_at = fail_at;
      debye_fake_device(0)->execute_code = codes[fail_at - 1];
      check_fault(problem, choices[i], "fails at execution");
    }
    debye_check_subject("fault at open, %s", choices[i]);
    debye_fake_reset(3);
    debye_fake_device(0)->create_code = codes[i];
    check_fault(problem, choices[i], "fails to start");
    debye_check_subject("too little memory, %s", choices[i]);
    debye_fake_reset(3);
    debye_fake_device(0)->bytes = 2000000000;
    problem->settings.memory_limit = 1000000000;
    check_fault(problem, choices[i], "the limit is 1000.0 MB");
    problem->settings.memory_limit = 0;
  }
}

static void
test_all_fail(Problem *problem)
{
  debye_check_subject("all fail");
  debye_fake_reset(3);
  for (int i = 0; i < 3; i++)
    debye_fake_device(i)->fail_at = 1;
  Devices devices = choose("fake");
  DebyeSharing *map;
  DebyeStatus status;
  CHECK(debye_potential_map_lanes_create(&problem->settings, devices.entries, devices.n, &map, &status) ==
        DEBYE_STATUS_OK);
  for (int i = 0; i < 2; i++) {
    CHECK(debye_potential_map_lanes_execute(map, &problem->system.charges, NULL, problem->out, NULL, NULL,
                                            NULL, NULL, &status) == DEBYE_STATUS_DEVICE_FAILED);
    CHECK_THAT(strstr(status.text, "fails at execution 1") != NULL, "%s", status.text);
  }
  debye_sharing_free(map);

  for (int i = 0; i < 3; i++)
    debye_fake_device(i)->create_code = DEBYE_STATUS_NO_MEMORY;
  CHECK(debye_potential_map_lanes_create(&problem->settings, devices.entries, devices.n, &map, &status) ==
        DEBYE_STATUS_NO_MEMORY);
  CHECK(map == NULL && strstr(status.text, "fails to start") != NULL);
  debye_registry_free(devices.registry);
  check_no_plans();
}

/* What no device could do is said at once and not tried elsewhere. */
static void
test_invalid(Problem *problem)
{
  debye_check_subject("invalid");
  debye_fake_reset(2);
  Devices devices = choose("auto");
  DebyeSharing *map;
  DebyeStatus status;
  DebyePotentialMapLanesSettings wrong = problem->settings;
  wrong.potential.core_radius = -1.0;
  CHECK(debye_potential_map_lanes_create(&wrong, devices.entries, devices.n, &map, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(map == NULL && strstr(status.text, "core radius") != NULL);
  CHECK(debye_potential_map_lanes_create(&problem->settings, devices.entries, devices.n, &map, &status) ==
        DEBYE_STATUS_OK);
  float x[1] = {NAN}, one[1] = {1.0f};
  DebyeCharges charges = {x, one, one, one, 1};
  CHECK(debye_potential_map_lanes_execute(map, &charges, NULL, problem->out, NULL, NULL, NULL, NULL,
                                          &status) == DEBYE_STATUS_INVALID);
  CHECK_THAT(strstr(status.text, "Atom 1 ") != NULL, "%s", status.text);
  poison(problem);
  CHECK(debye_potential_map_lanes_execute(map, &problem->system.charges, NULL, problem->out, NULL, NULL, NULL,
                                          NULL, &status) == DEBYE_STATUS_OK);
  check_map(problem);
  debye_sharing_free(map);
  debye_registry_free(devices.registry);
}

/* Stop. */

typedef struct {
  bool cancel;
  unsigned delay;
  bool plane_done[PLANES];
  size_t last_done;
} Stop;

static void
note_planes(void *data, DebyeSlab slab, size_t done, size_t total)
{
  Stop *stop = data;
  CHECK(total == PLANES * PLANE);
  CHECK(done == stop->last_done + slab.count * PLANE);
  stop->last_done = done;
  for (size_t k = slab.first; k < slab.first + slab.count; k++) {
    CHECK(!stop->plane_done[k]);
    stop->plane_done[k] = true;
  }
}

static void *
stop_later(void *data)
{
  Stop *stop = data;
  pause_microseconds(stop->delay);
  __atomic_store_n(&stop->cancel, true, __ATOMIC_RELAXED);
  return NULL;
}

/* Planes that were said to be there are right, also when the rest was stopped. */
static void
check_planes(const Problem *problem, const Stop *stop)
{
  for (size_t k = 0; k < PLANES; k++)
    if (stop->plane_done[k])
      CHECK(memcmp(problem->out + k * PLANE, problem->expected + k * PLANE, PLANE * sizeof(float)) == 0);
}

static void
test_stop(Problem *problem)
{
  debye_check_subject("stop");
  debye_fake_reset(2);
  debye_fake_device(0)->delay_microseconds = debye_fake_device(1)->delay_microseconds = 100;
  Devices devices = choose("auto");
  DebyeSharing *map;
  DebyeStatus status;
  unsigned random = 5, n_stopped = 0;
  CHECK(debye_potential_map_lanes_create(&problem->settings, devices.entries, devices.n, &map, &status) ==
        DEBYE_STATUS_OK);
  for (int i = 0; i < 200; i++) {
    Stop stop = {.delay = (unsigned)(1500.0 * debye_random(&random))};
    pthread_t thread;
    poison(problem);
    CHECK(pthread_create(&thread, NULL, stop_later, &stop) == 0);
    DebyeStatusCode code = debye_potential_map_lanes_execute(
        map, &problem->system.charges, NULL, problem->out, NULL, &stop.cancel, note_planes, &stop, &status);
    pthread_join(thread, NULL);
    CHECK(code == DEBYE_STATUS_CANCELLED || code == DEBYE_STATUS_OK);
    CHECK((code == DEBYE_STATUS_OK) == (stop.last_done == PLANES * PLANE));
    n_stopped += code == DEBYE_STATUS_CANCELLED;
    check_planes(problem, &stop);
  }
  CHECK(n_stopped > 0);
  Stop stop = {.cancel = true};
  CHECK(debye_potential_map_lanes_execute(map, &problem->system.charges, NULL, problem->out, NULL,
                                          &stop.cancel, note_planes, &stop,
                                          &status) == DEBYE_STATUS_CANCELLED);
  CHECK(stop.last_done == 0);
  debye_sharing_free(map);
  debye_registry_free(devices.registry);
  check_no_plans();
}

static void
test_estimate(const Problem *problem)
{
  debye_check_subject("estimate");
  debye_fake_reset(1);
  Devices devices = choose("auto");
  double seconds, pairs = (double)PLANES * PLANE * N_ATOMS;
  uint64_t host, device;
  debye_potential_map_lanes_estimate(&problem->settings, devices.entries, devices.n, &seconds, &host,
                                     &device);
  double speed = devices.entries[0]->info.score + devices.entries[1]->info.score;
  CHECK(seconds > pairs / speed && seconds < pairs / speed + 1.0);
  CHECK(host >= PLANES * PLANE * sizeof(float) && device > N_ATOMS * sizeof(float));
  debye_potential_map_lanes_estimate(&problem->settings, NULL, 0, &seconds, &host, &device);
  CHECK(isinf(seconds) && device == 0);
  debye_registry_free(devices.registry);
}

/* Settings that no device can do, with a limit on memory and without. */
static void
test_beyond_devices(const Problem *problem)
{
  debye_check_subject("beyond the devices");
  debye_fake_reset(1);
  Devices devices = choose("auto");
  DebyePotentialMapLanesSettings settings = problem->settings;
  settings.potential.max_charges = SIZE_MAX / 32;
  for (int limited = 0; limited < 2; limited++) {
    DebyeSharing *map = NULL;
    DebyeStatus status = {0};
    double seconds;
    uint64_t host, device;
    settings.memory_limit = limited ? 1000000000 : 0;
    debye_potential_map_lanes_estimate(&settings, devices.entries, devices.n, &seconds, &host, &device);
    CHECK(isinf(seconds) && host == PLANES * PLANE * sizeof(float) && device == 0);
    CHECK(debye_potential_map_lanes_create(&settings, devices.entries, devices.n, &map, &status) ==
          DEBYE_STATUS_NO_MEMORY);
    CHECK_THAT(strstr(status.text, "memory for the charges") != NULL, "%s", status.text);
  }
  debye_registry_free(devices.registry);
}

/* One device after another. */

typedef struct {
  char used[64], failed[64]; /* ids, in their order */
  unsigned most_plans;
  size_t extreme;
} Uses;

static DebyeStatusCode
use_field(void *data, const DebyeDeviceEntry *device, DebyeIonField *field, DebyeStatus *status)
{
  static const float map[8] = {0.0f, 1.0f, 2.0f, 9.0f, 4.0f, 5.0f, 6.0f, 7.0f};
  Uses *uses = data;
  DebyeIonExtreme extreme;
  unsigned n_plans = 0;
  for (int i = 0; i < 3; i++)
    n_plans += atomic_load(&debye_fake_device(i)->n_plans);
  uses->most_plans = n_plans > uses->most_plans ? n_plans : uses->most_plans;
  strcat(strcat(uses->used, " "), device->info.id);
  DebyeStatusCode code = debye_ion_field_set_map(field, map, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_ion_field_find_extreme(field, 1, &extreme, status);
  if (code == DEBYE_STATUS_OK)
    uses->extreme = extreme.index;
  return code;
}

static void
note_failed(void *data, const DebyeDeviceEntry *device, const char *reason)
{
  Uses *uses = data;
  CHECK_THAT(strstr(reason, "Fake device") != NULL, "%s", reason);
  strcat(strcat(uses->failed, " "), device->info.id);
}

static DebyeStatusCode
use_in_turn(const char *choice, uint64_t limit, Uses *uses, const volatile bool *cancel)
{
  const DebyeIonFieldSettings settings = {
      .grid = {.shape = {2, 2, 2}, .step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}},
      .core_radius = CORE};
  const DebyeIonFieldUse use = {use_field, note_failed, uses};
  Devices devices = choose(choice);
  DebyeStatus status = {0};
  *uses = (Uses){0};
  const DebyeStatusCode code =
      debye_ion_field_use(&settings, limit, devices.entries, devices.n, &use, cancel, &status);
  CHECK((code == DEBYE_STATUS_OK) == (status.text[0] == '\0'));
  for (int i = 0; i < 3; i++)
    CHECK(atomic_load(&debye_fake_device(i)->n_plans) == 0);
  debye_registry_free(devices.registry);
  return code;
}

static void
test_in_turn(void)
{
  Uses uses;
  const bool cancel = true;
  debye_check_subject("one device after another");
  debye_fake_reset(3);
  for (int i = 0; i < 3; i++)
    debye_fake_device(i)->score = 1e15 / (i + 1);
  CHECK(use_in_turn("auto", 0, &uses, NULL) == DEBYE_STATUS_OK);
  CHECK_THAT(strcmp(uses.used, " fake:0") == 0 && uses.failed[0] == '\0' && uses.extreme == 3, "%s",
             uses.used);
  debye_fake_device(0)->fail_at = 1;
  debye_fake_device(1)->create_code = DEBYE_STATUS_NO_MEMORY;
  CHECK(use_in_turn("auto", 0, &uses, NULL) == DEBYE_STATUS_OK);
  CHECK_THAT(strcmp(uses.used, " fake:0 fake:2") == 0, "%s", uses.used);
  CHECK_THAT(strcmp(uses.failed, " fake:0 fake:1") == 0 && uses.extreme == 3, "%s", uses.failed);
  /* What failed before keeps its plan until the end; what had no turn has none. */
  CHECK(uses.most_plans == 2);
  CHECK(use_in_turn("fake:0,fake:1", 0, &uses, NULL) == DEBYE_STATUS_NO_MEMORY);
  debye_fake_device(0)->execute_code = DEBYE_STATUS_INVALID;
  CHECK(use_in_turn("auto", 0, &uses, NULL) == DEBYE_STATUS_INVALID && strcmp(uses.used, " fake:0") == 0);
  CHECK(use_in_turn("auto", 0, &uses, &cancel) == DEBYE_STATUS_CANCELLED && uses.used[0] == '\0');
}

int
main(void)
{
  test_each_item_once(0.0);
  test_each_item_once(1e6);
  test_each_item_once(1e9);
  test_failed_open();
  test_slow_processor();
  test_parts(0.0);
  test_parts(1e6);
  test_no_lanes();
  test_in_turn();
  Problem problem = problem_new();
  test_faults(&problem);
  test_all_fail(&problem);
  test_invalid(&problem);
  test_stop(&problem);
  test_estimate(&problem);
  test_beyond_devices(&problem);
  problem_clear(&problem);
  return debye_check_finish();
}
