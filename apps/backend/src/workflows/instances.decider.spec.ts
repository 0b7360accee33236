/** Who is faster, and what the other one is told. covers: WF-02 */
import type { EventData } from '@quarterdeck/events';
import { given, meta } from '../platform/decisions/decider-testing';
import type { InstanceEvent } from './instance-state';
import {
  AdvanceInstance,
  AnswerInstance,
  CancelInstance,
  instanceDecider,
  RemoveInstance,
  RetryInstance,
  ReviseInstance,
  SkipNode,
  StartInstance,
} from './instances.decider';

const id = '0193f0a0-0000-7000-8000-000000000001';
const node = '0193f0a0-0000-7000-8000-000000000002';
const transition = '0193f0a0-0000-7000-8000-000000000003';

const startedData: EventData<'WorkflowInstanceStarted'> = {
  workflow: { id, name: 'W' },
  version: 1,
  graph: { start: node, nodes: [], transitions: [] },
  data: {},
  cause: { is: 'person' },
};
const started: InstanceEvent = { type: 'WorkflowInstanceStarted', data: startedData };
const entered = (more: object = {}): InstanceEvent => ({
  type: 'WorkflowNodeEntered',
  data: { visit: 1, state: id, node, name: 'Ask', ...more },
});
const asks = { role: 'admin', choices: ['Yes', 'No'] };
const left = (more: object): InstanceEvent => ({
  type: 'WorkflowNodeLeft',
  data: { visit: 1, end: 'done', result: null, ...more },
});
const stopped: InstanceEvent = {
  type: 'WorkflowInstanceStopped',
  data: { visit: 1, at: 'node', reason: 'it was removed' },
};
const ended: InstanceEvent = { type: 'WorkflowInstanceEnded', data: { is: 'completed' } };
const asking = [started, entered({ asks })];
const late = left({ end: 'late' });
const yes = left({ choice: 'Yes' });
const answer = (steps = 2, choice = 'Yes') =>
  new AnswerInstance(id, { steps, visit: 1, choice, events: [yes] }, meta);
const timeout = (steps = 2) => new AdvanceInstance(id, { steps, events: [late] }, meta);

test('an instance is removed only once its action has been cancelled', () => {
  const acting = [started, entered({ action: id })];
  const cancelled: InstanceEvent = { type: 'WorkflowInstanceEnded', data: { is: 'cancelled' } };
  const seenTo = (visit: number): InstanceEvent => ({ type: 'WorkflowActionCancelled', data: { visit } });
  const removed: InstanceEvent = { type: 'WorkflowInstanceRemoved', data: {} };
  const remove = new RemoveInstance(id, {}, meta);
  const still = 'the work of this instance is still being cancelled: delete it once that is done';
  given(instanceDecider, [...acting, cancelled])
    .when(remove)
    .thenRejected('conflict', still);
  given(instanceDecider, [...acting, cancelled, seenTo(1)])
    .when(remove)
    .then([removed]);
  const skipped = [...acting, left({ end: 'skipped', transition }), ended];
  given(instanceDecider, skipped).when(remove).thenRejected('conflict', still);
  given(instanceDecider, [...skipped, seenTo(1)])
    .when(remove)
    .then([removed]);
  given(instanceDecider, [...acting, left({}), cancelled])
    .when(remove)
    .then([removed]);
});

test('an instance is started once', () => {
  given(instanceDecider, [])
    .when(new StartInstance(id, startedData, meta))
    .then([started]);
});

test('of an answer and a time-out one is recorded, and the person is told when they were later', () => {
  given(instanceDecider, asking).when(answer()).then([yes]);
  given(instanceDecider, asking).when(timeout()).then([late]);
  given(instanceDecider, [...asking, yes])
    .when(timeout())
    .thenNothing();
  given(instanceDecider, [...asking, late])
    .when(answer())
    .thenRejected('conflict', 'your answer was not taken: the time to answer it was over');
  given(instanceDecider, [...asking, yes])
    .when(answer(2, 'No'))
    .thenRejected('conflict', 'your answer was not taken: Yes was answered before');
});

test('an answer is one of the choices, and is made again if something else was recorded meanwhile', () => {
  given(instanceDecider, asking)
    .when(answer(2, 'Perhaps'))
    .thenRejected('invalid', 'one of Yes, No is expected');
  const revised: InstanceEvent = { type: 'WorkflowDataRevised', data: { visit: 1, data: 1 } };
  given(instanceDecider, [...asking, revised])
    .when(answer())
    .thenNothing();
  given(instanceDecider, [...asking, revised])
    .when(answer(3))
    .then([yes]);
});

test('what stopped is gone on with once, at the visit that was seen', () => {
  const resumed: InstanceEvent = { type: 'WorkflowInstanceResumed', data: { visit: 1, again: true } };
  given(instanceDecider, [started, entered(), stopped])
    .when(new RetryInstance(id, { visit: 1 }, meta))
    .then([resumed]);
  given(instanceDecider, [started, entered(), stopped])
    .when(new RetryInstance(id, { visit: 4 }, meta))
    .thenRejected('conflict', /^this instance has moved on: it is at visit 1 by now, Ask/);
});

test('data are revised while nothing works with them', () => {
  const revise = new ReviseInstance(id, { data: { total: 1 } }, meta);
  const revised: InstanceEvent = { type: 'WorkflowDataRevised', data: { visit: 1, data: { total: 1 } } };
  given(instanceDecider, asking).when(revise).then([revised]);
  given(instanceDecider, [started, entered({ action: id })])
    .when(revise)
    .thenRejected('conflict', /^Ask is under way/);
  given(instanceDecider, [started, entered({ action: id }), stopped])
    .when(revise)
    .then([revised]);
});

test('a node is skipped while the instance is there', () => {
  const skip = new SkipNode(id, { visit: 1, transition, by: id }, meta);
  given(instanceDecider, asking)
    .when(skip)
    .then([left({ end: 'skipped', by: id, transition })]);
  given(instanceDecider, [...asking, yes])
    .when(skip)
    .thenRejected('conflict', 'the instance has left Ask already');
});

test('an open instance is cancelled once, and an ended one is told to have ended', () => {
  const cancelled: InstanceEvent = { type: 'WorkflowInstanceEnded', data: { is: 'cancelled' } };
  given(instanceDecider, asking)
    .when(new CancelInstance(id, {}, meta))
    .then([cancelled]);
  given(instanceDecider, [started, ended])
    .when(new CancelInstance(id, {}, meta))
    .thenRejected('conflict', 'this instance is completed already');
  given(instanceDecider, [started, cancelled]).when(timeout(2)).thenNothing();
});

test('only what has ended is removed', () => {
  const remove = new RemoveInstance(id, {}, meta);
  given(instanceDecider, asking)
    .when(remove)
    .thenRejected('conflict', /cancel it first/);
  given(instanceDecider, [started, ended])
    .when(remove)
    .then([{ type: 'WorkflowInstanceRemoved', data: {} }]);
  given(instanceDecider, []).when(remove).thenRejected('notFound');
});
