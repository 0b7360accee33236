/** Fetches a page by its host name from a server's address as a visitor would, without following redirects. */
import { get as getPlain, type IncomingHttpHeaders } from 'node:http';
import { get as getTls } from 'node:https';

export interface Page {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface PageRequest {
  /** Address of the server. */
  host: string;
  name: string;
  path: string;
  /** PEM of the only trusted authority, for TLS on port 443. Without it, plain HTTP on port 80. */
  ca?: string;
}

/** @throws Node's error if there is no answer, or no trust */
export const fetchPage = ({ host, name, path, ca }: PageRequest): Promise<Page> =>
  new Promise((resolve, reject) => {
    const to = { host, path, headers: { host: name }, agent: false as const };
    const request =
      ca === undefined
        ? getPlain({ ...to, port: 80 })
        : getTls({ ...to, port: 443, servername: name, ca, rejectUnauthorized: true });
    request.once('error', reject).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response
        .once('error', reject)
        .once('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
  });
