/**
 * The back end is killed at random instants while a product is created with a droplet and a database of a cloud provider,
 * and while all of that is undone. Or each call to the provider loses its answer once. covers: WIZ-01, CLOUD-02, CLOUD-03
 */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { CreationSectionView, CreationView } from '@quarterdeck/projections';
import { chooseOrganization, startOrganization } from '../../repositories/ground';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../../../testing/backend';
import { startBind, type Bind } from '../../../testing/bind';
import { startDigitalOcean, type DigitalOceanPeer } from '../../../testing/digitalocean';
import { bootThrowaway } from '../../../testing/digitalocean/machine';
import type { GitHubPeer } from '../../../testing/github';
import { until } from '../../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../../testing/postgres';
import { testAuthority } from '../../../testing/test-authority';
import { needs, throwawayHostLacks } from '../../../testing/throwaway-needs';
import { detailOf } from '../../creations/creating';
import { fault, moment } from '../fault';

const lacking = throwawayHostLacks();
needs('this machine can bring up throw-away servers', lacking);

/** `npm run faults` takes the whole figure. */
const KILLS = process.env.FAULTS_REPORT ? 20 : 2;
/** Between two kills, at most so many events are recorded. A section records about 15. */
const MAX_EVENTS = 14;
const NAMES = ['droplet', 'cluster', 'service', 'domain'] as const;

