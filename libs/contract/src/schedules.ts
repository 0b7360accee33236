/** When schedules are due and what came of them, and starting one by hand. All else are calls of the kit. */
import { schedule } from '@quarterdeck/events';
import { byId, line, nothing, object, optionalLine, uuid } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { started } from './answers';
import { calls } from './call';
import { demo, newRunId } from './demo';

const firing = z
  .strictObject({
    /** Id of the run that was started, or would have been. */
    id: z.string(),
    at: z.string(),
    /** `skipped`: the last run was still going. `waiting`: it starts when that has ended. `refused`: it could not start. */
    is: z.enum(['started', 'refused', 'missed', 'skipped', 'waiting']),
    source: z.string(),
    reason: z.string().optional(),
    /** When it was due. Absent if it was started by hand. */
    occurrence: z.string().optional(),
    /** State of the run, once it is known. */
    run: z.string().optional(),
  })
  .meta({ id: 'ScheduleFiring' });
export interface ScheduleFiring extends z.infer<typeof firing> {}

const state = z
  .strictObject({
    id: z.string(),
    /** The times in words. */
    words: z.string(),
    next: z.string().optional(),
    last: firing.optional(),
    /** `broken`: what it needs was removed. `failing`: the last time went wrong. */
    is: z.enum(['off', 'broken', 'failing', 'running', 'waiting', 'on']),
    reason: z.string().optional(),
  })
  .meta({ id: 'ScheduleState' });
export interface ScheduleState extends z.infer<typeof state> {}

export const schedules = calls(schedule.path, 'admin', {
  states: {
    summary: 'For each schedule: its times in words, when it is due next, and what came of it last',
    input: nothing,
    answer: z.array(state),
    // Whether what it needs is there is part of its state.
    shows: ['schedules', 'runs', 'servers', 'scripts', 'requests'],
    volatile: true,
    wide: true,
  },
  firings: {
    summary: 'What a schedule has started, skipped and missed lately, newest first',
    input: byId,
    example: { id: demo.schedule },
    answer: z.array(firing),
    shows: ['schedules', 'runs'],
    volatile: true,
    wide: true,
  },
  explain: {
    summary: 'Times of a cron expression in words, and the next five',
    input: object({ times: line(100), zone: optionalLine(60) }),
    example: { times: '0 6 * * 1-5', zone: 'Europe/Berlin' },
    answer: z.strictObject({ words: z.string(), next: z.array(z.string()) }).meta({ id: 'ExplainedTimes' }),
    shows: [],
    volatile: true,
    wide: true,
  },
  start: {
    summary: 'Starts what a schedule does at once, besides its times',
    input: object({ id: uuid, runId: uuid.optional() }),
    example: { id: demo.schedule, runId: newRunId },
    answer: started,
    stales: ['schedules', 'runs'],
    wide: true,
  },
});
