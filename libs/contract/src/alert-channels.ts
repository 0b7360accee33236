/** What was sent to alert channels, and sending a test, in addition to the kit's calls. */
import { alertChannel } from '@quarterdeck/events';
import { byId, nothing } from '@quarterdeck/events/inputs';
import { alertMessageView } from '@quarterdeck/projections';
import { z } from 'zod';
import { calls } from './call';
import { demo } from './demo';

export const alertChannels = calls(alertChannel.path, 'admin', {
  newest: {
    summary: 'The newest message to each alert channel',
    path: 'message/newest',
    input: nothing,
    answer: z.array(alertMessageView),
    shows: 'alertMessages',
    asOf: true,
  },
  messages: {
    summary: 'The newest 50 messages to an alert channel, with each attempt',
    path: 'message/list',
    input: byId,
    example: { id: demo.alertChannel },
    answer: z.array(alertMessageView),
    shows: 'alertMessages',
    wide: true,
    asOf: true,
  },
  test: {
    summary: 'Sends a test to an alert channel, and says what the receiver answered',
    input: byId,
    example: { id: demo.alertChannel },
    costs: 'waiting',
    answer: z
      .strictObject({
        /** Id of the message. */
        id: z.string(),
        delivered: z.boolean(),
        says: z.string(),
        tookMs: z.int(),
      })
      .meta({ id: 'AlertChannelTest' }),
    stales: 'alertMessages',
    wide: true,
  },
});
