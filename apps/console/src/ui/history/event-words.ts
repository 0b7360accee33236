/** Events in words: what a type is called, where its subject is found, what changed from what to what. Pure. */
import { placement } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import { paths } from '../../app/paths';

/** `ServerHostKeyPinned` as `Server host key pinned`. */
export const typeInWords = (type: string): string => {
  const words = type.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const knownTypes: readonly { value: string; label: string }[] = Object.keys(placement).map((type) => ({
  value: type,
  label: typeInWords(type),
}));

type NameOf = (actor: string) => string;

/** People are known by their records, everything else by the name that the log gives it. */
export const subjectName = ({ subject }: Pick<HistoryView, 'subject'>, nameOf: NameOf): string =>
  subject.category === 'person'
    ? nameOf(subject.id)
    : (subject.name ?? `${subject.category} ${subject.id.slice(-6)}`);

/** What stands after the actor. An event of a person speaks of that person, whoever caused it. */
export const saysOf = (event: Pick<HistoryView, 'subject' | 'actor' | 'says'>, nameOf: NameOf): string => {
  const { subject, actor, says } = event;
  return subject.category === 'person' && subject.id !== actor ? `${nameOf(subject.id)} ${says}` : says;
};

/** The page of an event's subject, where there is one. */
export const subjectPath = ({ subject }: Pick<HistoryView, 'subject'>): string | undefined => {
  if (subject.category === 'server') return paths.server(subject.id);
  if (subject.category === 'script') return paths.script(subject.id);
  if (subject.category === 'run') return paths.run(subject.id);
  return undefined;
};

export interface Change {
  field: string;
  before?: string;
  after?: string;
}

/** Nested data as dotted fields: `key.fingerprint`. */
const flatten = (data: unknown, prefix = ''): [string, string][] => {
  if (typeof data !== 'object' || data === null)
    return prefix === '' ? [] : [[prefix, typeof data === 'string' ? data : JSON.stringify(data)]];
  return Object.entries(data).flatMap(([key, value]) =>
    flatten(value, prefix === '' ? key : `${prefix}.${key}`),
  );
};

/** Fields under which an event itself tells how it was before. */
const TOLD: Record<string, { before: string; after: string }> = {
  ServerHostKeyRefused: { before: 'expected', after: 'got' },
  ServerHostKeyAccepted: { before: 'previous', after: '' },
};

/** Events that set the same fields. The same word elsewhere means something else: a host key's fingerprint, a private key's. */
const FAMILIES: readonly (readonly string[])[] = [
  ['ServerRegistered', 'ServerRenamed', 'ServerMoved', 'ServerPathsChanged', 'ServerKeyReplaced'],
  ['ScriptAdded', 'ScriptRevised', 'ScriptRenamed'],
  ['PersonJoined', 'PersonRoleChanged'],
];

const part = (data: unknown, name: string): unknown =>
  name === ''
    ? data
    : typeof data === 'object' && data !== null
      ? (data as Record<string, unknown>)[name]
      : undefined;

/**
 * Field by field what an event changed. What stood there before is in the event itself or in the one of the same
 * subject that set it last (`earlier`, newest first).
 */
export const changesOf = (event: HistoryView, earlier: readonly HistoryView[]): Change[] => {
  const told = TOLD[event.type];
  const after = flatten(part(event.data, told?.after ?? '')).filter(
    ([field]) => !told || !field.startsWith(`${told.before}.`),
  );
  const previous = (field: string): string | undefined => {
    if (told) return new Map(flatten(part(event.data, told.before))).get(field);
    const family = FAMILIES.find((types) => types.includes(event.type));
    for (const { type, data } of earlier) {
      if (!family?.includes(type)) continue;
      const value = new Map(flatten(data)).get(field);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return after.map(([field, value]) => {
    const before = previous(field);
    return { field, ...(before !== undefined && { before }), after: value };
  });
};
