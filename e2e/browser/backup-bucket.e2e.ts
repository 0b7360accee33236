// Backups in a bucket: its fields, the test of the connection, and archives that the keys may not remove.
// covers: BAK-01, BAK-02
import { startS3 } from '../../testing/s3';
import { check } from './every-look';
import { expect, test } from './house';

// The bucket is on this machine.
test.use({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });

test('a bucket is named with mistakes, tested, mended and used, and what it does not remove is told', async ({
  browser,
  house,
}, info) => {
  test.slow();
  const s3 = await startS3();
  const context = await browser.newContext({ baseURL: house.url, viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(await house.signInLink('keeper@example.com', 'superadmin'));
    await expect(page.getByRole('banner')).toBeVisible();
    await page.goto('/superadmin?tab=backups');
    const mode = page.getByRole('radiogroup', { name: 'Mode of Plan' });
    const plan = page.getByRole('form', { name: 'Plan of the backups' });
    const fill = async (values: Record<string, string>): Promise<void> => {
      for (const [label, value] of Object.entries(values))
        await plan.getByLabel(label).and(page.locator('input:not([type=checkbox]), textarea')).fill(value);
    };
    const save = plan.getByRole('button', { name: 'Save' });
    const verdicts = page.getByRole('status', { name: 'Test of the target' });
    const edit = async (values: Record<string, string>): Promise<void> => {
      await mode.getByText('Edit').click();
      await fill(values);
      await save.click();
      await expect(plan).toBeHidden();
    };

    await mode.getByText('Edit').click();
    await plan.getByLabel('Target').selectOption('s3');
    const key = { 'Access key ID': s3.accessKeyId, 'Secret access key': 'wrong' };
    await fill({
      Endpoint: 'nonsense',
      Region: 'EU Central!',
      Bucket: '../etc',
      Prefix: '/../',
      'Storage class': 'no such class',
      'Certificate authority': 'nonsense',
      'Time (UTC)': '25:99',
      'Days kept': '0',
      'More recipients': 'age1nonsense',
      ...key,
    });
    await save.click();
    await expect(plan.getByRole('textbox', { name: 'Endpoint' })).toHaveAttribute('aria-invalid', 'true');
    await check(page, 'backup-bucket-nonsense', info);
    await fill({
      Endpoint: s3.url,
      Region: s3.region,
      Bucket: s3.bucket,
      Prefix: 'console/',
      'Storage class': '',
      'Time (UTC)': '03:15',
      'Days kept': '1',
      'Weeks kept': '1',
      'Months kept': '1',
      'More recipients': '',
    });
    await save.click();
    // Only the back end reads certificates.
    await expect(plan.getByLabel('Certificate authority')).toHaveAttribute('aria-invalid', 'true');
    await fill({ 'Certificate authority': '' });
    await save.click();
    await expect(verdicts).toContainText('check the secret access key');
    await check(page, 'backup-bucket-refused', info);

    await edit({ 'Secret access key': s3.secretAccessKey });
    for (const step of ['List', 'Write', 'Read', 'Delete'])
      await expect(verdicts).toContainText(`${step}: works`);
    expect([...s3.objects.keys()]).toEqual([]);
    s3.denied = 'write';
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(verdicts).toContainText(`allow s3:PutObject on ${s3.bucket}/console/*`);
    await check(page, 'backup-bucket-denied', info);
    s3.denied = undefined;

    const archives = page.getByRole('table', { name: 'Archives' });
    await page.getByRole('button', { name: 'Back up now' }).click();
    await expect(archives.getByText('in place')).toHaveCount(1);
    for (const name of s3.objects.keys()) s3.locked.add(name);
    await page.getByRole('button', { name: 'Full backup now' }).click();
    await expect(archives.getByText('in place')).toHaveCount(2);
    const notRemoved = page.getByText('1 archive that the plan no longer keeps could not be removed', {
      exact: true,
    });
    await expect(notRemoved).toBeVisible();
    await expect(
      page.getByText(/it can be removed once its time of retention is over/).first(),
    ).toBeVisible();
    await check(page, 'backup-bucket-locked', info);
    await page.getByRole('button', { name: 'Drill now' }).click();
    await expect(page.getByText(/Restored and verified/)).toBeVisible();
    s3.locked.clear();
    await page.getByRole('button', { name: 'Full backup now' }).click();
    await expect(notRemoved).toBeHidden();
    await expect(archives.getByText('in place')).toHaveCount(1);
  } finally {
    await context.close();
    await s3.stop();
  }
});
