/** Open sessions, and where they were started. */
import { nothing, sessionRevoke } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { ignored, session } from './answers';
import { calls } from './call';
import { demo } from './demo';

const sessionView = z.strictObject({
  id: z.string(),
  /** Name of the browser and the system. */
  device: z.string(),
  /** `link`, `invitation`, or the provider. */
  via: z.string(),
  /** The session that makes this request. */
  current: z.boolean(),
  /** The second factor was not given yet, so the session is good for nothing else. */
  waits: z.literal(true).optional(),
  startedAt: z.string(),
  lastUsedAt: z.string(),
  /** When the session ends if no further call arrives. */
  endsWhenIdleAt: z.string(),
  endsAt: z.string(),
});

export const sessions = calls('session', 'member', {
  session: {
    summary: 'The signed-in person, with role and workspace',
    method: 'GET',
    path: '',
    input: ignored,
    answer: session,
    shows: [],
    timeless: true,
  },
  list: {
    summary: 'Your own sessions',
    input: nothing,
    answer: z.array(sessionView),
    shows: 'people',
    timeless: true,
  },
  revoke: {
    summary: 'Ends one of your own sessions',
    input: sessionRevoke,
    example: { id: demo.session },
    answer: z.strictObject({ id: z.string() }),
    stales: 'people',
  },
  revokeOthers: {
    summary: 'Ends all of your own sessions except this one',
    path: 'revoke-others',
    input: nothing,
    answer: z.strictObject({ ended: z.number() }),
    stales: 'people',
  },
});
