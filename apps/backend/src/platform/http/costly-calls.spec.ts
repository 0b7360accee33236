import { Controller, Module } from '@nestjs/common';
import { calls } from '@quarterdeck/contract';
import { z } from 'zod';
import { startBackend, type Operator, type RunningBackend } from '../../../../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { until } from '../../../../../testing/patience';
import { Answers } from './call';
import { Turns, TURNS } from './costly-calls';

/** Ends each of the costly calls under way. */
const costlyCalls: (() => void)[] = [];

const slow = calls('slow', 'member', {
  costly: {
    summary: 'Takes as long as it is told',
    costs: 'work',
    input: z.object({}),
    answer: z.unknown(),
  },
});

@Controller()
class SlowController {
  @Answers(slow.costly)
  costly() {
    return new Promise((resolve) => costlyCalls.push(() => resolve({})));
  }
}

@Module({ controllers: [SlowController] })
class SlowModule {}

const staying = new AbortController().signal;

test('those who wait get their turns in their order', async () => {
  const turns = new Turns({ running: 1, waiting: 2 });
  const end = await turns.take('one', staying);
  const order: string[] = [];
  const later = ['first', 'second'].map((who) =>
    turns.take('one', staying).then((done) => {
      order.push(who);
      done();
    }),
  );
  await expect(turns.take('one', staying)).rejects.toMatchObject({
    code: 'tooMany',
    detail: { retryAfter: 3 },
  });
  end();
  await Promise.all(later);
  expect(order).toEqual(['first', 'second']);
  (await turns.take('one', staying))();
});

test('who leaves the line leaves their place to others', async () => {
  const turns = new Turns({ running: 1, waiting: 1 });
  const end = await turns.take('one', staying);
  const leaving = new AbortController();
  const left = turns.take('one', leaving.signal);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'unavailable' });
  const next = turns.take('one', staying);
  end();
  (await next)();
});

describe('costly calls', () => {
  let postgres: TestPostgres;
  let backend: RunningBackend;
  let alice: Operator;

  beforeAll(async () => {
    postgres = await startTestPostgres();
    backend = await startBackend({ databaseUrl: postgres.url, modules: [SlowModule] });
    alice = await backend.signIn();
  });
  afterAll(async () => {
    await backend.close();
    await postgres.stop();
  });

  const costly = (who: Operator) => who.post<{ msg?: string }>('slow/costly');

  it('of one workspace wait for each other, are refused when too many wait, and do not hold up others', async () => {
    const others = await backend.signIn({ workspace: 'others' });
    const most = TURNS.running + TURNS.waiting;
    let refused = 0;
    const mine = Array.from({ length: most + 3 }, () =>
      costly(alice).then((answer) => {
        if (answer.status === 429) refused += 1;
        return answer;
      }),
    );
    await until(() => refused === 3);
    expect(costlyCalls).toHaveLength(TURNS.running);
    const theirs = costly(others);
    await until(() => costlyCalls.length === TURNS.running + 1);
    costlyCalls.pop()?.();
    expect((await theirs).status).toBe(200);
    let ended = false;
    const answers = Promise.all(mine).finally(() => (ended = true));
    await until(() => {
      for (const end of costlyCalls.splice(0)) end();
      return ended;
    });
    const all = await answers;
    expect(all.filter(({ status }) => status === 200)).toHaveLength(most);
    const no = all.find(({ status }) => status === 429);
    expect(no?.headers.get('retry-after')).toBe('3');
    expect(no?.body.msg).toMatch(/many calls under way .* try again in a few seconds/);
  });

  it('keep their turn until their work ends, although the caller has left', async () => {
    const leaving = Array.from({ length: TURNS.running }, () => new AbortController());
    const left = leaving.map(({ signal }) =>
      fetch(`${backend.url}/api/slow/costly`, {
        method: 'POST',
        body: '{}',
        signal,
        headers: { cookie: alice.cookie, 'x-requested-with': 'test', 'content-type': 'application/json' },
      }).catch(() => undefined),
    );
    await until(() => costlyCalls.length === TURNS.running);
    for (const one of leaving) one.abort();
    await Promise.all(left);
    // The work goes on, and so does the turn.
    const next = costly(alice);
    for (const end of costlyCalls.splice(0)) end();
    await until(() => costlyCalls.length === 1);
    costlyCalls.pop()?.();
    expect((await next).status).toBe(200);
  });
});
