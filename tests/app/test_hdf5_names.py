#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a result in HDF5 is called inside: scripts read it by these names, and viewers plot it without being told how."""
import hashlib
import math
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cli_case import CliCase  # noqa: E402
import started_once  # noqa: E402
from test_scattering_jobs import write_gro  # noqa: E402


class Hdf5Names(CliCase):
    def compute(self, *arguments):
        done = self.run_cli(*arguments, '-o', 'a.h5', '--quiet')
        self.assertEqual(done.returncode, 0, done.stderr)

    def dump(self, *arguments):
        done = started_once.run('h5dump', [*arguments, 'a.h5'], folder=self.folder)
        self.assertEqual(done.returncode, 0, (arguments, done.stderr))
        return done.stdout

    def numbers(self, name):
        text = self.dump('-y', '-w', '0', '-m', '%.17g', '-d', '/entry/' + name)
        body = text[text.index('DATA {') + 6:text.index('}', text.index('DATA {'))]
        return [float(number) for number in re.findall(r'-?\d[-+.\de]*|-?nan', body)]

    def words(self, name):
        text = self.dump('-a', '/entry/' + name)
        return [self.decode(word) for word in re.findall(r'"((?:[^"\\]|\\.)*)"', text[text.index('DATA {'):])]

    @staticmethod
    def decode(word):
        """h5dump writes bytes beyond ASCII as octal numbers of four bytes, and the zeros that fill a word."""
        octal = re.sub(rb'\\(\d{11}|\d{3})', lambda found: bytes([int(found.group(1), 8) & 0xff]), word.encode())
        return octal.rstrip(b'\0').decode()

    def unit(self, name):
        return self.words(name + '/units')[0]

    def names(self, group):
        text = self.dump('-n')
        return {line.split()[1][len(f'/entry/{group}/'):] for line in text.splitlines()
                if line.strip().startswith('dataset') and f' /entry/{group}/' in line} - {'title'}

    def expect_plot(self, group, signal, axes):
        self.assertEqual(self.words(group + '/NX_class'), ['NXdata'], group)
        self.assertEqual(self.words(group + '/signal'), [signal], group)
        self.assertEqual(self.words(group + '/axes'), axes, group)
        self.assertEqual(self.unit(group), self.unit(f'{group}/{signal}'))


class Groups(Hdf5Names):
    def test_greek_letters_are_words(self):
        """A curve at τ = 1 ps is found as such, and no name has gaps or begins with one."""
        write_gro(self.folder / 'walk.gro')
        self.compute('scattering', '--kind', 'incoherent', '--dynamic', '--orientation', 'exact', '--q', '0.5:1.5:0.5', 'walk.gro')
        groups = {line.split()[1][len('/entry/'):] for line in self.dump('-n').splitlines()
                  if line.strip().startswith('group') and ' /entry/' in line}
        self.assertTrue(any(group.startswith('tau_') for group in groups), groups)
        for group in groups:
            self.assertFalse(group.startswith('_') or group.endswith('_') or '__' in group, group)


class Intensity(Hdf5Names):
    def test_an_intensity_is_called_so_and_i(self):
        self.compute('scattering', '--q', '1,2,3', '--partials', '--blocks', '2', 'run.xyz')
        self.expect_plot('data', 'I', ['q'])
        self.assertEqual(self.names('data'), {'q', 'I', 'I_errors', 'intensity', 'intensity_errors'})
        self.assertEqual(self.numbers('data/I'), self.numbers('data/intensity'))
        self.assertEqual(self.numbers('data/I_errors'), self.numbers('intensity/intensity_error'))
        self.assertEqual(self.unit('data/I'), 'fm²')
        self.assertEqual(self.numbers('weights/b'), self.numbers('weights/b_coherent'))

    def test_partials_add_up_to_it(self):
        self.compute('scattering', '--q', '1,2,3', '--partials', 'run.xyz')
        pairs = {'H_H', 'H_C', 'H_N', 'H_O', 'C_C', 'C_N', 'C_O', 'N_N', 'N_O', 'O_O'}
        self.assertEqual(self.names('partials'), pairs | {'q'})
        self.expect_plot('partials', 'H_H', ['q'])
        self.assertEqual({'H_H', *self.words('partials/auxiliary_signals')}, pairs)
        sums = [sum(values) for values in zip(*(self.numbers('partials/' + pair) for pair in pairs))]
        for one, other in zip(sums, self.numbers('data/I')):
            self.assertAlmostEqual(one, other, delta=1e-9 * abs(other))

    def test_names_that_become_the_same(self):
        """Blanks become underscores: each pair keeps a data set of its own, with its own values."""
        self.compute('scattering', '--q', '1,2,3', '--partials', '--part', 'element O=a b', '--part', 'element N=a_b', '--select',
                     'element O N', 'run.xyz')
        pairs = ['a_b_a_b', 'a_b_a_b_2', 'a_b_a_b_3']
        self.assertEqual(self.names('partials'), {'q', *pairs})
        self.assertEqual(self.words('partials/auxiliary_signals'), pairs[1:])
        sums = [sum(values) for values in zip(*(self.numbers('partials/' + pair) for pair in pairs))]
        for one, other in zip(sums, self.numbers('data/I')):
            self.assertAlmostEqual(one, other, delta=1e-9 * abs(other))

    def test_errors_that_are_not_known_stand_there(self):
        self.compute('scattering', '--q', '1,2,3', '--frames', '0', 'run.xyz')
        self.assertTrue(all(math.isnan(number) for number in self.numbers('data/I_errors')))
        again = self.run_cli('info', 'a.h5')
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertNotIn('not understood', again.stdout)


