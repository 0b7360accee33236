/**
 * The identity of a log, and the keys that prove what this console wrote to it. They are stored in the log itself,
 * encrypted under a key derived from the master key. So the log and the master key are enough to start over.
 */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { codecOf, type EncodedEvent } from '../codec';
import type { Position } from '../envelope';
import { LOG_STREAM, logEvents } from '../log.events';
import type { LogIdentity, Seal } from './audit';
import type { KeptEvent, LogEngine } from './engine';
import { LogElsewhere, UNFINISHED, WrongExpectedRevision } from './event-store';
import { parsedText } from './json-text';
import { signSeal, signText } from './signatures';
import { unwrap, wrap } from './wrap';

const SIGNING_KEY = 0;
const FIRST_TAG_KEY = 1;
/** Characters of a tag: 16 bytes of the HMAC in base64url. */
const TAG_LENGTH = 22;
const TAG_AT_END = /,"tag":"(\d{1,9})\.([\w-]{22})"\}$/;

interface Secret {
  number: number;
  wrapped: string;
}

/** The log was founded under another master key. */
export class WrongLogKey extends Error {
  override name = 'WrongLogKey';
  constructor(log: string) {
    super(`the keys of event log ${log} do not open with this master key`);
  }
}

const wrappingKey = (masterKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'quarterdeck event log', 32));

const about = (log: string, number: number): string => `${log}\n${number}`;

const wrapAll = (log: string, masterKey: Buffer, keys: ReadonlyMap<number, Buffer>): Secret[] =>
  [...keys].map(([number, key]) => ({
    number,
    wrapped: wrap(wrappingKey(masterKey), key, about(log, number)).toString('base64'),
  }));

const unwrapAll = (log: string, masterKey: Buffer, secrets: readonly Secret[]): Map<number, Buffer> =>
  new Map(
    secrets.map(({ number, wrapped }) => [
      number,
      unwrap(wrappingKey(masterKey), Buffer.from(wrapped, 'base64'), about(log, number)),
    ]),
  );

/** Netstrings, so that the boundaries between parts are unambiguous. */
const joined = (parts: readonly string[]): string => {
  let text = '';
  for (const part of parts) text += `${Buffer.byteLength(part)}:${part},`;
  return text;
};

export class LogKeys {
  readonly #newest: number;
  /** Prepared key objects: with raw bytes, every tag would have to import its key again. */
  readonly #tagKeys: ReadonlyMap<number, KeyObject>;
  readonly #signing: KeyObject;

