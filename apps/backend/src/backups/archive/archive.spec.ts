// covers: BAK-01
import { execFile, execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes, sign as signature } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { encrypted, type Key, type Lock } from './age';
import { copyLine, linesOf, SECTION_END, sectionHead, sectionsIn, valuesIn } from './copy-text';
import { archivesIn } from '../folder';
import { HEAD_BYTES, headText, type Head } from './head';
import { checkParts, openArchive, openPart } from './read';
import { ArchiveWriter, DRAFT } from './write';

const run = promisify(execFile);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-archive-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const pair = generateKeyPairSync('ed25519');
const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const sign = (text: string): string => signature(null, Buffer.from(text), pair.privateKey).toString('base64');

const facts: Omit<Head, 'parts' | 'bytes'> = {
  id: '0199b5a0-0000-7000-8000-000000000001',
  base: null,
  takenAt: '2026-11-23T08:00:00.000Z',
  version: '0.5.14',
  log: {
    id: '0199b5a0-0000-7000-8000-000000000002',
    publicKey,
    engine: 'postgres',
    home: null,
    events: 2,
    after: { position: '0', hash: '0'.repeat(64) },
    end: { position: '2', hash: 'a'.repeat(64) },
  },
  masterKey: '0123456789abcdef',
  schema: ['001-people-and-sessions'],
  snapshot: { database: '1/2', xmin: '740' },
};

async function* pieces(text: Buffer, size = 1_000): AsyncGenerator<Buffer> {
  for (let from = 0; from < text.length; from += size) yield text.subarray(from, from + size);
}

const logText = Buffer.from(`one\ttwo\n${'x'.repeat(3_000)}\n`);
// Random, so it cannot be compressed and every byte of it is in the file.
const outputText = randomBytes(30_000);

const written = async (name: string, lock: Lock): Promise<{ file: string; head: Head }> => {
  const file = path.join(folder, name);
  const writer = await ArchiveWriter.create(file, lock);
  await writer.add('log', pieces(logText), () => ({ 'log.events': 2 }));
  await writer.add('output', pieces(outputText), () => ({ 'app.run_output': 7 }));
  return { file, head: await writer.finish(facts, sign) };
};

const contents = async (file: string, part: string, key: Key): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of await openPart(await openArchive(file), part, key)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

let identity: string;
let recipient: string;
beforeAll(async () => {
  identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
});

