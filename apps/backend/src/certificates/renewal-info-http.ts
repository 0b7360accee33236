/** Asks an ACME authority for one small JSON document. */
import { callOut, type Outbound } from '../platform/outbound';

export interface JsonSource {
  outbound: Outbound;
  /** PEM of authorities to trust in addition to the usual ones. */
  ca?: string;
  /** For connection, headers and body together. Default: 10,000. */
  timeoutMs?: number;
}

export interface JsonAnswer {
  status: number;
  retryAfter: string | undefined;
  /** undefined if it is not JSON */
  body: unknown;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64_000;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Follows no redirects: an ACME authority needs none. @throws DomainError */
export const getJson = async (
  url: string,
  { outbound, ca, timeoutMs = TIMEOUT_MS }: JsonSource,
): Promise<JsonAnswer> => {
  const { status, headers, text } = await callOut(outbound, {
    url,
    timeoutMs,
    maxBytes: MAX_BYTES,
    headers: { accept: 'application/json' },
    ...(ca !== undefined && { ca }),
  });
  return { status, retryAfter: headers['retry-after'], body: parsed(text) };
};
