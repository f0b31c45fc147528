#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pair distributions side by side: debye-cli, gmx rdf, MDAnalysis and mdtraj on the same file, with the same bins and
one thread. Prints the processor time of each (reading the file included, starting Python not), ratios, and how far the
curves are apart. By hand: DEBYE_SHARED names the folder with the reference data; run it with a Python that has
MDAnalysis and mdtraj.

    DEBYE_SHARED=... python compare_pairs.py path/to/debye-cli [REPEAT]
"""
import csv
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

DATA = pathlib.Path(os.environ['DEBYE_SHARED']) / 'reference/w3k'
TRAJECTORY, TOPOLOGY, RUN = DATA / 'w3k_nojump.xtc', DATA / 'w3k.psf', DATA / 'w3k.tpr'
# Name, selection of Debye, of gmx and MDAnalysis, of mdtraj; one kind of atoms with itself.
GROUPS = (('O–O', 'name OW', 'name OW', 'name O'), ('H–H', 'element H', 'name HW1 HW2', 'element H'))
RANGES = (15.0, 12.0)  # Å: half of the cell, and less
WIDTH = 0.1
ENVIRONMENT = dict(os.environ, OMP_NUM_THREADS='1', OPENBLAS_NUM_THREADS='1')


def measure_program(command, text=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in command], check=True, env=ENVIRONMENT, input=text, text=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run_debye(program, group, reach, folder, width=WIDTH, norm='pairs'):
    output = folder / 'debye.csv'
    seconds = measure_program([program, 'rdf', '--pair', group[1], group[1], '--max', reach, '--width', width, '--norm',
                               norm, '--images', 'nearest', '--threads', 1, '--quiet', '-o', output, TOPOLOGY, TRAJECTORY])
    with open(output, encoding='utf-8') as lines:
        return seconds, [float(row['g']) for row in csv.DictReader(line for line in lines if line[0] != '#')]


def run_gmx(group, reach, folder):
    output = folder / 'gmx.xvg'
    output.unlink(missing_ok=True)
    seconds = measure_program(['gmx', '-nobackup', 'rdf', '-f', TRAJECTORY, '-s', RUN, '-ref', group[2], '-sel', group[2],
                               '-bin', WIDTH / 10, '-rmax', reach / 10, '-o', output])
    rows = [line.split() for line in output.read_text(encoding='utf-8').splitlines() if line[:1] not in '#@']
    return seconds, [float(row[1]) for row in rows]


def run_mdanalysis(group, reach, _folder):
    import MDAnalysis
    from MDAnalysis.analysis.rdf import InterRDF
    begin = time.process_time()
    universe = MDAnalysis.Universe(str(TOPOLOGY), str(TRAJECTORY))
    atoms = universe.select_atoms(group[2])
    # A block of 1 leaves out the pairs of an atom with itself.
    told = InterRDF(atoms, atoms, nbins=round(reach / WIDTH), range=(0.0, reach), exclusion_block=(1, 1)).run()
    return time.process_time() - begin, list(told.results.rdf)


def run_mdtraj(group, reach, _folder):
    import mdtraj
    import numpy
    begin = time.process_time()
    topology = mdtraj.load_topology(str(DATA / 'w3k.pdb'))
    pairs = topology.select_pairs(group[3], group[3])
    curve, n_frames = 0.0, 0
    for part in mdtraj.iterload(str(TRAJECTORY), top=topology, chunk=50):  # all at once would fill the memory
        _, g = mdtraj.compute_rdf(part, pairs, r_range=(0.0, reach / 10), n_bins=round(reach / WIDTH))
        curve, n_frames = curve + g * part.n_frames, n_frames + part.n_frames
    return time.process_time() - begin, list(numpy.asarray(curve) / n_frames)


def centre(fine):
    """gmx centres its bins on multiples of their width: two of half the width make one, weighed by their volumes."""
    volume = [(k + 1) ** 3 - k ** 3 for k in range(len(fine))]
    return [(fine[k] * volume[k] + fine[k + 1] * volume[k + 1]) / (volume[k] + volume[k + 1])
            for k in range(1, len(fine) - 1, 2)]


def compare(program, repeat):
    folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-compare-'))
    print('| pairs | up to | debye-cli | mdtraj | gmx rdf | MDAnalysis | g differs by at most |')
    print('|---|---|---|---|---|---|---|')
    for group in GROUPS:
        for reach in RANGES:
            runs = {'debye': lambda: run_debye(program, group, reach, folder),
                    'mdtraj': lambda: run_mdtraj(group, reach, folder),
                    'gmx': lambda: run_gmx(group, reach, folder),
                    'mdanalysis': lambda: run_mdanalysis(group, reach, folder)}
            seconds, curves = {name: [] for name in runs}, {}
            for _ in range(repeat):
                for name, run in runs.items():
                    spent, curves[name] = run()
                    seconds[name].append(spent)
            own = statistics.median(seconds['debye'])
            cells = [f'{statistics.median(seconds[name]):.2f} s ({statistics.median(seconds[name]) / own:.1f} ×)'
                     for name in ('mdtraj', 'gmx', 'mdanalysis')]
            apart = [max(abs(a - b) for a, b in zip(curves['debye'], curves[name])) for name in ('mdtraj', 'mdanalysis')]
            _, fine = run_debye(program, group, reach, folder, WIDTH / 2, 'density')
            # gmx' bin at 0 has no half before it.
            gmx = max(abs(a - b) for a, b in zip(centre(fine), curves['gmx'][1:]))
            print(f'| {group[0]} | {reach:g} Å | {own:.2f} s | ' + ' | '.join(cells) +
                  f' | mdtraj {apart[0]:.0e}, gmx {gmx:.0e}, MDAnalysis {apart[1]:.0e} |', flush=True)


if __name__ == '__main__':
    compare(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3)
