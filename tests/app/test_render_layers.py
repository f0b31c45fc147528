#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pictures of layers that are given as lines: what is drawn of which atoms, in which colours and where; labels, legends and their
places; cameras in files."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import png_pixels  # noqa: E402
from cli_case import CliCase  # noqa: E402

WIDTH, HEIGHT = 240, 160
# Two pairs of atoms, side by side and one behind the other as seen along z.
ATOMS = '4\nfour\nC -3 0 0\nO 3 0 0\nN -3 0 -4\nS 3 0 -4\n'
MOVED = ATOMS + '4\nfour\nC -3 1 0\nO 3 1 0\nN -3 1 -4\nS 3 1 -4\n'
RED, GREEN, BLUE = 0, 1, 2


class RenderLayers(CliCase):
    def setUp(self):
        super().setUp()
        (self.folder / 'four.xyz').write_text(ATOMS, encoding='ascii')
        (self.folder / 'two.xyz').write_text(MOVED, encoding='ascii')

    def render(self, name, *options, files=('four.xyz',)):
        done = self.run_cli('render', '--size', f'{WIDTH}x{HEIGHT}', '--samples', '1', '--scale', '1', '-o', name, *options, *files)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / name

    def pixels(self, *options, files=('four.xyz',)):
        return png_pixels.read(self.render('a.png', '--scale-bar=false', *options, files=files))[2]

    @staticmethod
    def colored(rows, channel, left=0, right=WIDTH, top=0, bottom=HEIGHT):
        """How many pixels of a part of the picture are clearly of this channel."""
        others = [other for other in range(3) if other != channel]
        return sum(all(pixel[channel] > pixel[other] + 60 for other in others)
                   for row in rows[top:bottom] for pixel in row[left:right])

    @staticmethod
    def dark(rows, left=0, right=WIDTH, top=0, bottom=HEIGHT):
        return sum(max(pixel[:3]) < 100 for row in rows[top:bottom] for pixel in row[left:right])

    def test_each_line_draws_its_atoms(self):
        rows = self.pixels('--layer', 'element C: spheres, #ff0000', '--layer', 'element O: spheres, blue', '--legend=false')
        half = WIDTH // 2
        self.assertGreater(self.colored(rows, RED, right=half), 300)
        self.assertGreater(self.colored(rows, BLUE, left=half), 300)
        self.assertEqual(self.colored(rows, BLUE, right=half) + self.colored(rows, RED, left=half), 0)

    def test_opacity_shows_what_is_behind(self):
        behind = ('--layer', 'element N: spheres, scale 0.7, red', '--legend=false')
        counts = [self.colored(self.pixels('--layer', f'element C: spheres, white, opacity {opacity}', *behind), RED)
                  for opacity in ('1', '0.2')]
        self.assertEqual(counts[0], 0)
        self.assertGreater(counts[1], 100)

    def test_the_clipping_plane_leaves_what_is_uncut(self):
        lines = ('--layer', 'element C O: spheres, red{}', '--layer', 'element N S: spheres, #0000ff',
                 '--layer', 'clipping-plane z, position 0.5', '--legend=false')
        cut = self.pixels(*[line.format('') for line in lines])
        uncut = self.pixels(*[line.format(', uncut') for line in lines])
        self.assertEqual(self.colored(cut, RED), 0)
        self.assertGreater(self.colored(cut, BLUE), 300)
        self.assertGreater(self.colored(uncut, RED), 300)

    def test_labels_of_ones_own(self):
        """Over the atoms, whose colour has nothing of the dark text; with a leader beside them."""
        lines = ('--layer', 'all: spheres, #ffcc00', '--legend=false', '--zoom', '0.4')
        plain = self.pixels(*lines)
        label = self.pixels(*lines, '--layer', 'element C O: labels "HERE"')
        led = self.pixels(*lines, '--layer', 'element C O: labels "HERE", leaders')
        middle = {'left': 100, 'right': 140, 'top': 70, 'bottom': 90}
        self.assertGreater(self.dark(label, **middle), self.dark(plain, **middle) + 20)
        self.assertLess(self.dark(led, **middle), self.dark(label, **middle))
        self.assertGreater(self.dark(led), self.dark(plain) + 40)
        self.assertNotEqual(label, self.pixels(*lines, '--layer', 'element C O: labels "THERE"'))

    def test_legends_and_their_places(self):
        lines = ('--layer', 'all: sticks, element', '--zoom', '0.3')
        corners = {'top-left': (0, 0), 'top-right': (1, 0), 'bottom-left': (0, 1), 'bottom-right': (1, 1)}
        self.assertEqual(self.dark(self.pixels(*lines), bottom=60), 0, 'elements need no legend')
        for place, (right, low) in corners.items():
            rows = self.pixels('--layer', 'all: sticks, element, legend', '--zoom', '0.3', '--legend-place', place)
            for other, (x, y) in corners.items():
                part = {'left': x * 180, 'right': 60 + x * 180, 'top': y * 100, 'bottom': 60 + y * 100}
                if other == place:
                    self.assertGreater(self.dark(rows, **part), 10, place)
                else:
                    self.assertEqual(self.dark(rows, **part), 0, (place, other))
        everywhere = self.pixels(*lines, '--color-legend')
        self.assertEqual(everywhere, self.pixels('--layer', 'all: sticks, element, legend', '--zoom', '0.3'))

    def test_places_of_axes_and_scale_bar(self):
        def part(rows, x, y):
            return self.dark(rows, left=x * 160, right=80 + x * 160, top=y * 110, bottom=50 + y * 110)
        for option, place, (x, y) in (('axes', 'top-left', (0, 0)), ('scale-bar', 'bottom-right', (1, 1))):
            rows = png_pixels.read(self.render('b.png', '--layer', 'all: sticks', '--zoom', '0.2', '--axes=false',
                                               '--scale-bar=false', f'--{option}=true', f'--{option}-place', place))[2]
            self.assertGreater(part(rows, x, y), 4, option)
            self.assertEqual(sum(part(rows, i, j) for i in (0, 1) for j in (0, 1) if (i, j) != (x, y)), 0, option)

    def test_wrong_lines(self):
        for line, problem, status in (('all: sticks, chian', 'have no property or value “chian”; possible: visible', 2),
                                      ('all: chain', 'expected a style or a kind of layer', 2),
                                      ('all: sticks, opacity 2', 'expected a number from 0 to 1', 2),
                                      ('resname XX: sticks', 'selects no atoms', 1)):
            done = self.run_cli('render', '-o', 'a.png', '--layer', line, 'four.xyz')
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn('--layer: ', done.stderr)
            self.assertIn(problem, done.stderr)

    def test_a_camera_in_a_file(self):
        """It is written once and used from then on; the same picture comes of it, and of a series each single one."""
        turned = self.render('first.png', '--orbit', '30,20', '--camera', 'view.camera').read_bytes()
        self.assertIn('height', json.loads((self.folder / 'view.camera').read_text(encoding='utf-8'))['camera'])
        self.assertEqual(self.render('again.png', '--camera', 'view.camera').read_bytes(), turned)
        self.assertNotEqual(self.render('front.png').read_bytes(), turned)
        self.assertNotEqual(self.render('more.png', '--camera', 'view.camera', '--orbit', '10,0').read_bytes(), turned)
        self.render('film.png', '--camera', 'view.camera', '--frames', '0:1', files=('two.xyz',))
        for frame in ('0', '1'):
            single = self.render('single.png', '--camera', 'view.camera', '--frames', frame, files=('two.xyz',))
            self.assertEqual(single.read_bytes(), (self.folder / f'film-000{frame}.png').read_bytes())

    def test_a_view_with_a_camera(self):
        """--view chooses the direction, whether the file exists or is written; target and height stay the file's."""
        left = ('--view', 'left', '--camera', 'side.camera')

        def rows(*options):
            return png_pixels.read(self.render('view.png', *options))[2]
        first = rows(*left)
        self.assertEqual(rows(*left), first)
        self.assertEqual(rows('--view', 'left'), first)
        self.render('near.png', '--zoom', '2', '--camera', 'near.camera')
        self.assertEqual(rows('--view', 'left', '--camera', 'near.camera'), rows('--orbit', '90,0', '--camera', 'near.camera'))
        self.assertNotEqual(rows('--view', 'left', '--camera', 'near.camera'), rows('--camera', 'near.camera'))

    def test_atoms_chosen_by_place_follow_the_frames(self):
        """A series and its single frames choose the same atoms."""
        lines = ('--layer', 'x < 0 or y > 0.5: spheres, red', '--layer', 'all: ball-and-stick, lime', '--camera', 'view.camera',
                 '--legend=false')
        self.render('film.png', *lines, '--frames', '0:1', files=('two.xyz',))
        single = self.render('one.png', *lines, '--frames', '1', files=('two.xyz',))
        self.assertEqual(single.read_bytes(), (self.folder / 'film-0001.png').read_bytes())
        counts = [self.colored(png_pixels.read(self.folder / f'film-000{frame}.png')[2], RED, left=WIDTH // 2) for frame in (0, 1)]
        self.assertEqual(counts[0], 0)
        self.assertGreater(counts[1], 300)

    def test_cameras_that_are_none(self):
        for content, problem in (('{"camera": {"height": 3}}', 'expected a camera'), ('[]', 'expected a camera'),
                                 ('{', 'wrong.camera'), ('', 'wrong.camera')):
            (self.folder / 'wrong.camera').write_text(content, encoding='ascii')
            done = self.run_cli('render', '-o', 'a.png', '--camera', 'wrong.camera', 'four.xyz')
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(problem, done.stderr)
        for text in ('0,0,0,1:0,0,0:nan', '0,0,0,1:0,0,0:-5', '0,0,0,0:0,0,0:10', '0,0,0,1:0,0,0:10:200'):
            done = self.run_cli('render', '-o', 'a.png', '--camera', text, 'four.xyz')
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f'--camera: “{text}” is no camera', done.stderr)
            self.assertFalse((self.folder / text).exists())


if __name__ == '__main__':
    unittest.main()
