/* SPDX-License-Identifier: MIT */
/* Which devices share an equation of a molecule, by what they have, and the lanes of devices that do beside those that don't:
 * with devices that only say how much they have, and fail on command. */
#include <stdio.h>
#include <string.h>

#include "kernels/cpu/backend_cpu.h"
#include "bodies/poisson_test_lanes.h"
#include "tests/support/fake_backend.h"

/* All devices here compute as the processor does, with the same numbers of operations. */
#define FROM_PROCESSOR 1e-6

/* --- Which devices --- */

static void
check_choice(const DebyeDeviceEntry *const *devices, size_t n_devices, double part, bool wanted,
             unsigned n_wanted)
{
  const DebyePoissonSettings settings = {.shape = {33, 33, 65}, .n_atoms = 100};
  DebyePoissonSettings cut = settings;
  const bool can =
      debye_poisson_slabs_choose(&settings, devices, n_devices, (DebyePoissonRoom){part, 0}, &cut.slabs);
  CHECK_THAT(can == wanted, "%zu devices can %d", n_devices, can);
  CHECK_THAT(cut.slabs.n == n_wanted, "%u slabs, %u were expected", cut.slabs.n, n_wanted);
  CHECK(debye_poisson_settings_check(&cut, NULL) == DEBYE_STATUS_OK);
  for (unsigned i = 0; i < cut.slabs.n; i++)
    for (size_t j = 0; j < n_devices; j++)
      if (devices[j]->device == cut.slabs.device[i])
        CHECK((double)devices[j]->backend->poisson->head.bytes_needed(cut.slabs.device[i], &cut) <=
              part * debye_poisson_usable_memory(devices[j]));
}

/* None takes nearly all of a device: not all that is called free is. One that has too little for any slab, wherever it
 * stands, leaves the others theirs. */
static void
test_choice_at_limits(const DebyeDeviceEntry *const *devices)
{
  const uint64_t whole = devices[0]->info.memory_free;
  DebyeDeviceEntry tiny = *devices[3];
  tiny.info.memory_free = whole / 1000;
  for (int device = 0; device < 4; device++)
    debye_fake_device(device)->bytes = whole / 100 * 99;
  debye_check_subject("devices for 99 %% of one's memory");
  check_choice(devices, 1, 1.0, false, 0);
  check_choice(devices, 2, 1.0, true, 2);
  for (int device = 0; device < 4; device++)
    debye_fake_device(device)->bytes = whole * 3 / 2;
  for (size_t place = 0; place < 3; place++) {
    const DebyeDeviceEntry *mixed[3];
    for (size_t i = 0; i < 3; i++)
      mixed[i] = i == place ? &tiny : devices[i];
    debye_check_subject("two devices, and at place %zu one that is too small", place);
    check_choice(mixed, 3, 1.0, true, 2);
    check_choice(mixed, 2, 1.0, place == 2, place == 2 ? 2 : 0);
  }
}

/* Devices are alike where they have the same name, not where one's begins with the other's. */
static void
test_names(const DebyeDeviceEntry *const *devices)
{
  static const struct {
    const char *first, *second, *joined;
  } cases[] = {
      {"Card", "Card", "2 × Card"}, {"Card 2", "Card", "Card 2 + Card"}, {"Card", "Card 2", "Card + Card 2"}};
  const DebyePoissonSlabs slabs = {2, {0, 1}, {32, 31}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    DebyeDeviceEntry named[2] = {*devices[0], *devices[1]};
    const DebyeDeviceEntry *const both[2] = {&named[0], &named[1]};
    snprintf(named[0].info.name, sizeof named[0].info.name, "%s", cases[i].first);
    snprintf(named[1].info.name, sizeof named[1].info.name, "%s", cases[i].second);
    DebyeDeviceEntry *joined = debye_poisson_slabs_join(&slabs, both, 2);
    debye_check_subject("%s beside %s", cases[i].first, cases[i].second);
    CHECK_THAT(joined != NULL && strcmp(joined->info.name, cases[i].joined) == 0, "%s",
               joined != NULL ? joined->info.name : "");
    free(joined);
  }
}

