/** Requests over time: collections, checks over the past, retention and imports. covers: REQ-02 */
import type { Answer, requestCollections, requests } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { AnswerStore } from '../../apps/backend/src/requests/answer-store';
import { withStatus } from '../../testing/told-server';
import { openRequestGround, type Received, type RequestGround } from './requests-ground';

let ground: RequestGround;
let { world, alice, peer, ask, save, withParam, ended, send, answerOf } = {} as RequestGround;

beforeAll(async () => {
  ground = await openRequestGround();
  ({ world, alice, peer, ask, save, withParam, ended, send, answerOf } = ground);
});
afterAll(() => ground?.end());

describe('the past', () => {
  it('is checked: which answers would have failed', async () => {
    const id = await save({});
    for (const total of [3, 0, 5]) {
      peer.answer(withStatus(200, JSON.stringify({ total })));
      await send(id);
    }
    const past = await ask<Answer<typeof requests.past>>('request/past', {
      id,
      checks: 'json.total > 0',
      days: 7,
    });
    expect(past.answers.map(({ checks }) => checks[0]?.is)).toEqual(['passed', 'failed', 'passed']);
    const wrong = await alice.post<{ data: object }>('request/past', { id, checks: 'json.total >', days: 7 });
    expect(wrong).toMatchObject({
      status: 400,
      body: { data: { checks: expect.stringMatching(/^line 1/) } },
    });
  });

  it('of 10,000 answers is listed and checked from its end, and says that there is more', async () => {
    const id = await save({ checks: 'json.at < 9999' });
    peer.answer(withStatus(200, '{"at": 0}'));
    const run = await send(id);
    await world.backend.db.query(
      `insert into app.request_answers (run, attempt, workspace, request, at, head, body, size, sha256)
       select gen_random_uuid(), 1, workspace, request, at - interval '1 hour' + make_interval(secs => n * 0.1), head,
              convert_to('{"at": ' || n || '}', 'UTF8'), size, sha256
       from app.request_answers, generate_series(1, 9999) n where run = $1`,
      [run.id],
    );
    const logs = await ask<{ responseBody: string }[]>('request/logs/list', { id });
    expect(logs).toHaveLength(200);
    expect(logs.slice(0, 2).map(({ responseBody }) => responseBody)).toEqual(['{"at": 0}', '{"at": 9999}']);
    const past = await ask<Answer<typeof requests.past>>('request/past', { id, checks: 'json.at < 9999' });
    expect(past).toMatchObject({ isCut: true, removed: 0 });
    expect(past.answers).toHaveLength(200);
    expect(past.answers.filter(({ checks }) => checks[0]?.is === 'failed')).toHaveLength(1);
  });

  it('keeps size and hash when retention removes a body', async () => {
    const id = await save({ method: { id: 2 }, body: 'sent long ago' });
    peer.answer(withStatus(200, 'old'));
    const run = await send(id);
    const { db, app } = world.backend;
    await db.query(`update app.request_answers set at = at - interval '3 days' where run = $1`, [run.id]);
    await ask('workspace/retention', { runOutputDays: 2 });
    await app.get(AnswerStore, { strict: false }).sweep();
    const { sha256 } = await ask<Received>('request/answer', { run: run.id });
    expect(sha256).toHaveLength(64);
    expect(await answerOf(run)).not.toHaveProperty('body');
    expect((await answerOf(run)).sent).not.toHaveProperty('body');
    expect(await ask('request/logs/list', { id })).toMatchObject([
      { removed: true, size: 3, responseBody: '' },
    ]);
    expect(await ask('request/past', { id, checks: 'status == 200', days: 7 })).toEqual({
      answers: [],
      removed: 1,
      isCut: false,
    });
  });
});

