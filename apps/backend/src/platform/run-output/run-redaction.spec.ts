import fc from 'fast-check';
import { Redactor, secretsOf } from './run-redaction';

const key = [
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW',
  'QyNTUxOQAAACDkZ2VzAAAAB3NzaC1lZDI1NTE5AAAAIA==',
  '-----END OPENSSH PRIVATE KEY-----',
].join('\n');
const secrets = secretsOf({ privateKey: key, passphrase: 'correct horse' });

const fed = (known: readonly string[], pieces: readonly string[]): string => {
  const redactor = new Redactor(known);
  const shown = pieces.map((piece) => redactor.push(piece)).join('');
  return shown + redactor.end();
};

/** Cuts the text into pieces of the given sizes, repeatedly. */
const cut = (text: string, sizes: readonly number[]): string[] => {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
};

/** The output when the text is fed in pieces of this size. */
const redacted = (text: string, size: number): string => fed(secrets, cut(text, [size]));

/**
 * A reference implementation: a character is masked if any occurrence contains it.
 * @param late secrets whose occurrences count from an index on
 */
const maskedByHand = (
  known: readonly string[],
  text: string,
  late: { more: readonly string[]; from: number } = { more: [], from: 0 },
): string => {
  const mark = known.some((secret) => secret.includes('*')) ? '█' : '*';
  const joined = new Set<number>();
  const covered = new Set<number>();
  const begins = [
    ...known.map((secret) => [secret, 0] as const),
    ...late.more.map((secret) => [secret, late.from] as const),
  ];
  for (const [secret, from] of begins)
    for (let at = text.indexOf(secret, from); at >= 0; at = text.indexOf(secret, at + 1))
      for (let i = at; i < at + secret.length; i++) {
        covered.add(i);
        if (i > at) joined.add(i);
      }
  return Array.from({ length: text.length }, (_, i) =>
    covered.has(i) ? (joined.has(i) ? '' : mark.repeat(7)) : text.charAt(i),
  ).join('');
};

describe('secrets in output', () => {
  const text = `before\n${key}\nand indented:\n  ${key.replaceAll('\n', '\r\n  ')}\npass=correct horse; after correct`;

  test.each([1, 2, 3, 7, 16, 64, 70, 100, 5000])(
    'are masked wherever chunks of %d characters end',
    (size) => {
      const shown = redacted(text, size);
      for (const secret of secrets) expect(shown).not.toContain(secret);
      expect(shown).toBe(redacted(text, text.length));
      expect(shown).toContain('pass=*******; after correct');
    },
  );

  test('leave other text unchanged', () => {
    const plain = 'total 12\ndrwxr-xr-x 2 root root 4096 static\n'.repeat(50);
    expect(redacted(plain, 13)).toBe(plain);
  });

  test('hold back text only while it may be the beginning of a secret', () => {
    const redactor = new Redactor(['secret']);
    expect(redactor.push('a sec')).toBe('a ');
    expect(redactor.push('ond')).toBe('second');
    expect(redactor.end()).toBe('');
  });

  test('that begin with another secret leave no tail, wherever the text is cut', () => {
    for (const pieces of [['abcdef'], ['abc', 'def'], ['a', 'b', 'c', 'd', 'e', 'f']])
      expect(fed(['abc', 'abcdef'], pieces)).toBe('*******');
    expect(fed(['abc', 'abcdef'], ['abc', 'deg'])).toBe('*******deg');
    expect(fed(['abc', 'xabcy'], ['xabc', 'z'])).toBe('x*******z');
  });

  test('that overlap are masked to the last character of both', () => {
    expect(fed(['abcd', 'cdef'], ['abcd', 'ef'])).toBe('*******');
    expect(fed(['abab'], ['ab', 'ababab', 'ac'])).toBe('*******ac');
    expect(fed(['abcd'], ['abcdab', 'cd'])).toBe('**************');
  });

  test('that become known later are masked in held back text and in what follows', () => {
    const redactor = new Redactor(['correct horse']);
    expect(redactor.push('a token and correct ho')).toBe('a token and ');
    redactor.renew(['correct horse', 'token', 'host of', 'et h']);
    expect(redactor.push('st o')).toBe('correct ');
    expect(redactor.push('f a tok') + redactor.push('en')).toBe('******* a *******');
    expect(redactor.push('correct ho')).toBe('');
    redactor.renew(['correct horse', 'token', 'host of', 'ct h']);
    expect(redactor.push('rse') + redactor.end()).toBe('*******');
  });

  test('that look like the mask get another mask', () => {
    const shown = fed(['*******', 'a*******b', 'secret'], ['a', 'secret', 'b *******']);
    expect(shown).toBe('a███████b ███████');
  });

  /** Few letters, so that secrets begin, end, contain and overlap one another. */
  const letters = (least: number, most: number) =>
    fc
      .array(fc.constantFrom('a', 'b', 'c', '*', '\n', '💡'), { minLength: least, maxLength: most })
      .map((all) => all.join(''));

  test('are masked from the time at which they become known, wherever the text is cut', () => {
    const some = fc.array(letters(1, 8), { minLength: 1, maxLength: 5 });
    const cases = fc.tuple(some, some).chain(([known, more]) => {
      const text = fc
        .array(fc.oneof(fc.constantFrom(...known, ...more), letters(0, 4)), { maxLength: 12 })
        .map((parts) => parts.join(''));
      const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
      return fc.tuple(fc.constant(['*', ...known]), fc.constant(more), text, text, sizes);
    });
    fc.assert(
      fc.property(cases, ([known, more, before, after, sizes]) => {
        const redactor = new Redactor(known);
        let shown = cut(before, sizes)
          .map((piece) => redactor.push(piece))
          .join('');
        redactor.renew([...known, ...more]);
        shown += cut(after, sizes)
          .map((piece) => redactor.push(piece))
          .join('');
        shown += redactor.end();
        const text = before + after;
        // What may be the beginning of a secret that was known is still held back then.
        const begun = (length: number) =>
          known.some((one) => one.length > length && one.startsWith(before.slice(before.length - length)));
        let held = before.length;
        while (!begun(held)) held -= 1;
        expect(shown).toBe(maskedByHand(known, text, { more, from: before.length - held }));
      }),
      { numRuns: 3_000 },
    );
  });

  test('are found the same way however the text is cut, and no part of an occurrence is left', () => {
    const several = fc.array(letters(1, 8), { minLength: 1, maxLength: 8 });
    // Text is only skipped if no secret is very short.
    const longer = fc.array(letters(3, 12), { minLength: 1, maxLength: 3 });
    const cases = fc.oneof(several, longer).chain((known) =>
      fc.tuple(
        fc.constant(known),
        fc
          .array(fc.oneof(fc.constantFrom(...known), letters(0, 4), letters(10, 30)), { maxLength: 20 })
          .map((parts) => parts.join('')),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
      ),
    );
    fc.assert(
      fc.property(cases, ([known, planted, one, other]) => {
        const shown = fed(known, cut(planted, one));
        expect(shown).toBe(fed(known, cut(planted, other)));
        expect(shown).toBe(maskedByHand(known, planted));
        for (const secret of known) expect(shown).not.toContain(secret);
      }),
      { numRuns: 3_000 },
    );
  });

  test('of several lines are masked by each line', () => {
    const known = secretsOf({ privateKey: '', passphrase: 'first line of it\r\nend\n  second line of it\n' });
    expect(fed(known, ['> second line of it\nend\n'])).toBe('> *******\nend\n');
  });

  test('that are too short to be recognised are left', () => {
    expect(secretsOf({ privateKey: '', passphrase: 'abc' })).toEqual([]);
  });
});