/* An equation that the host makes, of a cell that repeats or of maps, is one device's, or none's. */
static void
test_choice_of_hosts(const DebyeDeviceEntry *const *devices)
{
  const DebyePoissonSettings of_host[] = {{.shape = {34, 33, 65}, .periodic = {true}, .n_atoms = 100},
                                          {.shape = {33, 33, 65}}};
  for (size_t i = 0; i < sizeof of_host / sizeof *of_host; i++) {
    const DebyeDeviceEntry *found[DEBYE_POISSON_MAX_SLABS];
    DebyePoissonSlabs slabs;
    debye_check_subject("an equation of the host's, %zu", i);
    CHECK(debye_poisson_slabs_find(&of_host[i], devices, 3, found) == 0);
    CHECK(!debye_poisson_slabs_choose(&of_host[i], devices, 3, (DebyePoissonRoom){1.0, 0}, &slabs));
    CHECK(slabs.n == 0);
    CHECK(debye_poisson_slabs_bytes(&of_host[i], devices, 3) == UINT64_MAX);
  }
}

/* Of three devices of 1 GiB and one of a quarter of that. */
static void
test_choice(void)
{
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, NULL);
  const DebyeDeviceEntry *devices[4];
  debye_fake_reset(4);
  debye_registry_add(registry, &debye_fake_backend);
  CHECK(debye_registry_choose(registry, "fake", devices, 4, NULL) == 4);
  DebyeDeviceEntry small = *devices[3];
  const uint64_t whole = devices[0]->info.memory_free;
  small.info.memory_free = whole / 4;
  const DebyeDeviceEntry *const mixed[4] = {&small, devices[0], devices[1], devices[2]};
  const uint64_t needs[] = {whole / 2, whole * 3 / 2, whole * 5 / 2, whole * 4};
  for (int i = 0; i < 4; i++) {
    for (int device = 0; device < 4; device++)
      debye_fake_device(device)->bytes = needs[i];
    debye_check_subject("devices for %.1f of one's memory", (double)needs[i] / (double)whole);
    debye_fake_share_equations(0);
    check_choice(devices, 4, 1.0, i == 0, 0);
    debye_fake_share_equations(4);
    check_choice(devices, 3, 1.0, i < 3, i < 3 ? (unsigned)i + (i > 0) : 0);
    check_choice(devices, 3, 0.6, i < 2, i == 1 ? 3 : 0);
    check_choice(mixed, 4, 1.0, i < 3, i == 0 ? 0 : i == 1 ? 3 : i == 2 ? 4 : 0);
  }
  test_choice_of_hosts(devices);
  test_choice_at_limits(devices);
  test_names(devices);
  debye_registry_free(registry);
}

/* --- Their lane --- */

/* Fake devices, of which no one has the memory for an equation and two have, and the processor. */
typedef struct {
  DebyeRegistry *registry;
  const DebyeDeviceEntry *devices[4];
  size_t n;
  DebyePoissonLanesSettings settings;
  Atoms atoms;
  float *map, *own; /* own: the processor's */
} Lanes;

static Lanes
make_lanes(int n_fakes)
{
  Lanes lanes = {.registry = debye_registry_new(&debye_backend_cpu, NULL), .n = (size_t)n_fakes + 1};
  const char *const names[] = {"fake:0,fake:1,cpu", "fake:0,fake:1,fake:2,cpu"};
  debye_fake_reset(n_fakes);
  debye_fake_share_equations(2);
  for (int i = 0; i < n_fakes; i++) {
    debye_fake_device(i)->score = 1e18; /* before the processor */
    debye_fake_device(i)->bytes = (uint64_t)3 << 29;
  }
  debye_registry_add(lanes.registry, &debye_fake_backend);
  CHECK(debye_registry_choose(lanes.registry, names[n_fakes - 2], lanes.devices, 4, NULL) == lanes.n);
  lanes.settings = settings_of(33, 33, 33, NULL);
  make_atoms(&lanes.atoms, POISSON_ATOMS, 9.5);
  lanes.map = calloc(count_points(&lanes.settings.medium), sizeof *lanes.map);
  lanes.own = calloc(count_points(&lanes.settings.medium), sizeof *lanes.own);
  solve_alone(&lanes.settings, lanes.devices[n_fakes], &lanes.atoms, lanes.own);
  return lanes;
}

