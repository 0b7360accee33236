/** Queries for locations: whose they are, and which of them lead to a service. */
import { partsOfUpstream } from '@quarterdeck/events';
import type { DomainView, LocationView, StoredDeploy } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { packagesOfService } from '../package-pulls';
import { inView } from '../platform/in-view';
import type { Location } from './domain-locations';

const release = inView<StoredDeploy>('view');
const domain = inView<DomainView>('view');

export type OwnedLocation = LocationView & { domain: { id: string; serverName: string; revision: number } };

interface OwnerRow {
  id: string;
  serverName: string;
  revision: number;
  locations: LocationView[];
}

const OWNERS = `
  select id, "serverName", ${domain.text('revision')}::int as revision, ${domain.json('locations')} as locations
  from read.domains where workspace = $1`;

const owned = (rows: readonly OwnerRow[], wanted: (location: LocationView) => boolean): OwnedLocation[] =>
  rows.flatMap(({ locations, ...domain }) =>
    locations.filter(wanted).map((location) => ({ ...location, domain })),
  );

/** Includes the domain of the location. */
export const locationDetail = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<OwnedLocation | undefined> => {
  const { rows } = await db.query<OwnerRow>({
    name: 'location-detail',
    text: `${OWNERS} and "locationIds" @> array[$2::text]`,
    values: [workspace, id],
  });
  return owned(rows, (location) => location.id === id)[0];
};

/** Id of the domain that contains a location. */
export const locationOwner = async (db: Pool, workspace: string, id: string): Promise<string | undefined> =>
  (await locationDetail(db, workspace, id))?.domain.id;

/** A service: its server, and the ports on which it answers there. */
interface Answering {
  id: string;
  ports: readonly number[];
  server: { id: string } | null;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether the location passes requests to this port on its own server. */
const passesTo = (
  port: number,
  { url, isRedirect, is404 }: Pick<LocationView, 'url' | 'isRedirect' | 'is404'>,
): boolean => {
  if (url === undefined || isRedirect || is404) return false;
  const parts = partsOfUpstream(url);
  if (!parts || !LOOPBACK.has(parts.host.toLowerCase())) return false;
  const { scheme, authority, host } = parts;
  const given = authority.slice(host.length + 1);
  return Number(given || (scheme.endsWith('s') ? 443 : 80)) === port;
};

/** The location with another port; undefined if it does not lead to that port. */
export const changedPort = (location: Location, from: number, to: number): Location | undefined => {
  const { url } = location;
  if (url === undefined || !passesTo(from, location)) return undefined;
  const { scheme, authority, host } = partsOfUpstream(url) ?? { scheme: '', authority: '', host: '' };
  return { ...location, url: url.replace(`${scheme}://${authority}`, `${scheme}://${host}:${to}`) };
};

/**
 * The ports at which a service answers on its server: those of the release that serves there, however its form was
 * changed since. If none serves, the port of its form, unless another service answers there.
 */
export const answeringPorts = async (
  db: Pool,
  workspace: string,
  { id, port, server: at }: { id: string; port: number; server: { id: string } | null },
): Promise<number[]> => {
  if (at === null) return [port];
  const { rows } = await db.query<{ service: string; ports: number[] }>({
    name: 'ports-of-services',
    text: `
      select "serviceId" as service,
        jsonb_build_array(${release.json('port')}) || coalesce(${release.json('alsoAt')}, '[]') as ports
      from (select distinct on ("serviceId") "serviceId", view from read.releases
        where workspace = $1 and "serverId" = $2 and "servedAt" is not null
        order by "serviceId", "servedAt" desc) last
      where ${release.json('stopped')} is null`,
    values: [workspace, at.id],
  });
  const own = rows.find(({ service }) => service === id);
  if (own) return own.ports;
  return rows.some(({ ports }) => ports.includes(port)) ? [] : [port];
};

export type LeadingLocation = OwnedLocation & { by: 'link' | 'package' | 'port' };

/**
 * The locations that lead to a service: those that are linked to it or to one of its packages. A location that is linked
 * to no service leads to the one at whose port it sends requests to its own server.
 */
export const locationsOfService = async (
  db: Pool,
  workspace: string,
  { id, ports, server }: Answering,
): Promise<LeadingLocation[]> => {
  const packages = await packagesOfService(db, workspace, id);
  const { rows } = await db.query<OwnerRow & { serverId: string }>({
    name: 'locations-of-service',
    text: `
      select id, "serverName", ${domain.text('revision')}::int as revision, ${domain.json('locations')} as locations, "serverId"
      from read.domains where workspace = $1
        and ("serverId" = $2 or "deployLogs" && $3::text[] or "serviceIds" @> array[$4::text])
      order by "serverName", id`,
    values: [workspace, server?.id ?? null, packages, id],
  });
  const known = new Set(packages);
  const leadsBy = (location: LocationView, serverId: string): LeadingLocation['by'] | undefined => {
    if (location.service) return location.service.id === id ? 'link' : undefined;
    if (known.has(location.deployLog?.id ?? '')) return 'package';
    return serverId === server?.id && ports.some((port) => passesTo(port, location)) ? 'port' : undefined;
  };
  return rows.flatMap(({ serverId, ...owner }) =>
    owned([owner], () => true).flatMap((location) => {
      const by = leadsBy(location, serverId);
      return by === undefined ? [] : [{ ...location, by }];
    }),
  );
};

/** Locations that are linked to one of the services, as `shop.example.test/api/`. */
export const namesOfLinked = async (
  db: Pool,
  workspace: string,
  services: readonly string[],
): Promise<string[]> => {
  const { rows } = await db.query<OwnerRow>({
    name: 'locations-linked',
    text: `${OWNERS} and "serviceIds" && $2::text[] order by "serverName", id`,
    values: [workspace, services],
  });
  const linked = owned(rows, ({ service }) => service !== undefined && services.includes(service.id));
  return linked.map(({ domain: { serverName }, location }) => `${serverName}${location}`);
};

/** The locations of a server that lead to one of its ports, with that port. */
export const locationsAtPorts = async (
  db: Pool,
  workspace: string,
  server: string,
  ports: readonly number[],
): Promise<(OwnedLocation & { port: number })[]> => {
  const { rows } = await db.query<OwnerRow>({
    name: 'locations-at-ports',
    text: `${OWNERS} and "serverId" = $2 order by "serverName", id`,
    values: [workspace, server],
  });
  return ports.flatMap((port) =>
    owned(rows, (location) => passesTo(port, location)).map((one) => ({ ...one, port })),
  );
};
