/**
 * What products read with their tokens: texts, CMS texts and notifications, over HTTP, of two back ends.
 *
 * covers: NOTIF-01
 */
import type { Answer, publicTokens } from '@quarterdeck/contract';
import type { HistoryView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { maxAgeOf, PublicReads } from '../../apps/backend/src/public-reads/public-reads';
import { openShop, plainNotification, readAt, type Read, type Shop } from './public-world';

type Tokens = Answer<typeof publicTokens.list>;

let world: World;
let second: string;
let ada: Operator;
let read: ReturnType<typeof readAt>;
let there: ReturnType<typeof readAt>;

beforeAll(async () => {
  world = await openWorld();
  second = (await world.another()).url;
  ada = await world.backend.signIn({ email: 'ada@example.org' });
  [read, there] = [readAt(world.backend.url), readAt(second)];
});
afterAll(() => world?.end());

describe('the door', () => {
  let shop: Shop;
  let other: Shop;
  beforeAll(async () => {
    [shop, other] = [await openShop(ada), await openShop(ada)];
    await shop.addText('title', { en: 'Your order', fr: 'Votre commande' });
  });
  const texts = () => `i18n/${shop.product}/fr`;

  test('opens for a token of the product', async () => {
    const { status, body, headers } = await read(texts(), shop.token);
    expect([status, body]).toEqual([200, { title: 'Votre commande' }]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, max-age=60');
    expect(headers.get('set-cookie')).toBeNull();
  });

  test('is closed without a token, for an unknown one, and for the session of an operator', async () => {
    const { cookie } = ada;
    const closed = [
      await read(texts()),
      await read(texts(), `qd_pub_${'x'.repeat(43)}`),
      await read(texts(), `${shop.token}x`),
      await read(texts(), undefined, { cookie }),
      await read(`i18n/${uuidv7()}/fr`),
    ];
    for (const { status, body, headers } of closed) {
      expect([status, body]).toEqual([
        401,
        { msg: 'a token of the product is needed: Authorization: Bearer qd_pub_…' },
      ]);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('does not tell the product of somebody else from one that does not exist', async () => {
    const answers = [await read(texts(), other.token), await read(`i18n/${uuidv7()}/fr`, other.token)];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([404, { msg: 'product could not be found' }]);
  });

  test.each([
    ['i18n/PRODUCT/xx', 'language'],
    ['i18n/PRODUCT/fr?fallback=de', 'fallback'],
    ['i18n/PRODUCT/fr?product=PRODUCT', 'product'],
    ['i18n/PRODUCT/fr?language=fr', 'language'],
    ['i18n/PRODUCT/fr?lang=de', 'lang'],
    ['i18n/not-an-id/fr', 'product'],
    ['i18n/PRODUCT/fr?at=tomorrow', 'at'],
    ['i18n/PRODUCT/fr?at=2999-01-01T00:00:00Z', 'at'],
  ])('names what is wrong with %s', async (path, field) => {
    const { status, body } = await read(path.replace('PRODUCT', shop.product), shop.token);
    expect([status, Object.keys((body as { data: object }).data)]).toEqual([400, [field]]);
  });

  test('says what is not there', async () => {
    expect((await read(`prices/${shop.product}/fr`, shop.token)).status).toBe(404);
  });

  test('may be used by pages of other sites, which cannot send cookies', async () => {
    const preflight = await fetch(`${world.backend.url}/api/public/${texts()}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example.org',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, if-none-match');
    for (const { headers } of [
      preflight,
      await read(texts(), shop.token, { origin: 'https://shop.example.org' }),
      await read(texts(), undefined, { origin: 'https://shop.example.org' }),
    ]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('is compressed for whoever takes it', async () => {
    await shop.addText('long', { en: 'all the same '.repeat(500) }, true);
    const path = `cms/${shop.product}/en`;
    const [zipped, plain] = [
      await read(path, shop.token, { 'accept-encoding': 'br, gzip' }),
      await read(path, shop.token, { 'accept-encoding': 'gzip;q=0, identity' }),
    ];
    expect([zipped.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
      'gzip',
      null,
    ]);
    expect(Number(zipped.headers.get('content-length'))).toBeLessThan(500);
    expect(zipped.text).toBe(plain.text);
  });

  test('gives English where a language has no text, unless it is asked for nothing else', async () => {
    const { product, token, addText } = await openShop(ada);
    await addText('both', { en: 'Both', ar: 'كلاهما' });
    await addText('english', { en: 'English only' });
    await addText('thai', { th: 'ไทย' });
    await addText('__proto__', { en: 'a key like others' });
    expect(JSON.parse((await read(`i18n/${product}/ar`, token)).text)).toEqual(
      Object.fromEntries([
        ['__proto__', 'a key like others'],
        ['both', 'كلاهما'],
        ['english', 'English only'],
      ]),
    );
    const own = await read(`i18n/${product}/ar?fallback=none`, token);
    expect(own.body).toEqual({ both: 'كلاهما' });
    expect(own.etag).not.toBe((await read(`i18n/${product}/ar`, token)).etag);
  });
});

test('a token is counted, rotated and revoked, in every process', async () => {
  const shop = await openShop(ada);
  const path = `i18n/${shop.product}/en`;
  const list = () => shop.ask<Tokens>('public-token/list', { product: { id: shop.product } });
  expect(await list()).toMatchObject([{ id: shop.tokenId }]);
  expect(await list()).not.toMatchObject([{ usedAt: expect.anything() }]);
  for (let uses = 0; uses < 5; uses++) expect((await read(path, shop.token)).status).toBe(200);
  expect((await there(path, shop.token)).status).toBe(200);
  const { id: nextId, token: next } = await shop.ask<{ id: string; token: string }>('public-token/issue', {
    product: { id: shop.product },
  });
  for (const one of [shop.token, next]) expect((await read(path, one)).status).toBe(200);
  // The other process adds its use when it lists the tokens.
  await ada.post('public-token/list', { product: { id: shop.product } });
  await until(async () => (await list()).find(({ id }) => id === shop.tokenId)?.uses === 7);
  await shop.ask('public-token/revoke', { id: shop.tokenId });
  expect((await read(path, shop.token)).status).toBe(401);
  await until(async () => (await there(path, shop.token)).status === 401);
  expect((await there(path, next)).status).toBe(200);
  expect((await list()).map(({ id }) => id)).toEqual([nextId]);
  const subject = { category: 'publictoken', id: shop.tokenId };
  const { events } = await shop.ask<{ events: HistoryView[] }>('history/list', { subject });
  expect(events.map(({ type }) => type).toReversed()).toEqual([
    'PublicTokenIssued',
    'PublicTokenUsed',
    'PublicTokenRevoked',
  ]);
});

test('a product has at most 1,000 valid tokens', async () => {
  const shop = await openShop(ada, 'Many tokens');
  const product = { id: shop.product };
  await world.backend.db.query(
    `insert into app.public_tokens (hash, id, workspace, product)
     select gen_random_uuid()::text, gen_random_uuid(), workspace, product
     from app.public_tokens, generate_series(1, 999) where id = $1`,
    [shop.tokenId],
  );
  expect(await ada.post('public-token/issue', { product })).toMatchObject({
    status: 422,
    body: { msg: 'there are 1000 valid ones already: revoke a product token that nobody needs' },
  });
  await shop.ask('public-token/revoke', { id: shop.tokenId });
  expect((await ada.post('public-token/issue', { product })).status).toBe(200);
});

test('a removal also revokes the token of a process that died before it recorded the revocation', async () => {
  const shop = await openShop(ada, 'Half revoked');
  await world.backend.db.query('update app.public_tokens set revoked_at = now() where id = $1', [
    shop.tokenId,
  ]);
  await shop.ask('product/delete', { id: shop.product });
  const subject = { category: 'publictoken', id: shop.tokenId };
  const { events } = await shop.ask<{ events: HistoryView[] }>('history/list', { subject });
  expect(events.map(({ type }) => type)).toEqual(['PublicTokenRevoked', 'PublicTokenIssued']);
});

test('the tokens of a removed product are revoked for good', async () => {
  const { ask, product, token } = await openShop(ada, 'To be removed');
  const path = `i18n/${product}/en`;
  expect((await read(path, token)).status).toBe(200);
  await ask('product/delete', { id: product, name: 'To be removed' });
  expect((await read(path, token)).status).toBe(401);
  await ask('product/restore', { id: product });
  expect((await read(path, token)).status).toBe(401);
});

test('the limit of calls counts for the token, and for the address of whoever has none', async () => {
  const limited = await world.another({ env: { CALLS_PER_MINUTE: '20', PUBLIC_READS_PER_MINUTE: '30' } });
  const [one, other] = [await openShop(ada), await openShop(ada)];
  const readLimited = readAt(limited.url);
  const statusOf = async ({ product, token }: Shop) =>
    (await readLimited(`i18n/${product}/en`, token)).status;
  await until(async () => (await statusOf(other)) === 200);
  await until(async () => (await statusOf(one)) === 429, 0);
  expect(await statusOf(other)).toBe(200);
});

test('notifications are given while they are due, to the millisecond, and the ETag changes with them', async () => {
  const { product, notify, addText } = await openShop(ada);
  const cms = { uuid: await addText('sale', { en: '# Sale' }, true) };
  await notify({ cms, type: { id: 1 }, dateStart: '2031-12-24T18:00Z', dateEnd: '2031-12-26' });
  await notify({ cms, type: { id: 2 }, dateStart: '2031-12-26T12:00+01:00' });
  await notify({ cms: { uuid: await addText('silent', { de: 'Nur deutsch' }, true) }, type: { id: 4 } });
  const reads = world.backend.app.get(PublicReads, { strict: false });
  const { instance } = (await ada.get<{ instance: { uuid: string } }>('session')).body;
  const asked = {
    what: 'notification',
    product,
    workspace: instance.uuid,
    language: 'fr',
    fallback: 'en',
  } as const;
  const at = async (iso: string) => {
    const now = Date.parse(iso);
    const { body, etag, until: next } = await reads.present(asked, now);
    const types = (JSON.parse(body.toString()) as { type: { name: string } }[]).map(({ type }) => type.name);
    const known = await reads.etag(asked, now);
    expect(known).toEqual({ etag, ...(next !== undefined && { until: next }) });
    return {
      types,
      etag,
      left: next === undefined ? undefined : next - now,
      maxAge: maxAgeOf({ until: next }, now),
    };
  };
  const seen = [
    await at('2031-12-24T17:58:00Z'),
    await at('2031-12-24T17:59:59.999Z'),
    await at('2031-12-24T18:00:00Z'),
    await at('2031-12-26T10:59:30Z'),
    await at('2031-12-26T11:00:00Z'),
    await at('2031-12-26T23:59:59.999Z'),
    await at('2031-12-27T00:00:00Z'),
    await at('2041-12-27T00:00:00Z'),
  ];
  expect(seen.map(({ types }) => types.join())).toEqual([
    '',
    '',
    'banner',
    'banner',
    'banner,login',
    'banner,login',
    'login',
    'login',
  ]);
  expect(seen.map(({ maxAge }) => maxAge)).toEqual([60, 0, 60, 30, 60, 0, 60, 60]);
  const etags = seen.map(({ etag }) => etag);
  expect(etags.map((etag) => etags.indexOf(etag))).toEqual([0, 0, 2, 2, 4, 4, 6, 6]);
});

test('a text is kept while a notification shows it, and only CMS texts of the product can be shown', async () => {
  const shop = await openShop(ada);
  const uuid = await shop.addText('sale', { en: '# Sale' }, true);
  const id = await shop.notify({ cms: { uuid } });
  const refused = await ada.post('i18n/delete', { uuid });
  expect([refused.status, refused.body]).toEqual([
    409,
    {
      msg: 'the notification banner shows this text: choose another text there, or delete it first',
      heldBy: [
        { category: 'notification', id, name: 'banner', within: [{ category: 'product', id: shop.product }] },
      ],
    },
  ]);
  const { body: shown } = await ada.post('notification/detail', { id });
  expect(shown).toMatchObject({
    cms: { id: uuid, name: 'sale', uuid, key: 'sale' },
    type: { id: 1, name: 'banner' },
  });
  const elsewhere = await openShop(ada);
  const wrong = {
    'cms.id': [
      await shop.addText('title', { en: 'Title' }),
      await elsewhere.addText('other', { en: 'x' }, true),
      uuidv7(),
    ],
  };
  for (const cms of wrong['cms.id'])
    expect(
      await ada.post('notification/insert', {
        data: { ...plainNotification, cms: { uuid: cms } },
        product: { id: shop.product },
      }),
    ).toMatchObject({ status: 400, body: { data: { 'cms.id': expect.any(String) } } });
  await shop.ask('notification/delete', { id });
  await shop.ask('i18n/delete', { uuid });
  await shop.ask('notification/restore', { id });
  expect((await ada.post('notification/detail', { id })).body).toMatchObject({ cms: { id: uuid, uuid } });
  const gone = await read(`notification/${shop.product}/en`, shop.token);
  expect(gone.body).toEqual([]);
});

test('answers about records carry their id as uuid too', async () => {
  const shop = await openShop(ada, 'Two names');
  const cms = await shop.addText('terms', { en: 'Terms' }, true);
  const id = await shop.notify({ cms: { id: cms } });
  const of = { product: { id: shop.product } };
  const shown = [
    await shop.ask('notification/detail', { id }),
    (await shop.ask<object[]>('notification/list', of))[0],
    (await shop.ask<{ rows: object[] }>('notification/page', of)).rows[0],
  ];
  for (const one of shown) expect(one).toMatchObject({ id, uuid: id });
});

test('members change notifications and see the preview, and get no tokens', async () => {
  const shop = await openShop(ada);
  const mia = await world.backend.signIn({ email: 'mia@example.org', role: 'member' });
  const cms = { uuid: await shop.addText('sale', { en: '# Sale', fr: '# Soldes' }, true) };
  const data = { ...plainNotification, cms, dateEnd: '2020-01-01' };
  const { status, body } = await mia.post<{ id: string }>('notification/insert', {
    data: { ...data, product: { id: shop.product } },
  });
  expect(status).toBe(200);
  const preview = await mia.post('notification/preview', { product: { id: shop.product }, language: 2 });
  expect(preview.body).toEqual([
    {
      uuid: body.id,
      type: { id: 1, name: 'banner' },
      status: { id: 1, name: 'pending' },
      cms: { uuid: cms.uuid, key: 'sale' },
      isValidationRequired: false,
      dateStart: '',
      dateEnd: '2020-01-01',
      language: 'fr',
      text: '# Soldes',
    },
  ]);
  const wrong = await mia.post('notification/update', {
    id: body.id,
    data: { ...data, dateStart: '2020-01-02' },
  });
  expect(wrong).toMatchObject({
    status: 400,
    body: { data: { dateEnd: expect.stringContaining('before') } },
  });
  expect(
    (await mia.post('notification/update', { id: body.id, data: { ...data, dateEnd: '' } })).status,
  ).toBe(200);
  expect((await mia.post('notification/delete', { id: body.id })).status).toBe(200);
  for (const [path, input] of [
    ['list', { product: { id: shop.product } }],
    ['issue', { product: { id: shop.product } }],
    ['revoke', { id: shop.tokenId }],
  ] as const)
    expect((await mia.post(`public-token/${path}`, input)).status).toBe(403);
});

describe('what a product has already', () => {
  /** Each step changes what one of the three reads answers. */
  const steps = (shop: Shop) => {
    const ids = { text: '', cms: '', notification: '', second: '' };
    const unit = async (uuid: string) => {
      const { units } = await shop.ask<{ units: { id: string }[] }>('i18n/detail', { uuid });
      return units[0]?.id ?? '';
    };
    return [
      ['i18n', async () => (ids.text = await shop.addText('title', { en: 'Your order' }))],
      [
        'i18n',
        async () => shop.ask('i18n/insert/unit', { i18nKey: ids.text, name: 'Votre commande', language: 2 }),
      ],
      ['i18n', async () => shop.ask('i18n/update/unit', { id: await unit(ids.text), name: 'Order' })],
      ['i18n', async () => shop.ask('i18n/update', { uuid: ids.text, data: { key: 'heading' } })],
      ['i18n', async () => shop.addText('older', { fr: 'Ancien' })],
      // Not the newest one.
      ['i18n', async () => shop.ask('i18n/delete', { uuid: ids.text })],
      ['i18n', async () => shop.ask('i18n/restore', { uuid: ids.text })],
      ['cms', async () => (ids.cms = await shop.addText('sale', { en: '# Sale' }, true))],
      ['notification', async () => (ids.notification = await shop.notify({ cms: { uuid: ids.cms } }))],
      [
        'notification',
        async () => (ids.second = await shop.notify({ cms: { uuid: ids.cms }, type: { id: 2 } })),
      ],
      [
        'notification',
        async () => shop.update(ids.notification, { cms: { id: ids.cms }, isValidationRequired: true }),
      ],
      [
        'notification',
        async () => shop.ask('i18n/update/unit', { id: await unit(ids.cms), name: '# Winter sale' }),
      ],
      ['cms', async () => shop.ask('i18n/insert/unit', { i18nKey: ids.cms, name: '# Soldes', language: 2 })],
      ['notification', async () => shop.ask('notification/delete', { id: ids.notification })],
      ['notification', async () => shop.ask('notification/restore', { id: ids.notification })],
      ['notification', async () => shop.update(ids.second, { cms: { id: ids.cms }, type: { id: 4 } })],
      [
        'notification',
        async () => shop.update(ids.second, { cms: { id: ids.cms }, type: { id: 4 }, dateEnd: '2020-01-01' }),
      ],
      [
        'notification',
        async () => shop.update(ids.second, { cms: { id: ids.cms }, type: { id: 4 }, dateEnd: '' }),
      ],
      ['cms', async () => shop.addText('imprint', { en: 'Imprint' }, true)],
      ['i18n', async () => shop.addText('footer', { en: 'Footer', fr: 'Pied de page' })],
    ] as const satisfies readonly (readonly [string, () => Promise<unknown>])[];
  };

  test('is not sent again until it changes, is the same in two processes, and can be read again later', async () => {
    const shop = await openShop(ada);
    const kinds = ['i18n', 'cms', 'notification'] as const;
    const all = async (query = ''): Promise<Read[]> =>
      Promise.all(kinds.map((kind) => read(`${kind}/${shop.product}/fr${query}`, shop.token)));
    const kept: { position: string; answers: Read[] }[] = [];
    let before = await all();
    for (const [kind, step] of steps(shop)) {
      await step();
      const { headers } = await ada.post('product/list');
      const after = await all();
      const at = kinds.indexOf(kind);
      const [was, now] = [before[at]!, after[at]!];
      // What a French user reads does not change with every change, but the ETag does.
      expect([kind, now.status, now.etag === was.etag]).toEqual([kind, 200, false]);
      for (const [index, one] of after.entries()) {
        const path = `${kinds[index]}/${shop.product}/fr`;
        const again = await read(path, shop.token, { 'if-none-match': `"other", W/${one.etag}` });
        expect([again.status, again.text, again.etag]).toEqual([304, '', one.etag]);
        await until(async () => (await there(path, shop.token)).etag === one.etag);
        expect((await there(path, shop.token)).text).toBe(one.text);
      }
      const outdated = await read(`${kind}/${shop.product}/fr`, shop.token, { 'if-none-match': was.etag });
      expect(outdated.status).toBe(200);
      kept.push({ position: headers.get('x-position') ?? '', answers: after });
      before = after;
    }
    expect(kept).toHaveLength(20);
    for (const { position, answers } of kept) {
      const later = await all(`?at=${position}`);
      expect(later.map(({ status, text, etag }) => [status, text, etag])).toEqual(
        answers.map(({ status, text, etag }) => [status, text, etag]),
      );
    }
    expect(kept.at(-1)?.answers.map(({ body }) => body)).toEqual([
      { footer: 'Pied de page', heading: 'Votre commande', older: 'Ancien' },
      { imprint: 'Imprint', sale: '# Soldes' },
      [
        expect.objectContaining({
          type: { id: 1, name: 'banner' },
          status: { id: 1, name: 'pending' },
          isValidationRequired: true,
          cms: { uuid: expect.any(String), key: 'sale' },
          language: 'fr',
          text: '# Soldes',
        }),
        expect.objectContaining({ type: { id: 4, name: 'other' } }),
      ],
    ]);
  });

  test('costs no query', async () => {
    const shop = await openShop(ada);
    await shop.addText('title', { en: 'Your order' });
    const paths = ['i18n', 'cms', 'notification'].map((kind) => `${kind}/${shop.product}/en`);
    const first = await Promise.all(paths.map((path) => read(path, shop.token)));
    const query = jest.spyOn(world.backend.resources.pool, 'query');
    for (const [at, path] of paths.entries()) {
      const etag = first[at]?.etag ?? '';
      expect((await read(path, shop.token, { 'if-none-match': etag })).status).toBe(304);
      expect((await read(path, shop.token)).text).toBe(first[at]?.text);
    }
    const queries = query.mock.calls.map(([asked]) => JSON.stringify(asked));
    query.mockRestore();
    // Meanwhile the read models check how far they have followed the log.
    expect(queries.filter((text) => /read\.(?!log\b|positions\b)|public_tokens/.test(text))).toEqual([]);
  });
});
