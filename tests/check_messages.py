#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every error of the data layer has the form that data/files/error.h promises: one sentence on one line, with no full stop, that
begins like the middle of one (the file's name and the place come before it), and quotes what it found like “this”.
check_messages.py ROOT --list prints them all, with where they are said; --page FILE writes them, and those of the
programs, as a page for people, --language PO in a language; --patterns FILE DEPFILE writes all that the window can show as
what data/translation/translation.h translates."""
import ast
import json
import pathlib
import re
import sys
import unicodedata

import sources

CALL = re.compile(r'\w*set_error(?:_literal)?\s*\(((?:[^()"]|"(?:[^"\\]|\\.)*"|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)\s*;', re.S)
# A sentence: literals with the names of formats between them, up to the comma before its first argument.
PIECE = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([A-Z][A-Z0-9_]+|PRI\w+)\b)')
# What says sentences that the window shows: errors, remarks on files, reasons of kernels.
SAID = re.compile(CALL.pattern.replace('set_error(?:_literal)?', '(?:set_error(?:_literal)?|warn|fail|status_set|set_fault)'), re.S)
TITLE = 'What Debye can say when something is wrong'
EXPLANATION = ('Each is one sentence: the file, the place in it, what was expected, what was found. “…” stands for what is '
               'filled in. The list is made from the sources.')
# Files of debye-cli alone, which speaks English.
OF_CLI = re.compile(r'(bench_report|command_|cli_|info_|arguments|main_cli|picture|plot_output|render_line|render_map)')
FOLDERS = ('data', 'kernels', 'kernels/cpu', 'kernels/cuda', 'render', 'app/analysis', 'app')
# A text in quotes stays as it is; other texts are translated in turn.
FILLED = re.compile(r'(“?)%([-+ #0-9.*]*)(?:ll|l|z|h)?([a-zA-Z])')
PLACEHOLDER = re.compile(r'%[-+ #0-9.*]*(?:ll|l|z|h)?[a-zA-Z]')
# Names that are written with a capital wherever they stand.
NAMES = re.compile(r'(%|[A-Z0-9/]{2,}|Difference: |Debye|NetCDF)')
# A selection's mistake comes with two more lines, the text and a caret under the place (see main_cli.c).
MARKED = 'selection_scanner.c'


def sentence_of(arguments):
    """The format text of a call; "" where it passes another's on."""
    start, parts = arguments.find('"'), []
    while start >= 0 and (piece := PIECE.match(arguments, start)):
        is_format = piece[2] is not None and piece[2].startswith(('G_G', 'PRI'))
        parts.append(piece[1] if piece[1] is not None else 'u' if is_format else '%s')
        start = piece.end()
    return ''.join(parts)


def find(root, folder='data', said=CALL):
    """(path, line, sentence) of each call with a sentence of its own."""
    for path in sources.of(root, folder, '*.c', '*.cu'):
        text = path.read_text(encoding='utf-8')
        for call in said.finditer(text):
            sentence = sentence_of(call[1])
            if sentence:
                yield path, text.count('\n', 0, call.start()) + 1, sentence


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


def pattern_of(sentence):
    """A sentence as data/translation/translation.h has it: %s for what stays, %t for what is translated in turn."""
    text = ast.literal_eval(f'"{sentence}"')
    parts = [FILLED.sub(lambda place: f"{place[1]}%{'t' if place[3] == 's' and not place[1] + place[2] else 's'}", part)
             for part in text.split('%%')]
    # One that begins with a colon has a setting's name before it.
    return ('%t' if text.startswith(':') else '') + '%'.join(parts)


def listed(root):
    """Patterns that are kept by hand, as what stands between their places."""
    text = ''.join((root / f'app/translation/translation_{name}.c').read_text(encoding='utf-8') for name in ('patterns', 'phrases'))
    calls = re.findall(r'N_\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', text)
    return {re.sub('%[st]', '%', ast.literal_eval(f'({literals})')) for literals in calls}


def patterns(root):
    """What the window can show, each once, but for what is listed by hand."""
    found, known = {}, listed(root)
    for folder in FOLDERS:
        for path, _, sentence in find(root, folder, SAID):
            pattern = pattern_of(sentence)
            # Less is another's sentence with the place before it.
            if (not OF_CLI.match(path.name) and re.search('[a-z]{2}.*[a-z]{2}', re.sub('%[st]', '', pattern))
                    and re.sub('%[st]', '%', pattern) not in known):
                found[pattern] = None
    return list(found)


def write_patterns(root, path, depfile):
    """C source, and what it is made from."""
    lines = [f'    N_({json.dumps(pattern, ensure_ascii=False)}),' for pattern in patterns(root)]
    text = ('/* Made by tests/check_messages.py from the sentences of the sources. */\n#include <glib/gi18n.h>\n\n'
            '#include "app/translation/translation_lists.h"\n\nconst char *const debye_translation_sentences[] = {\n'
            + '\n'.join(lines) + '\n    NULL,\n};\n')
    if not path.exists() or path.read_text(encoding='utf-8') != text:
        path.write_text(text, encoding='utf-8')
    read = [str(source) for folder in FOLDERS for source in sources.of(root, folder, '*.c', '*.cu')]
    depfile.write_text(f'{path}: ' + ' '.join(source.replace(' ', r'\ ') for source in read) + '\n', encoding='utf-8')


def subject_of(path):
    """What a file is about: the first sentence of its header's comment, or of its own."""
    header = path.with_suffix('.h')
    comment = (header if header.exists() else path).read_text(encoding='utf-8').split('/*', 2)[2]
    words = re.sub(r' \([^()]*[.:;] [^()]*\)', '', ' '.join(comment.replace('\n *', ' ').split()))  # who is cited, with the stops of a citation
    return re.split(r'[.:;](?:\s|\*)|\*/', words)[0].strip()


def show(sentence):
    """With … for what is filled in."""
    parts = sentence.replace('\\n', ' ').replace('\\"', '"').split('%%')
    return '%'.join(re.sub('…+', '…', PLACEHOLDER.sub('…', part)) for part in parts)


TRANSLATED = re.compile(r'^msgid ((?:"(?:[^"\\]|\\.)*"\s*)+)msgstr ((?:"(?:[^"\\]|\\.)*"\s*)+)', re.M)


def translated_page(root, catalogue):
    """As page(), of what the window says, in the language of a catalogue and its order; its own words are there, too."""
    pairs = TRANSLATED.findall(catalogue.read_text(encoding='utf-8'))
    words = {ast.literal_eval(f'({key})'): ast.literal_eval(f'({value})') for key, value in pairs}
    shown = {re.sub('%[st]', '…', words.get(pattern, pattern)).replace('\n', ' ') for pattern in patterns(root)}
    yield f'# {words[TITLE]}\n'
    yield words[EXPLANATION]
    last = None
    for sentence in sorted(shown, key=first_letters):
        if first_letters(sentence)[:1] != last:
            last = first_letters(sentence)[:1]
            yield f'\n## {last.upper()}\n'
        yield '- ' + sentence


def first_letters(sentence):
    """What a list in a dictionary's order goes by."""
    return re.sub(r'^\W+', '', unicodedata.normalize('NFKD', sentence.casefold()))


def page(root):
    """Markdown: a heading a subject, a line a sentence, with … for what is filled in."""
    yield f'# {TITLE}\n'
    yield EXPLANATION + '\n'
    for folder in ('data', 'app', 'app/analysis'):
        last = None
        for path, _, sentence in sorted(find(root, folder), key=lambda found: (found[0].name, *found[1:])):
            shown = show(sentence)
            if not re.search('[a-z]', shown):
                continue   # another's sentence, with the file before it
            if path != last:
                yield f'\n## {subject_of(path)}\n'
            last = path
            yield '- ' + shown


def argument_of(option):
    return sys.argv[sys.argv.index(option) + 1]


def main():
    root = pathlib.Path(sys.argv[1])
    sentences = list(find(root))
    if '--page' in sys.argv[2:]:
        written = translated_page(root, pathlib.Path(argument_of('--language'))) if '--language' in sys.argv else page(root)
        pathlib.Path(argument_of('--page')).write_text('\n'.join(written) + '\n', encoding='utf-8')
        return 0
    if '--patterns' in sys.argv[2:]:
        write_patterns(root, *map(pathlib.Path, sys.argv[3:5]))
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
