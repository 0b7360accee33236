/** Events in words: what a type is called, what happened to what, where that is found. Pure. */
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

const pages: Record<string, (id: string) => string> = {
  server: paths.server,
  script: paths.script,
  run: paths.run,
  domain: paths.domain,
  alert: paths.alerts,
  person: (id) => paths.member(id),
  credentials: (id) => paths.member(id, 'credentials'),
  invitation: () => paths.members('invitations'),
  workspace: paths.settings,
};

/** The page of an event's subject, where there is one. */
export const subjectPath = ({ subject }: Pick<HistoryView, 'subject'>): string | undefined =>
  Object.hasOwn(pages, subject.category) ? pages[subject.category]?.(subject.id) : undefined;
