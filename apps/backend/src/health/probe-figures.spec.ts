// covers: SRV-16
import { parseFigures } from './probe-figures';

const KIB = 1024;

const debian = `load1=0.42
load5=0.30
load15=0.11
cores=4
memoryTotalKib=8140560
memoryAvailableKib=6010844
uptimeSeconds=1214365
diskTotalKib=81106868
diskUsedKib=16718140
diskAvailableKib=60223452
docker=running
containers=7
nginx=running
`;

/** busybox 1.36 without nginx; its init is a shell. */
const alpine = `load1=0.00\r
load5=0.01\r
load15=0.00\r
cores=1\r
memoryTotalKib=485996\r
memoryAvailableKib=402112\r
uptimeSeconds=61\r
diskTotalKib=984012\r
diskAvailableKib=801220\r
docker=stopped\r
nginx=absent\r
`;

describe('the output of a probe', () => {
  it('is parsed on Debian with docker and nginx', () => {
    expect(parseFigures(debian)).toEqual({
      load1: 0.42,
      load5: 0.3,
      load15: 0.11,
      cores: 4,
      memoryTotal: 8_140_560 * KIB,
      memoryAvailable: 6_010_844 * KIB,
      uptimeSeconds: 1_214_365,
      diskTotal: 81_106_868 * KIB,
      diskUsed: 16_718_140 * KIB,
      diskAvailable: 60_223_452 * KIB,
      docker: 'running',
      containers: 7,
      nginx: 'running',
    });
  });

  it('is parsed on Alpine with busybox', () => {
    expect(parseFigures(alpine)).toMatchObject({ load1: 0, cores: 1, docker: 'stopped', nginx: 'absent' });
    expect(parseFigures(alpine)).not.toHaveProperty('containers');
  });

  it('is parsed on a machine without docker', () => {
    const without = debian.replace('docker=running\ncontainers=7', 'docker=absent');
    expect(parseFigures(without)).toMatchObject({ docker: 'absent', nginx: 'running', cores: 4 });
  });

  it('omits unknown values, and keeps the rest', () => {
    const mac = 'load1=\nload5=\nload15=\ncores=8\ndiskTotalKib=\ndiskAvailableKib=\ndocker=silent\n';
    expect(parseFigures(mac)).toEqual({ cores: 8, docker: 'silent' });
    expect(parseFigures('')).toEqual({});
  });

  it.each([
    ['what a login shell prints', 'Last login: Mon Nov 20\nload1=0.5\nHave a nice day!\n'],
    ['names that nobody asked for', 'load1=0.5\nload2=9\ntoString=1\n__proto__=2\nconstructor=3\n'],
    [
      'numbers that are none',
      'load1=0.5\nload5=1e9\nload15=-1\ncores=4.5\nuptimeSeconds=NaN\ncontainers=0x10\n',
    ],
    ['numbers too large to be true', `load1=0.5\ncores=99999999\ndiskTotalKib=${'9'.repeat(30)}\n`],
    ['words that are none of ours', 'load1=0.5\ndocker=<b>running</b>\nnginx=RUNNING\n'],
    ['a line that was cut', 'load1=0.5\nmemoryTotalKib'],
  ])('ignores %s', (_what, printed) => {
    expect(parseFigures(printed)).toEqual({ load1: 0.5 });
  });
});
