// covers: DOM-13
import { createHmac } from 'node:crypto';
import type { AlertView } from '@quarterdeck/projections';
import { deliveryBody, deliveryHeaders, MAX_ATTEMPTS, nextAttemptAfter, outcomeOf } from './webhook-message';
import { signatureOf } from '../platform/webhook-signature';

const now = new Date('2026-11-22T10:00:00.000Z');
const alert: AlertView = {
  id: '0193f0a0-0000-7000-8000-000000000071',
  workspace: '0193f0a0-0000-7000-8000-0000000000c0',
  subject: { kind: 'domain', id: '0193f0a0-0000-7000-8000-0000000000d1', name: 'shop.example.org' },
  subjectId: '0193f0a0-0000-7000-8000-0000000000d1',
  about: 'certificateExpiry',
  threshold: 7,
  notAfter: '2026-11-28T00:00:00.000Z',
  says: 'The certificate of shop.example.org expires in 5 days, on 2026-11-28.',
  state: 'open',
  raisedAt: '2026-11-22T09:59:00.000Z',
  raisedPosition: '12',
  eventId: '0193f0a0-0000-7000-8000-0000000000e7',
  deliveries: [],
  revision: 0,
  position: '12',
};
const workspace = { id: alert.workspace, name: 'main' };
const answer = (status: number, headers = {}) => ({ answer: { status, headers, text: '' } });
const at = { attempt: 1, at: now, durationMs: 40, once: false };

test('makes eight attempts, with growing pauses, over about a day', () => {
  let moment = now;
  const pauses: number[] = [];
  for (let attempt = 1; ; attempt++) {
    const next = nextAttemptAfter(attempt, moment);
    if (next === undefined) break;
    pauses.push(Date.parse(next) - moment.getTime());
    moment = new Date(next);
  }
  expect(pauses).toHaveLength(MAX_ATTEMPTS - 1);
  expect(MAX_ATTEMPTS).toBe(8);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect((moment.getTime() - now.getTime()) / 3_600_000).toBeCloseTo(23.6, 1);
});

test('makes a signature that can be verified with the secret and the body alone', () => {
  const body = deliveryBody(alert, { workspace });
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signatureOf(body, 'a secret', now)) ?? [];
  expect(t).toBe('1795341600');
  expect(v1).toBe(createHmac('sha256', 'a secret').update(`${t}.${body}`).digest('hex'));
  expect(signatureOf(body, 'another secret', now)).not.toContain(v1);
});

test('says in the body what happened, with the same body at every attempt', () => {
  const sender = { workspace, publicUrl: 'https://console.example.org' };
  const body = deliveryBody(alert, sender);
  expect(JSON.parse(body)).toEqual({
    id: alert.eventId,
    event: 'alert.raised',
    at: alert.raisedAt,
    workspace,
    alert: {
      id: alert.id,
      about: 'certificateExpiry',
      says: alert.says,
      threshold: 7,
      notAfter: alert.notAfter,
      subject: alert.subject,
    },
    link: `https://console.example.org/app/domain/alerts?alert=${alert.id}`,
  });
  const later = { ...alert, deliveries: [{ at: '', attempt: 1, durationMs: 1 }], revision: 1 };
  expect(deliveryBody(later, sender)).toBe(body);
  expect(deliveryHeaders(alert, body, 's', now)['x-quarterdeck-id']).toBe(alert.eventId);
});

test.each([200, 201, 204, 299])('status %i counts as delivered', (status) => {
  expect(outcomeOf(at, answer(status))).toEqual({
    type: 'AlertDelivered',
    data: { attempt: 1, status, durationMs: 40 },
  });
});

test.each([
  [answer(500), { status: 500, reason: 'status 500' }],
  [answer(410), { status: 410, reason: 'status 410' }],
  [answer(304), { status: 304, reason: 'status 304' }],
  [
    answer(302, { location: 'https://elsewhere.example.org' }),
    { status: 302, reason: 'status 302: redirects are not followed; enter the final address' },
  ],
  [{ reason: 'it refused the connection' }, { reason: 'it refused the connection' }],
])('%j is tried again', (result, said) => {
  expect(outcomeOf(at, result)).toEqual({
    type: 'AlertDeliveryFailed',
    data: { attempt: 1, durationMs: 40, nextAt: '2026-11-22T10:00:10.000Z', ...said },
  });
});

test('has no next attempt after the last one or after a test', () => {
  expect(outcomeOf({ ...at, attempt: MAX_ATTEMPTS }, answer(500)).data).not.toHaveProperty('nextAt');
  expect(outcomeOf({ ...at, once: true }, answer(500)).data).not.toHaveProperty('nextAt');
});
