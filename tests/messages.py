# SPDX-License-Identifier: MIT
"""The sentences of the sources, as data/message_text.h has them at run time: read by check_messages.py and check_translations.py."""
import ast
import re

import sources

# Calls whose texts are formats of messages or what fills them in, by how their names end.
SAYING = re.compile(r'\b((?:\w*_)?(?:' + '|'.join((
    'set_error', 'set_fault', 'error_set', 'error_set_of_file', 'error_set_about', 'error_prefix', 'error_set_memory', 'set_system_error', 'set_missing',
    'unit_note', 'set_truncated', 'set_value_error', 'set_choice_error', 'set_open_end', 'warn', 'fail', 'fail_at', 'say', 'message_new', 'status_set',
    'add_note', 'add_note_of', 'totals_add_notes', 'note_new', 'set_message', 'expected', r'expect\w*', r'require\w*', 'mismatch', 'report_progress', 'tell',
    # What is read, written or done, for the error that may come.
    'cuda_status', 'stream_report', 'stream_finish', 'read_count', 'read_index', 'check_record', 'next_row', 'next_line', 'read_rows',
    'read_list', 'find_scale', 'enter', 'result_new', 'png_error')) + r')|N_)\s*\(')
# What tables say of formats and tasks.
MEMBER = re.compile(r'\.(?:title|task|activity)\s*=\s*((?:"(?:[^"\\]|\\.)*"\s*)+),')
# A sentence: literals with the names of formats between them.
PIECE = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([A-Z][A-Z0-9_]+|PRI\w+)\b)')
# A sentence that several say.
DEFINED = re.compile(r'^#define DEBYE_NOTE_\w+[ \t]+(".*)$', re.M)
FILLED = re.compile(r'(“?)%([-+ #0-9.*]*)(?:ll|l|z|h)?([a-zA-Z])')
HAS_WORDS = re.compile('[a-z]{2}|^…?”$')  # words, or quotes alone
FOLDERS = ('data', 'kernels', 'render', 'app', 'ui')


def split(text, start):
    """The arguments of the call whose parenthesis is at `start`."""
    depth, at, begin, parts = 0, start, start + 1, []
    while at < len(text):
        sign = text[at]
        if sign in '"\'':
            at = re.compile(rf'(?:[^{sign}\\]|\\.)*{sign}', re.S).match(text, at + 1).end()
            continue
        depth += (sign in '([{') - (sign in ')]}')
        if depth == 0 or (sign == ',' and depth == 1):
            parts.append(text[begin:at].strip())
            begin = at + 1
        if depth == 0:
            break
        at += 1
    return parts


def sentence_of(argument):
    """Of an argument that is one literal, the text as the compiler has it; "" of others."""
    start, parts = 0, []
    while piece := PIECE.match(argument, start):
        is_format = piece[2] is not None and piece[2].startswith(('G_G', 'PRI'))
        parts.append(piece[1] if piece[1] is not None else 'u' if is_format else '%s')
        start = piece.end()
    text = ''.join(parts)
    return ast.literal_eval(f'"{text}"') if argument.startswith('"') and start == len(argument) else ''


def sentences_of(argument):
    """Of "…", or of condition ? "…" : "…"."""
    depth, at, begin, parts = 0, 0, 0, []
    while at < len(argument):
        sign = argument[at]
        if sign in '"\'':
            at = re.compile(rf'(?:[^{sign}\\]|\\.)*{sign}', re.S).match(argument, at + 1).end()
            continue
        depth += (sign in '([{') - (sign in ')]}')
        if sign in '?:' and depth == 0:
            parts.append(argument[begin:at])
            begin = at + 1
        at += 1
    return [sentence_of(part.strip()) for part in [*parts, argument[begin:]]]


def pattern_of(text):
    """%s for what stays, %t for what is translated in turn."""
    parts = [FILLED.sub(lambda place: f"{place[1]}%{'t' if place[3] == 's' and not place[1] + place[2] else 's'}", part)
             for part in text.split('%%')]
    return '%'.join(parts)


def find(root, folders=FOLDERS):
    """(path, line, function, text) of each sentence and of what is marked to fill one in."""
    for folder in folders:
        for path in sorted((root / folder).rglob('*')):
            if path.suffix not in ('.c', '.cu', '.h', '.cuh'):
                continue
            text = path.read_text(encoding='utf-8')
            for define in DEFINED.finditer(text.replace('\\\n', ' ')):
                yield path, 1, 'add_note', sentence_of(re.sub(r'\s+', ' ', define[1]).strip())
            for member in MEMBER.finditer(text):
                yield path, text.count('\n', 0, member.start()) + 1, 'N_', sentence_of(member[1].strip())
            for call in SAYING.finditer(text):
                # The first argument with words is what is said, others fill it in.
                said = call[1]
                arguments = split(text, call.end() - 1)
                if said.endswith('error_set_about'):
                    del arguments[2]   # a label, which its table has
                for argument in arguments:
                    sentences = [each for each in sentences_of(argument) if HAS_WORDS.search(FILLED.sub('', each))]
                    for sentence in sentences:
                        yield path, text.count('\n', 0, call.start()) + 1, said, sentence
                    said = 'N_' if sentences else said
