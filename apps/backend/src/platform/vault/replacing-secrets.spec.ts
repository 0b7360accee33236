import { DomainError } from '../errors';
import { replacingSecrets } from './vault';

const [kept, old, fresh] = [{ ref: 'kept' }, { ref: 'old' }, { ref: 'new' }];

const replacing = async (work: () => Promise<string>) => {
  const shredded: string[] = [];
  const vault = { shred: async ({ ref }: { ref: string }) => void shredded.push(ref) };
  const secrets = { before: [kept, old, undefined], after: [kept, undefined, fresh] };
  const end = await replacingSecrets(vault, 'w', secrets, work).catch((error: unknown) => error);
  return { shredded, end };
};

test('shreds the replaced secrets once the new ones are recorded', async () => {
  expect(await replacing(async () => 'recorded')).toEqual({ shredded: ['old'], end: 'recorded' });
});

test('shreds the new secrets if they are refused', async () => {
  const refusal = new DomainError('conflict', 'changed in the meantime');
  expect(await replacing(() => Promise.reject(refusal))).toEqual({ shredded: ['new'], end: refusal });
});

test('shreds nothing if nobody knows whether they were recorded', async () => {
  const outage = new Error('connection lost');
  expect(await replacing(() => Promise.reject(outage))).toEqual({ shredded: [], end: outage });
});
