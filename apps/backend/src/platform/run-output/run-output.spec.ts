import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LastingConnection } from '@quarterdeck/log/store';
import { Pool } from 'pg';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { migrate } from '../database/migrations';
import { RunFeeds, type OutputSink } from './run-feed';
import type { OutputChunk } from '@quarterdeck/projections';
import { nothingStored, RunOutputs } from './run-output';
import { droppedMarker, StepRecording } from './run-recording';
import { Leases } from '../leases/leases';
import { tables } from '../../tables';
import { until } from '../../../../../testing/patience';

let postgres: TestPostgres;
let pool: Pool;
const open: [RunOutputs, LastingConnection][] = [];
const fault = (error: unknown): void => void console.error(error);
const leasesOf = new WeakMap<RunOutputs, Leases>();

/** Like one process. */
const outputsOfAProcess = async (db = pool): Promise<RunOutputs> => {
  const connection = new LastingConnection({ connectionString: postgres.url }, fault);
  const leases = new Leases(db, connection, fault);
  const outputs = new RunOutputs(db, connection, leases, fault);
  await connection.start();
  open.push([outputs, connection]);
  leasesOf.set(outputs, leases);
  return outputs;
};
const of = (run: string) => ({ run, step: 'command', attempt: 1 });
const record = async (
  run: string,
  outputs: RunOutputs,
  secrets: string[] = [],
  limit?: number,
): Promise<StepRecording> => {
  await leasesOf.get(outputs)?.acquire(`run-${run}`);
  return new StepRecording(of(run), outputs, nothingStored(), () => Promise.resolve(secrets), limit);
};
const bytes = (text: string): Buffer => Buffer.from(text);
const textOf = (chunks: readonly OutputChunk[]): string => chunks.map(({ text }) => text).join('');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

class Screen implements OutputSink {
  chunks: OutputChunk[] = [];
  waiting = 0;
  emit(chunks: readonly OutputChunk[]): void {
    this.chunks.push(...chunks);
  }
  pressure(): number {
    return this.waiting;
  }
  until(text: string): Promise<void> {
    return until(() => textOf(this.chunks) === text);
  }
  get isGapless(): boolean {
    return this.chunks.every(({ seq }, index) => seq === index + 1);
  }
}

beforeAll(async () => {
  postgres = await startTestPostgres();
  pool = new Pool({ connectionString: postgres.url });
  await migrate(pool, tables.steps);
});
afterAll(async () => {
  for (const [outputs, connection] of open) {
    outputs.stop();
    await connection.close();
  }
  await pool?.end();
  await postgres?.stop();
});

test('output that a mistake of ours keeps from being stored ends the recording, and holds up no other', async () => {
  const mistake = new TypeError('rows is not iterable');
  let isBroken = true;
  const query = ((...asked: Parameters<Pool['query']>) =>
    isBroken ? Promise.reject(mistake) : pool.query(...asked)) as unknown as Pool['query'];
  const outputs = await outputsOfAProcess({ query } as Pool);
  const recording = new StepRecording(of(randomUUID()), outputs, nothingStored(), () => Promise.resolve([]));
  void recording.push(bytes('lost'));
  await expect(recording.end()).rejects.toBe(mistake);
  isBroken = false;
  const next = await record(randomUUID(), outputs);
  void next.push(bytes('stored'));
  await expect(next.end()).resolves.toMatchObject({ bytes: 6 });
});

