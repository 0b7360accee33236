/** Events in words: what a type is called, what happened to what, where that is found. Pure. */
import { placement } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import { paths } from '../../core/paths';

export { saysOf, subjectName } from '@quarterdeck/projections';

/** `ServerHostKeyPinned` as `Server host key pinned`. */
export const typeInWords = (type: string): string => {
  const words = type.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const knownTypes: readonly { value: string; label: string }[] = Object.keys(placement).map((type) => ({
  value: type,
  label: typeInWords(type),
}));

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
