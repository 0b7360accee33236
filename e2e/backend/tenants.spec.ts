/**
 * Calls every route as the admin of another workspace with the ids of this one: the answer is the one for an id that
 * never existed, nothing is written, and no list shows anything.
 *
 * covers: AUTH-06
 */
import { exampleOf } from '../examples';
import { openTenancy, type Tenancy } from './tenancy';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from './world';

describe('the workspaces of one installation', () => {
  let world: World;
  let tenancy: Tenancy;

  beforeAll(async () => {
    world = await openWorld();
    tenancy = await openTenancy(world);
  });
  afterAll(() => world.end());

  it('have data to protect in this test: the owner finds each id', async () => {
    const { owner, ids, missing, naming, position } = tenancy;
    expect(missing).toEqual([]);
    const details = naming.filter(({ path }) => path.endsWith('/detail'));
    expect(details.length).toBeGreaterThan(15);
    for (const call of details)
      expect([call.id, (await owner.post(call.path, exampleOf(call, ids))).status]).toEqual([call.id, 200]);
    expect((await owner.post('history/detail', { position })).status).toBe(200);
    expect(naming.length).toBeGreaterThan(150);
  });

  it('answer a foreign id like one that never existed, on every route, and write nothing', async () => {
    const before = await tenancy.written();
    expect(await tenancy.askForForeign()).toEqual([]);
    expect(await tenancy.written()).toBe(before);
  });

  it('show nothing of each other in any list, whatever is requested', async () => {
    const { stranger, position } = tenancy;
    expect(await tenancy.askForLists()).toEqual([]);
    const undo = { position, seen: 'a'.repeat(64) };
    expect((await stranger.post('history/detail', { position })).status).toBe(404);
    expect((await stranger.post('history/undo/preview', { position })).status).toBe(404);
    expect((await stranger.post('history/undo', undo)).status).toBe(404);
  });

  it('get no pushes about each other, and may not watch each other', async () => {
    expect(await tenancy.listen()).toEqual([]);
  });

  it("cannot join each other's runs by id", async () => {
    const { stranger, owner, ids } = tenancy;
    const insert = { ...fieldsOf('own', nowhere), privateKey: idleKey() };
    const { id } = (await stranger.post<{ id: string }>('server/insert', insert)).body;
    const before = (await owner.post('run/detail', { id: ids.run })).body;
    expect((await stranger.post('server/execCmd', { id, cmdType: 1, runId: ids.run })).status).toBe(404);
    expect((await owner.post('run/detail', { id: ids.run })).body).toEqual(before);
  });

  it('cannot pull a package by an entry of another workspace', async () => {
    const { stranger, ids } = tenancy;
    const insert = { ...fieldsOf('puller', nowhere), privateKey: idleKey() };
    const { id } = (await stranger.post<{ id: string }>('server/insert', insert)).body;
    expect(await stranger.post('deploy/pull', { server: { id }, deployLog: { id: ids.pull } })).toMatchObject(
      {
        status: 404,
        body: { msg: 'deploy could not be found' },
      },
    );
  });

  it('may use the same names', async () => {
    const insert = { ...fieldsOf('web-1', nowhere), privateKey: idleKey() };
    const { owner, stranger } = tenancy;
    expect((await stranger.post('server/insert', insert)).status).toBe(200);
    expect((await owner.post('server/insert', insert)).status).toBe(200);
    expect((await owner.post('server/insert', insert)).status).not.toBe(200);
  });
});