describe('the output of a run', () => {
  let outputs: RunOutputs;
  beforeAll(async () => {
    outputs = await outputsOfAProcess();
  });

  test('is stored as it came, with size and digest', async () => {
    const run = randomUUID();
    const recording = await record(run, outputs, []);
    let said = '';
    for (let i = 0; i < 300; i++) {
      const text = `line ${i} ${'\u{1F6F3} '.repeat(i % 50)}\n`;
      said += text;
      await recording.push(bytes(text));
    }
    const { bytes: size, sha256: digest } = await recording.end();
    expect(await outputs.text(run)).toBe(said);
    expect([size, digest]).toEqual([Buffer.byteLength(said), sha256(said)]);
    expect(await outputs.endOf(run, 'command', 1)).toBe(said);
    expect(await outputs.endOf(run, 'command', 2)).toBe('');
    const chunks = await outputs.read(run, 0, 1000);
    // No character was split: a lone half would be read back as another character.
    expect(chunks.every(({ text }) => text.length <= 8193 && Buffer.from(text).toString() === text)).toBe(
      true,
    );
    expect(chunks.length).toBeLessThan(100);
  });

  test('is read in pages with a limit of chunks and of bytes, but at least one chunk', async () => {
    const run = randomUUID();
    const recording = await record(run, outputs, []);
    await recording.push(bytes('\u20AC'.repeat(30_000)));
    await recording.end();
    const all = await outputs.read(run, 0, 1000);
    const sizes = all.map(({ text }) => Buffer.byteLength(text));
    expect(all.length).toBeGreaterThan(3);
    const pages = async (most: { chunks: number; bytes: number }) => {
      const read: number[][] = [];
      for (let after = 0, more = true; more;) {
        const page = await outputs.page(run, after, most);
        read.push(page.chunks.map(({ seq }) => seq));
        after = page.chunks.at(-1)?.seq ?? Infinity;
        more = page.more;
      }
      return read;
    };
    const seqs = all.map(({ seq }) => seq);
    expect(await pages({ chunks: 1000, bytes: 1 })).toEqual(seqs.map((seq) => [seq]));
    expect(await pages({ chunks: 2, bytes: 1e9 })).toEqual(
      seqs.filter((_, i) => i % 2 === 0).map((seq) => seqs.filter((one) => one === seq || one === seq + 1)),
    );
    expect(await pages({ chunks: all.length, bytes: 1e9 })).toEqual([seqs]);
    // The third chunk starts before the byte limit of two chunks and a bit is reached.
    const two = (sizes[0] ?? 0) + (sizes[1] ?? 0);
    expect((await pages({ chunks: 1000, bytes: two + 1 }))[0]).toEqual(seqs.slice(0, 3));
    expect(await outputs.page(randomUUID(), 0, { chunks: 2, bytes: 1 })).toEqual({ chunks: [], more: false });
  });

  test('is limited, and says so once; the digest is that of the stored text', async () => {
    const run = randomUUID();
    const recording = await record(run, outputs, [], 1000);
    for (let i = 0; i < 50; i++) await recording.push(bytes('\u20AC'.repeat(33)));
    const { bytes: size, sha256: digest } = await recording.end();
    const text = await outputs.text(run);
    expect(text.endsWith(droppedMarker(1000))).toBe(true);
    expect(text.split('was dropped')).toHaveLength(2);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000 + droppedMarker(1000).length);
    expect([size, digest]).toEqual([Buffer.byteLength(text), sha256(text)]);
  });

  test('can contain what Postgres cannot store', async () => {
    const run = randomUUID();
    const recording = await record(run, outputs, []);
    void recording.push(bytes(`a${String.fromCharCode(0)}b`));
    await recording.end();
    expect(await outputs.text(run)).toBe('a\u2400b');
  });

  test('never contains a secret, wherever a chunk ends', async () => {
    const run = randomUUID();
    const recording = await record(run, outputs, ['correct horse battery']);
    for (const letter of 'the passphrase is correct horse battery, no?') await recording.push(bytes(letter));
    await recording.end();
    expect(await outputs.text(run)).toBe('the passphrase is *******, no?');
  });
});

