/**
 * What a deploy would refuse is refused at its field already. Things from before such a rule stay editable.
 *
 * covers: SVC-01, DEP-01
 */
import {
  laterValues,
  registry,
  service as serviceNoun,
  servicePackage,
  type PlainNoun,
} from '@quarterdeck/events';
import { v7 as uuidv7 } from 'uuid';
import { Decisions } from '../../apps/backend/src/platform/decisions';
import { plainDecider } from '../../apps/backend/src/platform/kit';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { RegistryLogins } from '../../apps/backend/src/registries';
import { nowhere, openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { good } from './container-server';
import { recordedGround, type RecordedGround } from './recorded-releases';

let world: World;
let alice: Operator;
let recorded: RecordedGround;
let server: string;
let workspace: string;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn();
  recorded = await recordedGround(world, alice);
  server = await recorded.server('web-1');
  workspace = (await good<{ id: string }>(alice, 'workspace/detail', {})).id;
});
afterAll(() => world?.end());

/** Records an addition as it was recorded before there was a rule. @returns its id */
const before = async (noun: PlainNoun, data: object): Promise<string> => {
  const id = uuidv7();
  const decider = plainDecider(noun);
  const add = new decider.has.Add(id, data as never, ownMeta('system', workspace));
  await world.backend.app.get(Decisions, { strict: false }).execute(decider, add);
  await world.backend.caughtUp();
  return id;
};
const refused = (field: string, words: RegExp) => ({
  status: 400,
  body: { data: { [field]: expect.stringMatching(words) } },
});

describe('the image of a package', () => {
  const insert = (service: string, image: string, digest = '') =>
    alice.post('package/insert', { data: { version: uuidv7(), image, digest }, service: { id: service } });

  test.each([
    ['acme//shop', /one \/ between/],
    ['-v /:/h', /without spaces or options/],
    ['shop:v1 --privileged', /without spaces or options/],
    ['x:99999/shop', /99999 is no port/],
    ['a..b', /a\.\.b cannot be/],
    ['shop:', /a tag is expected/],
  ])('%s is refused at its field', async (image, words) => {
    const service = await recorded.service(uuidv7(), server);
    expect(await insert(service, image)).toMatchObject(refused('data.image', words));
  });

  test('is judged by the type of its service, with its digest', async () => {
    const service = await recorded.service('Container', server);
    const client = await recorded.service('Client', server, { packageType: 'npm' });
    expect(await insert(service, '@acme/shop@1.0.0')).toMatchObject(
      refused('image', /^this is an npm package/),
    );
    expect(await insert(client, 'acme/shop:1')).toMatchObject(refused('image', /an npm package is expected/));
    expect(await insert(service, 'acme/shop:1', `sha512-${'A'.repeat(86)}==`)).toMatchObject(
      refused('digest', /^sha256:/),
    );
    expect(await insert(service, 'acme/shop:1', 'sha256:1')).toMatchObject(refused('data.digest', /sha256:/));
    expect(await insert(service, 'acme/shop:1')).toMatchObject({ status: 200 });
    expect(await insert(client, '@acme/shop@1.0.0')).toMatchObject({ status: 200 });
  });

  test('may stay as it was, while other fields are edited', async () => {
    const service = await recorded.service('Older', server);
    const old = { version: '1', image: 'acme//shop', digest: 'sha256:1' };
    const id = await before(servicePackage, { ...old, service });
    const update = (data: object) => alice.post('package/update', { id, data: { ...old, ...data } });
    expect(await update({ version: '2' })).toMatchObject({ status: 200 });
    expect(await update({ image: 'a..b' })).toMatchObject(refused('image', /cannot be/));
    expect(await alice.post('deploy', { id: service, packageId: id })).toMatchObject(
      refused('packageId', /no valid image \(acme\/\/shop\): .* one \/ between/),
    );
    expect(await update({ image: 'acme/shop:2', digest: '' })).toMatchObject({ status: 200 });
  });
});

