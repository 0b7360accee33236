// covers: DOM-04
import { readOwnAddresses } from './own-addresses';

test('keeps public addresses once, in order, and the families of private ones', () => {
  const printed = [
    'load1=0.4',
    'address=2606:4700::0007',
    'address=198.51.100.7',
    'address=198.51.100.7',
    'address=10.0.0.3',
    'address=fd00::7',
    'address=nonsense',
    'addresses=all',
    '',
  ];
  expect(readOwnAddresses(printed.join('\r\n'))).toEqual({
    addresses: [
      { address: '198.51.100.7', family: 4 },
      { address: '2606:4700::7', family: 6 },
    ],
    private: [4, 6],
  });
});

test('knows nothing without a complete answer', () => {
  expect(readOwnAddresses('address=198.51.100.7\n')).toBeUndefined();
  expect(readOwnAddresses('')).toBeUndefined();
  const many = Array.from({ length: 201 }, (_, index) => `address=198.51.100.${index}`);
  expect(readOwnAddresses([...many, 'addresses=all'].join('\n'))).toBeUndefined();
});
