/** DigitalOcean as a cloud provider. */
import { z } from 'zod';
import { type ApiManner, DigitalOceanClient } from '../digitalocean';
import { DomainError } from '../platform/errors';
import * as shapes from './digitalocean-shapes';
import type { ActionRequest, CloudProvider, NewCluster, NewMachine, ZoneRecord } from './provider';

const oneOf = <S extends z.ZodType>(name: string, shape: S) =>
  z.object({ [name]: shape }).transform((answer): z.output<S> => answer[name] as z.output<S>);
/** Of a list without pages. A longer one is refused before its entries are looked at. */
const MAX_ENTRIES = 2000;
const listOf = <S extends z.ZodType>(name: string, shape: S) =>
  z
    .object({ [name]: z.array(z.unknown()).max(MAX_ENTRIES).pipe(z.array(shape)).optional() })
    .transform((answer): z.output<S>[] => (answer[name] as z.output<S>[] | undefined) ?? []);

const started = z.object({
  droplet: z.object({ id: z.int() }),
  links: z.object({ actions: z.array(z.object({ id: z.int() })).optional() }).optional(),
});
const account = z.object({ team: z.object({ name: shapes.name }).nullish() });

/** Undefined instead of a 404. */
const orNone = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && error.detail.code === 'NOTFOUND') return undefined;
    throw error;
  }
};

const at = (path: string, id: string | number): string => `${path}/${encodeURIComponent(id)}`;
const tagged = (tag: string | undefined): string =>
  tag === undefined ? '' : `tag_name=${encodeURIComponent(tag)}`;
const [DROPLETS, KEYS, CLUSTERS, DOMAINS] = [
  '/v2/droplets',
  '/v2/account/keys',
  '/v2/databases',
  '/v2/domains',
];

export const digitalOcean = (token: string, manner: ApiManner): CloudProvider => {
  const client = new DigitalOceanClient(token, manner);
  const list = async <S extends z.ZodType>(name: string, shape: S, path: string, query = '') =>
    (await client.every(listOf(name, shape), path, query)).flat() as z.output<S>[];
  const get = <S extends z.ZodType>(name: string, shape: S, path: string) =>
    client.read(oneOf(name, shape), 'GET', path);
  const remove = async (path: string): Promise<void> =>
    void (await client.call('DELETE', path, { accepted: 404 }));
  const bodyOf = (given: Omit<ZoneRecord, 'record'> & { record?: number }) => {
    const { record: _, ...fields } = given;
    return fields;
  };

  return {
    async account() {
      try {
        const { team } = await get('account', account, '/v2/account');
        return team ? { team: team.name } : {};
      } catch (error) {
        // A token may have every scope but `account:read`.
        if (error instanceof DomainError && error.detail.code === 'FORBIDDEN') return {};
        throw error;
      }
    },

    machines: (tag) => list('droplets', shapes.droplet, DROPLETS, tagged(tag)),
    machine: (droplet) => orNone(get('droplet', shapes.droplet, at(DROPLETS, droplet))),
    async createMachine({ key, tag, userData, ...wanted }: NewMachine) {
      const body = { ...wanted, ssh_keys: [key], tags: [tag], user_data: userData };
      const about = { body, refused: 'to create the droplet' };
      const { droplet, links } = await client.read(started, 'POST', DROPLETS, about);
      return { droplet: droplet.id, action: links?.actions?.[0]?.id };
    },
    deleteMachine: (droplet) => remove(at(DROPLETS, droplet)),
    async actions(droplet) {
      const path = `${at(DROPLETS, droplet)}/actions?per_page=20&page=1`;
      return client.read(listOf('actions', shapes.action), 'GET', path);
    },
    act: (droplet, body: ActionRequest) =>
      client.read(oneOf('action', shapes.action), 'POST', `${at(DROPLETS, droplet)}/actions`, {
        body,
        refused: `to ${body.type.replaceAll('_', ' ')} the droplet`,
      }),
    action: (id) => get('action', shapes.action, at('/v2/actions', id)),
    async options() {
      const [regions, sizes, images] = await Promise.all([
        list('regions', shapes.region, '/v2/regions'),
        list('sizes', shapes.size, '/v2/sizes'),
        list('images', shapes.image, '/v2/images', 'type=distribution'),
      ]);
      return {
        regions: regions.filter(({ available }) => available).map(({ slug, name }) => ({ slug, name })),
        // A size that is no longer offered is refused at creation.
        sizes: sizes
          .filter(({ available }) => available)
          .map((size) => {
            const { price_monthly: priceMonthly, price_hourly: priceHourly, available: _, ...one } = size;
            return { ...one, priceMonthly, priceHourly };
          }),
        images: images.flatMap(({ slug, name, distribution }) =>
          slug ? [{ slug, name, distribution }] : [],
        ),
      };
    },

    keys: () => list('ssh_keys', shapes.key, KEYS),
    key: (fingerprint) => orNone(get('ssh_key', shapes.key, at(KEYS, fingerprint))),
    addKey: (name, publicKey) =>
      client.read(oneOf('ssh_key', shapes.key), 'POST', KEYS, {
        body: { name, public_key: publicKey },
        refused: 'the key',
      }),
    deleteKey: (key) => remove(at(KEYS, key)),

    clusters: (tag) => list('databases', shapes.cluster, CLUSTERS, tagged(tag)),
    cluster: (id) => orNone(get('database', shapes.cluster, at(CLUSTERS, id))),
    async clusterAccess(id) {
      const {
        engine,
        db_names: names,
        connection,
      } = await get('database', shapes.openCluster, at(CLUSTERS, id));
      const { certificate } = await get(
        'ca',
        z.object({ certificate: z.string() }),
        `${at(CLUSTERS, id)}/ca`,
      );
      const pem = Buffer.from(certificate, 'base64').toString();
      const { user, password } = connection;
      if (!user || !password)
        throw new DomainError(
          'upstream',
          'DigitalOcean does not show this token the password: make a token with the scope database:view_credentials',
          undefined,
          { code: 'FORBIDDEN' },
        );
      return { engine, dbNames: names ?? [], ...connection, user, password, certificate: pem };
    },
    createCluster: ({ tag, ...wanted }: NewCluster) =>
      client.read(oneOf('database', shapes.cluster), 'POST', CLUSTERS, {
        body: { ...wanted, num_nodes: 1, tags: [tag] },
        refused: 'to create the database',
      }),
    deleteCluster: (id) => remove(at(CLUSTERS, id)),

    zones: () => list('domains', shapes.zone, DOMAINS),
    records: (zone) => list('domain_records', shapes.record, `${at(DOMAINS, zone)}/records`),
    addRecord: (zone, fields) =>
      client.read(oneOf('domain_record', shapes.record), 'POST', `${at(DOMAINS, zone)}/records`, {
        body: bodyOf(fields),
        refused: 'the record',
        unknown: `has no domain ${zone} in this account`,
      }),
    changeRecord: (zone, fields) =>
      client.read(
        oneOf('domain_record', shapes.record),
        'PUT',
        at(`${at(DOMAINS, zone)}/records`, fields.record),
        {
          body: bodyOf(fields),
          refused: 'the record',
          unknown: `has no such record of ${zone} in this account`,
        },
      ),
    deleteRecord: (zone, record) => remove(at(`${at(DOMAINS, zone)}/records`, record)),
  };
};
