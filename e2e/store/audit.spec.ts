// covers: AUD-04
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openEventStore } from '@quarterdeck/events/store';
import {
  chainLink,
  GENESIS,
  readSeal,
  verify as verifyLinks,
  verifyExport,
  verifyLog,
  type AuditResult,
} from '@quarterdeck/log/store';
import { Pool } from 'pg';
import { runHere } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { appendAtEnd, renamed } from '../../testing/log-events';
import { tailWrittenAnew, tamper, tamperings } from './tampering';

const EVENTS = 40;

let postgres: TestPostgres;
let folder: string;

beforeAll(async () => {
  postgres = await startTestPostgres();
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-audit-'));
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A separate log with events whose texts test the canonical form. */
const fill = async (): Promise<{ url: string; db: Pool }> => {
  const url = await postgres.newDatabase();
  const store = await openEventStore({ url });
  const names = [
    'web',
    'Zürich 🚢',
    'line\u2028break',
    'quote " and \\ back',
    'tab\tand\nfeed',
    '</script>',
    '\u007f\u00a0',
    'é',
  ];
  for (let i = 0; i < EVENTS; i++)
    await appendAtEnd(store, `server-${i % 3}`, [renamed(`${names[i % names.length]} ${i}`)]);
  await store.close();
  return { url, db: new Pool({ connectionString: url, max: 1 }) };
};

describe('the chain over the log', () => {
  test('is intact as long as nobody touches it, and an export of it can be verified', async () => {
    const { url, db } = await fill();
    const result = await verifyLog(db);
    expect(result).toMatchObject({ ok: true, events: EVENTS, head: { position: String(EVENTS) } });
    const file = join(folder, 'whole.jsonl');
    const exported = await runHere(['audit', 'export', file], { databaseUrl: url });
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    const seal = /seal (\d+:[0-9a-f]{64})/.exec(exported.stdout)?.[1] ?? '';
    expect(readSeal(seal)).toEqual(result.head);
    expect((await runHere(['audit', 'verify', file, '--seal', seal])).code).toBe(0);
    expect((await runHere(['audit', 'verify'], { databaseUrl: url })).code).toBe(0);
    // Anybody can check it with a shell, without this program.
    for (const line of readFileSync(file, 'utf8').trim().split('\n'))
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    await db.end();
  });

  test('an empty log is intact', async () => {
    const url = await postgres.newDatabase();
    expect(await runHere(['audit', 'verify'], { databaseUrl: url })).toMatchObject({ code: 0 });
  });

  test('nobody can change or remove an event by mistake', async () => {
    const { db } = await fill();
    for (const sql of [
      `update log.events set type = 'Other' where position = 1`,
      'delete from log.events where position = 1',
      'truncate log.events',
      'delete from log.head',
    ])
      await expect(db.query(sql)).rejects.toThrow('append-only');
    await db.end();
  });

  test.each(tamperings)('$what is detected and named', async ({ statements, named, problem }) => {
    const { db } = await fill();
    await tamper(db, statements(11));
    const result = await verifyLog(db);
    expect(result).toMatchObject({ ok: false, firstBad: { position: String(named(11)) } });
    expect(result.firstBad?.problem).toMatch(problem);
    await db.end();
  });

  test('its newest events can be verified alone', async () => {
    const { url, db } = await fill();
    const store = await openEventStore({ url });
    const newest = async (): Promise<AuditResult> => {
      if (!store.chain) throw new Error('Postgres keeps a chain');
      return verifyLinks(await store.chain.audited(5));
    };
    const first = EVENTS - 4;
    expect(await newest()).toMatchObject({ ok: true, events: 5, head: { position: String(EVENTS) } });
    // Earlier events are checked only by a full verification.
    await tamper(db, [`update log.events set data = '{"alias":"other"}' where position = ${first - 2}`]);
    expect((await newest()).ok).toBe(true);
    await tamper(db, [`update log.events set data = '{"alias":"other"}' where position = ${first + 2}`]);
    expect(await newest()).toMatchObject({ ok: false, firstBad: { position: String(first + 2) } });
    await tamper(db, [`delete from log.events where position = ${first - 1}`]);
    expect(await newest()).toMatchObject({ ok: false, events: 0, firstBad: { position: String(first) } });
    await store.close();
    await db.end();
  });

  test('an altered event is reported by the command, which exits with 1', async () => {
    const { url, db } = await fill();
    await tamper(db, [`update log.events set data = '{"alias":"other"}' where position = 7`]);
    await db.end();
    const { code, stdout } = await runHere(['audit', 'verify'], { databaseUrl: url });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/event 7 was altered.*\(ServerRenamed\)/)]);
  });

  test('a rewritten end with correct hashes is detected by an earlier seal', async () => {
    const { db } = await fill();
    const noted = (await verifyLog(db)).head;
    await tamper(db, tailWrittenAnew(EVENTS));
    expect((await verifyLog(db)).ok).toBe(true);
    expect(await verifyLog(db, noted)).toMatchObject({ ok: false, firstBad: { position: String(EVENTS) } });
    await db.end();
  });
});

