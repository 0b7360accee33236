/** The states that an instance was in. */
import { byId, workflowRevise, workflowStateInsert } from '@quarterdeck/events/inputs';
import { workflowState } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo } from './demo';

const instances = 'workflowInstances';

/** The states of an instance are its visits, as they were recorded. */
export const workflowStates = calls('workflow/state', 'admin', {
  list: {
    summary: 'The states of an instance, the first one first',
    input: byId,
    example: { id: demo.workflowInstance },
    answer: z.array(workflowState),
    shows: instances,
    wide: true,
    asOf: true,
  },
  detail: {
    summary: 'One state of an instance, with its data and its result',
    input: byId,
    example: { id: demo.workflowState },
    answer: workflowState,
    shows: instances,
    wide: true,
    asOf: true,
  },
  insert: {
    summary: 'Is always refused: an instance enters its states itself',
    input: workflowStateInsert,
    example: { data: {} },
    answer: ids,
    stales: [],
  },
  update: {
    summary: 'Revises the data of an instance in its present state; earlier states never change',
    input: workflowRevise,
    example: { id: demo.workflowState, data: { total: 80 } },
    answer: ids,
    stales: instances,
    wide: true,
  },
  delete: {
    summary: 'Is always refused: what an instance did is never changed',
    input: byId,
    example: { id: demo.workflowState },
    answer: ids,
    stales: [],
  },
});
