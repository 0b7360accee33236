// Pulling packages onto a server, and the deploy log. covers: SRV-08, SRV-10
import { withJson, withStatus } from '../../testing/told-server';
import { test } from './alerts-house';
import { check } from './every-look';
import { expect } from './house';
import { addServer } from './servers-page';

const wide = { width: 1440, height: 900 };

test('a failed pull shows its cause, a second pull succeeds, and the failure is deleted from the log', async ({
  house,
  person,
  receiver,
}, info) => {
  const [{ page }, bo] = [await person('ada@example.com'), await person('bo@example.com')];
  await addServer(page, house.sshd, { alias: 'deploys-1' });
  await page.getByRole('tab', { name: 'Deploys' }).click();
  await expect(page.getByText('No deploys yet')).toBeVisible();
  await check(page, 'deploys-empty', info);
  await page.setViewportSize(wide);
  await bo.page.goto(page.url());

  const card = page.getByRole('region', { name: 'Pull and deploy' });
  const question = page.getByRole('dialog', { name: /^Pull and deploy/ });
  const pull = async (): Promise<void> => {
    await card.getByRole('button', { name: 'Pull and deploy' }).click();
    await question.getByRole('button', { name: 'Pull and deploy' }).click();
  };
  receiver.answer(withStatus(500));
  await card.getByLabel('Address of the package').fill(`${receiver.url}/deploy/shop`);
  await card.getByLabel('Address of the package').press('Enter');
  await expect(question).toContainText('deploys-1');
  await question.getByRole('button', { name: 'Cancel' }).click();
  // Alerts may be sent to the same receiver, so only calls for the package count.
  expect(receiver.asked.filter(({ path }) => path === '/deploy/shop')).toEqual([]);

  await pull();
  const refusal = card.getByRole('alert');
  await expect(refusal).toContainText('something went wrong, could not deploy');
  await expect(refusal).toContainText('The address answered with status 500 instead of 200.');
  await expect(bo.page.getByText('the address answered with status 500 instead of 200')).toBeVisible();
  receiver.answer(withJson({ version: { version: '1.4.2' } }));
  await pull();
  await expect(page.getByText('The package was deployed in version 1.4.2.')).toBeVisible();
  await expect(refusal).toBeHidden();
  receiver.answer(withJson({ version: { version: '1.5.0' } }));
  await card.getByRole('button', { name: 'shop 1.4.2' }).click();
  await question.getByRole('button', { name: 'Pull and deploy' }).click();
  await expect(card.getByRole('button', { name: 'shop 1.5.0' })).toBeVisible();
  await expect(bo.page.getByRole('row', { name: /shop 1\.5\.0/ })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await check(page, 'deploys', info);
  await page.setViewportSize(wide);

  await page
    .getByRole('row', { name: /500/ })
    .getByRole('button', { name: 'Delete the log of shop' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete log' }).click();
  await expect(bo.page.getByText('the address answered with status 500 instead of 200')).toBeHidden();
});
