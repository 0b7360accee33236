// A rule is tried on the past month before and after it is saved, switched on, and says what it does. covers: OPS-01
import pg from 'pg';
import { addSamples } from '../alert-rules/samples';
import { fieldsOf as serverFields } from '../../testing/server-fields';
import { fieldsOf, startAlertVendors } from '../../testing/alert-vendors';
import { idleKey, nowhere } from '../../testing/idle-server';
import { postsOf, test } from './alerts-house';
import { check } from './every-look';
import { expect } from './house';

const wide = { width: 1440, height: 900 };
const DAY = 24 * 3600;

test('a rule is tried on the past month before it is switched on', async ({ person, database }, info) => {
  const vendors = await startAlertVendors();
  const { page } = await person('ada@example.com');
  const post = postsOf(page);
  const workspace = (await post<{ id: string }>('workspace/detail', {})).id;
  const [web, db] = [
    await post<{ id: string }>('server/insert', { ...serverFields('web-1', nowhere), privateKey: idleKey() }),
    await post<{ id: string }>('server/insert', { ...serverFields('db-1', nowhere), privateKey: idleKey() }),
  ];
  await post('alert-channel/insert', { data: { name: 'Operations', ...fieldsOf(vendors.url).Slack } });
  const pool = new pg.Pool({ connectionString: database.url });
  const on = (server: { id: string }) => ({ workspace, server: server.id });
  const minutes = (from: number, count: number): number[] =>
    Array.from({ length: count }, (_, at) => from - at * 60);
  await addSamples(pool, on(web), minutes(25 * DAY, 3));
  await addSamples(pool, on(web), minutes(20 * DAY, 400), { disk: 96 });
  await addSamples(pool, on(web), minutes(19 * DAY, 3));
  await addSamples(pool, on(db), minutes(8 * DAY, 30), { disk: 93 });
  await addSamples(pool, on(db), minutes(7 * DAY, 5));
  await addSamples(pool, on(db), minutes(2 * DAY, 5), { disk: 92 });
  await addSamples(pool, on(db), minutes(2 * DAY - 300, 3));
  await pool.end();

  await page.goto('/app/domain/alerts');
  await page.getByRole('link', { name: 'Rules' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Alert rules' })).toBeVisible();
  await expect(page.getByText('No alert rules yet')).toBeVisible();
  await check(page, 'alert-rules-empty', info);
  await page.setViewportSize(wide);

  await page.getByRole('link', { name: 'Add new' }).first().click();
  const form = page.getByRole('form');
  await form.getByLabel('Name', { exact: true }).fill('Full disks');
  await form.getByRole('combobox', { name: /^Causes/ }).click();
  await page.getByRole('option', { name: 'disk almost full' }).click();
  await page.keyboard.press('Escape');
  await form.getByRole('combobox', { name: /^Channels/ }).click();
  await page.getByRole('option', { name: 'Operations' }).click();
  await page.keyboard.press('Escape');
  await form.getByLabel('Tell after (minutes)').fill('15');
  await form.getByLabel('Tell again every (hours)').fill('2');
  const trial = page.getByRole('region', { name: 'Trial' });
  await trial.getByRole('button', { name: 'Try on the past month' }).click();
  await expect(trial).toContainText(/this rule would have told \d+ times/);
  await expect(trial.getByRole('list', { name: 'Moments' }).getByRole('listitem').first()).toContainText(
    'db-1',
  );
  await check(page, 'alert-rule-add', info);
  await page.setViewportSize(wide);
  await form.getByRole('button', { name: 'Save' }).click();

  const does = page.getByRole('region', { name: 'What this rule does' });
  await expect(does).toContainText(
    'An alert “disk almost full” is sent to Operations after 15 minutes, and again every 2 hours while it lasts.',
  );
  await does.getByRole('button', { name: 'Try on the past month' }).click();
  await expect(does).toContainText(/this rule would have told \d+ times/);
  const moments = does.getByRole('list', { name: 'Moments' }).getByRole('listitem');
  await expect(moments.first()).toContainText('db-1: disk almost full');
  await expect(moments.last()).toContainText('web-1: disk almost full');
  await check(page, 'alert-rule-tried', info);
  await page.setViewportSize(wide);

  await page.getByRole('button', { name: /actions/i }).click();
  await page.getByRole('menuitem', { name: 'Switch on' }).click();
  await expect(page.getByText('on', { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Alert rules' }).first().click();
  await expect(page.getByRole('row', { name: /Full disks/ })).toContainText('is sent to Operations');
  await check(page, 'alert-rules', info);
  await vendors.stop();
});
