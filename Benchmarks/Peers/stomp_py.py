"""stomp.py's codec: one task per line of standard input, answered by its nanoseconds of processor time."""

import sys
import time

from stomp.transport import BaseTransport
from stomp.utils import convert_frame, parse_frame

CHUNK = 1460


class Replay(BaseTransport):
    """Hands out the stream in pieces, as a socket would."""

    def __init__(self, data, size):
        super().__init__()
        self.data, self.size, self.position = data, size, 0
        self.running = True

    def receive(self):
        piece = self.data[self.position : self.position + self.size]
        self.position += self.size
        return piece


def stream(data, size):
    transport = Replay(data, size)
    read = transport._BaseTransport__read
    frames = []
    while transport.position < len(data):
        frames += [parse_frame(text) for text in read() if text != b"\n"]
    return frames


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    # Each frame ends in NUL and LF, and no body holds a NUL.
    texts = data.split(b"\0\n")[:-1]
    frames = [parse_frame(text) for text in texts]
    tasks = {
        "decode": lambda: [parse_frame(text) for text in texts],
        "chunks": lambda: stream(data, CHUNK),
        "encode": lambda: [b"".join(convert_frame(frame)) for frame in frames],
    }
    print("ready", flush=True)
    for line in sys.stdin:
        task = tasks[line.strip()]
        start = time.thread_time_ns()
        done = task()
        elapsed = time.thread_time_ns() - start
        if len(done) != len(frames):
            sys.exit(f"{len(done)} frames of {len(frames)}")
        print(elapsed, flush=True)


main()
