// covers: SRV-05, SRV-12, SRV-13
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { commandTypes } from '@quarterdeck/events';
import type { HistoryView, RunView, ServerView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { freePort } from '../../testing/free-port';
import { startSshd, type Sshd } from '../../testing/sshd';
import { connectSocket, textOf, type Chunk } from '../../testing/socket';
import { fieldsOf, idleKey, openWorld, registerAt, startSlowServer, type World } from './world';

interface CommandAnswer {
  out: string;
  reason?: string;
  runId: string;
  exitCode?: number;
  state: string;
  msg?: string;
  code?: string;
}

let world: World;
let sshd: Sshd;
let alice: Operator;
const exec = (id: string, cmdType: number, runId?: string) =>
  alice.post<CommandAnswer>('server/execCmd', { id, cmdType, ...(runId ? { runId } : {}) });
const runOf = async (runId: string) => (await alice.post<RunView>('run/detail', { id: runId })).body;

beforeAll(async () => {
  [world, sshd] = await Promise.all([openWorld(), startSshd()]);
  alice = await world.backend.signIn();
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
});

describe('the ten fixed commands', () => {
  let id: string;
  beforeAll(async () => {
    id = await registerAt(alice, sshd, 'web-1');
  });

  test.each(commandTypes)(
    '$name returns its output and is recorded with its end',
    async ({ cmdType, label, name }) => {
      const { status, body } = await exec(id, cmdType);
      expect(status).toBe(200);
      expect(body.out.length).toBeGreaterThan(0);
      const run = await runOf(body.runId);
      expect(run).toMatchObject({
        kind: 'command',
        label,
        input: { cmdType },
        subject: { kind: 'server', id, name: 'web-1' },
      });
      expect(run.state).toBe(body.state);
      expect(run.steps).toHaveLength(1);
      const [step] = run.steps;
      expect(step).toMatchObject({ step: name, attempt: 1, exitCode: body.exitCode });
      const stored = await alice.post<{ chunks: Chunk[]; more: boolean }>('run/output', { id: body.runId });
      const text = textOf(stored.body.chunks);
      expect(text).toBe(body.out);
      expect(step?.output).toEqual({
        bytes: Buffer.byteLength(text),
        sha256: createHash('sha256').update(text).digest('hex'),
      });
    },
  );

  test('the list of runs shows them, newest first, in pages and by filter', async () => {
    const first = await alice.post<{ runs: RunView[]; next?: string }>('run/list', {
      limit: 4,
      subject: { kind: 'server', id },
    });
    expect(first.body.runs.map(({ input }) => input.cmdType)).toEqual([10, 9, 8, 7]);
    const second = await alice.post<{ runs: RunView[]; next?: string }>('run/list', {
      limit: 10,
      before: first.body.next,
    });
    expect(second.body.runs.map(({ input }) => input.cmdType)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(second.body.next).toBeUndefined();
    const found = async (query: object) =>
      (await alice.post<{ runs: RunView[] }>('run/list', query)).body.runs.map(({ input }) => input.cmdType);
    expect(await found({ search: 'IMAGES docker' })).toEqual([10]);
    expect(await found({ search: 'nginx' })).toEqual([8, 6, 3]);
    expect(await found({ search: 'nginx', limit: 1, before: first.body.next })).toEqual([6]);
    expect(await found({ search: 'nginx', kind: 'script' })).toEqual([]);
    expect(await found({ search: '%' })).toEqual([]);
    const { body } = await alice.post<ServerView[]>('server/list');
    expect(body[0]?.lastRun).toMatchObject({ kind: 'command', label: 'Docker images' });
  });

  test('the same run id a hundred times at once is one run with a hundred equal answers', async () => {
    const runId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 100 }, () => exec(id, 1, runId)));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, body }))).size).toBe(1);
    expect(answers[0]?.body.state).toBe('succeeded');
    expect(await runOf(runId)).toMatchObject({ revision: 3, state: 'succeeded' });
    // A repeated call much later gets the same answer.
    expect((await exec(id, 1, runId)).body).toEqual(answers[0]?.body);
    const other = await exec(id, 2, runId);
    expect(other.status).toBe(422);
  });

  test('output can be watched from the first byte, also by somebody who connects later', async () => {
    const runId = randomUUID();
    const socket = await connectSocket(alice);
    const early = socket.watch(runId);
    const { body } = await exec(id, 5, runId);
    expect(await early).toEqual({ ok: true });
    await socket.until(() => textOf(socket.output.get(runId)) === body.out);
    const late = await connectSocket(alice);
    expect(await late.watch(runId)).toEqual({ ok: true });
    await late.until(() => textOf(late.output.get(runId)) === body.out);
    expect(late.output.get(runId)).toEqual(socket.output.get(runId));
    expect(await late.watch(randomUUID())).toEqual({ error: 'run could not be found' });
    socket.close();
    late.close();
  });
});

