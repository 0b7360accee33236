/** Describes events in words: event types and links to subjects. Pure. */
import { placement, plainNouns, type CategoryWithRules } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import { below, paths, plainPath } from '../../core/paths';

export { saysOf, sentenceOf, subjectName } from '@quarterdeck/projections';

/** `ServerHostKeyPinned` as `Server host key pinned`. */
export const typeInWords = (type: string): string => {
  const words = type.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const knownTypes: readonly { value: string; label: string }[] = Object.keys(placement).map((type) => ({
  value: type,
  label: typeInWords(type),
}));

const pages: Record<CategoryWithRules, ((id: string) => string) | undefined> = {
  server: paths.server,
  script: paths.script,
  run: paths.run,
  domain: paths.domain,
  alert: paths.alerts,
  // Its channel lists it.
  alertMessage: undefined,
  person: (id) => paths.member(id),
  creation: (id) => paths.create(id),
  credentials: (id) => paths.member(id, 'credentials'),
  invitation: () => paths.members('invitations'),
  workspace: paths.settings,
  deploy: undefined,
  dnsrecord: undefined,
  log: undefined,
  maintenance: undefined,
  backup: undefined,
  restoration: undefined,
  // Their pages are below those of their parents.
  version: undefined,
  variable: undefined,
  apptoken: undefined,
  publictoken: undefined,
  push: undefined,
  pushtoken: undefined,
  // A deploy is shown on the page of its run.
  release: paths.run,
  // Below the page of its product.
  text: undefined,
  email: undefined,
  mailtoken: undefined,
  // Below the page of their workflow.
  workflowInstance: undefined,
  workflowVersion: undefined,
  workflowtoken: undefined,
  // A repository's page is on the source-code host.
  repository: undefined,
  // One page lists everything in the account.
  cloudaccount: paths.cloud,
  clouddatabase: paths.cloud,
  clouddomain: paths.cloud,
  droplet: paths.cloud,
};

/** The records that the subject is a part of, innermost first: `book, Shop`. Empty for most subjects. */
export const placeWords = ({ subject: { id, within } }: Pick<HistoryView, 'subject'>): string =>
  (within ?? [])
    // The variables of a service have its id and name.
    .filter((one) => one.id !== id)
    .toReversed()
    .map(({ category, name }) => name ?? category)
    .join(', ');

/** They are shown in a list, with the rules of their service. */
const inList: ReadonlySet<string> = new Set(['push', 'pushtoken']);

/** The specification calls the page of these `edit`. */
const viewedInEdit: ReadonlySet<string> = new Set(['version', 'email']);

/** Path of the page of an event's subject, if it has one. */
export const subjectPath = ({
  subject: { category, id, within },
}: Pick<HistoryView, 'subject'>): string | undefined => {
  const own = Object.hasOwn(pages, category) ? pages[category as CategoryWithRules] : undefined;
  if (own) return own(id);
  const [outermost, ...between] = within ?? [];
  if (outermost)
    return [...between, { category, id }].reduce<string | undefined>(
      (path, one) => {
        // A token is shown with its trigger.
        if (one.category === 'workflowtoken') return path;
        const list = (below as Readonly<Record<string, string>>)[one.category];
        if (path === undefined || list === undefined) return undefined;
        // Variables and tokens are shown in their list alone.
        if (list === below.variable || list === below.mailtoken || inList.has(one.category))
          return `${path}/${list}`;
        return `${path}/${list}/${one.id}/${viewedInEdit.has(one.category) ? 'edit' : 'detail'}`;
      },
      subjectPath({ subject: outermost }),
    );
  const plain = plainNouns.find((noun) => noun.category === category);
  // The page of a nested record is below its parent's, so its own id is not enough.
  return plain && plain.within === undefined ? plainPath(plain, id) : undefined;
};
