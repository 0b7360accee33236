/** An event as a sentence, for the console and for exported files. Pure. */
import type { HistoryView } from './history';

type NameOf = (person: string) => string;

/** Names of people come from their records, all other names from the log. */
export const subjectName = ({ subject }: Pick<HistoryView, 'subject'>, nameOf: NameOf): string => {
  const { category, id, name } = subject;
  if (category === 'person') return nameOf(id);
  if (category === 'credentials') return `Credentials of ${nameOf(id)}`;
  return name ?? `${category} ${id.slice(-6)}`;
};

/** The sentence after the actor. If the subject is another person, it includes that person's name. */
export const saysOf = (event: Pick<HistoryView, 'subject' | 'actor' | 'says'>, nameOf: NameOf): string => {
  const { subject, actor, says } = event;
  return subject.category === 'person' && subject.id !== actor ? `${nameOf(subject.id)} ${says}` : says;
};

const runEventsOfPeople: readonly string[] = ['RunRequested', 'RunCancelRequested', 'RunRetried'];

/** The subject of the sentence. The run succeeds or fails, not the person who requested it. */
export const doerOf = (event: Pick<HistoryView, 'subject' | 'actor' | 'type'>, nameOf: NameOf): string =>
  event.subject.category === 'run' && !runEventsOfPeople.includes(event.type)
    ? subjectName(event, nameOf)
    : nameOf(event.actor);

/** `Ada renamed to web-2`, `Docker images on web-1 failed: no such image` */
export const sentenceOf = (
  event: Pick<HistoryView, 'subject' | 'actor' | 'type' | 'says'>,
  nameOf: NameOf,
): string => `${doerOf(event, nameOf)} ${saysOf(event, nameOf)}`;
