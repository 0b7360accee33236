import type { CredentialKey, EventData, EventsOf } from '@quarterdeck/events';
import type { credentialEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';

export type CredentialEvent = EventsOf<typeof credentialEvents>;
export type Secret = EventData<'CredentialStored'>['secret'];

export interface CredentialsState {
  stored: { [K in CredentialKey]?: Secret };
  /** References to replaced or removed secrets, which the vault must destroy. */
  gone: readonly string[];
}

export class StoreCredential extends command('StoreCredential', { opens: true, idempotent: true })(
  (data: EventData<'CredentialStored'>, { stored }: CredentialsState) =>
    stored[data.key]?.ref === data.secret.ref ? [] : [{ type: 'CredentialStored', data }],
) {}

export class RemoveCredential extends command('RemoveCredential', { idempotent: true })(
  (data: EventData<'CredentialRemoved'>, { stored }: CredentialsState) =>
    stored[data.key] ? [{ type: 'CredentialRemoved', data }] : [],
) {}

const without = ({ stored, gone }: CredentialsState, key: CredentialKey): CredentialsState => {
  const { [key]: before, ...rest } = stored;
  return { stored: rest, gone: before ? [...gone, before.ref] : gone };
};

/** One stream per person, under the person's id. */
export const credentialsDecider = deciderOf<CredentialsState, CredentialEvent>()({
  category: 'credentials',
  commands: [StoreCredential, RemoveCredential],
  initial: { stored: {}, gone: [] },
  evolve: {
    CredentialStored: (state, { key, secret }) => {
      const { stored, gone } = without(state, key);
      return { stored: { ...stored, [key]: secret }, gone: gone.filter((ref) => ref !== secret.ref) };
    },
    CredentialRemoved: (state, { key }) => without(state, key),
  },
});
