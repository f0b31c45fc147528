#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli bench --source FILE.cu: NVRTC compiles it, where there is one. What is done with a GPU is tried on a driver that has
none, and, with DEBYE_TEST_GPU=1 and the CUDA back end, on the machine's own: every shipped variant is right and as fast as built."""
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase  # noqa: E402

LADDER = pathlib.Path(__file__).resolve().parents[2] / 'kernels' / 'ladder'
SOURCE = (LADDER / 'direct' / '24-const-precalc.cu').read_text(encoding='utf-8')
SIZES = {'orbital': '104,1', 'ligand': '32,1', 'density': '64,1', 'scattering': '1,1000,256,32'}
FAKE = os.path.dirname(os.environ.get('DEBYE_FAKE_CUDA', ''))
ON_GPU = os.environ.get('DEBYE_TEST_GPU') == '1'


def library_path(fake):
    """Meson puts the folder of the driver without a GPU there by itself."""
    others = [folder for folder in os.environ.get('LD_LIBRARY_PATH', '').split(':') if folder and folder != FAKE]
    return ':'.join([FAKE] * fake + others)


def environment(fake):
    return cli.environment(LD_LIBRARY_PATH=library_path(fake))


def list_steps(first):
    """CUDA steps whose number begins so."""
    return sorted(LADDER.glob(f'*/{first}*.cu'))


class CudaSource(CliCase):
    def judge(self, text, fake=True, status=1, more=()):
        path = self.folder / 'mine.cu'
        path.write_text(text, encoding='utf-8')
        done = self.run_cli('bench', '--source', path, '--device', 'cpu', '--repeat', '1', '--json', '--quiet',
                            *(more or ('--size', '24,4500')), env=environment(fake))
        if 'There is no NVRTC' in done.stderr:
            self.assertEqual((done.returncode, done.stdout), (1, ''))
            self.skipTest('this machine has no NVRTC')
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)['source']

    def test_right(self):
        """4,500 atoms are two fillings of constant memory, with dz² of each slice."""
        told = self.judge(SOURCE, status=0)
        self.assertTrue(told['compiled'] and told['right'] and told['landlock'] in (True, False))
        self.assertEqual(told['gpu'], {'threads_per_block': 256, 'registers_per_thread': 32, 'shared_bytes': 0,
                                       'local_bytes': 0, 'blocks_per_multiprocessor': 8, 'occupancy': 1.0})

    def test_faults(self):
        for name, text in (('fault_here', 'illegal address'), ('endless_here', 'had not ended after 2 s'), ('wrong_here', 'values are wrong'),
                           ('large_here', 'at most 1024 threads'), ('small_here', 'CHUNK must fit')):
            told = self.judge(SOURCE + f'extern "C" __device__ int {name};\n__device__ int {name} = 1;\n')
            self.assertTrue(told['compiled'] and not told['right'])
            self.assertIn(text, told['message'])

    def test_families(self):
        """Blocks of 5 of 37 atoms leave two, which are transformed one by one."""
        for path in ('orbital/21-plain.cu', 'ligand/21-plain.cu', 'density/21-atomic.cu', 'scattering/25-vector-block.cu'):
            with self.subTest(path):
                text = (LADDER / path).read_text(encoding='utf-8')
                told = self.judge(text, status=0, more=('--size', '16,60,24,4'))
                self.assertTrue(told['compiled'] and told['right'], told)
                self.assertEqual(told['gpu']['threads_per_block'], 256)
                for name, message in (('fault_here', 'illegal address'), ('wrong_here', 'never written'),
                                      ('endless_here', 'had not ended after 2 s')):
                    told = self.judge(text + f'extern "C" __device__ int {name};\n__device__ int {name} = 1;\n', more=('--size', '16,60,24,4'))
                    self.assertIn(message, told['message'])

    def test_compiler(self):
        line = SOURCE.split('\n').index('  float x = hx * i, y = hy * j, sum = 0.0f;') + 1
        told = self.judge(SOURCE.replace('y = hy * j, sum', 'y = hy * k, sum'))
        self.assertFalse(told['compiled'])
        self.assertEqual(told['line'], line)
        self.assertIn(f'mine.cu: line {line}: identifier "k" is undefined', told['message'])
        self.assertIn('macro BLOCK_X', self.judge('extern "C" __global__ void sum_slice(float *energy) { }\n')['message'])
        self.assertIn('needs a macro UNROLL', self.expect_usage('bench', '--source', self.folder / 'mine.cu', '--unroll', '2'))

    def test_names(self):
        """C++ changes the name of a function that isn't extern "C"; one that is no kernel isn't there at all."""
        told = self.judge(SOURCE.replace('extern "C" __global__', '__global__'))
        self.assertTrue(told['compiled'])
        self.assertIn('“sum_slice” is compiled as C++', told['message'])
        self.assertIn('Write extern "C" before', told['message'])
        self.assertIn('no kernel “sum_slice”', self.judge(SOURCE.replace('sum_slice(', 'sum_slices(') + '// sum_slice()\n')['message'])

    def test_without_gpu(self):
        if ON_GPU:
            self.skipTest('there is one')
        told = self.judge(SOURCE, fake=False)
        self.assertTrue(told['compiled'])
        self.assertIn('no GPU', told['message'].replace("the GPU can't be used", 'no GPU'))

    def test_mps(self):
        (self.folder / 'control').touch()
        (self.folder / 'mine.cu').write_text(SOURCE, encoding='utf-8')
        done = self.run_cli('bench', '--source', self.folder / 'mine.cu', '--device', 'cpu', '--size', '8,10',
                            env=cli.environment(CUDA_MPS_PIPE_DIRECTORY=str(self.folder)))
        self.assertEqual(done.returncode, 1)
        self.assertIn('shared through MPS', done.stderr)

    def test_compiles_all(self):
        """For a recent generation, as there is no GPU."""
        for path in list_steps('2'):
            done = self.run_cli('bench', '--source', path, '--device', 'cpu', '--size', '8,10', '--json', '--quiet', env=environment(False))
            if 'There is no NVRTC' in done.stderr:
                self.skipTest('this machine has no NVRTC')
            told = json.loads(done.stdout)['source']
            self.assertTrue(told['compiled'], (path, done.stderr))
            self.assertNotIn('extern', told['message'], path)

    @unittest.skipUnless(ON_GPU, 'DEBYE_TEST_GPU is not 1')
    def test_on_gpu(self):
        env = {key: value for key, value in os.environ.items() if not key.startswith('LC_')}
        env['LD_LIBRARY_PATH'] = library_path(False)
        for path in list_steps('[23]'):
            if 'race' in path.name:
                continue
            done = self.run_cli('bench', '--source', path, '--device', 'cuda', '--size', SIZES.get(path.parent.name, '256,4000'), '--json', '--quiet', env=env)
            self.assertEqual(done.returncode, 0, (path, done.stderr))
            told = json.loads(done.stdout)
            print(path.name, f"{told['source']['evals_per_second']:.3e} evaluations/s", told['source']['gpu'])
        for line, text in (('energy[nx * ny * 1000 + i] = 1.0f;', 'illegal address'), ('for (;;) energy[0] += 1.0f;', 'had not ended')):
            bad = self.folder / 'bad.cu'
            bad.write_text(SOURCE.replace('  energy[j', f'  {line}\n  energy[j'), encoding='utf-8')
            self.assertIn(text, self.run_cli('bench', '--source', bad, '--device', 'cuda', env=env).stderr)


if __name__ == '__main__':
    unittest.main()
