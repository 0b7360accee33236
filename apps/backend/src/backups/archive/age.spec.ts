// covers: BAK-01
import { randomBytes } from 'node:crypto';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { decrypted, encrypted, opened } from './age';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const joined = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
};

let identity: string;
let recipient: string;
beforeAll(async () => {
  identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
});

const decryptedFile = async (file: Buffer, size = 50_000): Promise<Buffer> => {
  const { from, key } = await opened(file, { identities: [identity] });
  return joined(decrypted(pieces(file.subarray(from), size), key));
};

/** Lengths around the chunk size of 65,536 bytes. */
const LENGTHS = [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000];

it.each(LENGTHS)('encrypts %i bytes so that the package for age decrypts them', async (length) => {
  const plain = randomBytes(length);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const file = await joined(encrypted(pieces(plain, 30_000), { recipients: [recipient] }));
  expect(plain.equals(await decrypter.decrypt(file))).toBe(true);
  expect(plain.equals(await decryptedFile(file))).toBe(true);
});

it.each(LENGTHS)('decrypts %i bytes that the package for age encrypted', async (length) => {
  const plain = randomBytes(length);
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const file = Buffer.from(await encrypter.encrypt(plain));
  for (const size of [65_552, 100_000]) expect(plain.equals(await decryptedFile(file, size))).toBe(true);
});

it('never uses a key twice', async () => {
  const lock = { recipients: [recipient] };
  const keys = [
    await joined(encrypted(pieces(Buffer.alloc(9), 9), lock)),
    await joined(encrypted(pieces(Buffer.alloc(9), 9), lock)),
  ];
  const [one, other] = await Promise.all(keys.map((file) => opened(file, { identities: [identity] })));
  expect(one!.key.equals(other!.key)).toBe(false);
});

describe('refuses', () => {
  const CHUNK = 65_552;
  let file: Buffer;
  let from: number;
  beforeAll(async () => {
    file = await joined(encrypted(pieces(randomBytes(150_000), 150_000), { recipients: [recipient] }));
    ({ from } = await opened(file, { identities: [identity] }));
  });

  it('an altered byte, wherever it is', async () => {
    for (const place of [0, 30, from - 20, from - 1, from, from + CHUNK - 1, from + CHUNK, file.length - 1]) {
      const altered = Buffer.from(file);
      altered[place]! ^= 1;
      await expect(decryptedFile(altered).then(() => `byte ${place} may be altered`)).rejects.toThrow();
    }
  });

  it('a missing end, also where a chunk ends, and an empty last chunk', async () => {
    for (const end of [10, from, from + 5, from + CHUNK, from + 2 * CHUNK, file.length - 1])
      await expect(decryptedFile(file.subarray(0, end)).then(() => `it may end at ${end}`)).rejects.toThrow();
  });

  it('chunks in another order', async () => {
    const chunks = [1, 0, 2].map((nth) => file.subarray(from + nth * CHUNK, from + (nth + 1) * CHUNK));
    await expect(decryptedFile(Buffer.concat([file.subarray(0, from), ...chunks]))).rejects.toThrow();
  });

  it('to encrypt to nobody', async () => {
    const nobody = joined(encrypted(pieces(Buffer.alloc(9), 9), { recipients: [] }));
    await expect(nobody).rejects.toThrow('an archive needs at least one recipient');
  });
});
