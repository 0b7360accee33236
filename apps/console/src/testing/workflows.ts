/** What the back end answers in tests of workflows, and the page that they open. */
import { workflow } from '@quarterdeck/events';
import { plainColumns } from '@quarterdeck/projections';
import { routes } from '../app/router';
import { answerWith, type Call } from './network';
import { pagesOf } from './pages';
import { renderRoutes, sessionOf } from './render';
import { withTestWorkers } from './workers';

export const id = (last: string): string => `01930000-0000-7000-8000-0000000000${last}`;
export const WORKFLOW = id('a1');
export const INSTANCE = id('b1');
export const at = '2026-11-20T12:00:00.000Z';
const by = sessionOf().profile.id;
export const kept = {
  addedAt: at,
  addedBy: by,
  changedAt: at,
  changedBy: by,
  revision: 3,
  position: '5',
  workspace: 'main',
};
const order = { id: WORKFLOW, name: 'Order', description: '', product: null, ...kept };
const node = (last: string, name: string, does: object, more: object = {}) => ({
  id: id(last),
  workflow: WORKFLOW,
  name,
  does,
  isStart: false,
  keepAs: '',
  place: null,
  ...kept,
  ...more,
});
export const ask = node(
  'c1',
  'Check',
  { is: 'person', role: 'admin', choices: ['Approve', 'Reject'] },
  { isStart: true },
);
const pack = node('c2', 'Pack', { is: 'none' });
export const toPack = {
  id: id('d1'),
  workflow: WORKFLOW,
  name: 'Check to Pack',
  from: { id: ask.id },
  to: { id: pack.id },
  on: 'done',
  when: 'choice == "Approve"',
  order: 1,
  ...kept,
};
const graph = {
  start: ask.id,
  nodes: [ask, pack].map(({ id: of, name, does, keepAs, place }) => ({ id: of, name, does, keepAs, place })),
  transitions: [{ ...toPack, from: ask.id, to: pack.id }],
};
export const instance = {
  id: INSTANCE,
  uuid: INSTANCE,
  workspace: 'main',
  workflow: { id: WORKFLOW, name: 'Order' },
  version: 1,
  logDateAdded: at,
  by,
  cause: { is: 'person' },
  dry: false,
  is: 'asking',
  node: { id: ask.id, name: 'Check' },
  visit: 1,
  since: at,
  asks: { role: 'admin', choices: ['Approve', 'Reject'], question: 'Ship it?' },
  revision: 4,
  position: '9',
};
const state = {
  id: id('e1'),
  uuid: id('e1'),
  instance: INSTANCE,
  visit: 1,
  node: { id: ask.id, uuid: ask.id, name: 'Check' },
  logDateAdded: at,
  position: '8',
  data: { order: 41 },
  stops: [],
  revisions: [],
};
export const packed = {
  ...state,
  id: id('e2'),
  visit: 2,
  node: { id: pack.id, uuid: pack.id, name: 'Pack' },
  transition: toPack.id,
  end: 'done',
  data: { order: 41, packed: true },
};
export const detail = { ...instance, graph, data: { order: 41 }, states: [state], whole: true };
export const ended = {
  ...detail,
  is: 'completed',
  asks: undefined,
  states: [{ ...state, end: 'done', choice: 'Approve', by }, packed],
  data: { order: 41, packed: true },
};
const version = {
  id: id('f1'),
  uuid: id('f1'),
  workspace: 'main',
  workflow: { id: WORKFLOW, name: 'Order' },
  version: 1,
  logDateAdded: at,
  by,
  nodes: 2,
  transitions: 1,
  revision: 0,
  position: '6',
};

type Handlers = Parameters<typeof answerWith>[0];
export const open = (address: string, handlers: Handlers = {}, role = 'admin') => {
  withTestWorkers();
  const session = sessionOf(role);
  const network = answerWith({
    'GET /api/session': { body: session },
    'POST /api/person/list': { body: [] },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/workflow/page': pagesOf(plainColumns(workflow), [order]),
    'POST /api/workflow/detail': { body: order },
    'POST /api/workflow/node/list': { body: [ask, pack] },
    'POST /api/workflow/transition/list': { body: [toPack] },
    'POST /api/workflow/check': { body: { findings: [] } },
    'POST /api/workflow/version/list': { body: [version] },
    'POST /api/workflow/version/compare': { body: { changes: [] } },
    'POST /api/workflow/instance/list': { body: [instance] },
    'POST /api/workflow/instance/page': { body: { instances: [instance] } },
    'POST /api/workflow/instance/detail': { body: detail },
    'POST /api/workflow/instance/insert': { body: { id: INSTANCE, uuid: INSTANCE } },
    'POST /api/workflow/instance/answer': { body: { id: INSTANCE, uuid: INSTANCE } },
    'POST /api/workflow/instance/fork': { body: { id: INSTANCE, uuid: INSTANCE } },
    'POST /api/workflow/state/list': { body: [state] },
    'POST /api/product/listWServices': { body: [] },
    ...handlers,
  });
  return { ...network, ...renderRoutes(routes, { at: address, session }) };
};
export const bodyOf = (calls: readonly Call[], path: string): unknown =>
  calls.find((call) => call.path === path)?.body;
export const edit = `/app/workflow/${WORKFLOW}/edit`;
