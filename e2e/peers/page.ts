/** One page as a visitor gets it, by its name from the address of a server, without following redirects. */
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
  /** PEM: over TLS from port 443, trusting this authority alone. Otherwise over HTTP from port 80. */
  ca?: string;
}

/** @throws what Node says when there is no answer, or no trust */
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
