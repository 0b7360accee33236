// From an empty product to an instance with the five endpoints of an entity, by mouse. covers: API-01, API-02, API-03
import { check } from './every-look';
import { expect, test } from './house';

test('an instance is added, gets the endpoints of an entity, and one more that is wrong at first', async ({
  person,
}, info) => {
  test.slow();
  const { page } = await person('apis@example.com');
  const made = async (path: string, data: object): Promise<string> => {
    const answer = await page.request.post(`/api/${path}/insert`, {
      headers: { 'x-requested-with': 'quarterdeck' },
      data,
    });
    expect(answer.status(), path).toBe(200);
    return ((await answer.json()) as { id: string }).id;
  };
  const product = await made('product', { data: { name: 'Book shop', description: '' } });
  await page.goto(`/app/product/${product}/detail`);
  await page.getByRole('tab', { name: 'User management' }).click();
  await expect(page.getByText('No instances yet')).toBeVisible();
  await check(page, 'api-instances-none', info);

  await page.getByRole('link', { name: 'Add instance' }).click();
  const form = page.getByRole('form', { name: 'Add instance' });
  await form.getByRole('button', { name: 'Save instance' }).click();
  await expect(form.getByText('This field is required')).toHaveCount(6);
  for (const [label, text] of [
    ['Instance', 'shop'],
    ['Title', 'Shop API'],
    ['GitHub', 'grace'],
    ['First name', 'Grace'],
    ['Last name', 'Hopper'],
    ['E-mail', 'grace@example.org'],
  ] as const)
    await form.getByRole('textbox', { name: label, exact: true }).fill(text);
  await check(page, 'api-instance-add', info);
  await form.getByRole('button', { name: 'Save instance' }).click();
  await expect(page.getByText('This product has no entities yet.')).toBeVisible();

  const entity = await made('data-model/entity', {
    data: { name: 'Book', isUuid: false },
    product: { id: product },
  });
  await made('data-model/attribute', {
    data: { name: 'Title', type: 1, optional: false },
    entity: { id: entity },
  });
  await page.getByRole('button', { name: 'Add five endpoints' }).click();
  await expect(page.getByText('5 endpoints for Book added.')).toBeVisible();
  const table = page.getByRole('table', { name: 'All endpoints' });
  await expect(table.getByRole('row')).toHaveCount(6);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('refreshed')).toBeVisible();
  await check(page, 'api-endpoints', info);

  await page.getByRole('link', { name: 'Add endpoint' }).click();
  await page.getByRole('textbox', { name: 'Path' }).fill('/books/newest');
  await page.getByRole('button', { name: 'Add block' }).click();
  const block = page.getByRole('region', { name: 'Block 1' });
  await block.getByRole('combobox', { name: 'Entity' }).selectOption('Book');
  await block.getByRole('textbox', { name: 'Filters' }).fill('{ "titel": "x" }');
  await expect(block.getByText(/titel/).last()).toBeVisible();
  await check(page, 'api-endpoint-wrong', info);
  // A name is completed while it is typed.
  await block.getByRole('textbox', { name: 'Filters' }).fill('');
  await block.getByRole('textbox', { name: 'Filters' }).pressSequentially('{ "ti');
  await page.getByRole('option', { name: 'title' }).click();
  await block.getByRole('textbox', { name: 'Filters' }).pressSequentially('": "x" }');
  await page.getByRole('button', { name: 'Save endpoint' }).click();
  await expect(page.getByRole('heading', { name: 'GET /books/newest' })).toBeVisible();
  await check(page, 'api-endpoint', info);
  await page.getByRole('textbox', { name: 'Status of the answer' }).fill('203');
  await expect(page.getByText(/^Nothing to replay: /)).toBeVisible();
  await check(page, 'api-endpoint-changed', info);
  await page.getByRole('button', { name: 'Save endpoint' }).click();
  const question = page.getByRole('dialog', { name: 'Save a change that breaks callers?' });
  await expect(question).toContainText('it answers 203 instead of 200');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();

  await page.getByRole('link', { name: 'shop', exact: true }).click();
  await expect(table.getByRole('row')).toHaveCount(7);
  await page.getByRole('tab', { name: 'Overview' }).last().click();
  await check(page, 'api-instance', info);
});
