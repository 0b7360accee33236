// Building a data model: entities, ordered attributes, option sets, databases, versions and the graph.
// covers: DM-01, DM-02, OPT-01, DB-01, PROD-04, VAL-03, VER-01, VER-02, VER-04
import type { Page } from '@playwright/test';
import { Client } from 'pg';
import { databaseAt } from '../data-model/database-at';
import { startTestPostgres } from '../../testing/postgres';
import { check } from './every-look';
import { expect, test } from './house';

// The products' databases run on this machine.
test.use({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });

const save = (page: Page) => page.getByRole('button', { name: /^Save(?! and)/ }).click();

const addEntity = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name: 'Add new' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await save(page);
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
};

const addAttribute = async (page: Page, name: string, type: string, to?: string): Promise<void> => {
  await page.getByRole('tab', { name: 'Attributes' }).click();
  await page.getByRole('link', { name: 'Add new' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('combobox', { name: 'Type' }).selectOption(type);
  if (to !== undefined)
    await page.getByRole('combobox', { name: /^(Foreign entity|Option set)/ }).selectOption(to);
  await save(page);
  await expect(page.getByRole('heading', { level: 3, name })).toBeVisible();
};

const post = async (page: Page, path: string, body: object) => {
  const headers = { 'x-requested-with': 'quarterdeck' };
  const answer = await page.request.post(`/api/${path}`, { data: body, headers });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()) as { id: string; state: string };
};

test('a model is built and shown as a graph, and a database shows its setup commands', async ({
  person,
}, info) => {
  test.slow();
  const { page } = await person('modeller@example.com', { at: '/app/product/add' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop');
  await save(page);
  await page.getByRole('tab', { name: 'Option sets' }).click();
  await page.getByRole('link', { name: 'Add new' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Order status');
  await save(page);
  await page.getByRole('tab', { name: 'Values' }).click();
  for (const [key, value] of ['open', 'paid'].entries()) {
    await page.getByRole('link', { name: 'Add new' }).first().click();
    await page.getByRole('textbox', { name: 'Key' }).fill(String(key + 1));
    await page.getByRole('textbox', { name: 'Value' }).fill(value);
    await save(page);
    await expect(page.getByRole('heading', { level: 3, name: value })).toBeVisible();
    await page.getByRole('link', { name: 'Option set values' }).click();
  }
  await check(page, 'option-set-values', info);

  await page.getByRole('tab', { name: 'Data model' }).click();
  await addEntity(page, 'Customer');
  await page.getByRole('link', { name: 'Entities' }).click();
  await addEntity(page, 'Purchase');
  await addAttribute(page, 'customer', 'ForeignKey', 'Customer');
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Customer', exact: true })).toBeVisible();
  await check(page, 'attribute', info);
  await addAttribute(page, 'status', 'Int', 'Order status');
  await page.getByRole('link', { name: 'Attributes', exact: true }).click();
  const names = page.getByRole('table').getByRole('row').locator('td:first-child a');
  await expect(names).toHaveText(['customer', 'status']);
  await expect(page.getByRole('cell', { name: 'customer_id' })).toBeVisible();
  await page.getByRole('button', { name: 'Move status' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(names).toHaveText(['status', 'customer']);
  await check(page, 'attributes', info);

  await page.goto('/app/history');
  const row = page.getByRole('listitem').filter({ hasText: 'added the attribute status to Purchase' });
  await expect(row).toContainText('status in Purchase, Shop');
  await row.getByRole('link', { name: 'status' }).click();
  await expect(page.getByRole('heading', { level: 3, name: 'status' })).toBeVisible();

  const sheets = page.locator('link[rel="stylesheet"]');
  const before = await sheets.count();
  await page.getByRole('tab', { name: 'Data model' }).click();
  await page.getByRole('link', { name: 'Schema' }).click();
  const box = page.locator('.react-flow__node').filter({ hasText: 'Purchase' });
  await expect(box.getByRole('listitem')).toHaveText(['status', 'customer']);
  await expect(page.locator('.react-flow__edge')).toHaveCount(1);
  // The graph library's styles are loaded with the graph, not with the first page.
  await expect(sheets).toHaveCount(before + 1);
  await expect(page.locator('.react-flow__pane')).toHaveCSS('position', 'absolute');
  await check(page, 'schema', info);
  await expect(page.locator('a[href*="reactflow.dev"]')).toHaveCount(0);
  const picture = page.locator('.react-flow__viewport');
  const scale = async () =>
    Number(/scale\(([\d.]+)\)/.exec(await picture.evaluate((element) => element.style.transform))?.[1]);
  /** Horizontal distance in pixels between the centre of the boxes and the centre of the graph's pane. */
  const offCentre = async (boxes = page.locator('.react-flow__node')) => {
    const [pane, ...found] = await Promise.all(
      [page.locator('.react-flow__pane'), ...(await boxes.all())].map((one) => one.boundingBox()),
    );
    const all = found.flatMap((one) => one ?? []);
    if (!pane || all.length === 0) return undefined;
    const left = Math.min(...all.map(({ x }) => x));
    const right = Math.max(...all.map(({ x, width }) => x + width));
    return Math.abs((left + right) / 2 - pane.x - pane.width / 2);
  };
  await expect.poll(() => offCentre()).toBeLessThan(2);
  const pane = await page.locator('.react-flow__pane').boundingBox();
  if (!pane) throw new Error('the graph is not shown');
  await page.mouse.move(pane.x + 20, pane.y + 20);
  await page.mouse.down();
  await page.mouse.move(pane.x + 140, pane.y + 80, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => offCentre()).toBeGreaterThan(50);
  await page.getByRole('button', { name: 'Fit View' }).click();
  await expect.poll(() => offCentre()).toBeLessThan(2);
  const fittedScale = await scale();
  await page.getByRole('button', { name: 'Zoom Out' }).click();
  await expect.poll(scale).toBeLessThan(fittedScale);
  // The search centres the entity it finds.
  await page.getByRole('combobox', { name: 'Find an entity' }).fill('Purch');
  await page.getByRole('option', { name: 'Purchase' }).click();
  await expect.poll(() => offCentre(box)).toBeLessThan(2);
  await expect.poll(scale).toBe(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PNG' }).click();
  expect((await downloading).suggestedFilename()).toBe('schema.png');
  await page.getByRole('link', { name: 'Graph' }).click();
  // Not with the mouse: a box still moves to its place, and a click on what moves away is none.
  await page.locator('.react-flow__node').getByRole('link', { name: 'Customer' }).press('Enter');
  await page.getByRole('tab', { name: 'Associated entities' }).click();
  await expect(page.getByRole('row', { name: /customer Purchase/ })).toBeVisible();
  await page.getByRole('button', { name: 'Actions' }).last().click();
  await page.getByRole('menuitem', { name: 'Delete entity' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Customer?' });
  await expect(question).toContainText('Are you sure you would like to delete?');
  await expect(question).toContainText('Purchase.customer would point to nothing.');
  await question.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('tab', { name: 'Databases' }).click();
  await page.getByRole('link', { name: 'Add new' }).first().click();
  const url = page.getByRole('textbox', { name: 'JDBC URL' });
  await url.fill('jdbc:oracle:thin:@db:1521/shop');
  await expect(page.getByText('must start with jdbc:mysql')).toBeVisible();
  await url.fill('jdbc:mysql://db.example.test:3307/shop_dev?user=shop');
  await expect(page.getByRole('textbox', { name: 'Port' })).toHaveValue('3307');
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('shop');
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await page.getByRole('combobox', { name: 'Environment' }).selectOption('dev');
  await check(page, 'database-add', info);
  await save(page);
  await page.getByRole('tab', { name: 'Commands' }).click();
  await expect(page.getByText("IDENTIFIED BY '*******'")).toBeVisible();
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(page.getByText("IDENTIFIED BY 'correct horse'")).toBeVisible();
  await check(page, 'database-commands', info);
});

test('pending changes become a version, which is applied to a real database, repaired and promoted', async ({
  person,
}, info) => {
  test.slow();
  const postgres = await startTestPostgres({ own: true });
  const url = new URL(await postgres.newDatabase());
  const target = new Client({ connectionString: url.href });
  await target.connect();
  try {
    const [ada, bo] = [await person('modeller@example.com'), await person('second@example.com')];
    const insert = async (path: string, body: object): Promise<string> =>
      (await post(ada.page, path, body)).id;
    const product = { id: await insert('product/insert', { data: { name: 'Depot' } }) };
    const parcel = await insert('data-model/entity/insert', {
      data: { name: 'Parcel', table: '', isUuid: false },
      product,
    });
    const weight = await insert('data-model/attribute/insert', {
      data: { name: 'Weight', column: '', type: 2, optional: true },
      entity: { id: parcel },
    });
    await insert('database/insert', { data: databaseAt(url), product });
    const versions = `/app/product/${product.id}/detail/version`;
    const changes = (page: Page) => page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await Promise.all([ada.page.goto(versions), bo.page.goto(versions)]);
    await expect(changes(bo.page)).toHaveText(['Entity Parcel added, with 1 attribute']);

    // Bo saves an attribute that Ada has changed since Bo opened it.
    const attribute = `/app/product/${product.id}/detail/data-model/${parcel}/detail/attribute/${weight}/detail`;
    await Promise.all([ada.page, bo.page].map((page) => page.goto(`${attribute}?mode=edit`)));
    const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
    await name(bo.page).fill('Mass');
    await name(ada.page).fill('Weight in g');
    await save(ada.page);
    await expect(ada.page.getByRole('heading', { level: 3, name: 'Weight in g' })).toBeVisible();
    await save(bo.page);
    await expect(bo.page.getByRole('alert', { name: 'Conflict' })).toContainText('Nothing was saved');

    const { page } = ada;
    await page.goto(versions);
    await check(page, 'versions-pending', info);
    await page.getByRole('button', { name: 'Generate version' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Version 1' })).toBeVisible();
    await expect(page).toHaveURL(/\/version\/[0-9a-f-]{36}\/edit$/);
    await expect(page.getByText('create table').first()).toBeVisible();
    await check(page, 'version', info);

    await page.getByRole('tab', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Compare with database' }).click();
    await expect(page.getByRole('region', { name: 'Plan' })).toContainText(
      'Nothing applied yet -> version 1',
    );
    await expect(page.getByRole('region', { name: 'Plan' })).toContainText(
      '1/1 V1_1__create_table_parcel.sql',
    );
    await check(page, 'version-plan', info);
    await page.getByRole('button', { name: 'Apply 1 statement' }).click();
    const question = page.getByRole('dialog', { name: /^Apply version 1 to / });
    await question.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect(page.getByRole('log')).toContainText('1/1 create_table_parcel');
    await expect(page.getByText('succeeded').first()).toBeVisible();
    await target.query('insert into parcel (weight_in_g) values (7)');

    // What somebody has added by hand is shown and stays. What somebody has dropped is made again.
    await target.query('alter table parcel add column by_hand integer');
    await page.goBack();
    await page.getByRole('tab', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Compare with database' }).click();
    const plan = page.getByRole('region', { name: 'Plan' });
    await expect(plan.getByRole('alert')).toContainText(
      'the column by_hand (Int) is not part of the version.',
    );
    await expect(plan.getByRole('button', { name: /^(Apply|Repair) / })).toHaveCount(0);
    await check(page, 'version-drift', info);
    await target.query('alter table parcel drop column weight_in_g');
    await page.getByRole('button', { name: 'Compare with database' }).click();
    await page.getByRole('button', { name: 'Repair with 1 statement' }).click();
    const repairs = page.getByRole('dialog', { name: /^Repair / });
    await repairs.getByRole('button', { name: 'Repair', exact: true }).click();
    await expect(page.getByRole('log')).toContainText('1/1 add_column_parcel_weight_in_g');
    await expect(page.getByText('succeeded').first()).toBeVisible();
    await target.query('alter table parcel drop column by_hand');

    // Bo's page shows the new version without a reload.
    await bo.page.goto(versions);
    await expect(bo.page.getByText('Nothing has changed since version 1.')).toBeVisible();
    await bo.page.getByRole('table').getByRole('link', { name: '1', exact: true }).click();
    await bo.page.getByRole('button', { name: 'Promote to test' }).click();
    await expect(bo.page.getByRole('button', { name: 'Promote to prod' })).toBeVisible();
    await bo.page.getByRole('button', { name: 'Actions' }).last().click();
    await expect(bo.page.getByRole('menuitem', { name: 'Move back to dev' })).toBeVisible();
    await bo.page.keyboard.press('Escape');
    // The version is now in test, but the dev database still has it, and a view that no statement changes.
    await target.query('create view heavy as select * from parcel');
    await bo.page.getByRole('tab', { name: 'Apply' }).click();
    await bo.page.getByRole('button', { name: 'Compare with database' }).click();
    const still = bo.page.getByRole('region', { name: 'Plan' });
    await expect(still).toContainText('The view heavy is left alone.');
    await expect(still).toContainText('No statement is needed.');
    await expect(still.getByRole('alert')).toHaveCount(0);
    await expect(still.getByRole('button', { name: /^(Apply|Repair) / })).toHaveCount(0);
    await bo.page.getByRole('tab', { name: 'Compare' }).click();
    await expect(changes(bo.page)).toHaveText(['Entity Parcel added, with 1 attribute']);
    await check(bo.page, 'version-compare', info);
    await bo.page.getByRole('tab', { name: 'Columns' }).click();
    await expect(bo.page.getByRole('row', { name: /parcel.weight_in_g/ })).toContainText(ada.email);
    await check(bo.page, 'version-columns', info);
    const download = bo.page.waitForEvent('download');
    await bo.page.getByRole('button', { name: 'Download', exact: true }).first().click();
    await bo.page.getByRole('menuitem', { name: 'All in one archive' }).click();
    expect((await download).suggestedFilename()).toBe('depot-v1.zip');
  } finally {
    await target.end();
    await postgres.stop();
  }
});

test('imports appear live for others, changes since a version are coloured, and a first instance is created', async ({
  person,
}, info) => {
  test.slow();
  const postgres = await startTestPostgres();
  try {
    const [{ page: ada }, { page: bo }] = [
      await person('modeller@example.com'),
      await person('second@example.com'),
    ];
    const insert = async (path: string, body: object): Promise<string> => (await post(ada, path, body)).id;
    const product = { id: await insert('product/insert', { data: { name: 'Begun' } }) };
    const url = new URL(await postgres.newDatabase());
    const database = await insert('database/insert', { data: databaseAt(url), product });
    const pages = `/app/product/${product.id}/detail`;
    await Promise.all([ada.goto(`${pages}/data-model/import`), bo.goto(`${pages}/data-model/schema`)]);
    await expect(bo.getByText('No entities yet')).toBeVisible();
    await ada.getByRole('button', { name: 'Preview' }).click();
    await expect(ada.getByRole('region', { name: 'Entities to import' })).toContainText('Session');
    await check(ada, 'import', info);
    await ada.getByRole('button', { name: 'Import 4 entities' }).click();
    await expect(ada.getByText('4 entities with 20 attributes added.')).toBeVisible();
    await check(ada, 'imported', info);
    await ada.getByRole('link', { name: 'Show the entities' }).click();
    await expect(ada.getByRole('table').getByRole('link', { name: 'Address', exact: true })).toBeVisible();
    await expect(bo.locator('.react-flow__node')).toHaveCount(4);

    const version = await insert('data-model/version/create', { id: product.id });
    await bo.getByRole('combobox', { name: 'Changes since' }).selectOption('Version 1');
    const counts = bo.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await expect(counts).toHaveText(['Nothing was changed.']);
    await ada.getByRole('table').getByRole('link', { name: 'Role', exact: true }).click();
    await addAttribute(ada, 'Nickname', 'String');
    await ada.getByRole('link', { name: 'Attributes', exact: true }).click();
    await ada.getByRole('table').getByRole('link', { name: 'Description', exact: true }).click();
    await expect(ada.getByRole('heading', { level: 3, name: 'Description' })).toBeVisible();
    await ada.getByRole('button', { name: 'Actions' }).last().click();
    await ada.getByRole('menuitem', { name: 'Delete attribute' }).click();
    const question = ada.getByRole('dialog', { name: 'Delete Description?' });
    await question.getByRole('textbox').fill('Description');
    await question.getByRole('button', { name: 'Delete attribute' }).click();
    await expect(counts).toHaveText(['+ 1 added', '− 1 removed', '~ 1 changed']);
    const fields = bo.locator('.react-flow__node').filter({ hasText: 'Role' }).getByRole('listitem');
    for (const [sign, name, tone] of [
      ['+', 'Nickname', '--qd-good'],
      ['−', 'Description', '--qd-bad'],
    ] as const) {
      const field = fields.filter({ hasText: `${sign} ${name}` });
      const [shown, wanted] = await field.evaluate((element, variable) => {
        const probe = document.createElement('i');
        probe.style.color = `var(${variable})`;
        element.append(probe);
        const colours = [element, probe].map((one) => getComputedStyle(one).color);
        probe.remove();
        return colours;
      }, tone);
      expect([name, shown]).toEqual([name, wanted]);
    }
    await bo.setViewportSize({ width: 360, height: 900 });
    await expect(bo.locator('.react-flow__node')).toHaveCount(4);
    await check(bo, 'schema-since', info);

    const { runId } = (await post(ada, 'data-model/version/apply', { uuid: version })) as unknown as {
      runId: string;
    };
    await expect.poll(async () => (await post(ada, 'run/detail', { id: runId })).state).toBe('succeeded');
    await ada.goto(`${pages}/database/${database}/detail`);
    await ada.getByRole('tab', { name: 'Connection' }).click();
    await ada.getByRole('button', { name: 'Create first instance' }).click();
    const form = ada.getByRole('form', { name: 'Create first instance' });
    await expect(form.getByLabel('E-mail of the administrator')).toHaveValue('admin@localhost');
    await form.getByLabel('Password of the administrator').fill('open sesame');
    await check(ada, 'database-init', info);
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(ada.getByRole('log')).toContainText(
      'Created the instance main with the administrator admin@localhost.',
    );
  } finally {
    await postgres.stop();
  }
});