  /** @param founded position of the event that founded the log; earlier events have no tags */
  private constructor(
    readonly id: string,
    readonly founded: Position,
    /** Ed25519, SPKI, base64. */
    readonly publicKey: string,
    private readonly keys: ReadonlyMap<number, Buffer>,
  ) {
    this.#newest = Math.max(...keys.keys());
    this.#tagKeys = new Map(
      [...keys]
        .filter(([number]) => number !== SIGNING_KEY)
        .map(([number, key]) => [number, createSecretKey(key)]),
    );
    this.#signing = createPrivateKey({ key: keys.get(SIGNING_KEY)!, format: 'der', type: 'pkcs8' });
  }

  /**
   * Opens the keys of a log. A log without keys (new, or from a version that had none) gets keys unless it is opened
   * read-only.
   * @throws WrongLogKey
   */
  static async open(log: LogEngine, masterKey: Buffer, readOnly = false): Promise<LogKeys | undefined> {
    for (;;) {
      const kept = await log.readStream(LOG_STREAM, { from: 0 });
      const keys = keysIn(kept, masterKey);
      if (keys) return new LogKeys(keys.id, keys.founded, keys.publicKey, keys.keys);
      if (readOnly) return undefined;
      try {
        await found(log, masterKey, kept.at(-1)?.revision ?? -1);
      } catch (error) {
        // Another process founded the log first.
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  }

  /** @internal for `found`, which needs the keys before they are in the log */
  static made(id: string, publicKey: string, keys: ReadonlyMap<number, Buffer>): LogKeys {
    return new LogKeys(id, '0', publicKey, keys);
  }

  get identity(): LogIdentity {
    return { log: this.id, publicKey: this.publicKey };
  }

  /** Adds the tag for the event's place. */
  tagged(event: EncodedEvent, stream: string, revision: number): EncodedEvent {
    const tag = this.#tag(this.#newest, event, event.meta, stream, revision);
    return { ...event, meta: `${event.meta.slice(0, -1)},"tag":"${this.#newest}.${tag}"}` };
  }

  /** Why the event counts as foreign; undefined if this console wrote it. */
  foreign(event: KeptEvent): string | undefined {
    const [, number, tag] = TAG_AT_END.exec(event.meta) ?? [];
    if (tag === undefined) return 'it has no tag';
    if (!this.#tagKeys.has(Number(number))) return 'its tag is of a key that this log does not have';
    const meta = `${event.meta.slice(0, event.meta.lastIndexOf(',"tag":"'))}}`;
    if (this.#tag(Number(number), event, meta, event.stream, event.revision) === tag) return undefined;
    return 'its tag is not of this event at this place';
  }

  /** @returns the signature of a seal, in base64 */
  sign(seal: Seal): string {
    return signSeal(this.#signing, this.id, seal);
  }

  /** @param text begins with its own kind. @returns the signature, in base64 */
  signText(text: string): string {
    return signText(this.#signing, text);
  }

  /** Encrypts the keys under another master key as well. */
  async rewrap(log: LogEngine, masterKey: Buffer): Promise<void> {
    for (;;) {
      const revision = (await log.readStream(LOG_STREAM, { from: 0 })).at(-1)?.revision ?? -1;
      const data = { log: this.id, secrets: wrapAll(this.id, masterKey, this.keys) };
      const event = this.tagged(encoded('LogKeysRewrapped', data), LOG_STREAM, revision + 1);
      try {
        await log.append(LOG_STREAM, [event], revision);
        return;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  }

  #tag(key: number, event: EncodedEvent, meta: string, stream: string, revision: number): string {
    const { id, type, data } = event;
    return createHmac('sha256', this.#tagKeys.get(key)!)
      .update(joined([this.id, stream, String(revision), id, type, data, meta]))
      .digest('base64url')
      .slice(0, TAG_LENGTH);
  }
}

/** For readers that only need to know the events about the log itself. */
export const logCodec = codecOf(logEvents);

/** An event about the log itself. */
export const encoded = (type: string, data: unknown): EncodedEvent => {
  const id = uuidv7();
  const at = new Date().toISOString();
  const meta = { id, at, actor: 'system', workspace: '-', correlationId: id, causationId: id, v: '1' };
  return logCodec.encode({ type, data, meta });
};

async function found(log: LogEngine, masterKey: Buffer, revision: number): Promise<void> {
  // The log is an unfinished copy: its founding event may not have been copied yet.
  if (await log.isUnfinished()) throw new LogElsewhere(UNFINISHED);
  const id = uuidv7();
  const pair = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  const publicKey = pair.publicKey.toString('base64');
  const keys = new Map([
    [SIGNING_KEY, pair.privateKey],
    [FIRST_TAG_KEY, randomBytes(32)],
  ]);
  const event = encoded('LogFounded', { log: id, publicKey, secrets: wrapAll(id, masterKey, keys) });
  const tagged = LogKeys.made(id, publicKey, keys).tagged(event, LOG_STREAM, revision + 1);
  await log.append(LOG_STREAM, [tagged], revision < 0 ? 'no_stream' : revision);
}

interface OpenedKeys {
  id: string;
  founded: Position;
  publicKey: string;
  keys: Map<number, Buffer>;
}

/**
 * Anybody with write access to the log can append events of these types, but none that decrypts with our master key.
 * The first founding event that does is ours.
 * @returns undefined if the log was not founded
 */
function keysIn(kept: readonly KeptEvent[], masterKey: Buffer): OpenedKeys | undefined {
  const parsed = (type: 'LogFounded' | 'LogKeysRewrapped') =>
    kept
      .filter((event) => event.type === type)
      .flatMap(({ position, data }) => {
        const { success, data: fields } = logEvents[type].schema.safeParse(parsedText(data));
        return success ? [{ position, ...fields }] : [];
      });
  const foundings = parsed('LogFounded') as {
    position: Position;
    log: string;
    publicKey: string;
    secrets: Secret[];
  }[];
  const wrappings = parsed('LogKeysRewrapped').reverse();
  for (const { log, publicKey, position, secrets } of foundings)
    for (const candidate of [...wrappings.filter((one) => one.log === log), { secrets }]) {
      const keys = opened(log, publicKey, masterKey, candidate.secrets);
      if (keys) return { id: log, founded: position, publicKey, keys };
    }
  const [first] = foundings;
  if (first) throw new WrongLogKey(first.log);
  return undefined;
}

function opened(
  log: string,
  publicKey: string,
  masterKey: Buffer,
  secrets: readonly Secret[],
): Map<number, Buffer> | undefined {
  try {
    const keys = unwrapAll(log, masterKey, secrets);
    const key = createPrivateKey({ key: keys.get(SIGNING_KEY)!, format: 'der', type: 'pkcs8' });
    const found = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
    return found === publicKey && keys.has(FIRST_TAG_KEY) ? keys : undefined;
  } catch {
    return undefined;
  }
}
