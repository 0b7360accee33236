// covers: SRV-04
import { generateKeyPairSync } from 'node:crypto';
import { signingKey } from './open-connection';

const locked = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'sesame' })
  .toString();

test('a locked key is opened once for all connections', async () => {
  const [first, second] = await Promise.all([signingKey(locked, 'sesame'), signingKey(locked, 'sesame')]);
  expect(second).toBe(first);
  expect(await signingKey(locked, 'sesame')).toBe(first);
});

test('nobody gets it without its passphrase, and a failure is not kept', async () => {
  await signingKey(locked, 'sesame');
  const refusals = await Promise.allSettled([signingKey(locked, 'other'), signingKey(locked)]);
  expect(refusals.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(signingKey(locked, 'other')).rejects.toMatchObject({ code: 'passphraseWrong' });
});
