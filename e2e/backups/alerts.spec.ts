// covers: BAK-02
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AlertView } from '../../libs/projections/src';
import { BackupWork } from '../../apps/backend/src/backups/work/backup-work';
import { isSigned, openAlertsWorld, SECRET, settled, type AlertsWorld } from '../alerts/alerts-world';
import type { Operator } from '../../testing/operator';
import { startS3, type S3Server } from '../../testing/s3';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-backup-alerts-'));
let world: AlertsWorld;
let ada: Operator;
let s3: S3Server;

beforeAll(async () => {
  [world, s3] = await Promise.all([openAlertsWorld(), startS3()]);
  ada = await world.backend.signIn({ role: 'superadmin', email: 'ada@example.org' });
  await world.configure(world.withWebhook('/', SECRET));
});
afterAll(async () => {
  await world?.end();
  await s3?.stop();
  fs.rmSync(root, { recursive: true, force: true });
});

const configure = async (target: object, days: number): Promise<void> => {
  const plan = { target, schedule: null, recipients: [], keep: { days, weeks: 1, months: 1 } };
  expect((await ada.post('backup/configure', plan)).status).toBe(200);
};
const perform = async (call: 'take' | 'drill', body: object = {}): Promise<void> => {
  expect((await ada.post(`backup/${call}`, body)).status).toBe(200);
  await world.backend.app.get(BackupWork, { strict: false }).round(new AbortController().signal, new Date());
};
const attempt = async (call: 'take' | 'drill', folder: string): Promise<void> => {
  await configure({ kind: 'folder', path: folder }, 7);
  await perform(call);
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

it('archives that may not be removed are one alert, however many join them, also after it was dismissed', async () => {
  const { url: endpoint, region, bucket, accessKeyId, secretAccessKey } = s3;
  const keys = { accessKeyId, secretAccessKey };
  await configure({ kind: 's3', endpoint, region, bucket, prefix: 'a', pathStyle: true, ...keys }, 1);
  s3.denied = 'delete';
  for (let nth = 0; nth < 3; nth++) await perform('take', { full: true });
  const isOurs = ({ about }: AlertView): boolean => about === 'archivesNotRemoved';
  const { id, says } = await alertOnce((alert) => isOurs(alert) && alert.state === 'open');
  expect(says).toMatch(
    /could not be removed: .* refused s3:DeleteObject of a\/.*; allow s3:DeleteObject on backups\/a\/\*$/,
  );
  expect((await world.operator.post('alert/dismiss', { id })).status).toBe(200);
  await perform('take', { full: true });
  expect(s3.objects.size).toBe(4);
  // The watch judges all troubles at once: with the next one it has judged these too.
  s3.mood = 'full';
  await perform('take');
  await alertOnce(({ about, state }) => about === 'backupFailed' && state === 'open');
  expect((await world.list()).filter(isOurs).map((alert) => [alert.id, alert.state])).toEqual([
    [id, 'dismissed'],
  ]);
  expect((await toldOf(id, 1)).map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
    'alert.raised',
  ]);
});
