import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { processesNaming } from '../../testing/processes';
import { startThrowawayHost } from '../../testing/throwaway-host';
import { needs, throwawayHostLacks } from '../../testing/throwaway-needs';
import { poolThatSees, run, targetOf } from '../ssh/targets';

const lacking = throwawayHostLacks();
needs('this machine can bring up throw-away servers', lacking);

if (lacking.length === 0) {
  test('a throw-away server is a Debian with systemd, reachable by SSH, whose changes are isolated', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('throwaway-'));
    const host = await startThrowawayHost();
    const { pool } = poolThatSees();
    try {
      const target = await targetOf(host);
      const said = await run(
        pool,
        target,
        'cat /proc/1/comm; hostname; systemctl is-system-running --wait; systemctl --failed --plain --no-legend; touch /etc/written-there; grep -c ^/dev/ /proc/mounts; ls /home; echo end',
        { timeoutMs: 60_000 },
      );
      expect(said.out).toBe(`systemd\n${host.name}\nrunning\n0\nend\n`);
      expect(existsSync('/etc/written-there')).toBe(false);
      expect(await host.inside('ls /etc/written-there')).toEqual({ code: 0, out: '/etc/written-there\n' });
    } finally {
      await pool.close();
      await host.stop();
    }
    expect(processesNaming(host.name)).toEqual([]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('throwaway-'))).toEqual(before);
    expect(
      readdirSync('/sys/fs/cgroup', { recursive: true }).filter((path) => String(path).includes(host.name)),
    ).toEqual([]);
  });
}