static void
clear_lanes(Lanes *lanes)
{
  free(lanes->map);
  free(lanes->own);
  debye_registry_free(lanes->registry);
}

static void
check_solution(const Lanes *lanes, DebyeSharing *share)
{
  DebyePoissonReport report;
  if (share == NULL || !execute(share, &lanes->atoms, lanes->map, &report))
    return;
  CHECK_AT_MOST(report.residual, TOLERANCE);
  CHECK_AT_MOST(differ(lanes->map, lanes->own, count_points(&lanes->settings.medium)), FROM_PROCESSOR);
}

/* Devices that share are one lane with all their names; a Stop is no failure, and it fails as one. */
static void
test_lane(void)
{
  static const volatile bool stop = true;
  const DebyeLaneReport *reports;
  DebyePoissonReport report;
  DebyeStatus status = {0};
  debye_check_subject("a lane of two devices");
  Lanes lanes = make_lanes(2);
  DebyeSharing *share = open_lanes(&lanes.settings, lanes.devices, lanes.n);
  CHECK(execute_until(share, &lanes.atoms, &stop, lanes.map, &report, &status) == DEBYE_STATUS_CANCELLED);
  check_solution(&lanes, share);
  CHECK(debye_sharing_get_reports(share, &reports) == 2);
  CHECK_THAT(strcmp(reports[0].device, "Fake device 0 + Fake device 1") == 0, "%s", reports[0].device);
  CHECK_THAT(strcmp(reports[0].id, "fake:0+1") == 0, "%s", reports[0].id);
  CHECK(reports[0].items_done == 1 && reports[1].items_done == 0);
  debye_sharing_free(share);
  debye_check_subject("a lane of two devices that fails");
  debye_fake_device(0)->fail_at = 1;
  share = open_lanes(&lanes.settings, lanes.devices, lanes.n);
  check_solution(&lanes, share);
  CHECK(debye_sharing_get_reports(share, &reports) == 2);
  CHECK_THAT(reports[0].retired && strstr(reports[0].reason, "Fake device fails") != NULL, "%s",
             reports[0].reason);
  CHECK(reports[0].items_done == 0 && !reports[1].retired && reports[1].items_done == 1);
  debye_sharing_free(share);
  clear_lanes(&lanes);
}

/* A device beside those that share has none of their slabs: where their lane fails it does the whole, or hasn't the memory. */
static void
test_lane_beside(void)
{
  const DebyeLaneReport *reports;
  Lanes lanes = make_lanes(3);
  debye_fake_device(0)->fail_at = 1;
  for (int is_limited = 0; is_limited < 2; is_limited++) {
    debye_check_subject("a lane beside two devices that share, %s limit", is_limited ? "with a" : "without");
    lanes.settings.memory_limit = is_limited ? (uint64_t)1 << 30 : 0;
    DebyeSharing *share = open_lanes(&lanes.settings, lanes.devices, lanes.n);
    check_solution(&lanes, share);
    CHECK(debye_sharing_get_reports(share, &reports) == 3);
    CHECK_THAT(strcmp(reports[0].id, "fake:0+1") == 0 && reports[0].retired, "%s", reports[0].id);
    CHECK_THAT(strcmp(reports[1].id, "fake:2") == 0, "%s", reports[1].id);
    CHECK_THAT(strcmp(reports[1].reason, is_limited ? "It needs 1610.7 MB, the limit is 1073.7 MB." : "") ==
                   0,
               "%s", reports[1].reason);
    CHECK(reports[1].retired == is_limited && reports[1 + is_limited].items_done == 1);
    debye_sharing_free(share);
  }
  clear_lanes(&lanes);
}

int
main(void)
{
  test_choice();
  test_lane();
  test_lane_beside();
  return debye_check_finish();
}
