#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Each sentence of the data layer's list (tests/check_messages.py --list) is said in some test. They all run once more,
with said.c between them and GLib, and whoever adds a sentence adds the case that it is said in. Some sentences are about the
reference files alone, so without those the whole test is skipped."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests'))
import check_messages  # noqa: E402

# Meson's exit status of a test that is skipped.
SKIPPED = 77
# What no test says, with the reason: too large a thing, or another check that comes first.
UNSAID = {
    'a TIFF has at most 4 GB, and a picture of %d × %d pixels is larger: write a .png': 'a picture of 4 GB',
    'expected fewer than %d atoms in the cell, found more': 'a crystal of 2³¹ atoms',
    "a CCP4 map can't hold %u points per side": 'a map of 2³¹ points',
    'expected fewer than %u frames, found %u': 'a trajectory of 2³² frames',
    'expected 1 to %u particles and at most as many frames, found %u and %u': 'a trajectory of 2³² atoms or frames',
    'the assembly has more than %d atoms. Choose another one': 'an assembly of 50 million atoms',
    'expected at most %d bonds per atom, found %u or more bonds for %u atoms':
        'a run input whose molecules have a hundred atoms, each bonded to most of the others',
    'expected %u bytes from byte %u on, the file ends at byte %u': 'a file cut while it is read: before, libhdf5 says it',
}



# Cases of the data tests that take long and say only what others say, too: of half of all the time, and all of one program.
TAKES_LONG = {'test_h5_check': ['/h5-check/any-byte'], 'test_input': ['/input/packings/bomb'], 'test_large_gro': ['/large-gro']}


def simplify(sentence):
    """Without how wide a number is, which differs between the list and the program."""
    text = sentence.replace('\\"', '"').replace('\\n', '\n').replace('%%', '%')
    return check_messages.PLACEHOLDER.sub('%', text)


class SentencesMet(unittest.TestCase):
    maxDiff = None

    def run_all(self, said):
        """Gives what failed: these tests are the others' business, but what one doesn't reach isn't met. A skipped one has not
        failed."""
        environment = {**os.environ, 'LD_PRELOAD': os.environ['DEBYE_SAID_LIBRARY'], 'DEBYE_SAID': str(said)}
        commands = [[program, *(f'-s={case}' for case in TAKES_LONG.get(pathlib.Path(program).name, ()))]
                    for program in os.environ['DEBYE_DATA_TESTS'].split(':')]
        for script in ('tests/robustness/test_sentences.py', 'tests/app/test_prepare.py',
                       'tests/app/test_prepare_strands.py'):
            commands.append([sys.executable, str(ROOT / script)])
        for command in commands:
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if done.returncode not in (0, SKIPPED):
                yield f"{command[-1]}: {done.returncode}: {done.stdout.decode(errors='replace')[-300:]}"

    def test_each_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            said = pathlib.Path(folder) / 'said'
            self.assertEqual(list(self.run_all(said)), [])
            texts = said.read_text(encoding='utf-8', errors='replace')
        formats = {simplify(text) for text in texts.split('\0')}
        sentences = {(path.name, simplify(sentence)): sentence for path, _, sentence 
                     in check_messages.find(ROOT, said=check_messages.MAKES)}
        exempt = {simplify(sentence) for sentence in UNSAID}
        self.assertLessEqual(exempt, {simple for _, simple in sentences})
        # One without a placeholder may have had another text put before it.
        unmet = [f'{name}: {sentence}' for (name, simple), sentence in sentences.items()
                 if simple not in exempt and simple not in formats and ('%' in simple or simple not in texts)]
        self.assertEqual(unmet, [])


if __name__ == '__main__':
    if not os.environ.get('DEBYE_SHARED'):
        print('DEBYE_SHARED is not set: the sentences about the reference files cannot be met')
        sys.exit(SKIPPED)
    unittest.main()
