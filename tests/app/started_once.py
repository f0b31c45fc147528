# SPDX-License-Identifier: MIT
"""A program started once, up to its main: each run is a fork of it (tests/support/started_once.c), which takes a tenth of
what starting it anew does. DEBYE_STARTED_ONCE_LIBRARY names the library; without it, as in a build with a
sanitizer, each run is a process of its own."""
import array
import atexit
import contextlib
import os
import resource
import select
import signal
import socket
import struct
import subprocess
import threading
import time

MOST_LIMITS = 4
LIBRARY = os.environ.get('DEBYE_STARTED_ONCE_LIBRARY')
# Where LD_PRELOAD would cut its path.
if LIBRARY and not {' ', ':'}.isdisjoint(LIBRARY):
    LIBRARY = None
# What the dynamic linker, a library, or debye-cli-german reads before main: for each such environment a program is started.
BEFORE_MAIN = ('LD_', 'GLIBC_', 'MALLOC_', 'G_', 'GOBJECT_', 'OPENSSL_', 'GNUTLS_', 'HDF5_', 'LC_', 'LANG', 'DEBYE_LOCALE_DIR')


class StartedOnce:
    def __init__(self, program, before_main):
        self.program, self.before_main = program, before_main
        self.socket = self.process = None
        # One run at a time: whoever comes meanwhile starts a process.
        self.lock = threading.Lock()

    def start(self):
        self.socket, its_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its_end:
            # Behind others, which stay as near to the program as in a process of its own.
            libraries = ':'.join(filter(None, [self.before_main.get('LD_PRELOAD'), LIBRARY]))
            rest = {key: value for key, value in os.environ.items() if not key.startswith(BEFORE_MAIN)}
            self.process = subprocess.Popen(
                [self.program], pass_fds=[its_end.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                env={**rest, **self.before_main, 'LD_PRELOAD': libraries, 'DEBYE_STARTED_ONCE': str(its_end.fileno())})
        atexit.register(self.end)

    def end(self):
        self.socket.close()
        self.process.wait()

    def order(self, arguments, folder, environment, limits, streams):
        texts = [os.fsencode(text) + b'\0' for text in (self.program, *arguments)]
        texts += [os.fsencode(f'{key}={value}') + b'\0' for key, value in environment.items()]
        content = b''.join(texts)
        words = [len(arguments) + 1, len(environment), len(content), len(limits)]
        numbers = [number for limit in limits for number in limit] + [0, 0] * (MOST_LIMITS - len(limits))
        place = os.open(folder or '.', os.O_RDONLY | os.O_DIRECTORY)
        memory = os.memfd_create('order')
        try:
            with open(memory, 'wb', closefd=False) as file:
                file.write(content)
            self.socket.sendmsg([struct.pack(f'4I{2 * MOST_LIMITS}Q', *words, *numbers)],
                                [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [*streams, place, memory]))])
        finally:
            os.close(place)
            os.close(memory)

    def answer(self):
        data = self.socket.recv(4)
        if len(data) != 4:
            raise RuntimeError(f'{self.program}, started once, has ended: {self.process.wait()}')
        return struct.unpack('i', data)[0]

    def run(self, arguments, folder, environment, timeout, limits):
        """(status, standard output, standard error) as bytes, as of subprocess.run."""
        if self.process is None:
            self.start()
        pipes = [os.pipe(), os.pipe()]
        try:
            self.order(arguments, folder, environment, limits, [0, *(end for _, end in pipes)])
        finally:
            for _, end in pipes:
                os.close(end)
        process, finished = self.answer(), False
        try:
            texts = read_all([begin for begin, _ in pipes], time.monotonic() + timeout)
            finished = texts is not None
        finally:
            if not finished and process > 0:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            for begin, _ in pipes:
                os.close(begin)
            status = os.waitstatus_to_exitcode(self.answer())
        if not finished:
            raise subprocess.TimeoutExpired([self.program, *arguments], timeout)
        return status, texts[0], texts[1]


def read_all(descriptors, deadline):
    """What comes from each until it ends, or None where that takes longer."""
    texts = {descriptor: [] for descriptor in descriptors}
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    n_open = len(descriptors)
    while n_open > 0:
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        for descriptor, _ in poll.poll(left * 1000):
            data = os.read(descriptor, 1 << 16)
            texts[descriptor].append(data)
            if not data:
                poll.unregister(descriptor)
                n_open -= 1
    return [b''.join(texts[descriptor]) for descriptor in descriptors]


started = {}


def run(program, arguments, folder=None, env=None, timeout=120, limits=()):
    """As subprocess.run, both streams as texts. limits: (kind, most) of resource.setrlimit."""
    arguments = [str(argument) for argument in arguments]
    env = os.environ if env is None else env
    if LIBRARY:
        before_main = {key: value for key, value in env.items() if key.startswith(BEFORE_MAIN)}
        once = started.setdefault((program, *sorted(before_main.items())), StartedOnce(program, before_main))
        if once.lock.acquire(blocking=False):
            try:
                status, *texts = once.run(arguments, folder, env, timeout, limits)
            finally:
                once.lock.release()
            return subprocess.CompletedProcess([program, *arguments], status, *map(as_text, texts))
    return run_anew(program, arguments, folder, env, timeout, limits)


def run_anew(program, arguments, folder=None, env=None, timeout=120, limits=()):
    """The same by a process that is this one's own, whose time counts as that of a child."""
    def limit():
        for kind, most in limits:
            resource.setrlimit(kind, (most, most))
    return subprocess.run([program, *arguments], cwd=folder, env=env, timeout=timeout, preexec_fn=limit if limits else None,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding='utf-8', check=False)


def as_text(data):
    return data.decode('utf-8').replace('\r\n', '\n').replace('\r', '\n')
