/** What a saved request sends: names filled in, and what they must not change. covers: REQ-02 */
import { readyOf } from './ready-request';
import { bodyHasSecret, planOf, type ParamView, type RequestView } from './request-plan';
import { filledIn } from './request-values';

const saved = (more: Partial<RequestView> = {}): RequestView =>
  ({
    method: { id: 1 },
    host: 'https://api.example.org',
    url: '/orders',
    body: '',
    ...more,
  }) as RequestView;
const param = (name: string, location: number, value = '', more: object = {}): ParamView =>
  ({
    inOrOut: true,
    input: { name, paramType: { id: location } },
    output: null,
    value,
    isOptional: false,
    dataType: { id: 1 },
    ...more,
  }) as ParamView;

interface PlanValues {
  inputs?: Record<string, string>;
  variables?: Record<string, string>;
  secrets?: string[];
  taken?: string[];
}
const plan = (request: RequestView, params: ParamView[] = [], known: PlanValues = {}) =>
  planOf(request, params, {
    inputs: new Map(Object.entries(known.inputs ?? {})),
    variables: new Map(Object.entries(known.variables ?? {})),
    secrets: new Set(known.secrets),
    taken: new Set(known.taken),
  });
const ready = (
  request: RequestView,
  params: ParamView[] = [],
  { later = {}, ...known }: PlanValues & { later?: Record<string, string> } = {},
) => readyOf(plan(request, params, known), (name) => later[name] ?? '');
const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    const { data, msg } = error as { data?: Record<string, string>; msg?: string };
    return data ? Object.entries(data).flat().join(': ') : (msg ?? String(error));
  }
  return 'nothing was refused';
};

describe('the address', () => {
  it.each(['.', '..', '%2e%2E'])('is not changed by %s as a value of its path', (value) => {
    const shop = saved({ url: '/shops/{{shop}}/orders' });
    // Encoded, a percent sign is no escape any more.
    if (value.startsWith('%'))
      return expect(ready(shop, [param('shop', 1, value)]).url.pathname).toBe('/shops/%252e%252E/orders');
    expect(refusal(() => ready(shop, [param('shop', 1, value)]))).toMatch(/\. or \.\. as a part of its path/);
  });

  it('stays at its host, whatever the path begins with', () => {
    const next = saved({ url: '{{next}}' });
    for (const [value, path] of [
      ['.evil.example', '/.evil.example'],
      ['@evil.example', '/%40evil.example'],
      ['//evil.example/x', '/%2F%2Fevil.example%2Fx'],
    ] as const) {
      const { host, pathname } = ready(next, [], { taken: ['next'], later: { next: value } }).url;
      expect({ host, pathname }).toEqual({ host: 'api.example.org', pathname: path });
    }
    expect(ready(next, [], { variables: { next: '.evil.example' } }).url.host).toBe('api.example.org');
  });

  it('has a host that contains no query and no fragment', () => {
    for (const base of ['https://evil.example/?x=', 'https://evil.example/#'])
      expect(refusal(() => ready(saved({ host: '{{base}}' }), [], { variables: { base } }))).toMatch(
        /is no address/,
      );
    expect(
      ready(saved({ host: '{{base}}' }), [], { variables: { base: 'https://a.example/v1' } }).url.href,
    ).toBe('https://a.example/v1/orders');
  });

  it('keeps the query of its path as it was written, before the parameters', () => {
    const { url } = ready(saved({ url: '/orders?q=a%20b&flag' }), [param('page', 3, '2 & 3')]);
    expect(url.search).toBe('?q=a%20b&flag&page=2+%26+3');
  });
});

describe('an input', () => {
  it('that the path names is sent there only', () => {
    const request = ready(saved({ method: { id: 5 } as never, url: '/orders/{{id}}' }), [
      param('id', 1, '7', { dataType: { id: 2 } }),
    ]);
    expect(request).toMatchObject({ method: 'DELETE', headers: [] });
    expect(request).not.toHaveProperty('body');
    expect(request.url.href).toBe('https://api.example.org/orders/7');
    expect(ready(saved({ url: '/{{q}}' }), [param('q', 3, 'a')]).url.search).toBe('');
  });

  it.each([
    ['Authorization', 2, 'Bearer abc', /Authorization identifies the caller/],
    ['api_key', 3, '4711', /api_key identifies the caller/],
    ['note', 1, `sk_live_${'0'.repeat(16)}`, /Save it as a secret/],
  ])('%s must not contain a secret, because it is recorded', (name, location, value, message) => {
    expect(refusal(() => plan(saved(), [param(name, location)], { inputs: { [name]: value } }))).toMatch(
      message,
    );
  });

  it('may name a secret, and may say where a list goes on', () => {
    const known = { inputs: { Authorization: 'Bearer {{secret.a}}', page_token: 'abc' }, secrets: ['a'] };
    const { headers, query } = plan(saved(), [param('Authorization', 2), param('page_token', 3)], known);
    expect({ headers, query }).toEqual({
      headers: [['Authorization', 'Bearer {{secret.a}}']],
      query: [['page_token', 'abc']],
    });
  });
});

it.each([
  ['{"a": 1}', false],
  ['{"a": "{{secret.a}}"}', true],
  ['{"a": "{{token}}"}', true],
])('a body %s goes to the first origin only: %s', (body, only) => {
  const known = { secrets: ['a'], taken: ['token'] };
  expect(bodyHasSecret(plan(saved({ method: { id: 2 } as never, body }), [], known))).toBe(only);
});

describe('names', () => {
  it('are filled in within what a variable names, and no deeper', () => {
    const variables = { a: '{{b}}', b: '{{c}}', c: 'x' };
    expect(ready(saved({ method: { id: 2 } as never, body: '{{b}}' }), [], { variables }).body).toBe('x');
    expect(refusal(() => plan(saved({ body: '{{a}}' }), [], { variables }))).toMatch(/^body: \{\{c\}\}/);
  });

  it('cannot make a short text endless', () => {
    const long = 'x'.repeat(4000);
    expect(refusal(() => filledIn('{{a}}'.repeat(4000), () => long))).toMatch(/more than 1000000 characters/);
    const variables = { a: '{{b}}'.repeat(800), b: long };
    expect(refusal(() => plan(saved({ body: '{{a}}'.repeat(4000) }), [], { variables }))).toMatch(
      /more than 1000000 characters/,
    );
  });
});
