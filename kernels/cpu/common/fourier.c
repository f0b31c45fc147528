/* SPDX-License-Identifier: MIT */
/* Fourier transforms through FFTW; its twin is cuda/common/fourier.cu.
 *
 * FFTW does one-dimensional transforms of a few rows or columns; how a space is made of them stands here.
 * That costs nothing against its own plans in three dimensions (256³ real: 45 ms, measured plans 47 ms,
 * estimated ones 220 ms on one Zen 5 core), needs no measuring, and cuts the work in pieces that don't depend
 * on how many threads there are. Columns are brought together in strips a cache holds: a column alone would
 * fetch a whole line of memory for each of its values. */
#include "fourier.h"

#include <fftw3.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A strip of columns, on the stack of the thread that transforms it. */
#define STRIP_BYTES ((size_t)256 << 10)
#define STRIP_WIDTH 16
/* Rows of one piece of work: about this much, and a multiple of four, so that a piece begins where vectors
 * may if the array does. */
#define ROWS_BYTES ((size_t)32 << 10)
#define VECTOR_BYTES 16

typedef enum {
  DEBYE_FOURIER_FORWARD,
  DEBYE_FOURIER_BACKWARD,
  DEBYE_FOURIER_REAL_FORWARD,
  DEBYE_FOURIER_REAL_BACKWARD,
} DebyeFourierRows;

/* One of FFTW's two libraries. */
typedef struct {
  size_t real_bytes;
  void *(*plan_rows)(DebyeFourierRows kind, size_t length, size_t n_rows, bool unaligned);
  void *(*plan_columns)(DebyeFourierRows direction, size_t length, size_t n_columns);
  void (*execute)(DebyeFourierRows kind, void *plan, void *in, void *out);
  void (*destroy_plan)(void *plan);
} Precision;

#define REAL float
#define FFTW(name) fftwf_##name
#define NAMED(name) name##_float
#include "fourier_precision.h"
#undef REAL
#undef FFTW
#undef NAMED
#define REAL double
#define FFTW(name) fftw_##name
#define NAMED(name) name##_double
#include "fourier_precision.h"
#undef REAL
#undef FFTW
#undef NAMED

/* Rows of one kind: a group of them, one that begins where vectors may, one that doesn't. */
typedef struct {
  void *group, *single, *unaligned;
} RowPlans;

typedef struct {
  size_t width;
  void *forward, *backward;
} ColumnPlans;

struct DebyeFourier {
  DebyeFourierSettings settings;
  const Precision *precision;
  DebyePool *pool;
  size_t row_values; /* complex values of a row */
  size_t n_rows, group;
  RowPlans forward, backward;
  ColumnPlans columns[3]; /* of the second and the third axis */
};

/* FFTW plans one at a time; executing needs no lock. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static DebyeFourierRows
forward_kind(const DebyeFourier *fourier)
{
  return fourier->settings.real ? DEBYE_FOURIER_REAL_FORWARD : DEBYE_FOURIER_FORWARD;
}

static DebyeFourierRows
backward_kind(const DebyeFourier *fourier)
{
  return fourier->settings.real ? DEBYE_FOURIER_REAL_BACKWARD : DEBYE_FOURIER_BACKWARD;
}

/* Planning, with the lock held. */

static bool
plan_rows(const DebyeFourier *fourier, DebyeFourierRows kind, RowPlans *plans)
{
  const Precision *precision = fourier->precision;
  const size_t length = fourier->settings.shape[0];
  plans->group = precision->plan_rows(kind, length, fourier->group, false);
  plans->single = precision->plan_rows(kind, length, 1, false);
  plans->unaligned = precision->plan_rows(kind, length, 1, true);
  return plans->group != NULL && plans->single != NULL && plans->unaligned != NULL;
}

static bool
plan_columns(const DebyeFourier *fourier, int axis, ColumnPlans *plans)
{
  const Precision *precision = fourier->precision;
  const size_t length = fourier->settings.shape[axis];
  const size_t fits = STRIP_BYTES / (2 * precision->real_bytes * length);
  plans->width = fits < STRIP_WIDTH ? fits : STRIP_WIDTH;
  plans->forward = precision->plan_columns(DEBYE_FOURIER_FORWARD, length, plans->width);
  plans->backward = precision->plan_columns(DEBYE_FOURIER_BACKWARD, length, plans->width);
  return plans->forward != NULL && plans->backward != NULL;
}

static bool
plan_all(DebyeFourier *fourier)
{
  bool good = plan_rows(fourier, forward_kind(fourier), &fourier->forward) &&
              plan_rows(fourier, backward_kind(fourier), &fourier->backward);
  for (int axis = 1; axis < 3 && good; axis++)
    if (fourier->settings.shape[axis] > 1)
      good = plan_columns(fourier, axis, &fourier->columns[axis]);
  return good;
}

