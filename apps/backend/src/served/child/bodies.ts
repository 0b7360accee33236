/** What comes with a request: its query, and its body, which is JSON of limited size, depth and time. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ApiRefusal, wrongField } from './refusal';

const MAX_BYTES = 1024 * 1024;
const MAX_DRAINED = 16 * 1024 * 1024;
const DRAIN_MS = 5000;
const DEEPEST = 30;
const MAX_QUERY = 100;

/** A name that occurs more than once has a list. Without a prototype, so no name means anything but itself. */
export const queryOf = (search: string): Record<string, unknown> => {
  const query = Object.create(null) as Record<string, unknown>;
  let count = 0;
  for (const [name, value] of new URLSearchParams(search)) {
    if ((count += 1) > MAX_QUERY)
      throw new ApiRefusal(400, `the address has more than ${MAX_QUERY} parameters: send fewer`);
    const known = query[name];
    query[name] = known === undefined ? value : [known, value].flat();
  }
  return query;
};

/** The body of a request that is still to be read, or that was collected before. */
export interface SentBody {
  readonly contentType: string;
  /** As far as it is known. */
  readonly bytes: number | undefined;
  read(): Buffer | Promise<Buffer>;
}

/** @returns undefined if there is none */
export const sentIn = (request: IncomingMessage): SentBody | undefined => {
  const {
    'content-length': length,
    'transfer-encoding': coding,
    'content-type': contentType = '',
  } = request.headers;
  if (coding === undefined && (length === undefined || length === '0')) return undefined;
  return {
    contentType,
    bytes: length === undefined ? undefined : Number(length),
    read: async () => {
      const parts: Buffer[] = [];
      let bytes = 0;
      // The answer to a body that is too large needs the connection.
      for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if ((bytes += part.length) > MAX_BYTES) throw tooLarge();
        parts.push(part);
      }
      return Buffer.concat(parts);
    },
  };
};

/** @returns undefined if there is none */
export const bodyOf = async (sent: SentBody | undefined): Promise<unknown> => {
  const text = await textOf(
    sent,
    /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i,
    'the body has to be JSON: send `Content-Type: application/json`',
  );
  if (text === undefined || text.trim() === '') return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw wrongField('body', 'Not JSON');
  }
  if (depthOf(body) > DEEPEST) throw wrongField('body', `at most ${DEEPEST} levels are accepted`);
  return body;
};

/** A form, as a browser sends it. */
export const formOf = async (sent: SentBody | undefined): Promise<URLSearchParams> =>
  new URLSearchParams(
    await textOf(
      sent,
      /^application\/x-www-form-urlencoded\s*(?:;|$)/i,
      'the body has to be a form: send `Content-Type: application/x-www-form-urlencoded`',
    ),
  );

const textOf = async (
  sent: SentBody | undefined,
  accepted: RegExp,
  otherwise: string,
): Promise<string | undefined> => {
  if (!sent) return undefined;
  if (Number(sent.bytes) > MAX_BYTES) throw tooLarge();
  if (!accepted.test(sent.contentType)) throw wrongField('content-type', otherwise);
  const bytes = await sent.read();
  // Otherwise wrong bytes would become other characters, and be written as such.
  if (!isUtf8(bytes)) throw wrongField('body', 'it is not encoded in UTF-8');
  return bytes.toString('utf8');
};

/** Takes what is left of a body: a caller that is still sending would not hear the answer. */
export const drained = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let left = MAX_DRAINED;
    const end = (): void => {
      clearTimeout(late);
      resolve();
    };
    const late = setTimeout(end, DRAIN_MS);
    request.on('data', (part: Buffer) => {
      if ((left -= part.length) < 0) end();
    });
    request.once('end', end).once('close', end).once('error', end);
  });

const tooLarge = (): ApiRefusal =>
  new ApiRefusal(413, `the body is larger than ${MAX_BYTES / 1024} kB: send it in parts`);

/** Without recursion: a megabyte of brackets would exhaust the stack. */
const depthOf = (body: unknown): number => {
  let depth = 0;
  let level: unknown[] = [body];
  while (depth <= DEEPEST) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return depth;
    depth += 1;
  }
  return depth;
};
