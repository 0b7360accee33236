/** Commands and documents as other programs write them, and such that want to do harm. covers: REQ-01 */
import { readImport, type ReadImport } from './import.jobs';

/** As it leaves the thread, which cannot pass functions on. */
const read = (source: 'curl' | 'openapi', text: string) => {
  const result = structuredClone(readImport.work({ source, text })) as ReadImport;
  return result.is === 'read'
    ? { ...result.imported, reason: '' }
    : { requests: [], notes: [], reason: result.reason };
};
const one = (text: string) => {
  const { requests, reason } = read('curl', text);
  expect(reason).toBe('');
  const [{ method, host, url, body, params } = {} as (typeof requests)[number]] = requests;
  return { method, host, url, body, params: params.map(({ name, value }) => `${name}: ${value}`) };
};

describe('a command copied from', () => {
  it('a browser on Windows, for cmd.exe', () => {
    const text = [
      'curl ^"https://api.example.org/orders?a=1^&b=50^%^25^" ^',
      '  -X ^"PATCH^" ^',
      '  -H ^"accept: */*^" ^',
      '  -H ^"content-type: application/json^" ^',
      '  --data-raw ^"^{^\\^"a^\\^":^\\^"it\'s ^$5^\\^",^\\^"b^\\^":^\\^"x^\\\\n^\\^"^',
      '',
      '^}^"',
    ].join('\r\n');
    expect(one(text)).toEqual({
      method: 'PATCH',
      host: 'https://api.example.org',
      url: '/orders',
      body: '{"a":"it\'s $5","b":"x\\n"\n}',
      params: ['a: 1', 'b: 50%', 'accept: */*', 'content-type: application/json'],
    });
  });

  it('an older browser on Windows, with doubled quotes', () => {
    const text = 'curl "https://a.example/" ^\r\n  -H "accept: x" ^\r\n  --data "{""a"":""b""}" --compressed';
    expect(one(text)).toMatchObject({ body: '{"a":"b"}', method: 'POST' });
  });

  it('Postman', () => {
    const text = `curl --location --globoff --request PUT 'https://a.example/x?tag[]=1' \\
--header 'Content-Type: application/json' \\
--data-raw '{
    "name": "it'\\''s"
}'`;
    expect(one(text)).toMatchObject({ method: 'PUT', body: '{\n    "name": "it\'s"\n}', url: '/x' });
  });

  it('a browser elsewhere, with a body of several lines', () => {
    const text = `curl 'https://a.example/x' \\\n  -H 'x: \\"1\\"' \\\n  --data-raw $'a\\u0027b\\r\\nc' \\\n  --insecure-not`;
    expect(read('curl', text).reason).toBe('the option --insecure-not is not known here: leave it out');
    expect(one(text.replace(' \\\n  --insecure-not', ''))).toMatchObject({ body: "a'b\r\nc" });
  });

  it('documentation, with a prompt and what follows the command', () => {
    const text = `$ curl -s https://a.example/x -H "Authorization: Bearer $TOKEN" | jq '.items' > out.json`;
    expect(one(text)).toMatchObject({
      url: '/x',
      params: ['Authorization: Bearer {{secret.authorization}}'],
    });
  });
});

it.each([
  [`curl a.example -d ''`, { method: 'POST', body: '' }],
  [`curl --request=DELETE a.example`, { method: 'DELETE' }],
  [`curl -o out.json --retry 3 -w '%{http_code}' a.example`, { method: 'GET', host: 'http://a.example' }],
  [`curl -XPOST -H'A:b' a.example`, { method: 'POST', params: ['A: b'] }],
  [`curl --json '{}' a.example`, { params: ['Content-Type: application/json', 'Accept: application/json'] }],
  [`curl -- a.example`, { url: '/' }],
  [`curl.exe a.example`, { url: '/' }],
  [`curl 'https://a.example/\u{1f600}?q=\u00e9'`, { url: '/%F0%9F%98%80', params: ['q: \u00e9'] }],
])('%s is read', (text, wanted) => {
  expect(one(text)).toMatchObject(wanted);
});

it.each([
  ['curl --constructor a.example', 'the option --constructor is not known here: leave it out'],
  ['curl --resolve a.example:443:10.0.0.1 a.example', /looked up when it is sent/],
  ['curl a.example -H @headers.txt', /file headers.txt cannot be read/],
  ['curl a.example -b cookies.txt', /file cookies.txt cannot be read/],
  ['curl a.example --data-urlencode body@file', /file file cannot be read/],
  ['curl a.example --json @file', /file file cannot be read/],
  ['curl a.example -H', /-H needs a value/],
  ['curl --cert a.pem a.example', /certificate of the caller/],
  ['curl https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0/getMe', /is left out/],
])('%s is refused', (text, reason) => {
  expect(read('curl', text).reason).toMatch(reason);
});

it('a body with a secret is left out, and the note says why', () => {
  const key = `sk_live_${'0'.repeat(16)}`;
  const { requests, notes } = read('curl', `curl https://a.example -d '{"key": "${key}"}'`);
  expect(requests).toMatchObject([{ method: 'POST', body: '' }]);
  expect(notes.join('\n')).toMatch(/body of POST \/ is left out.*Save it as a secret/);
  expect(notes.join('\n')).not.toContain(key);
});

