/** The other names of a site: served alike, or redirected to its main name. */
import { isWildcard, type EventData } from '@quarterdeck/events';
import { namesOfSite } from '@quarterdeck/projections';
import { command } from '../platform/decider';
import { invalidField, NameNotClaimed } from '../platform/errors';
import { ofPresent } from './domain-state';

export type SiteName = EventData<'SiteNamesChanged'>['names'][number];

/** The field of the call that a name comes from. */
export const nameField = (index: number): string => `names.${index}.name`;

const sameNames = (a: readonly SiteName[], b: readonly SiteName[]): boolean =>
  a.length === b.length && a.every(({ name, does }, at) => b[at]?.name === name && b[at].does === does);

/** All other names, as they are to be. `claimed`: the new ones were reserved for this domain in its workspace. */
export class ChangeSiteNames extends command('ChangeSiteNames', { idempotent: true })(
  ofPresent(({ names, claimed }: { names: SiteName[]; claimed?: true }, domain) => {
    if (sameNames(names, domain.names)) return [];
    const had = new Set(namesOfSite(domain));
    for (const [index, { name, does }] of names.entries()) {
      if (name === domain.serverName)
        throw invalidField(nameField(index), 'this is the main name of the domain already');
      if (does === 'redirects' && isWildcard(domain.serverName))
        throw invalidField(
          nameField(index),
          `${domain.serverName} is no address to redirect to: serve this name as well`,
        );
      if (!claimed && !had.has(name)) throw new NameNotClaimed('domain', name);
    }
    return [{ type: 'SiteNamesChanged', data: { names } }];
  }),
) {}
