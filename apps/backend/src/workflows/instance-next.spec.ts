/** What an instance does next, for graphs and data of all kinds. covers: WF-02 */
import type { Json, WorkflowDoes, WorkflowGraph } from '@quarterdeck/events';
import { leave, MAX_VISITS, next, taking, takingNone, type Next } from './instance-next';
import { foldInstance, type InstanceEvent, type InstanceState, type OpenInstance } from './instance-state';

const idOf = (at: number): string => `0193f0a0-0000-7000-8000-${String(at).padStart(12, '0')}`;
const INSTANCE = idOf(1);
const NOW = '2026-05-01T08:00:00.000Z';
const at = (seconds: number): string => new Date(Date.parse(NOW) + seconds * 1000).toISOString();

type Way = [from: number, to: number, on?: 'done' | 'failed' | 'late', when?: string];
const graph = (does: readonly WorkflowDoes[], ways: readonly Way[] = []): WorkflowGraph => ({
  start: idOf(100),
  nodes: does.map((one, node) => ({
    id: idOf(100 + node),
    name: `N${node}`,
    does: one,
    keepAs: '',
    place: null,
  })),
  transitions: ways.map(([from, to, on = 'done', when = ''], order) => ({
    id: idOf(200 + order),
    name: `T${order}`,
    from: idOf(100 + from),
    to: idOf(100 + to),
    on,
    when,
    order,
  })),
});
const none = { is: 'none' } as const;
const ask: WorkflowDoes = { is: 'person', role: 'admin', choices: ['Yes', 'No'], dueSeconds: 60 };
const act: WorkflowDoes = { is: 'savedRequest', request: { id: idOf(3) } };

const begun = (of: WorkflowGraph, data: Json = {}, more: object = {}): InstanceEvent => ({
  type: 'WorkflowInstanceStarted',
  data: {
    workflow: { id: idOf(2), name: 'W' },
    version: 1,
    graph: of,
    data,
    cause: { is: 'person' },
    ...more,
  },
});

/** Advances as the pump does, with these for what it cannot decide itself. */
const run = (
  events: InstanceEvent[],
  { now = NOW, holds = () => false }: { now?: string; holds?: (when: string) => boolean } = {},
): { events: InstanceEvent[]; state: InstanceState; rests: Next } => {
  const all = [...events];
  let state = foldInstance(all);
  for (;;) {
    if (state.is !== 'open') return { events: all, state, rests: { do: 'rest' } };
    const step = chosen(state, next(state, { id: INSTANCE, now }), { now, holds });
    if (step.do !== 'record') return { events: all, state, rests: step };
    all.push(...step.events);
    state = foldInstance(step.events, state);
  }
};
const chosen = (
  state: OpenInstance,
  step: Next,
  { now, holds }: { now: string; holds: (when: string) => boolean },
): Next => {
  if (step.do !== 'choose') return step;
  const way = step.transitions.find(({ when }) => when === '' || holds(when));
  return way ? taking(state, way, { id: INSTANCE, now }) : takingNone(state);
};
const typesOf = (events: readonly InstanceEvent[]): string[] =>
  events.map(({ type }) => type.replace(/^Workflow(Node|Instance)?/, ''));
const reasonsOf = (events: readonly InstanceEvent[]): string[] =>
  events.flatMap(({ type, data }) => (type === 'WorkflowInstanceStopped' ? [data.reason] : []));

test('nodes without effect are left at once, and the end is where no transition leads on', () => {
  const { events, state } = run([begun(graph([none, none], [[0, 1]]))]);
  expect(typesOf(events)).toEqual(['Started', 'Entered', 'Left', 'Entered', 'Left', 'Ended']);
  expect(state.is).toBe('ended');
});

test('a wait is a time in the event, and looking early, late or twice changes nothing', () => {
  const first = run([begun(graph([{ is: 'wait', seconds: 3 * 86_400 }]))]);
  expect(first.rests).toEqual({ do: 'rest', until: at(3 * 86_400) });
  expect(run(first.events, { now: at(3 * 86_400 - 1) }).events).toEqual(first.events);
  const late = run(first.events, { now: at(400 * 86_400) });
  expect(typesOf(late.events)).toEqual(['Started', 'Entered', 'Left', 'Ended']);
});

