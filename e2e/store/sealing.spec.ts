// covers: AUD-04
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { EventStoreDBClient } from '@eventstore/db-client';
import { verifyExport, type Seal } from '@quarterdeck/log/store';
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import { Sealing } from '../../apps/backend/src/platform/boot/sealing';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { runHere } from '../../testing/backend';
import { alteredWithNewHashes, copyTamperings, cutWithNewSeal, positionIn, typeIn } from './tampering';
import { PATIENCE_MS } from '../../testing/patience';

let eventStoreDb: EventStoreDbServer;
let folder: string;

beforeAll(async () => {
  eventStoreDb = await startEventStoreDb();
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-seals-'));
});
afterAll(async () => {
  await eventStoreDb.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['postgres', 'eventstoredb'] as const)('a log in %s', (engine) => {
  let world: World;
  let env: Record<string, string>;

  const command = (...args: string[]) => runHere(args, { databaseUrl: world.postgres.url, env });
  const settled = async () => {
    const { projections, store } = world.backend.resources;
    expect(await projections.waitFor(await store.head(), PATIENCE_MS)).toBe(true);
  };

  beforeAll(async () => {
    env = engine === 'eventstoredb' ? { EVENT_STORE_URL: eventStoreDb.url } : {};
    world = await openWorld({ env });
    const who = await world.backend.signIn();
    const privateKey = idleKey();
    for (const alias of ['a', 'b', 'c'])
      await who.post('server/insert', { ...fieldsOf(alias, nowhere), privateKey });
    await settled();
  });
  afterAll(() => world?.end());

  test('is sealed once after events, and not again without new ones', async () => {
    const sealing = new Sealing(world.backend.resources);
    const seal = await sealing.seal();
    await settled();
    expect(seal).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(await sealing.seal()).toBeUndefined();
    const event = (await world.backend.resources.store.readStream(LOG_STREAM)).at(-1);
    expect(event).toMatchObject({ type: 'LogSealed', data: seal });
    expect(world.backend.logs.join('')).toContain(seal?.hash);
    expect((await command('audit', 'verify', '--seal', `${seal?.position}:${seal?.hash}`)).code).toBe(0);
    for (const result of await world.backend.resources.projections.verify())
      expect(result).toMatchObject({ ok: true });
  });

  describe('in a copy', () => {
    let lines: string[];
    let seal: Seal;
    const verified = (changed: string[], noted?: Seal) => verifyExport(Readable.from(changed), noted);

    beforeAll(async () => {
      const file = join(folder, `${engine}.jsonl`);
      expect(await command('audit', 'export', file)).toMatchObject({ code: 0 });
      lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      seal = (JSON.parse(lines.at(-1) ?? '') as { seal: Seal }).seal;
    });

    test('can be verified with nothing else at hand', async () => {
      expect(await verified(lines, seal)).toMatchObject({ ok: true, events: lines.length - 2, head: seal });
    });

    test.each(copyTamperings)(
      'reveals $what, and names it',
      async ({ change, named, namedInGaps = named }) => {
        const { ok, firstBad } = await verified(change(lines));
        expect(ok).toBe(false);
        const at = engine === 'postgres' ? named : namedInGaps;
        expect(firstBad?.position).toBe(at === null ? null : positionIn(lines[at]));
        // A missing event can only be named by its place.
        if (at !== null && !firstBad?.problem.includes('is missing'))
          expect(firstBad?.type).toBe(typeIn(lines[at]));
      },
    );

    test('reveals a truncated end, adjusted to look complete, by its signature, and by a seal that was noted', async () => {
      const cut = cutWithNewSeal(lines);
      expect(await verified(cut)).toMatchObject({
        ok: false,
        firstBad: { problem: expect.stringContaining('the signature at the end is missing') as string },
      });
      expect(await verified(cut, seal)).toMatchObject({ ok: false, firstBad: { position: seal.position } });
    });

    test('reveals an altered event with adjusted hashes by the seal inside the log', async () => {
      const sealed = lines.find((line) => line.includes('"type":"LogSealed"')) ?? '';
      const [, position] = /"data":\{"position":"(\d+)"/.exec(sealed) ?? [];
      expect(await verified(alteredWithNewHashes(lines))).toMatchObject({
        ok: false,
        firstBad: { position, problem: expect.stringContaining('sealed at') as string },
      });
    });

    test('has the signature of the log, and is accepted with no other key', async () => {
      const file = join(folder, `${engine}.jsonl`);
      const printed = await command('audit', 'key');
      const [, key = ''] = /^key (\S+)$/m.exec(printed.stdout) ?? [];
      expect(key).toBe(world.backend.resources.store.keys?.publicKey);
      const [right, wrong] = await Promise.all(
        [key, key.replace(/.{4}=$/, 'AAA=')].map((noted) => command('audit', 'verify', file, '--key', noted)),
      );
      expect([right?.code, right?.stdout]).toEqual([0, expect.stringContaining(`with key ${key}`)]);
      expect([wrong?.code, wrong?.stdout]).toEqual([1, expect.stringContaining('signed with another key')]);
      const other = lines.with(-1, (lines.at(-1) ?? '').replace(/"signature":"./, '"signature":"_'));
      expect(await verified(other)).toMatchObject({ ok: false });
    });

    test('is checked by the program in docs/audit.md, which uses none of our code', async () => {
      const [, program = ''] = /```python\n([\s\S]*?)```/.exec(readFileSync('docs/audit.md', 'utf8')) ?? [];
      const script = join(folder, 'check.py');
      writeFileSync(script, program);
      const key = world.backend.resources.store.keys?.publicKey ?? '';
      const checked = (changed: string[], noted = key) => {
        const file = join(folder, `${engine}-checked.jsonl`);
        writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
        return spawnSync('python3', [script, file, noted], { encoding: 'utf8' }).stdout.trim();
      };
      expect(program.split('\n').length).toBeLessThan(100);
      expect(checked(lines)).toBe('this is what was sealed');
      expect(checked(lines, 'another')).toBe('the file names another key');
      expect(checked(cutWithNewSeal(lines))).not.toBe('this is what was sealed');
      expect(checked(alteredWithNewHashes(lines))).toMatch(/is not the event that was sealed/);
      expect(checked(lines.with(5, (lines[5] ?? '').replace('"actor":"', '"actor":"x')))).toMatch(
        /was altered/,
      );
    });

    test('is reported by the command as well', async () => {
      const file = join(folder, `${engine}-touched.jsonl`);
      writeFileSync(file, lines.toSpliced(3, 1).join('\n'));
      const { code, stdout } = await command('audit', 'verify', file);
      expect([code, stdout]).toEqual([1, expect.stringContaining('the chain is broken: event ')]);
    });
  });
});

test('an event altered inside EventStoreDB is detected by the seal and the chain that follows it', async () => {
  const server = await startEventStoreDb();
  const world = await openWorld({ env: { EVENT_STORE_URL: server.url } });
  try {
    const who = await world.backend.signIn();
    await who.post('server/insert', { ...fieldsOf('a', nowhere), privateKey: idleKey() });
    const { projections, store } = world.backend.resources;
    await projections.waitFor(await store.head(), PATIENCE_MS);
    const verify = () =>
      runHere(['audit', 'verify'], {
        databaseUrl: world.postgres.url,
        env: { EVENT_STORE_URL: server.url },
      });
    expect((await verify()).code).toBe(0);
    const victim = server.log.events.find(({ type }) => type === 'ServerRegistered');
    if (!victim) throw new Error('the log holds no server');
    victim.data = Buffer.from(victim.data.toString().replace('"alias":"a"', '"alias":"z"'));
    expect((await verify()).code).toBe(1);
  } finally {
    await world.end();
    await server.stop();
  }
});

test('a stream deleted inside EventStoreDB is named, though every event still exists', async () => {
  const server = await startEventStoreDb();
  const world = await openWorld({ env: { EVENT_STORE_URL: server.url } });
  const client = EventStoreDBClient.connectionString(server.url);
  try {
    const who = await world.backend.signIn();
    const { id } = (
      await who.post<{ id: string }>('server/insert', { ...fieldsOf('a', nowhere), privateKey: idleKey() })
    ).body;
    const { projections, store } = world.backend.resources;
    await projections.waitFor(await store.head(), PATIENCE_MS);
    await client.deleteStream(`quarterdeck.server-${id}`);
    const { code, stdout } = await runHere(['audit', 'verify'], {
      databaseUrl: world.postgres.url,
      env: { EVENT_STORE_URL: server.url },
    });
    expect([code, stdout]).toEqual([1, expect.stringContaining(`stream server-${id} `)]);
    expect(stdout).toContain('events are what was written');
  } finally {
    await client.dispose();
    await world.end();
    await server.stop();
  }
});
