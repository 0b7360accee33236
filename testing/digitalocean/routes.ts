/** Carries out each call on an account as DigitalOcean does. */
import { type Answered, type CloudCall, listed, ok, type Route, textIn } from './answers';
import {
  backupWindow,
  images,
  notFound,
  regions,
  sizes,
  type StoredCluster,
  type StoredDroplet,
  type StoredRule,
  unprocessable,
} from './state';
import { pageOf } from './records';
import { domainRoutes } from './domain-routes';

const shownDroplet = (stored: StoredDroplet) => {
  const { user_data: _, ...droplet } = stored;
  return droplet;
};
/** A cluster under way has no connection yet. */
const shownCluster = ({ connection, private_connection, ...cluster }: StoredCluster) =>
  cluster.status === 'creating' ? cluster : { ...cluster, connection, private_connection };

const keyOf = ({ match, account }: CloudCall) => {
  const { key: name } = match.params;
  const found = [...account.keys.values()].find((one) => String(one.id) === name || one.fingerprint === name);
  if (!found) throw notFound();
  return found;
};
const dropletOf = ({ match, account }: CloudCall): StoredDroplet =>
  account.droplet(Number(match.params['droplet']));
const clusterOf = ({ match, account }: CloudCall): StoredCluster =>
  account.lookAtCluster(match.params['cluster'] ?? '');

const tagged = <T extends { tags: string[] | null }>(all: Iterable<T>, { url }: CloudCall): T[] => {
  const tag = url.searchParams.get('tag_name');
  return [...all].filter(({ tags }) => tag === null || tags?.includes(tag));
};

const started = (asked: CloudCall): Answered => {
  const { account, body } = asked;
  const wanted = body as { image: string | number; ssh_keys?: (string | number)[]; region?: string };
  const image = images.find(({ id, slug }) => wanted.image === id || wanted.image === slug);
  const region = regions.find(({ slug }) => slug === (wanted.region ?? 'nyc1'));
  if (!image) throw unprocessable('You specified an invalid image for Droplet creation.');
  if (!region) throw unprocessable('You specified an invalid region for Droplet creation.');
  const keys = (wanted.ssh_keys ?? []).map((name) => {
    const found = [...account.keys.values()].find((one) => one.id === name || one.fingerprint === name);
    if (!found) throw unprocessable(`${name} are invalid key identifiers for Droplet creation.`);
    return found.public_key;
  });
  const { tags, user_data: userData, backups, vpc_uuid: vpc } = body;
  const size_slug = textIn(asked, 'size');
  if (sizes.find(({ slug }) => slug === size_slug)?.available === false)
    throw unprocessable('Size is not available in this region.');
  const made = account.addDroplet({
    name: textIn(asked, 'name'),
    size_slug,
    status: 'new',
    locked: true,
    image,
    region,
    tags: (tags as string[] | null | undefined) ?? [],
    features: ['backups', 'ipv6', 'monitoring'].filter((name) => body[name] === true),
    ...(backups === true && { next_backup_window: backupWindow() }),
    ...(typeof vpc === 'string' && { vpc_uuid: vpc }),
    ...(typeof userData === 'string' && { user_data: userData }),
  });
  const action = account.begin('create', made, async () => {
    if (account.boot) {
      const machine = await account.boot({ userData: made.user_data ?? '', keys });
      account.machines.set(made.id, machine);
      account.addAddress(made.id, machine.address);
    }
    Object.assign(made, { status: 'active', locked: false });
  });
  const links = {
    actions: [{ id: action.id, rel: 'create', href: `https://api.test/v2/actions/${action.id}` }],
  };
  return { status: 202, body: { droplet: shownDroplet(made), links } };
};

const act = (asked: CloudCall): Answered => {
  const { account, body } = asked;
  const droplet = dropletOf(asked);
  if (droplet.locked) throw unprocessable('Droplet already has a pending event.');
  const type = textIn(asked, 'type');
  const effects: Record<string, () => void> = {
    power_off: () => (droplet.status = 'off'),
    shutdown: () => (droplet.status = 'off'),
    power_on: () => (droplet.status = 'active'),
    rename: () => (droplet.name = textIn(asked, 'name')),
    resize: () => {
      const size = sizes.find(({ slug }) => slug === body['size']);
      if (size) Object.assign(droplet, { size, size_slug: size.slug, memory: size.memory });
    },
    rebuild: () => {
      const image = images.find(({ id, slug }) => slug === body['image'] || id === body['image']);
      if (image) Object.assign(droplet, { image });
    },
    snapshot: () => {
      const id = account.nextId();
      account.snapshots.set(id, {
        id,
        name: 'name' in body ? textIn(asked, 'name') : String(id),
        of: droplet.id,
      });
      droplet.snapshot_ids.push(id);
    },
  };
  if (type === 'resize' && !sizes.some(({ slug }) => slug === body['size']))
    throw unprocessable('The size you specified is invalid.');
  if (type === 'resize' && droplet.status === 'active')
    throw unprocessable('Droplet must be powered off before it can be resized.');
  if (type === 'rebuild' && !images.some(({ id, slug }) => slug === body['image'] || id === body['image']))
    throw unprocessable('You specified an invalid image for Droplet rebuild.');
  if (type === 'power_on' && droplet.status === 'active')
    throw unprocessable('Droplet is already powered on.');
  droplet.locked = true;
  const action = account.begin(type, droplet, () => {
    effects[type]?.();
    droplet.locked = false;
  });
  return { status: 201, body: { action } };
};

