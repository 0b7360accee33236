// covers: BAK-02
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AlertView } from '../../libs/projections/src';
import { BackupWork } from '../../apps/backend/src/backups/work/backup-work';
import { isSigned, openAlertsWorld, SECRET, settled, type AlertsWorld } from '../alerts/alerts-world';
import type { Operator } from '../../testing/operator';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-backup-alerts-'));
let world: AlertsWorld;
let ada: Operator;

beforeAll(async () => {
  world = await openAlertsWorld();
  ada = await world.backend.signIn({ role: 'superadmin', email: 'ada@example.org' });
  await world.configure(world.withWebhook('/', SECRET));
});
afterAll(async () => {
  await world?.end();
  fs.rmSync(root, { recursive: true, force: true });
});

const attempt = async (call: 'take' | 'drill', folder: string): Promise<void> => {
  const plan = { target: { kind: 'folder', path: folder }, schedule: null, recipients: [] };
  await ada.post('backup/configure', { ...plan, keep: { days: 7, weeks: 4, months: 12 } });
  expect((await ada.post(`backup/${call}`)).status).toBe(200);
  await world.backend.app.get(BackupWork, { strict: false }).round(new AbortController().signal, new Date());
};
const alertOnce = (is: (alert: AlertView) => boolean): Promise<AlertView> =>
  settled(async () => (await world.list()).find(is));
/** Calls of the webhook about an alert, in order. */
const toldOf = (id: string, count: number) =>
  settled(async () => {
    const asked = world.receiver.asked.filter(({ body }) => body.includes(id));
    return asked.length < count ? undefined : asked;
  });

it.each([
  ['take', 'backupFailed', /^The last backup failed: .*a-file.below/, 'a backup was taken'],
  ['drill', 'drillFailed', /^The newest backup was not restored in a drill: /, 'a drill has passed'],
] as const)('a failed %s is reported once, and so is its end', async (call, about, says, reason) => {
  const [good, bad] = [path.join(root, 'good'), path.join(root, 'a-file', 'below')];
  if (call === 'take') fs.writeFileSync(path.dirname(bad), '');
  await attempt(call, bad);
  const open = await alertOnce((alert) => alert.about === about && alert.state === 'open');
  expect(open).toMatchObject({ says: expect.stringMatching(says) as string, subject: { name: 'backups' } });
  const [raised] = await toldOf(open.id, 1);
  expect(isSigned(raised!, SECRET)).toBe(true);
  expect(JSON.parse(raised!.body)).toMatchObject({ event: 'alert.raised', id: open.eventId });
  await settled(async () => (await alertOnce(({ id }) => id === open.id)).deliveries[0]);
  // A second failure is not reported again.
  await attempt(call, bad);
  await attempt(call, good);
  const over = await alertOnce(({ id, state }) => id === open.id && state === 'resolved');
  expect(over.reason).toBe(reason);
  const told = (await toldOf(open.id, 2)).map(
    ({ body }) => JSON.parse(body) as { event: string; alert: object },
  );
  expect(told.map(({ event }) => event)).toEqual(['alert.raised', 'alert.resolved']);
  expect(told[1]).toMatchObject({ alert: { id: open.id, about, reason } });
  const done = await alertOnce((alert) => alert.id === open.id && alert.deliveries.length === 2);
  expect(done).toMatchObject({
    state: 'resolved',
    deliveries: [{ attempt: 1 }, { attempt: 2, status: 200 }],
  });
  expect(done.nextAttemptAt).toBeUndefined();
  expect((await world.list()).filter((alert) => alert.about === about)).toHaveLength(1);
});
