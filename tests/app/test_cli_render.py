#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli render: pictures of a map, of frames, of a scene in a file."""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
import png_pixels  # noqa: E402
from cli_case import CliCase  # noqa: E402


class Render(CliCase):
    def size_of(self, name):
        head = (self.folder / name).read_bytes()[:24]
        self.assertEqual(head[:8], b'\x89PNG\r\n\x1a\n')
        return int.from_bytes(head[16:20], 'big'), int.from_bytes(head[20:24], 'big')

    def test_picture_with_a_map(self):
        done = self.run_cli('render', '--surface', '30', '--surface', '-30', '--slice', 'z', '--spacing', '0.8',
                            '--size', '320x200', '-o', 'a.png', self.pqr)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.size_of('a.png'), (320, 200))

    def test_result_for_atoms(self):
        """Said what it is, and which option takes it."""
        self.run_cli('map', '--spacing', '2', '-o', 'own.h5', self.pqr)
        done = self.run_cli('render', '-o', 'own.png', 'own.h5')
        self.assertEqual(done.returncode, 1)
        self.assertIn('own.h5: expected atoms, found a result of debye-cli map: draw its map with render --map', done.stderr)

    def test_electrostatic_surface(self):
        """In one step as in two: a map by Poisson-Boltzmann, then the surface in its colours."""
        small = ('--size', '320x200')
        done = self.run_cli('render', '--electrostatic', *small, '-o', 'one.png', self.pqr)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.run_cli('map', '--method', 'pb', '-o', 'pb.h5', self.pqr)
        two = ('render', '--molecular-surface', '--surface-kind', 'excluded', '--surface-color', 'pb.h5',
               '--surface-limits=-5,5', *small)
        for name, options in (('two.png', ('--surface-distance', '1.4')), ('on-it.png', ())):
            done = self.run_cli(*two, *options, '-o', name, self.pqr)
            self.assertEqual(done.returncode, 0, done.stderr)
        one, same, other = [png_pixels.drawn(self.folder / name) for name in ('one.png', 'two.png', 'on-it.png')]
        self.assertEqual(one, same)
        self.assertNotEqual(one, other, 'read on the surface, not outside')

    def test_electrostatic_surface_of_an_ion(self):
        """What is no polymer has a surface, too; of one sign it is blue as a protein's would be."""
        (self.folder / 'ion.pqr').write_text('ATOM 1 I ION 1 0.0 0.0 0.0 1.0 3.0\n', encoding='ascii')
        done = self.run_cli('render', '--electrostatic', '--size', '160x120', '--legend=false', '-o', 'ion.png', 'ion.pqr')
        self.assertEqual(done.returncode, 0, done.stderr)
        _, _, rows = png_pixels.read(self.folder / 'ion.png')
        red, _, blue, _ = rows[60][80]
        self.assertGreater(blue, red + 10)

    def test_electrostatic_surface_and_legends(self):
        """Of what the surface encloses there is none; the ion beside it keeps its own."""
        (self.folder / 'two.pqr').write_text(''.join(
            f'ATOM {i} {name} {residue} {chain} {number} {x:.1f} {y:.1f} 0.0 {charge} 1.7\n'
            for i, (name, residue, chain, number, x, y, charge) in enumerate((
                ('N', 'GLY', 'A', 1, 0, 0, -0.4), ('CA', 'GLY', 'A', 1, 1.4, 0.5, 0.1), ('C', 'GLY', 'A', 1, 2.5, -0.5, 0.6),
                ('O', 'GLY', 'A', 1, 2.4, -1.7, -0.5), ('N', 'GLY', 'A', 2, 3.6, 0.1, -0.4), ('CA', 'GLY', 'A', 2, 4.8, -0.6, 0.1),
                ('C', 'GLY', 'A', 2, 6.0, 0.2, 0.6), ('O', 'GLY', 'A', 2, 6.0, 1.4, -0.1), ('NA', 'NA', 'B', 3, 16, 0, 1.0)), 1)), encoding='ascii')
        line = ('render', '--electrostatic', '--style', 'spheres', '--color', 'chain', '--size', '400x300', '--legend-place', 'bottom-left',
                '--axes=false', '--scale-bar=false')
        drawn = {}
        for name, options in (('own.png', ()), ('all.png', ('--color-legend',)), ('none.png', ('--legend=false',))):
            done = self.run_cli(*line, *options, '-o', name, 'two.pqr')
            self.assertEqual(done.returncode, 0, done.stderr)
            drawn[name] = [pixel[:3] for row in png_pixels.read(self.folder / name)[2] for pixel in row]
        orange, blue = ((0xe6, 0x9f, 0x00), (0x00, 0x64, 0xa6))
        self.assertGreater(drawn['own.png'].count(orange), drawn['none.png'].count(orange) + 20)
        self.assertLess(drawn['own.png'].count(blue), drawn['none.png'].count(blue) + 20)
        self.assertGreater(drawn['all.png'].count(blue), drawn['own.png'].count(blue) + 20)

    def test_electrostatic_surface_lacks_something(self):
        done = self.run_cli('render', '--electrostatic', '-o', 'a.png', self.xyz)
        self.assertEqual(done.returncode, 1)
        self.assertIn('has no charges, and a potential needs them', done.stderr)
        self.run_cli('map', '--spacing', '2', '-o', 'm.dx', self.pqr)
        done = self.run_cli('render', '--electrostatic', '--map', 'm.dx', '-o', 'a.png')
        self.assertEqual(done.returncode, 1)
        self.assertIn("--electrostatic: there are no atoms: add the molecule's file", done.stderr)

    def test_series(self):
        done = self.run_cli('render', '--frames', '0:-1:2', '--size', '160x120', '-o', 'film.png', self.xyz)
        self.assertEqual(done.returncode, 0, done.stderr)
        pictures = sorted(path.name for path in self.folder.glob('film-*.png'))
        self.assertEqual(pictures, ['film-0000.png', 'film-0001.png', 'film-0002.png'])
        self.assertNotEqual((self.folder / pictures[0]).read_bytes(), (self.folder / pictures[2]).read_bytes())

    def test_map_from_a_file_and_a_scene(self):
        self.run_cli('map', '--spacing', '1', '-o', 'm.dx', 'molecule.pqr')
        (self.folder / 'film.scene').write_text('[scene]\nmap = m.dx\nsurface = 20;-20\nsize = 200x100\nstyle = sticks\n'
                                                'files = molecule.pqr\n', encoding='ascii')
        done = cli.run('render', '--scene', self.folder / 'film.scene', '-o', self.folder / 'a.png', '--orbit', '30,20')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.size_of('a.png'), (200, 100))
        done = self.run_cli('render', '--map', 'm.dx', '--size', '64x64', '--transparent', '-o', 'alone.png')
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_frames_are_superposed_as_those_of_the_map(self):
        """The molecule moves as a whole: with the map of its superposed frames every picture is the same, with any other not."""
        # The frames of the trajectory alone, as the PQR's own frame is the first of all.
        files, frames = ('molecule.pqr', 'run.xyz'), ('--frames', '1:-1:3', '--size', '160x120', '--style', 'spheres')
        for name, options in (('sharp', ()), ('blurred', ('--superpose', 'none'))):
            done = self.run_cli('map', '--spacing', '2', '--frames', '1:-1', *options, '-o', name + '.h5', *files)
            self.assertEqual(done.returncode, 0, done.stderr)
        for name, options in (('sharp', ('--map', 'sharp.h5')), ('blurred', ('--map', 'blurred.h5')),
                              ('computed', ('--map-frames', '1:-1', '--spacing', '2'))):
            done = self.run_cli('render', *frames, *options, '--surface', '30', '-o', name + '.png', *files)
            self.assertEqual(done.returncode, 0, done.stderr)
            first, last = [png_pixels.drawn(self.folder / f'{name}-{i:04d}.png') for i in (0, 1)]
            (self.assertNotEqual if name == 'blurred' else self.assertEqual)(first, last, name)

    def test_text_grows_with_the_picture(self):
        for name, options in (('unset.png', []), ('half.png', ['--scale', '1.5']), ('one.png', ['--scale', '1'])):
            done = self.run_cli('render', '--scale-bar', '--size', '1920x160', *options, '-o', name, self.pqr)
            self.assertEqual(done.returncode, 0, done.stderr)
        unset, half, one = [png_pixels.drawn(self.folder / name) for name in ('unset.png', 'half.png', 'one.png')]
        self.assertEqual(unset, half, '1920 pixels are one and a half times 1280')
        self.assertNotEqual(unset, one)

    def test_molecules_beside_a_map(self):
        """A map is where the file has the atoms: it is told where a picture has them elsewhere."""
        counts = 'counts 2 2 2'
        (self.folder / 'map.dx').write_text(
            f'object 1 class gridpositions {counts}\norigin 0 0 0\ndelta 10 0 0\ndelta 0 10 0\ndelta 0 0 10\n'
            f'object 2 class gridconnections {counts}\n'
            f'object 3 class array type double rank 0 items 8 data follows\n{"0 1 2 3 4 5 6 7"}\n', encoding='ascii')
        for atoms, placing, is_told in (('9.6 5 5\nO 0.7', 'whole', True), ('9.6 5 5\nO 0.7', 'file', False),
                                        ('4.6 5 5\nO 5.7', 'cell', False)):
            (self.folder / 'two.xyz').write_text(f'2\nLattice="10 0 0 0 10 0 0 0 10"\nC {atoms} 5 5\n', encoding='ascii')
            for options in (('--molecular-surface', '--surface-color', 'map.dx'), ('--map', 'map.dx', '--slice', 'z')):
                done = self.run_cli('render', '--molecules', placing, *options, '--size', '64x48', '-o', 'a.png', 'two.xyz')
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual('the map is of the frame as the file has it' in done.stderr, is_told, (placing, options))

    def test_molecules_that_the_cell_cuts(self):
        head = '2\nLattice="10 0 0 0 10 0 0 0 10"\nC '
        for name, atoms in (('torn', '9.6 5 5\nO 0.7'), ('whole', '9.6 5 5\nO 10.7'), ('cell', '-0.4 5 5\nO 0.7')):
            (self.folder / f'{name}.xyz').write_text(f'{head}{atoms} 5 5\n', encoding='ascii')

        def picture(molecules, name):
            done = self.run_cli('render', '--molecules', molecules, '--box', '--size', '160x120', '-o', 'a.png', f'{name}.xyz')
            self.assertEqual(done.returncode, 0, done.stderr)
            return png_pixels.drawn(self.folder / 'a.png')
        seen = {placing: picture(placing, 'torn') for placing in ('file', 'whole', 'cell')}
        self.assertEqual(len(set(seen.values())), 3)
        self.assertEqual(seen['whole'], picture('file', 'whole'))
        self.assertEqual(seen['cell'], picture('file', 'cell'))
        self.assertEqual(self.expect_failure('render', '--molecules', 'cell', '-o', 'b.png', self.xyz),
                         'debye-cli: run.xyz: frame 0: expected a cell to place molecules by (--molecules), found none\n')
        self.assertIn('--molecules', self.expect_usage('render', '--molecules', 'torn', '-o', 'b.png', self.xyz))

    def test_chains_are_whole_by_default(self):
        """A helix whose second half is at the other side of the cell: whole without a word from the person, as told."""
        rows = []
        for i in range(12):
            angle, height = math.radians(100 * i), 1.5 * i
            for name, turn, radius, rise in (('N', -28, 1.55, -0.9), ('CA', 0, 2.29, 0.0), ('C', 26, 1.7, 1.1), ('O', 24, 2.0, 2.3)):
                x, y = (radius * f(angle + math.radians(turn)) + 20 for f in (math.cos, math.sin))
                z = (height + rise + 30.0) % 40.0
                rows.append(f'ATOM  {len(rows) + 1:5d}  {name:<3s} ALA A{i + 1:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00\n')
        cell = 'CRYST1   40.000   40.000   40.000  90.00  90.00  90.00 P 1           1\n'
        (self.folder / 'helix.pdb').write_text(cell + ''.join(rows), encoding='ascii')

        def picture(*options):
            done = self.run_cli('render', *options, '--size', '160x120', '-o', 'a.png', 'helix.pdb')
            self.assertEqual(done.returncode, 0, done.stderr)
            return png_pixels.drawn(self.folder / 'a.png'), done.stderr
        whole, told = picture()
        self.assertIn('the cell cuts chains, which are drawn whole (--molecules file draws them as in the file)', told)
        self.assertEqual(picture('--molecules', 'whole')[0], whole)
        torn, told = picture('--molecules', 'file')
        self.assertNotEqual(torn, whole)
        self.assertNotIn('cell', told)

    def test_wrong_planes_and_contours(self):
        for plane in ('1,2,3', '0,0,0:0,0,0', '0,0:1,0,0', '0,0,0:1,nan,0'):
            self.assertIn('--slice: expected a plane as x,y,z:nx,ny,nz', self.expect_usage('render', '--slice', plane, '-o', 'a.png', self.pqr))
        self.assertIn('does not cut the map', self.expect_failure('render', '--slice', '0,0,900:0,0,1', '-o', 'a.png', self.pqr))
        for step in ('-1', 'some', '', 'inf'):
            self.assertIn('--contours', self.expect_usage('render', '--slice', 'z', '--contours', step, '-o', 'a.png', self.pqr))

    def test_wrong_color_maps(self):
        self.assertIn('--color-map: expected', self.expect_usage('render', '--slice', 'z', '--color-map', 'jet', '-o', 'a.png', self.pqr))
        (self.folder / 'bad.txt').write_text('0 0 0\n1 1\n', encoding='ascii')
        self.assertIn('--color-map: bad.txt: line 2: expected',
                      self.expect_failure('render', '--slice', 'z', '--color-map', 'bad.txt', '-o', 'a.png', self.pqr))

    def test_wrong_lines(self):
        self.assertIn('--size', self.expect_usage('render', '--size', 'big', '-o', 'a.png', self.pqr))
        self.assertIn('.png', self.expect_usage('render', '-o', 'a.jpeg', self.pqr))
        self.assertIn('neither', self.expect_usage('render', '-o', 'a.png'))
        self.assertIn('--slice: expected', self.expect_usage('render', '--slice', 'w', '-o', 'a.png', self.pqr))
        self.assertIn('--slice: expected', self.expect_failure('render', '--slice', 'z:900', '-o', 'a.png', self.pqr))


if __name__ == '__main__':
    unittest.main()
