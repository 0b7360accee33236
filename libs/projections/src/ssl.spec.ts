import { problemsOf, type SslCheck } from './ssl';

const check = (serverName: string, more: Partial<SslCheck> = {}): SslCheck => ({
  domain: serverName,
  serverName,
  ...more,
});

test('problems are listed the worst first, without what is fine, waits, or was removed', () => {
  const found = (label: 'valid' | 'expiring' | 'expired' | 'unchecked', valid: boolean, code?: string) => ({
    found: { label, valid, ...(code !== undefined && { code }) },
  });
  const checks = [
    check('fine', found('valid', true)),
    check('soon', found('expiring', true)),
    check('silent', found('unchecked', false, 'refused')),
    check('gone', found('unchecked', false, 'removed')),
    check('other-name', found('valid', false, 'wrongName')),
    check('unrenewed', { ...found('valid', true), renewal: { is: 'failed' } }),
    check('waiting'),
    check('old', found('expired', false)),
  ];
  const names = (most: number) => problemsOf(checks, most).map(({ serverName }) => serverName);
  expect(names(9)).toEqual(['old', 'unrenewed', 'other-name', 'silent', 'soon']);
  expect(names(2)).toEqual(['old', 'unrenewed']);
});
