import { pointingWords } from './placement-words';

const at = (address: string) => ({ address, family: 4 as const });

test.each([
  [[], 'DNS points to its server: 10.0.0.1, 10.0.0.2'],
  [[at('10.0.0.2')], 'DNS points to its server: 10.0.0.1, 10.0.0.2; not of its server: 10.0.0.2'],
])('addresses of other machines than the server are named (%#)', (elsewhere, words) => {
  const found = { outcome: 'found' as const, addresses: [at('10.0.0.1'), at('10.0.0.2')], pointsHere: true };
  expect(pointingWords({ ...found, ...(elsewhere.length > 0 && { elsewhere }) })).toBe(words);
});

test('an address of another machine is named once', () => {
  const addresses = [at('10.0.0.9')];
  expect(pointingWords({ outcome: 'found', addresses, pointsHere: false, elsewhere: addresses })).toBe(
    'DNS points to 10.0.0.9, which is not its server',
  );
});
