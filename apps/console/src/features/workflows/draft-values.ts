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

const MAX_NAME = 200;

/** Of a transition without a name of its own. Two names may be longer together than one may be. */
export const nameBetween = (from: string, to: string): string => {
  const name = `${from} to ${to}`;
  if (name.length <= MAX_NAME) return name;
  // Not within a character that has two units.
  const half = (text: string): string => text.slice(0, MAX_NAME / 2 - 3).replace(/[\ud800-\udbff]$/, '');
  return `${half(from)}… to ${half(to)}…`;
};

/** The order after the last transition that leaves the node. */
export const nextOrder = ({ transitions }: Draft, from: string): number =>
  1 + Math.max(0, ...transitions.filter((one) => idOf(one.from) === from).map(({ order }) => order));

export const transitionBetween = (
  draft: Draft,
  from: string,
  to: string,
  { on = 'done', when = '', name = '' }: { on?: TransitionEnd; when?: string; name?: string } = {},
) => ({
  name: name || nameBetween(nameOfNode(draft, from), nameOfNode(draft, to)),
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
