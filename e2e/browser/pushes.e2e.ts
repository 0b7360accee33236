// Deploy on push: a rule is tried and saved, the source host pushes, and an approval is given in two windows.
// covers: OPS-06
import { hookHeaders, ping, publishedContainer } from '../../testing/github/webhooks';
import { idleKey, nowhere } from '../../testing/idle-server';
import { fieldsOf } from '../../testing/server-fields';
import { check, expectNoViolations } from './every-look';
import { expect, test } from './house';

test('a rule is tried, a version waits for an approval, and one of two people gives it', async ({
  person,
}, info) => {
  test.slow();
  const [{ page }, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  const post = async (path: string, data: object): Promise<string> => {
    const headers = { 'x-requested-with': 'quarterdeck' };
    const answer = await page.request.post(`/api/${path}`, { headers, data });
    expect([path, answer.status()]).toEqual([path, 200]);
    return ((await answer.json()) as { id: string }).id;
  };
  const product = await post('product/insert', { data: { name: 'Shop', description: '' } });
  const server = await post('server/insert', { ...fieldsOf('web-1', nowhere), privateKey: idleKey() });
  const service = await post('service/insert', {
    product: { id: product },
    data: {
      name: 'orders',
      nameFront: '',
      organization: 'acme',
      repo: 'orders',
      repoFront: '',
      server: { id: server },
      port: 3000,
      packageType: 'container',
      packageSubfolder: '',
      withDb: false,
    },
  });
  const base = `/app/product/${product}/detail/service/${service}/detail`;

  await page.goto(`${base}/push`);
  await expect(page.getByText('No rules yet')).toBeVisible();
  await check(page, 'push-empty', info);
  await page.getByRole('button', { name: 'Issue secret' }).click();
  await expect(page.getByText('A webhook secret: copy it now')).toBeVisible();
  const secret = /qd_sign_[\w-]+/.exec((await page.getByRole('status').allInnerTexts()).join(' '))?.[0] ?? '';
  expect(secret).not.toBe('');
  const sendHook = async (event: string, payload: object): Promise<number> => {
    const body = JSON.stringify(payload);
    const answer = await fetch(new URL(`/api/public/push/receive?service=${service}`, page.url()), {
      method: 'POST',
      headers: hookHeaders(event, body, secret),
      body,
    });
    return answer.status;
  };
  expect(await sendHook('ping', ping)).toBe(200);
  expect(await sendHook('package', publishedContainer({ tag: 'v1.3.0', at: '2026-11-29T10:00:00Z' }))).toBe(
    200,
  );

  await page.getByRole('link', { name: 'Add rule' }).click();
  await page.getByLabel('Name').fill('Versions to prod');
  await page.getByLabel('With', { exact: true }).fill('v*');
  await page.getByLabel('Environment').selectOption('prod');
  await page.getByRole('button', { name: 'Try on past deliveries' }).click();
  await expect(page.getByText('v1.3.0 would have been deployed to prod after approval.')).toBeVisible();
  await check(page, 'push-rule-tried', info);
  await page.getByRole('button', { name: 'Save deploy rule' }).click();
  await expect(page.getByText('Versions to prod was saved.')).toBeVisible();

  await bo.page.goto(`${base}/deploy`);
  await expect(bo.page.getByText('No deploys yet')).toBeVisible();
  expect(await sendHook('package', publishedContainer({ tag: 'v1.4.0' }))).toBe(200);
  // Live.
  await expect(bo.page.getByRole('button', { name: 'Approve v1.4.0' })).toBeVisible();
  await check(bo.page, 'push-waiting', info);
  await page.goto(`${base}/push`);
  await expect(page.getByRole('table', { name: 'Deliveries' })).toContainText('waits for approval');
  await check(page, 'push', info);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Approve v1.4.0' }).click();
  const question = page.getByRole('dialog', { name: 'Deploy orders v1.4.0 to prod?' });
  await question.getByLabel('Note').fill('Tested');
  await expectNoViolations(page, 'push-question');
  await question.getByRole('button', { name: 'Approve and deploy' }).click();
  await expect(page.getByRole('table', { name: 'Pushed versions' })).toContainText('deploy started');
  await expect(bo.page.getByRole('button', { name: 'Approve v1.4.0' })).toBeHidden();
  await page.getByRole('table', { name: 'Pushed versions' }).getByRole('link', { name: 'v1.4.0' }).click();
  await expect(page.getByText('the rule Versions to prod, pushed by octocat')).toBeVisible();
});
