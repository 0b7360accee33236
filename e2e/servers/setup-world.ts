/** A back end, and throw-away servers that it sets up. */
import { randomUUID } from 'node:crypto';
import type { RunView, ServerView } from '@quarterdeck/projections';
import { fieldsOf, openWorld } from '../backend/world';
import { unpackLine, packagesLack } from '../../testing/debian-packages';
import type { Operator } from '../../testing/backend';
import { startThrowawayHost, type ThrowawayHost, type ThrowawayOptions } from '../../testing/throwaway-host';
import { throwawayHostLacks } from '../../testing/throwaway-needs';
import { pause } from '../../testing/patience';

/** What this machine lacks for the set-up tests; empty if nothing. */
export const setupTestsLack = (packages: readonly string[]): string[] => [
  ...throwawayHostLacks(),
  ...packagesLack(packages),
];

export type SetUp = 'init' | 'install-docker';

export interface EndedSetUp {
  run: RunView;
  /** All output. */
  out: string;
  /** The changes of each step, as it reported them. */
  changed: string[];
}

export interface SetupWorld {
  alice: Operator;
  host(options?: ThrowawayOptions): Promise<ThrowawayHost>;
  /** Registers the server. @returns its id */
  register(host: ThrowawayHost, changes?: Partial<ReturnType<typeof fieldsOf>>): Promise<string>;
  setUp(what: SetUp, id: string): Promise<EndedSetUp>;
  retry(run: string): Promise<EndedSetUp>;
  ended(run: string): Promise<EndedSetUp>;
  server(id: string): Promise<ServerView>;
  end(): Promise<void>;
}

export const openSetupWorld = async (): Promise<SetupWorld> => {
  const world = await openWorld();
  const alice = await world.backend.signIn();
  const hosts: ThrowawayHost[] = [];

  const ended = async (id: string): Promise<EndedSetUp> => {
    for (;;) {
      const { status, body: run } = await alice.post<RunView>('run/detail', { id });
      if (status === 200 && run.endedAt !== undefined) {
        const { body } = await alice.post<{ chunks: { text: string }[] }>('run/output', { id });
        const out = body.chunks.map(({ text }) => text).join('');
        return { run, out, changed: run.steps.flatMap(({ report }) => report?.changed?.split('\n') ?? []) };
      }
      await pause(250);
    }
  };
  return {
    alice,
    async host(options) {
      const host = await startThrowawayHost(options);
      hosts.push(host);
      return host;
    },
    async register(host, changes = {}) {
      const { privateKey } = await host.keyFor('ed25519');
      const fields = { ...fieldsOf(`web-${randomUUID()}`, host), ...changes };
      const { status, body } = await alice.post<{ id: string }>('server/insert', { ...fields, privateKey });
      if (status !== 200) throw new Error(`not registered: ${JSON.stringify(body)}`);
      return body.id;
    },
    async setUp(what, id) {
      const { status, body } = await alice.post<{ runId: string }>(`server/${what}`, { id });
      if (status !== 200) throw new Error(`refused: ${status} ${JSON.stringify(body)}`);
      return ended(body.runId);
    },
    async retry(run) {
      const { status, body } = await alice.post('run/retry', { id: run });
      if (status !== 200) throw new Error(`refused: ${status} ${JSON.stringify(body)}`);
      return ended(run);
    },
    ended,
    server: async (id) => (await alice.post<ServerView>('server/detail', { id })).body,
    async end() {
      await world.end();
      for (const host of hosts) await host.stop();
    },
  };
};

/** Removes packages from a server, whether or not this machine has them. */
export const purge = async (host: ThrowawayHost, names: string[]): Promise<void> => {
  const { code, out } = await host.inside(
    `there=$(dpkg-query -W -f '\${db:Status-Status} \${Package}\\n' ${names.join(' ')} 2>/dev/null | sed -n 's/^installed //p')
    [ -z "$there" ] || apt-get -q -y purge $there || exit
    rm -f /usr/local/bin/docker`,
  );
  if (code !== 0) throw new Error(out);
};

/** An account with the same key that may use sudo without a password. */
export const allowSudo = async (host: ThrowawayHost, name: string): Promise<void> => {
  const { code, out } = await host.inside(
    `set -e
    ${unpackLine('sudo')}
    useradd --create-home --shell /bin/sh --password '*' ${name}
    chmod 755 /home/${name}
    echo '${name} ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/${name}`,
  );
  if (code !== 0) throw new Error(out);
};
