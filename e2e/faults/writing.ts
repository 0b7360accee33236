/** Callers that write while something breaks, and checks of the answers that they got. */
import { randomUUID } from 'node:crypto';
import type { ServerView } from '@quarterdeck/projections';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import { runHere, type Operator, type SpawnOptions } from '../../testing/backend';
import { pause } from '../../testing/patience';
import { within } from './fault';

const key = idleKey();

/** Results of the callers: ids of servers whose insert was acknowledged. */
export interface Writing {
  acknowledged: string[];
  refused: number[];
  stop(): Promise<void>;
}

const newServer = () => ({ ...fieldsOf(randomUUID(), nowhere), privateKey: key });

/** Status 0: no answer. */
const insertServer = async (who: Operator): Promise<{ status: number; body: object }> =>
  who.post('server/insert', newServer()).catch(() => ({ status: 0, body: {} }));

/** Inserts without waiting for read models that are behind, unlike the console. */
export const insertBlindly = async ({
  url,
  cookie,
}: Operator): Promise<{ status: number; body: unknown }> => {
  const headers = { cookie, 'content-type': 'application/json', 'x-requested-with': 'test' };
  const answer = await fetch(`${url}/api/server/insert`, {
    method: 'POST',
    headers,
    body: JSON.stringify(newServer()),
  });
  return { status: answer.status, body: await answer.json() };
};

/** Callers that register servers as fast as they get answers. */
export const write = (who: Operator, callers = 8): Writing => {
  const writing: Writing = { acknowledged: [], refused: [], stop: async () => undefined };
  let going = true;
  const all = Promise.all(
    Array.from({ length: callers }, async () => {
      while (going) {
        const { status, body } = await insertServer(who);
        if (status === 200) writing.acknowledged.push((body as { id: string }).id);
        else {
          writing.refused.push(status);
          await pause(20);
        }
      }
    }),
  );
  writing.stop = async () => {
    going = false;
    await all;
  };
  return writing;
};

/**
 * Waits for the first acknowledgement: on a busy machine the first answer may take longer than the whole trial does
 * elsewhere.
 */
export const underWay = ({ acknowledged }: Writing): Promise<number> =>
  within(5_000, 'the first acknowledgement', () => acknowledged.length > 0);

export const idsOf = async (who: Operator): Promise<Set<string>> =>
  new Set((await who.post<ServerView[]>('server/list')).body.map(({ id }) => id));

/** @throws if one of them exists twice. @returns whether all exist */
export const expectOnce = async (who: Operator, acknowledged: string[]): Promise<boolean> => {
  const { body } = await who.post<ServerView[]>('server/list');
  const there = new Set(body.map(({ id }) => id));
  expect(new Set(body.map(({ alias }) => alias)).size).toBe(body.length);
  return acknowledged.every((id) => there.has(id));
};

export const expectAll = async (who: Operator, acknowledged: string[]): Promise<void> => {
  const there = await idsOf(who);
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
};

export const expectProven = async (place: SpawnOptions): Promise<void> => {
  for (const args of [
    ['projections', 'verify'],
    ['audit', 'verify'],
  ])
    expect(await runHere(args, place)).toMatchObject({ code: 0 });
};
