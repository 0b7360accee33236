/** The e-mails of products. Each is a stream, which knows sizes and states. The texts are in `app.emails` only. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { emailEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type EmailEvent = EventsOf<typeof emailEvents>;

export type EmailState =
  | { is: 'unknown' | 'removed' }
  | { is: 'kept'; recorded: EventData<'EmailRecorded'>; sha256: string; parsed: boolean };

const ofKept =
  <D, E>(rule: (data: D, kept: Extract<EmailState, { is: 'kept' }>) => readonly E[]) =>
  (data: D, state: EmailState): readonly E[] => {
    if (state.is !== 'kept') throw notFound('email');
    return rule(data, state);
  };

/** The same e-mail, sent in once more because its answer was lost, is recorded once. */
export class RecordEmail extends command('RecordEmail', { opens: true, idempotent: true })(
  (data: EventData<'EmailRecorded'>, { is }: EmailState) => {
    if (is === 'removed') throw notFound('email');
    return is === 'kept' ? [] : [{ type: 'EmailRecorded', data } as const];
  },
) {}

export class RecordParsing extends command('RecordParsing', { idempotent: true })(
  ofKept((data: EventData<'EmailParsed'>, { parsed }) =>
    parsed ? [] : [{ type: 'EmailParsed', data } as const],
  ),
) {}

export class ReviseEmail extends command('ReviseEmail', { idempotent: true })(
  ofKept((data: EventData<'EmailRevised'>, { recorded, sha256 }) => {
    if (recorded.source !== 'console')
      throw new DomainError(
        'unprocessable',
        'an e-mail that came in is kept as it came: resend it to other recipients instead',
      );
    return sha256 === data.sha256 ? [] : [{ type: 'EmailRevised', data } as const];
  }),
) {}

export class RemoveEmail extends command('RemoveEmail', { idempotent: true })(
  (data: EventData<'EmailRemoved'>, { is }: EmailState) => {
    if (is === 'unknown') throw notFound('email');
    return is === 'removed' ? [] : [{ type: 'EmailRemoved', data } as const];
  },
) {}

export const emailDecider = deciderOf<EmailState, EmailEvent>()({
  category: 'email',
  commands: [RecordEmail, RecordParsing, ReviseEmail, RemoveEmail],
  initial: { is: 'unknown' },
  evolve: {
    EmailRecorded: (_, recorded) => ({ is: 'kept', recorded, sha256: recorded.sha256, parsed: false }),
    EmailParsed: (state) => (state.is === 'kept' ? { ...state, parsed: true } : state),
    EmailRevised: (state, { sha256 }) => (state.is === 'kept' ? { ...state, sha256, parsed: false } : state),
    EmailRemoved: () => ({ is: 'removed' }),
  },
  // That an e-mail was parsed meanwhile changes nothing of what its editor saw.
  clashes: (type) => type !== 'EmailParsed',
});
