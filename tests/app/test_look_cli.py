#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The look of pictures by options of debye-cli render: background, light, shadow, projection, colour bars."""
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
import png_pixels  # noqa: E402

# Side by side, far enough that neither touches the other.
PAIR = '2\ntwo\nC -3 0 0\nC 3 0 0\n'
# One behind the other.
DEEP = '2\ntwo\nC -8 0 0\nC 8 0 -20\n'
SIDE = 200


class LookTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-look-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write(self, text, name='pair.xyz'):
        (self.folder / name).write_text(text, encoding='utf-8')
        return self.folder / name

    def draw(self, atoms, *options):
        """Rows of (red, green, blue, opacity), without what stands in corners."""
        path = self.folder / 'x.png'
        done = cli.run('render', '--style', 'spheres', '--size', f'{SIDE}x{SIDE}', '--no-scale-bar', '--no-legend',
                       '--ambient-occlusion', '0', '--outline', '0', '--depth-cue', '0', *options, '-q', '-o', path, atoms)
        self.assertEqual(done.returncode, 0, done.stderr)
        width, height, rows = png_pixels.read(path)
        self.assertEqual((width, height), (SIDE, SIDE))
        return rows

    def columns(self, rows, background=(255, 255, 255)):
        """Where the middle row leaves the background: first and last column of each thing."""
        row, found = rows[SIDE // 2], []
        for x, pixel in enumerate(row):
            if pixel[:3] != background and (not found or found[-1][1] < x - 1):
                found.append([x, x])
            elif pixel[:3] != background:
                found[-1][1] = x
        return found

    @staticmethod
    def light(rows, columns):
        return sum(sum(rows[SIDE // 2][x][:3]) for x in columns)

    def test_background(self):
        rows = self.draw(self.write(PAIR), '--background', '#204060')
        self.assertEqual(rows[0][0], (0x20, 0x40, 0x60, 255))
        self.assertEqual(self.draw(self.write(PAIR), '--background', 'navy')[SIDE - 1][0], (0, 0, 128, 255))

    def test_brightness(self):
        pair = self.write(PAIR)
        self.assertEqual(self.draw(pair, '--brightness', '0')[SIDE // 2][self.columns(self.draw(pair))[0][0] + 10][:3], (0, 0, 0))

    def test_direction(self):
        """From the right the right half is lit, from the left the left one, mirrored."""
        pair = self.write(PAIR)
        right = self.draw(pair, '--light-turn', '90', '--light-tilt', '0')
        left = self.draw(pair, '--light-turn=-90', '--light-tilt', '0')
        first, last = self.columns(right)[0]
        middle = (first + last + 1) // 2
        self.assertGreater(self.light(right, range(middle, last)), 1.3 * self.light(right, range(first, middle)))
        self.assertAlmostEqual(self.light(right, range(first, last + 1)), self.light(left, range(first, last + 1)),
                               delta=0.02 * self.light(left, range(first, last + 1)))

    def test_shadow(self):
        """Light from the right: the right atom throws its shadow on the left one and has none."""
        pair = self.write(PAIR)
        light = ('--light-turn', '90', '--light-tilt', '0')
        bare, shaded = self.draw(pair, *light), self.draw(pair, *light, '--shadow', '1')
        halves = [[self.light(rows, range(first, last + 1)) for first, last in self.columns(rows)] for rows in (bare, shaded)]
        self.assertLess(halves[1][0], 0.9 * halves[0][0])
        self.assertAlmostEqual(halves[1][1], halves[0][1], delta=0.01 * halves[0][1])

    def test_projection(self):
        """Orthographic, both atoms are equally wide; in perspective the near one is wider."""
        deep = self.write(DEEP)
        widths = {name: [last - first for first, last in self.columns(self.draw(deep, '--projection', name))]
                  for name in ('orthographic', 'perspective')}
        self.assertLessEqual(abs(widths['orthographic'][0] - widths['orthographic'][1]), 1)
        self.assertGreater(widths['perspective'][0], widths['perspective'][1] + 3)

    def test_scene_file(self):
        """A scene file and a preset have the same keys."""
        pair = self.write(PAIR)
        scene = self.write('background = #204060\nlight-turn = 90\nshadow = 0.5\n', 'look.scene')
        self.assertEqual(self.draw(pair, '--scene', scene),
                         self.draw(pair, '--background', '#204060', '--light-turn', '90', '--shadow', '0.5'))

    def test_refused(self):
        pair = self.write(PAIR)
        for option, text in (('--background=mauvish', 'expected a colour'), ('--shadow=2', 'shadow'), ('--brightness=bright', 'brightness'),
                             ('--projection=fisheye', 'projection'), ('--color-bar=slanted', 'color-bar')):
            with self.subTest(option):
                done = cli.run('render', option, '-o', self.folder / 'x.png', pair)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(text, done.stderr.lower())
                self.assertFalse((self.folder / 'x.png').exists())


if __name__ == '__main__':
    unittest.main()
