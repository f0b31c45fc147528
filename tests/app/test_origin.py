#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How a picture was made, kept in its file and made again: PNG, TIFF, SVG and PDF of views, plots and figures."""
import hashlib
import json
import os
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
import png_pixels  # noqa: E402
from cli_case import CliCase  # noqa: E402

WATER = '4\nLattice="9 0 0 0 9 0 0 0 9"\nO 0 0 0\nO 3 0 0\nO 0 4 1\nO 5 5 5\n'
SMALL = ('--size', '120x80', '--samples', '1')


class Origin(CliCase):
    def setUp(self):
        super().setUp()
        (self.folder / 'two.xyz').write_text('2\na\nC 0 0 0\nO 2 0 0\n2\nb\nC 0 0 0\nO 0 3 0\n', encoding='ascii')
        # Names are kept as they are given, so the program runs beside the files.
        self.before = os.getcwd()
        os.chdir(self.folder)

    def tearDown(self):
        os.chdir(self.before)
        super().tearDown()

    def succeed(self, *arguments):
        done = cli.run(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def rerun(self, name, *options):
        return json.loads(self.succeed('rerun', '--json', *options, name))

    def test_texts_of_a_view(self):
        self.succeed('render', *SMALL, '--layer', 'element O: spheres, red', '-o', 'a.png', 'two.xyz')
        texts = png_pixels.texts(self.folder / 'a.png')
        self.assertEqual(texts['Title'], 'Picture: two.xyz')
        self.assertRegex(texts['Software'], r'^Debye \d')
        self.assertRegex(texts['Command'], r"^debye-cli render --layer 'element O: spheres, red' .*--frames 0 two\.xyz$")
        content = (self.folder / 'two.xyz').read_bytes()
        self.assertEqual(texts['Inputs'], f'{hashlib.sha256(content).hexdigest()} {len(content)} two.xyz')

    def test_made_again(self):
        """From another folder, too, as the files are found beside the picture; a series as its single pictures."""
        options = (*SMALL, '--orbit', '20,30', '--zoom', '0.8', '--style', 'spheres', '--color', 'element')
        self.succeed('render', *options, '-o', 'a.png', '--frames', '0:1', 'two.xyz')
        self.succeed('render', *SMALL, '-o', 'a.tiff', 'two.xyz')
        for name in ('a-0000.png', 'a-0001.png', 'a.tiff'):
            self.assertEqual(self.rerun(name), {'same': True, 'changed_inputs': []}, name)
        self.assertEqual(self.rerun('a-0001.png', '-o', 'b.png'), {'same': True, 'changed_inputs': []})
        self.assertEqual((self.folder / 'b.png').read_bytes(), (self.folder / 'a-0001.png').read_bytes())
        os.chdir('/')
        self.succeed('rerun', '-o', self.folder / 'c.png', self.folder / 'a-0001.png')
        self.assertEqual(png_pixels.drawn(self.folder / 'c.png'), png_pixels.drawn(self.folder / 'a-0001.png'))

    def test_a_series_that_turns(self):
        self.succeed('render', *SMALL, '-o', 'a.png', '--turn', '90', '--pictures', '3', 'two.xyz')
        self.assertEqual(len({png_pixels.drawn(self.folder / f'a-000{i}.png') for i in range(3)}), 3)
        self.assertTrue(self.rerun('a-0002.png')['same'])

    def test_an_input_that_has_changed(self):
        self.succeed('render', *SMALL, '-o', 'a.png', 'two.xyz')
        content = (self.folder / 'two.xyz').read_text(encoding='ascii')
        (self.folder / 'two.xyz').write_text(content.replace('O 2 0 0', 'O 3 0 0'), encoding='ascii')
        done = cli.run('rerun', '--json', 'a.png')
        self.assertEqual(json.loads(done.stdout), {'same': False, 'changed_inputs': ['two.xyz']})
        self.assertIn('two.xyz: changed since the result was made', done.stderr)

    def test_plots_and_figures(self):
        (self.folder / 'cell.xyz').write_text(WATER, encoding='ascii')
        outputs = [word for ending in ('png', 'svg', 'tiff', 'pdf') for word in ('-o', f'g.{ending}')]
        line = ('rdf', '--quiet', '--pair', 'element O', 'element O', '--max', '4', '--log', 'x')
        self.succeed(*line, *outputs, '-o', 'g.h5', 'cell.xyz')
        command = "debye-cli rdf --pair 'element O' 'element O' --max 4 --log x cell.xyz"
        self.assertEqual(png_pixels.texts(self.folder / 'g.png')['Command'], command)
        root = xml.etree.ElementTree.parse(self.folder / 'g.svg').getroot()
        self.assertIn(f'Command: {command}\n', root.find('{http://www.w3.org/2000/svg}metadata').text)
        self.assertRegex((self.folder / 'g.pdf').read_bytes(), rb'/Creator \(Debye \d')
        self.succeed('figure', '--columns', '1', '-o', 'f.svg', '-o', 'f.png', 'g.h5:g')
        for name in ('g.png', 'g.svg', 'g.tiff', 'f.svg', 'f.png'):
            self.assertEqual(self.rerun(name), {'same': True, 'changed_inputs': []}, name)
        self.assertIn(' g.h5', png_pixels.texts(self.folder / 'f.png')['Inputs'])

    def test_names_that_are_no_text(self):
        """Bytes that are no UTF-8, newlines and backslashes: a command that a shell reads, and pictures made again."""
        for name in (os.fsdecode(b'w\xe9.xyz'), 'two\nlines.xyz', 'a\\x41\'$\'.xyz', 'ümläut\x07.xyz', 'c\x9b.xyz', 'x\ufffe.xyz'):
            with self.subTest(ascii(name)):
                (self.folder / name).write_text(WATER, encoding='ascii')
                outputs = [word for ending in ('png', 'svg', 'tiff', 'pdf') for word in ('-o', f'g.{ending}')]
                self.succeed('rdf', '--quiet', '--pair', 'element O', 'element O', '--max', '4', *outputs, name)
                root = xml.etree.ElementTree.parse(self.folder / 'g.svg').getroot()
                text = root.find('{http://www.w3.org/2000/svg}metadata').text
                self.assertEqual(len(text.splitlines()), 4, text)
                command = png_pixels.texts(self.folder / 'g.png')['Command']
                self.assertIn(f'Command: {command}\n', text)
                words = subprocess.run(['bash', '-c', f'printf "%s\\0" {command}'], stdout=subprocess.PIPE, check=True).stdout
                self.assertEqual(words.split(b'\0')[-2], os.fsencode(name))
                for made in ('g.png', 'g.svg', 'g.tiff'):
                    self.assertEqual(self.rerun(made), {'same': True, 'changed_inputs': []}, made)
                (self.folder / name).write_text(WATER + '\n', encoding='ascii')
                self.assertIn('changed since the result was made', cli.run('rerun', 'g.tiff').stderr)

    def test_devices_of_the_rerun(self):
        """They are those of the new computation; the picture is the same with any number of threads."""
        (self.folder / 'cell.xyz').write_text(WATER, encoding='ascii')
        self.succeed('rdf', '--quiet', '--pair', 'element O', 'element O', '--max', '4', '-o', 'g.png', 'cell.xyz')
        self.succeed('figure', '-o', 'f.png', 'g.png')
        self.assertTrue(self.rerun('g.png', '--device', 'cpu', '--threads', '3', '--memory', '1G')['same'])
        self.assertTrue(self.rerun('f.png', '--threads', '3')['same'])
        done = cli.run('rerun', '--device', 'cuda:99', 'g.png')
        self.assertEqual(done.returncode, 1)
        self.assertIn('cuda:99', done.stderr)
        done = cli.run('rerun', '--memory', '1', 'g.png')
        self.assertEqual(done.returncode, 1)
        self.assertIn('the limit is 0.0 kB', done.stderr)

    def test_pdf_is_refused(self):
        (self.folder / 'cell.xyz').write_text(WATER, encoding='ascii')
        self.succeed('rdf', '--quiet', '--pair', 'element O', 'element O', '--max', '4', '-o', 'g.PDF', 'cell.xyz')
        done = cli.run('rerun', 'g.PDF')
        self.assertEqual(done.returncode, 1)
        self.assertIn('g.PDF: a PDF stores its command, but rerun', done.stderr)

    def names(self, picture):
        return [line.split(' ', 2)[2] for line in png_pixels.texts(self.folder / picture)['Inputs'].splitlines()]

    def make_elsewhere(self, picture):
        """Made again from another folder: the files are found beside the picture."""
        os.chdir('/')
        told = self.rerun(self.folder / picture, '-o', self.folder / 'elsewhere.png')
        os.chdir(self.folder)
        self.assertEqual(told['changed_inputs'], [])
        self.assertEqual(png_pixels.drawn(self.folder / 'elsewhere.png'), png_pixels.drawn(self.folder / picture))

    def test_inputs_of_options_and_panels(self):
        """Measured curves, each of them, those that are fitted, and all files of a panel: kept, found and checked."""
        (self.folder / 'cell.xyz').write_text(WATER, encoding='ascii')
        (self.folder / 'style.ini').write_text('x-label = r\n', encoding='ascii')
        for name, scale in (('a.dat', 1), ('b+c.dat', 2)):
            (self.folder / name).write_text(''.join(f'{x / 10} {scale * x} 0.1\n' for x in range(1, 40)), encoding='ascii')
        self.succeed('rdf', '--quiet', '--pair', 'element O', 'element O', '--max', '4', '--measured', 'a.dat', '--measured',
                     'b+c.dat', '-o', 'g.png', '-o', 'g.h5', 'cell.xyz')
        self.succeed('figure', '-o', 'f.png', 'g.h5:g+b+c.dat@style.ini', 'a.dat+b+c.dat')
        self.succeed('scattering', '--quiet', '--q', '0.7:4.9:0.7', '-o', 'i.h5', 'cell.xyz')
        self.succeed('fit', '--quiet', '--data', 'a.dat', '--data-unit', '1/A', '--plot', 'comparison', '-o', 'fit.png', 'i.h5')
        (self.folder / 'q.txt').write_text('0.7 0 0\n0 0.7 0\n0 0 1.4\n', encoding='ascii')
        self.succeed('scattering', '--quiet', '--q-vectors', 'q.txt', '-o', 'q.png', 'cell.xyz')
        for picture, names in (('q.png', ['cell.xyz', 'q.txt']),
                               ('g.png', ['cell.xyz', 'a.dat', 'b+c.dat']), ('fit.png', ['i.h5', 'a.dat']),
                               ('f.png', ['g.h5', 'b+c.dat', 'style.ini', 'a.dat'])):
            self.assertEqual(self.names(picture), names)
            self.assertTrue(self.rerun(picture)['same'], picture)
            self.make_elsewhere(picture)
        (self.folder / 'a.dat').write_text('1 2 3\n2 3 4\n3 5 6\n', encoding='ascii')
        for picture in ('g.png', 'f.png', 'fit.png'):
            self.assertIn('a.dat: changed since the result was made', cli.run('rerun', picture).stderr, picture)

    def test_maps_and_colours_of_layers(self):
        (self.folder / 'pot.dx').write_text(
            'object 1 class gridpositions counts 2 2 2\norigin -4 -4 -4\ndelta 9 0 0\ndelta 0 9 0\ndelta 0 0 9\n'
            'object 2 class gridconnections counts 2 2 2\nobject 3 class array type double rank 0 items 8 data follows\n'
            '-4 -3 -2\n-1 1 2\n3 4\n', encoding='ascii')
        (self.folder / 'colours.txt').write_text('0 0 1\n1 1 1\n1 0 0\n', encoding='ascii')
        self.succeed('render', *SMALL, '--layer', 'element C: surface, color-field pot.dx', '--layer',
                     'element O: surface, opacity 0.5, surface-color="pot.dx"', '-o', 'a.png', 'two.xyz')
        self.succeed('render', *SMALL, '--map', 'pot.dx', '--slice', 'z:0', '--color-map', 'colours.txt', '-o', 'b.png', 'two.xyz')
        self.assertEqual(self.names('a.png'), ['two.xyz', 'pot.dx'])
        self.assertEqual(sorted(self.names('b.png')), ['colours.txt', 'pot.dx', 'two.xyz'])
        for picture in ('a.png', 'b.png'):
            self.assertTrue(self.rerun(picture)['same'], picture)
            self.make_elsewhere(picture)

    def test_forgotten(self):
        for name in ('a.png', 'a.tiff'):
            self.succeed('render', *SMALL, '--no-provenance', '-o', name, 'two.xyz')
            self.assertNotIn(b'two.xyz', (self.folder / name).read_bytes())
            done = cli.run('rerun', name)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f'{name} does not say how it was made', done.stderr)
        self.assertEqual(png_pixels.texts(self.folder / 'a.png'), {})

    def test_commands_that_are_not_run(self):
        """A picture from anywhere writes no file, and runs nothing else."""
        self.succeed('render', *SMALL, '-o', 'a.png', 'two.xyz')
        data = (self.folder / 'a.png').read_bytes()
        line = re.search(rb'debye-cli render [^\n]*? two\.xyz', data).group()
        for other in (b'debye-cli render --output=evil.png two.xyz', b'debye-cli render --camera=evil.json two.xyz',
                      b'debye-cli export -o evil.pdb two.xyz', b'rm -rf two.xyz', b'debye-cli', b"debye-cli render 'two.xyz"):
            (self.folder / 'b.png').write_bytes(data.replace(line, other.ljust(len(line))))
            done = cli.run('rerun', '-o', 'c.png', 'b.png')
            self.assertEqual(done.returncode, 1, other)
            self.assertIn('expected a command that makes a picture', done.stderr)
            self.assertEqual(sorted(path.name for path in self.folder.glob('evil*')), [])

    def test_files_that_are_none(self):
        for name, content in (('a.png', b''), ('b.png', b'\x89PNG\r\n\x1a\n\xff\xff\xff\xffiTXt'), ('c.tiff', b'II*\0\x08\0\0\0\xff\xff'),
                              ('d.svg', b'<svg><metadata id="debye-origin">Command: '), ('e.tiff', b'MM')):
            (self.folder / name).write_bytes(content)
            done = cli.run('rerun', name)
            self.assertEqual((done.returncode, done.stderr.count('does not say how it was made')), (1, 1), name)


if __name__ == '__main__':
    unittest.main()