static size_t
rows_in_group(const DebyeFourier *fourier)
{
  size_t row_bytes = 2 * fourier->precision->real_bytes * fourier->settings.shape[0];
  size_t rows = ROWS_BYTES / row_bytes / 4 * 4;
  return rows > 4 ? rows : 4;
}

DebyeStatusCode
debye_fourier_create(const DebyeFourierSettings *settings, DebyePool *pool, DebyeFourier **fourier,
                     DebyeStatus *status)
{
  *fourier = NULL;
  if (debye_fourier_check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  DebyeFourier *made = calloc(1, sizeof *made);
  bool good = made != NULL;
  if (good) {
    made->settings = *settings;
    made->precision = settings->double_precision ? &precision_double : &precision_float;
    made->pool = pool;
    made->row_values = settings->real ? settings->shape[0] / 2 + 1 : settings->shape[0];
    made->n_rows = settings->shape[1] * settings->shape[2] * settings->batch;
    made->group = rows_in_group(made);
    pthread_mutex_lock(&planner);
    good = plan_all(made);
    pthread_mutex_unlock(&planner);
  }
  if (!good) {
    debye_fourier_destroy(made);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                            "There is no memory to plan a Fourier transform of %zu × %zu × %zu points.",
                            settings->shape[0], settings->shape[1], settings->shape[2]);
  }
  *fourier = made;
  return debye_status_ok(status);
}

void
debye_fourier_destroy(DebyeFourier *fourier)
{
  if (fourier == NULL)
    return;
  const RowPlans *rows[2] = {&fourier->forward, &fourier->backward};
  pthread_mutex_lock(&planner);
  for (int i = 0; i < 2; i++) {
    fourier->precision->destroy_plan(rows[i]->group);
    fourier->precision->destroy_plan(rows[i]->single);
    fourier->precision->destroy_plan(rows[i]->unaligned);
  }
  for (int axis = 1; axis < 3; axis++) {
    fourier->precision->destroy_plan(fourier->columns[axis].forward);
    fourier->precision->destroy_plan(fourier->columns[axis].backward);
  }
  pthread_mutex_unlock(&planner);
  free(fourier);
}

/* Pieces of work. */

typedef struct {
  const DebyeFourier *fourier;
  DebyeFourierRows kind;
  const RowPlans *plans;
  char *in, *out;
  size_t in_bytes, out_bytes; /* of a row */
} RowWork;

static bool
is_aligned(const void *pointer)
{
  return (uintptr_t)pointer % VECTOR_BYTES == 0;
}

static void
transform_group(void *context, size_t chunk)
{
  const RowWork *work = context;
  const DebyeFourier *fourier = work->fourier;
  const size_t first = chunk * fourier->group;
  const size_t left = fourier->n_rows - first, count = left < fourier->group ? left : fourier->group;
  if (count == fourier->group && is_aligned(work->in) && is_aligned(work->out)) {
    fourier->precision->execute(work->kind, work->plans->group, work->in + first * work->in_bytes,
                                work->out + first * work->out_bytes);
    return;
  }
  for (size_t row = first; row < first + count; row++) {
    char *in = work->in + row * work->in_bytes, *out = work->out + row * work->out_bytes;
    void *plan = is_aligned(in) && is_aligned(out) ? work->plans->single : work->plans->unaligned;
    fourier->precision->execute(work->kind, plan, in, out);
  }
}

typedef struct {
  const DebyeFourier *fourier;
  void *plan;
  char *data;
  size_t length, width;
  size_t stride;              /* from a value of a column to its next */
  size_t n_columns, n_strips; /* side by side, and strips of them */
  size_t jump;                /* from such columns to the next ones */
  size_t n_before,
      n_left_out; /* of the jumps that are made, how many in a row, and how many are then left out */
} ColumnWork;

static void
transform_strip(void *context, size_t chunk)
{
  const ColumnWork *work = context;
  _Alignas(64) char strip[STRIP_BYTES];
  const size_t value = 2 * work->fourier->precision->real_bytes;
  const size_t number = chunk / work->n_strips, first = chunk % work->n_strips * work->width;
  const size_t outer = number < work->n_before ? number : number + work->n_left_out;
  const size_t left = work->n_columns - first, count = left < work->width ? left : work->width;
  const size_t in_strip = work->width * value, in_data = work->stride * value;
  char *data = work->data + (outer * work->jump + first) * value;
  if (count < work->width)
    memset(strip, 0, work->length * in_strip);
  for (size_t i = 0; i < work->length; i++)
    memcpy(strip + i * in_strip, data + i * in_data, count * value);
  work->fourier->precision->execute(DEBYE_FOURIER_FORWARD, work->plan, strip, strip);
  for (size_t i = 0; i < work->length; i++)
    memcpy(data + i * in_data, strip + i * in_strip, count * value);
}

