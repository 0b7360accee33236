import type { AppEvent } from '@quarterdeck/events';
import { given, meta } from '../decisions/decider-testing';
import { tokenDecider } from './token.decider';

const id = '0193f0a0-0000-7000-8000-000000000001';
const service = { id: '0193f0a0-0000-7000-8000-000000000002', name: 'api' };
const token = { service, env: 3, fingerprint: 'abc123' };
const issued = { type: 'AppTokenIssued', data: token } as const;
const revoked = { type: 'AppTokenRevoked', data: { fingerprint: 'abc123' } } as const;

describe('a token', () => {
  const { decider, Issue, RecordUse, Revoke } = tokenDecider({
    stem: 'AppToken',
    category: 'apptoken',
    words: 'app token',
    usedData: (count, { env }) => ({ env, count }),
  });
  const on = (...events: AppEvent[]) => given(decider, events);

  test('is issued once', () => {
    on()
      .when(new Issue(id, token, meta))
      .then([issued]);
    on(issued)
      .when(new Issue(id, token, meta))
      .thenRejected('conflict', 'this token exists already');
  });

  test('is counted while it is valid, with the data that its kind records', () => {
    const use = new RecordUse(id, { count: 7 }, meta);
    on(issued)
      .when(use)
      .then([{ type: 'AppTokenUsed', data: { env: 3, count: 7 } }]);
    on(issued, revoked).when(use).thenNothing();
    on().when(use).thenNothing();
  });

  test('is revoked once, under its fingerprint', () => {
    const revoke = new Revoke(id, {}, meta);
    on(issued).when(revoke).then([revoked]);
    on(issued, revoked).when(revoke).thenNothing();
    on().when(revoke).thenRejected('notFound', 'app token');
  });

  test('records the count alone unless its kind says more', () => {
    const product = tokenDecider({ stem: 'PublicToken', category: 'publictoken', words: 'product token' });
    const data = { product: { id: service.id, name: 'Shop' }, fingerprint: 'abc123' };
    given(product.decider, [{ type: 'PublicTokenIssued', data }])
      .when(new product.RecordUse(id, { count: 2 }, meta))
      .then([{ type: 'PublicTokenUsed', data: { count: 2 } }]);
  });
});
