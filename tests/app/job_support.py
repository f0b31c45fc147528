# SPDX-License-Identifier: MIT
"""What tests of jobs share that are killed, continued, or done by several processes: samples, and comparing result files."""
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import h5py
import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

SAMPLES = pathlib.Path(os.environ['DEBYE_SAMPLES_DIR'])

# An analysis over frames each, and each kind of what it sums: command, arguments.
JOBS = {
    'pairs': ('rdf', '--pair', 'name OW', 'name OW', '--pair', 'name OW', 'name H*', 'water.psf', 'water.xtc'),
    'pairs-moving': ('rdf', '--pair', 'name OW and within 5 of index 0', 'name OW', 'water.psf', 'water.xtc'),
    'mean': ('map', '--method', 'cutoff', '--cutoff', '8', '--spacing', '2', '--blocks', '6', 'salt.psf', 'salt.xtc'),
    'superposed': ('map', '--method', 'cutoff', '--cutoff', '8', '--spacing', '3', '--frames', '0:30',
                   'helix.psf', 'helix.xtc'),
    'least': ('map', '--method', 'cutoff', '--cutoff', '8', '--spacing', '2', '--statistic', 'min', 'salt.psf', 'salt.xtc'),
    'most': ('map', '--method', 'cutoff', '--cutoff', '8', '--spacing', '2', '--statistic', 'max', 'salt.psf', 'salt.xtc'),
    'density': ('density', '--select', 'name OW', '--about', 'resid 1', '--spacing', '1', 'water.psf', 'water.xtc'),
    'ligands': ('ligands', '--force-field', 'table', '--spacing', '3', '--subsamples', '2', 'water.psf', 'water.xtc'),
    'density-profile': ('density', '--weight', 'charge', '--about', 'resid 1 to 3', '--profile', 'proximal', 'water.psf', 'water.xtc'),
    'deviation': ('map', '--method', 'cutoff', '--cutoff', '8', '--spacing', '2', '--statistic', 'std', 'salt.psf',
                  'salt.xtc'),
    # Centres in passes of some that fit into memory.
    'displacements': ('msd', '--select', 'name OW', '--memory', '20k', 'water.psf', 'water.xtc'),
    'measures': ('measure', '--atoms', '0,3;0,3,6;0,3,6,9', 'water.psf', 'water.xtc'),
}

# Of one frame, whose planes are the parts: the same, and enough of them to be killed between two.
MAPS = {
    'frame': ('map', '--spacing', '0.6', 'protease.pqr'),
    'frame-double': ('map', '--precision', 'double', '--spacing', '1', 'protease.pqr'),
    'ions': ('ions', '--spacing', '0.6', '--count', '6,4', 'protease.pqr'),
    'orbitals': ('orbital', '--orbital', 'homo', '--orbital', 'lumo', '--density', '--potential', '--spacing', '0.2', 'water.molden'),
    'ions-periodic': ('ions', '--method', 'ewald', '--periodic', 'xyz', '--spacing', '1', '--count', '1,1', '--frame', '5',
                      '--select', 'resid 1 to 100', 'water.psf', 'water.xtc'),
}


def with_threads(job, n):
    """The words of a job on so many threads, where it has them to choose."""
    return (job[0], '--quiet', *(() if job[0] == 'measure' else ('--threads', str(n))))


def read(path):
    """Every array of numbers but those of how it was computed."""
    arrays = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind in 'fiu' and '/provenance/' not in name:
            arrays[name] = item[()]

    with h5py.File(path, 'r') as file:
        file.visititems(visit)
    return arrays


def read_notes(path):
    with h5py.File(path, 'r') as file:
        return [note.decode('utf-8') for note in file['entry/provenance/notes'][()]]


class JobTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-job-'))
        self.addCleanup(shutil.rmtree, self.folder)
        for sample in SAMPLES.glob('*.*'):
            if sample.suffix in ('.psf', '.xtc', '.pqr', '.molden'):
                (self.folder / sample.name).symlink_to(sample)

    def compute(self, job, *options):
        done = cli.run(*with_threads(job, 2), *options, *job[1:], folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def check_same(self, name, other, tolerance=0.0):
        found, expected = read(self.folder / name), read(self.folder / other)
        self.assertEqual(found.keys(), expected.keys())
        for key, values in expected.items():
            if tolerance == 0.0:
                numpy.testing.assert_array_equal(found[key], values, key)
            else:
                largest = numpy.nanmax(abs(values), initial=0.0)
                numpy.testing.assert_allclose(found[key], values, rtol=0.0, atol=tolerance * largest, err_msg=key)
