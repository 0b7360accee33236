// covers: AUD-01
import type { NewEvent } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { appendAtEnd } from '../../testing/log-events';
import type { EventDetail } from '../../apps/backend/src/history/history.controller';
import { ownMeta, type CommandMeta } from '../../apps/backend/src/platform/sessions/session';
import { openLongHistory, positions, type LongHistory } from './long-history';
import { PATIENCE_MS } from '../../testing/patience';

let past: LongHistory;

beforeAll(async () => {
  past = await openLongHistory(1_500);
});
afterAll(() => past?.world.end());

describe('the chain of an event', () => {
  const detailOf = async (position: string) => {
    const { status, body } = await past.alice.post<EventDetail>('history/detail', { position });
    if (status !== 200) throw new Error(`${position} was answered ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const byTypeOf = (chain: readonly HistoryView[], position: string) =>
    chain.find((link) => link.position === position)?.type;

  test('leads from an action of a part to the part, to the run, and to the person who requested it', async () => {
    const part = past.all.find(({ type, data }) => type === 'RunRequested' && 'parent' in (data as object));
    const run = past.all.find(
      ({ subjectId }) => subjectId === (part?.data as { parent?: string } | undefined)?.parent,
    );
    const done = past.all.find(({ stream, type }) => stream === part?.stream && type === 'RunStepFinished');
    const { chain, chainLength } = await detailOf(done?.position ?? '');
    const causeOf = (position?: string) => chain.find((link) => link.position === position)?.cause;
    const request = past.all.find(({ stream, type }) => stream === run?.stream && type === 'RunRequested');
    expect([causeOf(done?.position), causeOf(part?.position), causeOf(request?.position)]).toEqual([
      part?.position,
      request?.position,
      undefined,
    ]);
    expect(positions(chain)).toEqual(
      positions(past.all.filter(({ correlationId }) => correlationId === done?.correlationId)).toReversed(),
    );
    expect(chainLength).toBe(chain.length);
  });

  test('continues when somebody else takes the run over, from either side', async () => {
    const { store, projections } = past.world.backend.resources;
    const id = uuidv7();
    const server = { kind: 'server', id: past.servers[0] ?? '', name: 'web-0' };
    const ask = { ...ownMeta(past.people[0] ?? '', past.workspace), at: past.all[0]?.at ?? '' };
    const again = { ...ownMeta(past.people[1] ?? '', past.workspace), at: ask.at };
    const run = { ...ask, causationId: id };
    const [first, failed, retried, succeeded] = [
      [ask, 'RunRequested', { kind: 'command', subject: server, input: { cmdType: 1 } }],
      [run, 'RunFailed', { durationMs: 1, code: 'exitCode', reason: 'ended with 1' }],
      [again, 'RunRetried', { step: 'memoryUsage' }],
      [{ ...again, causationId: id }, 'RunSucceeded', { durationMs: 1 }],
    ].map(([meta, type, data]) => {
      const { actor, workspace, correlationId, causationId, at } = meta as CommandMeta;
      const own = { id: uuidv7(), at, actor, workspace, correlationId, causationId, v: '1' };
      return { type, data, meta: own } as NewEvent;
    });
    const events = [first, failed, retried, succeeded].filter((event) => event !== undefined);
    const { position } = await store.append(`run-${id}`, events, 'no_stream');
    await projections.waitFor(position, PATIENCE_MS);
    for (let back = 0; back < 4; back += 1) {
      const { chain } = await detailOf(String(Number(position) - back));
      expect(chain.map(({ type }) => type)).toEqual([
        'RunRequested',
        'RunFailed',
        'RunRetried',
        'RunSucceeded',
      ]);
      expect(chain.map(({ cause }) => cause && byTypeOf(chain, cause))).toEqual([
        undefined,
        'RunRequested',
        undefined,
        'RunRetried',
      ]);
    }
  });

  test('of thousands of events is shown in part, with the event itself and the total', async () => {
    const { store, projections } = past.world.backend.resources;
    const meta = { ...ownMeta(past.people[0] ?? '', past.workspace), at: past.all[0]?.at ?? '' };
    const { actor, workspace, correlationId, causationId, at } = meta;
    const signedIn = Array.from({ length: 600 }, (): NewEvent => ({
      type: 'PersonSignedIn',
      data: { via: 'link' },
      meta: { id: uuidv7(), at, actor, workspace, correlationId, causationId, v: '1' },
    }));
    const { position } = await appendAtEnd(store, `person-${actor}`, signedIn);
    await projections.waitFor(position, PATIENCE_MS);
    const middle = String(Number(position) - 300);
    const { event, chain, chainLength } = await detailOf(middle);
    expect([event.position, chainLength, chain.length]).toEqual([middle, 600, 200]);
    expect(positions(chain)).toContain(middle);
    expect(positions(chain)).toContain(String(Number(position) - 599));
    expect(new Set(positions(chain)).size).toBe(200);
  });
});
