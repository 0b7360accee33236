/** What each person has stored of an account at the source-code host, by reference: the values lie in the vault. */
import { streamParts, type CredentialKey, type EventData, type Position } from '@quarterdeck/events';
import { defineProjection } from './define-projection';

export interface StoredCredential {
  secret: EventData<'CredentialStored'>['secret'];
  storedAt: string;
}

export interface CredentialsView {
  /** The person's. */
  id: string;
  workspace: string;
  values: { [K in CredentialKey]?: StoredCredential };
  revision: number;
  position: Position;
}

/** What one value looks like from outside. */
export interface CredentialValue {
  /** Of the user name in clear, of the token seven asterisks; empty when nothing is stored. */
  value: string;
  /** Of the token. */
  fingerprint?: string;
  storedAt?: string;
}

/** What is known of the token that somebody stored. `null`: the source host has not told. */
export interface TokenValidity {
  scopes: string[];
  /** ISO instant; also `null` of a token that does not expire. */
  expirationDate: string | null;
  dateValid: boolean | null;
  scopesOk: boolean | null;
  expectedScopes: string[];
  /** Whole days until it expires. */
  daysLeft?: number;
  /** What is wrong with the credentials, in sentences for their owner. */
  warnings: string[];
  /** What else there is to know: the kind of the token, or that the source host could not be asked. */
  notes: string[];
  /** When the source host last told. */
  checkedAt?: string;
  /** Where the source host makes tokens. */
  tokenPage: string;
}

export const credentials = defineProjection<CredentialsView>({
  name: 'credentials',
  version: 1,
  columns: {},
  indexes: ['(workspace)'],
  keys: (event) => {
    const { category, id } = streamParts(event.stream);
    return category === 'credentials' ? [id] : [];
  },
  evolve: (view, event, key) => {
    const { at, workspace } = event.meta;
    const place = { revision: event.revision, position: event.position };
    const values = view?.values ?? {};
    switch (event.type) {
      case 'CredentialStored': {
        const { key: name, secret } = event.data;
        return { id: key, workspace, values: { ...values, [name]: { secret, storedAt: at } }, ...place };
      }
      case 'CredentialRemoved': {
        const { [event.data.key]: _gone, ...rest } = values;
        return { id: key, workspace, values: rest, ...place };
      }
      default:
        return view;
    }
  },
});
