/**
 * Translates between the events of deciders and folds and the stored form. Every event passes through here once when it
 * is written, and must then match the newest schema of its type. It passes once more when it is read, and old data is
 * then upgraded to that schema.
 */
import type { z } from 'zod';
import type { EventDefinition } from './define-event';
import type { EventMeta, NewEvent } from './envelope';

export class InvalidEvent extends Error {
  override name = 'InvalidEvent';
  constructor(
    readonly type: string,
    readonly problems: string,
  ) {
    super(`event ${type} does not fit its schema: ${problems}`);
  }
}

/** An event as engines store it: `data` and `meta` are the exact JSON text that the chain is computed over. */
export interface EncodedEvent {
  id: string;
  type: string;
  data: string;
  meta: string;
}

export interface Codec {
  /** @throws InvalidEvent with the type and the problem */
  encode(event: NewEvent): EncodedEvent;
  /** Returns events of unknown types and of newer versions unchanged. */
  decode<E extends NewEvent>(stored: E): E;
}

const META: readonly (keyof EventMeta)[] = ['at', 'actor', 'workspace', 'correlationId', 'causationId'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/**
 * Matches NUL and lone surrogates, which `JSON.stringify` writes as escapes. After an even number of backslashes `\u`
 * starts an escape; after an odd number it is plain text.
 */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

export const codecOf = (definitions: Readonly<Record<string, EventDefinition>>): Codec => {
  const known = new Map(Object.entries(definitions));
  return {
    encode(event) {
      const definition = known.get(event.type);
      if (!definition) throw new InvalidEvent(event.type, 'the catalogue has no such type');
      const parsed = definition.schema.safeParse(event.data);
      if (!parsed.success) throw new InvalidEvent(event.type, problemsOf(parsed.error));
      const meta = metaOf(event, definition.version);
      return {
        id: meta.id,
        type: event.type,
        data: jsonText(event.type, 'data', parsed.data),
        meta: jsonText(event.type, 'meta', meta),
      };
    },
    decode(stored) {
      const definition = known.get(stored.type);
      const version = Number(stored.meta.v);
      if (!definition || !(version < definition.version)) return stored;
      const data = definition.upcasts.slice(version - 1).reduce((old, upcast) => upcast(old), stored.data);
      const older = { type: stored.type, data: stored.data, meta: stored.meta };
      return { ...stored, data, meta: { ...stored.meta, v: String(definition.version) }, stored: older };
    },
  };
};

/** Only strings, in one fixed order, with the version whose schema the data was just checked against. */
function metaOf({ type, meta }: NewEvent, version: number): EventMeta {
  if (!UUID.test(meta.id)) throw new InvalidEvent(type, 'meta.id: a lower-case uuid is expected');
  for (const key of META) {
    if (typeof meta[key] !== 'string') throw new InvalidEvent(type, `meta.${key}: a string is expected`);
  }
  const { id, at, actor, workspace, correlationId, causationId } = meta;
  return { id, at, actor, workspace, correlationId, causationId, v: String(version) };
}

function jsonText(type: string, part: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (text.includes('\\u') && UNSTORABLE.test(text)) {
    throw new InvalidEvent(type, `${part}: NUL characters and lone surrogates cannot be stored`);
  }
  return text;
}

const problemsOf = (error: z.ZodError): string =>
  error.issues
    .map((issue) => `${issue.path.join('../../events/src') || 'data'}: ${issue.message}`)
    .join('; ');
