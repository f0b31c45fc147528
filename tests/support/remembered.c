/* SPDX-License-Identifier: MIT */
/* Answers in a list (remembered.h): a test has some hundred. */
#include "remembered.h"

#include <stdlib.h>

typedef struct Answer {
  struct Answer *next;
  uint64_t key;
  size_t n_bytes;
  void *place;
} Answer;

static Answer *answers;

/* FNV-1a, in 64 bits: two questions of a program with one key are not to be expected. */
uint64_t
debye_remembered_key(uint64_t key, const void *bytes, size_t n_bytes)
{
  const unsigned char *byte = bytes;
  key = key != 0 ? key : 14695981039346656037u;
  for (size_t i = 0; i < n_bytes; i++)
    key = (key ^ byte[i]) * 1099511628211u;
  return key;
}

void *
debye_remembered_get(uint64_t key, size_t n_bytes, bool *is_new)
{
  for (const Answer *answer = answers; answer != NULL; answer = answer->next)
    if (answer->key == key && answer->n_bytes == n_bytes) {
      *is_new = false;
      return answer->place;
    }
  Answer *answer = malloc(sizeof *answer);
  void *place = calloc(n_bytes > 0 ? n_bytes : 1, 1);
  if (answer == NULL || place == NULL)
    abort();
  *answer = (Answer){answers, key, n_bytes, place};
  answers = answer;
  *is_new = true;
  return place;
}
