// A window of maintenance is set, an alert that begins in it is shown so, and is acknowledged with a note. covers: OPS-01
import pg from 'pg';
import { addSamples } from '../alert-rules/samples';
import { fieldsOf as serverFields } from '../../testing/server-fields';
import { idleKey, nowhere } from '../../testing/idle-server';
import { postsOf, test } from './alerts-house';
import { check } from './every-look';
import { expect } from './house';

const wide = { width: 1440, height: 900 };
const HOUR_MS = 3_600_000;

test('an alert that begins in a window is in maintenance, and somebody takes care of it', async ({
  person,
  database,
}, info) => {
  const { page } = await person('ada@example.com');
  const post = postsOf(page);
  const workspace = (await post<{ id: string }>('workspace/detail', {})).id;
  const fields = { ...serverFields('web-9', nowhere), privateKey: idleKey() };
  const server = (await post<{ id: string }>('server/insert', fields)).id;

  await page.goto('/app/domain/alerts');
  await page.getByRole('link', { name: 'Maintenance' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Maintenance windows' })).toBeVisible();
  await check(page, 'maintenance-empty', info);
  await page.setViewportSize(wide);

  await page.getByRole('link', { name: 'Add new' }).first().click();
  const form = page.getByRole('form');
  await form.getByLabel('Name', { exact: true }).fill('Kernel updates');
  // The clock of the browser: the input takes its local time.
  const local = (offset: number): Promise<string> =>
    page.evaluate((ms) => {
      const at = new Date(Date.now() + ms);
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    }, offset);
  await form.getByLabel('Starts').fill(await local(-HOUR_MS));
  await form.getByLabel('Ends').fill(await local(-2 * HOUR_MS));
  await form.getByRole('combobox', { name: /^Servers/ }).click();
  await page.getByRole('option', { name: 'web-9' }).click();
  await page.keyboard.press('Escape');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toContainText('it would end before it starts: a later end is expected');
  await check(page, 'maintenance-add', info);
  await page.setViewportSize(wide);
  await form.getByLabel('Ends').fill(await local(2 * HOUR_MS));
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Kernel updates' })).toBeVisible();
  await check(page, 'maintenance-window', info);
  await page.setViewportSize(wide);

  await page.getByRole('link', { name: 'Maintenance windows' }).first().click();
  await page.getByRole('link', { name: 'Add new' }).first().click();
  await form.getByLabel('Name', { exact: true }).fill('Sunday nights');
  await form.getByLabel('When').selectOption('weekly');
  await form.getByRole('combobox', { name: /^Days/ }).click();
  await page.getByRole('option', { name: 'Sunday' }).click();
  await page.keyboard.press('Escape');
  await form.getByLabel('From').fill('22:00');
  await form.getByLabel('Until').fill('02:00');
  await form.getByLabel('Time zone').fill('Europe/Berlin');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sunday nights' })).toBeVisible();
  await page.getByRole('link', { name: 'Maintenance windows' }).first().click();
  await expect(page.getByRole('row', { name: /Sunday nights/ })).toContainText(
    'on Sunday from 22:00 to 02:00 (Europe/Berlin)',
  );
  await expect(page.getByRole('row', { name: /Kernel updates/ })).toContainText('until');
  await check(page, 'maintenance-windows', info);
  await page.setViewportSize(wide);

  const pool = new pg.Pool({ connectionString: database.url });
  await addSamples(pool, { workspace, server }, [60, 50]);
  await addSamples(pool, { workspace, server }, [40, 30], { disk: 96 });
  await pool.end();
  await page.getByRole('link', { name: 'Alerts' }).first().click();
  const row = page.getByRole('row', { name: /The disk of web-9 is almost full/ });
  await expect(row).toContainText('in maintenance');
  await check(page, 'maintenance-alerts', info);
  await page.setViewportSize(wide);
  await row.click();
  const drawer = page.getByRole('dialog', { name: 'Alert' });
  await expect(drawer).toContainText('Began in Kernel updates. Nothing is sent about it before');
  await drawer.getByLabel(/note/i).fill('The disk is being enlarged.');
  await drawer.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(drawer).toContainText('The disk is being enlarged.');
  await check(page, 'maintenance-acknowledged', info);
  await page.setViewportSize(wide);
  await page.keyboard.press('Escape');
  await expect(row).toContainText('acknowledged');
});
