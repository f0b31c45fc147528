/* SPDX-License-Identifier: MIT */
/* debye: the window. */
#include "application.h"

int
main(int argc, char **argv)
{
  g_autoptr(DebyeApplication) application = debye_application_new();
  return g_application_run(G_APPLICATION(application), argc, argv);
}
