/** An event as a sentence, for the console and for exported files. Pure. */
import type { HistoryView } from './history';

type NameOf = (person: string) => string;

/** People are named from their records, all other things by the name in the log. */
export const subjectName = ({ subject }: Pick<HistoryView, 'subject'>, nameOf: NameOf): string => {
  const { category, id, name } = subject;
  if (category === 'person') return nameOf(id);
  if (category === 'credentials') return `Credentials of ${nameOf(id)}`;
  return name ?? `${category} ${id.slice(-6)}`;
};

/** The part after the actor. An event about a person speaks of that person, whoever caused it. */
export const saysOf = (event: Pick<HistoryView, 'subject' | 'actor' | 'says'>, nameOf: NameOf): string => {
  const { subject, actor, says } = event;
  return subject.category === 'person' && subject.id !== actor ? `${nameOf(subject.id)} ${says}` : says;
};

const runEventsOfPeople: readonly string[] = ['RunRequested', 'RunCancelRequested', 'RunRetried'];

/** What the sentence begins with. A run succeeds or fails by itself, not the person who requested it. */
export const doerOf = (event: Pick<HistoryView, 'subject' | 'actor' | 'type'>, nameOf: NameOf): string =>
  event.subject.category === 'run' && !runEventsOfPeople.includes(event.type)
    ? subjectName(event, nameOf)
    : nameOf(event.actor);

/** `Ada renamed to web-2`, `Docker images on web-1 failed: no such image` */
export const sentenceOf = (
  event: Pick<HistoryView, 'subject' | 'actor' | 'type' | 'says'>,
  nameOf: NameOf,
): string => `${doerOf(event, nameOf)} ${saysOf(event, nameOf)}`;