test('a wait for a time of the data stops if it is none, and is entered again when it is one', () => {
  const wait: WorkflowDoes = { is: 'wait', until: '{{data.at}}' };
  const lacking = run([begun(graph([wait]))]);
  expect(reasonsOf(lacking.events)).toEqual(['N0 needs data.at, which the data lack']);
  const wrong = run([begun(graph([wait]), { at: 'soon' })]);
  expect(reasonsOf(wrong.events)).toEqual(['N0 waits until "soon", which is no instant']);
  const again = run([
    ...wrong.events,
    { type: 'WorkflowDataRevised', data: { visit: 1, data: { at: at(9) } } },
    { type: 'WorkflowInstanceResumed', data: { visit: 1, again: true } },
  ]);
  expect(again.rests).toEqual({ do: 'rest', until: at(9) });
});

test('a person who does not answer in time is late, and an answer is taken only while it is asked', () => {
  const asked = run([
    begun(
      graph(
        [ask, none, none],
        [
          [0, 1],
          [0, 2, 'late'],
        ],
      ),
    ),
  ]);
  expect(asked.rests).toEqual({ do: 'rest', until: at(60) });
  const { events } = run(asked.events, { now: at(60) });
  expect(events.filter(({ type }) => type === 'WorkflowNodeLeft')[0]?.data).toMatchObject({ end: 'late' });
  expect(events.findLast(({ type }) => type === 'WorkflowNodeEntered')?.data).toMatchObject({
    node: idOf(102),
  });
});

test('the same visit is the same action, and going on with the node is another one', () => {
  const first = run([begun(graph([act]))]);
  expect(first.rests).toMatchObject({ do: 'act' });
  expect(run(first.events)).toEqual(first);
  const again = run([
    ...first.events,
    { type: 'WorkflowInstanceStopped', data: { visit: 1, at: 'node', reason: 'no' } },
    { type: 'WorkflowInstanceResumed', data: { visit: 1, again: true } },
  ]);
  expect(
    again.rests.do === 'act' && first.rests.do === 'act' && again.rests.action !== first.rests.action,
  ).toBe(true);
});

test('an action that failed takes the transition for it, or stops the instance with its reason', () => {
  const failed = (of: WorkflowGraph) => {
    const { events, state } = run([begun(of)]);
    if (state.is !== 'open') throw new Error('it has ended');
    return run([...events, ...leave(state, { end: 'failed', result: { reason: 'no answer' } })]);
  };
  expect(reasonsOf(failed(graph([act, none], [[0, 1]])).events)).toEqual([
    'N0 failed, and no transition is for that: no answer',
  ]);
  expect(failed(graph([act, none], [[0, 1, 'failed']])).state.is).toBe('ended');
});

test('a circle in which nothing changes is stopped, and one that waits or acts goes on', () => {
  const idle = run([
    begun(
      graph(
        [none, none],
        [
          [0, 1],
          [1, 0],
        ],
      ),
    ),
  ]);
  expect(reasonsOf(idle.events)).toEqual([
    'N0 was entered again and nothing had changed, so this would never end',
  ]);
  const polling = run([
    begun(
      graph(
        [none, { is: 'wait', seconds: 1 }],
        [
          [0, 1],
          [1, 0],
        ],
      ),
    ),
  ]);
  expect(run(polling.events, { now: at(5) }).rests).toMatchObject({ do: 'rest', until: at(6) });
});

test('a thousand visits are looked at by somebody, who may let it go on', () => {
  const of = graph([{ is: 'wait', seconds: 1 }], [[0, 0]]);
  let { events } = run([begun(of)]);
  for (let turn = 1; turn <= MAX_VISITS; turn++) ({ events } = run(events, { now: at(turn * 2) }));
  expect(reasonsOf(events)).toEqual([expect.stringMatching(/^1000 nodes were entered/)]);
  const on = run([
    ...events,
    { type: 'WorkflowInstanceResumed', data: { visit: MAX_VISITS + 1, again: true } },
  ]);
  expect(on.state).toMatchObject({ is: 'open', visit: MAX_VISITS + 2 });
});

