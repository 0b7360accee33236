/** How nodes, transitions and instances of workflows are named on the pages. */
import {
  commandOf,
  type Json,
  type NodeEnd,
  type TransitionEnd,
  type WorkflowDoes,
  type WorkflowDoesIs,
} from '@quarterdeck/events';
import type { WorkflowInstanceIs, WorkflowInstanceView } from '@quarterdeck/projections';
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowsExchange,
  IconBan,
  IconBell,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconClockPause,
  IconHandStop,
  IconLoader2,
  IconPlayerSkipForward,
  IconRocket,
  IconScript,
  IconSitemap,
  IconTerminal2,
  IconUserQuestion,
  type Icon,
} from '@tabler/icons-react';
import type { Mark } from '../../ui/graph';
import { StateBadge } from '../../ui/StateBadge';

export const kinds: Readonly<Record<WorkflowDoesIs, { label: string; icon: Icon }>> = {
  none: { label: 'Go on at once', icon: IconArrowDown },
  wait: { label: 'Wait', icon: IconClock },
  person: { label: 'Ask a person', icon: IconUserQuestion },
  savedRequest: { label: 'Send a saved request', icon: IconArrowsExchange },
  command: { label: 'Run a fixed command', icon: IconTerminal2 },
  script: { label: 'Run a script', icon: IconScript },
  deploy: { label: 'Deploy a service', icon: IconRocket },
  notification: { label: 'Send a notification', icon: IconBell },
  workflow: { label: 'Run another workflow', icon: IconSitemap },
};

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
export type Unit = (typeof units)[number][0];
export const secondsIn = (unit: Unit): number => units.find(([name]) => name === unit)?.[1] ?? 1;
export const unitNames = units.map(([name]) => name).toReversed();

/** The duration in the largest unit in which it is a whole number. */
export const amountOf = (seconds: number): { amount: number; unit: Unit } => {
  const [unit, length] = units.find(([, one]) => seconds % one === 0) ?? ['second', 1];
  return { amount: seconds / length, unit };
};

export const lengthInWords = (seconds: number): string => {
  const { amount, unit } = amountOf(seconds);
  return `${amount.toLocaleString('en')} ${unit}${amount === 1 ? '' : 's'}`;
};

/** What the node does, in a few words. */
export const doesInWords = (does: WorkflowDoes): string => {
  switch (does.is) {
    case 'wait':
      return does.seconds === undefined ? `Wait until ${does.until}` : `Wait ${lengthInWords(does.seconds)}`;
    case 'person':
      return `Ask: ${does.choices.join(' / ')}`;
    case 'command':
      return commandOf(does.cmdType)?.label ?? kinds.command.label;
    case 'notification':
      return `Notify: ${does.title}`;
    default:
      return kinds[does.is]?.label ?? does.is;
  }
};

export const endsInWords: Readonly<Record<TransitionEnd, string>> = {
  done: 'Done',
  failed: 'Failed',
  late: 'Nobody answered in time',
};

/** On an arrow: what has to be so that it is taken. */
export const transitionInWords = ({ on, when }: { on: TransitionEnd; when: string }): string => {
  const condition = when.trim();
  if (on === 'done') return condition;
  const end = on === 'late' ? 'too late' : on;
  return condition === '' ? end : `${end}: ${condition}`;
};

const states: Readonly<Record<WorkflowInstanceIs, Mark>> = {
  running: { tone: 'busy', icon: IconLoader2, word: 'under way' },
  waiting: { tone: 'info', icon: IconClockPause, word: 'waiting' },
  asking: { tone: 'warn', icon: IconUserQuestion, word: 'waits for a person' },
  acting: { tone: 'busy', icon: IconLoader2, word: 'under way' },
  stopped: { tone: 'bad', icon: IconHandStop, word: 'stopped' },
  completed: { tone: 'good', icon: IconCircleCheck, word: 'completed' },
  cancelled: { tone: 'quiet', icon: IconBan, word: 'cancelled' },
};

export const markOf = (is: WorkflowInstanceIs): Mark => states[is];

const ends: Readonly<Record<NodeEnd, Mark>> = {
  done: { tone: 'good', icon: IconCircleCheck, word: 'done' },
  failed: { tone: 'bad', icon: IconCircleX, word: 'failed' },
  late: { tone: 'warn', icon: IconAlertTriangle, word: 'too late' },
  skipped: { tone: 'quiet', icon: IconPlayerSkipForward, word: 'skipped' },
};

export const markOfEnd = (end: NodeEnd): Mark => ends[end];
export const notReached: Mark = { tone: 'quiet', icon: IconCircleDashed, word: 'not reached' };

export const MarkBadge = ({ mark: { tone, icon, word } }: { mark: Mark }) => (
  <StateBadge state={word} tone={tone} icon={icon} />
);

export const InstanceBadge = ({
  instance: { is, dry },
}: {
  instance: Pick<WorkflowInstanceView, 'is' | 'dry'>;
}) => {
  const mark = markOf(is);
  return <MarkBadge mark={dry ? { ...mark, word: `${mark.word}, dry` } : mark} />;
};

export const isEnded = ({ is }: Pick<WorkflowInstanceView, 'is'>): boolean =>
  is === 'completed' || is === 'cancelled';

export const jsonText = (data: Json | undefined): string =>
  data === undefined ? '' : JSON.stringify(data, null, 2);

export const shortJson = (data: Json | undefined, most = 120): string => {
  const text = data === undefined ? '' : JSON.stringify(data);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};
