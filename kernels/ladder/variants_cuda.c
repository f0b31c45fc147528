/* SPDX-License-Identifier: MIT */
/* The teaching variants on a GPU as they are taught, then legacy ones; kernels/cuda/ladder/ladder.cu runs them. Figures of the
 * lectures: J. E. Stone et al., J. Comput. Chem. 28 (2007) 2618, and its chapter in Kirk, Hwu, Massively Parallel Processors.
 *
 * Bytes: of a tile in shared memory each atom is read once for a block's points; the map is read and written once for each
 * filling of constant memory, which of the legacy ones holds 64 atoms. */
#include "ladder.h"

const DebyeLadderVariant debye_ladder_cuda_variants[DEBYE_LADDER_N_CUDA] = {
    {
        .id = "scatter-const",
        .title = "Scatter",
        .source = "direct/21-scatter-const.cu",
        .lesson = "One thread per atom adds it to every point: threads meet at the same points, so every "
                  "evaluation is an atomic addition in memory; and the threads of a warp read constant "
                  "memory at 32 addresses, one after the other.",
        .cost = {.operations = 7.0, .evaluation_bytes = 8.0, .point_bytes = 4.0, .atom_bytes = 16.0},
    },
    {
        .id = "gather-const",
        .title = "Gather",
        .source = "direct/22-gather-const.cu",
        .lesson =
            "One thread per point sums all atoms, which constant memory hands to all threads of a warp at "
            "once: no two threads write to the same point, and the map is accessed once per 4,000 atoms.",
        .cost =
            {.operations = 12.0, .evaluation_bytes = 8.0 / 4000.0, .point_bytes = 4.0, .atom_bytes = 16.0},
    },
    {
        .id = "gather-fission",
        .title = "Gather by loop fission",
        .source = "direct/23-gather-fission.cu",
        .lesson =
            "The statement between the loops over rows and points, y, moves into a kernel of its own that "
            "fills an array: the two remaining loops are directly nested and become the grid of threads.",
        .cost =
            {.operations = 12.0, .evaluation_bytes = 8.0 / 4000.0, .point_bytes = 8.0, .atom_bytes = 16.0},
    },
    {
        .id = "const-precalc",
        .title = "Const+Precalc",
        .source = "direct/24-const-precalc.cu",
        .lesson = "The host squares dz once per slice and atom and copies it with the atoms into constant "
                  "memory: two of twelve operations fewer per point.",
        .lecture = {18.6e9, 10.0, NULL},
        .cost =
            {.operations = 10.0, .evaluation_bytes = 8.0 / 4000.0, .point_bytes = 4.0, .atom_bytes = 16.0},
    },
    {
        .id = "const-unrolled",
        .title = "Const+Precalc+Loop Unrolling",
        .source = "direct/25-const-unrolled.cu",
        .lesson = "A thread sums four neighbours in a row, which share dy² + dz² and each atom that is read: "
                  "constant memory is read a quarter as often, but neighbouring threads now write four "
                  "points apart.",
        .lecture = {33.4e9, 7.75, NULL},
        .cost = {.operations = 7.0 + 3.0 / 4.0,
                 .evaluation_bytes = 8.0 / 4000.0,
                 .point_bytes = 4.0,
                 .atom_bytes = 16.0},
    },
    {
        .id = "const-shared",
        .title = "Const+Shared+Loop Unrolling+Precalc",
        .source = "direct/26-const-shared.cu",
        .lesson = "The partial sums of the points wait in shared memory while the atoms pass, so that "
                  "registers are free for eight points per thread: again fewer reads per evaluation.",
        .lecture = {36.4e9, 7.375, NULL},
        .cost = {.operations = 7.0 + 3.0 / 8.0,
                 .evaluation_bytes = 8.0 / 4000.0,
                 .point_bytes = 4.0,
                 .atom_bytes = 16.0},
    },
    {
        .id = "const-coalesced",
        .title = "Const+Loop Unrolling+Coalescing",
        .source = "direct/27-const-coalesced.cu",
        .lesson = "A thread's eight points are half a warp apart, so that neighbouring threads read and "
                  "write neighbouring points, and the map is read only when the sums are known.",
        .lecture = {39.5e9, 7.375, NULL},
        .cost = {.operations = 7.0 + 3.0 / 8.0,
                 .evaluation_bytes = 8.0 / 4000.0,
                 .point_bytes = 4.0,
                 .atom_bytes = 16.0},
    },
    {
        .id = "const-copied",
        .title = "The slice copied in each pass",
        .source = "direct/28-const-copied.cu",
        .lesson = "The same kernel, but the host keeps the map and copies the slice to the GPU and back in "
                  "each pass: the GPU needs memory for one slice only, and waits for the bus.",
        .cost = {.operations = 7.0 + 3.0 / 8.0, .evaluation_bytes = 16.0 / 4000.0, .atom_bytes = 16.0},
    },
    {
        .id = "const-padded",
        .title = "A padded map instead of guards",
        .source = "direct/29-const-padded.cu",
        .lesson = "The host rounds the slice up to whole blocks, so that no thread asks whether its points "
                  "are in the map. The guards were outside the loop over atoms and cost little; the "
                  "points beyond the edge cost as much as the others.",
        .cost = {.operations = 7.0 + 3.0 / 8.0,
                 .evaluation_bytes = 8.0 / 4000.0,
                 .point_bytes = 4.0,
                 .atom_bytes = 16.0},
    },
    {
        .id = "shared-tiles",
        .title = "Tiles in shared memory",
        .source = "direct/30-shared-tiles.cu",
        .lesson = "A block loads the atoms itself, tile by tile, into its shared memory: the host no longer "
                  "copies anything for a slice, and one launch takes any number of atoms.",
        .cost = {.operations = 7.0 + 3.0 / 8.0, .evaluation_bytes = 16.0 / 1024.0, .point_bytes = 8.0},
    },
    {
        .id = "register-tiles",
        .title = "Tiles in registers",
        .source = "direct/31-register-tiles.cu",
        .lesson = "A thread sums four points of four rows: each difference in x serves four evaluations and "
                  "each dy² + dz² four others, so that only the unit for 1/√ takes time.",
        .cost = {.operations = 5.0 + 2.0 / 4.0 + 3.0 / 4.0,
                 .evaluation_bytes = 16.0 / 2048.0,
                 .point_bytes = 8.0},
    },
    {
        .id = "ours",
        .title = "Debye's own",
        .lesson = "With sixteen points, a thread shares differences in x and in y, and 5 of 16 get their 1/√ "
                  "from the multiply-add pipes, so that the unit for it is no longer the bottleneck.",
        .cost = {.operations = 6.0, .evaluation_bytes = 32.0 / 2048.0, .point_bytes = 4.0},
    },
    {
        .id = "histogram-race",
        .title = "Histogram without atomics",
        .source = "histogram/21-race.cu",
        .lesson = "All threads read, increment and write the same bins. Counts that another thread adds "
                  "between the read and the write are lost: a different number each time, and few if threads "
                  "seldom meet in a bin.",
        .kind = DEBYE_LADDER_COUNT,
        .is_race = true,
        .loses_counts = true,
        .cost = {.operations = 23.0, .evaluation_bytes = 16.0 + 12.0 / 32.0},
    },
    {
        .id = "histogram-atomic",
        .title = "Histogram with atomics",
        .source = "histogram/22-atomic.cu",
        .lesson = "Each addition to a bin is one indivisible step: the counts are right, and threads that "
                  "want the same bin wait for each other.",
        .kind = DEBYE_LADDER_COUNT,
        .cost = {.operations = 23.0, .evaluation_bytes = 16.0 + 12.0 / 32.0},
    },
    {
        .id = "histogram-grid",
        .title = "Histogram on a grid of pairs",
        .source = "histogram/23-grid.cu",
        .lesson = "8 × 8 blocks of 16 × 16 threads go over pairs in strides of the whole grid: all threads "
                  "have the same work for any number of atoms, unlike with one thread per atom.",
        .kind = DEBYE_LADDER_COUNT,
        .cost = {.operations = 23.0, .evaluation_bytes = 16.0 + (16.0 + 2.0) * 12.0 / 32.0},
    },
    {
        .id = "histogram-private",
        .title = "Private histograms",
        .source = "histogram/24-private.cu",
        .lesson =
            "Each block counts into a histogram in its shared memory and adds it to the common one at its "
            "end (partial reduction): threads meet only within a block, and little memory is needed.",
        .kind = DEBYE_LADDER_COUNT,
        .cost = {.operations = 23.0, .evaluation_bytes = (16.0 + 2.0) * 12.0 / 32.0},
    },
    {
        .id = "histogram-tiles",
        .title = "Histogram in tiles",
        .source = "histogram/25-tiles.cu",
        .lesson = "A block loads 256 atoms at once into its shared memory, and each thread compares one atom "
                  "with all of these: an atom is read once for 256 pairs.",
        .kind = DEBYE_LADDER_COUNT,
        .cost = {.operations = 23.0, .evaluation_bytes = 12.0 / 256.0},
    },
    {
        .id = "histogram-float",
        .title = "Histogram in floats",
        .source = "histogram/26-float.cu",
        .lesson = "A float has 24 binary digits: 16,777,216 + 1 is 16,777,216 again, so a bin that has "
                  "reached this value stops counting, without any warning.",
        .kind = DEBYE_LADDER_COUNT,
        .loses_counts = true,
        .cost = {.operations = 23.0, .evaluation_bytes = 8.0 + (16.0 + 2.0) * 12.0 / 32.0},
    },
    {
        .id = "histogram-ours",
        .title = "Debye's own histogram",
        .lesson =
            "Tiles of nearby atoms skip pairs out of range, use one image for all their pairs and count in "
            "shared memory. Only pairs at the very edge of a bin are decided in double precision.",
        .kind = DEBYE_LADDER_COUNT,
        .cost = {.operations = 10.0, .evaluation_bytes = 16.0 / 128.0},
    },
    {
        .id = "cutoff-all",
        .title = "All atoms within a cutoff",
        .source = "cutoff/21-all-atoms.cu",
        .lesson =
            "One thread per point tests all atoms and adds those within the cutoff, where 1/d is smoothed to "
            "0: for a large molecule most tests are wasted, and twice the volume takes four times as long.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 16.0, .evaluation_bytes = 16.0 / 32.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-cube",
        .title = "A cube of bins",
        .source = "cutoff/22-cube.cu",
        .lesson = "Atoms wait in bins with eight slots, and a block of 8 × 8 × 8 points looks only at the "
                  "cube of bins within reach; the CPU adds the atoms without a slot afterwards: the time now "
                  "grows with the volume.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 16.0, .evaluation_bytes = 16.0 / 32.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-sphere",
        .title = "The sphere instead of the cube",
        .source = "cutoff/23-sphere.cu",
        .lesson = "The list of bins that have a point within the cutoff is the same for all blocks; it "
                  "waits in constant memory and leaves out the corners of the cube: 311 bins instead of 343 "
                  "at 12 Å.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 16.0, .evaluation_bytes = 16.0 / 32.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-shared",
        .title = "A bin in shared memory",
        .source = "cutoff/24-shared.cu",
        .lesson = "A bin of eight atoms is 128 bytes, which 32 threads read in one piece into shared memory "
                  "for all 512 points of the block: an atom is read once per block instead of once per warp.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 16.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-four-bins",
        .title = "Four bins at once",
        .source = "cutoff/25-four-bins.cu",
        .lesson = "128 threads read four bins at once: the block waits for memory and for all of its "
                  "threads a quarter as often.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 16.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-unrolled-x",
        .title = "Four points in x",
        .source = "cutoff/26-unrolled-x.cu",
        .lesson = "A thread sums four neighbours in a row, which share dy² + dz² and each atom that is read; "
                  "but neighbouring threads now write four points apart.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 4.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-unrolled-y",
        .title = "Four points in y",
        .source = "cutoff/27-unrolled-y.cu",
        .lesson = "The four points of a thread are in y instead: dx² + dz² is shared, and neighbouring "
                  "threads stay neighbours in x and write whole lines of memory.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 4.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-cylinder",
        .title = "The cylinder test",
        .source = "cutoff/28-cylinder.cu",
        .lesson = "If dx² + dz² is beyond the cutoff, the atom lies outside the cylinder round the four "
                  "points, and one test replaces four; it pays only where all threads of a warp skip "
                  "together.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 4.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-dummy",
        .title = "Up to the first dummy",
        .source = "cutoff/29-dummy.cu",
        .lesson = "Slots are filled from the front, so that the loop over a bin can end at its first empty "
                  "one, and all threads end together: about a third of the slots need no test.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 4.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-overlap",
        .title = "The CPU takes the overflow meanwhile",
        .source = "cutoff/30-overlap.cu",
        .lesson = "A launch returns at once, so that the CPU adds the atoms without a slot while the GPU "
                  "works instead of afterwards; the lecture found 2.6 % of the atoms, which took the CPU 66 "
                  "% of the GPU’s time.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 4.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-compensated",
        .title = "Compensated sums",
        .source = "cutoff/31-compensated.cu",
        .lesson =
            "The rounding error of each addition is kept and added to the next one (Kahan): three operations "
            "more for sums as accurate as in double precision; the lecture found some 10 % of the time.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 14.0 + 5.0 / 4.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-double",
        .title = "Sums in double",
        .source = "cutoff/32-double.cu",
        .lesson = "Terms stay in single precision and only their sum is double: cheap on chips for "
                  "computing, where double is half as fast, and costly on chips for games, where it is a "
                  "64th.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 4.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-chains",
        .title = "Chained bins",
        .source = "cutoff/33-chains.cu",
        .lesson = "Each bin names its first atom and each atom the next one of its bin: nothing overflows "
                  "however dense the atoms are, but each read waits for the one before.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 4.0, .evaluation_bytes = 20.0 / 32.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-ours",
        .title = "Debye's own cutoff",
        .lesson = "Bins are runs of one sorted array, so that none overflows, and each block searches whole "
                  "rows of bins in shared memory; the time includes the copy of the map.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "scattering-vectors-x",
        .title = "x over vectors",
        .source = "scattering/21-vectors-x.cu",
        .lesson = "One thread per vector and frame computes a(t) of one atom, in blocks of 32 × 32 with x "
                  "over vectors: neighbouring threads store a whole series apart, 2·NF numbers, and no "
                  "store fills a line of memory.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "scattering-frames-x",
        .title = "x over frames",
        .source = "scattering/22-frames-x.cu",
        .lesson = "x is over frames instead: neighbouring threads store neighbouring values; the sum over "
                  "all pairs of frames that follows takes far longer than either.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "scattering-transform",
        .title = "Correlation by transforms",
        .source = "scattering/23-transform.cu",
        .lesson = "Each series is padded with zeros to twice its length, transformed, multiplied with its "
                  "conjugate and transformed back, in a call of its own, with a new plan and buffer for each "
                  "atom: most of the time nothing is computed.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 124.0},
    },
    {
        .id = "scattering-plans-once",
        .title = "Plans and buffers made once",
        .source = "scattering/24-plans-once.cu",
        .lesson = "All series have the same length, so that one plan and one buffer serve all of them: only "
                  "the launches remain, one for each series.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 124.0},
    },
    {
        .id = "scattering-vector-block",
        .title = "A block of vectors",
        .source = "scattering/25-vector-block.cu",
        .lesson = "One call transforms the series of all vectors of an atom: one launch instead of one per "
                  "vector, and more work for each.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 124.0},
    },
    {
        .id = "scattering-graph",
        .title = "A graph instead of single launches",
        .source = "scattering/26-graph.cu",
        .lesson = "The launches of an atom are always the same ones: the host records them once as a graph "
                  "and starts them with one call per atom, so that the GPU waits less between them.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 124.0},
    },
    {
        .id = "scattering-atom-block",
        .title = "A block of atoms, atomic sums",
        .source = "scattering/27-atom-block.cu",
        .lesson = "The series of 32 atoms wait in one buffer of 8·L·vectors·atoms bytes and fill the chip; "
                  "each value of each atom is added by a thread of its own, so that 32 meet at each sum and "
                  "additions are atomic.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 124.0},
    },
    {
        .id = "scattering-partial",
        .title = "Partial reduction",
        .source = "scattering/28-partial.cu",
        .lesson = "Each thread sums its lag over the 32 atoms of the block before it adds it to the common "
                  "sum, where no other thread writes: a 32nd of the additions to memory, and none is atomic.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 124.0},
    },
    {
        .id = "scattering-all",
        .title = "All instead of self",
        .source = "scattering/29-all.cu",
        .lesson = "The phases of all atoms are summed first and only that sum is correlated (coherent "
                  "scattering): one series per vector instead of one per vector and atom, so that the phases "
                  "take most of the time.",
        .kind = DEBYE_LADDER_SCATTERING,
        .signal = DEBYE_LADDER_ALL,
        .cost = {.operations = 7.0, .evaluation_bytes = 12.0},
    },
    {
        .id = "scattering-square",
        .title = "Square instead of autocorrelate",
        .source = "scattering/30-square.cu",
        .lesson = "f(t) = Σ a(t)* a(t) needs no other frame, and so no transform: only computing the phases "
                  "and storing them takes time.",
        .kind = DEBYE_LADDER_SCATTERING,
        .signal = DEBYE_LADDER_SQUARE,
        .cost = {.operations = 7.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "scattering-plain",
        .title = "Plain amplitudes",
        .source = "scattering/31-plain.cu",
        .lesson = "f(t) = Σ a(t) is the amplitude itself over time, from which any other signal can be "
                  "computed afterwards.",
        .kind = DEBYE_LADDER_SCATTERING,
        .signal = DEBYE_LADDER_PLAIN,
        .cost = {.operations = 7.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "scattering-ours",
        .title = "Debye's own self scattering",
        .lesson = "Phases, transforms and power spectra of short series stay in shared memory, and spectra "
                  "are summed over atoms before the one transform back of each vector: sum and transform "
                  "commute.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 12.0},
    },
    {
        .id = "orbital-plain",
        .title = "Each Gaussian at each point",
        .source = "orbital/21-plain.cu",
        .lesson = "One thread per point sums all Gaussians of all atoms: the chip's own units make the "
                  "exponentials, and all threads of a warp read the same numbers at once.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 4.0 + 48.0 / 15.0, .evaluation_bytes = (8.0 + 172.0 / 15.0) / 32.0},
    },
    {
        .id = "orbital-shared",
        .title = "An atom in shared memory",
        .source = "orbital/22-shared.cu",
        .lesson =
            "A block brings an atom's shells, Gaussians and coefficients into shared memory, once for 256 "
            "points. But all threads of a warp read the same numbers, which the caches hand out as fast: "
            "exponentials are what takes the time.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 4.0 + 48.0 / 15.0, .evaluation_bytes = 344.0 / 15.0 / 256.0},
    },
    {
        .id = "orbital-separable",
        .title = "Factors of one coordinate",
        .source = "orbital/23-separable.cu",
        .lesson = "exp(−αr²) is a factor in x, one in y and one in z: a block makes 44 exponentials of a "
                  "Gaussian for its 1,024 points, and a thread sums eight planes.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 2.0 + 1.0 / 8.0 + 54.0 / 15.0, .evaluation_bytes = 344.0 / 15.0 / 1024.0},
    },
    {
        .id = "orbital-screened",
        .title = "Only where it reaches",
        .source = "orbital/24-screened.cu",
        .lesson = "A block leaves out atoms whose Gaussians don't reach it, and of the others the narrow "
                  "ones: near a nucleus all are needed, and a little farther hardly any.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 2.0 + 1.0 / 8.0 + 54.0 / 15.0, .evaluation_bytes = 344.0 / 15.0 / 1024.0},
    },
    {
        .id = "orbital-ours",
        .title = "Debye's own orbital",
        .lesson = "Gaussians of one exponent at an atom are one polynomial, whatever shells they come from; "
                  "the warps of a block take the atoms within reach in turn, each with factors of its own in "
                  "shared memory.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 2.0 + 1.0 / 8.0 + 54.0 / 15.0, .evaluation_bytes = 344.0 / 15.0 / 1024.0},
    },
    {
        .id = "ligand-plain",
        .title = "Every atom for every sample",
        .source = "ligand/21-plain.cu",
        .lesson = "One thread per voxel tests all atoms for each sample: all threads of a warp read the same "
                  "atom at once, and nearly all energies are computed in vain.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0 / 32.0},
    },
    {
        .id = "ligand-shared",
        .title = "A tile of atoms for a ligand",
        .source = "ligand/22-shared.cu",
        .lesson = "A block brings 256 atoms at a time into shared memory for all its samples: as the caches "
                  "handed them out nearly as fast, little is gained.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0 / 128.0},
    },
    {
        .id = "ligand-bins",
        .title = "Atoms in bins for a ligand",
        .source = "ligand/23-bins.cu",
        .lesson = "A sample tests the 125 bins around it alone. Neighbours look through nearly the same "
                  "bins, so that their reads meet in the caches.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0 / 4.0},
    },
    {
        .id = "ligand-rejection",
        .title = "The nearest reject",
        .source = "ligand/24-rejection.cu",
        .lesson = "An atom nearer than a pair of 120 kT ends the sample. But 32 samples of a warp go in "
                  "step: as long as one of them is summed, the others wait for it.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0 / 4.0},
    },
    {
        .id = "ligand-queue",
        .title = "A queue of what is left",
        .source = "ligand/25-queue.cu",
        .lesson = "All samples of a block are rejected first, and those that are left wait in a queue in "
                  "shared memory, from which each thread takes one: warps are full again.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0 / 4.0},
    },
    {
        .id = "ligand-ours",
        .title = "Debye's own ligand sampling",
        .lesson = "A tile of 4 × 4 × 4 voxels brings the atoms that can reach it into shared memory once, "
                  "near ones apart, and sums queued samples by the block.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0 / 256.0},
    },
    {
        .id = "density-atomic",
        .title = "One grid, atomic additions",
        .source = "density/21-atomic.cu",
        .lesson = "One thread per atom of a frame adds 1 to its voxel in device memory, by atomic additions "
                  "that the second-level cache does. Nobody waits for the result, so that they are fast.",
        .kind = DEBYE_LADDER_DENSITY,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-float",
        .title = "Voxels in single precision",
        .source = "density/22-float.cu",
        .lesson =
            "Chips for games have few units for double, so that single precision is tempting; but an atom "
            "near a face is counted next door, a few in a million. Where memory decides, nothing is gained.",
        .kind = DEBYE_LADDER_DENSITY,
        .is_rounded = true,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-warp",
        .title = "One addition for a warp",
        .source = "density/23-warp.cu",
        .lesson = "Threads of a warp whose atoms are in the same voxel find each other, and one adds their "
                  "number: it pays where many atoms share a voxel, and costs where each has its own.",
        .kind = DEBYE_LADDER_DENSITY,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-shared",
        .title = "A tile of voxels in shared memory",
        .source = "density/24-shared.cu",
        .lesson = "A block owns 8,192 voxels in shared memory and looks at all atoms for them: additions are "
                  "cheap, but each atom is read as often as the grid has tiles.",
        .kind = DEBYE_LADDER_DENSITY,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0},
    },
    {
        .id = "density-stamps",
        .title = "The last frame of each voxel",
        .source = "density/25-stamps.cu",
        .lesson = "Occupancy by the last frame of each voxel: frames must not mix, and a launch for each "
                  "frame is so short that starting it takes most of the time.",
        .kind = DEBYE_LADDER_DENSITY,
        .is_occupancy = true,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 16.0},
    },
    {
        .id = "density-bits",
        .title = "Occupancy bits",
        .source = "density/26-bits.cu",
        .lesson = "A word per voxel has a bit for each of 32 frames, set by threads in any order: one launch "
                  "for 32 frames and one that counts the bits.",
        .kind = DEBYE_LADDER_DENSITY,
        .is_occupancy = true,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-ours",
        .title = "Debye's own density",
        .lesson =
            "Occupancy bits with eight atoms per thread, in a grid that may be turned, follow a reference "
            "and repeat with the cell; frames are on the device already, else the bus decides.",
        .kind = DEBYE_LADDER_DENSITY,
        .is_occupancy = true,
        .cost = {.operations = 21.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "scatter",
        .title = "Scatter",
        .is_legacy = true,
        .lesson = "One thread per atom adds it to every point: threads meet at the same points, so every "
                  "evaluation is an atomic addition in memory, and they wait for each other.",
        .cost = {.operations = 12.0, .evaluation_bytes = 8.0, .point_bytes = 4.0, .atom_bytes = 16.0},
    },
    {
        .id = "gather",
        .title = "Gather",
        .is_legacy = true,
        .lesson =
            "One thread per point sums over the atoms, which constant memory hands to all lanes of a warp at "
            "once: no two threads write the same point, and the map is touched once per 64 atoms.",
        .cost = {.operations = 12.0, .evaluation_bytes = 8.0 / 64.0, .point_bytes = 4.0, .atom_bytes = 16.0},
    },
    {
        .id = "dz2",
        .title = "Squares beforehand",
        .is_legacy = true,
        .lesson = "A small kernel first computes dz² of each atom and plane: 10 of 12 operations are left, "
                  "but each evaluation needs one more load. That pays off only if several points share it.",
        .cost = {.operations = 10.0,
                 .evaluation_bytes = 8.0 / 64.0 + 4.0 / 32.0,
                 .point_bytes = 4.0,
                 .atom_bytes = 16.0},
    },
    {
        .id = "unrolled",
        .title = "Eight points per thread",
        .is_legacy = true,
        .lesson =
            "A thread sums eight neighbours in a row, which share dy² + dz² and each atom that is read; but "
            "the map is still accessed once per 64 atoms, by lanes that are eight points apart.",
        .cost = {.operations = 7.0 + 3.0 / 8.0,
                 .evaluation_bytes = 8.0 / 64.0 + 4.0 / 256.0,
                 .point_bytes = 4.0,
                 .atom_bytes = 16.0},
    },
    {
        .id = "shared",
        .title = "Shared memory",
        .is_legacy = true,
        .lesson = "A block loads the atoms, tile by tile, into its shared memory: their number is not "
                  "limited, one launch handles all of them, and the map is written once.",
        .cost = {.operations = 7.0 + 3.0 / 8.0, .evaluation_bytes = 16.0 / 1024.0, .point_bytes = 8.0},
    },
    {
        .id = "coalesced",
        .title = "Coalesced stores",
        .is_legacy = true,
        .lesson = "A thread's points are a row of threads apart, so that neighbouring threads store "
                  "neighbouring points and fill whole lines of memory; where the map is written once, "
                  "little is left to gain.",
        .cost = {.operations = 7.0 + 3.0 / 8.0, .evaluation_bytes = 16.0 / 1024.0, .point_bytes = 8.0},
    },
};
