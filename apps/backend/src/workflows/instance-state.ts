/** An instance with its graph and its data, folded from its stream. Nothing keeps it between two looks. */
import type { EventData, EventsOf, Json, WorkflowGraph, WorkflowGraphNode } from '@quarterdeck/events';
import type { workflowInstanceEvents } from '@quarterdeck/events/catalogue';

export type InstanceEvent = EventsOf<typeof workflowInstanceEvents>;
type Started = EventData<'WorkflowInstanceStarted'>;
type Entered = EventData<'WorkflowNodeEntered'>;
type Left = EventData<'WorkflowNodeLeft'>;
type Stopped = EventData<'WorkflowInstanceStopped'>;

interface Common {
  /** Number of its events. */
  steps: number;
  started: Started;
  data: Json;
  /** Number of the last visit. */
  visit: number;
  /** Visits since it was started or gone on with. */
  visits: number;
  /** Nodes without effect that were entered since something was done, waited for or changed. */
  idle: readonly string[];
  /** How often each node was entered. */
  entries: Readonly<Record<string, number>>;
}

/** `enter`: about to enter the node. `in`: there. `left`: about to choose the way on. */
export type Phase =
  | { phase: 'enter'; node: string; transition?: string }
  | { phase: 'in'; entered: Entered }
  | { phase: 'left'; entered: Entered; left: Left };

export type OpenInstance = Common & { is: 'open'; at: Phase; stopped?: Stopped };
export type InstanceState = { is: 'unknown' } | OpenInstance | (Common & { is: 'ended' });

export const nodeOf = ({ nodes }: WorkflowGraph, id: string): WorkflowGraphNode | undefined =>
  nodes.find((node) => node.id === id);

const isIdle = (state: OpenInstance, id: string): boolean =>
  nodeOf(state.started.graph, id)?.does.is === 'none';

const opened = (started: Started): OpenInstance => ({
  is: 'open',
  steps: 1,
  started,
  data: started.data,
  visit: 0,
  visits: 0,
  idle: [],
  entries: {},
  at: { phase: 'enter', node: started.begin ?? started.graph.start },
});

const entering = (state: OpenInstance, entered: Entered): OpenInstance => ({
  ...state,
  visit: entered.visit,
  visits: state.visits + 1,
  idle: isIdle(state, entered.node) ? [...state.idle, entered.node] : [],
  entries: { ...state.entries, [entered.node]: (state.entries[entered.node] ?? 0) + 1 },
  at: { phase: 'in', entered },
});

const leaving = ({ stopped: _, ...state }: OpenInstance, left: Left): OpenInstance =>
  state.at.phase === 'enter'
    ? state
    : {
        ...state,
        at: { phase: 'left', entered: state.at.entered, left },
        ...(left.data !== undefined && { data: left.data, idle: [] }),
      };

const resumed = ({ stopped: _, ...state }: OpenInstance, again: boolean): OpenInstance => ({
  ...state,
  visits: 0,
  idle: [],
  at: again && state.at.phase !== 'enter' ? { phase: 'enter', node: state.at.entered.node } : state.at,
});

const evolveOpen = (state: OpenInstance, { type, data }: InstanceEvent): InstanceState => {
  switch (type) {
    case 'WorkflowNodeEntered':
      return entering(state, data);
    case 'WorkflowNodeLeft':
      return leaving(state, data);
    case 'WorkflowInstanceStopped':
      return { ...state, stopped: data };
    case 'WorkflowInstanceResumed':
      return resumed(state, data.again);
    case 'WorkflowDataRevised':
      return { ...state, data: data.data, idle: [] };
    case 'WorkflowInstanceEnded': {
      const { at: _, stopped: __, ...rest } = state;
      return { ...rest, is: 'ended' };
    }
    default:
      return state;
  }
};

export const evolveInstance = (state: InstanceState, event: InstanceEvent): InstanceState => {
  if (event.type === 'WorkflowInstanceStarted') return state.is === 'unknown' ? opened(event.data) : state;
  if (state.is === 'unknown') return state;
  const steps = state.steps + 1;
  return state.is === 'ended' ? { ...state, steps } : evolveOpen({ ...state, steps }, event);
};

export const foldInstance = (
  events: readonly InstanceEvent[],
  from: InstanceState = { is: 'unknown' },
): InstanceState => events.reduce(evolveInstance, from);