it('gives back every part to each recipient, and says in its head what is in it', async () => {
  const other = await generateX25519Identity();
  const { file, head } = await written('several', {
    recipients: [recipient, await identityToRecipient(other)],
  });
  for (const one of [identity, other]) {
    expect(await contents(file, 'log', { identities: [one] })).toEqual(logText);
    expect(await contents(file, 'output', { identities: [one] })).toEqual(outputText);
  }
  const archive = await openArchive(file);
  expect(archive.head).toEqual(head);
  expect(archive.head).toMatchObject({ ...facts, bytes: fs.statSync(file).size });
  expect(archive.head.parts.map(({ name, rows }) => [name, rows])).toEqual([
    ['log', { 'log.events': 2 }],
    ['output', { 'app.run_output': 7 }],
  ]);
  await checkParts(archive);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

it('is opened by the age command, as docs/backups.md says', async () => {
  const { file, head } = await written('for age', { recipients: [recipient] });
  const key = path.join(folder, 'identity.txt');
  fs.writeFileSync(key, `${identity}\n`, { mode: 0o600 });
  for (const [part, text] of [
    [head.parts[0], logText],
    [head.parts[1], outputText],
  ] as const) {
    const sealed = path.join(folder, 'part.age');
    fs.writeFileSync(sealed, fs.readFileSync(file).subarray(part!.from, part!.from + part!.bytes));
    const { stdout } = await run('age', ['--decrypt', '--identity', key, sealed], { encoding: 'buffer' });
    expect(gunzipSync(stdout)).toEqual(text);
  }
});

it('is refused if a part unpacks to far more than an archive can', async () => {
  const sealed: Buffer[] = [];
  const bomb = gzipSync(Buffer.alloc(64 * 1_048_576), { level: 9 });
  for await (const piece of encrypted(pieces(bomb), { recipients: [recipient] })) sealed.push(piece);
  const bytes = Buffer.concat(sealed);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const parts = [{ name: 'log', from: HEAD_BYTES, bytes: bytes.length, sha256, rows: {} }];
  const head = headText({ ...facts, parts, bytes: HEAD_BYTES + bytes.length }, sign);
  const file = path.join(folder, 'bomb');
  fs.writeFileSync(file, Buffer.concat([head, bytes]));
  await expect(contents(file, 'log', { identities: [identity] })).rejects.toThrow(
    'part log unpacks to more than 256 times its size',
  );
});

it('is refused if it is a pipe, which does not hold the list of the others', async () => {
  const place = fs.mkdtempSync(path.join(folder, 'pipe-'));
  execFileSync('mkfifo', [path.join(place, 'a.backup')]);
  fs.symlinkSync('/dev/zero', path.join(place, 'b.backup'));
  fs.copyFileSync((await written('beside', { recipients: [recipient] })).file, path.join(place, 'c.backup'));
  const found = await archivesIn(place);
  expect(found.archives.map(({ file }) => path.basename(file))).toEqual(['c.backup']);
  expect(found.refused).toEqual(
    ['a', 'b'].map((name) => `${path.join(place, `${name}.backup`)}: it is not a regular file`),
  );
});

it('opens with the right passphrase only', async () => {
  const { file } = await written('passphrase', { passphrase: 'correct horse battery staple' });
  expect(await contents(file, 'log', { passphrase: 'correct horse battery staple' })).toEqual(logText);
  await expect(contents(file, 'log', { passphrase: 'another one' })).rejects.toThrow(
    'the passphrase does not open the archive',
  );
});

it('does not open with another identity', async () => {
  const { file } = await written('foreign', { recipients: [recipient] });
  const other = { identities: [await generateX25519Identity()] };
  await expect(contents(file, 'log', other)).rejects.toThrow('the identity does not open the archive');
});

describe('an altered archive', () => {
  const whole = async (file: string): Promise<void> => checkParts(await openArchive(file));
  const places = (count: number, end: number): number[] =>
    Array.from({ length: count }, () => Math.floor(Math.random() * end));
  const partAt = ({ parts }: Head, place: number): string =>
    parts.find(({ from, bytes }) => place >= from && place < from + bytes)?.name ?? 'head';

  it('is refused without a key, and the part is named, whichever byte it is', async () => {
    const { file, head } = await written('altered', { recipients: [recipient] });
    const original = fs.readFileSync(file);
    // Half of the places are in the head, whose text is the shortest part of the file.
    for (const place of [
      ...places(250, HEAD_BYTES),
      ...places(100, 1_800),
      ...places(250, original.length),
    ]) {
      const altered = Buffer.from(original);
      altered[place]! ^= 1 << Math.floor(Math.random() * 8);
      fs.writeFileSync(file, altered);
      const expected = partAt(head, place) === 'head' ? /head|newer version/ : `part ${partAt(head, place)} `;
      await expect(whole(file).then(() => `byte ${place} may be altered`)).rejects.toThrow(expected);
    }
  });

  it('is refused when it is cut off or longer, and the part is named', async () => {
    const { file, head } = await written('cut', { recipients: [recipient] });
    const original = fs.readFileSync(file);
    for (const place of [0, 1, HEAD_BYTES - 1, HEAD_BYTES, ...places(100, original.length)]) {
      fs.writeFileSync(file, original.subarray(0, place));
      const expected = place < HEAD_BYTES ? /head/ : `cut off in part ${partAt(head, place)}`;
      await expect(whole(file).then(() => `it may end at ${place}`)).rejects.toThrow(expected);
    }
    fs.writeFileSync(file, Buffer.concat([original, Buffer.from('x')]));
    await expect(whole(file)).rejects.toThrow('1 bytes follow its last part');
  });

  it('is refused when its head is of another format', async () => {
    const { file } = await written('newer', { recipients: [recipient] });
    const newer = fs.readFileSync(file);
    newer.write('quarterdeck backup 2\n');
    fs.writeFileSync(file, newer);
    await expect(openArchive(file)).rejects.toThrow('has format 2, and this version reads 1: use a newer');
  });
});

it('has the name of an archive only when it is whole', async () => {
  const file = path.join(folder, 'half');
  const writer = await ArchiveWriter.create(file, { recipients: [recipient] });
  const failing = async function* (): AsyncGenerator<Buffer> {
    yield logText;
    throw new Error('the source broke');
  };
  await expect(writer.add('log', failing(), () => ({}))).rejects.toThrow('the source broke');
  expect(fs.existsSync(file)).toBe(false);
  expect(fs.existsSync(`${file}${DRAFT}`)).toBe(true);
  await writer.abandon();
  expect(fs.existsSync(`${file}${DRAFT}`)).toBe(false);
});

it('is found beside what has its name and cannot be read', async () => {
  const place = fs.mkdtempSync(path.join(folder, 'odd-'));
  const { file } = await written('beside', { recipients: [recipient] });
  fs.copyFileSync(file, path.join(place, 'whole.backup'));
  fs.mkdirSync(path.join(place, 'folder.backup'));
  fs.symlinkSync('nowhere', path.join(place, 'gone.backup'));
  fs.writeFileSync(path.join(place, 'empty.backup'), '');
  const { archives, refused } = await archivesIn(place);
  expect(archives.map((archive) => path.basename(archive.file))).toEqual(['whole.backup']);
  expect(refused.map((problem) => path.basename(problem))).toEqual([
    'empty.backup: this is no archive of Quarterdeck, or its head is altered',
    'folder.backup: it is not a regular file',
    'gone.backup: it cannot be read (ENOENT)',
  ]);
});

it('refuses to write a head that is too long', () => {
  const parts = Array.from({ length: 200 }, (_, nth) => ({
    name: 'log',
    from: HEAD_BYTES + nth,
    bytes: 1,
    sha256: 'a'.repeat(64),
    rows: {},
  }));
  expect(() => headText({ ...facts, parts, bytes: 1 }, sign)).toThrow('the head of the archive takes');
});

it('reads tables from text that comes in pieces of any size', async () => {
  const values = ['tab\there', 'line\nfeed', 'back\\slash', '', '\\.', 'ü€😀', '\\N'];
  const text = Buffer.concat([
    sectionHead('app.vault', ['a', 'b']),
    Buffer.from(copyLine(values)),
    SECTION_END,
    sectionHead('app.leases', ['c']),
    SECTION_END,
    sectionHead('log.events', ['d']),
    Buffer.from('\\.x\n\n'),
    SECTION_END,
  ]);
  for (const size of [1, 2, 3, 7, 64, 1_000]) {
    const found: unknown[] = [];
    for await (const { table, columns, rows } of sectionsIn(pieces(text, size))) {
      const lines: string[] = [];
      for await (const line of linesOf(rows)) lines.push(line);
      found.push([table, columns, table === 'app.vault' ? lines.map(valuesIn) : lines]);
    }
    expect(found).toEqual([
      ['app.vault', ['a', 'b'], [values]],
      ['app.leases', ['c'], []],
      ['log.events', ['d'], ['\\.x', '']],
    ]);
  }
});

it.each(['nothing of the kind\n', 'COPY app.vault (a) FROM stdin;\nrow\n', 'COPY app.vault (a) FROM stdin'])(
  'refuses text that is none: %j',
  async (text) => {
    const read = async (): Promise<void> => {
      for await (const { rows } of sectionsIn(pieces(Buffer.from(text)))) for await (const _ of rows);
    };
    await expect(read()).rejects.toThrow();
  },
);
