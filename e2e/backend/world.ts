/** Shared set-up of these tests: a database, a back end on it, and a server reachable by SSH. */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBackend, type BackendOptions, type Operator, type RunningBackend } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { fieldsOf } from '../../testing/server-fields';
import { startSshd, type Sshd } from '../../testing/sshd';

export { fieldsOf };
export { idleKey, nowhere } from '../../testing/idle-server';

export interface World {
  postgres: TestPostgres;
  backend: RunningBackend;
  /** Another back end on the same database. */
  another(options?: Partial<BackendOptions>): Promise<RunningBackend>;
  end(): Promise<void>;
}

export const openWorld = async (options: Partial<BackendOptions> = {}): Promise<World> => {
  const postgres = await startTestPostgres();
  const open: RunningBackend[] = [];
  const another = async (more: Partial<BackendOptions> = {}): Promise<RunningBackend> => {
    const backend = await startBackend({ databaseUrl: postgres.url, ...options, ...more });
    open.push(backend);
    return backend;
  };
  const backend = await another();
  const end = async (): Promise<void> => {
    for (const one of open.splice(0).reverse()) await one.close();
    await postgres.stop();
  };
  return { postgres, backend, another, end };
};

export interface SlowServer {
  sshd: Sshd;
  /** Settles once `docker`, which takes ten minutes on this server, is running. */
  atWork(): Promise<void>;
  stop(): Promise<void>;
}

/** A server on which every docker command takes ten minutes, longer than any test. */
export const startSlowServer = async (): Promise<SlowServer> => {
  const tools = mkdtempSync(join(tmpdir(), 'quarterdeck-tools-'));
  const begun = join(tools, 'begun');
  writeFileSync(join(tools, 'docker'), `#!/bin/sh\ntouch ${begun}\nexec sleep 600\n`, { mode: 0o755 });
  chmodSync(tools, 0o777);
  const sshd = await startSshd({ path: `${tools}:/usr/bin:/bin` });
  return {
    sshd,
    atWork: async () => {
      while (!existsSync(begun)) await new Promise((done) => setTimeout(done, 10));
    },
    stop: async () => {
      await sshd.stop();
      rmSync(tools, { recursive: true, force: true });
    },
  };
};

/** Registers a server at a real sshd. @returns its id */
export const registerAt = async (
  operator: Operator,
  sshd: Sshd,
  alias = `web-${randomUUID()}`,
): Promise<string> => {
  const { privateKey, passphrase } = await sshd.keyFor('ed25519');
  const answer = await operator.post<{ id: string }>('server/insert', {
    ...fieldsOf(alias, sshd),
    privateKey,
    ...(passphrase ? { passphrase } : {}),
  });
  if (answer.status !== 200) throw new Error(`not registered: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};
