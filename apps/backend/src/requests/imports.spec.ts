/** Requests from curl commands and OpenAPI documents. covers: REQ-01 */
import { fromCurl } from './import-curl';
import { fromOpenApi } from './import-openapi';
import { acceptable } from './import-words';
import { shellWords } from './shell-words';

const only = (text: string) => acceptable(fromCurl(text)).requests[0]!;
const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as { data?: { text?: string } }).data?.text ?? String(error);
  }
  return 'nothing was refused';
};

describe('the words of a command', () => {
  it.each([
    [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
    [`a\\ b`, ['a b']],
    [`'it'\\''s'`, [`it's`]],
    [`$'a\\nb\\u0021'`, ['a\nb!']],
    [`"a \\"b\\" \\$c"`, ['a "b" $c']],
    ['a \\\n  b', ['a', 'b']],
    [`'' ""`, ['', '']],
    [`-d'{"a": 1}'`, [`-d{"a": 1}`]],
  ])('of %s are those of a shell', (text, words) => {
    expect(shellWords(text)).toEqual(words);
  });

  it('need closed quotes', () => {
    expect(refusal(() => shellWords(`curl 'http`))).toMatch(/quote is not closed/);
  });
});

describe('a curl command', () => {
  it('as a browser copies it becomes a request with headers and a body', () => {
    const { method, host, url, body, params } = only(
      `curl 'https://api.example.org:8443/orders?open=1&q=a%20b' \\\n  -X PUT -H 'accept: application/json' -H 'content-type: application/json' --data-raw $'{"a":"it\\'s"}' --compressed`,
    );
    expect({ method, host, url, body }).toEqual({
      method: 'PUT',
      host: 'https://api.example.org:8443',
      url: '/orders',
      body: `{"a":"it's"}`,
    });
    expect(params.map(({ name, location, value }) => [name, location, value])).toEqual([
      ['open', 3, '1'],
      ['q', 3, 'a b'],
      ['accept', 2, 'application/json'],
      ['content-type', 2, 'application/json'],
    ]);
  });

  it('leaves credentials out and names secrets instead', () => {
    const { requests, notes } = acceptable(
      fromCurl(`curl https://api.example.org -u ada:secret -H 'X-Api-Key: abc' -H 'Host: other' -b 'sid=1'`),
    );
    expect(requests[0]?.params.map(({ name, value }) => [name, value])).toEqual([
      ['X-Api-Key', '{{secret.x_api_key}}'],
      ['Authorization', '{{secret.authorization}}'],
      ['Cookie', '{{secret.cookie}}'],
    ]);
    expect(notes).toHaveLength(4);
    expect(JSON.stringify({ requests, notes })).not.toMatch(/abc|sid=1|secret"|YWRh/);
  });

  it.each([
    [`curl a.example -d x=1 -d y=2`, 'POST', 'x=1&y=2'],
    [`curl a.example -G -d x=1`, 'GET', ''],
    [`curl -I a.example`, 'HEAD', ''],
    [`curl a.example --json '{}'`, 'POST', '{}'],
    [`curl a.example --data-urlencode 'q=a b&c'`, 'POST', 'q=a%20b%26c'],
    [`curl -sSLXDELETE a.example`, 'DELETE', ''],
  ])('%s is a %s', (text, method, body) => {
    expect(only(text)).toMatchObject({ method, body, host: 'http://a.example' });
  });

  it.each([
    ['wget https://a.example', /begins with curl/],
    ['curl', /names no address/],
    ['curl a.example b.example', /several addresses/],
    ['curl a.example -d @file.json', /file file.json cannot be read/],
    ['curl a.example -F file=@x', /forms with files/],
    ['curl -k a.example', /certificates are always checked/],
    ['curl https://ada:pass@a.example', /in a header, from a secret/],
    ['curl -X TRACE a.example', /TRACE cannot be sent/],
  ])('%s is refused with the reason', (text, reason) => {
    expect(refusal(() => only(text))).toMatch(reason);
  });
});

describe('an OpenAPI document', () => {
  const document = {
    openapi: '3.1.0',
    servers: [{ url: 'https://{stage}.example.org/v1', variables: { stage: { default: 'dev' } } }],
    paths: {
      '/orders/{id}': {
        parameters: [{ $ref: '#/components/parameters/Id' }],
        get: {
          summary: 'One order',
          parameters: [{ name: 'full', in: 'query', schema: { type: 'boolean' } }],
        },
        put: {
          operationId: 'putOrder',
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
        },
      },
    },
    components: {
      parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, example: 7 } },
      schemas: {
        Order: {
          type: 'object',
          properties: {
            name: { type: 'string', example: 'Ada' },
            parent: { $ref: '#/components/schemas/Order' },
          },
        },
      },
    },
  };

  it('becomes a request for each call, and a schema that contains itself ends', () => {
    const { requests } = acceptable(fromOpenApi(JSON.stringify(document)));
    expect(requests.map(({ name, method, host, url }) => ({ name, method, host, url }))).toEqual([
      { name: 'One order', method: 'GET', host: 'https://dev.example.org', url: '/v1/orders/{{id}}' },
      { name: 'putOrder', method: 'PUT', host: 'https://dev.example.org', url: '/v1/orders/{{id}}' },
    ]);
    expect(requests[0]?.params).toMatchObject([
      { name: 'id', location: 1, dataType: 2, isOptional: false, value: '7' },
      { name: 'full', location: 3, isOptional: true },
    ]);
    expect(JSON.parse(requests[1]?.body ?? '')).toMatchObject({ name: 'Ada', parent: { name: 'Ada' } });
  });

  it('in YAML is read too, and a reference elsewhere is not followed', () => {
    const { requests, notes } = fromOpenApi(
      'openapi: 3.0.3\npaths:\n  /a:\n    get:\n      parameters:\n        - $ref: "https://evil.example/x.json"\n',
    );
    expect(requests).toMatchObject([{ name: 'GET /a', host: '', params: [] }]);
    expect(notes.join(' ')).toMatch(/evil\.example.*not followed/);
    expect(notes.join(' ')).toMatch(/add the host/);
  });

  it.each([
    ['{"swagger": "2.0"}', /version 3 is expected/],
    ['{"openapi": "3.0.0"}', /describes no calls/],
    ['a: [', /neither JSON nor YAML/],
  ])('%s is refused', (text, reason) => {
    expect(refusal(() => fromOpenApi(text))).toMatch(reason);
  });
});
