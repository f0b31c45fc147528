#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What debye-cli render draws, pixel by pixel: what was chosen, in the colours that its bar has, without what is not there."""
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
import png_pixels  # noqa: E402

SAMPLES = pathlib.Path(os.environ['DEBYE_SAMPLES_DIR'])
HELIX = (SAMPLES / 'helix.psf', SAMPLES / 'helix.xtc')


def ramp_map(path, n):
    """A map of n³ points that rises along x from −n/2 to n/2."""
    values = ' '.join(str(i - 0.5 * (n - 1)) for i in range(n) for _ in range(n * n))
    path.write_text(f'object 1 class gridpositions counts {n} {n} {n}\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\ndelta 0 0 1\n'
                    f'object 2 class gridconnections counts {n} {n} {n}\n'
                    f'object 3 class array type double rank 0 items {n ** 3} data follows\n{values}\n', encoding='ascii')


class PicturesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-pictures-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def draw(self, *arguments, size='240x160'):
        """The rows of pixels."""
        path = self.folder / 'picture.png'
        done = cli.run('render', '--quiet', '--size', size, '--samples', '4', '-o', path, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return png_pixels.read(path)[2]

    def test_a_cartoon_with_what_is_not_polymer(self):
        """Chosen ions and water stand beside a chosen cartoon; a cartoon alone has neither."""
        bare = ('--legend=false', '--scale-bar=false', '--style', 'cartoon', '--view', 'front')
        alone = self.draw(*bare, '-s', 'protein', *HELIX)
        for more in ('resname CL', 'resname NA or resname CL', 'water and within 4 of protein'):
            self.assertNotEqual(self.draw(*bare, '-s', f'protein or {more}', *HELIX), alone, more)
        # Nothing but what is no polymer: drawn all the same.
        ions = self.draw(*bare, '-s', 'ion', *HELIX)
        self.assertTrue(any(pixel[:3] != (255, 255, 255) for row in ions for pixel in row))

    def test_any_plane(self):
        """Across an axis it is that axis' slice; through a corner it has three sides, and leaves paper around it. One that stands on
        edge from the front is seen from a side."""
        ramp_map(self.folder / 'ramp.dx', 12)
        bare = ('--map', self.folder / 'ramp.dx', '--legend=false', '--scale-bar=false')
        across = self.draw(*bare, '--slice', 'z')
        other = self.draw(*bare, '--slice', '5.5,5.5,5.5:0,0,2')
        differing = sum(a != b for ours, theirs in zip(across, other) for a, b in zip(ours, theirs))
        self.assertLess(differing, 0.01 * 240 * 160, 'the same plane, sampled at other points')
        painted = []
        for plane in ('5.5,5.5,5.5:1,1,1', '11,0,0:1,1,1', '5.5,5.5,5.5:1,1,0', '5.5,5.5,5.5:0,1,0.1'):
            rows = self.draw(*bare, '--slice', plane)
            painted.append(sum(pixel[:3] != (255, 255, 255) for row in rows for pixel in row))
        self.assertGreater(min(painted), 1000)

    def test_color_maps(self):
        """Every map paints its own colours, and a file's are read as they stand."""
        ramp_map(self.folder / 'ramp.dx', 12)
        options = ('--map', self.folder / 'ramp.dx', '--slice', 'z', '--legend=false', '--scale-bar=false')
        plain = self.draw(*options)
        self.assertEqual(self.draw(*options, '--color-map', 'RdBu'), plain)
        seen = {str(self.draw(*options, '--color-map', name)) for name in ('viridis', 'cividis', 'inferno', 'PiYG', 'grey')}
        self.assertEqual(len(seen | {str(plain)}), 6)
        table = self.folder / 'green.txt'
        table.write_text('0 0 0\n0 255 0\n', encoding='ascii')
        middle = self.draw(*options, '--color-map', table)[80][110]
        self.assertEqual((middle[0], middle[2]), (0, 0), middle)
        self.assertGreater(middle[1], 50)
        atoms = ('--legend=false', '--scale-bar=false', '--style', 'sticks', '--color', 'charge', *HELIX)
        self.assertNotEqual(self.draw(*atoms), self.draw(*atoms, '--color-map', 'PiYG'))

    def test_contours(self):
        """Each step is a line of its own: twice as many at half the step, none without."""
        ramp_map(self.folder / 'ramp.dx', 12)
        options = ('--map', self.folder / 'ramp.dx', '--slice', 'z', '--legend=false', '--scale-bar=false')
        plain = self.draw(*options)
        self.assertEqual(self.draw(*options, '--contours', 'off'), plain)

        def lines(*contours):
            """Pixels of a row near the top that a line has changed, in runs."""
            drawn = self.draw(*options, *contours)
            marks = [ours[:3] != theirs[:3] for ours, theirs in zip(drawn[14], plain[14])]
            return sum(mark and not before for before, mark in zip([False] + marks, marks))
        coarse, fine = lines('--contours', '4'), lines('--contours', '2')
        self.assertGreaterEqual(coarse, 2)
        self.assertGreaterEqual(fine, 2 * coarse - 1)
        self.assertEqual(lines('--contours', '0'), lines('--contours', 'auto'))

    def test_a_slice_has_the_colours_of_its_bar(self):
        """Every colour of the plane is one of the bar, and its ends are the bar's; translucent, so is the bar."""
        ramp_map(self.folder / 'ramp.dx', 12)
        options = ('--map', self.folder / 'ramp.dx', '--slice', 'z', '--scale-bar=false')
        for opacity in ((), ('--opacity', '0.5')):
            rows = self.draw(*options, *opacity, size='360x300')
            middle = rows[150][:240]
            plane = [pixel for pixel in middle if pixel[:3] != (255, 255, 255)]
            bar = {pixel[:3] for row in rows for pixel in row[270:]}
            self.assertGreater(len(plane), 100)
            for pixel in (plane[4], plane[-5], plane[len(plane) // 4], plane[3 * len(plane) // 4]):
                distance = min(max(abs(a - b) for a, b in zip(pixel, color)) for color in bar)
                self.assertLessEqual(distance, 4, (opacity, pixel))
        opaque, translucent = (self.draw(*options, '--opacity', opacity, size='360x300')[150][20:220]
                               for opacity in ('1', '0.5'))
        self.assertNotEqual(opaque, translucent, '--opacity reaches a slice')
        self.assertEqual(opaque, self.draw(*options, size='360x300')[150][20:220], 'opaque unless said otherwise')

    def test_no_halo_on_nothing(self):
        """Black text on transparency is black: no pixel is bright."""
        ramp_map(self.folder / 'ramp.dx', 6)
        rows = self.draw('--map', self.folder / 'ramp.dx', '--slice', 'z', '--transparent', '--zoom', '0.5',
                         size='600x300')
        text = [pixel for row in rows[:40] for pixel in row[450:] if pixel[3] > 0]  # the unit, above the bar
        scale = [pixel for row in rows[270:] for pixel in row if pixel[3] > 0]
        self.assertTrue(text and scale)
        for pixel in scale:
            self.assertLess(min(pixel[:3]), 230, pixel)

    def test_the_scale_bar_has_no_plate(self):
        """Where the bar stands on a slice, the slice is seen between its words."""
        ramp_map(self.folder / 'ramp.dx', 12)
        options = ('--map', self.folder / 'ramp.dx', '--slice', 'z', '--zoom', '3', '--legend=false')
        rows, bare = (self.draw(*options, *more, size='300x300') for more in ((), ('--scale-bar=false',)))
        changed = [sum(a != b for a, b in zip(row, other)) for row, other in zip(rows, bare)]
        # A plate would change the whole of its rectangle; words and a line change less than half of any row but the line's.
        self.assertGreater(sum(changed), 0)
        wide = [n for n in changed if n > 0]
        self.assertLess(sorted(wide)[len(wide) // 2], 0.7 * max(wide))

    def test_a_size_in_millimetres(self):
        """As many pixels as that is at the resolution, which the file states; text has its size whatever the resolution."""
        heights = []
        for dpi in (150, 300):
            path = self.folder / 'mm.png'
            done = cli.run('render', '--quiet', '--size', '40x30mm', '--dpi', dpi, '--samples', '1', '--text-size', '10',
                           '-o', path, '--style', 'lines', '-s', 'name CA', *HELIX)
            self.assertEqual(done.returncode, 0, done.stderr)
            width, height, rows = png_pixels.read(path)
            self.assertEqual((width, height), (round(40 / 25.4 * dpi), round(30 / 25.4 * dpi)))
            density = dict(png_pixels.chunks(path.read_bytes()))['pHYs']
            self.assertEqual(struct.unpack('>IIB', density), (round(dpi / 0.0254), round(dpi / 0.0254), 1))
            # The scale bar stands at the foot: from its words' top to its line's lower edge.
            dark = [y for y in range(height // 2, height) if any(max(p[:3]) < 120 for p in rows[y][:width // 2])]
            heights.append((dark[-1] - dark[0]) / dpi)
        self.assertAlmostEqual(heights[0], heights[1], delta=0.02)
        for size in ('40x30cm', '40mmx30mm', '0x30mm', '4000x3000mm'):
            done = cli.run('render', '--size', size, '-o', self.folder / 'no.png', *HELIX)
            self.assertEqual(done.returncode, 2, size)
            self.assertIn('--size: expected', done.stderr)


if __name__ == '__main__':
    unittest.main()
