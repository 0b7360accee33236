/** Sends one message to a name server over TCP and returns the answer. */
import { connect } from 'node:net';
import { DomainError } from '../platform/errors';
import type { Target } from '../platform/outbound';
import { u16 } from './message';

const words: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
};

/**
 * @param timeoutMs from the connection to the last byte
 * @throws DomainError `upstream` with ETIMEDOUT, ECONNREFUSED, ECONNRESET or another code of Node
 */
export const exchange = (
  { host, port, lookup }: Target,
  message: Buffer,
  timeoutMs: number,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup, noDelay: true });
    const fail = (what: string, code: string): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(new DomainError('upstream', `the name server ${host}:${port} ${what}`, undefined, { code }));
    };
    const timer = setTimeout(
      () => fail(`did not answer within ${timeoutMs / 1000} seconds`, 'ETIMEDOUT'),
      timeoutMs,
    );
    let got = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      got = Buffer.concat([got, bytes]);
      if (got.length < 2 || got.length < 2 + got.readUInt16BE(0)) return;
      clearTimeout(timer);
      socket.destroy();
      resolve(got.subarray(2, 2 + got.readUInt16BE(0)));
    });
    socket.on('end', () => fail('closed the connection before its answer was complete', 'ECONNRESET'));
    socket.on('error', (error: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }) => {
      const code = error.code ?? error.errors?.[0]?.code ?? 'EUNKNOWN';
      fail(words[code] ?? `could not be reached (${code})`, code);
    });
    socket.write(Buffer.concat([u16(message.length), message]));
  });
