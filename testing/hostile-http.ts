/** A server that speaks HTTP and answers without end, in one of several ways. */
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { AddressInfo } from 'node:net';

/** `page`: answers each call with a text that is made for it, such as the next of endless pages. */
export type Way =
  | 'body'
  | 'bomb'
  | 'headers'
  | 'drip'
  | 'drippedHeaders'
  | { page: (call: number) => string };

export interface HostileHttp {
  url: string;
  way: Way;
  /** What was handed to the network since it was last set to 0. The peer can have read no more. */
  sent: number;
  calls: number;
  stop(): Promise<void>;
}

const PIECE = Buffer.alloc(65_536, 'x');
const HEADER = Buffer.from(`x-filler: ${'x'.repeat(4_000)}\r\n`.repeat(16));
const DRIP_MS = 5;
/** 64 MB, as 64 kB. */
const BOMB = gzipSync(Buffer.alloc(64 * 1_048_576));
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

const forEver = (socket: Socket, piece: Buffer): void => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
};

const drip = (socket: Socket): void => {
  const timer = setInterval(() => socket.write(' '), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
};

const answer = (socket: Socket, way: Way, call: number): void => {
  if (typeof way === 'object') {
    const text = way.page(call);
    socket.end(`${HEAD}content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`);
  } else if (way === 'bomb') {
    socket.write(
      `${HEAD}content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\nconnection: close\r\n\r\n`,
    );
    socket.end(BOMB);
  } else if (way === 'body') {
    socket.write(`${HEAD}\r\n`);
    forEver(socket, PIECE);
  } else if (way === 'drip') {
    socket.write(`${HEAD}\r\n`);
    drip(socket);
  } else {
    socket.write(HEAD);
    if (way === 'headers') return forEver(socket, HEADER);
    socket.write('x-filler: ');
    drip(socket);
  }
};

export const startHostileHttp = async (): Promise<HostileHttp> => {
  const open = new Set<Socket>();
  const peer: HostileHttp = {
    url: '',
    way: 'body',
    sent: 0,
    calls: 0,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      peer.sent += socket.bytesWritten;
      open.delete(socket);
    });
    // All requests here are small.
    socket.once('data', () => answer(socket, peer.way, ++peer.calls));
    socket.resume();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  peer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return peer;
};
