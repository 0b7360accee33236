/** A back end with stand-ins of the services, and helpers for tests of alert channels. */
import type { EventData } from '@quarterdeck/events';
import type { AlertMessageView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { alertsDecider, RaiseAlert, ResolveAlert } from '../../apps/backend/src/alerts/alerts.decider';
import { Decisions } from '../../apps/backend/src/platform/decisions';
import {
  alertMessagesDecider,
  BeginAttempt,
  RecordOutcome,
} from '../../apps/backend/src/alert-channels/alert-messages.decider';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { startAlertVendors, type AlertVendors } from '../../testing/alert-vendors';
import type { Answer } from '../../testing/operator';
import { openAlertsWorld, settled, type AlertsWorld } from '../alerts/alerts-world';

export interface Tested {
  delivered: boolean;
  says: string;
}

export interface ChannelsWorld extends AlertsWorld {
  vendors: AlertVendors;
  add(fields: object): Promise<Answer<{ id: string }>>;
  /** Adds a channel that must be accepted. @returns its id */
  added(fields: object): Promise<string>;
  test(id: string): Promise<Tested>;
  messages(id: string): Promise<AlertMessageView[]>;
  /** The newest message to a channel, once it matches. */
  message(channel: string, is: (message: AlertMessageView) => boolean): Promise<AlertMessageView>;
  /** @returns the id of the alert */
  raise(name: string, about?: EventData<'AlertRaised'>['about'], kind?: string): Promise<string>;
  resolve(alert: string): Promise<void>;
  /** Records that the last attempt of a message has failed, as after a day of attempts. */
  giveUp(message: AlertMessageView): Promise<void>;
}

export const openChannelsWorld = async (): Promise<ChannelsWorld> => {
  const vendors = await startAlertVendors();
  const world = await openAlertsWorld();
  const { operator, workspace, backend } = world;
  const add = (data: object) => operator.post<{ id: string }>('alert-channel/insert', { data });
  const messages = async (id: string) =>
    (await operator.post<AlertMessageView[]>('alert-channel/message/list', { id })).body;
  const decisions = backend.app.get(Decisions, { strict: false });
  return {
    ...world,
    vendors,
    add,
    added: async (fields) => {
      const { status, body } = await add(fields);
      expect([status, body]).toEqual([200, expect.objectContaining({ id: expect.any(String) })]);
      return body.id;
    },
    test: async (id) => (await operator.post<Tested>('alert-channel/test', { id })).body,
    messages,
    message: (channel, is) =>
      settled(async () => {
        const [newest] = await messages(channel);
        return newest && is(newest) ? newest : undefined;
      }),
    raise: async (name, about = 'siteDown', kind = 'domain') => {
      const id = uuidv7();
      const raised = { subject: { kind, id: uuidv7(), name }, about, says: `${name}: no answer.` };
      await decisions.execute(alertsDecider, new RaiseAlert(id, raised, ownMeta('system', workspace)));
      return id;
    },
    resolve: async (alert) => {
      const reason = { reason: 'it answers again' };
      await decisions.execute(alertsDecider, new ResolveAlert(alert, reason, ownMeta('system', workspace)));
    },
    giveUp: async ({ id, attempts }) => {
      const meta = () => ownMeta('system', workspace);
      const attempt = attempts.length + 1;
      const data = { attempt, durationMs: 1, reason: attempts.at(-1)?.says ?? '' };
      await decisions.execute(alertMessagesDecider, new BeginAttempt(id, { attempt }, meta()));
      await decisions.execute(
        alertMessagesDecider,
        new RecordOutcome(id, { type: 'AlertMessageFailed', data }, meta()),
      );
    },
    end: async () => {
      await world.end();
      await vendors.stop();
    },
  };
};
