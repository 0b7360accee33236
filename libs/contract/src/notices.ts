/** Which notices a person has seen or dismissed. The notices themselves are derived from other answers. */
import { noticesRemember, nothing } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { empty } from './answers';
import { calls } from './call';

const remembered = z.strictObject({
  id: z.string(),
  /** Identifies the content that the notice had. A different mark means that something new has happened. */
  mark: z.string(),
  state: z.enum(['seen', 'dismissed']),
});

export const notices = calls('notice', 'member', {
  memory: {
    summary: 'Which notices you have seen or dismissed',
    input: nothing,
    answer: z.array(remembered),
    shows: [],
    timeless: true,
    volatile: true,
  },
  remember: {
    summary: 'Remembers that you have seen or dismissed these notices',
    input: noticesRemember,
    example: { notices: [{ id: 'credentials', mark: 'missing' }], state: 'seen' },
    answer: empty,
  },
});
