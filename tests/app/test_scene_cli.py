#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli measure against numbers known by hand, and what debye-cli render can show beyond atoms."""
import csv
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
import png_pixels  # noqa: E402

SAMPLES = pathlib.Path(os.environ['DEBYE_SAMPLES_DIR'])
HELIX = (SAMPLES / 'helix.psf', SAMPLES / 'helix.xtc')

# Two frames: the second atom moves out by 1 Å, the fourth turns from +90° to −90°.
TURNING = '''4
one
C 1 0 0
C 0 0 0
C 0 0 1.5
C 0 1 1.5
4
two
C 1 0 0
C -1 0 0
C -1 0 1.5
C -1 -1 1.5
'''


class SceneTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-scene-'))
        self.turning = self.folder / 'turning.xyz'
        self.turning.write_text(TURNING, encoding='utf-8')

    def tearDown(self):
        shutil.rmtree(self.folder)

    def succeed(self, *arguments):
        done = cli.run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def measure(self, atoms):
        path = self.folder / 'out.csv'
        self.succeed('measure', '--atoms', atoms, '--quiet', '-o', path, self.turning)
        with open(path, encoding='utf-8') as file:
            return list(csv.DictReader(line for line in file if not line.startswith('#')))

    def column(self, rows, ending):
        return [float(row[next(name for name in row if name.endswith(ending))]) for row in rows]

    def test_chains_are_told_apart(self):
        """Two strands of one residue each way are by chain if they have two names, by structure if they have one."""
        def peptide(second, modified='ALA'):
            rows = []
            for chain, y in (('A', 0.0), (second, 9.0)):
                for i in range(12):
                    for k, (name, element, dx) in enumerate((('N', 'N', -1.2), ('CA', 'C', 0.0), ('C', 'C', 1.3))):
                        residue = modified if i == 6 else 'ALA'
                        rows.append(f'ATOM  {len(rows) + 1:5d}  {name:<3s} {residue} {chain}{i + 1 + 40 * (y > 0):4d}    '
                                    f'{3.8 * i + dx:8.3f}{y:8.3f}{0.4 * (k == 1):8.3f}  1.00  0.00          {element:>2s}\n')
            return ''.join(rows)
        for second, alike in (('B', False), ('A', True)):
            (self.folder / 'a.pdb').write_text(peptide(second), encoding='ascii')
            usual, structure, chain = (self.folder / name for name in ('usual.png', 'structure.png', 'chain.png'))
            common = ('--quiet', '--size', '160x120', '--legend=false', self.folder / 'a.pdb', '-o')
            self.succeed('render', *common, usual)
            self.succeed('render', '--color', 'structure', *common, structure)
            self.succeed('render', '--color', 'chain', *common, chain)
            drawn = png_pixels.drawn(usual)
            self.assertEqual(drawn == png_pixels.drawn(structure), alike)
            self.assertEqual(drawn == png_pixels.drawn(chain), not alike)
            # A modified residue is one of its chain.
            for modified in ('MSE', 'CSO', 'MHO'):
                (self.folder / 'a.pdb').write_text(peptide(second, modified), encoding='ascii')
                self.succeed('render', *common, self.folder / 'modified.png')
                self.assertEqual(png_pixels.drawn(self.folder / 'modified.png'), drawn, modified)

    def test_values(self):
        rows = self.measure('0,1; 0,1,2; 0,1,2,3')
        for ending, expected in (('distance', (1.0, 2.0)), ('angle', (90.0, 90.0)), ('dihedral', (90.0, -90.0))):
            for value, known in zip(self.column(rows, ending), expected, strict=True):
                self.assertAlmostEqual(value, known, places=4)
        self.assertEqual(self.column(rows, 'frame'), [0.0, 1.0])

    def test_names(self):
        """By residues and atoms where a file has them; by indices beside the names where those don't tell."""
        path = self.folder / 'named.csv'
        for files, atoms, expected in (
                (HELIX, '0,20', ['distance']),
                (HELIX, '0,20; 20,0,4', ['ILE1 N - ILE1 O.distance', 'ILE1 O - ILE1 N - ILE1 CA.angle']),
                ([self.turning], '0,1; 1,2', ['C#0 - C#1.distance', 'C#1 - C#2.distance'])):
            self.succeed('measure', '--atoms', atoms, '--frames', '0:1', '--quiet', '-o', path, *files)
            with open(path, encoding='utf-8') as file:
                names = next(csv.reader(line for line in file if not line.startswith('#')))
            self.assertEqual(names[1:], expected)

    def test_names_with_insertion_codes(self):
        path, named = self.folder / 'inserted.pdb', self.folder / 'named.csv'
        path.write_text(''.join(f'ATOM  {i + 1:5d}  CA  SER {chain}  52{code}   {i:8.3f}{0:8.3f}{0:8.3f}  1.00  0.00           C\n'
                                for i, (chain, code) in enumerate((('A', ' '), ('A', 'A'), ('B', ' ')))) + 'END\n', encoding='ascii')
        self.succeed('measure', '--atoms', '0,1; 1,2', '--quiet', '-o', named, path)
        with open(named, encoding='utf-8') as file:
            names = next(csv.reader(line for line in file if not line.startswith('#')))
        self.assertEqual(names[1:], ['A:SER52 CA - A:SER52A CA.distance', 'A:SER52A CA - B:SER52 CA.distance'])

    def test_rerun_and_plot(self):
        first, again, plot = (self.folder / name for name in ('a.h5', 'b.csv', 'c.svg'))
        self.succeed('measure', '--atoms', '0,3', '--quiet', '-o', first, '-o', plot, self.turning)
        self.succeed('rerun', '--quiet', '-o', again, first)
        self.assertIn('distance', again.read_text(encoding='utf-8'))
        self.assertIn('d (Å)', plot.read_text(encoding='utf-8').replace('\u2009', ' ').replace('</tspan>', ''))

    def test_refused(self):
        for atoms in ('', '3', '0,0', '0,4', '0,1,2,3,0', '0,x', '-1,0'):
            with self.subTest(atoms):
                done = cli.run('measure', f'--atoms={atoms}', '-o', self.folder / 'out.csv', self.turning)
                self.assertIn(done.returncode, (1, 2))
                self.assertIn('Atoms (--atoms): expected', done.stderr)

    # --- Pictures ---

    def render(self, name, *arguments):
        path = self.folder / f'{name}.png'
        self.succeed('render', '--quiet', '--size', '240x160', '--samples', '1', '-o', path, *arguments)
        return png_pixels.drawn(path)

    def test_styles(self):
        cartoon = self.render('default', *HELIX)
        self.assertEqual(cartoon, self.render('cartoon', '--style', 'cartoon', *HELIX))
        sticks = self.render('sticks', '--style', 'sticks', *HELIX)
        chain = self.render('chain', '--color', 'sequence', *HELIX)
        surface = self.render('surface', '--molecular-surface', *HELIX)
        self.assertEqual(len({cartoon, sticks, chain, surface}), 4)

    def test_surface_kinds(self):
        gaussian, excluded, wide = (self.render(name, '--molecular-surface', '--opacity', '1', *arguments, *HELIX)
                                    for name, arguments in (('gaussian', ()), ('excluded', ('--surface-kind', 'excluded')),
                                                            ('wide', ('--surface-kind=excluded', '--probe', '4'))))
        self.assertEqual(len({gaussian, excluded, wide}), 3)

    def test_notes(self):
        """Each note is seen, and seen to follow what it is told."""
        plain = self.render('plain', *HELIX)
        pictures = [self.render(name, *arguments, *HELIX) for name, arguments in (
            ('bonds', ('--hydrogen-bonds', '--style', 'sticks')), ('sticks', ('--style', 'sticks')),
            ('labels', ('--labels', 'residue')), ('atoms', ('--labels', 'atom', '--label-select', 'name CA')),
            ('clip', ('--clip', 'view')), ('clip-z', ('--clip', 'z:0.3')), ('flipped', ('--clip', 'view', '--clip-flipped')),
            ('images', ('--images', '1,0,0')), ('bins', ('--bins',)), ('one-bin', ('--bins', '--bins-atom', '3')),
            ('sphere', ('--bins', '--bins-atom', '3', '--bins-list', 'sphere', '--bins-edge', '2', '--bins-cutoff', '6')), ('axes', ('--axes',)), ('bar', ('--no-scale-bar',)))]
        self.assertEqual(len({plain, *pictures}), 1 + len(pictures))

    def test_notes_refused(self):
        for arguments, status, text in (
                (('--clip', 'w'), 2, '--clip: expected x, y, z or view'), (('--clip', 'z:2'), 2, '--clip: expected'),
                (('--images', '1,2'), 2, '--images: expected A,B,C'), (('--images', '3,0,0'), 2, '--images: expected'),
                (('--images', '1,0,0'), 1, 'no cell'),
                (('--color', 'charge'), 1, '--color charge: these files have no charges'), (('--labels', 'index', '--label-select', 'name ZZ'), 1, 'no atom'),
                (('--cameras', 'views'), 2, 'expected one session')):
            with self.subTest(arguments):
                done = cli.run('render', '--quiet', *arguments, '-o', self.folder / 'x.png', self.turning)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(text, done.stderr)

    def test_no_gl(self):
        """A system without EGL is told in one line; the program does not end by a signal."""
        hidden = self.folder / 'hidden'
        hidden.mkdir()
        (hidden / 'libEGL.so.1').write_bytes(b'')
        done = cli.run('render', '--quiet', '-o', self.folder / 'x.png', self.turning,
                       env=cli.environment(LD_LIBRARY_PATH=str(hidden)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn('libEGL.so.1', done.stderr)
        self.assertFalse((self.folder / 'x.png').exists())

    def write_ramp(self):
        """A map whose value is x, on a skew grid."""
        n, step = 24, ((2.0, 0.3, 0.0), (0.0, 2.0, 0.2), (0.1, 0.0, 2.0))
        origin = tuple(-sum(row[k] for row in step) * (n - 1) / 2 + 21.0 for k in range(3))
        path = self.folder / 'ramp.dx'
        with open(path, 'w', encoding='utf-8') as file:
            file.write(f'object 1 class gridpositions counts {n} {n} {n}\norigin {origin[0]} {origin[1]} {origin[2]}\n')
            file.writelines(f'delta {row[0]} {row[1]} {row[2]}\n' for row in step)
            file.write(f'object 2 class gridconnections counts {n} {n} {n}\n'
                       f'object 3 class array type double rank 0 items {n ** 3} data follows\n')
            file.writelines(f'{origin[0] + i * step[0][0] + j * step[1][0] + k * step[2][0] - 21.0:.6g}\n'
                            for i in range(n) for j in range(n) for k in range(n))
        return path

    def test_surface_colors(self):
        ramp = self.write_ramp()
        plain = self.render('plain', '--map', ramp, '--surface', '5', '--opacity', '1')
        colored = self.render('colored', '--map', ramp, '--surface', '5', '--opacity', '1', '--surface-color', ramp)
        narrow = self.render('narrow', '--map', ramp, '--surface', '5', '--opacity', '1', '--surface-color', ramp,
                             '--surface-limits', '-50,50')
        self.assertEqual(len({plain, colored, narrow}), 3)
        scene = self.folder / 'film.scene'
        scene.write_text('map = ramp.dx\nsurface = 5\nopacity = 1\nsurface-color = ramp.dx\nsurface-limits = -50,50\n',
                         encoding='utf-8')
        self.assertEqual(narrow, self.render('scene', '--scene', scene))

    def test_scene_stands_beside_its_legend(self):
        """What the legend would cover is moved aside and shown smaller; where there is room, the camera stays."""
        def look(name, size, *options):
            path = self.folder / f'{name}.camera'
            self.succeed('render', self.turning, '--quiet', '--samples', '1', '--size', size, '--camera', path,
                         '-o', self.folder / f'{name}.png', *options)
            camera = json.loads(path.read_text(encoding='utf-8'))['camera']
            return camera['height'], camera['target'][0]
        plain = look('plain', '200x200')
        right = look('right', '200x200', '--color-legend')
        left = look('left', '200x200', '--color-legend', '--legend-place', 'top-left')
        self.assertGreater(right[0], plain[0])
        self.assertEqual(left[0], right[0])
        self.assertAlmostEqual(left[1] + right[1], 2.0 * plain[1], places=5)
        self.assertGreater(right[1] - plain[1], 0.1 * plain[0])
        self.assertEqual(look('wide', '800x200', '--color-legend'), look('wide-plain', '800x200'))

    def test_slice_limits(self):
        """Limits reach a slice."""
        ramp = self.write_ramp()
        usual = self.render('usual', '--map', ramp, '--slice', 'z')
        narrow = self.render('narrow', '--map', ramp, '--slice', 'z', '--surface-limits', '-5,5')
        self.assertNotEqual(usual, narrow)

    def test_limits_refused(self):
        for limits in ('3', '3,1', '1,1', 'a,b', '1,2,3'):
            with self.subTest(limits):
                done = cli.run('render', f'--surface-limits={limits}', '-o', self.folder / 'x.png', self.turning)
                self.assertEqual(done.returncode, 2)
                self.assertIn('--surface-limits: expected LOW,HIGH', done.stderr)


if __name__ == '__main__':
    unittest.main()
