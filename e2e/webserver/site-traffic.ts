/** Both ends of a site under test: an upstream that reports its requests, and requests like those of a browser. */
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface SiteRequest {
  url: string;
  method: string;
  headers: IncomingHttpHeaders;
}

/**
 * Answers with the request as JSON. `/slow` is never answered, `/strict` has its own security headers and CORS, and
 * `/moved` redirects like an application that only knows its own address.
 */
export const startUpstream = async (): Promise<{ server: Server; port: number }> => {
  const server = createServer((request, response) => {
    const { url = '', method = '', headers } = request;
    if (url.includes('/slow')) return;
    const { port } = server.address() as AddressInfo;
    if (url.includes('/moved')) {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/v1/there` }).end();
      return;
    }
    if (url.includes('/strict'))
      response.setHeaders(
        new Map([
          ['X-Frame-Options', 'DENY'],
          ['Referrer-Policy', 'no-referrer'],
          ['X-Content-Type-Options', 'nosniff'],
          ['Access-Control-Allow-Origin', 'https://own.test'],
        ]),
      );
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ url, method, headers, padding: ' '.repeat(2000) }));
  });
  server.on('upgrade', ({ headers }, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${headers.upgrade}\r\nConnection: Upgrade\r\n\r\n`,
    );
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
};

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
}

/** One request on a new connection. `tls`: the certificate is not checked. */
export const ask = (
  target: { port: number; host: string; tls?: boolean },
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port, host, tls } = target;
    const request = (tls === true ? httpsRequest : httpRequest)(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        headers: { host, ...options.headers },
        agent: false,
        servername: host,
        rejectUnauthorized: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    request.once('error', reject).end(options.body);
  });

/** The request that the upstream got, from its answer. */
export const askedOf = ({ body }: Answer): SiteRequest => JSON.parse(body) as SiteRequest;

/** How often a header is in an answer. */
export const times = ({ rawHeaders }: Answer, name: string): number =>
  rawHeaders.filter((one, index) => index % 2 === 0 && one.toLowerCase() === name.toLowerCase()).length;