const newest = <T extends { id: number }>(all: T[]): T[] => all.toSorted((a, b) => b.id - a.id);
const droplets = '/v2/droplets/{droplet}';
const clusters = '/v2/databases/{cluster}';

export const routes: Readonly<Record<string, Route>> = {
  'GET /v2/account': () =>
    ok({
      account: {
        droplet_limit: 25,
        floating_ip_limit: 3,
        email: 'ops@example.org',
        uuid: 'b6fr89dbf6d9156cace5f3c78dc9851d957381ef',
        email_verified: true,
        status: 'active',
        status_message: '',
        team: { uuid: '5df3e3004a17e242b7c20ca6c9fc25b701a47ece', name: 'Example team' },
      },
    }),
  'GET /v2/account/keys': (asked) => listed('ssh_keys', [...asked.account.keys.values()], asked),
  'POST /v2/account/keys': (asked) => ({
    status: 201,
    body: { ssh_key: asked.account.addKey(textIn(asked, 'name'), textIn(asked, 'public_key')) },
  }),
  'GET /v2/account/keys/{key}': (asked) => ok({ ssh_key: keyOf(asked) }),
  'DELETE /v2/account/keys/{key}': (asked) => {
    asked.account.keys.delete(keyOf(asked).id);
    return { status: 204 };
  },
  'GET /v2/actions/{action}': async ({ account, match }) =>
    ok({ action: await account.lookAt(Number(match.params['action'])) }),
  'GET /v2/droplets': (asked) => {
    const name = asked.url.searchParams.get('name');
    const all = tagged(asked.account.droplets.values(), asked);
    return listed(
      'droplets',
      all.filter((one) => name === null || one.name === name).map(shownDroplet),
      asked,
    );
  },
  'POST /v2/droplets': started,
  [`GET ${droplets}`]: async ({ account, match }) =>
    ok({ droplet: shownDroplet(await account.lookAtDroplet(Number(match.params['droplet']))) }),
  [`DELETE ${droplets}`]: async (asked) => {
    await asked.account.removeDroplet(dropletOf(asked).id);
    return { status: 204 };
  },
  [`GET ${droplets}/actions`]: (asked) => {
    const { id } = dropletOf(asked);
    const all = [...asked.account.actions.values()].filter((one) => one.resource_id === id);
    return listed('actions', newest(all), asked);
  },
  [`POST ${droplets}/actions`]: act,
  [`GET ${droplets}/snapshots`]: (asked) => {
    const { id } = dropletOf(asked);
    const all = [...asked.account.snapshots.values()].filter(({ of }) => of === id);
    const shown = all.map((one) => ({
      id: one.id,
      name: one.name,
      type: 'snapshot',
      created_at: '2026-11-23T12:00:00Z',
      regions: ['fra1'],
      min_disk_size: 25,
      size_gigabytes: 2.34,
    }));
    return listed('snapshots', shown, asked);
  },
  'GET /v2/sizes': (asked) => listed('sizes', sizes, asked),
  'GET /v2/regions': (asked) => listed('regions', regions, asked),
  'GET /v2/images': (asked) => listed('images', images, asked),
  'GET /v2/databases': (asked) => {
    const all = tagged(asked.account.clusters.values(), asked).map(shownCluster);
    const { part } = pageOf(all, asked.url);
    return ok(all.length === 0 ? {} : { databases: part });
  },
  'POST /v2/databases': (asked) => {
    const { account, body } = asked;
    const name = textIn(asked, 'name');
    if ([...account.clusters.values()].some((one) => one.name === name))
      throw unprocessable('cluster name is not available');
    return {
      status: 201,
      body: { database: shownCluster(account.beginCluster({ ...body, name })) },
    };
  },
  'GET /v2/databases/options': () =>
    ok({
      options: {
        mysql: {
          regions: ['fra1', 'nyc1'],
          versions: ['8'],
          layouts: [{ num_nodes: 1, sizes: ['db-s-1vcpu-1gb'] }],
        },
        pg: {
          regions: ['fra1', 'nyc1'],
          versions: ['17'],
          layouts: [{ num_nodes: 1, sizes: ['db-s-1vcpu-1gb'] }],
        },
      },
    }),
  [`GET ${clusters}`]: (asked) => ok({ database: shownCluster(clusterOf(asked)) }),
  [`DELETE ${clusters}`]: (asked) => {
    asked.account.clusters.delete(clusterOf(asked).id);
    return { status: 204 };
  },
  [`GET ${clusters}/ca`]: (asked) => {
    clusterOf(asked);
    return ok({ ca: { certificate: Buffer.from(asked.account.authority).toString('base64') } });
  },
  [`GET ${clusters}/firewall`]: (asked) => ok({ rules: asked.account.rules.get(clusterOf(asked).id) ?? [] }),
  [`PUT ${clusters}/firewall`]: (asked) => {
    asked.account.setRules(clusterOf(asked).id, asked.body['rules'] as Partial<StoredRule>[]);
    return { status: 204 };
  },
  [`GET ${clusters}/dbs`]: (asked) =>
    ok({ dbs: (clusterOf(asked).db_names ?? []).map((name) => ({ name })) }),
  [`POST ${clusters}/dbs`]: (asked) => {
    const cluster = clusterOf(asked);
    const name = textIn(asked, 'name');
    if (cluster.db_names?.includes(name)) throw unprocessable('database name is not available');
    cluster.db_names = [...(cluster.db_names ?? []), name];
    return { status: 201, body: { db: { name } } };
  },
  ...domainRoutes,
};
