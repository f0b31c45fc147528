#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Title cards, captions and plots of debye-cli render: when they are seen, where, and what is refused."""
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import png_pixels  # noqa: E402
from cli_case import CliCase  # noqa: E402
from test_film import read_gif  # noqa: E402

SAMPLES = pathlib.Path(os.environ['DEBYE_SAMPLES_DIR'])
HELIX = (SAMPLES / 'helix.psf', SAMPLES / 'helix.xtc')
VIEW = ('-s', 'protein', '--style', 'lines', '--samples', '1', '--legend=false', '--scale-bar=false', '--axes=false')
WIDTH, HEIGHT = 160, 100


class FilmPage(CliCase):
    def run_render(self, name, *options, size=(WIDTH, HEIGHT)):
        return self.run_cli('render', '--quiet', '--size', f'{size[0]}x{size[1]}', '-o', name, *VIEW, *options, *HELIX)

    def gif(self, *options):
        """The pictures of a movie of 6 pictures, 10 a second: rows of colours."""
        done = self.run_render('a.gif', '--turn', '60', '--pictures', '6', '--rate', '10', *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        pictures = read_gif((self.folder / 'a.gif').read_bytes())[2]
        return [[colors[WIDTH * row:WIDTH * (row + 1)] for row in range(HEIGHT)] for _, colors in pictures]

    def png(self, name, *options, size=(WIDTH, HEIGHT)):
        done = self.run_render(name, *options, size=size)
        self.assertEqual(done.returncode, 0, done.stderr)

    def measure(self, *outputs):
        done = self.run_cli('measure', '--quiet', '--atoms', '0,90', *(word for name in outputs for word in ('-o', name)), *HELIX)
        self.assertEqual(done.returncode, 0, done.stderr)

    def refuse(self, status, name, *options):
        done = self.run_render(name, *options)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertFalse((self.folder / name).exists())
        return done.stderr

    @staticmethod
    def dark(rows, left, right, top, bottom):
        return sum(max(pixel[:3]) < 120 for row in rows[top:bottom] for pixel in row[left:right])

    def test_title_comes_first_and_fades(self):
        plain = self.gif()
        seen = self.gif('--title', 'Title', '--title', 'smaller', '--title-time', '2')
        self.assertEqual(len(seen), 26)
        self.assertEqual(seen[20:], plain)
        self.assertTrue(all(picture == seen[0] for picture in seen[:15]))
        # Words stand in the middle, and nothing at the rim, where the view has atoms or not.
        self.assertGreater(self.dark(seen[0], WIDTH // 4, 3 * WIDTH // 4, HEIGHT // 3, 2 * HEIGHT // 3), 10)
        self.assertEqual(self.dark(seen[0], 0, WIDTH, 0, HEIGHT // 4) + self.dark(seen[0], 0, WIDTH, 3 * HEIGHT // 4, HEIGHT), 0)
        # The last half second changes from picture to picture.
        self.assertEqual(len({str(picture) for picture in seen[14:21]}), 7)

    def test_captions_have_their_times(self):
        plain = self.gif()
        seen = self.gif('--caption', '0.2-0.4: NNN', '--caption', '0.5-: NNN')
        changed = [i for i in range(6) if seen[i] != plain[i]]
        self.assertEqual(changed, [2, 3, 5])
        for i in (2, 3):
            rows = [row for row in range(HEIGHT) if seen[i][row] != plain[i][row]]
            self.assertGreater(self.dark(seen[i], WIDTH // 4, 3 * WIDTH // 4, 2 * HEIGHT // 3, HEIGHT), 5)
            columns = [k for row in rows for k in range(WIDTH)
                       if max(abs(a - b) for a, b in zip(seen[i][row][k], plain[i][row][k])) > 60]
            self.assertAlmostEqual((min(columns) + max(columns)) / 2, WIDTH / 2, delta=3)

    def test_numbered_pictures(self):
        """The title's have the first numbers; each is made again by the command of the series."""
        options = ('--frames', '0:20:10', '--rate', '10', '--title', 'Title', '--title-time', '0.4', '--caption', '0-0.1: NNN')
        self.png('a.png', *options)
        self.png('b.png', *options[:2])
        names = sorted(path.name for path in self.folder.glob('a-*.png'))
        self.assertEqual(names, [f'a-{i:04}.png' for i in range(7)])
        words, view = ([png_pixels.read(self.folder / name)[2] for name in chosen] for chosen in (names, ('b-0000.png', 'b-0001.png')))
        self.assertGreater(self.dark(words[0], WIDTH // 4, 3 * WIDTH // 4, HEIGHT // 3, 2 * HEIGHT // 3), 10)
        self.assertNotEqual(words[4], view[0], 'a caption')
        self.assertEqual(words[5], view[1])
        for name in (names[1], names[5]):
            done = self.run_cli('rerun', '--json', name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(json.loads(done.stdout)['same'], done.stdout)
        self.assertEqual(sorted(path.name for path in self.folder.glob('a-*.png')), names)

    def test_long_words_stay_within(self):
        """A title becomes smaller, a caption ends early: both keep off the picture's rim."""
        plain = self.gif()
        seen = self.gif('--title', 150 * 'word ', '--title-time', '0.1', '--caption', '0-: ' + 500 * 'word ')
        self.assertGreater(self.dark(seen[0], 0, WIDTH, 0, HEIGHT), 100)
        self.assertEqual(self.dark(seen[0], 0, WIDTH, 0, 3) + self.dark(seen[0], 0, WIDTH, HEIGHT - 3, HEIGHT), 0)
        self.assertNotEqual(seen[1], plain[0])
        self.assertEqual(seen[1][0], plain[0][0])

    def test_small_pictures(self):
        """Of a plot nothing is seen there, and nothing fails."""
        self.measure('d.h5')
        for size in ((1, 1), (2, 40), (40, 2), (40, 30)):
            with self.subTest(size):
                done = self.run_render('s.png', '--frames', '0', '--plot', 'd.h5', size=size)
                self.assertEqual((done.returncode, done.stderr), (0, ''))
                self.assertEqual(png_pixels.read(self.folder / 's.png')[:2], size)

    def test_mark_follows_the_frames(self):
        self.measure('d.h5')
        size = (480, 300)
        self.png('a.png', '--frames', '20:60:20', '--plot', 'd.h5', size=size)
        for i, frame in enumerate((20, 40, 60)):
            rows = png_pixels.read(self.folder / f'a-{i:04}.png')[2]
            self.assertEqual((len(rows[0]), len(rows)), size)
            lines = [k for k in range(300, 480) if sum(max(row[k][:3]) < 190 for row in rows) > 65]
            left, right = lines[0], lines[-1]
            inner = [k for k in lines if left + 3 < k < right - 3]
            self.assertTrue(inner, lines)
            self.assertAlmostEqual((sum(inner) / len(inner) - left) / (right - left), frame / 80, delta=0.03)
            # What is to come is paler than what was.
            place = inner[0]
            pure = [sum(pixel[2] > pixel[0] + 60 for row in rows for pixel in row[from_:to])
                    for from_, to in ((left + 2, place - 4), (inner[-1] + 5, right - 2))]
            self.assertGreater(pure[0], 10)
            self.assertLess(pure[1], 0.2 * pure[0])

    def test_one_picture_is_made_again(self):
        self.measure('d.h5', 'd.csv')
        self.png('a.png', '--frames', '30', '--plot', 'd.h5:distance')
        done = self.run_cli('rerun', '-o', 'b.png', 'a.png')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / 'a.png').read_bytes(), (self.folder / 'b.png').read_bytes())
        self.assertIn(b'd.h5', (self.folder / 'a.png').read_bytes())
        # The same from a table, and below the view of a high picture.
        self.png('c.png', '--frames', '30', '--plot', 'd.csv', size=(120, 200))
        rows = png_pixels.read(self.folder / 'c.png')[2]
        self.assertGreater(self.dark(rows, 0, 120, 130, 200), 100)

    def test_scene_file(self):
        """Its files are relative to it, that of the plot too."""
        self.measure('d.h5')
        folder = self.folder / 'scenes'
        folder.mkdir()
        (self.folder / 'd.h5').rename(folder / 'd.h5')
        (folder / 'a.scene').write_text('[scene]\nplot = d.h5:distance\ntitle = One; Two\ncaption = 0-0.1: first; 0.1-: second\n',
                                        encoding='utf-8')
        done = self.run_render('a.gif', '--scene', 'scenes/a.scene', '--frames', '0:10:2', '--rate', '10', '--title-time', '0.5')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(read_gif((self.folder / 'a.gif').read_bytes())[2]), 11)

    def test_captions_refused(self):
        movie = ('--turn', '60', '--pictures', '6', '--rate', '10')
        for line in ('Text', '1-2:', '1: Text', 'a-b: Text', '1–2: Text'):
            with self.subTest(line):
                self.assertIn('FROM-TO: TEXT', self.refuse(2, 'a.gif', *movie, '--caption', line))
        for line in ('2-1: Text', '1-1: Text'):
            with self.subTest(line):
                self.assertIn('ends before it begins', self.refuse(2, 'a.gif', *movie, '--caption', line))
        # The pictures' times have their middles at 0.05 s, 0.15 s, … 0.55 s.
        for line in ('0.16-0.24: short', '0.56-: late'):
            with self.subTest(line):
                self.assertIn('falls between two pictures', self.refuse(1, 'a.gif', *movie, '--caption', line))
        error = self.refuse(1, 'a.gif', *movie, '--caption', '0.2-0.4: ok', '--caption', '0.6-: late')
        self.assertIn('“0.6-: late” begins after the end of the movie, which lasts 0.6 s', error)
        self.assertIn('ends after the end', self.refuse(1, 'a.gif', *movie, '--caption', '0-2: long'))
        for option in (('--caption', '0-1: Text'), ('--title', 'T'), ('--title-time', '2')):
            self.assertIn('expected a movie or several pictures, found one', self.refuse(2, 'a.png', '--frames', '0', *option))

    def test_plots_refused(self):
        self.assertIn('none.h5', self.refuse(1, 'a.png', '--plot', 'none.h5'))
        self.measure('d.h5')
        error = self.refuse(1, 'a.png', '--plot', 'd.h5:angle')
        self.assertIn('distance', error)
        done = self.run_cli('rdf', '--quiet', '--pair', 'element O', 'element O', '--frames', '0', '-o', 'g.h5', *HELIX)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('g.h5: expected curves over time or frames, found r (Å)', self.refuse(1, 'a.png', '--plot', 'g.h5'))
        # No frame lies in the plot: it is drawn, with a warning.
        (self.folder / 'late.csv').write_text('frame,d\n500,1\n600,2\n', encoding='ascii')
        done = self.run_cli('render', '--frames', '3', '--plot', 'late.csv', '--size', '96x64', '-o', 'b.png', *VIEW, *HELIX)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('no frame lies within the plot', done.stderr)
        # Frames that have no time, under curves that go over time.
        (self.folder / 'two.xyz').write_text(2 * '1\ntwo\nC 0 0 0\n', encoding='ascii')
        done = self.run_cli('render', '--frames', '1', '--plot', 'd.h5', '-o', 'c.png', 'two.xyz')
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn('frame 1 of the trajectory has none', done.stderr)


if __name__ == '__main__':
    unittest.main()
