#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The line itself: commands, options, settings files, exit status, locales."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase, MOLECULE  # noqa: E402


class Line(CliCase):
    def test_no_command_and_unknown_command(self):
        self.assertEqual(self.run_cli().returncode, 2)
        self.assertIn('there is no command “mapp”', self.expect_usage('mapp'))

    def test_unknown_option_names_the_nearest(self):
        self.assertIn('did you mean --spacing?', self.expect_usage('map', '--spacng', '1', self.pqr))

    def test_the_beginning_of_one_name_stands_for_it(self):
        done = self.run_cli('rdf', '--pai', 'element H', 'element O', '--max', '4', '--wid=0.5', '--no-part', '-o', 'a.csv',
                            'run.xyz')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('--max 4 --width 0.5', (self.folder / 'a.csv').read_text(encoding='utf-8'))
        self.assertIn('--s begins several options: --select, ', self.expect_usage('rdf', '--s', '1', 'run.xyz'))
        self.assertIn('--no-self-images, --no-strict', self.expect_usage('rdf', '--no-s', 'run.xyz'))
        # A whole name is no beginning of another.
        self.assertIn('“nowhere”', self.expect_usage('scattering', '--q', 'nowhere', '-o', 'a.csv', 'run.xyz'))

    def test_values_are_checked_before_files(self):
        self.assertIn('found “wide”', self.expect_usage('map', '--spacing', 'wide', 'missing.pqr'))
        self.assertIn('kcal/mol/e', self.expect_usage('map', '--unit', 'furlong', 'missing.pqr'))
        self.assertIn('needs a value', self.expect_usage('map', self.pqr, '--spacing'))
        self.assertIn('expected --output', self.expect_usage('map', self.pqr))
        self.assertIn('.dx', self.expect_usage('map', '-o', 'x.jpeg', self.pqr))
        self.assertIn('found none', self.expect_usage('info'))
        self.assertIn('--pair needs a value: SELECTION', self.expect_usage('rdf', '--pair', 'name O', '-o', 'a.csv', self.pqr))
        self.assertIn('512M', self.expect_usage('map', '--memory', 'much', '-o', 'a.dx', 'missing.pqr'))
        self.assertIn('column 3', self.expect_usage('map', '--select', '((', '-o', 'a.dx', 'missing.pqr'))
        self.assertIn('there is no option -o', self.expect_usage('info', '-o', 'a.txt', self.pqr))

    def test_what_is_read_is_not_written_over(self):
        before = self.pqr.read_bytes()
        (self.folder / 'link.pqr').symlink_to(self.pqr)
        for command in (['export', '-o', 'molecule.pqr'], ['export', '-o', 'a.xyz', '-o', 'link.pqr'],
                        ['ions', '--count', '1,0', '-o', self.pqr]):
            with self.subTest(command=command):
                self.assertIn('expected another file than those that are read', self.expect_usage(*command, self.pqr))
        self.assertEqual(self.pqr.read_bytes(), before)

    def test_what_options_read_is_not_written_over(self):
        names = ('map.h5', 'other.h5', 'difference.h5', 'i.csv')
        first, second, difference, curve = names
        for name in (first, second):
            self.assertEqual(self.run_cli('map', '--spacing', '4', '-o', name, self.pqr).returncode, 0)
        self.assertEqual(self.run_cli('field', '--subtract', second, '-o', difference, first).returncode, 0)
        self.assertEqual(self.run_cli('scattering', '-o', curve, self.xyz).returncode, 0)
        before = [(self.folder / name).read_bytes() for name in names]
        for command in (['field', '--subtract', second, '-o', second, first], ['rerun', '-o', second, difference],
                        ['rerun', '-o', first, difference],
                        ['scattering', '--measured', curve, '-o', curve, self.xyz],
                        ['scattering', '--q-vectors', curve, '-o', curve, self.xyz]):
            with self.subTest(command=command):
                self.assertIn('expected another file than those that are read', self.expect_usage(*command))
        self.assertEqual([(self.folder / name).read_bytes() for name in names], before)

    def test_an_order_that_is_wrong_names_the_option(self):
        self.assertIn('Pairs (--pair): no pair is given', self.expect_usage('rdf', '-o', 'a.csv', self.xyz))
        self.assertIn('Signal (--signal autocorrelate|square|plain): the exact average',
                      self.expect_usage('scattering', '--dynamic', '--kind', 'incoherent', '--signal', 'plain', '--orientation',
                                        'exact', '-o', 'a.csv', self.xyz))

    def test_the_line_of_a_result_makes_it_again(self):
        for command in (['rdf', '--partials', '--self-images'], ['scattering', '--dynamic', '--kind', 'incoherent', '--partials'],
                        ['rdf', '--pair', 'name O', 'all']):
            with self.subTest(command=command):
                self.assertEqual(self.run_cli(*command, '-o', 'a.csv', 'run.xyz').returncode, 0)
                text = (self.folder / 'a.csv').read_text(encoding='utf-8')
                (self.folder / 'a.csv').unlink()
                line = re.search('^# command_line: debye-cli (.*)$', text, flags=re.M)[1]
                done = self.run_cli(*shlex.split(line))
                self.assertEqual(done.returncode, 0, f'{line}: {done.stderr}')
                self.assertEqual((self.folder / 'a.csv').read_text(encoding='utf-8'), text)

    def test_the_lines_that_samples_offer_work(self):
        names = re.findall(r'^(\w+) ', self.run_cli('sample', '--list').stdout, flags=re.M)
        self.assertGreater(len(names), 3)
        for name in names:
            with self.subTest(name=name):
                copied = self.run_cli('sample', name)
                line = re.search('^Try: debye-cli (.*)$', copied.stderr, flags=re.M)[1]
                done = self.run_cli(*shlex.split(line), '--quiet')
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertGreater((self.folder / name / f'{name}.h5').stat().st_size, 0)

    def test_of_long_tables_the_beginning_is_said(self):
        vectors = self.folder / 'vectors'
        vectors.write_text(''.join(f'{k} 0 0\n' for k in range(1, 7)), encoding='ascii')
        done = self.run_cli('scattering', '--q-vectors', vectors, '-o', 'a.csv', self.xyz)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sum(line.startswith('qx ') for line in done.stderr.splitlines()), 24)
        self.assertIn('\n… 30 rows in all', done.stderr)

    def test_names_are_bytes(self):
        for name in (b'a b.xyz', 'ü ß.xyz'.encode(), b'latin-\xfc.xyz', b'two\nlines.xyz', b'-dash.xyz'):
            with self.subTest(name=name):
                name = os.fsdecode(name)
                done = self.run_cli('export', '--quiet', '-o', name, self.pqr)
                self.assertEqual((done.returncode, done.stderr), (0, ''))
                self.assertEqual(json.loads(self.run_cli('info', '--json', '--', name).stdout)['atoms'], 7)
        self.assertIn("can't be opened", self.expect_failure('info', 'no\nfile.xyz'))

    def test_spellings_of_options(self):
        spellings = [('-o', 'a.csv', '-s', 'name CA'), ('-oa.csv', '-sname CA'),
                     ('--output=a.csv', '--select=name CA'), ('--output', 'a.csv', '--select', 'name CA')]
        texts = set()
        for spelling in spellings:
            done = self.run_cli('export', *spelling, '--', self.pqr)
            self.assertEqual(done.returncode, 0, done.stderr)
            texts.add((self.folder / 'a.csv').read_text(encoding='utf-8'))
            (self.folder / 'a.csv').unlink()
        self.assertEqual(len(texts), 1)

    def test_two_dashes_end_the_options(self):
        shutil.copy(self.pqr, self.folder / '--odd.pqr')
        self.assertEqual(json.loads(self.run_cli('info', '--json', '--', '--odd.pqr').stdout)['atoms'], 7)

    def test_flags_together_and_negated(self):
        self.assertEqual(json.loads(self.run_cli('info', '-qj', self.pqr).stdout)['atoms'], 7)
        self.assertTrue(self.run_cli('info', '--json', '--no-json', self.pqr).stdout.startswith('File'))

    def test_settings_file(self):
        config = self.folder / 'settings.ini'
        config.write_text('spacing = 2\nunit = V\n[export]\nframes = 0\n[map]\npadding = 3\n', encoding='ascii')
        told = cli.run_json('map', '--config', config, '--unit', 'mV', self.pqr)
        self.assertEqual(told['unit'], 'mV')
        self.assertEqual(told['grid']['steps'][0], [2, 0, 0])
        config.write_text('spacng = 2\n', encoding='ascii')
        self.assertIn('found “spacng”', self.expect_usage('map', '--config', config, '--json', self.pqr))
        config.write_bytes(b'select = name \xe4\n')
        self.assertIn('select: expected UTF-8', self.expect_usage('map', '--config', config, '--json', self.pqr))

    def test_files_of_a_settings_file_are_relative_to_it(self):
        (self.folder / 'sub').mkdir()
        config = self.folder / 'sub' / 'settings.ini'
        (self.folder / 'sub' / 'q.txt').write_text('1 0 0\n0 2 0\n', encoding='ascii')
        (self.folder / 'here.txt').write_text('0 0 3\n', encoding='ascii')
        for option, value, path in (('q-vectors', 'q.txt', 'sub/q.txt'), ('orientation', 'vectors:q.txt', 'vectors:sub/q.txt'),
                                    ('q-vectors', 'here.txt', 'here.txt')):
            config.write_text(f'{option} = {value}\n', encoding='ascii')
            found = []
            for words in (('--config', 'sub/settings.ini'), (f'--{option}', path)):
                done = self.run_cli('scattering', *words, '-o', 'a.csv', 'run.xyz')
                self.assertEqual(done.returncode, 0, (words, done.stderr))
                text = (self.folder / 'a.csv').read_text(encoding='utf-8')
                found.append([line for line in text.splitlines() if not line.startswith('#')])
            self.assertEqual(found[0], found[1], option)

    def test_strict_makes_warnings_errors(self):
        odd = self.folder / 'odd.pqr'
        cli.write_pqr(odd, MOLECULE[:2])
        quiet = self.run_cli('info', '--quiet', odd)
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ''))
        self.assertIn('warning', self.run_cli('info', odd).stderr)
        self.assertIn('--strict', self.expect_failure('info', '--strict', odd))

    def test_full_disk_behind_standard_output(self):
        with open('/dev/full', 'w', encoding='ascii') as full:
            done = subprocess.run([cli.PROGRAM, 'info', str(self.pqr)], stdout=full, stderr=subprocess.PIPE,
                                  env=cli.environment(), check=False)
        self.assertEqual(done.returncode, 1)


class Locale(CliCase):
    def test_german_gives_the_same_bytes(self):
        path = self.folder / 'locales'
        path.mkdir()
        made = subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8', path / 'de_DE.UTF-8'], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertIn(made.returncode, (0, 1), 'localedef makes de_DE')
        german = cli.environment(LC_ALL='de_DE.UTF-8', LANG='de_DE.UTF-8', LOCPATH=str(path))
        texts = []
        for env in (cli.environment(), german):
            written = [self.run_cli('info', self.pqr, env=env).stdout]
            for name in ('a.dx', 'a.cube', 'a.pdb', 'a.xyz', 'b.csv'):
                command = ['export'] if name in ('a.pdb', 'a.xyz', 'b.csv') else ['map', '--spacing', '1.5']
                done = self.run_cli(*command, '-o', name, '--quiet', 'molecule.pqr', env=env)
                self.assertEqual(done.returncode, 0, done.stderr)
                written.append((self.folder / name).read_text(encoding='utf-8'))
            texts.append(written)
        self.assertEqual(texts[0], texts[1])


if __name__ == '__main__':
    unittest.main()
