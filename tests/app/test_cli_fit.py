#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli fit: a measured curve into a table, plots and a result that is computed again; options whose value may be left out."""
import csv
import json
import math
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402


def sphere(q, radius=30.0):
    x = q * radius
    return (3 * (math.sin(x) - x * math.cos(x)) / x**3) ** 2


class FitTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-fit-'))
        points = [0.004 + 0.001 * i for i in range(250)]
        rows = ''.join(f'{q:.6g} {100 * sphere(q) + 0.02 * math.sin(50 * i)} 0.02\n' for i, q in enumerate(points))
        self.data = self.write('sphere.dat', f'# q in 1/A\n{rows}')
        self.model = self.write('model.csv', 'q (1/A),I\n' + ''.join(f'{q},{7 * sphere(q)}\n' for q in points))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding='utf-8')
        return self.folder / name

    def fit(self, *arguments, status=0):
        done = cli.run('fit', *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_table(self):
        output = self.folder / 'fits.csv'
        self.fit('--data', self.data, '--guinier', '--pr', '--porod', '-o', output, '-q')
        lines = [line for line in output.read_text(encoding='utf-8').splitlines() if not line.startswith('#')]
        rows = {row['fit']: row for row in csv.DictReader(lines)}
        self.assertEqual(set(rows), {'guinier', 'pr', 'porod'})
        self.assertAlmostEqual(float(rows['pr']['Rg']), 23.238, delta=0.1)
        self.assertAlmostEqual(float(rows['guinier']['Rg']), 23.5, delta=0.4)
        self.assertEqual(rows['guinier']['D_max'], '')

    def test_range(self):
        done = self.fit('--guinier=0.004:0.02', '--json', '--data', self.data)
        row = json.loads(done.stdout)['fits'][0]
        self.assertEqual((row['q_min'], row['q_max']), (0.004, 0.02))

    def test_comparison(self):
        done = self.fit('--data', self.data, '--json', self.model)
        row = json.loads(done.stdout)['fits'][0]
        self.assertAlmostEqual(row['scale'], 100 / 7, delta=0.01)
        self.assertAlmostEqual(row['background'], 0.0, delta=0.01)

    def test_plots_and_rerun(self):
        result = self.folder / 'fit.h5'
        for plot in ('guinier', 'guinier_residuals', 'kratky', 'kratky_normalised', 'pr', 'intensity'):
            output = self.folder / f'{plot}.svg'
            self.fit('--data', self.data, '--guinier', '--kratky', '--pr', '--plot', plot, '-o', output, '-q')
            self.assertIn('<svg', output.read_text(encoding='utf-8'))
        self.fit('--data', self.data, '--guinier', '--pr', '-o', result, '-q')
        again = cli.run('rerun', '--json', result)
        self.assertEqual(json.loads(again.stdout)['largest_difference'], 0.0, again.stderr)

    def test_residuals_below(self):
        """I(q) on logarithmic axes with the data, and under it the residuals in errors over the same axis."""
        output = self.folder / 'both.svg'
        self.fit('--data', self.data, '--plot', 'comparison', '--log', 'xy', '--residuals', '-o', output, '-q', self.model)
        text = output.read_text(encoding='utf-8')
        upper, lower = text.split('<g id="plot-below"')
        self.assertIn('Δ', lower)
        self.assertNotIn('Δ', upper)
        self.assertIsNone(re.search(' comparison</', upper), 'the legend names the curves that are compared')
        self.assertEqual(upper.count('-points'), lower.count('-points'))
        self.assertIn('--residuals: expected a measured curve',
                      self.fit('--data', self.data, '--guinier', '--plot', 'guinier_residuals', '--residuals', '-o', output,
                               status=1).stderr)

    def test_distances(self):
        """Of a sphere of 30 Å: found, and given; a distance that the first point says nothing about is told."""
        for arguments in ('--pr',), ('--pr=60',), ('--pr=60', '--mask', '0.05:0.06'):
            table = self.folder / 'table.csv'
            done = self.fit('--data', self.data, *arguments, '-o', table)
            self.assertNotIn('warning', done.stderr)
            self.assertEqual('D = 60 Å, from' in done.stdout + done.stderr, arguments[0] == '--pr=60')
            row, = csv.DictReader(line for line in table.read_text(encoding='utf-8').splitlines() if not line.startswith('#'))
            self.assertAlmostEqual(float(row['Rg']) / (30 * 0.6 ** 0.5), 1, delta=0.005)
            self.assertAlmostEqual(float(row['I0']) / 100, 1, delta=0.005)
        done = self.fit('--data', self.data, '--pr=60', '--q-range', '0.06:')
        self.assertIn('the points begin at 0.06 Å⁻¹ and determine only distances up to π/q = 52.36 Å, but D is 60 Å',
                      done.stderr)

    def test_refusals(self):
        unknown = self.write('unknown.dat', '0.1 3\n0.2 2\n')
        self.assertIn("unknown.dat doesn't state the unit of q", self.fit('--guinier', '--data', unknown, status=1).stderr)
        negative = self.write('negative.dat', '# q in 1/A\n' + ''.join(f'{0.01 * i} {-sphere(0.01 * i)} 0.02\n' for i in range(1, 25)))
        self.assertIn('P(r): no distribution of distances fits the curve: expected another largest distance',
                      self.fit('--data', negative, '--pr=60', status=1).stderr)
        self.assertIn('10 to 20000 points for P(r), found 5',
                      self.fit('--data', self.data, '--pr=60', '--q-range', '0.2:0.2041', status=1).stderr)
        self.assertIn('expected a fit', self.fit('--data', self.data, status=1).stderr)
        self.assertIn('expected a curve to fit', self.fit('--guinier', status=1).stderr)


if __name__ == '__main__':
    unittest.main()