describe('secrets that are stored while a step runs', () => {
  let outputs: RunOutputs;
  beforeAll(async () => {
    outputs = await outputsOfAProcess();
  });

  test('are masked in what it prints from then on, also in text that is held back', async () => {
    const run = randomUUID();
    let secrets: readonly string[] = ['correct horse battery'];
    await leasesOf.get(outputs)?.acquire(`run-${run}`);
    const recording = new StepRecording(of(run), outputs, nothingStored(), () => Promise.resolve(secrets));
    await recording.push(bytes('before; '));
    await recording.leave();
    await recording.push(bytes('correct ho'));
    await recording.leave();
    secrets = [...secrets, 'horses of the night'];
    await recording.push(bytes('rses of the '));
    await recording.leave();
    await recording.push(bytes('night; correct horse bat'));
    await recording.push(bytes('tery; correct horses of the night'));
    expect(await recording.masked('horses of the night')).toBe('*******');
    const end = await recording.end();
    const said = 'before; correct *******; *******; correct *******';
    expect(await outputs.text(run)).toBe(said);
    expect(end).toEqual({ bytes: said.length, sha256: sha256(said) });
  });

  test('are known before anything is written: output waits while they cannot be read', async () => {
    const run = randomUUID();
    const asked: (() => void)[] = [];
    let isBack = false;
    await leasesOf.get(outputs)?.acquire(`run-${run}`);
    const recording = new StepRecording(of(run), outputs, nothingStored(), async () => {
      await new Promise<void>((answer) => asked.push(answer));
      if (!isBack) throw Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' });
      return ['correct horse battery'];
    });
    void recording.push(bytes('it is correct horse battery'));
    const end = recording.end();
    await until(() => asked.length === 1);
    expect(await outputs.text(run)).toBe('');
    asked[0]?.();
    await until(() => asked.length === 2);
    isBack = true;
    asked[1]?.();
    await end;
    expect(await outputs.text(run)).toBe('it is *******');
  });

  test('end the recording if one of them cannot be read: nothing is stored unmasked', async () => {
    const run = randomUUID();
    await leasesOf.get(outputs)?.acquire(`run-${run}`);
    const recording = new StepRecording(of(run), outputs, nothingStored(), () =>
      Promise.reject(new Error('it does not decrypt')),
    );
    await recording.push(bytes('it is correct horse battery'));
    await expect(recording.end()).rejects.toThrow('it does not decrypt');
    await expect(recording.masked('of a report')).rejects.toThrow('it does not decrypt');
    expect(await outputs.text(run)).toBe('');
  });
});

describe('a step that another process continues to follow', () => {
  const secret = 'correct horse battery';
  const source = Buffer.from(
    Array.from({ length: 400 }, (_, i) => `${i} \u{1F6F3} ${i % 9 ? 'x'.repeat(i) : secret}\n`).join(''),
  );
  const undisturbed = source.toString().replaceAll(secret, '*******');

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('has no gaps and no duplicates (cut %i)', async (seed) => {
    const run = randomUUID();
    const [here, there] = [await outputsOfAProcess(), await outputsOfAProcess()];
    const first = await record(run, here, [secret]);
    // Somewhere inside a character, inside a secret, or in between.
    const killedAt = Math.floor((source.length * seed) / 9) + seed;
    for (let at = 0; at < killedAt; at += 700)
      await first.push(source.subarray(at, Math.min(at + 700, killedAt)));
    await sleep(seed * 11);
    first.abandon();
    // Chunks in flight when the process died were either stored or not.
    await sleep(20);
    await pool.query(`update app.leases set until = '-infinity' where name = $1`, [`run-${run}`]);
    const leases = leasesOf.get(there)!;
    const [lease] = (await leases.expired(`run-${run}`)) ?? [];
    expect(await leases.takeOver(lease!)).toBe(true);

    const stored = await there.stored(run, 'command', 1);
    const second = new StepRecording(of(run), there, stored, () => Promise.resolve([secret]));
    expect(second.from).toBeLessThanOrEqual(killedAt);
    for (let at = second.from; at < source.length; at += 999)
      await second.push(source.subarray(at, at + 999));
    const end = await second.end();
    expect(await there.text(run)).toBe(undisturbed);
    expect(end).toEqual({ bytes: Buffer.byteLength(undisturbed), sha256: sha256(undisturbed) });
    expect((await there.read(run, 0, 10_000)).every(({ seq }, index) => seq === index + 1)).toBe(true);
  });

  test('cannot be written any more by its former process', async () => {
    const run = randomUUID();
    const [here, there] = [await outputsOfAProcess(), await outputsOfAProcess()];
    const lost: string[] = [];
    leasesOf.get(here)!.onLost((name) => lost.push(name));
    const told: { here: string[]; there: string[] } = { here: [], there: [] };
    const unsure = (): void => undefined;
    here.listen({ written: (of) => void told.here.push(of), announced: unsure, unsure });
    there.listen({ written: unsure, announced: (of) => void told.there.push(of), unsure });
    const first = await record(run, here);
    await first.push(bytes('before\n'));
    await first.leave();
    await pool.query(`update app.leases set until = '-infinity' where name = $1`, [`run-${run}`]);
    const leases = leasesOf.get(there)!;
    await leases.takeOver((await leases.expired(`run-${run}`))[0]!);
    const other = randomUUID();
    const second = await record(other, here);
    await first.push(bytes('behind\n'));
    await second.push(bytes('of another run\n'));
    for (const one of [first, second]) await one.leave();
    expect(await there.text(run)).toBe('before\n');
    expect(lost).toEqual([`run-${run}`]);
    // Nobody is told about unwritten chunks, but about everything else, here and in the other process.
    await until(() => told.there.includes(other));
    expect(told).toEqual({ here: [run, other], there: [run, other] });
  });
});

