/** covers: AUTH-08 */
import { given, meta } from '../platform/decisions/decider-testing';
import { foldEvents } from '../platform/decider';
import {
  credentialsDecider,
  RemoveCredential,
  StoreCredential,
  type CredentialEvent,
} from './credentials.decider';

const person = '0193f0a0-0000-7000-8000-000000000001';
const secret = { ref: '0193f0a0-0000-7000-8000-000000000801', fingerprint: 'SHA256:abc' };
const stored = { type: 'CredentialStored', data: { key: 'gh-token', secret } } as const;
const store = (ref: string) =>
  new StoreCredential(person, { key: 'gh-token', secret: { ...secret, ref } }, meta);
const remove = new RemoveCredential(person, { key: 'gh-token' }, meta);

describe('the credentials of a person', () => {
  it('are stored; storing the same secret again records nothing', () => {
    given(credentialsDecider, []).when(store(secret.ref)).then([stored]);
    given(credentialsDecider, [stored]).when(store(secret.ref)).thenNothing();
  });

  it('are replaced by another secret', () => {
    const other = '0193f0a0-0000-7000-8000-000000000802';
    given(credentialsDecider, [stored])
      .when(store(other))
      .then([{ ...stored, data: { key: 'gh-token', secret: { ...secret, ref: other } } }]);
  });

  it('are removed once, each on its own', () => {
    const name = { key: 'gh-username', secret: { ref: secret.ref } } as const;
    const removed = { type: 'CredentialRemoved', data: { key: 'gh-token' } } as const;
    given(credentialsDecider, [{ type: 'CredentialStored', data: name }, stored])
      .when(remove)
      .then([removed]);
    given(credentialsDecider, [stored, removed]).when(remove).thenNothing();
    given(credentialsDecider, [{ type: 'CredentialStored', data: name }])
      .when(remove)
      .thenNothing();
  });

  it('list secrets that the vault must drop, unless they were stored again', () => {
    const [first, second] = [secret.ref, '0193f0a0-0000-7000-8000-000000000802'];
    const at = (ref: string) => ({ ...stored, data: { ...stored.data, secret: { ...secret, ref } } });
    const removed = { type: 'CredentialRemoved', data: { key: 'gh-token' } } as const;
    const gone = (...events: CredentialEvent[]) => foldEvents(credentialsDecider, events).gone;
    expect(gone(at(first), at(second))).toEqual([first]);
    expect(gone(at(first), at(second), removed)).toEqual([first, second]);
    expect(gone(at(first), at(second), at(first))).toEqual([second]);
  });
});
