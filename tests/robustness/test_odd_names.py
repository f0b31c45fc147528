#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Names that people and systems really give: blanks, umlauts, newlines, bytes that are no UTF-8, paths near the limit;
locales where a comma is the dot and where I has no dot; time zones; names that repeat 200,000 times."""
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import cli

ODD = ('a b', ' leading', 'trailing ', 'ümläut ß', 'İıŞ', 'two\nlines', 'tab\tstop', '%s%n', "quote'\"s", '日本', 'x' * 200,
       os.fsdecode(b'latin-\xfc'), os.fsdecode(b'\xff\xfe'))
ATOMS = [('O', 'HOH', 1, 0.0, 0.0, 0.0, -0.8, 1.5), ('H1', 'HOH', 1, 0.957, 0.0, 0.0, 0.4, 1.0),
         ('H2', 'HOH', 1, -0.24, 0.927, 0.0, 0.4, 1.0)]
LOCALES = [{'LC_ALL': 'de_DE.UTF-8', 'LANG': 'de_DE.UTF-8'}, {'LC_ALL': 'tr_TR.UTF-8', 'LANG': 'tr_TR.UTF-8'},
           {'TZ': 'Pacific/Kiritimati'}, {'TZ': 'America/St_Johns'}, {'TZ': ':/nonexistent'}]


class OddNames(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-names-'))
        cli.write_pqr(self.folder / 'a.pqr', ATOMS)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def succeed(self, *arguments, folder=None, **changes):
        done = cli.run(*arguments, folder=folder or self.folder, env=cli.environment(**changes))
        self.assertEqual(done.returncode, 0, (arguments, done.stderr))
        return done.stdout

    def test_every_file_that_is_named(self):
        """Inputs, outputs, --config, --scene and --map."""
        for name in ODD:
            with self.subTest(name):
                where = self.folder / name
                where.mkdir()
                shutil.copy(self.folder / 'a.pqr', where / (name + '.pqr'))
                here = [f'{name}/{name}.{ending}' for ending in ('pqr', 'ini', 'h5', 'dx', 'png', 'svg', 'csv', 'xyz')]
                pqr, config, result, grid, png, svg, csv, xyz = here
                (self.folder / config).write_text('spacing = 1\n', encoding='ascii')
                self.succeed('map', '--config', config, '-o', result, '-o', grid, '--', pqr)
                self.succeed('rerun', '-o', csv, '--', result)
                self.succeed('export', '-o', xyz, '--', pqr)
                self.succeed('rdf', '--max', '3', '--pair', 'all', 'all', '-o', svg, '--', pqr)
                self.assertEqual(json.loads(self.succeed('info', '--json', '--', xyz))['atoms'], 3)
                (self.folder / config).write_text('[scene]\nstyle = spheres\n', encoding='ascii')
                self.succeed('render', '--size', '60x50', '--scene', config, '--map', grid, '-o', png, '--', pqr)
                self.assertEqual({path.name for path in where.iterdir()}, {os.path.basename(path) for path in here})

    def test_errors_are_one_line(self):
        for name in ODD:
            for arguments in (('info', '--', name), ('map', '--config', name, '-o', 'm.dx', 'a.pqr'),
                              ('map', '-o', name + '/m.dx', 'a.pqr'), ('field', '-o', 'm.dx', '--', name)):
                done = cli.run(*arguments, folder=self.folder)
                self.assertIn(done.returncode, (1, 2))
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_files_are_called_as_they_were_given(self):
        (self.folder / 'one').mkdir()
        (self.folder / 'one' / 'run.xyz').write_text('3\n\nO 1 2 x\nO 1 2 3\nO 4 5 6\n', encoding='ascii')
        for name, called in (('one/run.xyz', 'one/run.xyz'), (str(self.folder / 'one/run.xyz'), 'run.xyz')):
            done = cli.run('info', name, folder=self.folder)
            self.assertTrue(done.stderr.startswith(f'debye-cli: {called}: line 3: '), done.stderr)

    def test_paths_near_the_limit(self):
        """The last that the system takes, and the first that it doesn't."""
        deep = self.folder
        here = os.open('.', os.O_RDONLY)
        try:
            while len(str(deep)) < 3900:
                deep /= 'n' * 60
            os.makedirs(deep)
            for length, status in ((4095 - len('.debye-part0') - 2, 0), (4095, None), (4096, 1), (9000, 1)):
                name = str(deep) + '/' + 'm' * (length - len(str(deep)) - 4) + '.xyz'
                done = cli.run('export', '--quiet', '-o', name, 'a.pqr', folder=self.folder)
                self.assertIn(done.returncode, (0, 1) if status is None else (status,), done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), done.returncode, done.stderr)
                if done.returncode == 0:
                    self.assertEqual(json.loads(self.succeed('info', '--json', name))['atoms'], 3)
        finally:
            os.close(here)

    def test_locales_and_time_zones(self):
        """Everything that is written or said is the same, whatever the system speaks. (Where a locale is not there the
        C library falls back to C, and these are the same all the more.)"""
        def produce(**changes):
            self.succeed('map', '--spacing', '0.5', '-o', 'm.dx', '-o', 'm.csv', 'a.pqr', **changes)
            self.succeed('rdf', '--max', '2.5', '--pair', 'name O', 'NAME H1 or element H', '-o', 'r.csv', 'a.pqr', **changes)
            self.succeed('export', '-o', 'e.pdb', '--select', 'RESNAME HOH', 'a.pqr', **changes)
            texts = [(self.folder / name).read_text(encoding='utf-8') for name in ('m.dx', 'm.csv', 'r.csv', 'e.pdb')]
            texts.append(self.succeed('info', 'e.pdb', **changes))
            return [re.sub(r'(?m)^# (created|seconds|wall).*\n', '', text) for text in texts]
        plain = produce()
        for changes in LOCALES:
            with self.subTest(changes):
                self.assertEqual(produce(**changes), plain)

    def test_200000_residues_of_one_name(self):
        n = 200000
        lines = (f'{1:5d}SOL     OW{1:5d}{i % 97:8.3f}{i // 97 % 97:8.3f}{i // 9409:8.3f}\n' for i in range(n))
        (self.folder / 'many.gro').write_text(f'many\n{n}\n' + ''.join(lines) + '97.0 97.0 97.0\n', encoding='ascii')
        distinct = (f'{i % 99999 + 1:5d}SOL     OW{1:5d}   1.000   2.000   3.000\n' for i in range(n))
        (self.folder / 'residues.gro').write_text(f'many\n{n}\n' + ''.join(distinct) + '9.0 9.0 9.0\n', encoding='ascii')
        self.assertEqual(json.loads(self.succeed('info', '--json', 'many.gro'))['atoms'], n)
        told = json.loads(self.succeed('info', '--json', '--select', 'resname SOL and water', 'residues.gro'))
        self.assertEqual((told['atoms'], told['residues']), (n, n))


if __name__ == '__main__':
    unittest.main()