class Time(Hdf5Names):
    def setUp(self):
        super().setUp()
        write_gro(self.folder / 'walk.gro')

    def test_means_have_groups_and_units(self):
        self.compute('scattering', '--q', '1,2,3', '--dynamic', '--partials', '--normalise', 'raw', '--orientation',
                     'sphere:10', 'walk.gro')
        for name, column, unit in (('fq0', 'fq0_re', 'fm²'), ('fq', 'fq_re', 'fm²'), ('fq2', 'fq2', 'fm⁴')):
            self.expect_plot(name, name, ['q'])
            self.assertEqual(self.unit(name), unit)
            self.assertEqual(self.numbers(f'{name}/{name}'), self.numbers('rows/' + column))
        self.assertEqual(self.words('fq/auxiliary_signals'), ['fq_imaginary'])
        self.expect_plot('rows', 'fq0_re', ['q'])
        self.expect_plot('course', 'F_re', ['tau'])
        self.expect_plot('fqt', 'fqt', ['q', 'tau'])
        self.assertEqual(self.words('partials/axes'), ['q', 'tau'])
        n_values = len(self.numbers('fqt/fqt'))
        for pair in self.names('partials') - {'q', 'tau'}:
            self.assertEqual(len(self.numbers('partials/' + pair)), n_values)

    def test_rows_of_vectors(self):
        (self.folder / 'q.txt').write_text('1 0 0\n0 2 0\n0 0 3\n', encoding='ascii')
        self.compute('scattering', '--q-vectors', 'q.txt', '--normalise', 'raw', 'walk.gro')
        self.expect_plot('rows', 'fq0_re', ['.'])
        self.expect_plot('course', 'F_re', ['tau'])
        self.expect_plot('fq2', 'fq2', ['q'])
        self.assertEqual(self.numbers('fq2/q'), [1.0, 2.0, 3.0])
        self.assertEqual(self.numbers('fq2/qy'), [0.0, 2.0, 0.0])

    def test_amplitudes_have_the_unit_of_a_length(self):
        (self.folder / 'q.txt').write_text('1 0 0\n', encoding='ascii')
        for signal, unit, square in (('plain', 'fm', 'fm²'), ('square', 'fm²', 'fm⁴')):
            self.compute('scattering', '--q-vectors', 'q.txt', '--normalise', 'raw', '--signal', signal, 'walk.gro')
            self.assertEqual((self.unit('fqt'), self.unit('fq'), self.unit('fq2')), (unit, unit, square))
            self.assertEqual(self.words('fqt/axes'), ['q', 'tau'])

    def test_a_spectrum_plots_itself(self):
        self.compute('scattering', '--q', '1,2', '--kind', 'incoherent', '--spectrum', 'walk.gro')
        self.expect_plot('spectrum', 'S', ['q', 'omega'])
        self.expect_plot('spectrum_2', 'S', ['omega'])


