import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandName } from '@quarterdeck/events';
import { fixedCommands } from '../../apps/backend/src/servers/commands/fixed-commands';
import type { SshTarget } from '../../apps/backend/src/platform/ssh';
import { makeNginxFiles, type NginxFiles } from '../../testing/nginx-files';
import { startSshd, type Sshd } from '../../testing/sshd';
import { makeStandInTools, type StandInTools } from '../../testing/stand-in-tools';
import { type Outcome, poolThatSees, run, targetOf } from './targets';

export interface CommandServers {
  tools: StandInTools;
  nginx: NginxFiles;
  equipped: Sshd;
  /** On the fully equipped server. */
  root: SshTarget;
  /** On the same server, with few permissions. */
  operator: SshTarget;
  /** On a server without docker, nginx and their logs. */
  bare: SshTarget;
  command(target: SshTarget, name: CommandName, path?: string): Promise<Outcome>;
  stop(): Promise<void>;
}

const binaries = ['/usr/bin/docker', '/usr/local/bin/docker', '/usr/sbin/nginx', '/usr/bin/sudo'];
const plainPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Two real servers for the fixed commands: one with everything, one with nothing. */
export const startCommandServers = async (): Promise<CommandServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'commands-'));
  chmodSync(folder, 0o755);
  const tools = makeStandInTools(folder);
  tools.set('up');
  const nginx = await makeNginxFiles(folder);
  mkdirSync(join(folder, 'no-logs'));
  const { pool } = poolThatSees();
  const [equipped, empty] = await Promise.all([
    startSshd({
      path: `${tools.folder}:${plainPath}`,
      mounts: nginx.mounts,
      users: [{ name: 'operator', uid: 20_001 }],
    }),
    startSshd({ path: plainPath, absent: binaries, mounts: { '/var/log': join(folder, 'no-logs') } }),
  ]);
  const root = await targetOf(equipped, 'ed25519', { id: 'equipped' });
  return {
    tools,
    nginx,
    equipped,
    root,
    operator: { ...root, id: 'operator', username: 'operator' },
    bare: await targetOf(empty, 'ed25519', { id: 'bare' }),
    command(target, name, path = '/nowhere') {
      const found = fixedCommands.find((one) => one.name === name);
      if (!found) throw new Error(`no command ${name}`);
      const { script, ...given } = found.script({ path });
      return run(pool, target, script, { ...given, timeoutMs: found.timeoutMs });
    },
    async stop() {
      await pool.close();
      await Promise.all([equipped.stop(), empty.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