describe('a document', () => {
  const withSchema = (schema: object, components: object = {}) => ({
    openapi: '3.1.0',
    servers: [{ url: 'https://a.example' }],
    paths: { '/x': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
    components: { schemas: components },
  });
  const bodyOf = (document: object) => {
    const { requests, notes, reason } = read('openapi', JSON.stringify(document));
    expect(reason).toBe('');
    return { body: requests[0]?.body, notes: notes.join('\n') };
  };
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

  it('with a schema that names itself in many places ends, without an example', () => {
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, ref('A')]));
    const { body, notes } = bodyOf(withSchema(ref('A'), { A: { properties } }));
    expect(body).toBe('');
    expect(notes).toMatch(/more than 2000 values, or one that contains itself/);
  });

  it('with references in a circle, to nowhere, or that are no address, ends', () => {
    for (const to of [
      '#/components/schemas/B',
      '#/nowhere/at/all',
      '#/a%zz',
      '#',
      'https://evil.example/x.json',
    ])
      expect(bodyOf(withSchema({ $ref: to }, { B: ref('C'), C: ref('B') })).body).toBe('');
  });

  it('with names that every object has means nothing by them', () => {
    const document = {
      openapi: '3.0.0',
      servers: [{ url: 'https://a.example' }],
      paths: {
        '/x': {
          get: {
            parameters: [
              { name: 'a', in: 'constructor', schema: { type: 'string' } },
              { name: 'b', in: 'query', schema: { type: 'constructor' } },
              { name: 'c', in: 'query', schema: { $ref: '#/constructor/name' } },
            ],
          },
        },
      },
    };
    const { requests } = read('openapi', JSON.stringify(document));
    expect(requests[0]?.params.map(({ name, dataType }) => [name, dataType])).toEqual([
      ['b', 1],
      ['c', 1],
    ]);
  });

  it('in YAML whose value contains itself, or unpacks without end, ends', () => {
    const head = 'openapi: 3.0.0\nservers: [{url: "https://a.example"}]\n';
    const posts = (example: string) =>
      `${head}paths:\n  /x:\n    post:\n      requestBody:\n        content:\n          application/json:\n            example: ${example}\n`;
    const itself = read('openapi', posts('&a {b: *a}'));
    expect(itself.requests).toMatchObject([{ body: '' }]);
    expect(itself.notes.join()).toMatch(/contains itself/);
    const lists = Array.from({ length: 12 }, (_, at) =>
      at === 0
        ? `x0: &a0 [x, x, x]`
        : `x${at}: &a${at} [${Array(10)
            .fill(`*a${at - 1}`)
            .join(', ')}]`,
    );
    expect(read('openapi', `${head}${lists.join('\n')}\npaths: {}\n`).reason).toMatch(
      /neither JSON nor YAML/,
    );
  });

  it('that is deep, long or no document is refused', () => {
    for (const text of [
      '['.repeat(200_000),
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      'null',
      '"3.0"',
      '- a',
    ])
      expect(read('openapi', text).reason).not.toBe('');
  });

  it('gives examples of composed schemas, of types since 3.1, and without what only answers have', () => {
    const { body } = bodyOf(
      withSchema(
        {
          allOf: [ref('Base'), { properties: { name: { type: ['null', 'string'], examples: ['Ada'] } } }],
          properties: {
            kind: { oneOf: [{ const: 'new' }, { const: 'old' }] },
            n: { type: ['integer', 'null'] },
          },
        },
        { Base: { properties: { id: { type: 'integer', readOnly: true }, on: { type: 'boolean' } } } },
      ),
    );
    expect(JSON.parse(body ?? '')).toEqual({ on: false, name: 'Ada', kind: 'new', n: 0 });
  });

  it('names its parameters so that the path can name them, and says what it leaves out', () => {
    const document = {
      openapi: '3.0.0',
      servers: [{ url: 'https://a.example/v1/' }],
      paths: {
        '/a/{order id}': {
          parameters: [{ name: 'order id', in: 'path', required: true, examples: { one: { value: 7 } } }],
          options: {},
          get: { summary: '   ' },
        },
        'no slash#': { get: {} },
      },
    };
    const { requests, notes } = read('openapi', JSON.stringify(document));
    expect(requests).toMatchObject([
      { name: 'GET /a/{order id}', url: '/v1/a/{{order_id}}', params: [{ name: 'order_id', value: '7' }] },
    ]);
    expect(notes.join('\n')).toMatch(/OPTIONS .* is left out/);
    expect(notes.join('\n')).toMatch(/The request GET no slash# is left out: a path has no spaces/);
  });

  it('with more calls than are imported at once is refused with their number', () => {
    const paths = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`/${at}`, { get: {} }]));
    expect(read('openapi', JSON.stringify({ openapi: '3.0.0', paths })).reason).toMatch(
      /describes 201 calls/,
    );
  });
});
