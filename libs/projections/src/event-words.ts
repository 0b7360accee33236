/** What happened to what, in words, wherever it is read: in the console, in a file. Pure. */
import type { HistoryView } from './history';

type NameOf = (person: string) => string;

/** People are known by their records, everything else by the name that the log gives it. */
export const subjectName = ({ subject }: Pick<HistoryView, 'subject'>, nameOf: NameOf): string => {
  const { category, id, name } = subject;
  if (category === 'person') return nameOf(id);
  if (category === 'credentials') return `Credentials of ${nameOf(id)}`;
  return name ?? `${category} ${id.slice(-6)}`;
};

/** What stands after the actor. An event of a person speaks of that person, whoever caused it. */
export const saysOf = (event: Pick<HistoryView, 'subject' | 'actor' | 'says'>, nameOf: NameOf): string => {
  const { subject, actor, says } = event;
  return subject.category === 'person' && subject.id !== actor ? `${nameOf(subject.id)} ${says}` : says;
};
