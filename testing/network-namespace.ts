/** A network namespace whose loopback has many addresses, so that proxies and callers have real ones of their own. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';

export interface NetworkNamespace {
  /** Goes before a command that runs inside. */
  within: readonly string[];
  close(): Promise<void>;
}

/** What this machine lacks, in words; empty if nothing. */
export const namespaceLacks = (): string[] => {
  if (process.platform !== 'linux') return ['network namespaces need Linux'];
  if (userInfo().uid !== 0) return ['network namespaces need root'];
  const programs = {
    '/usr/bin/nsenter': 'util-linux',
    '/usr/bin/ip': 'iproute2',
    '/usr/sbin/nginx': 'nginx',
  };
  const lacking = Object.entries(programs)
    .filter(([program]) => !existsSync(program))
    .map(([program, name]) => `there is no ${program}: apt-get install ${name}`);
  try {
    execFileSync('unshare', ['--net', 'true'], { stdio: 'pipe' });
    return lacking;
  } catch {
    return [...lacking, 'network namespaces are refused here'];
  }
};

/** @throws if this machine allows no namespaces */
export const openNamespace = async (addresses: readonly string[]): Promise<NetworkNamespace> => {
  const script = [
    'set -e',
    'ip link set lo up',
    'for address; do case $address in *:*) ip addr add $address/128 dev lo nodad ;; *) ip addr add $address/32 dev lo ;; esac; done',
    'echo up',
    'exec cat', // Ends with the test.
  ].join('\n');
  const holder = spawn('unshare', ['--net', 'sh', '-c', script, 'sh', ...addresses], { stdio: 'pipe' });
  let said = '';
  holder.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const exited = once(holder, 'exit');
  const up = await Promise.race([once(holder.stdout, 'data').then(() => true), exited.then(() => false)]);
  if (!up) throw new Error(`a network namespace is refused here: ${said.trim()}`);
  return {
    within: ['nsenter', `--net=/proc/${holder.pid}/ns/net`],
    close: async () => {
      holder.stdin.end();
      await exited;
    },
  };
};
