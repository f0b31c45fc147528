#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every error of the data layer has the form that data/error.h promises: one sentence on one line, with no full stop, that
begins like the middle of one (the file's name and the place come before it), and quotes what it found like “this”.
check_messages.py ROOT --list prints them all, with where they are said; --page FILE writes them, and those of the
programs, as a page for people."""
import pathlib
import re
import sys

CALL = re.compile(r'\w*set_error(?:_literal)?\s*\(((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*)\)\s*;', re.S)
# A sentence: literals with the names of formats between them, up to the comma before its first argument.
PIECE = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(G_G\w+_FORMAT|PRI\w+|DEBYE_\w+))')
PLACEHOLDER = re.compile(r'%[-+ #0-9.*]*(?:ll|l|z|h)?[a-zA-Z]')
# Names that are written with a capital wherever they stand.
NAMES = re.compile(r'(%|[A-Z0-9/]{2,}|Difference: |Debye|NetCDF)')
# A selection's mistake comes with two more lines, the text and a caret under the place (see main_cli.c).
MARKED = 'selection_scanner.c'


def sentence_of(arguments):
    """The format text of a call; "" where it passes another's on."""
    start, parts = arguments.find('"'), []
    while start >= 0 and (piece := PIECE.match(arguments, start)):
        parts.append(piece[1] if piece[1] is not None else 'u' if piece[2].startswith(('G_G', 'PRI')) else '')
        start = piece.end()
    return ''.join(parts)


def find(root, folder='data'):
    """(file name, line, sentence) of each call with a sentence of its own."""
    for path in sorted((root / folder).glob('*.c')):
        text = path.read_text(encoding='utf-8')
        for call in CALL.finditer(text):
            sentence = sentence_of(call[1])
            if sentence:
                yield path.name, text.count('\n', 0, call.start()) + 1, sentence


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


def subject_of(path):
    """What a file is about: the first sentence of its header's comment, or of its own."""
    header = path.with_suffix('.h')
    comment = (header if header.exists() else path).read_text(encoding='utf-8').split('/*', 2)[2]
    return re.split(r'[.:;](?:\s|\*)|\*/', ' '.join(comment.replace('\n *', ' ').split()))[0].strip()


def show(sentence):
    """With … for what is filled in."""
    parts = sentence.replace('\\n', ' ').replace('\\"', '"').split('%%')
    return '%'.join(PLACEHOLDER.sub('…', part) for part in parts)


def page(root):
    """Markdown: a heading a subject, a line a sentence, with … for what is filled in."""
    yield '# What Debye can say when something is wrong\n'
    yield ('Each is one sentence: the file, the place in it, what was expected, what was found. “…” stands for what is '
           'filled in. The list is made from the sources.\n')
    for folder in ('data', 'app', 'app/analysis'):
        last = None
        for name, _, sentence in sorted(find(root, folder)):
            shown = show(sentence)
            if not re.search('[a-z]', shown):
                continue   # another's sentence, with the file before it
            if name != last:
                yield f'\n## {subject_of(root / folder / name)}\n'
            last = name
            yield '- ' + shown


def main():
    root = pathlib.Path(sys.argv[1])
    sentences = list(find(root))
    if '--page' in sys.argv[2:]:
        pathlib.Path(sys.argv[sys.argv.index('--page') + 1]).write_text('\n'.join(page(root)) + '\n', encoding='utf-8')
        return 0
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
