/** Creations: the create wizard and the container flow, carried on section by section by any operator. */
import {
  byId,
  creationList,
  creationPlan,
  creationSection,
  creationStart,
  creationStep,
  creationUndo,
} from '@quarterdeck/events/inputs';
import { creationView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids, started } from './answers';
import { calls } from './call';
import { demo } from './demo';

const thing = z.strictObject({ kind: z.string(), name: z.string() });

const planned = z
  .strictObject({
    section: z.string(),
    creates: z.array(thing),
    /** What is used or in the way. */
    exists: z.array(thing),
    /** Why the section would fail, by field. */
    problems: z.record(z.string(), z.string()),
  })
  .meta({ id: 'PlannedSection' });

const product = { name: 'Bookshop', description: 'Sells books', structure: true, version: true } as const;
const step = { id: demo.creation, section: 'product', revision: 3 } as const;

export const creations = calls('creation', 'admin', {
  list: {
    summary: 'The newest creations, or only those that are not finished',
    input: creationList,
    example: { open: true },
    answer: z.array(creationView),
    shows: 'creations',
    asOf: true,
  },
  detail: {
    summary: 'One creation with its sections',
    input: byId,
    example: { id: demo.creation },
    answer: creationView,
    shows: 'creations',
    asOf: true,
  },
  plan: {
    summary: 'What the sections would create, and what exists already; nothing is changed',
    costs: 'waiting',
    input: creationPlan,
    example: { kind: 'product', sections: { product } },
    answer: z.array(planned),
    shows: [],
    volatile: true,
  },
  start: {
    summary: 'Begins a creation, and starts its first section',
    input: creationStart,
    example: { kind: 'product', values: product },
    answer: ids.extend({ runId: z.string() }).meta({ id: 'CreationStarted' }),
    stales: ['creations', 'runs'],
    wide: true,
  },
  section: {
    summary: 'Starts a section with these values, once all earlier ones are done',
    path: 'section/start',
    input: creationSection,
    example: { ...step, values: product },
    answer: started,
    stales: ['creations', 'runs'],
  },
  retry: {
    summary: 'Continues a failed section from the step that failed',
    path: 'section/retry',
    input: creationStep,
    example: step,
    answer: started,
    stales: ['creations', 'runs'],
  },
  undo: {
    summary: 'Removes what the last section made, as a run',
    path: 'section/undo',
    input: creationUndo,
    example: step,
    answer: started,
    stales: ['creations', 'runs'],
  },
  abandon: {
    summary: 'Ends a creation that is not finished; what it made stays',
    input: byId,
    example: { id: demo.creation },
    answer: ids,
    stales: 'creations',
  },
});