static void
transform_rows(const DebyeFourier *fourier, DebyeFourierRows kind, void *in, void *out)
{
  const size_t real = fourier->precision->real_bytes;
  const size_t real_row = fourier->settings.shape[0] * real, complex_row = fourier->row_values * 2 * real;
  const bool forward = kind == DEBYE_FOURIER_FORWARD || kind == DEBYE_FOURIER_REAL_FORWARD;
  RowWork work = {
      .fourier = fourier,
      .kind = kind,
      .plans = forward ? &fourier->forward : &fourier->backward,
      .in = in,
      .out = out,
      .in_bytes = kind == DEBYE_FOURIER_REAL_FORWARD ? real_row : complex_row,
      .out_bytes = kind == DEBYE_FOURIER_REAL_BACKWARD ? real_row : complex_row,
  };
  debye_parallel_for(fourier->pool, (fourier->n_rows + fourier->group - 1) / fourier->group, transform_group,
                     &work, NULL);
}

static ColumnWork
make_columns(const DebyeFourier *fourier, int axis, DebyeFourierRows direction, void *data)
{
  const size_t *shape = fourier->settings.shape;
  const ColumnPlans *plans = &fourier->columns[axis];
  const size_t inner = axis == 1 ? fourier->row_values : fourier->row_values * shape[1];
  return (ColumnWork){
      .fourier = fourier,
      .plan = direction == DEBYE_FOURIER_FORWARD ? plans->forward : plans->backward,
      .data = data,
      .length = shape[axis],
      .width = plans->width,
      .stride = inner,
      .n_columns = inner,
      .jump = shape[axis] * inner,
      .n_before = SIZE_MAX,
  };
}

static void
run_columns(ColumnWork *work, size_t n_outer)
{
  if (work->length == 1)
    return;
  work->n_strips = (work->n_columns + work->width - 1) / work->width;
  debye_parallel_for(work->fourier->pool, n_outer * work->n_strips, transform_strip, work, NULL);
}

static void
transform_columns(const DebyeFourier *fourier, int axis, DebyeFourierRows direction, void *data)
{
  ColumnWork work = make_columns(fourier, axis, direction, data);
  run_columns(&work, fourier->settings.batch * (axis == 1 ? fourier->settings.shape[2] : 1));
}

void
debye_fourier_forward(const DebyeFourier *fourier, void *data)
{
  transform_rows(fourier, DEBYE_FOURIER_FORWARD, data, data);
  transform_columns(fourier, 1, DEBYE_FOURIER_FORWARD, data);
  transform_columns(fourier, 2, DEBYE_FOURIER_FORWARD, data);
}

void
debye_fourier_backward(const DebyeFourier *fourier, void *data)
{
  transform_columns(fourier, 2, DEBYE_FOURIER_BACKWARD, data);
  transform_columns(fourier, 1, DEBYE_FOURIER_BACKWARD, data);
  transform_rows(fourier, DEBYE_FOURIER_BACKWARD, data, data);
}

void
debye_fourier_real_forward(const DebyeFourier *fourier, const void *real, void *complex_values)
{
  /* FFTW takes no const, but writes into this input only where it is told that it may. */
  transform_rows(fourier, DEBYE_FOURIER_REAL_FORWARD, (void *)real, complex_values);
  transform_columns(fourier, 1, DEBYE_FOURIER_FORWARD, complex_values);
  transform_columns(fourier, 2, DEBYE_FOURIER_FORWARD, complex_values);
}

void
debye_fourier_real_forward_low(const DebyeFourier *fourier, const void *real, void *complex_values,
                               const unsigned highest[2])
{
  const size_t *shape = fourier->settings.shape;
  const size_t along = (size_t)highest[0] + 1, across = 2 * (size_t)highest[1] + 1;
  if (along >= fourier->row_values || across >= shape[1] || fourier->settings.batch > 1) {
    debye_fourier_real_forward(fourier, real, complex_values);
    return;
  }
  transform_rows(fourier, DEBYE_FOURIER_REAL_FORWARD, (void *)real, complex_values);
  ColumnWork second = make_columns(fourier, 1, DEBYE_FOURIER_FORWARD, complex_values);
  second.n_columns = along;
  run_columns(&second, shape[2]);
  /* Of each kept row of the planes. */
  ColumnWork third = make_columns(fourier, 2, DEBYE_FOURIER_FORWARD, complex_values);
  third.n_columns = along;
  third.jump = fourier->row_values;
  third.n_before = (size_t)highest[1] + 1;
  third.n_left_out = shape[1] - across;
  run_columns(&third, across);
}

void
debye_fourier_real_backward(const DebyeFourier *fourier, void *complex_values, void *real)
{
  transform_columns(fourier, 2, DEBYE_FOURIER_BACKWARD, complex_values);
  transform_columns(fourier, 1, DEBYE_FOURIER_BACKWARD, complex_values);
  transform_rows(fourier, DEBYE_FOURIER_REAL_BACKWARD, complex_values, real);
}
