import fc from 'fast-check';
import { because, block, comment, directive, pattern, print, text, variable, whether } from './nginx-tree';

it('Prints a tree as nginx expects it, one statement per line', () => {
  const tree = [
    comment('A site'),
    block(
      'server',
      [],
      [
        directive('listen', 80),
        block('location', ['~', pattern('\\.php$')], [directive('return', 404)]),
        block('if', [whether('qd_preflight')], [directive('return', 204)]),
        directive('return', 301, text('https://a.test:', 8443, variable('request_uri'))),
        directive('set', variable('a'), text('')),
      ],
    ),
  ];
  expect(print(tree).text).toBe(
    [
      '# A site',
      'server {',
      '    listen 80;',
      '',
      '    location ~ "\\\\.php$" {',
      '        return 404;',
      '    }',
      '',
      '    if ($qd_preflight) {',
      '        return 204;',
      '    }',
      '    return 301 "https://a.test:8443${request_uri}";',
      '    set $a "";',
      '}',
      '',
    ].join('\n'),
  );
});

it('Says which field each line belongs to; a block passes its field on to its children', () => {
  const { text: printed, origins } = print([
    directive('a'),
    ...because(
      'locations.0',
      block('b', [], [directive('c'), ...because('locations.0.url', directive('d'))]),
    ),
  ]);
  const named = printed
    .trimEnd()
    .split('\n')
    .map((line, index) => [line.trim(), origins[index]]);
  expect(named).toEqual([
    ['a;', undefined],
    ['', undefined],
    ['b {', 'locations.0'],
    ['c;', 'locations.0'],
    ['d;', 'locations.0.url'],
    ['}', 'locations.0'],
  ]);
});

/** How nginx itself reads a double-quoted string (ngx_conf_read_token). */
const asNginxReads = (quoted: string): string => quoted.slice(1, -1).replace(/\\(["\\])/g, '$1');

it('Turns any text into one quoted token that nginx reads as the same text, or refuses it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (value) => {
      const odd = /[$\p{Cc}\p{Cs}\u2028\u2029]/u.test(value);
      if (odd) return expect(() => print([directive('root', text(value))])).toThrow('cannot be used in');
      const token = print([directive('root', text(value))]).text.slice('root '.length, -2);
      expect(token).toMatch(/^"(?:[^"\\]|\\["\\])*"$/);
      expect(asNginxReads(token)).toBe(value);
    }),
    { numRuns: 1000 },
  );
});

it('Refuses a bare word of more than one token, so that operator input cannot get there by mistake', () => {
  for (const word of ['a b', 'a;', '"a"', '$a', 'a{', '#a', '', "a'", 'a\n'])
    expect(() => print([directive('root', word)])).toThrow('bare word');
  expect(() => print([directive('root', variable('a b'))])).toThrow('This variable name');
  expect(() => print([directive('root', Number.NaN)])).toThrow('number');
});

it("Refuses a text that does not fit into nginx's buffer", () => {
  expect(() => print([directive('root', text('/'.repeat(4001)))])).toThrow('A text of this length');
});

it('Keeps a comment in its line', () => {
  expect(print([comment('a\nserver {\u2028}\r\u0000')]).text).toBe('# a server { }\n');
});
