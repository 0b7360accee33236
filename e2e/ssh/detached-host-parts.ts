/** Parts of unusual servers: programs from Debian packages that are unpacked, not installed. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packagesFolder, packagesLack } from '../../testing/debian-packages';
import type { SshdOptions } from '../../testing/sshd';

export interface HostParts {
  options: SshdOptions;
  remove(): void;
}

const unpack = (name: string): string => {
  const lacking = packagesLack([name]);
  if (lacking.length > 0) throw new Error(lacking.join('\n'));
  const file =
    readdirSync(packagesFolder).find((one) => one.startsWith(`${name}_`) && one.endsWith('.deb')) ?? '';
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  chmodSync(folder, 0o755);
  execFileSync('dpkg-deb', ['--extract', join(packagesFolder, file), folder]);
  return folder;
};

/** sh is busybox, and so is everything in PATH. */
export const busyboxHost = (): HostParts => {
  const folder = unpack('busybox-static');
  const busybox = join(folder, 'bin', 'busybox');
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  const applets = execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n');
  for (const applet of applets) symlinkSync(busybox, join(tools, applet));
  return {
    options: { path: tools, mounts: { '/bin/sh': busybox } },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** The real sudo, mounted over the machine's files for this server only. @param files more files of its /etc */
export const sudoHost = (rule: string, files: Readonly<Record<string, string>> = {}): HostParts => {
  const folder = unpack('sudo');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'etc', name), text);
  writeFileSync(join(folder, 'etc', 'sudoers'), `Defaults use_pty\n${rule}\n`, { mode: 0o440 });
  const over = (path: string): string =>
    `mount -t overlay overlay -o lowerdir='${folder}${path}':${path} ${path}`;
  return {
    // This server's accounts were mounted over a file of /etc, so they have to be in the layer.
    options: { boot: [`cp /etc/passwd '${folder}/etc/passwd'`, over('/etc'), over('/usr')].join('\n') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
