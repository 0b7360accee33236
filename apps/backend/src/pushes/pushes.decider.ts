/** A pushed version that a rule has matched: it waits for a person, or its deploy starts. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { pushEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

export type PushEvent = EventsOf<typeof pushEvents>;
type Matched = EventData<'PushMatched'>;

interface KnownPush {
  is: 'waiting' | 'due' | 'deployed' | 'failed' | 'refused' | 'replaced' | 'withdrawn';
  matched: Matched;
  /** Somebody approved it. */
  approved: boolean;
}
export type PushState = { is: 'unknown' } | KnownPush;

const ofKnown =
  <D>(rule: (data: D, push: KnownPush & { version: string }) => readonly PushEvent[]) =>
  (data: D, state: PushState): readonly PushEvent[] => {
    if (state.is === 'unknown') throw notFound('pushed version');
    return rule(data, { ...state, version: state.matched.version });
  };

/** If two people decide at the same time, the second one is refused with the decision of the first. */
const decided = ({ is, approved }: KnownPush, version: string): DomainError => {
  const what: Record<KnownPush['is'], string> = {
    waiting: 'waits',
    due: approved ? 'was approved already' : 'needs no approval',
    deployed: approved ? 'was approved already' : 'needs no approval',
    failed: approved ? 'was approved already' : 'needs no approval',
    refused: 'was refused already',
    replaced: 'was replaced by a newer version',
    withdrawn: 'is not deployed any more',
  };
  return new DomainError('conflict', `${version} ${what[is]}`);
};

interface Note {
  note?: string | undefined;
}
const noted = ({ note }: Note) => (note === undefined || note === '' ? {} : { note });

export class RecordMatch extends command('RecordMatch', { opens: true, idempotent: true })(
  (data: Matched, { is }: PushState) => (is === 'unknown' ? [{ type: 'PushMatched', data }] : []),
) {}

export class ApprovePush extends command('ApprovePush')(
  ofKnown((data: Note, push) => {
    if (push.is !== 'waiting') throw decided(push, push.version);
    return [{ type: 'PushApproved', data: { version: push.version, ...noted(data) } }];
  }),
) {}

export class RefusePush extends command('RefusePush')(
  ofKnown((data: Note, push) => {
    if (push.is !== 'waiting') throw decided(push, push.version);
    return [{ type: 'PushRefused', data: { version: push.version, ...noted(data) } }];
  }),
) {}

/** What has been decided stays so. */
export class ReplacePush extends command('ReplacePush', { idempotent: true })(
  ofKnown(({ newer }: Pick<EventData<'PushReplaced'>, 'newer'>, { is, version }) =>
    is === 'waiting' ? [{ type: 'PushReplaced', data: { version, newer } }] : [],
  ),
) {}

export class WithdrawPush extends command('WithdrawPush', { idempotent: true })(
  ofKnown(({ reason }: { reason: string }, { is, version }) =>
    is === 'waiting' ? [{ type: 'PushWithdrawn', data: { version, reason } }] : [],
  ),
) {}

export class RecordDeploy extends command('RecordDeploy', { idempotent: true })(
  ofKnown(({ release }: { release: string }, { is, version }) =>
    is === 'due' ? [{ type: 'PushDeployed', data: { version, release } }] : [],
  ),
) {}

export class RecordPushFailure extends command('RecordPushFailure', { idempotent: true })(
  ofKnown(({ reason }: { reason: string }, { is, version }) =>
    is === 'due' ? [{ type: 'PushFailed', data: { version, reason } }] : [],
  ),
) {}

const become = (state: PushState, change: Partial<KnownPush>): PushState =>
  state.is === 'unknown' ? state : { ...state, ...change };

export const pushesDecider = deciderOf<PushState, PushEvent>()({
  category: 'push',
  commands: [
    RecordMatch,
    ApprovePush,
    RefusePush,
    ReplacePush,
    WithdrawPush,
    RecordDeploy,
    RecordPushFailure,
  ],
  initial: { is: 'unknown' },
  evolve: {
    PushMatched: (_, matched) => ({
      is: matched.approval === undefined ? 'due' : 'waiting',
      matched,
      approved: false,
    }),
    PushApproved: (state) => become(state, { is: 'due', approved: true }),
    PushRefused: (state) => become(state, { is: 'refused' }),
    PushReplaced: (state) => become(state, { is: 'replaced' }),
    PushWithdrawn: (state) => become(state, { is: 'withdrawn' }),
    PushDeployed: (state) => become(state, { is: 'deployed' }),
    PushFailed: (state) => become(state, { is: 'failed' }),
  },
});