describe('the host key', () => {
  test('clears a refusal once the server shows the pinned key again, and records that once', async () => {
    const own = await startSshd();
    try {
      const id = await registerAt(alice, own, 'astray');
      const detail = async () => (await alice.post<ServerView>('server/detail', { id })).body;
      await alice.post('server/contact', { id });
      const { hostKey } = await detail();
      const refused = await own.swapHostKey();
      expect((await alice.post('server/contact', { id })).status).toBe(502);
      expect((await detail()).refusedHostKey).toMatchObject(refused);

      const expected = await own.restoreHostKey();
      expect((await alice.post('server/contact', { id })).status).toBe(200);
      expect((await detail()).hostKey).toEqual(hostKey);
      expect(await detail()).not.toHaveProperty('refusedHostKey');
      await alice.post('server/contact', { id });
      expect((await exec(id, 1)).body).toMatchObject({ state: 'succeeded' });
      const { body } = await alice.post<{ events: HistoryView[] }>('history/list', {
        subject: { category: 'server', id },
      });
      const told = body.events.filter(({ type }) => type.startsWith('ServerHostKey'));
      expect(told.map(({ type, says }) => [type, says])).toEqual([
        [
          'ServerHostKeyReturned',
          `found the pinned host key ${expected.fingerprint} again, after refusing ${refused.fingerprint}`,
        ],
        ['ServerHostKeyRefused', expect.stringContaining(refused.fingerprint)],
        ['ServerHostKeyPinned', expect.stringContaining(expected.fingerprint)],
      ]);
    } finally {
      await own.stop();
    }
  });

  test('is pinned by a contact that a forced command answers, which is no success', async () => {
    const forced = `command="echo 'Please login as the user \\"ubuntu\\" rather than \\"root\\".';exit 142"`;
    const own = await startSshd();
    try {
      const id = await registerAt(alice, own, 'forced');
      writeFileSync(own.authorizedKeys, `${forced} ${readFileSync(own.authorizedKeys, 'utf8')}`);
      const { status, body } = await alice.post('server/contact', { id });
      expect([status, body.code]).toEqual([502, 'channelRefused']);
      expect(String(body.msg)).toMatch(
        /accepted but does not run commands: .*Please login as the user "ubuntu"/,
      );
      writeFileSync(own.authorizedKeys, readFileSync(own.authorizedKeys, 'utf8').slice(forced.length + 1));
      expect((await alice.post('server/contact', { id })).status).toBe(200);
    } finally {
      await own.stop();
    }
  });

  test('is pinned at first contact, refused after a change, and works once an admin accepts it', async () => {
    const own = await startSshd();
    try {
      const id = await registerAt(alice, own, 'rebuilt');
      const detail = async () => (await alice.post<ServerView>('server/detail', { id })).body;
      const first = await alice.post('server/contact', { id });
      expect(first.body).toMatchObject({ hostKey: own.hostKey, pinned: true });
      expect(String(first.body.software)).toMatch(/^OpenSSH/);
      expect((await detail()).hostKey).toMatchObject(own.hostKey);
      expect((await alice.post('server/contact', { id })).body.pinned).toBe(false);

      const changed = await own.swapHostKey();
      const refused = await alice.post('server/contact', { id });
      expect(refused.status).toBe(502);
      expect(refused.body.code).toBe('hostKeyChanged');
      expect(String(refused.body.msg)).toContain(changed.fingerprint);
      expect((await detail()).refusedHostKey).toMatchObject(changed);
      await own.restart();
      const { status, body } = await exec(id, 1);
      expect([status, body.code]).toEqual([502, 'hostKeyChanged']);

      const wrong = await alice.post('server/host-key/accept', { id, fingerprint: 'SHA256:another' });
      expect(wrong.status).toBe(400);
      expect(
        (await alice.post('server/host-key/accept', { id, fingerprint: changed.fingerprint })).status,
      ).toBe(200);
      expect((await detail()).hostKey).toMatchObject(changed);
      expect(await detail()).not.toHaveProperty('refusedHostKey');
      expect((await exec(id, 1)).body).toMatchObject({ state: 'succeeded' });
    } finally {
      await own.stop();
    }
  });
});

describe('a command that cannot be run', () => {
  const failedRun = async (id: string, code: string, status = 502) => {
    const runId = randomUUID();
    const answer = await exec(id, 1, runId);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    const run = await runOf(runId);
    expect(run).toMatchObject({ state: 'failed', code, reason: answer.body.msg });
    // Repeating the call repeats the answer; nothing is tried a second time.
    expect((await exec(id, 1, runId)).body).toEqual(answer.body);
    expect((await runOf(runId)).revision).toBe(run.revision);
  };
  const registerWith = async (
    alias: string,
    at: { host: string; port: number; username: string },
    privateKey: string,
  ) => String((await alice.post('server/insert', { ...fieldsOf(alias, at), privateKey })).body.id);

  test('reports and records that nothing listens at the address', async () => {
    const port = await freePort('127.0.0.1');
    await failedRun(
      await registerWith('dead', { host: '127.0.0.1', port, username: 'root' }, idleKey()),
      'refused',
    );
  });
  test('reports and records that the host is unknown', async () => {
    const at = { host: 'no-such-host.invalid', port: 22, username: 'root' };
    await failedRun(await registerWith('unknown', at, idleKey()), 'unknownHost');
  });
  test('reports and records that the key is rejected', async () => {
    await failedRun(await registerWith('stranger', sshd, idleKey()), 'authentication');
  });
  test('is not started again if a restart of the server killed it, and records the reason', async () => {
    const slow = await startSlowServer();
    try {
      const id = await registerAt(alice, slow.sshd, 'cut');
      const runId = randomUUID();
      const running = exec(id, 7, runId);
      await slow.atWork();
      await slow.sshd.restart();
      const { status, body } = await running;
      expect([status, ['failed', 'interrupted'].includes(String(body.state))]).toEqual([200, true]);
      expect(await runOf(runId)).toMatchObject({ reason: body.reason, steps: [{ attempt: 1 }] });
    } finally {
      await slow.stop();
    }
  });
});
