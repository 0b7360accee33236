/** Two workspaces of one installation: what the admin of one gets when he asks for what the other has. */
import { DiscoveryService } from '@nestjs/core';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { routeTable, type Route } from '../../apps/backend/src/platform/route-table';
import type { Operator } from '../peers/backend';
import { connectSocket } from './socket';
import { fieldsOf, idleKey, nowhere, type World } from './world';

type Body = Record<string, unknown>;

const script = (name: string) => ({ name, body: 'df -h\n', changes: false, timeoutSeconds: 30 });

/** What routes want besides an id, by the name of the field, or by noun and field where they differ. */
const extras = (): Body => ({
  'server.data': fieldsOf('stolen', nowhere),
  'script.data': script('stolen'),
  privateKey: idleKey(),
  fingerprint: 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  cmdType: 1,
  position: '1',
  hours: 24,
});

/** Nouns whose routes take the id of another one. */
const idsOf: Record<string, string> = { health: 'server' };

interface Shape {
  properties?: Record<string, object>;
  required?: string[];
}

const shapeOf = (route: Route): Shape =>
  route.body ? (z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }) as Shape) : {};

const nounOf = (route: Route): string => route.path.split('/')[2] ?? '';

export interface Tenancy {
  owner: Operator;
  /** Superadmin of the other workspace. */
  stranger: Operator;
  /** Ids in the owner's workspace, by the noun in the path. */
  ids: Record<string, string>;
  /** A position in the owner's history. */
  position: string;
  /** How many events there are that the stranger caused, wherever. */
  written(): Promise<number>;
  /** Routes that name one thing. */
  naming: Route[];
  /** Asks every route that names one thing for the owner's. @returns answers that are not the one for an unknown id */
  askForForeign(): Promise<unknown[]>;
  /** Asks for every list in every way. @returns answers that show something of the owner's */
  askForLists(): Promise<unknown[]>;
  /** Listens, also to the owner's run, while the owner works. @returns what was heard of the owner's */
  listen(): Promise<unknown[]>;
}

export const openTenancy = async ({ backend }: World): Promise<Tenancy> => {
  const more = extras();
  const [ours, theirs] = [`ours-${uuidv7()}`, `theirs-${uuidv7()}`];
  const email = `${ours}@example.org`;
  const alias = `web-${uuidv7()}`;
  const owner = await backend.signIn({ workspace: ours, role: 'admin', email });
  const stranger = await backend.signIn({
    workspace: theirs,
    role: 'superadmin',
    email: `${theirs}@example.org`,
  });
  const registered = await owner.post<{ id: string }>('server/insert', {
    ...fieldsOf(alias, nowhere),
    privateKey: more.privateKey,
  });
  const saved = await owner.post<{ id: string }>('script/insert', script(`recipe-${alias}`));
  const ids: Record<string, string> = {
    server: registered.body.id,
    run: uuidv7(),
    script: saved.body.id,
    fleet: uuidv7(),
  };
  await owner.post('server/execCmd', { id: ids.server, cmdType: 1, runId: ids.run });
  await owner.post('fleet/start', { servers: [ids.server], cmdType: 1, runId: ids.fleet });
  const naming = routeTable(backend.app.get(DiscoveryService, { strict: false })).filter(
    (route) => 'id' in (shapeOf(route).properties ?? {}),
  );
  const traces = [...Object.values(ids), alias, email, ours];

  const bodyFor = (route: Route, id: string): Body => {
    const required = (shapeOf(route).required ?? []).filter((name) => name !== 'id');
    const value = (name: string): unknown => more[`${nounOf(route)}.${name}`] ?? more[name];
    return { id, ...Object.fromEntries(required.map((name) => [name, value(name)])) };
  };

  const askForForeign = async (): Promise<unknown[]> => {
    const wrong: unknown[] = [];
    for (const route of naming) {
      const noun = nounOf(route);
      const foreign = ids[idsOf[noun] ?? noun] ?? `no ${noun} in this test`;
      const unknown = uuidv7();
      const forForeign = await stranger.post(route.path, bodyFor(route, foreign));
      const forUnknown = await stranger.post(route.path, bodyFor(route, unknown));
      const same =
        JSON.stringify(forForeign.body) === JSON.stringify(forUnknown.body).replaceAll(unknown, foreign);
      if (forForeign.status !== 404 || forUnknown.status !== 404 || !same)
        wrong.push([route.path, forForeign, forUnknown]);
    }
    return wrong;
  };

  const askForLists = async (): Promise<unknown[]> => {
    const asked: [string, Body][] = [
      ['server/list', {}],
      ['script/list', {}],
      ['run/list', {}],
      ['run/list', { subject: { kind: 'server', id: ids.server } }],
      ['history/list', {}],
      ['history/list', { subject: { category: 'server', id: ids.server } }],
      ['history/list', { text: alias }],
      ['person/list', {}],
      ['health/list', {}],
      ['workspace/detail', {}],
    ];
    const wrong: unknown[] = [];
    for (const [path, body] of asked) {
      const { status, body: answer } = await stranger.post(path, body);
      const text = JSON.stringify(answer);
      if (status !== 200 || traces.some((trace) => text.includes(trace))) wrong.push([path, status, answer]);
    }
    return wrong;
  };

  const written = async (): Promise<number> => {
    const { body } = await stranger.get<{ profile: { id: string } }>('session');
    // What the owner has set going may still be at work.
    const { rows } = await backend.db.query<{ count: string }>(
      `select count(*) from log.events where meta->>'actor' = $1`,
      [body.profile.id],
    );
    return Number(rows[0]?.count);
  };

  const listen = async (): Promise<unknown[]> => {
    const [here, there] = [await connectSocket(owner), await connectSocket(stranger)];
    const heard: unknown[] = [];
    there.socket.onAny((...message: unknown[]) => heard.push(message));
    const [known, caughtUp] = [await here.resume(position), await there.resume('0')];
    const refusal = await there.watch(ids.run ?? '');
    if (refusal.error !== 'run could not be found') heard.push([ids.run, refusal]);
    await owner.post('server/execCmd', { id: ids.server, cmdType: 1, runId: uuidv7() });
    await here.until(() => here.changes.length > (known.events?.length ?? 0));
    // What is to be pushed to one comes with what is pushed to the other; this is for what should not be.
    await new Promise((done) => setTimeout(done, 100));
    for (const { close } of [here, there]) close();
    return [caughtUp, ...heard].filter((one) => traces.some((trace) => JSON.stringify(one).includes(trace)));
  };

  const position = registered.headers.get('x-position') ?? '';
  return { owner, stranger, ids, position, written, naming, askForForeign, askForLists, listen };
};
