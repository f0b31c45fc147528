#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Plots that debye-cli writes: the right texts as texts, the right size, the curves of the quantity asked for."""
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402

SAMPLES = pathlib.Path(os.environ['DEBYE_SAMPLES_DIR'])
SALT = (SAMPLES / 'salt.psf', SAMPLES / 'salt.xtc')
SVG = '{http://www.w3.org/2000/svg}'


class PlotCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='debye-plots-'))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def plot(self, name, *arguments, status=0):
        done = cli.run('rdf', '--pair', 'element Na', 'element O', '--pair', 'element O', 'element O', '--frames', '0:-1:10',
                       '-o', self.folder / name, *arguments, *SALT)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def texts(self, name):
        root = ElementTree.parse(self.folder / name).getroot()
        return root, [''.join(node.itertext()) for node in root.iter(f'{SVG}text')]


class PlotTest(PlotCase):
    def test_texts_are_texts(self):
        self.plot('g.svg')
        root, texts = self.texts('g.svg')
        whole = '\n'.join(texts)
        for expected in ('g(r)', 'r (Å)', 'Na–O', 'O–O', '2.77'):
            self.assertIn(expected, whole)
        # One column of a journal, in points.
        self.assertAlmostEqual(float(root.get('viewBox').split()[2]), 89 / 25.4 * 72, delta=0.6)
        self.assertAlmostEqual(float(root.get('viewBox').split()[3]), 66 / 25.4 * 72, delta=0.6)

    def test_quantities(self):
        for quantity, label in (('coordination', 'n(r)'), ('radial_distribution', '4πr²ρg(r)'),
                                ('mean_force_potential', 'w(r) (kJ/mol)')):
            self.plot('q.svg', '--plot', quantity)
            _, texts = self.texts('q.svg')
            plain = '\n'.join(texts).replace('\u2009', ' ')
            self.assertIn(label.replace('²', '2'), plain.replace('²', '2'))
            # Named after their pairs, not after the quantity.
            self.assertIn('O–O', texts)
        self.plot('s.svg', '--plot', 'structure_factor', '--structure-factor', '0.5:10:0.1')
        self.assertIn('S(q)', self.texts('s.svg')[1])

    def test_bin_beyond_the_largest_distance(self):
        """A size of a plot that became the width of a bin would count for minutes."""
        self.assertIn('Bin width', self.plot('x.svg', '--width', '540', status=1).stderr)

    def test_sizes_and_kinds(self):
        self.plot('g.png', '--size', '100x50mm', '-o', self.folder / 'g.pdf')
        png = (self.folder / 'g.png').read_bytes()
        self.assertEqual(png[:8], b'\x89PNG\r\n\x1a\n')
        width, height = struct.unpack('>II', png[16:24])
        self.assertEqual((width, height), (round(100 / 25.4 * 300), round(50 / 25.4 * 300)))
        self.assertTrue((self.folder / 'g.pdf').read_bytes().startswith(b'%PDF-'))

    def test_logarithmic_axes(self):
        """Ticks are powers of ten on the axes that are asked for."""
        for axes, x_is_log, y_is_log in (('none', False, False), ('x', True, False), ('y', False, True), ('xy', True, True)):
            self.plot('n.svg', '--plot', 'coordination', '--log', axes)
            texts = self.texts('n.svg')[1]
            self.assertEqual('0.1' in texts, x_is_log or y_is_log, axes)
            # Up to three times the fullest first shell.
            self.assertEqual('15' in texts, not y_is_log, axes)    # n(r)
            self.assertEqual('3' in texts, not x_is_log, axes)     # Å
        self.plot('n.svg', '--log', 'z', status=2)

    def test_measured_curves(self):
        """Over g(r) as they are, x in the axis' unit; those over another axis, or of no file, are refused."""
        measured = self.folder / 'measured.dat'
        measured.write_text('# r (nm)  g  error\n0.28 2.5 0.1\n0.3 1.5 0.1\n0.45 1.1 0.1\n', encoding='utf-8')
        self.plot('g.svg', '--measured', measured)
        self.assertIn('measured', self.texts('g.svg')[1])
        self.plot('g.pdf', '--size', '640x480', '--dpi', '96', '--measured', measured)
        self.assertIn(b'/MediaBox [ 0 0 480 360 ]', (self.folder / 'g.pdf').read_bytes())
        self.plot('g.csv', '--plot', 'g', '--measured', measured)
        numbers = (self.folder / 'g.csv').read_text(encoding='utf-8')
        self.assertRegex(numbers, r'measured.*\b2\.8(0000+\d*)?,')
        over_q = self.folder / 'q.dat'
        over_q.write_text('# q (1/nm)  S\n10 0.5\n20 1.5\n30 1.1\n', encoding='utf-8')
        self.assertIn('expected a curve over r', self.plot('g.svg', '--measured', over_q, status=1).stderr)
        self.plot('s.svg', '--plot', 'structure_factor', '--structure-factor', '0.5:10:0.1', '--measured', over_q)
        self.assertIn('q', self.texts('s.svg')[1])
        self.assertIn('none.dat', self.plot('g.svg', '--measured', self.folder / 'none.dat', status=1).stderr)

    def paths(self, name):
        """Of each line of curves: its colour, width and dashes."""
        root, _ = self.texts(name)
        return [(node.get('stroke'), float(node.get('stroke-width')), node.get('stroke-dasharray'))
                for node in root.iter(f'{SVG}path') if node.get('stroke-linecap') == 'round']

    def test_look(self):
        """Ranges, ticks, labels, curves, the legend, lines and texts are what was asked for."""
        self.plot('g.svg', '--x-range', '2:6', '--y-range', ':4', '--x-ticks', '1/4', '--y-ticks', '0,1,4', '--x-label',
                  'distance *r* (Å)', '--y-label', '*g*', '--curve', 'element Na-element O: #ff0000, dotted, 3, "Na, *first*"',
                  '--curve', '2: hidden', '--markers', 'off', '--add-line', 'x=3.5: shell', '--add-text', '4,3: here')
        root, texts = self.texts('g.svg')
        for expected in ('distance r (Å)', 'g', 'shell', 'here', '3'):
            self.assertIn(expected, texts)
        self.assertEqual([text for text in texts if text in ('2', '3', '4', '5', '6')].count('4'), 2)   # on both axes
        for unexpected in ('2.77', 'O–O', '8', '10'):
            self.assertNotIn(unexpected, texts)
        self.assertIn(('#ff0000', 3.0), [path[:2] for path in self.paths('g.svg')])
        italic = [''.join(node.itertext()) for node in root.iter(f'{SVG}tspan') if node.get('font-style') == 'italic']
        self.assertIn('r', italic)

    def test_second_axis(self):
        """n(r) at the right of g(r), dashed, in the colours of its pairs."""
        self.plot('g.svg', '--second', 'coordination', '--second-range', '0:30', '--second-ticks', '15')
        _, texts = self.texts('g.svg')
        for expected in ('g(r)', 'n(r)', '15', '30', 'Na–O, n(r)'):
            self.assertIn(expected, texts)
        curves = self.paths('g.svg')
        for color in ('#004583', '#e04f00'):
            dashes = {dash is None for stroke, _, dash in curves if stroke == color}
            self.assertEqual(dashes, {True, False}, color)
        refused = self.plot('x.svg', '--second', 'foo', status=1)
        self.assertIn('coordination', refused.stderr)

    def test_style_as_a_file(self):
        """The options of one plot in a file are those of another."""
        style = self.folder / 'style.ini'
        style.write_text('x-range = 2:6\nx-label = *r* in Å\ncurve = 1: #112233; 2: "oxygen"\ninset = 3:4, bottom-right\n',
                         encoding='utf-8')
        self.plot('g.svg', '--config', style)
        root, texts = self.texts('g.svg')
        self.assertIn('r in Å', texts)
        self.assertIn('oxygen', texts)
        self.assertIn('#112233', [path[0] for path in self.paths('g.svg')])
        self.assertTrue([node for node in root.iter(f'{SVG}g') if node.get('id') == 'plot-inset'])

    def test_normalised_relaxation(self):
        """F(q, τ)/F(q, 0) of chosen q on a logarithmic axis, in one command: the topmost curve begins near 1."""
        output = self.folder / 'f.svg'
        done = cli.run('scattering', '-q', '--dynamic', '--kind', 'incoherent', '--q', '0.5,1', '--orientation', 'exact', '--frames',
                       '0:20', '--log', 'x', '--divide', 'first', '--y-range', '0:1', '-o', output, SAMPLES / 'water.psf',
                       SAMPLES / 'water.xtc')
        self.assertEqual(done.returncode, 0, done.stderr)
        _, texts = self.texts('f.svg')
        for expected in ('F(q, τ)/F(q, 0)', '10', '0.0', '1.0', 'q = 0.5 Å−1'):
            self.assertIn(expected, texts)
        self.assertNotIn('fm2', ''.join(texts))
        refused = self.plot('x.svg', '--divide', 'first', status=1)
        self.assertIn('--divide first: the first value of', refused.stderr)

    def test_legend_at_ends(self):
        self.plot('g.svg', '--legend', 'ends')
        root, _ = self.texts('g.svg')
        frame_end = 0.8 * 89 / 25.4 * 72
        names = {''.join(node.itertext()): float(node.get('x')) for node in root.iter(f'{SVG}text')}
        self.assertGreater(names['O–O'], frame_end)
        # Beyond them is the second axis, which is a line of its own there.
        self.plot('g.svg', '--legend', 'ends', '--second', 'coordination', '--second-ticks', '7')
        root, _ = self.texts('g.svg')
        places = {''.join(node.itertext()): float(node.get('x')) for node in root.iter(f'{SVG}text')}
        self.assertTrue(frame_end * 0.7 < places['O–O'] <= places['O–O, n(r)'] < places['7'], places)
        self.plot('g.svg', '--legend', 'ends', '--second', 'coordination', '--curve', '1: "a name as long as half of the page is wide"')
        root, _ = self.texts('g.svg')
        places = {''.join(node.itertext()): float(node.get('x')) for node in root.iter(f'{SVG}text')}
        self.assertLess(places['a name as long as half of the page is wide'], frame_end * 0.7, 'the frame is kept')
        self.plot('g.svg', '--legend', 'none')
        self.assertNotIn('O–O', self.texts('g.svg')[1])

    def test_mistakes_of_looks(self):
        """Grammar is refused before anything is computed; what the plot hasn't, and what its axes can't show, by name."""
        for option, value, expected in (
                ('--x-range', '6:2', 'FIRST below LAST'), ('--y-ticks', '0', 'a step above 0'), ('--legend', 'moon', 'top-left'),
                ('--curve', 'O: dahsed', 'dahsed'), ('--add-line', '3', 'x=VALUE'), ('--add-text', '3', 'X,Y: TEXT'),
                ('--inset', '3:', 'FIRST below LAST'), ('--inset', '3:4, ends', 'a position in the frame'),
                ('--errors', 'some', 'band'), ('--markers', 'maybe', 'off')):
            told = self.plot('x.svg', option, value, status=2).stderr
            self.assertIn(f'rdf: {option}', told)
            self.assertIn(expected, told)
        for options, expected in (
                (('--log', 'x', '--x-range', '0:6'), '--x-range: expected values above 0'),
                (('--log', 'y', '--y-ticks', '2'), '--y-ticks: expected values'),
                (('--add-text', '4,300: here'), 'found “--add-text 4,300: here”'),
                (('--add-line', 'x=3', '--add-line', 'x=300'), 'found “--add-line x=300”'),
                (('--x-ticks', '0.0001'), '--x-ticks: expected at most 100'),
                (('--inset', '100:200'), '--inset: no curve has a point in the range “100:200”'),
                (('--second-range', '0:30'), '--second-range: no plot has a second axis. Add --second QUANTITY.'),
                (('--second-ticks', '15'), '--second-ticks: no plot'), (('--second-label', 'n'), '--second-label: no plot'),
                (('--curve', 'Ne: blue'), '“element Na-element O”, “element O-element O”')):
            self.assertIn(expected, self.plot('x.svg', *options, status=1).stderr)
        self.assertFalse((self.folder / 'x.svg').exists())

    def test_profile_of_a_map(self):
        done = cli.run('map', '--select', 'ion', '--spacing', '2', '--frames', '0', '-o', self.folder / 'm.h5', *SALT)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = cli.run('field', '--profile', 'z', '-o', self.folder / 'p.svg', self.folder / 'm.h5')
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = '\n'.join(self.texts('p.svg')[1])
        self.assertIn('z (Å)', whole)
        self.assertIn('kT/e', whole)
        done = cli.run('field', '-o', self.folder / 'p.svg', self.folder / 'm.h5')
        self.assertEqual(done.returncode, 2)
        self.assertIn('--profile', done.stderr)

    def test_rerun_of_curves(self):
        self.plot('g.h5')
        told = cli.run_json('rerun', self.folder / 'g.h5')
        self.assertEqual((told['rms_difference'], told['largest_difference']), (0, 0))

    def test_mistakes_are_found_before_computing(self):
        self.assertIn('structure_factor', self.plot('x.svg', '--plot', 'foo', status=2).stderr)
        self.assertIn('--structure-factor', self.plot('x.svg', '--plot', 'xray_f', status=2).stderr)
        for size in ('3x', 'nanx800', '800xnan', 'nanx60mm', '60xnanmm', 'infx800'):
            self.assertIn(size, self.plot('x.svg', '--size', size, status=2).stderr)
        self.assertFalse((self.folder / 'x.svg').exists())

    def test_a_quantity_that_the_result_lacks_is_named(self):
        (self.folder / 'open.xyz').write_text('3\n\nO 0 0 0\nO 3 0 0\nO 0 4 0\n', encoding='ascii')
        done = cli.run('rdf', '--pair', 'element O', 'element O', '--max', '8', '--plot', 'g', '-o', self.folder / 'g.svg',
                       self.folder / 'open.xyz')
        self.assertEqual(done.returncode, 1)
        self.assertIn('coordination', done.stderr)


