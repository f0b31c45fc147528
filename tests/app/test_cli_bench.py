#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli devices and bench: the processor, its variants and its limits."""
import collections
import itertools
import json
import math
import re
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CHARGES, CliCase  # noqa: E402


class Bench(CliCase):
    def test_devices(self):
        told = cli.run_json('devices')['devices']
        self.assertEqual(told[0]['id'], 'cpu')
        self.assertTrue(told[0]['usable'])
        self.assertIn('cpu', self.run_cli('devices').stdout)
        self.assertIn('Devices', self.expect_usage('map', '--device', 'abacus', '-o', 'a.dx', self.pqr))
        self.assertIn('cuda:99', self.expect_failure('map', '--device', 'cuda:99', '-o', 'a.dx', self.pqr))

    def test_bench(self):
        told = cli.run_json('bench', '--size', '24,200', '--repeat', '2', '--against', 'naive,double')
        variants = {result['variant']: result for result in told['results']}
        self.assertEqual(set(variants), {'ours', 'naive', 'double'})
        self.assertLess(variants['ours']['error'], 5e-6)
        self.assertLess(variants['double']['error'], 1e-12)
        self.assertIn('variant', self.run_cli('bench', '--size', '16,50', '--repeat', '1').stdout)
        self.expect_usage('bench', '--size', 'large')

    def test_recording(self):
        """What --json prints, as a file that the class room shows."""
        path = self.folder / 'ladder.json'
        told = cli.run_json('bench', '--device', 'cpu', '--size', '16,50', '--repeat', '2', '--against', 'dz2', '-o', path)
        kept = json.loads(path.read_text(encoding='utf-8'))
        self.assertEqual(kept, told)
        self.assertEqual((kept['recording'], kept['kernel'], kept['limits'][0]['device']), (1, 'direct', 'cpu'))
        row = kept['results'][1]
        self.assertTrue(0 < row['seconds_least'] == row['seconds'] <= row['seconds_most'] and row['repeats'] == 2, row)
        self.assertGreaterEqual(row['scale_factor'], 1)
        self.assertIn('json', self.expect_usage('bench', '--bins', 'filling', '-o', self.folder / 'bins.json', self.pqr))

    def test_bench_of_teaching_variants(self):
        told = cli.run_json('bench', '--device', 'cpu', '--size', '24,200', '--repeat', '1', '--against', 'dz2,simd')
        self.assertEqual([result['variant'] for result in told['results']], ['ours', 'dz2', 'simd'])
        limits, = told['limits']
        for result in told['results'][1:]:
            self.assertLess(result['error'], 1e-5)
            self.assertAlmostEqual(result['flops_per_second'], 7 * result['evals_per_second'], delta=1e3)
            self.assertAlmostEqual(result['share_of_limit'] * limits['flops_per_second'], result['flops_per_second'],
                                   delta=1e3)
        self.assertIn('at most', self.run_cli('bench', '--size', '8,20', '--repeat', '1', '--against', 'all').stdout)
        refused = self.expect_usage('bench', '--device', 'cpu', '--against', 'scatter')
        self.assertIn('found “scatter”, which needs a GPU', refused)
        self.assertIn('on cpu: grid-outer', refused)
        self.assertIn('histogram', self.expect_usage('bench', '--kernel', 'histogram', '--against', 'naive'))

    def test_figures_of_ladders(self):
        """Those of the class room: speed by intensity with the numbers of --list, and g(r) as it was counted."""
        done = self.run_cli('bench', '--device', 'cpu', '--size', '16,50', '--repeat', '1', '--against', 'dz2,simd', '-o', 'ladder.svg')
        self.assertIn('written: ladder.svg', done.stderr)
        figure = (self.folder / 'ladder.svg').read_text(encoding='utf-8')
        self.assertIn('Arithmetic intensity (FLOP/B)', figure)
        listed = {row['variant']: row.get('number') for row in cli.run_json('bench', '--list')['variants'] if row['back_end'] == 'cpu'}
        self.assertEqual((listed['grid-outer'], listed['dz2'], listed['cutoff-all']), (1, 3, 1))
        for variant in 'dz2', 'simd':
            self.assertIn(f'>{listed[variant]}<', figure)
        self.run_cli('bench', '--device', 'cpu', '--kernel', 'histogram', '--size', '2,300', '--repeat', '1', '-o', 'counts.svg')
        self.assertIn('Histogram on one thread', (self.folder / 'counts.svg').read_text(encoding='utf-8'))
        self.run_cli('bench', '--device', 'cpu', '--kernel', 'histogram', '--size', '2,300', '--repeat', '1', '--plot', 'roofline',
                     '-o', 'roofline.svg')
        figure = (self.folder / 'roofline.svg').read_text(encoding='utf-8')
        self.assertIn('Arithmetic intensity (FLOP/B)', figure)
        for number in range(1, listed['histogram-ours'] + 1):
            self.assertIn(f'>{number}<', figure)
        for arguments, words in ((('--plot', 'roofline'), 'of teaching variants'), (('--against', 'all', '--plot', 'g'), 'counted pairs'),
                                 (('--kernel', 'histogram', '--plot', 'speed'), 'roofline')):
            self.assertIn(words, self.expect_usage('bench', '--device', 'cpu', *arguments, '-o', 'refused.svg'))
        refused = self.expect_usage('bench', '--device', 'cpu', '--against', 'naive', '-o', 'naive.svg')
        self.assertIn('a picture needs --sweep of something that has numbers', refused)

    def test_bench_of_histograms(self):
        told = cli.run_json('bench', '--device', 'cpu', '--kernel', 'histogram', '--size', '2,3000', '--repeat', '1')
        lost = {result['variant']: result['error'] for result in told['results']}
        self.assertEqual(set(lost), {f'histogram-{step}' for step in
                                     ('sequential', 'race', 'atomic', 'private', 'tiles', 'float', 'ours')})
        for step in set(lost) - {'histogram-race'}:
            self.assertEqual(lost[step], 0)
        self.assertGreaterEqual(lost['histogram-race'], 0)
        counted = {result['variant']: result['counted_atoms'] for result in told['results']}
        self.assertEqual(counted.pop('histogram-race') % 3000, 0)       # copies of these, where no count of fewer was lost
        self.assertEqual(set(counted.values()), {3000})

    def test_bench_of_a_race(self):
        """One thread loses nothing, however many pairs it counts, and the report says so."""
        told = self.run_cli('bench', '--device', 'cpu', '--threads', '1', '--kernel', 'histogram', '--size', '2,2000', '--repeat', '1',
                            '-o', 'race.csv', '-o', 'race.svg').stdout
        last = re.search(r'histogram-race on cpu: no count was lost in 10 s, at last of the pairs of (\d+) atoms', told)
        self.assertTrue(last, told)
        self.assertGreater(int(last[1]), 2000)
        rows = [line.split(',') for line in (self.folder / 'race.csv').read_text(encoding='utf-8').splitlines() if not line.startswith('#')]
        column, name = rows[0].index('counted_atoms'), rows[0].index('variant')
        self.assertEqual({row[name]: int(float(row[column])) for row in rows[1:]}['histogram-race'], int(last[1]))
        figure = (self.folder / 'race.svg').read_text(encoding='utf-8')
        self.assertIn(f'Histogram without atomics, {int(last[1]):,} atoms', figure)
        self.assertIn('went on with more atoms', re.sub(r'<[^>]+>|\s+', ' ', figure))

    def test_bench_of_cutoff_variants(self):
        told = cli.run_json('bench', '--device', 'cpu', '--kernel', 'cutoff', '--against', 'cutoff-threads,cutoff-chains', '--size',
                            '32,600', '--cutoff', '8', '--repeat', '1')
        production, slots, chains = told['results']
        self.assertEqual([slots['variant'], chains['variant']], ['cutoff-threads', 'cutoff-chains'])
        for result in (slots, chains):
            self.assertLess(result['error'], 1e-5)
        self.assertTrue(0 < slots['overflow_share'] < 1)
        self.assertAlmostEqual(slots['kernel_seconds'] + slots['overflow_seconds'], slots['seconds'], delta=1e-6 + 0.01 * slots['seconds'])
        self.assertNotIn('overflow_share', chains)
        self.assertNotIn('overflow_share', production)
        refused = self.expect_usage('bench', '--device', 'cpu', '--kernel', 'cutoff', '--against', 'cutoff-overlap')
        self.assertIn('needs a GPU', refused)
        self.assertIn('naive', self.expect_usage('bench', '--kernel', 'cutoff', '--against', 'naive'))

    def test_batches(self):
        """511 values are padded to 512; 1 GiB is 2³⁰/(8 · 512 · 32) atoms."""
        told = cli.run_json('bench', '--batches', 'atoms', '--size', '1,1000,256,32', '--atom-block', '32', '--memory', '1G')
        self.assertEqual((told['length'], told['bytes'], told['bytes_all']), (512, 8 * 512 * 32 * 32, 8 * 512 * 32 * 1000))
        self.assertEqual(told['most_atoms'], 2 ** 30 // (8 * 512 * 32))
        self.assertTrue(2 ** 16 * 0.9 < told['most_frames'] <= 2 ** 16)
        done = self.run_cli('bench', '--batches', 'frames', '-o', 'batches.csv', '-o', 'batches.svg')
        self.assertIn('all atoms: 8·512·32·1000 bytes = 125 MiB', done.stdout)
        self.assertIn('a GPU with 24 GiB', (self.folder / 'batches.svg').read_text())
        self.assertGreater(len((self.folder / 'batches.csv').read_text().splitlines()), 50)
        self.assertIn('atoms or frames', self.expect_usage('bench', '--batches', 'boxes'))

    def test_bins(self):
        """The lecture's 343 and 311 bins, and atoms that are counted here as well."""
        told = cli.run_json('bench', '--bins', 'neighbours', '--bin-capacity', '2', self.pqr)
        lecture, = [row for row in told['bins'] if row['edge'] == 4]
        self.assertEqual((lecture['reach'], lecture['bins_cube'], lecture['bins_sphere']), (3, 343, 311))
        self.assertAlmostEqual(lecture['valid_sphere'], 4 / 3 * math.pi * 12 ** 3 / (311 * 64), places=12)
        low = [min(place[axis] for place in CHARGES) for axis in range(3)]
        bins = collections.Counter(tuple(int((place[axis] - low[axis]) // 4) for axis in range(3)) for place in CHARGES)
        self.assertEqual(sum(n * count for n, count in enumerate(told['bins_with'])), len(CHARGES))
        for n in range(1, len(told['bins_with'])):
            self.assertEqual(told['bins_with'][n], list(bins.values()).count(n))
        self.assertAlmostEqual(lecture['covered'], sum(min(n, 2) for n in bins.values()) / len(CHARGES), places=12)
        for figure, first, n in (('cutoff', '2,', 89), ('within', 'here,atoms,2,', 45)):    # from 2 to 24 Å
            self.assertEqual(self.run_cli('bench', '--bins', figure, '-o', figure + '.csv', self.pqr).returncode, 0)
            lines = (self.folder / (figure + '.csv')).read_text(encoding='utf-8').splitlines()
            rows = [line for line in lines if line[0].isdigit() or line.startswith('here')]
            self.assertTrue(len(rows) == n and rows[0].startswith(first), rows[:2])
        self.assertEqual(self.run_cli('bench', '--bins', 'spacing', '-o', 'spacing.csv', self.pqr).returncode, 0)
        for part in ('short', 'level-1', 'level-2', 'rest'):
            done = self.run_cli('bench', '--bins', part, '-o', part + '.csv', self.pqr)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('kT/e', (self.folder / (part + '.csv')).read_text(encoding='utf-8'))
        done = self.run_cli('bench', '--bins', 'filling', '-o', 'filling.csv', '-o', 'filling.svg', self.pqr)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = (self.folder / 'filling.csv').read_text(encoding='utf-8').split()
        self.assertEqual(rows[0], 'atoms,bins')
        self.assertEqual([int(row.split(',')[1]) for row in rows[1:]], told['bins_with'])
        self.assertIn('<svg', (self.folder / 'filling.svg').read_text(encoding='utf-8'))
        self.assertIn('smoothing', self.expect_usage('bench', '--bins', 'boxes'))

    def test_slices(self):
        """Each slice once, by the thread whose turn it is; the lecture's figures beside."""
        told = cli.run_json('bench', '--slices', 'dealt', '--device', 'cpu', '--threads', '2', '-o', self.folder / 'dealt.csv', self.pqr)
        self.assertEqual([run['device'] for run in told['runs']], ['cpu, 1 thread', 'cpu, 2 threads'])
        for n, run in enumerate(told['runs'], 1):
            self.assertEqual(sorted(one['slice'] for one in run['slices']), list(range(len(run['slices']))))
            self.assertTrue(all(one['device'] == one['slice'] % n for one in run['slices']))
            self.assertLess(run['error'], 1e-5)
            self.assertAlmostEqual(run['flops_per_second'], 7.375 * run['evals_per_second'], delta=1e-6 * run['flops_per_second'])
        self.assertEqual([lecture['evals_per_second'] for lecture in told['lecture']], [117e9, 157e9, 241e9])
        self.assertAlmostEqual(told['virus']['seconds_together'] * told['runs'][1]['evals_per_second'], 27 * 60 * 117e9, delta=1e9)
        self.assertIn('CPU thread 2,slice,', (self.folder / 'dealt.csv').read_text(encoding='utf-8'))
        table = self.run_cli('bench', '--slices', 'ions', '--device', 'cpu', '--threads', '1', '-o', 'ions.pdf').stdout
        for text in ('3 × GeForce 8800 GTX', 'device not stated', '863', '700', "the lecture's virus"):
            self.assertIn(text, table)
        self.assertIn('dealt, devices, ions', self.expect_usage('bench', '--slices', 'cards'))
        self.assertIn('json', self.expect_usage('bench', '--slices', 'dealt', '-o', self.folder / 'dealt.json'))
        self.assertIn('leave out --sweep', self.expect_usage('bench', '--slices', 'dealt', '--sweep', 'threads=1,2'))

    def test_exercise(self):
        """The whole files are those that --show prints; in the others each gap has as many lines as it says, braces match, and the
        compiler takes them as they are."""
        for kernel, n_files in (('direct', 15), ('cutoff', 20), ('histogram', 8), ('self', 10), ('orbital', 9), ('ligand', 9), ('density', 14)):
            folder = self.folder / kernel
            done = self.run_cli('bench', '--kernel', kernel, '--exercise', folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            answers = sorted(path.name for path in (folder / 'answer').iterdir())
            self.assertGreaterEqual(len(answers), n_files)
            self.assertEqual(sorted(path.name for path in (folder / 'exercise').iterdir()), answers)
            readme = (folder / 'README.txt').read_text(encoding='utf-8')
            for name in answers:
                whole, gaps = ((folder / part / name).read_text(encoding='utf-8').splitlines() for part in ('answer', 'exercise'))
                missing = [int(number) for line in gaps for number in re.findall(r'/\* gap of (\d+) lines? \*/', line)]
                self.assertTrue(missing, name)
                self.assertEqual(len(gaps) + sum(missing) - len(missing), len(whole), name)
                code = ''.join(gaps)    # a gap has both braces of a block
                self.assertEqual(code.count('{'), code.count('}'), name)
                self.assertIn(f'-O3 -c exercise/{name}', readme)
            for part in ('answer', 'exercise'):
                sources = sorted((folder / part).glob('*.c'))
                compiled = subprocess.run(['gcc', '-fsyntax-only', *sources], capture_output=True, text=True, check=False)
                self.assertEqual(compiled.returncode, 0, compiled.stderr)
        self.compile_for_gpus()
        # What is missing is seen in the numbers, not as a crash.
        done = self.run_cli('bench', '--quiet', '--device', 'cpu', '--size', '8,50', '--source', self.folder / 'direct/exercise/07-gather-fission.c')
        self.assertRegex(done.stderr, 'values are wrong')
        self.assertIn('histogram', self.expect_usage('bench', '--kernel', 'pairs', '--exercise', 'folder'))

    def compile_for_gpus(self):
        """The CUDA files with gaps, to PTX, which takes less time than code of a GPU. All at once, each in a namespace of its own:
        what nvcc reads before a file takes it most of its time."""
        sources = sorted(self.folder.glob('*/exercise/*.cu'))
        self.assertGreater(len(sources), 40)
        if shutil.which('nvcc') is None:
            print('no nvcc: the CUDA files of exercises are not compiled')
            return
        lines = []
        for number, source in enumerate(sources):
            text = source.read_text(encoding='utf-8')
            kernels = re.findall(r'extern "C" __global__ void\s+(\w+)', text)
            self.assertTrue(kernels, source)
            # Nothing that another file could need: each must compile alone, too.
            self.assertNotIn('#include', text, source)
            lines += [*(f'#define {name} {name}_{number}' for name in kernels), f'namespace file_{number} {{', f'#include "{source}"', '}',
                      *(f'#undef {name}' for name in kernels + re.findall(r'#define (\w+)', text))]
        together = self.folder / 'together.cu'
        together.write_text('\n'.join(lines) + '\n', encoding='utf-8')
        # One alone, as the README says.
        for source in (sources[0], together):
            compiled = subprocess.run(['nvcc', '-ptx', '-o', source.with_suffix('.ptx'), source], capture_output=True, text=True, check=False)
            self.assertEqual(compiled.returncode, 0, compiled.stderr)
        # Each of them is there.
        code = together.with_suffix('.ptx').read_text(encoding='utf-8')
        self.assertEqual({int(number) for number in re.findall(r'\.entry \w+?_(\d+)\(', code)}, set(range(len(sources))))

    def test_bench_of_scattering_variants(self):
        told = cli.run_json('bench', '--device', 'cpu', '--kernel', 'self', '--against', 'all', '--size', '1,40,20,3', '--repeat', '1')
        steps = [result['variant'] for result in told['results'] if result['variant'] != 'ours']
        self.assertEqual((steps[0], steps[-1], len(steps)), ('scattering-sequential', 'scattering-ours', 9))
        for result in told['results']:
            self.assertLess(result['error'], 1e-5)
        self.assertIn('scattering-partial', self.expect_usage('bench', '--kernel', 'coherent', '--against', 'double'))

    def test_orbitals_ligands_and_densities(self):
        for kernel, first, n in (('orbital', 'orbital-plain', 6), ('ligand', 'ligand-plain', 5), ('density', 'density-sequential', 9)):
            done = cli.run('bench', '--kernel', kernel, '--against', 'all', '--size', '8,1', '--repeat', '1', '--device', 'cpu', '--json')
            self.assertEqual(done.returncode, 0, done.stderr)
            ours, *steps = json.loads(done.stdout)['results']
            self.assertEqual((ours['variant'], steps[0]['variant'], steps[-1]['variant'], len(steps)),
                             ('ours', first, f'{kernel}-ours', n))
            self.assertTrue(all(step['error'] < 1e-3 and step['evals_per_second'] > 0 for step in steps), steps)
            refused = cli.run('bench', '--kernel', kernel, os.path.join(os.environ['DEBYE_SAMPLES_DIR'], 'protease.pqr'))
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn(f'bench: --kernel {kernel}: expected no files, as it is timed on', refused.stderr)
            refused = cli.run('bench', '--kernel', kernel, '--size', '1024,1')
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn(f'bench: --kernel {kernel}: expected at most', refused.stderr)

    def test_list_of_variants(self):
        told = cli.run_json('bench', '--list')['variants']
        families = [variant['family'] for variant in told]
        self.assertEqual([family for family, _ in itertools.groupby(families)], list(dict.fromkeys(families)))
        lecture = {variant['variant']: variant.get('lecture') for variant in told}
        self.assertEqual(lecture['const-precalc']['evals_per_second'], 18.6e9)
        self.assertIsNone(lecture['grid-outer'])
        # Those that once were, by name only.
        self.assertTrue(next(variant for variant in told if variant['variant'] == 'coalesced')['legacy'])
        listed = self.run_cli('bench', '--list').stdout
        for variant in told:
            self.assertIn(f" {variant['variant']} ", listed)

    def test_code_of_variants(self):
        for variant in cli.run_json('bench', '--list')['variants']:
            if variant['source']:
                code = self.run_cli('bench', '--show', variant['variant']).stdout
                self.assertIn(variant['source'], code)
                self.assertNotIn('#include', code)
        # On both back ends.
        sources = cli.run_json('bench', '--show', 'gather-fission')['sources']
        self.assertEqual([source['source'].split('.')[1] for source in sources], ['c', 'cu'])
        self.assertIn('prepare_slice', sources[0]['text'])
        self.assertIn('found “nothing”', self.expect_usage('bench', '--show', 'nothing'))
        self.assertIn('more than one file', self.expect_usage('bench', '--show', 'ours'))

    def test_production_kernels(self):
        for kernel, error in (('direct', 5e-6), ('cutoff', 5e-6), ('multilevel', 1e-3), ('ewald', 1e-4), ('pairs', 0),
                              ('self', 4e-7), ('coherent', 1e-6)):
            with self.subTest(kernel):
                told = cli.run_json('bench', '--device', 'cpu', '--kernel', kernel, '--size', '24,300,32,8', '--repeat', '3')
                row, = told['results']
                self.assertEqual((told['kernel'], told['atoms']), (kernel, 300))
                self.assertLessEqual(row['error'], error)
                self.assertEqual(row['repeats'], 3)
                self.assertTrue(row['seconds_least'] <= row['seconds'] <= row['seconds_most'], row)
                self.assertEqual('flops_per_second' in row, kernel not in ('multilevel', 'ewald'))
                if 'flops_per_second' in row:
                    self.assertGreater(row['share_of_limit'], 0)

    def test_files(self):
        water = [os.path.join(os.environ['DEBYE_SAMPLES_DIR'], 'water' + ending) for ending in ('.psf', '.xtc')]
        told = cli.run_json('bench', '--kernel', 'pairs', '--repeat', '1', *water)
        self.assertEqual((told['atoms'], told['results'][0]['error']), (1530, 0))
        told = cli.run_json('bench', '--kernel', 'ewald', '--size', '16,300', '--repeat', '1', *water)
        self.assertEqual(told['atoms'], 300)
        self.assertLess(told['results'][0]['error'], 1e-4)
        self.assertEqual(cli.run_json('bench', '--repeat', '1', '--size', '8,100', self.pqr)['atoms'], 7)
        self.assertLess(cli.run_json('bench', '--kernel', 'self', '--repeat', '1', self.xyz)['results'][0]['error'], 1e-6)
        self.assertIn('periodic cell', self.expect_failure('bench', '--kernel', 'ewald', self.pqr))
        self.assertIn('charges', self.expect_failure('bench', self.xyz))
        self.assertEqual(cli.run_json('bench', '--repeat', '1', '--charges', 'file', '--cell', '20,20,20', '--kernel', 'ewald',
                                      '--size', '8,100', self.pqr)['atoms'], 7)
        self.assertIn('7 atoms', self.expect_failure('bench', '--sweep', 'atoms=7,8', self.pqr))

    def test_sweep(self):
        written = [str(self.folder / ('sweep' + ending)) for ending in ('.csv', '.svg', '.pdf', '.png')]
        told = cli.run_json('bench', '--device', 'cpu', '--kernel', 'direct', '--sweep', 'atoms=200:1600:x2', '--sweep',
                            'kernel=direct,pairs', '--size', '24,1', '--repeat', '3',
                            *[word for path in written for word in ('-o', path)])
        self.assertEqual([row['atoms'] for row in told['results']], 2 * [200, 400, 800, 1600])
        self.assertEqual([fit['curve'] for fit in told['fits']], ['direct', 'pairs'])
        for path in written:
            self.assertGreater(os.path.getsize(path), 500, path)
        with open(written[0], encoding='utf-8') as file:
            lines = file.read().splitlines()
        header = [line for line in lines if line.startswith('#')]
        names = lines[len(header)].split(',')
        self.assertEqual(names[:5], ['atoms', 'kernel', 'variant', 'device', 'seconds'])
        self.assertEqual(len(lines) - len(header), 1 + 8)
        self.assertEqual(lines[-1].split(',')[:4], ['1600', 'pairs', 'ours', 'cpu'])
        self.assertTrue(any(line.startswith('# exponent of direct: ') for line in header), header)
        with open(written[1], encoding='utf-8') as file:
            self.assertIn('Time', file.read())

    def test_sweep_of_threads(self):
        told = cli.run_json('bench', '--device', 'cpu', '--sweep', 'threads=1,2', '--size', '16,100', '--repeat', '1')
        first, second = told['results']
        self.assertEqual((first['speed_up'], first['efficiency']), (1, 1))
        self.assertAlmostEqual(second['efficiency'], second['speed_up'] / 2)
        self.assertAlmostEqual(second['speed_up'], first['seconds'] / second['seconds'])

    def test_best_of_a_sweep(self):
        """Times of other amounts of work say nothing about which is best; of several kernels nothing does."""
        common = ('bench', '--quiet', '--device', 'cpu', '--repeat', '1', '--size', '8,100')
        for axes, best in ((('atoms=50,400', 'points=100,800'), 'highest throughput: atoms='), (('threads=1,2', 'device=cpu'), 'fastest: threads='),
                           (('atoms=50,400', 'kernel=direct,cutoff'), None)):
            told = self.run_cli(*common, *[word for axis in axes for word in ('--sweep', axis)])
            found = [line for line in told.stdout.splitlines() if line.startswith(('fastest', 'highest'))]
            self.assertTrue(found[0].startswith(best) if best else not found, (axes, found))

    def test_continue(self):
        """Killed in the middle, it goes on behind the last finished point; another job's file is refused and stays as it is."""
        kept = self.folder / 'kept.json'
        sweep = ('bench', '--device', 'cpu', '--repeat', '3', '--continue', kept, '--size', '24,1', '--sweep')
        long_one = (*sweep, 'atoms=500:64000:x2')
        with subprocess.Popen([cli.PROGRAM, *map(str, long_one)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            for _ in range(600):
                if kept.exists() and len(json.loads(kept.read_text(encoding='utf-8'))['points']) > 1:
                    break
                time.sleep(0.05)
            running.kill()
        before = json.loads(kept.read_text(encoding='utf-8'))
        self.assertGreater(len(before['points']), 1)
        told = cli.run_json(*long_one)
        after = json.loads(kept.read_text(encoding='utf-8'))
        self.assertEqual(after['points'][:len(before['points'])], before['points'])
        self.assertEqual([row['atoms'] for row in told['results']], [500 * 2 ** i for i in range(8)])
        self.assertEqual([row['seconds'] for row in told['results']], [point['seconds'] for point in after['points']])
        self.assertEqual(cli.run_json(*long_one, '--save-every', '5'), told, 'all is kept, with the limits')
        text = kept.read_text(encoding='utf-8')
        self.assertIn('of another job: expected --sweep', self.expect_failure(*sweep, 'atoms=500:32000:x2'))
        for line, said in ((text.replace(before['devices'][0], 'abacus'), 'was measured on another machine: expected'),
                           ('{"sweep": 2}', 'expected a file that bench --continue has written'), ('[', 'kept.json')):
            kept.write_text(line, encoding='utf-8')
            self.assertIn(said, self.expect_failure(*long_one))
            self.assertEqual(kept.read_text(encoding='utf-8'), line)
        for key, value, said in (('host', 'abacus', 'was measured on another machine: expected'), ('debye', '0.0', 'by another version of Debye'),
                                 ('processes', 2, 'another number of processes: expected 1, found 2'),
                                 ('threads', 9999, 'another number of threads: expected')):
            kept.write_text(json.dumps({**after, key: value}), encoding='utf-8')
            self.assertIn(said, self.expect_failure(*long_one))
        kept.unlink()
        few = (*sweep, 'atoms=5,6', self.pqr)
        cli.run_json(*few)
        self.assertIn('expected 0 input files, found 1', self.expect_failure(*few[:-1]))
        self.pqr.write_text(self.pqr.read_text(encoding='utf-8') + '\n', encoding='utf-8')
        self.assertIn('its input file 1 is not', self.expect_failure(*few))
        self.assertIn('--continue keeps the points of --sweep', self.expect_usage('bench', '--continue', kept))

    def test_whole_job(self):
        """Each run is a process of its own, and none touches the output that the job names."""
        kept = self.folder / 'mine.dx'
        kept.write_text('mine', encoding='utf-8')
        temporary = self.folder / 'temporary'
        temporary.mkdir()
        environment = dict(os.environ, TMPDIR=str(temporary))
        job = f"map '{self.pqr}' --method cutoff --spacing 2 -o '{kept}'"
        written = [self.folder / ('job' + ending) for ending in ('.csv', '.svg', '.json')]
        line = ['bench', '--device', 'cpu', '--job', job, '--sweep', 'threads=1,2', '--repeat', '2']
        outputs = [word for path in written for word in ('-o', path)]
        told = cli.run_json(*line, *outputs, env=environment)
        self.assertEqual(json.loads(written[2].read_text(encoding='utf-8')), told)
        self.assertEqual((told['kernel'], told['counted']), ('map', 'jobs'))
        self.assertNotIn('atoms', told)
        self.assertTrue(told['job'].startswith('debye-cli map --method cutoff --spacing 2 ') and 'mine' not in told['job'], told['job'])
        first, second = told['results']
        for row in first, second:
            self.assertEqual((row['variant'], row['device'], row['repeats']), ('map', 'cpu', 2))
            self.assertTrue(0 < row['seconds'] == row['seconds_least'] <= row['seconds_most'], row)
            self.assertAlmostEqual(row['evals_per_second'] * row['seconds'], 1)
        self.assertAlmostEqual(second['speed_up'], first['seconds'] / second['seconds'])
        self.assertAlmostEqual(second['efficiency'], second['speed_up'] / 2)
        self.assertEqual([fit['of'] for fit in told['fits']], ['threads'])
        self.assertIn('threads,variant,device,seconds', written[0].read_text(encoding='utf-8'))
        self.assertIn('--method cutoff', written[1].read_text(encoding='utf-8'))
        lines = self.run_cli(*line, '--quiet').stdout.splitlines()
        self.assertIn(' jobs/s ', lines[1])
        self.assertNotIn('10^9', lines[1])
        self.assertLess(abs(1 / float(lines[2].split()[3]) / float(lines[2].split()[6]) - 1), 0.01, lines[2])
        self.assertEqual(kept.read_text(encoding='utf-8'), 'mine')
        self.assertEqual(list(temporary.glob('debye-*')), [])
        row, = cli.run_json('bench', '--threads', '1', '--job', f"rdf '{self.xyz}' --pair all all -o g.csv", '--repeat', '1')['results']
        self.assertEqual(row['variant'], 'rdf')

    def test_whole_job_continued(self):
        """The job's files count by their content, as those of kernels do."""
        kept = self.folder / 'kept.json'
        line = ['bench', '--device', 'cpu', '--job', f"map '{self.pqr}' --spacing 2", '--sweep', 'threads=1,2', '--repeat', '1',
                '--continue', kept]
        told = cli.run_json(*line)
        self.assertEqual(cli.run_json(*line), told)
        line[4] += ' --method cutoff'
        self.assertIn('expected --job', self.expect_failure(*line))
        line[4] = f"map '{self.pqr}' --spacing 2"
        self.pqr.write_text(self.pqr.read_text(encoding='utf-8') + '\n', encoding='utf-8')
        self.assertIn('its input file 1 is not', self.expect_failure(*line))

    def test_whole_job_stopped(self):
        """Ctrl-C and a kill end the job with the benchmark."""
        molecule = os.path.join(os.environ['DEBYE_SAMPLES_DIR'], 'protease.pqr')
        job = f"map '{molecule}' --method direct --spacing 0.25"
        for number, status in ((signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(number), subprocess.Popen([cli.PROGRAM, 'bench', '--device', 'cpu', '--threads', '1', '--job', job],
                                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
                child, output = self.wait_for(lambda: self.find_job(running.pid))
                running.send_signal(number)
                self.assertEqual(running.wait(60), status)
                self.wait_for(lambda: self.has_ended(child))
                self.assertEqual(output.parent.exists(), number == signal.SIGKILL)
                shutil.rmtree(output.parent, ignore_errors=True)

    def wait_for(self, find):
        for _ in range(1200):
            found = find()
            if found:
                return found
            time.sleep(0.05)
        return self.fail('nothing came')

    @staticmethod
    def find_job(parent):
        """MPI has children as well."""
        for child in pathlib.Path(f'/proc/{parent}/task/{parent}/children').read_text(encoding='ascii').split():
            try:
                words = pathlib.Path(f'/proc/{child}/cmdline').read_text(encoding='utf-8').split('\0')
                if '--spacing' in words:
                    return child, pathlib.Path(words[words.index('--output') + 1])
            except FileNotFoundError:
                pass
        return None

    @staticmethod
    def has_ended(process):
        """A process that its parent left may be a zombie of a container that reaps none."""
        try:
            return pathlib.Path(f'/proc/{process}/stat').read_text(encoding='ascii').rpartition(')')[2].split()[0] == 'Z'
        except (FileNotFoundError, ProcessLookupError):
            return True

    def test_whole_job_fails(self):
        """Its own error with its line, and its own exit status."""
        self.assertIn('debye-cli map --device cpu --threads 2 missing.pqr: missing.pqr: ',
                      self.expect_failure('bench', '--device', 'cpu', '--threads', '2', '--job', 'map missing.pqr'))
        self.assertIn(': expected a name that ends in one of ', self.expect_usage('bench', '--device', 'cpu', '--job', f"map '{self.pqr}' -o a.xyz"))
        job = f"map '{self.pqr}'"
        for words, said in ((('--job', 'bench'), 'found “bench”'), (('--job', 'rerun a.h5'), 'expected an analysis'),
                            (('--job', "map 'a"), '--job: Text ended'), (('--job', 'map'), 'map: expected FILE'),
                            (('--job', job + ' --spacing a'), 'map: --spacing'),
                            (('--job', job + ' --threads 2'), '--threads belongs to bench or its --sweep'),
                            (('--job', job + ' --continue a.h5'), "--continue can't be repeated"),
                            (('--job', job + ' --residues a.csv'), "--residues can't be repeated"),
                            (('--job', job, '--against', 'naive'), '--against applies to kernels only; leave it out'),
                            (('--job', job, '--size', '8,100'), '--size applies to kernels'),
                            (('--job', job, str(self.pqr)), 'expected files within the job'),
                            (('--job', job, '--sweep', 'ranks=1,2'), 'expected --sweep of threads or devices, found ranks'),
                            (('--job', job, '--sweep', 'kernel=direct'), 'found kernel')):
            with self.subTest(words):
                self.assertIn(said, self.expect_usage('bench', *words))

    def test_refused(self):
        for words, said in ((('--sweep', 'size=1,2'), 'NAME one of threads'), (('--sweep', 'atoms=1,a'), 'numbers from 1'),
                            (('--sweep', 'vectors=1,2'), "doesn't depend"), (('--sweep', 'ranks=1,2'), 'mpirun'),
                            (('--sweep', 'atoms=10', '--against', 'naive'), 'found both'),
                            (('--sweep', 'atoms=10', '--kernel', 'histogram'), 'pairs'),
                            (('-o', 'bench.svg'), '--sweep'), (('-o', 'bench.dat'), '.csv'),
                            (('--device', 'cpu,cpu'), '“cpu” is named twice'),
                            (('--kernel', 'abacus'), '--kernel: expected one of')):
            with self.subTest(words):
                self.assertIn(said, self.expect_usage('bench', *words))


if __name__ == '__main__':
    unittest.main()
