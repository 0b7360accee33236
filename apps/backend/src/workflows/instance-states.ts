/** The states of an instance: its visits, with the data that each was entered with. Pure. */
import type { Json } from '@quarterdeck/events';
import type { WorkflowState } from '@quarterdeck/projections';
import type { RecordedInstanceEvent } from './instance-reader';

export const statesOf = (instance: string, events: readonly RecordedInstanceEvent[]): WorkflowState[] => {
  const states: WorkflowState[] = [];
  let data: Json = null;
  const last = (change: (state: WorkflowState) => WorkflowState): void => {
    const state = states.pop();
    if (state) states.push(change(state));
  };
  for (const { type, data: about, meta, position } of events)
    switch (type) {
      case 'WorkflowInstanceStarted':
        data = about.data;
        break;
      case 'WorkflowNodeEntered': {
        const { state, node, name, visit, transition, due, asks, action } = about;
        states.push({
          id: state,
          uuid: state,
          instance,
          visit,
          node: { id: node, uuid: node, name },
          ...(transition !== undefined && { transition }),
          logDateAdded: meta.at,
          position,
          ...(due !== undefined && { due }),
          ...(asks && { asks }),
          ...(action !== undefined && { action }),
          data,
          stops: [],
          revisions: [],
        });
        break;
      }
      case 'WorkflowNodeLeft': {
        const { end, result, choice, by, note, recalled } = about;
        const given = Object.entries({ choice, by, note, recalled }).filter(([, one]) => one !== undefined);
        last((state) => ({ ...state, leftAt: meta.at, end, result, ...Object.fromEntries(given) }));
        data = about.data ?? data;
        break;
      }
      case 'WorkflowInstanceStopped':
        last((state) => ({ ...state, stops: [...state.stops, { at: meta.at, reason: about.reason }] }));
        break;
      case 'WorkflowDataRevised':
        last((state) => ({ ...state, revisions: [...state.revisions, { at: meta.at, by: meta.actor }] }));
        data = about.data;
        break;
      default:
    }
  return states;
};