describe('a copy of the log', () => {
  let whole: string[];
  let seal: string;

  const verify = (lines: string[], noted?: string): Promise<AuditResult> =>
    verifyExport(Readable.from(lines), noted === undefined ? undefined : readSeal(noted));

  beforeAll(async () => {
    const { url, db } = await fill();
    await db.end();
    const file = join(folder, 'export.jsonl');
    await runHere(['audit', 'export', file], { databaseUrl: url });
    whole = readFileSync(file, 'utf8').trimEnd().split('\n');
    const { position, hash } = (
      JSON.parse(whole.at(-1) ?? '') as { seal: { position: string; hash: string } }
    ).seal;
    seal = `${position}:${hash}`;
  });

  test('with a truncated end is refused with the old seal', async () => {
    expect(await verify(whole.toSpliced(-3, 2))).toMatchObject({
      ok: false,
      firstBad: { position: String(EVENTS - 1) },
    });
  });

  test('is accepted unchanged, and refused with a foreign seal', async () => {
    expect(await verify(whole, seal)).toMatchObject({ ok: true });
    expect(await verify(whole, `${EVENTS}:${'0'.repeat(64)}`)).toMatchObject({ ok: false });
    expect(await verify(whole, `${EVENTS + 5}:${'0'.repeat(64)}`)).toMatchObject({ ok: false });
  });

  test.each([
    ['no JSON', (line: string) => line.replace('"data":', '"data":nonsense')],
    ['without a position', (line: string) => line.replace('"position":"3",', '')],
    ['of a position that is no number', (line: string) => line.replace(/("data":\{"position":")\d+/, '$1x')],
  ])('with right hashes and a seal that is %s is refused, and the seal is named', async (_what, written) => {
    const [first = '', ...rest] = whole.slice(0, 4);
    const events = rest.map((line) => line.slice(line.indexOf('"event":') + '"event":'.length, -1));
    const sealed = JSON.stringify({ position: '3', hash: '0'.repeat(64) });
    events.push(
      written(`{"position":"4","stream":"log-1","revision":0,"type":"LogSealed","data":${sealed},"meta":{}}`),
    );
    let hash = GENESIS;
    const lines = events.map((event) => `{"hash":"${(hash = chainLink(hash, event))}","event":${event}}`);
    expect(await verify([first, ...lines, JSON.stringify({ seal: { position: '4', hash } })])).toMatchObject({
      ok: false,
      firstBad: { position: '4', type: 'LogSealed', problem: 'the seal at 4 cannot be read (LogSealed)' },
    });
  });

  test('can be verified with only a shell', () => {
    const file = join(folder, 'export.jsonl');
    writeFileSync(file, whole.map((line) => `${line}\n`).join(''));
    const script = `
      hash=$(printf '0%.0s' $(seq 64))
      sed '1d;$d' "$1" | head -3 | while IFS= read -r line; do
        event=\${line#*\\"event\\":}; event=\${event%?}
        hash=$( { perl -e 'print pack("H*", shift)' "$hash"; printf %s "$event"; } | sha256sum | cut -d' ' -f1)
        case $line in *"\\"hash\\":\\"$hash\\""*) echo right;; *) echo wrong;; esac
      done`;
    expect(execFileSync('bash', ['-c', script, 'sh', file], { encoding: 'utf8' })).toBe(
      'right\nright\nright\n',
    );
  });

  test.each([
    [['audit', 'verify', '/nonexistent/file']],
    [['audit', 'export']],
    [['audit', 'verify', 'a', 'b']],
    [['audit', 'verify', '--seal', 'nonsense']],
  ])('%j is refused with exit code 2', async (args) => {
    expect((await runHere(args)).code).toBe(2);
  });
});
