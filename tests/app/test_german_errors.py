#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What goes wrong is said in German in a German window: errors and remarks that debye-cli says in English of broken files and
impossible orders, translated as the window does it, keep no English word outside of quotes and names."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import cli

ROOT = pathlib.Path(__file__).resolve().parents[2]
BROKEN = pathlib.Path(os.environ.get('DEBYE_SHARED') or '/nonexistent') / 'data' / 'broken'
sys.path.insert(0, str(ROOT / 'tests' / 'robustness'))
import test_sentences  # noqa: E402

# Words that no German sentence has; texts in quotes are the files' own, and HDF5's and the system's reasons are theirs.
ENGLISH = re.compile(r'\b(the|of|and|or|is|are|has|have|had|to|from|with|without|found|expected|not|its|their|first|more|'
                     r'than|for|that|which|file|memory|number|line|there|no|atoms)\b')
NAME = re.compile(r'^[\w.-]+\.\w+\b')
QUOTED = re.compile(r'„[^“]*“|“[^”]*”')
THEIR_OWN = re.compile(r"(als HDF5 lesbar|(gzip|bzip2|xz)-Daten[^:]*|lässt sich nicht öffnen): .*")
# The programs' own words, which the window has otherwise.
OF_CLI = re.compile(r'--\w|no command|are no numbers, in')


def said(text):
    """The sentences of standard error; a selection's mistake has three lines."""
    for part in re.split(r'^debye-cli: ', text, flags=re.M):
        sentence = re.sub(r'^warning: ', '', part).rstrip('\n')
        sentence = re.sub(r'^([^:]*) \(--[^)]*\):', r'\1:', sentence)  # the option behind a label
        if sentence and not OF_CLI.search(sentence):
            yield sentence


class GermanErrors(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        messages = self.folder / 'locale' / 'de' / 'LC_MESSAGES'
        messages.mkdir(parents=True)
        subprocess.run(['msgfmt', '-o', messages / 'debye.mo', ROOT / 'app/po/de.po'], check=True, stderr=subprocess.DEVNULL)

    def translate(self, sentences):
        done = subprocess.run([os.environ['DEBYE_TRANSLATE'], self.folder / 'locale'], check=True, capture_output=True,
                              input=''.join(f'{sentence}\0' for sentence in sentences).encode(),
                              env=cli.environment(LC_ALL='C.UTF-8', LANGUAGE='de'))
        return done.stdout.decode().split('\0')[:-1]

    def check(self, sentences):
        german = self.translate(sentences)
        self.assertEqual(len(german), len(sentences))
        for before, after in zip(sentences, german):
            with self.subTest(before):
                own = THEIR_OWN.sub(r'\1', NAME.sub('', QUOTED.sub('', after)))
                self.assertNotEqual(before, after)
                self.assertIsNone(ENGLISH.search(own), after)

    def test_sentences(self):
        cli.write_pqr(self.folder / 'a.pqr', [('O', 'HOH', i + 1, i, 0, 0, 0, 1.5) for i in range(1500)])
        sentences = []
        for name, content, command, _ in test_sentences.ROWS:
            (self.folder / name).write_bytes(content)
            done = cli.run(*(name if word == '{}' else word for word in command), folder=self.folder,
                           env=cli.environment(LC_ALL='C.UTF-8'))
            sentences += said(done.stderr)
        self.assertGreater(len(sentences), 35)
        self.check(list(dict.fromkeys(sentences)))

    def test_units(self):
        """On axes: words in units, and what has none."""
        self.assertEqual(self.translate(['electrons', 'electrons²', 'cm⁻²/electrons²', 'fm²']),
                         ['Elektronen', 'Elektronen²', 'cm⁻²/Elektronen²', 'fm²'])

    def test_broken_files(self):
        sentences = []
        for path in sorted(BROKEN.iterdir()):
            sentences += said(cli.run('info', path, env=cli.environment(LC_ALL='C.UTF-8')).stderr)
        self.assertGreater(len(sentences), 100)
        self.check(list(dict.fromkeys(sentences)))


if __name__ == '__main__':
    if not BROKEN.is_dir():
        print('DEBYE_SHARED names no shared data')
        sys.exit(77)
    unittest.main()
