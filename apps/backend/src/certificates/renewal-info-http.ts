/** One small JSON document over HTTP, bounded in time and size. Node's own `fetch` takes neither an authority nor a look-up. */
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { trusting } from '../platform/tls';

export interface JsonSource {
  /** PEM of authorities that are trusted besides the usual ones. */
  ca?: string;
  /** For connection, headers and body together. Default 10,000. */
  timeoutMs?: number;
  /** Who decides where this process may call out, where somebody does. */
  lookup?: LookupFunction;
}

export interface JsonAnswer {
  status: number;
  retryAfter: string | undefined;
  /** undefined when it is no JSON */
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

/** Follows no redirect: an ACME authority needs none. @throws Error in words */
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
