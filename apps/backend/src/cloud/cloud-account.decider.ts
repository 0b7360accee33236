/** The account of a workspace at a cloud provider: one stream per workspace. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { cloudAccountEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';

type CloudAccountEvent = EventsOf<typeof cloudAccountEvents>;
export type Token = EventData<'CloudTokenRefreshed'>;
export type Connected = EventData<'CloudConnected'> & { refused?: string };

export interface CloudAccountState {
  connected?: Connected;
  /** References to replaced or removed tokens, which the vault must destroy. */
  gone: readonly string[];
}

export class ConnectCloud extends command('ConnectCloud', { opens: true, idempotent: true })(
  (data: EventData<'CloudConnected'>, { connected }: CloudAccountState) =>
    connected?.secret.ref === data.secret.ref ? [] : [{ type: 'CloudConnected', data }],
) {}

/** `replaces`: the reference of the token that was refreshed. Another one may have been connected meanwhile. */
export class RecordTokenRefresh extends command('RecordTokenRefresh', { idempotent: true })(
  ({ replaces, ...data }: Token & { replaces: string }, { connected }: CloudAccountState) =>
    connected?.secret.ref === replaces ? [{ type: 'CloudTokenRefreshed', data }] : [],
) {}

/** Recorded once, until the provider accepts the token again. */
export class RecordTokenRefusal extends command('RecordTokenRefusal', { idempotent: true })(
  ({ ref, reason }: { ref: string; reason: string }, { connected }: CloudAccountState) =>
    connected?.secret.ref === ref && connected.refused === undefined
      ? [{ type: 'CloudTokenRefused', data: { reason } }]
      : [],
) {}

export class RecordTokenAcceptance extends command('RecordTokenAcceptance', { idempotent: true })(
  ({ ref }: { ref: string }, { connected }: CloudAccountState) =>
    connected?.secret.ref === ref && connected.refused !== undefined
      ? [{ type: 'CloudTokenAccepted', data: {} }]
      : [],
) {}

export class DisconnectCloud extends command('DisconnectCloud', { idempotent: true })(
  (data: EventData<'CloudDisconnected'>, { connected }: CloudAccountState) =>
    connected ? [{ type: 'CloudDisconnected', data }] : [],
) {}

const refsOf = (connected: Pick<Token, 'secret' | 'refresh'> | undefined): string[] =>
  connected ? [connected.secret.ref, ...(connected.refresh ? [connected.refresh.ref] : [])] : [];

/** References that are in use again stay. */
const without = (gone: readonly string[], used: readonly string[]): string[] =>
  gone.filter((ref) => !used.includes(ref));

export const cloudAccountDecider = deciderOf<CloudAccountState, CloudAccountEvent>()({
  category: 'cloudaccount',
  commands: [ConnectCloud, RecordTokenRefresh, RecordTokenRefusal, RecordTokenAcceptance, DisconnectCloud],
  initial: { gone: [] },
  evolve: {
    CloudConnected: ({ connected, gone }, data) => ({
      connected: data,
      gone: without([...gone, ...refsOf(connected)], refsOf(data)),
    }),
    CloudTokenRefreshed: ({ connected, gone }, data) => {
      if (!connected) return { gone };
      const { refused: _, refresh: __, ...before } = connected;
      return {
        connected: { ...before, ...data },
        gone: without([...gone, ...refsOf(connected)], refsOf(data)),
      };
    },
    CloudTokenRefused: ({ connected, gone }, { reason }) =>
      connected ? { connected: { ...connected, refused: reason }, gone } : { gone },
    CloudTokenAccepted: ({ connected, gone }) => {
      if (!connected) return { gone };
      const { refused: _, ...before } = connected;
      return { connected: before, gone };
    },
    CloudDisconnected: ({ connected, gone }) => ({ gone: [...gone, ...refsOf(connected)] }),
  },
});
