/* SPDX-License-Identifier: MIT */
/* The teaching variants on the CPU, in the order in which they are taught; kernels/cpu/ladder/ladder.c runs them. */
#include "ladder.h"

const DebyeLadderVariant debye_ladder_cpu_variants[DEBYE_LADDER_N_CPU] = {
    {
        .id = "grid-outer",
        .title = "Grid points outside",
        .source = "direct/01-grid-outer.c",
        .lesson = "Each grid point sums over all atoms, as in the formula: its sum stays in a register, and "
                  "every evaluation computes a whole distance, a square root and a division.",
        .cost = {.operations = 12.0, .evaluation_bytes = 16.0, .point_bytes = 8.0},
    },
    {
        .id = "atom-outer",
        .title = "Atoms outside",
        .source = "direct/02-atom-outer.c",
        .lesson = "The loops are interchanged and each atom visits all points: the atom is read once, but "
                  "now every evaluation reads and writes the map.",
        .cost = {.operations = 12.0, .evaluation_bytes = 8.0, .point_bytes = 4.0, .atom_bytes = 16.0},
    },
    {
        .id = "dz2",
        .title = "Squares beforehand",
        .source = "direct/03-dz2.c",
        .lesson = "Terms that all points of a plane or row share, dz² and dy² + dz², are computed once: 7 of "
                  "12 operations are left, among them the slow ones, the square root and the division.",
        .cost = {.operations = 7.0, .evaluation_bytes = 8.0, .point_bytes = 4.0, .atom_bytes = 16.0},
    },
    {
        .id = "row-array",
        .title = "An array for each row",
        .source = "direct/04-row-array.c",
        .lesson = "x, charge and dy² + dz² of all atoms are written into an array once per row, so that the "
                  "loop over points can be outside again: 7 operations, and the sum stays in a register.",
        .cost = {.operations = 7.0, .evaluation_bytes = 12.0, .point_bytes = 8.0},
    },
    {
        .id = "scatter-threads",
        .title = "Scatter to all points",
        .source = "direct/05-scatter-threads.c",
        .lesson = "Each thread takes some atoms and adds them to every point: threads meet at the same "
                  "points, so every addition is an atomic one, and more threads help little.",
        .cost = {.operations = 7.0, .evaluation_bytes = 8.0, .point_bytes = 4.0, .atom_bytes = 16.0},
    },
    {
        .id = "gather-threads",
        .title = "Gather from all atoms",
        .source = "direct/06-gather-threads.c",
        .lesson = "Each thread sums all atoms at points of its own: no two threads write to the same point, "
                  "so no addition is atomic, but each evaluation computes a whole distance again.",
        .cost = {.operations = 12.0, .evaluation_bytes = 16.0, .point_bytes = 8.0},
    },
    {
        .id = "gather-fission",
        .title = "Gather by loop fission",
        .source = "direct/07-gather-fission.c",
        .lesson = "The statement between the loops over rows and points, y, moves into a loop of its own "
                  "that fills an array: the two remaining loops are directly nested, as threads need them.",
        .cost = {.operations = 12.0, .evaluation_bytes = 16.0, .point_bytes = 12.0},
    },
    {
        .id = "unrolled",
        .title = "Eight points at once",
        .source = "direct/08-unrolled.c",
        .lesson = "Eight neighbours in a row keep their sums in registers while all atoms pass: the map is "
                  "written once, and each atom that is read serves eight evaluations.",
        .cost = {.operations = 7.0 + 5.0 / 8.0, .evaluation_bytes = 16.0 / 8.0, .point_bytes = 8.0},
    },
    {
        .id = "blocked",
        .title = "Blocked for the cache",
        .source = "direct/09-blocked.c",
        .lesson = "A tile of 512 atoms stays in the first-level cache while a whole row of points passes, "
                  "and its dy² + dz² are computed once for the row.",
        .cost = {.operations = 7.0, .evaluation_bytes = 8.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "simd",
        .title = "Vectors",
        .source = "direct/10-simd.c",
        .has_vectors = true,
        .lesson = "The points of a strip become the lanes of vectors: one instruction does 4, 8 or 16 "
                  "evaluations, and only the square root and the division take time.",
        .cost = {.operations = 7.0, .evaluation_bytes = 8.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "threads",
        .title = "All threads",
        .source = "direct/11-threads.c",
        .has_vectors = true,
        .lesson = "All CPU cores share the rows of the map; no two threads write the same row, so no locks "
                  "are needed.",
        .cost = {.operations = 7.0, .evaluation_bytes = 8.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "ours",
        .title = "Debye's own",
        .lesson = "The processor's estimate of 1/√ and one Newton step replace square root and division, "
                  "and four rows share each difference in x, which leaves 5¼ operations.",
        .cost = {.operations = 5.0 + 1.0 / 4.0, .evaluation_bytes = 8.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "histogram-sequential",
        .title = "Histogram on one thread",
        .source = "histogram/01-sequential.c",
        .lesson = "Two plain loops over all pairs: nearest image, root, bin, plus one. Every other version "
                  "must give the same counts, bin by bin.",
        .kind = DEBYE_LADDER_COUNT,
        .cost = {.operations = 23.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "histogram-race",
        .title = "Histogram without atomics",
        .source = "histogram/02-race.c",
        .lesson = "All threads read, increment and write the same bins. Counts that another thread adds "
                  "between the read and the write are lost: a different number each time, and few if threads "
                  "seldom meet in a bin.",
        .kind = DEBYE_LADDER_COUNT,
        .is_race = true,
        .loses_counts = true,
        .cost = {.operations = 23.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "histogram-atomic",
        .title = "Histogram with atomics",
        .source = "histogram/03-atomic.c",
        .lesson = "Each addition to a bin is one indivisible step: the counts are right, and threads that "
                  "want the same bin wait for each other.",
        .kind = DEBYE_LADDER_COUNT,
        .cost = {.operations = 23.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "histogram-private",
        .title = "Private histograms",
        .source = "histogram/04-private.c",
        .lesson = "Each thread counts into its own histogram and adds it to the common one when it ends: "
                  "threads meet once per bin instead of once per pair.",
        .kind = DEBYE_LADDER_COUNT,
        .cost = {.operations = 23.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "histogram-tiles",
        .title = "Histogram in tiles",
        .source = "histogram/05-tiles.c",
        .has_vectors = true,
        .lesson = "One loop computes the bins of 256 atoms, and the compiler vectorises it. A second loop "
                  "counts, which vectors can't do; it has no branch to predict.",
        .kind = DEBYE_LADDER_COUNT,
        .cost = {.operations = 23.0, .evaluation_bytes = 12.0 + 8.0 + 16.0},
    },
    {
        .id = "histogram-float",
        .title = "Histogram in floats",
        .source = "histogram/06-float.c",
        .lesson = "A float has 24 binary digits: 16,777,216 + 1 is 16,777,216 again, so a bin that has "
                  "reached this value stops counting, without any warning.",
        .kind = DEBYE_LADDER_COUNT,
        .loses_counts = true,
        .cost = {.operations = 23.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "histogram-ours",
        .title = "Debye's own histogram",
        .lesson = "Tiles of nearby atoms skip pairs out of range, use one image for all their pairs and "
                  "count in integers. Only pairs at the very edge of a bin are decided in double precision.",
        .kind = DEBYE_LADDER_COUNT,
        .cost = {.operations = 10.0, .evaluation_bytes = 16.0},
    },
    {
        .id = "cutoff-all",
        .title = "All atoms within a cutoff",
        .source = "cutoff/01-all-atoms.c",
        .lesson =
            "Each point tests all atoms and adds those within the cutoff, where 1/d is smoothed to 0: for a "
            "large molecule most tests are wasted, and twice the volume takes four times as long.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 16.0, .evaluation_bytes = 16.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-cube",
        .title = "A cube of bins",
        .source = "cutoff/02-cube.c",
        .lesson = "Atoms wait in bins with eight slots, and a region of 8 × 8 × 8 points looks only at the "
                  "cube of bins within reach; atoms without a slot are added at the end: the time now grows "
                  "with the volume.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 16.0, .evaluation_bytes = 16.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-sphere",
        .title = "The sphere instead of the cube",
        .source = "cutoff/03-sphere.c",
        .lesson = "A list names the bins that have a point within the cutoff; it is made once for all "
                  "regions and leaves out the corners of the cube: 311 bins instead of 343 at 12 Å.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 16.0, .evaluation_bytes = 16.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-cylinder",
        .title = "The cylinder test",
        .source = "cutoff/04-cylinder.c",
        .lesson = "Eight points of a column in y share dx² + dz²; if this is beyond the cutoff, the atom "
                  "lies outside the cylinder round the column, and one test replaces eight.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 8.0, .evaluation_bytes = 16.0 / 8.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-dummy",
        .title = "Up to the first dummy",
        .source = "cutoff/05-dummy.c",
        .lesson = "Slots are filled from the front, so that the loop over a bin can end at its first empty "
                  "one: about a third of the slots need no test.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 8.0, .evaluation_bytes = 16.0 / 8.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-vectors",
        .title = "Vectors within a cutoff",
        .source = "cutoff/06-vectors.c",
        .has_vectors = true,
        .lesson = "Eight points of a row become the lanes of a vector, and evaluations beyond the cutoff are "
                  "multiplied by 0 instead of skipped: more work, but eight evaluations at once.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 8.0, .evaluation_bytes = 16.0 / 8.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-threads",
        .title = "All threads within a cutoff",
        .source = "cutoff/07-threads.c",
        .has_vectors = true,
        .lesson = "Each thread takes some of the regions: no two write the same points, so that no locks are "
                  "needed.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 8.0, .evaluation_bytes = 16.0 / 8.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-compensated",
        .title = "Compensated sums",
        .source = "cutoff/08-compensated.c",
        .has_vectors = true,
        .lesson =
            "The rounding error of each addition is kept and added to the next one (Kahan): three operations "
            "more for sums as accurate as in double precision; the lecture found some 10 % of the time.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 14.0 + 5.0 / 8.0, .evaluation_bytes = 16.0 / 8.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-double",
        .title = "Sums in double",
        .source = "cutoff/09-double.c",
        .has_vectors = true,
        .lesson = "Terms stay in single precision and only their sum is double: the remaining error comes "
                  "from the terms and from coordinates in single precision.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 8.0, .evaluation_bytes = 16.0 / 8.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-chains",
        .title = "Chained bins",
        .source = "cutoff/10-chains.c",
        .has_vectors = true,
        .lesson = "Each bin names its first atom and each atom the next one of its bin: nothing overflows "
                  "however dense the atoms are, but each read waits for the one before.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0 + 5.0 / 8.0, .evaluation_bytes = 20.0 / 8.0, .point_bytes = 4.0},
    },
    {
        .id = "cutoff-ours",
        .title = "Debye's own cutoff",
        .lesson = "Bins are runs of one sorted array, so that none overflows, and whole rows of bins are "
                  "searched at once; the estimate of 1/√ with one Newton step replaces root and division.",
        .kind = DEBYE_LADDER_CUTOFF,
        .cost = {.operations = 11.0, .evaluation_bytes = 16.0 / 512.0, .point_bytes = 4.0},
    },
    {
        .id = "scattering-sequential",
        .title = "Scattering, one after the other",
        .source = "scattering/01-sequential.c",
        .lesson =
            "Each atom in turn: a(t) = exp(i q·r(t)) is stored for all vectors and correlated as in the "
            "definition, with a sum over all pairs of frames: twice the frames take four times as long.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "scattering-transform",
        .title = "Correlation by transforms",
        .source = "scattering/02-transform.c",
        .lesson = "Each series is padded with zeros to twice its length, transformed, multiplied with its "
                  "conjugate and transformed back, with a new plan for each atom: the time grows as "
                  "NF log NF instead of NF².",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 124.0},
    },
    {
        .id = "scattering-plans-once",
        .title = "Plans and buffers made once",
        .source = "scattering/03-plans-once.c",
        .lesson = "All series have the same length, so that one plan and one buffer serve all of them: "
                  "planning and allocation happen only once.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 124.0},
    },
    {
        .id = "scattering-atomic",
        .title = "Blocks of atoms, atomic sums",
        .source = "scattering/04-atomic.c",
        .has_vectors = true,
        .lesson = "The series of 32 atoms wait in one buffer, which all threads fill and one call "
                  "transforms; threads that add series of one vector meet at the same sums, so every "
                  "addition is an atomic one.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 124.0},
    },
    {
        .id = "scattering-partial",
        .title = "Partial reduction",
        .source = "scattering/05-partial.c",
        .has_vectors = true,
        .lesson = "Each thread takes some vectors and sums them over the atoms of a block before it adds "
                  "them to the common sums, where no other thread writes: no addition has to be atomic.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 124.0},
    },
    {
        .id = "scattering-all",
        .title = "All instead of self",
        .source = "scattering/06-all.c",
        .has_vectors = true,
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
        .source = "scattering/07-square.c",
        .has_vectors = true,
        .lesson = "f(t) = Σ a(t)* a(t) needs no other frame, and so no transform: only computing the phases "
                  "and storing them takes time.",
        .kind = DEBYE_LADDER_SCATTERING,
        .signal = DEBYE_LADDER_SQUARE,
        .cost = {.operations = 7.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "scattering-plain",
        .title = "Plain amplitudes",
        .source = "scattering/08-plain.c",
        .has_vectors = true,
        .lesson = "f(t) = Σ a(t) is the amplitude itself over time, from which any other signal can be "
                  "computed afterwards.",
        .kind = DEBYE_LADDER_SCATTERING,
        .signal = DEBYE_LADDER_PLAIN,
        .cost = {.operations = 7.0, .evaluation_bytes = 28.0},
    },
    {
        .id = "scattering-ours",
        .title = "Debye's own self scattering",
        .lesson = "Power spectra are summed over atoms before the one transform back of each vector, which "
                  "is allowed because sum and transform commute; sine and cosine are polynomials in the "
                  "lanes of vectors.",
        .kind = DEBYE_LADDER_SCATTERING,
        .cost = {.operations = 7.0, .evaluation_bytes = 12.0},
    },
    {
        .id = "orbital-plain",
        .title = "Each Gaussian at each point",
        .source = "orbital/01-plain.c",
        .lesson = "Each point sums all Gaussians of all atoms, as in the formula, each with an exponential "
                  "of its own: most of the time goes into exponentials, and most of these are 0.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 4.0 + 48.0 / 15.0, .evaluation_bytes = 8.0 + 172.0 / 15.0},
    },
    {
        .id = "orbital-separable",
        .title = "Factors of one coordinate",
        .source = "orbital/02-separable.c",
        .lesson = "exp(−αr²) is exp(−αx²) times exp(−α(y² + z²)): the first is the same in all rows and the "
                  "second in all of a row, so that an exponential serves a whole row and a multiply-add is "
                  "left for each point.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 2.0 + 48.0 / 15.0, .evaluation_bytes = 8.0 * 6.0 / 15.0},
    },
    {
        .id = "orbital-screened",
        .title = "Only where it reaches",
        .source = "orbital/03-screened.c",
        .lesson = "Beyond its reach a Gaussian adds less than 10⁻⁸: rows out of reach are skipped, and so "
                  "are the points at both ends of the others. The functions near a nucleus reach 1 to 2 "
                  "bohr, only the widest far.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 2.0 + 48.0 / 15.0, .evaluation_bytes = 8.0 * 6.0 / 15.0},
    },
    {
        .id = "orbital-vectors",
        .title = "Strips of points",
        .source = "orbital/04-vectors.c",
        .has_vectors = true,
        .lesson = "The terms that a row shares turn the polynomial into one in x alone: without a branch in "
                  "the loop the points of a strip become the lanes of vectors.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 2.0 + 48.0 / 15.0, .evaluation_bytes = 8.0 * 6.0 / 15.0},
    },
    {
        .id = "orbital-threads",
        .title = "All threads for an orbital",
        .source = "orbital/05-threads.c",
        .has_vectors = true,
        .lesson =
            "Each thread takes some of the rows and computes its own factors in x: no locks are needed.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 2.0 + 48.0 / 15.0, .evaluation_bytes = 8.0 * 6.0 / 15.0},
    },
    {
        .id = "orbital-ours",
        .title = "Debye's own orbital",
        .has_vectors = true,
        .lesson = "Gaussians of one exponent at an atom are one polynomial, whatever shells they come from; "
                  "tiles of points skip all that doesn't reach them, and the factors of a tile stay in the "
                  "first-level cache.",
        .kind = DEBYE_LADDER_ORBITAL,
        .cost = {.operations = 2.0 + 48.0 / 15.0, .evaluation_bytes = 8.0 / 15.0},
    },
    {
        .id = "ligand-plain",
        .title = "Every atom for every sample",
        .source = "ligand/01-plain.c",
        .lesson =
            "Each of a voxel's 27 samples of exp(−E/kT) tests all atoms and sums those within 10 Å: nearly "
            "all tests are wasted, and nearly all energies are so high that their sample adds nothing.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0},
    },
    {
        .id = "ligand-bins",
        .title = "Atoms in bins for a ligand",
        .source = "ligand/02-bins.c",
        .lesson = "Atoms are sorted into bins of half the cutoff, so that five bins along x are one run of "
                  "atoms: a sample tests 125 bins, and the time no longer grows with the molecule.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0},
    },
    {
        .id = "ligand-rejection",
        .title = "The nearest reject",
        .source = "ligand/03-rejection.c",
        .lesson =
            "An atom so near that its pair alone is above 120 kT ends the sample, as no attraction of the "
            "others makes up for it: the nearest bins come first, and in dense matter few samples are ever "
            "summed.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0},
    },
    {
        .id = "ligand-threads",
        .title = "All threads for a ligand",
        .source = "ligand/04-threads.c",
        .lesson = "Rows of voxels cost very different times, so that threads take them in turn: a row within "
                  "matter is done at once, a row in a hole sums all atoms.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0},
    },
    {
        .id = "ligand-ours",
        .title = "Debye's own ligand sampling",
        .lesson =
            "Tiles of 4 × 4 × 4 voxels collect the atoms that can reach them once, near ones that can reject "
            "before all others, and vectors sum what is left.",
        .kind = DEBYE_LADDER_LIGAND,
        .cost = {.operations = 17.0, .evaluation_bytes = 24.0 / 64.0},
    },
    {
        .id = "density-sequential",
        .title = "Atoms into voxels",
        .source = "density/01-sequential.c",
        .lesson =
            "Each atom of each frame adds 1 to the voxel that it is in: six operations, 12 bytes of an atom, "
            "and a voxel somewhere in memory that is read and written. Memory decides, not arithmetic.",
        .kind = DEBYE_LADDER_DENSITY,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-float",
        .title = "Voxels in single precision",
        .source = "density/02-float.c",
        .lesson = "In single precision an atom so near to a face that rounding moves it across is counted "
                  "next door: a few in a million, and others on another device, so that counts can no longer "
                  "be compared exactly.",
        .kind = DEBYE_LADDER_DENSITY,
        .is_rounded = true,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-vectors",
        .title = "Voxels by vectors",
        .source = "density/03-vectors.c",
        .has_vectors = true,
        .lesson = "A loop of its own finds the voxels of 256 atoms without a branch, several at a time; "
                  "adding stays one after the other, as lanes may want the same voxel.",
        .kind = DEBYE_LADDER_DENSITY,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-atomic",
        .title = "One grid, atomic additions",
        .source = "density/04-atomic.c",
        .lesson = "Threads take frames in turn and add to one grid, each addition one indivisible step. They "
                  "seldom want the same voxel, but a cache line moves from core to core.",
        .kind = DEBYE_LADDER_DENSITY,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-private",
        .title = "A grid for each thread",
        .source = "density/05-private.c",
        .lesson =
            "Each thread counts into a grid of its own, and these are added up at the end: nothing is "
            "atomic, but memory and the sum grow with the threads, and grids no longer fit into the caches.",
        .kind = DEBYE_LADDER_DENSITY,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-slabs",
        .title = "A slab for each thread",
        .source = "density/06-slabs.c",
        .lesson = "Each thread owns some planes of the map and looks at all atoms for them: one grid, "
                  "nothing atomic, but every atom is read by every thread.",
        .kind = DEBYE_LADDER_DENSITY,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-stamps",
        .title = "The last frame of each voxel",
        .source = "density/07-stamps.c",
        .lesson = "Occupancy asks in how many frames there is an atom. Each voxel remembers the last frame "
                  "that it was counted in, so that frames must come one after the other.",
        .kind = DEBYE_LADDER_DENSITY,
        .is_occupancy = true,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 16.0},
    },
    {
        .id = "density-bits",
        .title = "Occupancy bits",
        .source = "density/08-bits.c",
        .lesson = "A word per voxel has a bit for each of 32 frames. Setting a bit twice changes nothing, so "
                  "that threads take frames in any order; then the bits are counted, 32 frames at once.",
        .kind = DEBYE_LADDER_DENSITY,
        .is_occupancy = true,
        .cost = {.operations = 6.0, .evaluation_bytes = 12.0 + 8.0},
    },
    {
        .id = "density-ours",
        .title = "Debye's own density",
        .lesson =
            "Occupancy bits on all threads, in a grid that may be turned, follow a reference and repeat with "
            "the cell: a voxel is decided by fused operations in double, alike on all devices.",
        .kind = DEBYE_LADDER_DENSITY,
        .is_occupancy = true,
        .cost = {.operations = 21.0, .evaluation_bytes = 12.0 + 8.0},
    },
};
