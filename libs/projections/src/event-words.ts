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
