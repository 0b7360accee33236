import { createServer, type AddressInfo } from 'node:net';
import { claimPlace, placeProblem } from './port.program';

test('a free port can still be used afterwards', async () => {
  await claimPlace({ PORT: 0, HOST: '127.0.0.1' });
  await claimPlace({ PORT: 0, HOST: 'localhost' });
});

test('a port in use is reported', async () => {
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  const { port } = taken.address() as AddressInfo;
  await expect(claimPlace({ PORT: port, HOST: '127.0.0.1' })).rejects.toMatchObject({
    exitCode: 78,
    message: `PORT=${port} is taken on 127.0.0.1; set PORT to another one, or to 0 for any that is free`,
  });
  await new Promise((closed) => taken.close(closed));
});

test('an address that this machine does not have is reported', async () => {
  await expect(claimPlace({ PORT: 0, HOST: '192.0.2.1' })).rejects.toMatchObject({
    exitCode: 78,
    message: expect.stringMatching(/^HOST=192\.0\.2\.1 is not an address of this machine; set HOST to one/),
  });
});

test.each([
  ['EACCES', 'PORT=80 must not be used by this user; set PORT to 1024 or above'],
  ['ENOTFOUND', 'HOST=console is a name without an address; set HOST to an address, such as 127.0.0.1'],
])('other problems with them are reported: %s', (code, message) => {
  const error = Object.assign(new Error(code), { code });
  expect(placeProblem({ PORT: 80, HOST: 'console' }, error)).toMatchObject({ exitCode: 78, message });
});

test('anything else is unforeseen', () => {
  const error = new Error('ours');
  expect(placeProblem({ PORT: 80, HOST: 'console' }, error)).toBe(error);
});
