/** The differences between two graphs. Pure. */
import type { WorkflowChange } from '@quarterdeck/contract';
import type { Json, WorkflowGraph } from '@quarterdeck/events';
import { sameData } from '../platform/same-data';

export const noGraph: WorkflowGraph = { start: '', nodes: [], transitions: [] };

interface Named {
  id: string;
  name: string;
}

const fieldsOf = (
  before: Named | undefined,
  after: Named | undefined,
  names: ReadonlyMap<string, string>,
): WorkflowChange['fields'] => {
  const shown = (field: string, value: unknown): Json =>
    ((field === 'from' || field === 'to') && typeof value === 'string'
      ? (names.get(value) ?? value)
      : value) as Json;
  const [was, is] = [before ?? {}, after ?? {}] as Readonly<Record<string, unknown>>[];
  return [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])]
    .filter((field) => field !== 'id' && !sameData(was?.[field], is?.[field]))
    .map((field) => ({
      field,
      ...(before && { before: shown(field, was?.[field]) }),
      ...(after && { after: shown(field, is?.[field]) }),
    }));
};

const changesOf = (
  what: 'node' | 'transition',
  before: readonly Named[],
  after: readonly Named[],
  names: ReadonlyMap<string, string>,
): WorkflowChange[] => {
  const was = new Map(before.map((one) => [one.id, one]));
  const now = new Map(after.map((one) => [one.id, one]));
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((id) => {
    const [old, one] = [was.get(id), now.get(id)];
    const fields = fieldsOf(old, one, names);
    const is = !old ? 'added' : !one ? 'removed' : 'changed';
    return fields.length === 0 ? [] : [{ is, what, id, name: (one ?? old)?.name ?? '', fields } as const];
  });
};

export const changesBetween = (before: WorkflowGraph, after: WorkflowGraph): WorkflowChange[] => {
  const names = new Map([...before.nodes, ...after.nodes].map(({ id, name }) => [id, name]));
  const start = {
    field: 'start',
    before: names.get(before.start) ?? '',
    after: names.get(after.start) ?? '',
  };
  const moved: WorkflowChange[] =
    before.start === after.start
      ? []
      : [{ is: 'changed', what: 'start', id: after.start, name: start.after, fields: [start] }];
  return [
    ...moved,
    ...changesOf('node', before.nodes, after.nodes, names),
    ...changesOf('transition', before.transitions, after.transitions, names),
  ];
};