test('a result that is too large is not kept, and the instance says so instead of losing its work', () => {
  const of = graph([act]);
  (of.nodes[0] as { keepAs: string }).keepAs = 'answer';
  const { events, state } = run([begun(of, { own: 'x'.repeat(40_000) })]);
  if (state.is !== 'open') throw new Error('it has ended');
  const left = leave(state, { end: 'done', result: { body: 'y'.repeat(40_000) } });
  const after = run([...events, ...left]);
  expect(reasonsOf(after.events)).toEqual([
    'with the result of N0 the data would be larger than 64 kB, so it was not kept',
  ]);
  expect(
    run([...after.events, { type: 'WorkflowInstanceResumed', data: { visit: 1, again: false } }]).state.is,
  ).toBe('ended');
});

test('no more is filled into a node than data may have, however often a value is named', () => {
  const tells: WorkflowDoes = { is: 'notification', title: 'Told', text: '{{data.t}}'.repeat(1500) };
  const large = begun(graph([tells]), { t: 'x'.repeat(60_000) });
  const says = 'N0 takes more than 64 kB from the data, and at most 64 kB are filled in';
  expect(reasonsOf(run([large]).events)).toEqual([says]);
  // One that was entered before the limit existed, or whose data have grown since.
  const entered: InstanceEvent = {
    type: 'WorkflowNodeEntered',
    data: { visit: 1, state: idOf(7), node: idOf(100), name: 'N0', action: idOf(8) },
  };
  expect(reasonsOf(run([large, entered]).events)).toEqual([says]);
  expect(run([begun(graph([tells]), { t: 'x'.repeat(40) })]).rests).toMatchObject({
    do: 'act',
    does: { text: 'x'.repeat(60_000) },
  });
});

test('a dry instance does nothing outside: it takes earlier results in their order, or asks', () => {
  const of = graph(
    [act, { is: 'wait', seconds: 3600 }],
    [
      [0, 1],
      [1, 0],
    ],
  );
  const past = [
    { visit: 4, node: idOf(100), left: { visit: 4, end: 'done' as const, result: { status: 200 } } },
  ];
  const forked = { dry: true, forkedFrom: { instance: idOf(9), visit: 4 } };
  const all = [begun(of, {}, forked)];
  for (;;) {
    const state = foldInstance(all);
    const step =
      state.is === 'open' ? next(state, { id: INSTANCE, now: NOW, past }) : { do: 'rest' as const };
    if (step.do !== 'record') break;
    all.push(...step.events);
  }
  expect(typesOf(all)).toEqual(['Started', 'Entered', 'Left', 'Entered', 'Left', 'Entered']);
  expect(all[2]?.data).toMatchObject({ recalled: 4, result: { status: 200 } });
  expect(all[5]?.data).toMatchObject({ asks: { question: 'What would N0 come to?' } });
  expect(all.some(({ data }) => 'action' in data)).toBe(false);
});

/** The same numbers in each run. */
const chances = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
};

test('any graph: every history folds to the same state again, visits count up, and each instance rests or ends', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const chance = chances(seed);
    const size = 1 + chance(12);
    const kinds: WorkflowDoes[] = [none, ask, act, { is: 'wait', seconds: 60 }];
    const does = Array.from({ length: size }, () => kinds[chance(kinds.length)] ?? none);
    const ways = Array.from({ length: chance(3 * size) }, (): Way => {
      const on = (['done', 'done', 'failed', 'late'] as const)[chance(4)];
      return [chance(size), chance(size), on, chance(2) === 0 ? '' : 'perhaps'];
    });
    let events = [begun(graph(does, ways))];
    for (let turn = 1; turn <= 25; turn++) {
      const { state, ...went } = run(events, { now: at(turn * 61), holds: () => chance(2) === 0 });
      ({ events } = went);
      expect(foldInstance(JSON.parse(JSON.stringify(events)) as InstanceEvent[])).toEqual(state);
      if (state.is !== 'open') break;
      if (state.stopped)
        events.push({
          type: 'WorkflowInstanceResumed',
          data: { visit: state.visit, again: state.stopped.at === 'node' },
        });
      else if (went.rests.do === 'act')
        events.push(...leave(state, { end: chance(4) === 0 ? 'failed' : 'done', result: { turn } }));
    }
    const visits = events.flatMap(({ type, data }) => (type === 'WorkflowNodeEntered' ? [data.visit] : []));
    expect(visits).toEqual(visits.map((_, index) => index + 1));
  }
});