class Pairs(Hdf5Names):
    def test_one_pair(self):
        self.compute('rdf', '--pair', 'element H', 'element O', '--max', '4', '--width', '0.5', '--density', '0.1', 'run.xyz')
        self.expect_plot('data', 'g', ['r'])
        self.expect_plot('coordination', 'coordination', ['r'])
        self.assertEqual(self.numbers('coordination/coordination'), self.numbers('counts/coordination'))
        self.expect_plot('counts', 'g', ['r_low'])

    def test_all_pairs(self):
        self.compute('rdf', '--partials', '--select', 'element O H', '--max', '4', '--width', '0.5', '--density', '0.1',
                     'run.xyz')
        for group, column in (('partials', 'g'), ('coordination', 'coordination')):
            self.assertEqual(self.names(group), {'r', 'H_H', 'H_O', 'O_O'})
            for pair in ('H_H', 'H_O', 'O_O'):
                self.assertEqual(self.numbers(f'{group}/{pair}'), self.numbers(f'counts/{pair}_{column}'))

    def test_without_g_the_table_plots_counts(self):
        self.compute('rdf', '--pair', 'element H', 'element O', '--max', '4', 'run.xyz')
        self.expect_plot('counts', 'count', ['r_low'])


class Request(Hdf5Names):
    """Every setting is there, also those that the data decided."""
    def values(self):
        keys = re.findall(r'attribute\s+/entry/request/(\S+)', self.dump('-n', '1'))
        return {key: self.words('request/' + key) for key in keys}

    def test_settings_of_the_cell(self):
        write_gro(self.folder / 'walk.gro')
        self.compute('scattering', '--kind', 'incoherent', '--dynamic', 'walk.gro')
        values = self.values()
        self.assertEqual(values['orientation'], ['exact'])
        self.assertEqual(values['unwrap'], ['true'])
        self.assertEqual(values['measured'], [''])
        self.assertEqual(float(values['lags'][0]), max(self.numbers('course/tau')))
        self.assertTrue({'orientation', 'unwrap', 'measured', 'lags'} <= set(values['unset_settings']))
        self.assertNotIn('kind', values['unset_settings'])
        self.assertEqual(self.run_cli('rerun', '--strict', 'a.h5').returncode, 0)

    def test_a_grid(self):
        self.compute('map', '--spacing', '2', 'molecule.pqr')
        values = self.values()
        self.assertEqual(len(values['origin'][0].split(',')), 3)
        self.assertEqual(values['shape'], [','.join(str(len(self.numbers('data/' + axis))) for axis in 'xyz')])
        self.assertEqual([float(number) for number in values['origin'][0].split(',')],
                         [self.numbers('data/' + axis)[0] for axis in 'xyz'])
        self.assertEqual(values['periodic'], ['none'])
        told = self.run_cli('rerun', 'a.h5', '-o', 'b.csv')
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn('at most 0', told.stdout)
        self.assertIn('# periodic: none\n', (self.folder / 'b.csv').read_text(encoding='utf-8'))

    def test_pairs_and_ions(self):
        self.compute('rdf', '--pair', 'element H', 'element O', '--max', '4', '--width', '0.5', 'run.xyz')
        self.assertEqual(self.values()['bins'], ['8'])
        self.compute('ions', '--spacing', '2', '--select', 'name CA C', 'molecule.pqr')
        self.assertRegex(self.values()['count'][0], '^[0-9]+,[0-9]+$')
        self.assertEqual(self.values()['neutralise'], ['true'])

    def test_files_of_settings_are_hashed(self):
        (self.folder / 'q.txt').write_text('1 0 0\n', encoding='ascii')
        self.compute('scattering', '--q-vectors', 'q.txt', 'run.xyz')
        text = self.dump('-d', '/entry/provenance/setting_files/sha256')
        self.assertIn(hashlib.sha256(b'1 0 0\n').hexdigest(), text)
        self.assertIn('"q-vectors"', self.dump('-d', '/entry/provenance/setting_files/setting'))
        self.assertNotIn('changed', self.run_cli('rerun', 'a.h5').stderr)
        (self.folder / 'q.txt').write_text('0 1 0\n', encoding='ascii')
        self.assertIn('q.txt: changed since', self.run_cli('rerun', 'a.h5').stderr)


class Ions(Hdf5Names):
    def test_their_table_plots_the_potential(self):
        self.compute('ions', '--count', '1,1', '--spacing', '2', 'molecule.pqr')
        self.expect_plot('ions', 'potential', ['index'])


if __name__ == '__main__':
    unittest.main()
