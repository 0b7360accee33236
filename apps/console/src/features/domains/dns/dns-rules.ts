/** Whether a name points to a server, and whether a record can be made for it. Pure. */
import type { DnsAnswer, WorkspaceView } from '@quarterdeck/projections';

type Addresses = DnsAnswer['addresses'];

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

/** An address needs no look-up. */
export const isAddress = (host: string): boolean => IPV4.test(host) || host.includes(':');

/**
 * At least one address is the host's, and none of a family in which the host's are known is another's. The server
 * decides; this says beforehand what it will say.
 */
export const pointsTo = (name: Addresses, host: Addresses): boolean => {
  const own = new Set(host.map(({ address }) => address));
  const families = new Set(host.map(({ family }) => family));
  return (
    name.some(({ address }) => own.has(address)) &&
    name.every(({ address, family }) => own.has(address) || !families.has(family))
  );
};

export const ipv4Of = (addresses: Addresses | undefined): string | undefined =>
  addresses?.find(({ family }) => family === 4)?.address;

export interface RecordParts {
  name: string;
  SLD: string;
  TLD: string;
}

/** The three parts of a name directly below the parent of the workspace, or why there are none. */
export const recordParts = (
  serverName: string,
  { parent: chosen, provider }: Pick<WorkspaceView['dns'], 'parent' | 'provider'>,
): { parts: RecordParts } | { why: string } => {
  if (!provider)
    return {
      why: 'No record can be added from here: no DNS provider is set up for this workspace.',
    };
  // Without a choice of its own the zone itself.
  const parent = chosen ?? provider.zone;
  const right = `only names of three parts such as shop.${parent} can be added from here`;
  if (serverName === parent) return { why: `${serverName} is the parent itself; ${right}.` };
  if (!serverName.endsWith(`.${parent}`))
    return { why: `${serverName} does not end in .${parent}; ${right}.` };
  const name = serverName.slice(0, -parent.length - 1);
  if (name.includes('.')) return { why: `${serverName} is deeper below ${parent}; ${right}.` };
  const dot = parent.lastIndexOf('.');
  return { parts: { name, SLD: parent.slice(0, Math.max(dot, 0)), TLD: parent.slice(dot + 1) } };
};
