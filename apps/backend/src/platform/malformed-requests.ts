/** The answer to bytes that are no request. No handler ever sees them, so Node hands out the socket. */
import type { Socket } from 'node:net';

interface Refusing {
  /** Name of the field with the reason. */
  readonly says: 'message' | 'msg';
  readonly headers: Readonly<Record<string, string>>;
  readonly maxHeaderBytes: number;
}

export const refuseMalformed =
  ({ says, headers, maxHeaderBytes }: Refusing) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, reason] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', `the headers are larger than ${maxHeaderBytes / 1024} kB`]
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? ['408 Request Timeout', 'the request took too long to arrive']
          : ['400 Bad Request', 'this is not a request that HTTP/1.1 knows'];
    const body = JSON.stringify({ [says]: reason });
    const all = Object.entries({
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    });
    socket.end(
      `HTTP/1.1 ${status}\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    );
  };
