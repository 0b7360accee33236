/** An event as a sentence, for the console and for exported files. Pure. */
import { withArticle, withObject } from './event-objects';
import type { HistoryView } from './history';

type NameOf = (person: string) => string;

/** Names of people come from their records, all other names from the log. */
export const subjectName = ({ subject }: Pick<HistoryView, 'subject'>, nameOf: NameOf): string => {
  const { category, id, name } = subject;
  if (category === 'person') return nameOf(id);
  if (category === 'credentials') return `Credentials of ${nameOf(id)}`;
  return name ?? `${category} ${id.slice(-6)}`;
};

/** What somebody does to another person. An event says it of that person: "joined as member". */
const toOthers: readonly (readonly [RegExp, (name: string, ...found: string[]) => string])[] = [
  [/^joined as (.+)$/, (name, _, role = '') => `added ${name} as ${withArticle(role)}`],
  [/^became (.+)$/, (name, _, role = '') => `made ${name} ${withArticle(role)}`],
  [/^created a sign-in link$/, (name, words) => `${words} for ${name}`],
  [/^changed their name$/, (name) => `changed the name of ${name}`],
  [/^removed a second factor(.*)$/, (name, _, which = '') => `removed a second factor of ${name}${which}`],
  [/^lost the second factor: .*$/, (name) => `removed all second factors and recovery codes of ${name}`],
  [/^was removed from the workspace$/, (name) => `removed ${name} from the workspace`],
  [/^was forgotten: .*$/, (name) => `deleted the name and e-mail of ${name}`],
];

const ofAnother = (name: string, says: string): string => {
  for (const [words, inWords] of toOthers) {
    const found = words.exec(says);
    if (found) return inWords(name, ...found);
  }
  return `${says} (${name})`;
};

/** Events that tell a fact, which nobody did: `DNS points to 192.0.2.1`. */
const isFact = (says: string): boolean => says.startsWith('DNS ');

type Told = Pick<HistoryView, 'subject' | 'actor' | 'type' | 'says' | 'undoes'>;

/** The sentence after the actor, or a whole one for a fact. It has the name of what the event was done to. */
export const saysOf = ({ undoes, ...event }: Told, nameOf: NameOf): string => {
  const { subject, actor, says } = event;
  if (undoes) {
    const by = undoes.actor === actor ? '' : ` by ${nameOf(undoes.actor)}`;
    return `undid "${saysOf({ ...event, ...undoes }, nameOf)}"${by}`;
  }
  if (isFact(says)) return says.replace(/^DNS/, `DNS of ${subjectName(event, nameOf)}`);
  if (subject.category !== 'person') return withObject(event);
  return subject.id === actor ? says : ofAnother(nameOf(subject.id), says);
};

const runEventsOfPeople: readonly string[] = ['RunRequested', 'RunCancelRequested', 'RunRetried'];

/** The subject of the sentence. The run succeeds or fails, not the person who requested it. A fact has none: `''`. */
export const doerOf = (event: Told, nameOf: NameOf): string => {
  if (isFact(event.says)) return '';
  return event.subject.category === 'run' && !runEventsOfPeople.includes(event.type)
    ? subjectName(event, nameOf)
    : nameOf(event.actor);
};

/** `Ada renamed to web-2`, `Docker images on web-1 failed: no such image` */
export const sentenceOf = (event: Told, nameOf: NameOf): string =>
  `${doerOf(event, nameOf)} ${saysOf(event, nameOf)}`.trimStart();
