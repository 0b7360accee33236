/** Scripts and runs over many servers, as an operator requests them. */
import { randomUUID } from 'node:crypto';
import type { FleetDetail } from '@quarterdeck/projections';
import type { Operator } from '../../testing/operator';

/** @returns the script's id */
export const saveScript = async (who: Operator, body: string, more: object = {}): Promise<string> => {
  const answer = await who.post<{ id: string }>('script/insert', {
    name: `script ${randomUUID()}`,
    body,
    changes: false,
    timeoutSeconds: 60,
    ...more,
  });
  expect(answer.status).toBe(200);
  return answer.body.id;
};

/** @returns the run's id */
export const startFleet = async (who: Operator, input: object): Promise<string> => {
  const answer = await who.post<{ runId: string }>('fleet/start', input);
  expect([answer.status, answer.body]).toEqual([200, { runId: expect.any(String) }]);
  return answer.body.runId;
};

const fleetDetail = async (who: Operator, id: string): Promise<FleetDetail> =>
  (await who.post<FleetDetail>('fleet/detail', { id })).body;

export const fleetUntil = async (
  who: Operator,
  id: string,
  is: (now: FleetDetail) => boolean,
): Promise<FleetDetail> => {
  for (;;) {
    const now = await fleetDetail(who, id);
    if (is(now)) return now;
    await new Promise((done) => setTimeout(done, 50));
  }
};

export const endedFleet = (who: Operator, id: string): Promise<FleetDetail> =>
  fleetUntil(who, id, ({ run }) => run?.endedAt !== undefined);
