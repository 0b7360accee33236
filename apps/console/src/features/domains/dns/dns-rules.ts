/** Decides whether a name points to a server, and whether a record can be added for it. Pure. */
import type { DnsAnswer, WorkspaceView } from '@quarterdeck/projections';

type Addresses = DnsAnswer['addresses'];

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

/** Whether the host is a literal address, which needs no look-up. */
export const isAddress = (host: string): boolean => IPV4.test(host) || host.includes(':');

/** Whether a new IPv4 record would correct the answer. */
export const lacksIpv4 = (name: Addresses, elsewhere: Addresses | undefined): boolean =>
  !name.some(({ family }) => family === 4) || (elsewhere ?? []).some(({ family }) => family === 4);

export const ipv4Of = (addresses: Addresses | undefined): string | undefined =>
  addresses?.find(({ family }) => family === 4)?.address;

export interface RecordParts {
  name: string;
  SLD: string;
  TLD: string;
}

/** The three parts of a name directly below the workspace's parent domain, or why there are none. */
export const recordParts = (
  serverName: string,
  { parent: chosen, provider }: Pick<WorkspaceView['dns'], 'parent' | 'provider'>,
): { parts: RecordParts } | { why: string } => {
  if (!provider)
    return {
      why: 'No record can be added from here: no DNS provider is set up for this workspace.',
    };
  // The parent defaults to the zone.
  const parent = chosen ?? provider.zone;
  const right = `only names of three parts such as shop.${parent} can be added from here`;
  if (serverName === parent) return { why: `${serverName} is the parent itself; ${right}.` };
  if (!serverName.endsWith(`.${parent}`))
    return { why: `${serverName} does not end in .${parent}; ${right}.` };
  const name = serverName.slice(0, -parent.length - 1);
  if (name === '*') return { why: `The record of a wildcard is added at the DNS provider; ${right}.` };
  if (name.includes('.')) return { why: `${serverName} is deeper below ${parent}; ${right}.` };
  const dot = parent.lastIndexOf('.');
  return { parts: { name, SLD: parent.slice(0, Math.max(dot, 0)), TLD: parent.slice(dot + 1) } };
};
