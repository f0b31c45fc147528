# SPDX-License-Identifier: MIT
"""The pixels and the chunks of a PNG file of debye-cli: 8 bits a channel, with opacity, not interlaced."""
import struct
import zlib


def chunks(data):
    """[(type, content)] in the file's order."""
    found, place = [], 8
    while place < len(data):
        size, kind = struct.unpack('>I4s', data[place:place + 8])
        found.append((kind.decode('ascii'), data[place + 8:place + 8 + size]))
        place += 12 + size
    return found


def drawn(path):
    """All that a file shows: its bytes without the texts that keep how it was made."""
    return b''.join(kind.encode('ascii') + content for kind, content in chunks(path.read_bytes()) if kind != 'iTXt')


def texts(path):
    """{keyword: text} of a file's international texts, none of them packed."""
    found = {}
    for kind, content in chunks(path.read_bytes()):
        if kind == 'iTXt':
            keyword, rest = content.split(b'\0', 1)
            found[keyword.decode('ascii')] = rest[2:].split(b'\0', 2)[2].decode('utf-8')
    return found


def paeth(a, b, c):
    p = a + b - c
    distances = (abs(p - a), abs(p - b), abs(p - c))
    return (a, b, c)[distances.index(min(distances))]


def unfilter(kind, row, above, bpp):
    for i, _ in enumerate(row):
        left = row[i - bpp] if i >= bpp else 0
        corner = above[i - bpp] if i >= bpp else 0
        row[i] = (row[i] + (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind]) & 255
    return row


def read(path):
    """(width, height, rows of (red, green, blue, opacity))"""
    parts = chunks(path.read_bytes())
    width, height, depth, color = struct.unpack('>IIBB', dict(parts)['IHDR'][:10])
    if depth != 8 or color not in (2, 6):
        raise AssertionError(f'{path}: {depth} bits, colour type {color}')
    bpp = 4 if color == 6 else 3
    data = zlib.decompress(b''.join(content for kind, content in parts if kind == 'IDAT'))
    rows, above, stride = [], bytearray(bpp * width), 1 + bpp * width
    for y in range(height):
        line = data[y * stride:(y + 1) * stride]
        above = unfilter(line[0], bytearray(line[1:]), above, bpp)
        rows.append([tuple(above[bpp * x:bpp * x + bpp]) + (() if bpp == 4 else (255,)) for x in range(width)])
    return width, height, rows
