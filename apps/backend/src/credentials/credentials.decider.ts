import type { CredentialKey, EventData, EventsOf } from '@quarterdeck/events';
import type { credentialEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';

export type CredentialEvent = EventsOf<typeof credentialEvents>;
export type Secret = EventData<'CredentialStored'>['secret'];

export class StoreCredential extends command('StoreCredential', { opens: true, idempotent: true })<
  EventData<'CredentialStored'>
>() {}
export class RemoveCredential extends command('RemoveCredential', { idempotent: true })<{
  key: CredentialKey;
}>() {}

const credentialCommands = [StoreCredential, RemoveCredential];
export type CredentialCommand = CommandOf<typeof credentialCommands>;

export interface CredentialsState {
  stored: { [K in CredentialKey]?: Secret };
  /** References to replaced or removed secrets, which the vault must destroy. */
  gone: readonly string[];
}

/** One stream per person, under the person's id. */
export const credentialsDecider: Decider<CredentialsState, CredentialCommand, CredentialEvent> = {
  category: 'credentials',
  commands: credentialCommands,
  initial: { stored: {}, gone: [] },
  decide: (given, state) => {
    const stored = state.stored[given.data.key];
    if (given.type === 'RemoveCredential')
      return stored ? [{ type: 'CredentialRemoved', data: { key: given.data.key } }] : [];
    return stored?.ref === given.data.secret.ref ? [] : [{ type: 'CredentialStored', data: given.data }];
  },
  evolve: ({ stored, gone }, { type, data }) => {
    const { [data.key]: before, ...rest } = stored;
    const left = before ? [...gone, before.ref] : gone;
    if (type === 'CredentialRemoved') return { stored: rest, gone: left };
    const { secret } = data;
    return { stored: { ...rest, [data.key]: secret }, gone: left.filter((ref) => ref !== secret.ref) };
  },
};
