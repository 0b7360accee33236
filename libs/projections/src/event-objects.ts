/** What an event was done to, as words of its sentence: `added Status` as `added the attribute Status to Book`. Pure. */
import { nounFacts } from '@quarterdeck/events';
import type { HistoryView } from './history';

type Told = Pick<HistoryView, 'subject' | 'type' | 'says'>;

export const withArticle = (words: string): string => `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`;

/** ` to Book`; nothing if the subject has no parent, or its parent has no name. */
const parentAfter = (preposition: string, { within }: Told['subject']): string => {
  const parent = within?.at(-1)?.name;
  return parent === undefined ? '' : ` ${preposition} ${parent}`;
};

/** The name that it had before is not in the event: `renamed the server to web-2`. */
const renamedOf = (kind: string, subject: Told['subject']): string => {
  const place = parentAfter('of', subject);
  return `renamed ${place === '' ? `the ${kind}` : `${withArticle(kind)}${place}`}`;
};

/** Nouns of the kit share their events, so their sentences follow from the event type. */
const ofKit = (kind: string, { subject, type, says }: Told): string => {
  const object = `the ${kind} ${subject.name ?? ''}`.trimEnd() + parentAfter('of', subject);
  const withKind = (verb: string, preposition: string): string =>
    says.replace(verb, () => `${verb} the ${kind}`) + parentAfter(preposition, subject);
  switch (nounFacts.deeds[type]) {
    case 'added':
      return withKind('added', 'to');
    case 'restored':
      return withKind('restored', 'to');
    case 'removed':
      return withKind('removed', 'from');
    case 'renamed':
      return says.replace('renamed', () => renamedOf(kind, subject));
    case 'revealed':
      return `${says} of ${object}`;
    case 'edited':
      return says === `changed the ${kind}` ? `changed ${object}` : `${says} of ${object}`;
    case undefined:
      return says;
  }
};

type Rule = readonly [words: RegExp, object: (subject: Told['subject'], ...found: string[]) => string];

const prepositions: Readonly<Record<string, string>> = { added: 'to', removed: 'from' };
const changedIn: Rule[1] = ({ name }, _, verb = '', what = '') =>
  `${verb} ${what} ${prepositions[verb] ?? 'of'} ${name}`;
const renamed =
  (kind: string): Rule[1] =>
  (subject, _, to = '') =>
    `${renamedOf(kind, subject)} to ${to}`;
const ofIt: Rule[1] = ({ name }, says) => `${says} of ${name}`;

/** The other nouns, by category: what their events say where that leaves the object to the name beside it. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  server: [[/^renamed to (.+)$/, renamed('server')]],
  domain: [
    [/^(added|changed|removed) location (.+)$/, changedIn],
    [/^renamed to (.+)$/, renamed('domain')],
    [/^moved to another server$/, ({ name }) => `moved ${name} to another server`],
    [/^removed the certificate$/, ofIt],
  ],
  variable: [
    [/^(added|changed|removed) (\S+ for .+)$/, changedIn],
    [/^viewed the value of .+$/, ofIt],
  ],
  text: [
    [/^renamed to (.+)$/, renamed('text')],
    [
      /^commented(?: on (.+))?$/,
      ({ name }, _, language) => `commented on the text ${name}${language ? ` in ${language}` : ''}`,
    ],
    [/^comment removed$/, ({ name }) => `removed a comment on the text ${name}`],
    [
      /^(added|removed|restored|changed|reviewed|marked)( .+)?$/,
      ({ name }, _, verb = '', rest = '') => `${verb} the text ${name}${rest}`,
    ],
  ],
};

/** The sentence of an event, without its actor, with the kind and the name of what it was done to. */
export const withObject = (event: Told): string => {
  const { subject, says } = event;
  const kind = nounFacts.kinds[subject.category];
  if (kind !== undefined) return ofKit(kind, event);
  if (subject.name === undefined) return says;
  for (const [words, object] of rules[subject.category] ?? []) {
    const found = words.exec(says);
    if (found) return object(subject, ...found);
  }
  return says;
};
