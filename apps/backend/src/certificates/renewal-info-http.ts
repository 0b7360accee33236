/**
 * Fetches one small JSON document over HTTP, with limits on time and size. Node's own `fetch` accepts neither a custom
 * authority nor a custom look-up.
 */
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { trusting } from '../platform/tls';

export interface JsonSource {
  /** PEM of authorities to trust in addition to the usual ones. */
  ca?: string;
  /** For connection, headers and body together. Default: 10,000. */
  timeoutMs?: number;
  /** A look-up that restricts where this process may call out. */
  lookup?: LookupFunction;
}

export interface JsonAnswer {
  status: number;
  retryAfter: string | undefined;
  /** undefined if it is not JSON */
  body: unknown;
}

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64_000;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Follows no redirects: an ACME authority needs none. @throws Error with a readable message */
export const getJson = (
  url: string,
  { ca, timeoutMs = TIMEOUT_MS, lookup }: JsonSource,
): Promise<JsonAnswer> =>
  new Promise((resolve, reject) => {
    const secure = new URL(url).protocol === 'https:';
    const request = (secure ? https : http).get(url, {
      agent: false,
      headers: { accept: 'application/json', 'user-agent': 'quarterdeck' },
      ...(lookup && { lookup }),
      ...(secure && { secureContext: trusting(ca) }),
    });
    const deadline = setTimeout(
      () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    request.once('close', () => clearTimeout(deadline));
    request.on('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_BYTES) request.destroy(new Error(`the answer is larger than ${MOST_BYTES} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.once('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          body: parsed(Buffer.concat(chunks).toString('utf8')),
        });
      });
    });
  });