describe('a watcher', () => {
  test.each(['the same', 'another'])(
    'in %s process gets each chunk once and in order, whenever it connects',
    async (where) => {
      const writing = await outputsOfAProcess();
      const feeds = new RunFeeds(where === 'another' ? await outputsOfAProcess() : writing, fault);
      const run = randomUUID();
      const recording = await record(run, writing, []);
      const screens: Screen[] = [];
      const stops: (() => void)[] = [];
      let said = '';
      for (let i = 0; i < 60; i++) {
        if (i % 10 === 0) {
          const screen = new Screen();
          screens.push(screen);
          stops.push(feeds.watch(run, 0, screen));
        }
        const text = `${i} ${'x'.repeat(i * 200)}\n`;
        said += text;
        await recording.push(bytes(text));
        await sleep(i % 3);
      }
      await recording.end();
      for (const screen of screens) {
        await screen.until(said);
        expect(screen.isGapless).toBe(true);
      }
      stops.forEach((stop) => stop());
      expect(feeds.watched).toBe(0);
    },
  );

  test('that is slow is not flooded, and gets everything in the end', async () => {
    const outputs = await outputsOfAProcess();
    const feeds = new RunFeeds(outputs, fault);
    const run = randomUUID();
    const recording = await record(run, outputs, []);
    const [quick, slow] = [new Screen(), new Screen()];
    feeds.watch(run, 0, quick);
    feeds.watch(run, 0, slow);
    await sleep(50);
    slow.waiting = 10 * 1024 * 1024;
    let said = '';
    for (let i = 0; i < 100; i++) {
      const text = `${i} ${'y'.repeat(20_000)}\n`;
      said += text;
      await recording.push(bytes(text));
    }
    await recording.end();
    await quick.until(said);
    expect(slow.chunks.length).toBe(0);
    slow.waiting = 0;
    await slow.until(said);
    expect(slow.isGapless).toBe(true);
  });

  test('does not cause repeated queries for a chunk that was announced but is missing', async () => {
    const [db, screen] = [new Pool({ connectionString: postgres.url }), new Screen()];
    let asked = 0;
    db.on('acquire', () => (asked += 1));
    const feeds = new RunFeeds(await outputsOfAProcess(db), fault);
    const run = randomUUID();
    const recording = await record(run, await outputsOfAProcess());
    await recording.push(bytes('before\n'));
    await recording.leave();
    const stop = feeds.watch(run, 0, screen);
    feeds.announced(run, 57);
    await screen.until('before\n');
    for (let i = 0; i < 20; i++) await pool.query('select 1');
    const meanwhile = asked;
    await recording.push(bytes('behind\n'));
    await recording.end();
    await screen.until('before\nbehind\n');
    stop();
    await db.end();
    expect([screen.isGapless, meanwhile]).toEqual([true, 2]);
  });
});
