#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every error of the data layer has the form that data/error.h promises: one sentence on one line, with no full stop, that
begins like the middle of one (the file's name and the place come before it), and quotes what it found like “this”.
check_messages.py ROOT --list prints them all, with where they are said."""
import pathlib
import re
import sys

CALL = re.compile(r'\w*set_error(?:_literal)?\s*\(((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*)\)\s*;', re.S)
LITERALS = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\s*(?:G_G\w+_FORMAT|PRI\w+)?\s*(?="))?|(G_G\w+_FORMAT)')
# Names that are written with a capital wherever they stand.
NAMES = re.compile(r'(%|[A-Z0-9/]{2,}|Difference: |Debye|NetCDF)')
# A selection's mistake comes with two more lines, the text and a caret under the place (see main_cli.c).
MARKED = 'selection_scanner.c'


def find(root):
    """(file name, line, sentence) of each call with a sentence of its own."""
    for path in sorted((root / 'data').glob('*.c')):
        text = path.read_text(encoding='utf-8')
        for call in CALL.finditer(text):
            parts = [number and 'u' or literal for literal, number in LITERALS.findall(call[1])]
            if parts:
                yield path.name, text.count('\n', 0, call.start()) + 1, ''.join(parts)


def problems_of(name, sentence):
    if name != MARKED and '\\n' in sentence:
        yield 'is of more than one line'
    if sentence.rstrip().endswith(('.', '!', ',')):
        yield 'ends like no part of a sentence'
    if sentence[:1].isupper() and not NAMES.match(sentence):
        yield 'begins with a capital'
    if re.search(r"\\\"%s|'%s'|`%s", sentence):
        yield 'quotes otherwise than “this”'
    if re.search(r'\b(Error|ERROR|invalid|failed)\b', sentence):
        yield 'says that something is wrong instead of what was expected and found'


def main():
    sentences = list(find(pathlib.Path(sys.argv[1])))
    if '--list' in sys.argv[2:]:
        for name, line, sentence in sentences:
            print(f'{name}:{line}: {sentence}')
        return 0
    found = [f'{name}:{line}: “{sentence}” {problem}' for name, line, sentence in sentences
             for problem in problems_of(name, sentence)]
    print('\n'.join(found + [f'{len(sentences)} sentences']))
    # Fewer would mean that this no longer finds them.
    return 1 if found or len(sentences) < 250 else 0


if __name__ == '__main__':
    sys.exit(main())
