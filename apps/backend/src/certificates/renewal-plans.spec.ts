// covers: DOM-09
import type { SslFound } from '@quarterdeck/projections';
import { hasExpired, nextRenewal, planFor, type Plannable, whenExpired } from './renewal-plans';

const now = new Date('2026-06-15T12:00:00Z');
const inDays = (days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString();
const there = { configured: true, pointsHere: true, serverId: 's' };
/** A certificate for 90 days with this many left. */
const ours = (left: number, more: Partial<Plannable> = {}): Plannable => ({
  ...there,
  certificate: { serial: 'AA', notBefore: inDays(left - 90), notAfter: inDays(left) },
  ...more,
});
const found = (label: SslFound['label'], serial?: string): { found: SslFound } => ({
  found: { label, valid: label === 'valid', validTo: inDays(-1), ...(serial !== undefined && { serial }) },
});

describe('a certificate of ours', () => {
  it('is left alone while more than a third of its life is left', () => {
    expect(planFor(ours(31), found('valid', 'AA'), now)).toBeUndefined();
  });

  it('is renewed when a third is left, whatever labels the workspace uses', () => {
    for (const label of ['valid', 'expiring', 'expired'] as const)
      expect(planFor(ours(29), found(label, 'AA'), now)).toMatchObject({ do: 'renew' });
  });

  it('is renewed even if it could not be checked', () => {
    expect(planFor(ours(29), found('unchecked'), now)).toMatchObject({ do: 'renew' });
    expect(planFor(ours(31), found('unchecked'), now)).toBeUndefined();
  });

  it('is left alone, with the reason, if its site was removed', () => {
    const reason = expect.stringMatching(
      /is left: .* No configuration of this console is live: apply one first/,
    );
    const away = ours(29, { configured: false });
    expect(planFor(away, found('unchecked'), now)).toEqual({ do: 'leave', reason });
    const none = { is: 'none', reason: 'none', askAgainAt: inDays(1) } as const;
    expect(nextRenewal(away, undefined, now, none)).toMatchObject({ is: 'renew', reason });
  });

  it('is renewed earlier if the authority suggests it', () => {
    const ari = { start: inDays(-2), end: inDays(-1) };
    const reason = expect.stringContaining('The authority suggests');
    expect(planFor(ours(60), found('valid', 'AA'), now, ari)).toEqual({ do: 'renew', reason });
  });

  it("is reloaded if the domain's web server presents another one", () => {
    expect(planFor(ours(60), found('expired', 'BB'), now)).toEqual({
      do: 'reload',
      server: 's',
      serial: 'AA',
      reason: expect.stringContaining('presents certificate BB instead of the latest one, AA'),
    });
  });

  it('is not reloaded if DNS points elsewhere: what is presented there says nothing about the web server here', () => {
    expect(planFor(ours(60, { pointsHere: false }), found('expired', 'BB'), now)).toBeUndefined();
    expect(planFor(ours(10, { pointsHere: false }), found('valid', 'BB'), now)).toMatchObject({
      do: 'renew',
    });
  });
});

describe('with renewal only after expiry', () => {
  const shows = (label: SslFound['label'], left: number, configured = true) =>
    hasExpired(ours(left, { configured }), found(label, 'AA'), now);

  it('a certificate is due by what is presented, or by its own end if it could not be checked', () => {
    expect([shows('valid', 60), shows('expiring', 20), shows('unchecked', 2)]).toEqual([false, false, false]);
    expect([shows('expired', 60), shows('unchecked', -1), shows('unchecked', 0.5)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(hasExpired(there, found('expired'), now)).toBe(true);
    expect(hasExpired(there, found('valid'), now)).toBe(false);
  });

  it('the next renewal is shown at its end', () => {
    const reason = 'This workspace renews only expired certificates.';
    const due = { is: 'renew', at: inDays(-10), reason: 'A third is left.' } as const;
    expect(whenExpired(due, inDays(20), now)).toEqual({ is: 'wait', at: inDays(19), reason });
    expect(whenExpired(due, inDays(0.5), now)).toEqual({ is: 'renew', at: inDays(-0.5), reason });
  });
});

describe('the next renewal', () => {
  const askAgainAt = inDays(1);
  const none = {
    is: 'none',
    reason: 'Not available: the authority does not offer it.',
    askAgainAt,
  } as const;
  const window = { start: inDays(5), end: inDays(6) };

  it('is shown with its time and the deciding reason', () => {
    expect(nextRenewal(ours(60), 'AA', now, none)).toEqual({
      is: 'wait',
      at: inDays(30),
      unsuggested: none.reason,
      reason: expect.stringContaining('when a third of its lifetime is left'),
    });
    expect(nextRenewal(ours(60), 'AA', now, { is: 'window', window, askAgainAt })).toEqual({
      is: 'wait',
      at: expect.stringMatching(/^2026-06-2/),
      suggested: window,
      reason: expect.stringContaining('in the window that the authority suggests'),
    });
    expect(nextRenewal(ours(29), 'AA', now, none)).toMatchObject({ is: 'renew' });
    expect(nextRenewal(ours(60), 'BB', now, none)).toMatchObject({ is: 'reload' });
  });

  it("keeps the authority's earlier answer if it does not respond, and shows both", () => {
    const failed = { is: 'failed', reason: 'It does not answer.', window, askAgainAt } as const;
    expect(nextRenewal(ours(60), 'AA', now, failed)).toMatchObject({
      suggested: window,
      unsuggested: failed.reason,
    });
  });

  it('does not exist without a certificate of ours', () => {
    expect(nextRenewal(there, 'BB', now, none)).toBeUndefined();
  });
});

describe('a certificate of somebody else', () => {
  it('is replaced by one of ours if it has expired on a site of ours', () => {
    expect(planFor(there, found('expired', 'BB'), now)).toEqual({
      do: 'renew',
      reason: 'The certificate it presents is not from this console and expires on 2026-06-14.',
    });
  });

  it('is left alone, with the reason, if nothing of ours is live', () => {
    expect(planFor({ ...there, configured: false }, found('expired', 'BB'), now)).toEqual({
      do: 'leave',
      reason:
        'The certificate it presents is not from this console and expires on 2026-06-14, and no configuration of this console is live: apply one first.',
    });
  });

  test.each(['valid', 'expiring', 'unchecked'] as const)('is not renewed while it is %s', (label) => {
    expect(planFor(there, found(label), now)).toBeUndefined();
  });
});
