/* SPDX-License-Identifier: MIT */
/* A back end for tests whose devices compute rightly, on the CPU, but fail on command. In the cutoff method
 * they leave every third atom to the host. */
#pragma once

#include <stdatomic.h>

#include "kernels/potential/potential_kernel.h"

#define DEBYE_FAKE_MAX_DEVICES 8

typedef struct {
  double score;                 /* as reported */
  uint64_t bytes;               /* what the device says to need; 0: what the CPU needs */
  DebyeStatusCode create_code;  /* not OK: create fails so */
  unsigned fail_at;             /* the execute, counted from 1 in each plan, that fails; 0: none */
  DebyeStatusCode execute_code; /* how it fails; before that it fills half of its output with nonsense */
  unsigned delay_microseconds;  /* of each execute */
  atomic_uint n_woken;          /* calls of wake() */
  atomic_uint n_asked;          /* calls of bytes_needed() */
  atomic_uint n_plans;          /* alive */
  atomic_uint n_executed;
  atomic_uint n_packed; /* frames that came packed */
} DebyeFakeDevice;

extern const DebyeBackend debye_fake_backend;

/* All devices sound, `n` of them, score 1e9. Not while plans are alive. */
void debye_fake_reset(int n);
DebyeFakeDevice *debye_fake_device(int device);
/* So many devices share an equation, each with its part of the bytes; until the next reset. */
void debye_fake_share_equations(unsigned n);
