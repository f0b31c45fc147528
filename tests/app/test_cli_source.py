#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli bench --source: a kernel of the class that is right, wrong, crashes, never ends, or tries what it may not."""
import json
import os
import pathlib
import re
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase  # noqa: E402

HEAD = '''float sqrtf(float);
void
sum_slice(float *energy, int nx, int ny, float hx, float hy, float z, const float *atoms, int n_atoms, float core2,
          float *scratch, int thread, int n_threads)
{
'''
LOOPS = '''  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      float sum = 0.0f;
      for (int n = 0; n < 4 * n_atoms; n += 4) {
        float dx = hx * i - atoms[n], dy = hy * j - atoms[n + 1], dz = z - atoms[n + 2];
        float r2 = dx * dx + dy * dy + dz * dz;
        sum += atoms[n + 3] / sqrtf(r2 > core2 ? r2 : core2);
      }
'''
RIGHT = LOOPS + '      energy[j * nx + i] += sum;\n    }\n'


# A variant, a line of it, what makes it wrong, how its worst place is called, and what reaches beyond which array.
FAMILIES = (
    ('orbital-plain', 'sum += radial * value;', 'sum += 1.01f * radial * value;', r'^point \(\d+, \d+, \d+\)$', 'psi[nx * ny * nz] = 1.0f;', 'psi'),
    ('ligand-plain', 'energy += (pairs[2 * n] * s6 - pairs[2 * n + 1]) * s6;', 'energy += (pairs[2 * n] * s6 - 1.1f * pairs[2 * n + 1]) * s6;',
     r'^voxel \(\d+, \d+, \d+\)$', 'mean[nx * ny * nz] = 1.0f;', 'mean'),
    ('density-sequential', 'counts[((int)w * ny + (int)v) * nx + (int)u]++;', 'counts[((int)w * ny + (int)v) * nx + (int)u] += 2;',
     r'^voxel \(\d+, \d+, \d+\)$', 'counts[nx * ny * nz] = 1;', 'counts'),
    ('scattering-sequential', 'imaginary += u[0] * v[1] - u[1] * v[0];', 'imaginary += u[0] * v[1] + u[1] * v[0];',
     r'^vector \d+, time or lag \d+, imaginary part$', 'f[2 * n_frames * n_vectors] = 1.0f;', 'f'),
)


