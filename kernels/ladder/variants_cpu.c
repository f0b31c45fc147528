/* SPDX-License-Identifier: MIT */
/* The teaching variants on the CPU, in the order in which they are taught; kernels/cpu/ladder/ladder.c runs them. */
#include "ladder.h"

const DebyeLadderVariant debye_ladder_cpu_variants[DEBYE_LADDER_N_CPU] = {
    {
        .id = "grid-outer",
        .title = "Grid points outside",
        .source = "direct/01-grid-outer.c",
        .lesson = "Each grid point sums over all atoms, as the formula reads: its sum stays in a register, "
                  "and every evaluation computes a whole distance, a square root and a division.",
        .operations = 12.0,
        .evaluation_bytes = 16.0,
        .point_bytes = 8.0,
    },
    {
        .id = "atom-outer",
        .title = "Atoms outside",
        .source = "direct/02-atom-outer.c",
        .lesson = "The loops change places and each atom visits all points: the atom is read once, but now "
                  "every evaluation reads and writes the map.",
        .operations = 12.0,
        .evaluation_bytes = 8.0,
        .point_bytes = 4.0,
        .atom_bytes = 16.0,
    },
    {
        .id = "dz2",
        .title = "Squares beforehand",
        .source = "direct/03-dz2.c",
        .lesson = "What all points of a plane or of a row have in common, dz² and dy² + dz², is computed "
                  "once for them: 7 of 12 operations are left, but among them the square root and the "
                  "division, which are what takes the time.",
        .operations = 7.0,
        .evaluation_bytes = 8.0,
        .point_bytes = 4.0,
        .atom_bytes = 16.0,
    },
    {
        .id = "row-array",
        .title = "An array for each row",
        .source = "direct/04-row-array.c",
        .lesson = "x, charge and dy² + dz² of all atoms are written into an array once per row, so that the "
                  "points can be outside again: 7 operations, and the sum stays in a register.",
        .operations = 7.0,
        .evaluation_bytes = 12.0,
        .point_bytes = 8.0,
    },
    {
        .id = "scatter-threads",
        .title = "Scatter to all points",
        .source = "direct/05-scatter-threads.c",
        .lesson =
            "Each thread takes some atoms and adds them to every point: threads meet at the same points, so "
            "every addition is an atomic one, and more threads bring little.",
        .operations = 7.0,
        .evaluation_bytes = 8.0,
        .point_bytes = 4.0,
        .atom_bytes = 16.0,
    },
    {
        .id = "gather-threads",
        .title = "Gather from all atoms",
        .source = "direct/06-gather-threads.c",
        .lesson =
            "Each thread takes some points and sums all atoms there: nobody writes where another does, so "
            "nothing has to be atomic, although each evaluation computes a whole distance again.",
        .operations = 12.0,
        .evaluation_bytes = 16.0,
        .point_bytes = 8.0,
    },
    {
        .id = "gather-fission",
        .title = "Gather by loop fission",
        .source = "direct/07-gather-fission.c",
        .lesson =
            "What stands between the loops over rows and points, y, moves into a loop of its own that fills "
            "an "
            "array: the two loops that are left stand directly within each other, as threads need them.",
        .operations = 12.0,
        .evaluation_bytes = 16.0,
        .point_bytes = 12.0,
    },
    {
        .id = "unrolled",
        .title = "Eight points at once",
        .source = "direct/08-unrolled.c",
        .lesson = "Eight neighbours of a row keep their sums in registers while all atoms pass, so that "
                  "the map is written once and what is read of an atom serves eight evaluations.",
        .operations = 7.0 + 5.0 / 8.0,
        .evaluation_bytes = 16.0 / 8.0,
        .point_bytes = 8.0,
    },
    {
        .id = "blocked",
        .title = "Blocked for the cache",
        .source = "direct/09-blocked.c",
        .lesson = "A tile of 512 atoms stays in the first-level cache while a whole row of points passes, "
                  "and its dy² + dz² are computed once for the row.",
        .operations = 7.0,
        .evaluation_bytes = 8.0 / 512.0,
        .point_bytes = 4.0,
    },
    {
        .id = "simd",
        .title = "Vectors",
        .source = "direct/10-simd.c",
        .lesson = "The points of a strip become the lanes of vectors: one instruction does 4, 8 or 16 "
                  "evaluations, and the square root and the division are what is left to wait for.",
        .operations = 7.0,
        .evaluation_bytes = 8.0 / 512.0,
        .point_bytes = 4.0,
    },
    {
        .id = "threads",
        .title = "All threads",
        .source = "direct/11-threads.c",
        .lesson = "The rows of the map are shared among all processors; no two write the same row, so "
                  "nothing has to be locked.",
        .operations = 7.0,
        .evaluation_bytes = 8.0 / 512.0,
        .point_bytes = 4.0,
    },
    {
        .id = "ours",
        .title = "Debye's own",
        .lesson = "The processor's estimate of 1/√ and one Newton step replace square root and division, "
                  "and four rows share each difference in x, which leaves 5¼ operations.",
        .operations = 5.0 + 1.0 / 4.0,
        .evaluation_bytes = 8.0 / 512.0,
        .point_bytes = 4.0,
    },
    {
        .id = "histogram-sequential",
        .title = "Histogram on one thread",
        .source = "histogram/01-sequential.c",
        .lesson = "Two plain loops over all pairs, nearest image, root, bin, plus one: what every other "
                  "version has to give, bin by bin.",
        .kind = DEBYE_LADDER_COUNT,
        .operations = 23.0,
        .evaluation_bytes = 28.0,
    },
    {
        .id = "histogram-race",
        .title = "Histogram without atomics",
        .source = "histogram/02-race.c",
        .lesson = "All threads read, increase and write the same bins: what another counts between the read "
                  "and the write is lost, so the counts are wrong, and differently each time.",
        .kind = DEBYE_LADDER_COUNT,
        .is_race = true,
        .loses_counts = true,
        .operations = 23.0,
        .evaluation_bytes = 28.0,
    },
    {
        .id = "histogram-atomic",
        .title = "Histogram with atomics",
        .source = "histogram/03-atomic.c",
        .lesson = "Each addition to a bin is one indivisible step: the counts are right, and threads that "
                  "want the same bin wait for each other.",
        .kind = DEBYE_LADDER_COUNT,
        .operations = 23.0,
        .evaluation_bytes = 28.0,
    },
    {
        .id = "histogram-private",
        .title = "Private histograms",
        .source = "histogram/04-private.c",
        .lesson = "Each thread counts into a histogram of its own and adds it to the common one at its end: "
                  "threads meet once for each bin instead of once for each pair.",
        .kind = DEBYE_LADDER_COUNT,
        .operations = 23.0,
        .evaluation_bytes = 28.0,
    },
    {
        .id = "histogram-tiles",
        .title = "Histogram in tiles",
        .source = "histogram/05-tiles.c",
        .lesson = "A loop of its own computes the bins of 256 atoms, which the compiler makes vectors of; "
                  "counting, which no vector can do, is left to a second one, without a branch to guess.",
        .kind = DEBYE_LADDER_COUNT,
        .operations = 23.0,
        .evaluation_bytes = 12.0 + 8.0 + 16.0,
    },
    {
        .id = "histogram-float",
        .title = "Histogram in floats",
        .source = "histogram/06-float.c",
        .lesson = "A float has 24 binary digits: 16,777,216 + 1 is 16,777,216 again, so that a bin that has "
                  "come so far counts no more, and nobody is told.",
        .kind = DEBYE_LADDER_COUNT,
        .loses_counts = true,
        .operations = 23.0,
        .evaluation_bytes = 12.0 + 8.0,
    },
    {
        .id = "histogram-ours",
        .title = "Debye's own histogram",
        .lesson = "Tiles of near atoms skip what is out of range, take one image for all of their pairs and "
                  "count in integers; only pairs at the very edge of a bin are decided in double.",
        .kind = DEBYE_LADDER_COUNT,
        .operations = 10.0,
        .evaluation_bytes = 16.0,
    },
};
