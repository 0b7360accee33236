// covers: WF-02
import type { WorkflowState } from '@quarterdeck/projections';
import { momentOf, stepByStep } from './moments';

const does = { is: 'none' } as const;
const graph = {
  start: 'a',
  nodes: ['a', 'b', 'c'].map((id) => ({ id, name: id, does, keepAs: '', place: null })),
  transitions: [],
};
const state = (visit: number, node: string, more: Partial<WorkflowState> = {}): WorkflowState => ({
  id: `state-${visit}`,
  uuid: `state-${visit}`,
  instance: 'i',
  visit,
  node: { id: node, uuid: node, name: node },
  logDateAdded: '2026-11-20T12:00:00.000Z',
  position: '1',
  stops: [],
  revisions: [],
  end: 'done',
  data: { at: visit },
  ...more,
});
const states = [
  state(1, 'a'),
  state(2, 'b', { transition: 't1' }),
  state(3, 'a', { transition: 't2', end: 'failed' }),
];
const wordsOf = (marks: ReadonlyMap<string, { word: string }>) =>
  Object.fromEntries([...marks].map(([id, { word }]) => [id, word]));

test('the present shows how each node was left last', () => {
  const { marks, taken } = momentOf({ graph, states, is: 'completed' });
  expect(wordsOf(marks)).toEqual({ a: 'failed', b: 'done', c: 'not reached' });
  expect([...taken]).toEqual(['t1', 't2']);
});

test('the node where it is has the state of the instance', () => {
  const open = [...states, state(4, 'c', { end: undefined })];
  expect(wordsOf(momentOf({ graph, states: open, is: 'stopped' }).marks)).toMatchObject({ c: 'stopped' });
});

test('an earlier step knows nothing of later ones', () => {
  const { marks, taken, state: shown } = momentOf({ graph, states, is: 'completed' }, 2);
  expect(wordsOf(marks)).toEqual({ a: 'done', b: 'here', c: 'not reached' });
  expect([...taken]).toEqual(['t1']);
  expect(shown?.visit).toBe(2);
});

test('the steps of a fork are beside those of its source, from where it was forked', () => {
  const source = { id: 'source', states };
  const fork = {
    id: 'fork',
    forkedFrom: { instance: 'source', visit: 2 },
    states: [state(1, 'b', { data: { at: 2 } }), state(2, 'c', { data: { at: 3 } })],
  };
  expect(stepByStep(source, fork).map(({ isSame, isSameWay }) => [isSame, isSameWay])).toEqual([
    [true, true],
    [false, false],
  ]);
});