class PresetTest(PlotCase):
    """Sizes and texts by names; what is given holds, and what a preset says of other commands does not."""

    def size_of(self, name):
        whole = (self.folder / name).read_bytes()
        place = whole.index(b'pHYs') + 4
        width, height = struct.unpack('>II', whole[16:24])
        return width, height, round(struct.unpack('>I', whole[place:place + 4])[0] * 0.0254)

    def test_sizes(self):
        for preset, millimetres, dpi in (('nature', (89, 66), 600), ('acs', (82.5, 62), 600), ('aps', (86, 64), 600),
                                         ('poster', (260, 195), 200), ('slide-dark', (338.7, 190.5), 144)):
            self.plot('p.png', '--preset', preset)
            width, height, density = self.size_of('p.png')
            self.assertEqual(density, dpi)
            self.assertAlmostEqual(width, millimetres[0] / 25.4 * dpi, delta=1)
            self.assertAlmostEqual(height, millimetres[1] / 25.4 * dpi, delta=1)

    def test_command_line_holds(self):
        self.plot('p.png', '--preset', 'nature', '--dpi', '100')
        self.assertEqual(self.size_of('p.png')[2], 100)
        # Of a curve too, whatever the preset says of all.
        self.plot('p.svg', '--preset', 'nature', '--curve', '1: #123456, 4')
        root, _ = self.texts('p.svg')
        own = [node for node in root.iter() if '#123456' in ' '.join(node.attrib.values())]
        self.assertTrue(any(node.get('stroke-width') == '4' for node in own), [node.attrib for node in own])

    def test_own(self):
        presets = self.folder / 'debye' / 'presets'
        presets.mkdir(parents=True)
        (presets / 'mine.ini').write_text('size = 40x30mm\nwidth = 540\n', encoding='utf-8')
        environment = {**cli.environment(), 'XDG_DATA_HOME': str(self.folder)}
        for name in ('mine', presets / 'mine.ini'):
            done = cli.run('rdf', '--pair', 'element O', 'element O', '--frames', '0', '--dpi', '254', '--preset', name, '-o',
                           self.folder / 'p.png', *SALT, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.size_of('p.png'), (400, 300, 254))

    def test_refused(self):
        done = self.plot('p.png', '--preset', 'natur', status=2)
        self.assertIn('nature', done.stderr)
        wrong = self.folder / 'wrong.ini'
        for text, expected in (('pairs = 3\n', 'pairs'), ('dpi = many\n', 'dpi'), ('dpi\n', 'wrong.ini'),
                               ('curve = 1: nonsense\n', 'nonsense'), ('[render]\ndpi = 50\n', '[render]'),
                               ('dpi = 50\n\0', 'zero byte'), ('#' * 2**20 + '\ndpi = 50\n', '1 MiB')):
            wrong.write_text(text, encoding='utf-8')
            self.assertIn(expected, self.plot('p.png', '--preset', wrong, status=2).stderr)
        # A picture's own styles are words of the same option.
        done = cli.run('render', '--preset', 'natur', '-o', self.folder / 'r.png', SAMPLES / 'protease.pqr')
        self.assertEqual(done.returncode, 2)
        self.assertIn('projector', done.stderr)

    def test_old_size(self):
        """plot-size is a size in mm: of presets beside the views' own, of files of settings, and of lines as they were recorded."""
        old = self.folder / 'old.ini'
        for text, line in (('plot-size = 40x30\nsize = 640x480\n', '--preset'), ('plot-size = 40x30mm\n', '--preset'),
                           ('plot-size = 40x30\n', '--config')):
            old.write_text(text, encoding='utf-8')
            self.plot('p.png', line, old, '--dpi', '254')
            self.assertEqual(self.size_of('p.png'), (400, 300, 254), text)
        old.write_text('plot-size = 40x30\nsize = 64x48\n', encoding='utf-8')
        self.plot('p.png', '--preset', old, '--size', '50x20mm', '--dpi', '254')
        self.assertEqual(self.size_of('p.png'), (500, 200, 254))
        for size in ('40x30', '40x30mm'):
            self.plot('p.png', '--plot-size', size, '--dpi', '254')
            self.assertEqual(self.size_of('p.png'), (400, 300, 254))
        done = cli.run('render', '--preset', old, '--samples', '1', '-o', self.folder / 'r.png', SAMPLES / 'protease.pqr')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.size_of('r.png')[:2], (64, 48))
        self.plot('g.h5')
        done = cli.run('figure', '--preset', old, '--width', '50', '--dpi', '127', '-o', self.folder / 'f.png', self.folder / 'g.h5:g')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.size_of('f.png')[0], 250)
        done = cli.run('render', '--plot-size', '40x30', '-o', self.folder / 'r.png', SAMPLES / 'protease.pqr')
        self.assertEqual(done.returncode, 2)

    def test_group(self):
        style = self.folder / 'style.ini'
        style.write_text('[plot]\nsize = 40x30mm\n', encoding='utf-8')
        self.plot('p.png', '--preset', style, '--dpi', '254')
        self.assertEqual(self.size_of('p.png'), (400, 300, 254))

    def test_views_and_figures(self):
        done = cli.run('render', '--preset', 'slide-dark', '--dpi', '36', '-o', self.folder / 'r.png', SAMPLES / 'protease.pqr')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.size_of('r.png'), (480, 270, 36))
        self.plot('g.h5')
        done = cli.run('figure', '--preset', 'aps', '--dpi', '127', '-o', self.folder / 'f.png', self.folder / 'g.h5:g')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.size_of('f.png')[0], 178 * 5)


if __name__ == '__main__':
    unittest.main(verbosity=2)
