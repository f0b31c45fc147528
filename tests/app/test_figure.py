#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli figure: views, plots and pictures on one page."""
import os
import pathlib
import re
import shutil
import struct
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
import png_pixels  # noqa: E402

SAMPLES = pathlib.Path(os.environ['DEBYE_SAMPLES_DIR'])
POINTS = 72 / 25.4


def inflate(data):
    """The file with its streams unpacked."""
    parts = []
    for stream in re.findall(rb'stream\r?\n(.*?)endstream', data, re.DOTALL):
        try:
            parts.append(zlib.decompress(stream))
        except zlib.error:
            pass
    return data + b''.join(parts)


class FigureTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-figure-'))
        cls.result, cls.scene, cls.picture = (cls.folder / name for name in ('rdf.h5', 'helix.scene', 'small.png'))
        cls.succeed('rdf', '--quiet', '--pair', 'all', 'all', '--max', '8', '--bins', '40', '-o', cls.result,
                    SAMPLES / 'argon.psf', SAMPLES / 'argon.xtc')
        cls.scene.write_text(f'[scene]\nfiles = {SAMPLES / "helix.psf"};{SAMPLES / "helix.xtc"}\nzoom = 1.2\n',
                             encoding='utf-8')
        cls.succeed('render', '--quiet', '--size', '64x48', '--samples', '1', '-o', cls.picture, '--scene', cls.scene)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def succeed(cls, *arguments):
        done = cli.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done

    def test_pdf(self):
        """The page is as wide as was said; one view of as many pixels as its panel; plots are drawn, not rastered."""
        path = self.folder / 'figure.pdf'
        self.succeed('figure', '--quiet', '--dpi', '96', '--width', '120', '-o', path, self.scene, self.result,
                     f'{self.result}:coordination', self.picture)
        data = inflate(path.read_bytes())
        box = [float(number) for number in re.search(rb'/MediaBox \[([^\]]*)\]', data).group(1).split()]
        self.assertAlmostEqual(box[2], 120 * POINTS, delta=0.01)
        sizes = {(int(width), int(height)) for width, height in
                 re.findall(rb'/Width (\d+)\s+/Height (\d+)', data)}
        panel = (120 - 3.5) / 2
        self.assertIn((round(panel * 96 / 25.4), round(0.75 * panel * 96 / 25.4)), sizes)
        self.assertIn((64, 48), sizes)
        self.assertIn(b'/Font', data)

    def test_size_and_lines(self):
        """A page of a size in mm or pixels; a low panel has two labels at its axis; lines in points, texts apart from them."""
        path, space = self.folder / 'sized.svg', '{http://www.w3.org/2000/svg}'
        self.succeed('figure', '--quiet', '--size', '183x45mm', '--columns', '3', '--line-width', '0.9', '-o', path,
                     self.result, f'{self.result}:coordination', self.picture)
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertAlmostEqual(float(root.get('width')[:-2]), 183 * POINTS, delta=0.01)
        self.assertAlmostEqual(float(root.get('height')[:-2]), 45 * POINTS, delta=0.01)
        widths = {node.get('stroke-width') for node in root.iter(f'{space}path') if node.get('stroke-linecap') == 'butt'}
        self.assertEqual(len(widths), 1, widths)
        self.assertAlmostEqual(float(widths.pop()), 0.9, delta=0.06)
        numbers = [text for text in root.iter(f'{space}text') if text.get('text-anchor') == 'end']
        self.assertGreaterEqual(len(numbers), 4)
        self.assertLess(max(float(text.get('font-size')) for text in root.iter(f'{space}text') if text.text), 9.0)
        pixels = self.folder / 'pixels.png'
        self.succeed('figure', '--quiet', '--size', '640x480', '-o', pixels, self.result)
        self.assertEqual(struct.unpack('>II', pixels.read_bytes()[16:24]), (640, 480))
        done = cli.run('figure', '--size', '64x48', '-o', pixels, self.result)
        self.assertEqual(done.returncode, 2)
        self.assertIn('expected WIDTHxHEIGHTmm', done.stderr)

    def test_dark_page(self):
        """The preset of a slide has a dark page with light texts."""
        path = self.folder / 'dark.svg'
        self.succeed('figure', '--quiet', '--preset', 'slide-dark', '-o', path, self.result)
        root, space = xml.etree.ElementTree.parse(path).getroot(), '{http://www.w3.org/2000/svg}'
        page = next(node for node in root.iter(f'{space}g') if node.get('id') == 'page')
        self.assertEqual(page.find(f'{space}rect').get('fill'), '#1e1e1e')
        self.assertIn('#dedede', {text.get('fill') for text in root.iter(f'{space}text')})

    def test_outlines(self):
        """On request no text needs its font: there is none, in SVG and in PDF."""
        path, pdf = self.folder / 'outlines.svg', self.folder / 'outlines.pdf'
        self.succeed('figure', '--quiet', '--outlines', '--letters', 'small', '-o', path, '-o', pdf, self.result)
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(list(root.iter('{http://www.w3.org/2000/svg}text')), [])
        self.assertNotIn(b'/FontFile', inflate(pdf.read_bytes()))
        letter = next(node for node in root.iter() if node.get('id') == 'letter-a')
        self.assertEqual([node.tag.split('}')[1] for node in letter], ['clipPath', 'path'])

    def test_svg(self):
        """Groups and curves have ids, texts are texts; frames of a row are equally high, those of a column equally wide."""
        path = self.folder / 'figure.svg'
        self.succeed('figure', '--quiet', '--columns', '2', '-o', path, self.result, f'{self.result}:coordination',
                     f'{self.result}:mean_force_potential', self.picture)
        root = xml.etree.ElementTree.parse(path).getroot()
        space = '{http://www.w3.org/2000/svg}'
        ids = [element.get('id') for element in root.iter() if element.get('id')]
        self.assertEqual(len(ids), len(set(ids)), ids)
        for wanted in ('panel-a', 'panel-b', 'panel-c', 'panel-d', 'letter-a', 'panel-a-curve-1-line'):
            self.assertIn(wanted, ids)
        self.assertAlmostEqual(float(root.get('width')[:-2]), 183 * POINTS, delta=0.01)
        frames = {}
        for clip in root.iter(space + 'clipPath'):
            frames[clip.get('id')] = [float(clip[0].get(name)) for name in ('x', 'y', 'width', 'height')]
        a, b, c = (frames[f'panel-{letter}-frame'] for letter in 'abc')
        self.assertEqual((a[1], a[3]), (b[1], b[3]))
        self.assertEqual((a[0], a[2]), (c[0], c[2]))
        self.assertEqual(len(list(root.iter(space + 'image'))), 1)
        self.assertTrue(any('frames' in ''.join(text.itertext()) for text in self.texts('--caption')))
        self.assertFalse(any('frames' in ''.join(text.itertext()) for text in self.texts()))

    def test_pixels(self):
        """A page of pixels has as many, at each resolution."""
        path = self.folder / 'pixels.png'
        for dpi in ('72', '300'):
            for size in ('1205x903', '640x481'):
                self.succeed('figure', '--quiet', '--size', size, '--dpi', dpi, '-o', path, self.picture, self.picture, self.picture)
                self.assertEqual('%dx%d' % struct.unpack('>II', path.read_bytes()[16:24]), size, dpi)

    def test_width_before_size(self):
        """A width on the line holds against a size of a file; in one place the size takes the place of the width."""
        path, file = self.folder / 'width.png', self.folder / 'size.ini'
        def width(*options):
            self.succeed('figure', '--quiet', '--dpi', '127', '-o', path, *options, self.picture)
            return struct.unpack('>I', path.read_bytes()[16:20])[0]
        file.write_text('size = 100x80mm\n', encoding='utf-8')
        for kind in ('--config', '--preset'):
            self.assertEqual(width(kind, file), 500)
            self.assertEqual(width(kind, file, '--width', '60'), 300)
        self.assertEqual(width('--size', '100x80mm', '--width', '60'), 500)

    def test_shells_are_said(self):
        """The coordination numbers of one pair's shells, before how g(r) was normalised."""
        result, path = self.folder / 'shells.h5', self.folder / 'shells.svg'
        self.succeed('rdf', '--quiet', '--pair', 'name OW', 'name OW', '-o', result, SAMPLES / 'water.psf', SAMPLES / 'water.xtc')
        self.succeed('figure', '--quiet', '--caption', '-o', path, result)
        words = ' '.join(''.join(text.itertext()) for text in xml.etree.ElementTree.parse(path).getroot().iter('{http://www.w3.org/2000/svg}text'))
        self.assertRegex(words, r'name OW–name OW: 4\.46 neighbours up to 3\.33 Å, 24\.6 up to 5\.68 Å.*normalised')

    def test_fit_is_said(self):
        """That a measured curve was scaled and had a background taken off: in the caption, or in its name where there is none."""
        result, measured = self.folder / 'fit.h5', self.folder / 'fit.dat'
        self.succeed('scattering', '--quiet', '--probe', 'xray', '--q', '0.05:0.5:0.05', '-o', result, SAMPLES / 'protease.pqr')
        measured.write_text('# q (1/Å)  I\n' + ''.join(f'{0.05 * i} {9 - 0.5 * i}\n' for i in range(1, 10)), encoding='utf-8')
        for options in ((), ('--caption',), ('--preset', 'nature')):
            path = self.folder / 'fit.svg'
            self.succeed('figure', '--quiet', *options, '-o', path, f'{result}+{measured}')
            self.assertRegex(path.read_text(encoding='utf-8'), r'background', options)

    def test_text_size(self):
        """The largest text of a plot has that size, and its lines stay; a PNG states its resolution."""
        def largest(texts):
            return max(float(text.get('font-size')) for text in texts)
        self.assertEqual(largest(self.texts('--letters', 'none', '--text-size', '6')), 6)
        self.assertEqual(largest(self.texts('--letters', 'small', '--text-size', '6.5')), 7.53)  # a letter is larger
        self.assertEqual(largest(self.texts('--text-size', '6.5')), 6.5)  # a single panel has none unless asked
        widths = [set(re.findall(r'stroke-width="([^"]*)"', self.page(*options))) for options in ((), ('--text-size', '5'))]
        self.assertEqual(*widths)
        path = self.folder / 'dense.png'
        self.succeed('figure', '--quiet', '--dpi', '150', '-o', path, self.result)
        self.assertEqual(dict(png_pixels.chunks(path.read_bytes()))['pHYs'][:4], (5906).to_bytes(4, 'big'))
        plot = self.folder / 'plot.svg'
        self.succeed('rdf', '--quiet', '--pair', 'all', 'all', '--max', '8', '--bins', '40', '--text-size', '7', '--caption=false',
                     '--size', '60x45mm', '-o', plot, SAMPLES / 'argon.psf', SAMPLES / 'argon.xtc')
        text = plot.read_text(encoding='utf-8')
        self.assertEqual(max(float(size) for size in re.findall(r'font-size="([^"]*)"', text)), 7)
        self.assertNotIn('used', text)

    def test_tiff(self):
        """As many pixels as the PNG has, the same ones, and the resolution; of a figure, a plot, a view."""
        lines = (('figure', '--dpi', '120', self.result), ('render', '--size', '60x40', '--samples', '1', '--scene', self.scene),
                 ('rdf', '--dpi', '120', '--pair', 'all', 'all', '--max', '8', '--bins', '40', SAMPLES / 'argon.psf',
                  SAMPLES / 'argon.xtc'))
        for line in lines:
            with self.subTest(line[0]):
                for ending in ('png', 'tiff'):
                    self.succeed(*line, '--quiet', '-o', self.folder / f'same.{ending}')
                width, height, rows = png_pixels.read(self.folder / 'same.png')
                data = (self.folder / 'same.tiff').read_bytes()
                self.assertEqual(data[:8], b'II*\0\x08\0\0\0')
                entries = struct.unpack('<H', data[8:10])[0]
                fields = {tag: value for tag, _, _, value in (struct.unpack('<HHII', data[10 + 12 * i:22 + 12 * i])
                                                              for i in range(entries))}
                self.assertEqual((fields[256], fields[257], fields[277]), (width, height, 3))
                pixels = b''.join(bytes(pixel[:3]) for row in rows for pixel in row)
                self.assertEqual(data[fields[273]:], pixels)
                numerator, denominator = struct.unpack('<II', data[fields[282]:fields[282] + 8])
                self.assertAlmostEqual(numerator / denominator, 96 if line[0] == 'render' else 120)

    def page(self, *options):
        path = self.folder / 'page.svg'
        self.succeed('figure', '--quiet', *options, '-o', path, self.result)
        return path.read_text(encoding='utf-8')

    def texts(self, *options):
        root = xml.etree.ElementTree.fromstring(self.page(*options).encode())
        return list(root.iter('{http://www.w3.org/2000/svg}text'))

    def test_names_of_the_file(self):
        """The names that groups of a result file have: a matrix as its curves, the means over q."""
        result = self.folder / 'time.h5'
        self.succeed('scattering', '--quiet', '--kind', 'incoherent', '--dynamic', '--orientation', 'exact', '--q', '0.5,1',
                     '-o', result, SAMPLES / 'argon.psf', SAMPLES / 'argon.xtc')
        for name in ('fqt', 'fq0', 'fq', 'fq2', 'fqt-map', 'F'):
            with self.subTest(name):
                path = self.folder / f'{name}.svg'
                self.succeed('figure', '--quiet', '-o', path, f'{result}:{name}')
                self.assertIn('panel-a', path.read_text(encoding='utf-8'))
        text = (self.folder / 'fqt.svg').read_text(encoding='utf-8')
        self.assertIn('panel-a-curve-2-line', text)
        self.assertIn('/<tspan font-style="italic">N</tspan>', text, 'the axis says what F is divided by')

    def test_measured_beside_a_result(self):
        """After a plus sign, which may stand in a name, too; not with a picture."""
        measured, odd = self.folder / 'measured.dat', self.folder / 'a+b.dat'
        for path in (measured, odd):
            path.write_text('# r (nm)  g\n0.3 2.5\n0.4 1.5\n0.5 1.1\n', encoding='utf-8')
        path = self.folder / 'both.pdf'
        self.succeed('figure', '--quiet', '--log', 'x', '-o', path, f'{self.result}+{measured}', f'{odd}+{measured}',
                     f'{self.result}:coordination+{odd}')
        self.assertTrue(path.read_bytes().startswith(b'%PDF-'))
        for panel, text in ((f'{self.picture}+{measured}', 'found a picture'), (f'{self.result}+{self.folder}/no.dat', 'no.dat')):
            done = cli.run('figure', '-o', path, panel)
            self.assertEqual(done.returncode, 1)
            self.assertIn(text, done.stderr)

    def test_results_in_one_panel(self):
        """Several results in one panel are named after their files; a second axis where a panel has the quantity."""
        again = self.folder / 'again.h5'
        shutil.copy(self.result, again)
        found = self.texts(f'{self.result}+{again}', self.picture, '--second', 'coordination', '--legend', 'above')
        texts = [''.join(text.itertext()) for text in found]
        for expected in ('rdf: all-all', 'again: all-all', 'n(r)'):
            self.assertTrue(any(expected in text for text in texts), (expected, texts))
        named = self.texts(f'{self.result}+{again}', self.picture, '--legend', 'ends')
        self.assertTrue(any('again: all-all' in ''.join(text.itertext()) for text in named))
        refused = cli.run('figure', '-o', self.folder / 'x.svg', '--second', 'foo', self.result)
        self.assertIn('--second: expected a quantity that a panel has', refused.stderr)
        refused = cli.run('figure', '-o', self.folder / 'x.svg', '--curve', 'foo: blue', self.result)
        self.assertIn('--curve: expected the name of a curve', refused.stderr)

    def test_quantities_in_one_panel(self):
        """Quantities behind plus signs, and of --also: in the unit of the left axis there, else on the right one, which has one unit.
        The name of the one file tells nothing apart."""
        def read(*options):
            return [''.join(text.itertext()) for text in self.texts(*options)]
        found = read(f'{self.result}:g+{self.result}:coordination')
        self.assertTrue({'all-all', 'all-all, n(r)', 'n(r)'} <= set(found), found)
        found = read('--also', 'coordination')
        self.assertTrue({'all-all, g(r)', 'all-all, n(r)', 'g(r), n(r)'} <= set(found), found)
        for panel, reason in ((f'{self.result}:g+{self.result}:coordination+{self.result}:mean_force_potential',
                               'in the unit of its left or right axis'),
                              (f'{self.result}:g+{self.result}:foo', 'a quantity of the result, found “foo”')):
            refused = cli.run('figure', '-o', self.folder / 'x.svg', panel)
            self.assertEqual(refused.returncode, 1, refused)
            self.assertIn(reason, refused.stderr)
        own = f'{self.result}:g+{self.result}:coordination'
        for option in ('--also', '--second'):
            refused = cli.run('figure', '-o', self.folder / 'x.svg', option, 'coordination', self.result, own)
            self.assertEqual(refused.returncode, 1, refused)
            self.assertIn(f'{option}: the panel of {self.result.name} names its quantities itself', refused.stderr)
        refused = cli.run('figure', '-o', self.folder / 'x.svg', '--also', 'mean_force_potential', self.result)
        self.assertIn('--also: expected quantities that a panel has', refused.stderr)

    def test_style_of_a_panel(self):
        """A file behind a panel and @ is of that panel alone, over what is said of all."""
        style = self.folder / 'style.ini'
        style.write_text('x-label = *r* of b\ny-range = 0:2\nlog = none\n', encoding='utf-8')
        found = self.texts(f'{self.result}@{style}', '--x-label', 'of all', '--y-range', ':40')
        texts = [''.join(text.itertext()) for text in found]
        self.assertEqual((texts.count('of all'), texts.count('r of b')), (1, 1))
        style.write_text('curve = foo: blue\n', encoding='utf-8')
        refused = cli.run('figure', '-o', self.folder / 'x.svg', f'{self.result}@{style}')
        self.assertIn('found “foo: blue”', refused.stderr)

    def test_settings_from_file(self):
        path, config = self.folder / 'again.png', self.folder / 'figure.ini'
        config.write_text('[figure]\nfiles = small.png;small.png\ncolumns = 1\nwidth = 50\ndpi = 100\n', encoding='utf-8')
        figures = cli.run_json('figure', '--config', config, '-o', path)
        self.assertAlmostEqual(figures['width'], 50)
        self.assertGreater(figures['height'], 2 * 0.75 * 50)
        self.assertEqual(path.read_bytes()[:4], b'\x89PNG')

    def test_without_fonts(self):
        """A cluster's node may have none."""
        fonts = self.folder / 'fonts.conf'
        fonts.write_text(f'<fontconfig><dir>{self.folder}/none</dir><cachedir>{self.folder}/cache</cachedir></fontconfig>\n',
                         encoding='utf-8')
        os.environ['FONTCONFIG_FILE'] = str(fonts)
        try:
            table = self.succeed('rdf', '--plot', 'g', '--pair', 'all', 'all', '--max', '8', '--bins', '40', '-o', self.folder / 'numbers.csv',
                                 SAMPLES / 'argon.psf', SAMPLES / 'argon.xtc')
            done = [self.succeed('figure', '-o', self.folder / 'boxes.png', self.result),
                    self.succeed('render', '--size', '64x48', '-o', self.folder / 'boxes.png', SAMPLES / 'argon.psf',
                                 SAMPLES / 'argon.xtc')]
            bare = self.succeed('render', '--strict', '--no-legend', '--no-axes', '--no-scale-bar', '--size', '64x48', '-o',
                                self.folder / 'bare.png', SAMPLES / 'argon.psf', SAMPLES / 'argon.xtc')
            strict = cli.run('render', '--strict', '--size', '64x48', '-o', self.folder / 'strict.png', SAMPLES / 'argon.psf',
                             SAMPLES / 'argon.xtc')
        finally:
            del os.environ['FONTCONFIG_FILE']
        for told in done:
            self.assertEqual(told.stderr.count('no font'), 1, told.stderr)
        for told in (table, bare):
            self.assertNotIn('no font', told.stderr, 'there are no texts to draw')
        self.assertEqual(strict.returncode, 1)
        self.assertIn('no font', strict.stderr)
        self.assertFalse((self.folder / 'strict.png').exists())
        self.assertNotIn('no font', self.succeed('figure', '-o', self.folder / 'letters.png', self.result).stderr)

    def test_refused(self):
        for arguments, status, text in (
                ((self.picture,), 2, 'expected --output'), (('-o', 'x.jpg', self.picture), 2, '.jpg'),
                (('-o', self.folder / 'x.pdf', self.folder / 'none.h5'), 1, 'none.h5'),
                (('-o', self.folder / 'x.pdf', f'{self.result}:fqt'), 1, 'expected one of g'),
                (('-o', self.folder / 'x.pdf', SAMPLES / 'argon.psf'), 1, 'another ending')):
            with self.subTest(arguments):
                done = cli.run('figure', *arguments)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(text, done.stderr)
                self.assertFalse((self.folder / 'x.pdf').exists())


if __name__ == '__main__':
    unittest.main()