if (lacking.length === 0) {
  let postgres: TestPostgres;
  let db: Client;
  let github: GitHubPeer;
  let cloud: DigitalOceanPeer;
  let bind: Bind;
  let backend: BackendProcess;
  let ada: Operator;

  const start = async (port = 0): Promise<void> => {
    const env = {
      ...cloud.env,
      GITHUB_API_URL: github.url,
      DNS_SERVERS: bind.server,
      OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    backend = await spawnBackend({ databaseUrl: postgres.url, port, env });
  };

  beforeAll(async () => {
    [postgres, github, cloud, bind] = await Promise.all([
      startTestPostgres({ own: true }),
      startOrganization(),
      startDigitalOcean(),
      startBind(),
    ]);
    Object.assign(cloud.limits, { minute: 100_000, hour: 100_000, keyLists: 100_000 });
    cloud.account.authority = (await testAuthority()).root;
    Object.assign(cloud.account, { looks: 0, boot: bootThrowaway });
    db = new Client({ connectionString: postgres.url });
    await db.connect();
    await start();
    ada = await signIn(backend.url, backend.signInLink);
    await chooseOrganization(ada);
    expect(await ada.post('digitalocean/token/update', { token: cloud.token })).toMatchObject({
      status: 200,
    });
  });
  afterAll(async () => {
    await backend?.stop();
    await db?.end();
    await Promise.all([cloud?.stop(), github?.stop(), bind?.stop()]);
    await postgres?.stop();
  });

  const recorded = async (): Promise<number> =>
    Number((await db.query<{ n: string }>('select count(*) as n from log.events')).rows[0]?.n);

  type Under = (seed: number, work: () => Promise<void>) => Promise<string>;

  /** Kills the back end after numbers of events that follow from the seed, until `work` is over. */
  const underKills: Under = async (seed, work) => {
    let isOver = false;
    let kills = 0;
    const killer = async (): Promise<void> => {
      while (kills < KILLS) {
        const target = (await recorded()) + 1 + moment(seed + kills, MAX_EVENTS);
        await until(async () => isOver || (await recorded()) >= target);
        if (isOver) return;
        await backend.kill('SIGKILL');
        kills += 1;
        await start(Number(new URL(backend.url).port));
      }
    };
    const worked = work().finally(() => {
      isOver = true;
    });
    await Promise.all([worked, killer()]);
    return `${kills} kills`;
  };

  /** Each kind of call to the provider loses its answer once; in `npm test`, only those that change something. */
  const underLosses: Under = async (_, work) => {
    const lost = new Set<string>();
    cloud.loses = (call) => {
      const kind = call.replaceAll(/\/(?=[^/]*\d)[\da-f:-]+/g, '/*');
      if (lost.has(kind) || (!process.env.FAULTS_REPORT && kind.startsWith('GET '))) return false;
      lost.add(kind);
      return true;
    };
    await work().finally(() => delete cloud.loses);
    expect([...lost]).toEqual(expect.arrayContaining([expect.stringMatching(/^(POST|DELETE) /)]));
    return `the answers of ${lost.size} calls`;
  };

  /** Does what an operator does with the first section that `wants` it, until none does. Answers may be lost. */
  const operated = (
    id: string,
    wants: (creation: CreationView) => CreationSectionView | undefined,
    act: (section: CreationSectionView) => Promise<unknown>,
  ): Promise<void> =>
    until(async () => {
      const creation = await detailOf(ada, id).catch(() => undefined);
      if (!creation?.sections) return false;
      const section = wants(creation);
      if (!section) return true;
      if (section.state !== 'running' && section.state !== 'undoing')
        await act(section).catch(() => undefined);
      return false;
    });

  /** Sends until there is an answer. */
  const sent = async <T>(path: string, body: object): Promise<T> => {
    const key = randomUUID();
    let answer: { status: number; body: T } | undefined;
    await until(async () => {
      answer = await ada.post<T>(path, body, { 'idempotency-key': key }).catch(() => undefined);
      return answer?.status === 200;
    });
    return answer?.body as T;
  };

  const trial = async (turn: number, under: Under): Promise<string> => {
    const name = `shop-${turn}`;
    const [droplet, cluster, service, domain] = NAMES.map((one) => `${one}-${turn}`) as [
      string,
      string,
      string,
      string,
    ];
    const serverName = `${domain}.example.test`;
    const values: Record<string, object> = {
      database: { create: { name: cluster, engine: 'mysql', region: 'fra1', size: 'db-s-1vcpu-1gb' } },
      repository: { organization: 'acme', repo: name, fromTemplate: { server: true, client: false } },
      server: {
        create: {
          name: droplet,
          region: 'fra1',
          size: 's-1vcpu-1gb',
          image: 'debian-12-x64',
          backups: false,
        },
        initialize: false,
      },
      service: { name: service, port: 3000, withDb: true },
      domain: { serverName },
    };
    cloud.account.boot = async (given) => {
      const machine = await bootThrowaway(given);
      bind.change(`add ${serverName} 60 A ${machine.address}`);
      return machine;
    };
    let id = '';
    const created = await under(turn * KILLS * 2, async () => {
      const first = { kind: 'product', values: { name, structure: true, version: true } };
      ({ id } = await sent<{ id: string }>('creation/start', first));
      await operated(
        id,
        ({ sections }) => sections.find((one) => one.state !== 'done' && one.section !== 'deploy'),
        ({ section, state }) =>
          state === 'failed'
            ? ada.post('creation/section/retry', { id, section })
            : ada.post('creation/section/start', { id, section, values: values[section] }),
      );
    });
    const { sections } = await detailOf(ada, id);
    expect(sections.map(({ section, attempt }) => [section, attempt])).toEqual(
      sections.map(({ section }) => [section, section === 'deploy' ? 0 : 1]),
    );
    expect(sections.flatMap(({ made }) => made.map(({ kind }) => kind))).toEqual([
      'product',
      'version',
      'clouddatabase',
      'database',
      'repository',
      'droplet',
      'server',
      'service',
      'domain',
    ]);
    const { account } = cloud;
    expect([...account.droplets.values()].map((one) => one.name)).toEqual([droplet]);
    expect([...account.clusters.values()].map((one) => one.name)).toEqual([cluster]);
    expect([...account.keys.values()]).toEqual([]);
    expect([...github.repositories.keys()].filter((one) => one.startsWith(`acme/${name}`))).toEqual([
      `acme/${name}`,
    ]);
    expect((await ada.post('server/page', {})).body).toMatchObject({ total: 1 });
    expect((await ada.post('domain/page', {})).body).toMatchObject({ total: 1 });
    expect((await ada.post('product/list', {})).body).toHaveLength(1);
    expect((await ada.post('digitalocean/orphans', {})).body).toMatchObject({
      droplets: [],
      keys: [],
      databases: [],
    });

    const typed: Record<string, string> = { server: droplet, database: cluster };
    const undone = await under((turn * 2 + 1) * KILLS, () =>
      operated(
        id,
        (creation) => creation.sections.findLast(({ state }) => state !== 'idle'),
        ({ section }) => ada.post('creation/section/undo', { id, section, name: typed[section] }),
      ),
    );
    expect([account.droplets.size, account.clusters.size, account.keys.size]).toEqual([0, 0, 0]);
    expect(github.repository('acme', name)).toBeUndefined();
    for (const path of ['server/page', 'domain/page'])
      expect([path, (await ada.post(path, {})).body]).toMatchObject([path, { total: 0 }]);
    expect((await ada.post('product/list', {})).body).toEqual([]);
    expect(cloud.undescribed).toEqual([]);
    return `${created} while it was created, ${undone} while it was undone`;
  };

  fault({
    fault: 'kill -9 of the back end at random instants of a creation with a droplet, and of its undo',
    must: 'nothing is created twice, no key is left at the provider, and the undo removes everything',
    share: 0.05,
    trialMs: 1_800_000,
    trial: (turn) => trial(turn, underKills),
  });
  fault({
    fault: 'each call to the provider loses its answer once, in a creation with a droplet, and in its undo',
    must: 'nothing is created twice, no key is left at the provider, and the undo removes everything',
    share: 0.05,
    trialMs: 1_800_000,
    trial: (turn) => trial(1000 + turn, underLosses),
  });
}
