#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every error of the data layer has the form that data/files/error.h promises: one sentence on one line, with no full stop, that
begins like the middle of one (the file's name and the place come before it), and quotes what it found like “this”.
check_messages.py ROOT --list prints them all, with where they are said; --page FILE writes them, and those of the
window, as a page for people, --language PO in a language."""
import ast
import pathlib
import re
import sys
import unicodedata

import messages

# What says errors; the rest says remarks, notes and progress, or fills a sentence in.
ERROR = re.compile(r'(set_error|error_set|error_set_of_file|error_set_about|fail|fail_at|set_fault|error_set_memory|expected)$')
# Those of them that make the error itself; the others fill in a part of it, or a remark.
MAKES = re.compile(r'(set_error|error_set|error_set_of_file|error_set_about)$')
SAID = re.compile(ERROR.pattern[:-1] + r'|(warn|say|status_set)$')
TITLE = 'Error messages'
EXPLANATION = ('Each message is one sentence: the file, the position in it, what was expected and what was found. “…” stands '
               'for values that are filled in. The list is generated from the sources.')
# Files of debye-cli alone, which speaks English.
OF_CLI = re.compile(r'(command_|cli_|info_|arguments|main_cli|picture|plot_output|render_line|render_map|bench_(?!source))')
PLACEHOLDER = re.compile(r'%[-+ #0-9.*]*(?:ll|l|z|h)?[a-zA-Z]')
# Names that are written with a capital wherever they stand.
NAMES = re.compile(r'(%|[A-Z0-9/]{2,}|Difference: |Debye|NetCDF)')
# A selection's mistake comes with two more lines, the text and a caret under the place (see main_cli.c).
MARKED = 'selection_scanner.c'


def find(root, folder='data', said=ERROR):
    """(path, line, sentence) of each error of a layer, as its source has it."""
    for path, line, function, sentence in messages.find(root, [folder]):
        if said.search(function) and not OF_CLI.match(path.name):
            yield path, line, sentence


def problems_of(name, sentence):
    if name != MARKED and '\n' in sentence:
        yield 'is of more than one line'
    if sentence.rstrip().endswith(('.', '!', ',')):
        yield 'ends like no part of a sentence'
    if sentence[:1].isupper() and not NAMES.match(sentence):
        yield 'begins with a capital'
    if re.search(r"\"%s|'%s'|`%s", sentence):
        yield 'quotes otherwise than “this”'
    if re.search(r'\b(Error|ERROR|invalid|failed)\b', sentence):
        yield 'says that something is wrong instead of what was expected and found'


def patterns(root):
    """What the window can say when something is wrong, each once."""
    found = (messages.pattern_of(sentence) for path, _, function, sentence in messages.find(root)
             if SAID.search(function) and not OF_CLI.match(path.name))
    return list(dict.fromkeys(found))


TRANSLATED = re.compile(r'^msgid ((?:"(?:[^"\\]|\\.)*"\s*)+)msgstr ((?:"(?:[^"\\]|\\.)*"\s*)+)', re.M)


def words_of(catalogue):
    pairs = TRANSLATED.findall(catalogue.read_text(encoding='utf-8'))
    return {ast.literal_eval(f'({key})'): ast.literal_eval(f'({value})') for key, value in pairs}


def page(root, words):
    """Markdown: what the window says, a line per sentence, in the order of a dictionary; `words` translate it, empty: English."""
    shown = {re.sub('…+', '…', re.sub('%[st]', '…', words.get(pattern, pattern))).replace('\n', ' ') for pattern in patterns(root)}
    yield f'# {words.get(TITLE, TITLE)}\n'
    yield words.get(EXPLANATION, EXPLANATION)
    last = None
    for sentence in sorted(filter(first_letters, shown), key=first_letters):
        if first_letters(sentence)[:1] != last:
            last = first_letters(sentence)[:1]
            yield f'\n## {last.upper()}\n'
        yield '- ' + sentence


def first_letters(sentence):
    """What a list in a dictionary's order goes by; empty: a sentence of another's words alone."""
    return re.sub(r'^\W+', '', unicodedata.normalize('NFKD', sentence.casefold()))


def argument_of(option):
    return sys.argv[sys.argv.index(option) + 1]


def main():
    root = pathlib.Path(sys.argv[1])
    sentences = list(find(root))
    if '--page' in sys.argv[2:]:
        words = words_of(pathlib.Path(argument_of('--language'))) if '--language' in sys.argv else {}
        pathlib.Path(argument_of('--page')).write_text('\n'.join(page(root, words)) + '\n', encoding='utf-8')
        return 0
    if '--list' in sys.argv[2:]:
        for path, line, sentence in sentences:
            print(f'{path.name}:{line}: {sentence}')
        return 0
    found = [f'{path.name}:{line}: “{sentence}” {problem}' for path, line, sentence in sentences
             for problem in problems_of(path.name, sentence)]
    print('\n'.join(found + [f'{len(sentences)} sentences']))
    # Fewer would mean that this no longer finds them.
    return 1 if found or len(sentences) < 250 else 0


if __name__ == '__main__':
    sys.exit(main())
