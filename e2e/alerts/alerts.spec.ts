/** Alerts about certificates, from the event to the receiver. covers: DOM-13 */
import { v7 as uuidv7 } from 'uuid';
import { BackupWork } from '../../apps/backend/src/backups/work/backup-work';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { connectSocket } from '../../testing/socket';
import { withStatus } from '../../testing/told-server';
import { isSigned, NAME, openAlertsWorld, SECRET, settled, type AlertsWorld } from './alerts-world';
import { certificateServed, domainAdded, domainRemoved } from './domain-events';

let world: AlertsWorld;

beforeAll(async () => {
  world = await openAlertsWorld();
  await world.configure(world.withWebhook('/', SECRET));
});
afterAll(async () => world?.end());
beforeEach(() => world.receiver.answer(withStatus(204)));

describe('an alert', () => {
  test('is raised when a certificate drops below a threshold, delivered once and signed, and ended by the renewal', async () => {
    const listener = await connectSocket(world.operator);
    await listener.resume('0');
    const domain = await world.domainWith(6.5);
    const told = await world.alertOf(domain, ({ deliveries }) => deliveries.length > 0);
    expect(told).toMatchObject({
      state: 'open',
      threshold: 7,
      about: 'certificateExpiry',
      subject: { kind: 'domain', id: domain, name: NAME },
      says: expect.stringMatching(/^The certificate of shop\.example\.org expires in 6 days, on /),
      deliveries: [{ attempt: 1, status: 204 }],
    });
    expect(told.nextAttemptAt).toBeUndefined();
    const [call] = world.calledFor(domain);
    expect(call).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(call && isSigned(call, SECRET)).toBe(true);
    expect(call?.headers['x-quarterdeck-id']).toBe(told.eventId);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      id: told.eventId,
      event: 'alert.raised',
      workspace: { id: world.workspace, name: 'main' },
      alert: { id: told.id, threshold: 7, says: told.says },
    });
    await listener.until(() => listener.changes.some(({ type }) => type === 'AlertRaised'));
    listener.close();

    await world.tell(domain, certificateServed(NAME, 89, '02'));
    const ended = await world.alertOf(domain, ({ state }) => state !== 'open');
    expect(ended).toMatchObject({
      state: 'resolved',
      reason: expect.stringMatching('^another certificate replaces it'),
    });
    expect(world.calledFor(domain)).toHaveLength(1);
    expect((await world.list({ open: true })).filter(({ subjectId }) => subjectId === domain)).toEqual([]);
    expect((await world.list({ open: false })).map(({ id }) => id)).toContain(told.id);
  });

  test('ends with its domain', async () => {
    const domain = await world.domainWith(3);
    await world.alertOf(domain, ({ deliveries }) => deliveries.length > 0);
    await world.tell(domain, domainRemoved(NAME));
    expect(await world.alertOf(domain, ({ state }) => state === 'resolved')).toMatchObject({
      reason: 'the domain was removed',
    });
  });

  test('stays dismissed, for everybody, until a smaller threshold is crossed', async () => {
    const domain = uuidv7();
    const seen = certificateServed(NAME, 20);
    await world.tell(domain, domainAdded(NAME), seen);
    const { id } = await world.alertOf(domain, ({ deliveries }) => deliveries.length > 0);
    expect((await world.operator.post('alert/dismiss', { id })).status).toBe(200);
    expect((await world.operator.post('alert/dismiss', { id })).status).toBe(200);
    await world.tell(domain, seen);
    const dismissed = await world.alertOf(domain, ({ state }) => state === 'dismissed');
    expect(dismissed.endedBy).toBeDefined();
    await world.tell(domain, { type: 'DomainAlertsConfigured', data: { thresholds: [30, 25] } });
    await world.tell(domain, certificateServed(NAME, -1, '03'));
    expect(await world.alertOf(domain, ({ state }) => state === 'open')).toMatchObject({
      threshold: 0,
      says: expect.stringMatching(/ expired on /),
    });
  });

  test('follows changes of the thresholds', async () => {
    const domain = await world.domainWith(25);
    await world.configure({ ...world.withWebhook('/'), thresholds: [30, 7] });
    expect(await world.alertOf(domain, ({ state }) => state === 'open')).toMatchObject({ threshold: 30 });
    await world.configure({ ...world.withWebhook('/'), thresholds: [] });
    await world.alertOf(domain, ({ state }) => state === 'resolved');
    await world.configure(world.withWebhook('/'));
    await world.tell(domain, domainRemoved(NAME));
  });

  test('is raised by one of several back ends, and delivered once', async () => {
    const other = await world.another();
    const domain = await world.domainWith(5);
    await world.alertOf(domain, ({ deliveries }) => deliveries.length > 0);
    const holders = await world.backend.db.query(`select from app.leases where name = 'alerts'`);
    expect(holders.rowCount).toBe(1);
    expect(world.calledFor(domain)).toHaveLength(1);
    await other.close();
  });
  test('about a backup goes to the administrators while there is no superadmin', async () => {
    const work = world.backend.app.get(BackupWork, { strict: false });
    const target = { kind: 'folder', path: '/dev/null/none' } as const;
    const keep = { days: 7, weeks: 4, months: 12 };
    await work.book.configure({ target, keep, schedule: null, recipients: [] }, ownMeta('cli', '-'));
    await work.book.request({ work: uuidv7(), why: 'operator', full: false }, ownMeta('cli', '-'));
    await work.round(new AbortController().signal, new Date());
    const raised = await settled(async () =>
      (await world.list()).find(({ about }) => about === 'backupFailed'),
    );
    expect(raised).toMatchObject({ state: 'open', subject: { name: 'backups' } });
  });
});