describe('a collection', () => {
  const collectionOf = async (data: object, all: object[]): Promise<{ id: string; ids: string[] }> => {
    const { id } = await ask<{ id: string }>('request/collection/insert', {
      data: { name: `C ${uuidv7()}`, ...data },
    });
    const ids: string[] = [];
    for (const [at, one] of all.entries())
      ids.push(await save({ collection: { id }, sequence: at + 1, ...one }));
    return { id, ids };
  };
  const run = async (id: string) => {
    const { runId } = await ask<{ runId: string }>('request/collection/run', { id });
    const whole = await ended(runId);
    return {
      whole,
      ...(await ask<Answer<typeof requestCollections.results>>('request/collection/results', { id: runId })),
    };
  };

  it('runs in order, and a request uses what an earlier one was answered', async () => {
    const { id, ids } = await collectionOf({ delayMs: 1 }, [
      { name: 'Sign in', url: '/sign-in', method: { id: 2 } },
      { name: 'Orders', url: '/orders/{{first}}' },
    ]);
    await ask('request/params/insert', {
      data: { inOrOut: false, output: { name: 'session', paramType: { id: 1 } }, value: 'data.tokens[0]' },
      request: { id: ids[0] },
    });
    await ask('request/params/insert', {
      data: { inOrOut: false, output: { name: 'first', paramType: { id: 2 } }, value: 'X-First' },
      request: { id: ids[0] },
    });
    await withParam(ids[1]!, 'Authorization', 2, { value: 'Bearer {{session}}' });
    peer.answer((response, { path }) =>
      path === '/sign-in'
        ? response.writeHead(200, { 'x-first': 'a/1' }).end('{"data": {"tokens": ["tok-4711"]}}')
        : response.writeHead(200).end('[]'),
    );
    const { whole, results } = await run(id);
    expect(whole).toMatchObject({ state: 'succeeded' });
    expect(results).toMatchObject([
      { name: 'Sign in', method: 'POST', state: 'succeeded', status: 200 },
      { name: 'Orders', state: 'succeeded', status: 200 },
    ]);
    const { path, headers } = peer.asked.at(-1)!;
    expect({ path, authorization: headers.authorization }).toEqual({
      path: '/orders/a%2F1',
      authorization: 'Bearer tok-4711',
    });
    // The value came from an answer. Events name only where it was.
    const part = await ask<RunView>('run/detail', { id: results[1]?.run ?? '' });
    expect(JSON.stringify([whole, part.input])).not.toContain('tok-4711');
  });

  it('stops at the first request that fails, or goes on', async () => {
    const all = [
      { name: 'Bad', url: '/bad' },
      { name: 'Good', url: '/good', checks: 'status == 200' },
    ];
    peer.answer((response, { path }) => response.writeHead(path === '/bad' ? 503 : 200).end());
    const stopped = await run((await collectionOf({}, all)).id);
    expect(stopped.whole).toMatchObject({ state: 'failed', reason: 'Bad: it was answered 503' });
    expect(stopped.results[1]).not.toHaveProperty('run');
    const on = await run((await collectionOf({ stopOnError: false }, all)).id);
    expect(on.results).toMatchObject([{ reason: 'it was answered 503' }, { checks: { passed: 1, of: 1 } }]);
  });

  it('without requests is refused', async () => {
    const { id } = await collectionOf({}, []);
    expect((await alice.post('request/collection/run', { id })).status).toBe(422);
  });
});

describe('an import', () => {
  it('is previewed and then added once, with its parameters', async () => {
    const text = `curl '${peer.url}/imported?page=2' -H 'X-Trace: 1' --json '{"a": 1}'`;
    const { requests: found } = await ask<Answer<typeof requests.preview>>('request/import/preview', {
      source: 'curl',
      text,
    });
    const { ids } = await ask<{ ids: string[] }>('request/import', { requests: found });
    peer.answer(withStatus(200));
    await send(ids[0]!);
    const { method, path, headers, body } = peer.asked.at(-1)!;
    expect({ method, path, body }).toEqual({ method: 'POST', path: '/imported?page=2', body: '{"a": 1}' });
    expect(headers).toMatchObject({ 'x-trace': '1', 'content-type': 'application/json' });
    const wrong = await alice.post<{ data: object }>('request/import/preview', {
      source: 'openapi',
      text: 'a: [',
    });
    expect(wrong).toMatchObject({
      status: 400,
      body: { data: { text: expect.stringMatching(/JSON nor YAML/) } },
    });
  });
});