class Source(CliCase):
    def judge(self, body, before='', size='24,200', status=1):
        """What is told of a source with this body, and that nothing is left of it."""
        path = self.folder / 'mine.c'
        path.write_text(before + HEAD + body + '}\n', encoding='utf-8')
        own = self.folder / 'tmp'  # other tests run kernels at the same time
        own.mkdir(exist_ok=True)
        done = self.run_cli('bench', '--source', path, '--device', 'cpu', '--size', size, '--repeat', '1', '--json', '--quiet',
                            env=cli.environment(TMPDIR=str(own)))
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(list(own.iterdir()), [])
        told = json.loads(done.stdout)['source']
        if status:
            self.assertEqual(done.stderr, f"debye-cli: {told['message']}\n")
        return told

    def test_right(self):
        told = self.judge(RIGHT, status=0)
        self.assertTrue(told['compiled'] and told['right'])
        self.assertIsNone(told['message'])
        self.assertGreater(told['evals_per_second'], 1e6)
        self.assertLess(told['error'], 1e-5)
        self.assertFalse(told['threads'])

    def test_wrong(self):
        told = self.judge(RIGHT.replace('+= sum', '+= 1.01f * sum'))
        self.assertTrue(told['compiled'])
        self.assertFalse(told['right'])
        self.assertRegex(told['worst'], r'^point \(\d+, \d+, \d+\)$')
        self.assertAlmostEqual(told['ours'] / told['expected'], 1.01, places=5)
        # One of a thousand terms.
        self.assertFalse(self.judge(RIGHT.replace('n = 0;', 'n = 4;'))['right'])
        self.assertRegex(told['message'], r'[1-9]\d* of [1-9]\d* values')
        self.assertIn("isn't 0 before", self.judge(RIGHT.replace('+= sum', '= sum'))['message'])
        left = RIGHT.replace('energy[', 'if (i != 3 || j != 5) energy[')
        self.assertIn('point (3, 5, 0) was never written', self.judge(left)['message'])

    def test_compiler(self):
        told = self.judge('  int x = 3\n' + RIGHT)
        self.assertFalse(told['compiled'])
        self.assertIn(told['line'], (6, 7))
        self.assertIn(f"mine.c: line {told['line']}: ", told['message'])
        self.assertIn('function “other”', self.judge('  other();\n', 'void other(void);\n')['message'])
        header = self.folder / 'mine.h'
        header.write_text('int x = ;\n', encoding='ascii')
        told = self.judge(RIGHT, f'#include "{header}"\n')
        self.assertIn(f'the compiler failed: {header}:1:9: error: expected', told['message'])
        path = self.folder / 'other.c'
        path.write_text('void sum_slice(double *energy) { }\n', encoding='ascii')
        self.assertIn('line 1', self.expect_failure('bench', '--source', path))
        done = self.run_cli('bench', '--source', self.folder / 'mine.c', env=cli.environment(PATH='/nonexistent'))
        self.assertIn('There is no C compiler', done.stderr)

    def test_overruns(self):
        for line, place in (('energy[nx * ny * 2] = 1.0f;', 'beyond the last element of “energy”'),
                            ('energy[-1] = 1.0f;', 'before the first element of “energy”'),
                            ('energy[0] += atoms[4 * n_atoms];', 'beyond the last element of “atoms”'),
                            ('((float *)atoms)[0] = 1.0f;', 'writes to “atoms”, which is const')):
            self.assertIn(place, self.judge(RIGHT + '  ' + line + '\n')['message'])

    def test_crashes(self):
        self.assertIn('crashed', self.judge('  *(volatile int *)0 = 1;\n')['message'])
        self.assertIn('ended the program', self.judge('  _exit(0);\n', 'void _exit(int);\n')['message'])

    def test_endless(self):
        start = time.monotonic()
        self.assertIn('had not ended after 2 s', self.judge('  for (;;)\n    __asm__ volatile("");\n')['message'])
        self.assertLess(time.monotonic() - start, 20)

    def test_what_it_may_not(self):
        told = self.judge('  socket(2, 1, 0);\n', 'int socket(int, int, int);\n')
        if not told['seccomp']:
            self.skipTest('this kernel has no seccomp')
        self.assertIn('socket (the network)', told['message'])
        file = self.folder / 'written'
        write = f'  FILE *file = fopen("{file}", "w");\n  if (file)\n    fputs("x", file);\n'
        self.assertIn('open, to write a file', self.judge(write, '#include <stdio.h>\n')['message'])
        self.assertIn('system call', self.judge(f'  system("touch {file}");\n', 'int system(const char *);\n')['message'])
        early = '#include <unistd.h>\n__attribute__((constructor)) static void early(void) { fork(); }\n'
        self.assertIn('another process', self.judge(RIGHT, early)['message'])
        self.assertFalse(file.exists())

    def test_threads(self):
        """A kernel makes none itself, and runs on more of them than a machine's usual stacks leave room for."""
        before = '#include <pthread.h>\nstatic void *idle(void *data) { return data; }\n'
        told = self.judge('  pthread_t made;\n  pthread_create(&made, 0, idle, 0);\n', before)
        if told['seccomp']:
            self.assertIn('starts another program or thread', told['message'])
        path = self.folder / 'shared.c'
        path.write_text(self.run_cli('bench', '--show', 'gather-fission').stdout, encoding='utf-8')
        many = ('bench', '--source', path, '--device', 'cpu', '--size', '24,300', '--repeat', '1', '--threads', '200')
        self.assertTrue(cli.run_json(*many)['source']['right'])
        text = path.read_text(encoding='utf-8')
        at = text.index('{', text.index('sum_slice')) + 1
        path.write_text(text[:at] + '\n  volatile char large[3 << 20];\n  large[0] = 1;\n' + text[at:], encoding='utf-8')
        self.assertIn('crashed: Segmentation fault', self.expect_failure(*many))

    def test_shipped_variants(self):
        for variant, threads in (('grid-outer', False), ('gather-fission', True), ('cutoff-dummy', False), ('cutoff-threads', True),
                                 ('histogram-tiles', True), ('histogram-float', False), ('orbital-screened', False),
                                 ('orbital-threads', True), ('ligand-rejection', False), ('ligand-threads', True),
                                 ('density-float', False), ('density-private', True), ('density-bits', True),
                                 ('scattering-sequential', False), ('scattering-partial', True), ('scattering-all', True)):
            path = self.folder / 'shipped.c'
            path.write_text(self.run_cli('bench', '--show', variant).stdout, encoding='utf-8')
            told = cli.run_json('bench', '--source', path, '--device', 'cpu', '--size', '24,300', '--repeat', '1')
            self.assertTrue(told['source']['right'], variant)
            self.assertEqual(told['source']['threads'], threads, variant)
            self.assertEqual(told['results'][-1]['variant'], 'ours, of the class')

    def judge_shipped(self, variant, old, new, status=1):
        """What is told of a shipped variant in which something was replaced."""
        path = self.folder / 'ours.c'
        shipped = self.run_cli('bench', '--show', variant).stdout
        self.assertIn(old, shipped)
        path.write_text(shipped.replace(old, new), encoding='utf-8')
        done = self.run_cli('bench', '--source', path, '--device', 'cpu', '--size', '16,60,24,4', '--repeat', '1', '--json', '--quiet')
        self.assertEqual(done.returncode, status, (variant, new, done.stderr))
        return json.loads(done.stdout)['source']

    def test_families(self):
        """Of each family a right source, and one that is wrong, isn't C, reaches beyond its arrays, crashes, or never ends."""
        for variant, line, change, place, beyond, array in FAMILIES:
            with self.subTest(variant):
                told = self.judge_shipped(variant, line, change)
                self.assertTrue(told['compiled'] and not told['right'])
                self.assertRegex(told['worst'], place)
                self.assertRegex(told['message'], r'expected \S+, found \S+; [1-9]\d* of [1-9]\d* values')
                self.assertNotEqual(told['expected'], told['ours'])
                told = self.judge_shipped(variant, line, 'no_such_thing;')
                self.assertFalse(told['compiled'])
                self.assertRegex(told['message'], rf"ours.c: line {told['line']}: .no_such_thing. undeclared")
                self.assertIn(f'beyond the last element of “{array}”', self.judge_shipped(variant, line, f'{beyond} {line}')['message'])
                self.assertIn('crashed', self.judge_shipped(variant, line, f'*(volatile int *)0 = 1; {line}')['message'])
                self.assertIn('had not ended after 2 s', self.judge_shipped(variant, line, f'for (;;) __asm__ volatile(""); {line}')['message'])
                self.assertTrue(self.judge_shipped(variant, line, line, status=0)['right'])

    def test_brace(self):
        """What nothing closes is told at the last line of the source, whatever is compiled behind it."""
        for variant, line in (('density-sequential', 'counts[((int)w * ny + (int)v) * nx + (int)u]++;'), ('scattering-plain', 'f[2l')):
            told = self.judge_shipped(variant, line, '{ ' + line)
            self.assertFalse(told['compiled'])
            self.assertEqual(told['line'], len((self.folder / 'ours.c').read_text(encoding='utf-8').splitlines()))

    def test_written(self):
        """An orbital's values are written: to none is added, and none is left out."""
        store = 'psi[(k * ny + j) * nx + i] = sum;'
        told = self.judge_shipped('orbital-plain', store, store.replace('=', '+='))
        self.assertIn('write each value, and add to none', told['message'])
        told = self.judge_shipped('orbital-plain', store, f'if (i != 3 || j != 5) {store}')
        self.assertRegex(told['message'], r'point \(3, 5, 0\) (was never written|: expected)')
        told = self.judge_shipped('ligand-plain', 'mean[voxel] = sum', 'if (voxel != 17) mean[voxel] = sum')
        self.assertIn('was never written', told['message'])

    def test_race(self):
        path = self.folder / 'race.c'
        path.write_text(self.run_cli('bench', '--show', 'histogram-race').stdout, encoding='utf-8')
        done = self.run_cli('bench', '--source', path, '--device', 'cpu', '--size', '2,4000', '--threads', '2')
        if os.cpu_count() > 1 and done.returncode:
            self.assertRegex(done.stderr, r'bin \d+: expected [\d.e+]+, found .* with all threads')

    def test_vectors(self):
        """A copy of a variant is compiled with vectors where the build compiles the variant with them."""
        ladder = pathlib.Path(__file__).resolve().parents[2] / 'kernels' / 'ladder'
        built = re.findall(r"'(\S+\.c)': \[.*'vectors'", (ladder / 'meson.build').read_text(encoding='utf-8'))
        told = re.findall(r'\.source = "(\S+)",\s*\.has_vectors = true', (ladder / 'variants_cpu.c').read_text(encoding='utf-8'))
        self.assertEqual(sorted(told), sorted(built))
        self.assertGreater(len(built), 10)

    def check_design(self, path):
        """A row for each pair of values, of which the fastest is named; what doesn't compile has no time."""
        line = ['bench', '--source', path, '--device', 'cpu', '--size', '24,200', '--repeat', '1']
        told = cli.run_json(*line, '--sweep', 'tile=32,64', '--sweep', 'points-per-thread=8,16')
        self.assertEqual([(row['tile'], row['points-per-thread']) for row in told['results']], [(32, 8), (64, 8), (32, 16), (64, 16)])
        self.assertTrue(all(row['error'] < 1e-5 and row['seconds'] > 0 for row in told['results']))
        self.assertNotIn('source', told)
        path.write_text(path.read_text(encoding='utf-8') + '#if TILE == 32\nint x[-1];\n#endif\n', encoding='utf-8')
        done = self.run_cli(*line, '--sweep', 'tile=32,64', '-o', 'design.svg')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('fastest: tile=64', done.stdout)
        self.assertNotIn('to the power', done.stdout)
        self.assertIn('warning: tile=32: ', done.stderr)
        self.assertIn('fastest', (self.folder / 'design.svg').read_text(encoding='utf-8'))
        self.assertIn('UNROLL', self.expect_usage(*line, '--sweep', 'unroll=1,2'))
        told = cli.run_json(*line, '--sweep', 'atoms=100,200', '--sweep', 'tile=64')
        self.assertEqual([(row['atoms'], row['tile']) for row in told['results']], [(100, 64), (200, 64)])
        told = cli.run_json(*line, '--sweep', 'atoms=100,200', '--sweep', 'spacing=1,2', '--sweep', 'tile=64', '--sweep', 'points-per-thread=8')
        self.assertEqual([(row['atoms'], row['spacing'], row['tile']) for row in told['results']],
                         [(100, 1, 64), (200, 1, 64), (100, 2, 64), (200, 2, 64)])
        self.assertIn('by --sweep of its macros', self.expect_usage(*line, '--sweep', 'threads=1,2'))
        self.assertIn('needs --source', self.expect_usage('bench', '--sweep', 'tile=1,2'))

    def test_bins(self):
        """Bins are made as the source's macros say, chosen or its own, and never beyond what the list of them has room for."""
        path = self.folder / 'bins.c'
        text = self.run_cli('bench', '--show', 'cutoff-cube').stdout
        path.write_text(text, encoding='utf-8')
        line = ('bench', '--source', path, '--device', 'cpu', '--size', '24,1000', '--spacing', '0.5', '--repeat', '1')
        told = cli.run_json(*line, '--cutoff', '9', '--sweep', 'edge=4,8,16', '--sweep', 'capacity=1,20')
        self.assertEqual(len(told['results']), 6)
        for row in told['results']:
            self.assertLess(row['error'], 1e-5, row)
        path.write_text(text.replace('define EDGE 8', 'define EDGE 5').replace('define CAPACITY 8', 'define CAPACITY 3'), encoding='utf-8')
        self.assertTrue(cli.run_json(*line)['source']['right'])
        self.assertIn('a cutoff of at most 35 grid steps', self.expect_failure(*line, '--cutoff', '40'))
        self.assertIn('Bins have at most 64 points along an edge and 255 atoms', self.expect_failure(*line, '--sweep', 'capacity=256'))
        # Products of the last two with 4 are 0 and negative in 32 bits.
        for capacity in ('256', '1073741824', '536870912'):
            path.write_text(text.replace('define CAPACITY 8', f'define CAPACITY {capacity}'), encoding='utf-8')
            self.assertIn('Bins have at most 64 points along an edge and 255 atoms', self.expect_failure(*line))
        for value, is_read in (('(3)', True), ('( 3u ) /* atoms */', True), ('3 // atoms', True), ('(1 + 2)', False), ('0x3', False)):
            with self.subTest(value):
                path.write_text(text.replace('define CAPACITY 8', f'define CAPACITY {value}'), encoding='utf-8')
                if is_read:
                    self.assertTrue(cli.run_json(*line)['source']['right'])
                else:
                    self.assertIn('expected a number as the macro CAPACITY', self.expect_failure(*line))

    def test_options(self):
        path = self.folder / 'tiles.c'
        path.write_text(self.run_cli('bench', '--show', 'simd').stdout, encoding='utf-8')
        told = cli.run_json('bench', '--source', path, '--tile', '64', '--device', 'cpu', '--size', '24,200', '--against', 'dz2')
        self.assertEqual([row['variant'] for row in told['results']], ['ours', 'dz2', 'ours, of the class'])
        self.assertIn('needs a macro UNROLL', self.expect_usage('bench', '--source', path, '--unroll', '2'))
        self.assertIn('expected --source', self.expect_usage('bench', '--tile', '2'))
        self.check_design(path)
        told = self.expect_usage('bench', '--kernel', 'cutoff', '--source', path)
        self.assertIn('has “sum_slice”, which is a source for --kernel direct', told)
        path.write_text('int x;\n', encoding='ascii')
        self.assertIn('sum_slice', self.expect_failure('bench', '--source', path))


if __name__ == '__main__':
    unittest.main()
