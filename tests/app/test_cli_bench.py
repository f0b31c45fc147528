#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""debye-cli devices and bench: the processor, its variants and its limits."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
from cli_case import CliCase  # noqa: E402


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
        self.assertIn('found “scatter”', self.expect_usage('bench', '--device', 'cpu', '--against', 'scatter'))

    def test_bench_of_histograms(self):
        told = cli.run_json('bench', '--device', 'cpu', '--kernel', 'histogram', '--size', '2,3000', '--repeat', '1')
        lost = {result['variant']: result['error'] for result in told['results']}
        self.assertEqual(set(lost), {f'histogram-{step}' for step in
                                     ('sequential', 'race', 'atomic', 'private', 'tiles', 'float', 'ours')})
        for step in set(lost) - {'histogram-race'}:
            self.assertEqual(lost[step], 0)
        self.assertGreaterEqual(lost['histogram-race'], 0)

    def test_list_of_variants(self):
        told = cli.run_json('bench', '--list')['variants']
        self.assertEqual([variant['family'] for variant in told], sorted(variant['family'] for variant in told))
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


if __name__ == '__main__':
    unittest.main()
