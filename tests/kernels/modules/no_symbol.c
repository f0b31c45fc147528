/* SPDX-License-Identifier: MIT */
/* A shared library that is no module. */
int debye_other(void);

__attribute__((visibility("default"))) int
debye_other(void)
{
  return 1;
}
