/** What is sent about nodes and transitions of a draft. Pure. */
import type { TransitionEnd } from '@quarterdeck/events';
import type { Draft, NodeView, TransitionView } from './use-draft';

export const nodeData = ({ name, does, isStart, keepAs, place }: NodeView) => ({
  name,
  does,
  isStart,
  keepAs,
  place,
});

export const idOf = (node: unknown): string => (node as { id: string } | null)?.id ?? '';

export const nameOfNode = ({ nodes }: Pick<Draft, 'nodes'>, id: string): string =>
  nodes.find((one) => one.id === id)?.name ?? 'deleted';

/** The order after the last transition that leaves the node. */
export const nextOrder = ({ transitions }: Draft, from: string): number =>
  1 + Math.max(0, ...transitions.filter((one) => idOf(one.from) === from).map(({ order }) => order));

export const transitionBetween = (
  draft: Draft,
  from: string,
  to: string,
  { on = 'done', when = '', name = '' }: { on?: TransitionEnd; when?: string; name?: string } = {},
) => ({
  name: name || `${nameOfNode(draft, from)} to ${nameOfNode(draft, to)}`,
  from: { id: from },
  to: { id: to },
  on,
  when,
  order: nextOrder(draft, from),
});

export const transitionData = ({ name, from, to, on, when, order }: TransitionView) => ({
  name,
  from: { id: idOf(from) },
  to: { id: idOf(to) },
  on,
  when,
  order,
});
