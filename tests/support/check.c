/* SPDX-License-Identifier: MIT */
/* Counting and telling of checks. */
#include "check.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long n_checks, n_failed;
static char subject[200];

void
debye_check_subject(const char *format, ...)
{
  va_list arguments;
  pthread_mutex_lock(&mutex);
  va_start(arguments, format);
  vsnprintf(subject, sizeof subject, format, arguments);
  va_end(arguments);
  pthread_mutex_unlock(&mutex);
}

void
debye_check(bool holds, const char *file, int line, const char *format, ...)
{
  pthread_mutex_lock(&mutex);
  n_checks++;
  if (!holds) {
    n_failed++;
    fprintf(stderr, "%s:%d: %s%sfailed: ", file, line, subject, subject[0] != '\0' ? ": " : "");
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
  }
  pthread_mutex_unlock(&mutex);
}

int
debye_check_finish(void)
{
  printf("%lu checks, %lu failed\n", n_checks, n_failed);
  return n_failed > 0 || n_checks == 0;
}
