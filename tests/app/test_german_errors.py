#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What goes wrong is said in German in a German window: errors and remarks on broken files and impossible orders, by a debye-cli
that speaks the window's language (german.c), have no English word outside of quotes and names."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import cli
import started_once

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
OF_CLI = re.compile(r'--\w|no command|are not numbers, in')


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

    def run_both(self, *command):
        """(in English, in German) of each sentence."""
        environment = cli.environment(LC_ALL='C.UTF-8', LANGUAGE='de', DEBYE_LOCALE_DIR=str(self.folder / 'locale'))
        english, german = (list(said(started_once.run(os.environ[program], command, folder=self.folder, env=environment).stderr))
                           for program in ('DEBYE_CLI', 'DEBYE_CLI_GERMAN'))
        self.assertEqual(len(english), len(german), (english, german))
        return zip(english, german)

    def check(self, sentences):
        for before, after in sentences.items():
            with self.subTest(before):
                own = THEIR_OWN.sub(r'\1', NAME.sub('', QUOTED.sub('', after)))
                self.assertNotEqual(before, after)
                self.assertIsNone(ENGLISH.search(own), after)

    def test_sentences(self):
        cli.write_pqr(self.folder / 'a.pqr', [('O', 'HOH', i + 1, i, 0, 0, 0, 1.5) for i in range(1500)])
        sentences = {}
        for name, content, command, _ in test_sentences.ROWS:
            (self.folder / name).write_bytes(content)
            sentences.update(self.run_both(*(name if word == '{}' else word for word in command)))
        self.assertGreater(len(sentences), 35)
        self.check(sentences)

    def test_names_of_code(self):
        """An array keeps its name, also where a word is called the same."""
        source = (ROOT / 'kernels' / 'ladder' / 'direct' / '01-grid-outer.c').read_text(encoding='utf-8')
        for line in ('((float *)atoms)[0] = 1.0f;', 'energy[0] += atoms[4 * n_atoms];'):
            (self.folder / 'mine.c').write_text(source.replace('  energy[', f'  {line}\n  energy[', 1), encoding='utf-8')
            (_, german), = self.run_both('bench', '--source', 'mine.c', '--device', 'cpu', '--size', '24,200', '--quiet')
            self.assertIn('„atoms“', german)
            self.assertNotIn('Atome', german)

    def test_broken_files(self):
        sentences = {}
        for path in sorted(BROKEN.iterdir()):
            sentences.update(self.run_both('info', path))
        self.assertGreater(len(sentences), 100)
        self.check(sentences)


if __name__ == '__main__':
    if not BROKEN.is_dir():
        print('DEBYE_SHARED names no shared data')
        sys.exit(77)
    unittest.main()
