/** A throw-away server with nginx and the console's folder of sites; scripts run there as in runs. */
import { randomBytes } from 'node:crypto';
import type { DetachedWork, RemoteEnd, ShellCommand, SshTarget } from '../../apps/backend/src/platform/ssh';
import { startThrowawayHost, type ThrowawayHost, type ThrowawayOptions } from '../../testing/throwaway-host';
import { detachedOver, follow } from '../ssh/detached-servers';
import { poolThatSees, targetOf } from '../ssh/targets';
import { ROOT, SITES, siteServerSetUp } from './site-set-up';

export { ROOT, SITES, siteServerSetUp };

export interface ScriptEnd {
  code: number | undefined;
  /** Both streams. */
  out: string;
  report: Record<string, string>;
  end: RemoteEnd;
}

export interface SiteServer {
  host: ThrowawayHost;
  /** Runs a line on the server as root; throws unless it succeeds. */
  inside(line: string): Promise<string>;
  /** Detached and as root, like a step of a run. */
  run(command: ShellCommand): Promise<ScriptEnd>;
  /** The same with another account, through sudo. */
  as(username: string): Promise<Pick<SiteServer, 'run'>>;
  /** Starts the script and kills its whole process group once the line `when` has ended on the server. */
  kill(command: ShellCommand, when: string): Promise<RemoteEnd>;
  stop(): Promise<void>;
}

export const startSiteServer = async (options: ThrowawayOptions = {}): Promise<SiteServer> => {
  const host = await startThrowawayHost(options);
  const { pool } = poolThatSees();
  const detached = detachedOver(pool);
  const inside = async (line: string): Promise<string> => {
    const { code, out } = await host.inside(line);
    if (code !== 0) throw new Error(`${line}: exit code ${String(code)}: ${out}`);
    return out;
  };
  const runAt = (target: SshTarget, work: DetachedWork) => async (command: ShellCommand) => {
    const { end, text } = await follow(
      work,
      target,
      { ...command, privileged: true },
      { deadline: Date.now() + 180_000 },
    );
    const code = end.is === 'exited' ? end.exitCode : undefined;
    return { code, out: text, report: end.report, end };
  };
  const stop = async (): Promise<void> => {
    await pool.close();
    await host.stop();
  };
  try {
    const target = await targetOf(host);
    await inside(siteServerSetUp);
    return {
      host,
      inside,
      run: runAt(target, detached),
      async as(username) {
        const account = await targetOf(host, 'ed25519', { id: `server-${username}`, username });
        return { run: runAt(account, detached) };
      },
      async kill(command, when) {
        const name = `run-${randomBytes(6).toString('hex')}-1`;
        const running = follow(detached, target, { ...command, name, privileged: true });
        await inside(
          `d=/root/.quarterdeck/${name}
          until [ -s $d/group ] || [ -e $d/exit ]; do sleep 0.01; done
          ${when}
          read -r group since < $d/group
          kill -KILL $group 2>/dev/null || true`,
        );
        return (await running).end;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Configuration of a site that serves the files of `/root/volumes/static/app.test`. */
export const siteText = ({ name = 'app.test', extra = '' } = {}): string =>
  `server {
    listen 80;
    server_name ${name};
    root ${ROOT}/static/app.test;
    ${extra}
}
`;
