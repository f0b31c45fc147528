/* SPDX-License-Identifier: MIT */
/* Memory of control groups: limits of both versions, of the group itself and of one around it. */
#include "kernels/host_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"

static void
write_file(const char *folder, const char *name, const char *text)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  fputs(text, file);
  fclose(file);
}

static void
make_folder(const char *root, const char *name, char path[256])
{
  snprintf(path, 256, "%s%s", root, name);
  CHECK(mkdir(path, 0700) == 0);
}

static uint64_t
left(const char *root)
{
  char membership[256];
  snprintf(membership, sizeof membership, "%s/membership", root);
  return debye_host_memory_left_in_groups(membership, root);
}

static void
test_version_2(const char *root)
{
  debye_check_subject("version 2");
  char folder[256];
  write_file(root, "membership", "0::/slice/job\n");
  make_folder(root, "/slice", folder);
  write_file(folder, "memory.max", "5000\n");
  write_file(folder, "memory.current", "2000\n");
  make_folder(root, "/slice/job", folder);
  CHECK(left(root) == 3000); /* that around it */
  write_file(folder, "memory.max", "max\n");
  write_file(folder, "memory.current", "900\n");
  CHECK(left(root) == 3000);
  write_file(folder, "memory.max", "1000\n");
  CHECK(left(root) == 100);
  write_file(folder, "memory.stat", "anon 500\nfile 400\ninactive_file 250\nactive_file 150\n");
  CHECK(left(root) == 350);
  write_file(folder, "memory.max", "600\n");
  CHECK(left(root) == 0);
}

/* In a container the path is one outside: what is there is the root. */
static void
test_version_1(const char *root)
{
  debye_check_subject("version 1");
  char folder[256];
  write_file(root, "membership", "11:cpu,cpuacct:/a\n4:cpuset,memory:/outside/id\n0::/\n");
  make_folder(root, "/memory", folder);
  CHECK(left(root) == UINT64_MAX);
  write_file(folder, "memory.limit_in_bytes", "8000\n");
  write_file(folder, "memory.usage_in_bytes", "3000\n");
  write_file(folder, "memory.stat", "cache 1000\ninactive_file 1\ntotal_inactive_file 500\n");
  CHECK(left(root) == 5500);
}

static void
test_no_groups(const char *root)
{
  debye_check_subject("no groups");
  CHECK(left(root) == UINT64_MAX);
  write_file(root, "membership", "not a line of that file\n\n");
  CHECK(left(root) == UINT64_MAX);
}

static void
test_in_folder(void (*test)(const char *root))
{
  char root[] = "/tmp/debye-groups-XXXXXX", command[256];
  CHECK(mkdtemp(root) != NULL);
  test(root);
  snprintf(command, sizeof command, "rm -r %s", root);
  CHECK(system(command) == 0);
}

int
main(void)
{
  test_in_folder(test_version_2);
  test_in_folder(test_version_1);
  test_in_folder(test_no_groups);
  debye_check_subject("this machine");
  const uint64_t available = debye_host_memory_available();
  CHECK(available > (1u << 20));
  CHECK(available < (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
  return debye_check_finish();
}