describe('the login of Docker Hub', () => {
  const data = (host: string, username = 'ada') => ({ host, username, token: 'dckr_pat_1' });

  test('is one under all its names, and those from before can be edited', async () => {
    const old = await before(registry, { ...data('index.docker.io'), token: { ref: uuidv7() } });
    const { id } = await good<{ id: string }>(alice, 'registry/insert', { data: data('docker.io') });
    for (const host of ['registry-1.docker.io', 'Index.Docker.io', 'docker.io'])
      expect(await alice.post('registry/insert', { data: data(host) })).toMatchObject(
        refused('host', /another registry already has this host/),
      );
    expect(
      await alice.post('registry/update', { id: old, data: data('index.docker.io', 'eve') }),
    ).toMatchObject({ status: 200 });
    await good(alice, 'registry/delete', { id: old });
    await good(alice, 'registry/update', { id, data: data('registry-1.docker.io') });
    const logins = world.backend.app.get(RegistryLogins, { strict: false });
    for (const host of ['docker.io', 'index.docker.io', 'registry-1.docker.io'])
      expect(await logins.of(host, workspace)).toEqual({ user: 'ada', token: 'dckr_pat_1' });
    expect(await logins.of('ghcr.io', workspace)).toBeUndefined();
  });
});

describe('a service', () => {
  const fields = (name: string, more: object = {}) => ({
    name,
    nameFront: '',
    organization: 'acme',
    repo: 'shop',
    repoFront: '',
    withDb: false,
    server: { id: server },
    port: 3900,
    packageType: 'container',
    packageSubfolder: '',
    ...more,
  });
  const insert = (more: object) =>
    alice.post('service/insert', { data: fields(uuidv7(), more), product: { id: recorded.product } });

  test('cannot have the port at which its server answers SSH', async () => {
    const { port } = nowhere;
    const words = new RegExp(`^web-1 itself answers SSH at port ${port}: choose another`);
    expect(await insert({ port })).toMatchObject(refused('port', words));
    const id = await recorded.service('Moved to it', server);
    expect(await alice.post('service/update', { id, data: fields('Moved to it', { port }) })).toMatchObject(
      refused('port', words),
    );
  });

  test('has a client part with a repository of its own, however it is written', async () => {
    for (const [repo, repoFront] of [
      ['shop', 'shop.git'],
      ['shop.git', 'Shop'],
      ['shop', 'shop/'],
    ])
      expect(await insert({ repo, repoFront })).toMatchObject(refused('data.repoFront', /of its own/));
  });

  test.each(['/%zz', '/a#b', '//evil', '/../x', '/a b', '/a\u0007'])(
    'cannot have the health path %j',
    async (healthPath) => {
      const field = await insert({ healthPath });
      expect(field).toMatchObject(refused('data.healthPath', /./));
      const id = await recorded.service(uuidv7(), server);
      expect(await alice.post('deploy', { id, packageId: uuidv7(), healthPath })).toMatchObject(
        refused('healthPath', /./),
      );
    },
  );

  test('keeps what it has from before these rules while its other fields are edited', async () => {
    const old = {
      ...laterValues(serviceNoun),
      ...fields('From before', { port: nowhere.port, healthPath: '//evil', repoFront: 'shop.git' }),
    };
    const id = await before(serviceNoun, { ...old, product: recorded.product });
    const image = { data: { version: '1', image: 'acme/shop:1', digest: '' }, service: { id } };
    const { id: packageId } = await good<{ id: string }>(alice, 'package/insert', image);
    expect(await alice.post('deploy', { id, packageId })).toMatchObject({
      status: 422,
      body: { msg: expect.stringMatching(/^From before cannot have the port \d+: web-1 itself answers SSH/) },
    });
    const update = (data: object) => alice.post('service/update', { id, data: { ...old, ...data } });
    expect(await update({ organization: 'acme-2' })).toMatchObject({ status: 200 });
    expect(await update({ healthPath: '/../x' })).toMatchObject(refused('healthPath', /./));
    expect(await update({ healthPath: '/health', port: 3999, repoFront: 'front' })).toMatchObject({
      status: 200,
    });
  });
});
