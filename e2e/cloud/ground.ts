/** A workspace with an account at the stand-in of DigitalOcean. */
import { randomUUID } from 'node:crypto';
import type { RunView } from '@quarterdeck/projections';
import { CloudAccounts, CloudGround, CloudRequests, FirstContact } from '../../apps/backend/src/cloud';
import { RunEngine } from '../../apps/backend/src/runs';
import type { RunningBackend } from '../../testing/backend';
import { startDigitalOcean, type DigitalOceanPeer } from '../../testing/digitalocean';
import type { Operator } from '../../testing/operator';
import { PATIENCE_MS } from '../../testing/patience';
import { openWorld, type World } from '../backend/world';

export interface Ground {
  cloud: DigitalOceanPeer;
  world: World;
  ada: Operator;
  /** Another back end on the same database. */
  another(): Promise<RunningBackend>;
  end(): Promise<void>;
}

/** Shortens the pauses between looks at the stand-in. */
export const hurry = ({ app }: RunningBackend): void => {
  app.get(CloudAccounts, { strict: false }).patience.callMs = PATIENCE_MS;
  Object.assign(app.get(CloudGround, { strict: false }).patience, { pollMs: 5, laterMs: 5 });
  Object.assign(app.get(CloudRequests, { strict: false }).patience, { looks: 3, pauseMs: 5 });
  app.get(FirstContact, { strict: false }).patience.pauseMs = 50;
};

export const openGround = async (): Promise<Ground> => {
  const cloud = await startDigitalOcean();
  // Tests make more calls in a minute than a person.
  Object.assign(cloud.limits, { minute: 100_000, hour: 100_000, keyLists: 100_000 });
  const world = await openWorld({ env: cloud.env });
  hurry(world.backend);
  const ada = await world.backend.signIn({ email: 'ada@example.org' });
  const another = async (): Promise<RunningBackend> => {
    const backend = await world.another();
    hurry(backend);
    return backend;
  };
  const end = async (): Promise<void> => {
    cloud.go();
    await world.end();
    await cloud.stop();
  };
  return { cloud, world, ada, another, end };
};

export const connect = async ({ ada, cloud }: Ground): Promise<void> => {
  const { status, body } = await ada.post('digitalocean/token/update', { token: cloud.token });
  if (status !== 200) throw new Error(`not connected: ${JSON.stringify(body)}`);
};

/** Calls by GET that change something. */
export const CHANGES = { 'x-requested-with': 'test' };

/** The run, once it has ended. */
export const ended = async ({ world, ada }: Ground, id: string): Promise<RunView> => {
  const { app } = world.backend;
  const detail = async () => (await ada.post<RunView & { workspace: string }>('run/detail', { id })).body;
  const { workspace } = await detail();
  await app.get(RunEngine, { strict: false }).ended(id, workspace);
  await world.backend.caughtUp();
  return detail();
};

/** Starts a run with a call, and waits for its end. */
export const performed = async (ground: Ground, path: string, input: object): Promise<RunView> => {
  const { status, body } = await ground.ada.post<{ runId: string }>(path, { runId: randomUUID(), ...input });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return ended(ground, body.runId);
};

export const outcomes = ({ steps }: RunView): string[] => steps.map(({ step, state }) => `${step} ${state}`);
