/** A throw-away server behind a droplet, with the effect of cloud-init at its first start. */
import { startThrowawayHost, type ThrowawayHost } from '../throwaway-host';
import type { Machine } from './state';

interface UserData {
  ssh_keys?: { ed25519_private?: string; ed25519_public?: string };
}

/** cloud-init reads YAML, of which JSON is a part. */
const read = (userData: string): UserData => {
  const [first = '', ...rest] = userData.split('\n');
  return first === '#cloud-config' ? (JSON.parse(rest.join('\n')) as UserData) : {};
};

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export interface BootedMachine extends Machine {
  inside(line: string): Promise<{ code: number | null; out: string }>;
}

interface Boot {
  userData: string;
  keys: string[];
}

/** The host key of the image goes, that of the user data comes, and the keys of the account may sign in. */
export const cloudInit = async (
  host: Pick<ThrowawayHost, 'inside'>,
  { userData, keys }: Boot,
): Promise<void> => {
  const { ssh_keys: given = {} } = read(userData);
  const lines = [
    ...(given.ed25519_private === undefined
      ? []
      : [
          `printf '%s' ${quoted(given.ed25519_private)} > /etc/ssh/host_key`,
          `printf '%s\\n' ${quoted(given.ed25519_public ?? '')} > /etc/ssh/host_key.pub`,
          'chmod 600 /etc/ssh/host_key',
        ]),
    `printf '%s\\n' ${keys.map(quoted).join(' ')} > /etc/ssh/authorized_keys`,
    'systemctl restart ssh',
  ];
  const { code, out } = await host.inside(`set -e; ${lines.join('; ')}`);
  if (code !== 0) throw new Error(`cloud-init failed: ${out}`);
};

export const bootThrowaway = async (given: Boot): Promise<BootedMachine> => {
  const host = await startThrowawayHost({ address: true });
  try {
    await cloudInit(host, given);
  } catch (error) {
    await host.stop();
    throw error;
  }
  return { address: host.host, inside: (line) => host.inside(line), stop: () => host.stop() };
};
