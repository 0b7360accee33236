/**
 * `docs/tour.md` names the files that run while a server is renamed, and what each says of itself. After a change:
 * `TOUR=write npx jest e2e/backend/tour`
 */
import fs from 'node:fs';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { pause, PATIENCE_MS } from '../../testing/patience';
import { startSshd, type Sshd } from '../../testing/sshd';
import { fieldsOf, openWorld, registerAt, type World } from './world';

const root = path.resolve(__dirname, '../..');
const tour = path.join(root, 'docs/tour.md');
const BEGINS = '<!-- the files -->\n';

/** The stations of the way; a file belongs to the first that fits. */
const stations: readonly [title: string, fits: RegExp][] = [
  ['The call is declared', /^libs\/contract/],
  ['It is let in', /platform\/(http|sessions|logging|past)/],
  ['The rule decides', /backend\/src\/servers|platform\/(decisions|decider|errors)|events\/src\/\w+\.noun/],
  ['Its words and limits', /events\/src\/(rules|host|placement)/],
  ['The event is recorded', /^libs\/events/],
  ['The views are folded', /^libs\/projections/],
  ['Others are told', /./],
];

const isOurs = (file: string): boolean =>
  /^(apps\/backend|libs\/[^/]+)\/src\//.test(file) && !/\.spec\.|\/index\.ts$/.test(file);

let world: World;
let sshd: Sshd;
beforeAll(async () => {
  [world, sshd] = await Promise.all([openWorld(), startSshd()]);
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
});

interface Renaming {
  /** @returns the files that ran while the server was renamed once more */
  again(): Promise<string[]>;
  end(): void;
}
const startRenaming = async (): Promise<Renaming> => {
  const ada = await world.backend.signIn();
  const id = await registerAt(ada, sshd, 'web-0');
  const profiler = new Session();
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let count = 0;
  const again = async (): Promise<string[]> => {
    count += 1;
    await profiler.post('Profiler.takePreciseCoverage');
    const renamed = await ada.post('server/update', { id, data: fieldsOf(`web-${count}`, sshd) });
    expect(renamed.status).toBe(200);
    await world.backend.caughtUp();
    // What follows later would otherwise fold between two looks.
    await world.backend.resources.projections.waitForLater(PATIENCE_MS);
    const { result } = await profiler.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count: n }) => n > 0)))
      .map(({ url }) => path.relative(root, url.replace('file://', '')))
      .filter(isOurs);
  };
  return { again, end: () => profiler.disconnect() };
};

/** The first sentence of the comment at the top of the file. */
const saysOfItself = (file: string): string => {
  const comment = /^\/\*\*([^]*?)\*\//.exec(fs.readFileSync(path.join(root, file), 'utf8'))?.[1] ?? '';
  const text = comment.replaceAll(/\s*\n \* ?|\s*\n/g, ' ').trim();
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
};

const lineOf = (file: string): string => `- [${file}](../${file}) ${saysOfItself(file)}`.trimEnd();

const stationOf = (file: string): string => stations.find(([, fits]) => fits.test(file))?.[0] ?? '';

const written = (): string[] =>
  fs
    .readFileSync(tour, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('- ['));

/** What runs each time. */
const write = async ({ again }: Renaming): Promise<void> => {
  let files = await again();
  for (let count = 0; count < 10; count += 1) {
    const ran = new Set(await again());
    files = files.filter((file) => ran.has(file));
  }
  const parts = stations.map(([title]) => {
    const lines = files.filter((file) => stationOf(file) === title).map(lineOf);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const [head] = fs.readFileSync(tour, 'utf8').split(BEGINS);
  fs.writeFileSync(tour, `${head}${BEGINS}\n${parts.join('\n')}`);
};

test('the tour names files that a change of a server runs through, and the words of each', async () => {
  const renaming = await startRenaming();
  if (process.env.TOUR === 'write') await write(renaming);
  const seen = new Set<string>();
  const missing = () => written().filter((line) => !seen.has(line));
  // Who is told is told in its own time: maybe only during the next change.
  for (let count = 0; count < 100 && (count === 0 || missing().length > 0); count += 1) {
    await pause(count && 50);
    for (const file of await renaming.again()) seen.add(lineOf(file));
  }
  // Other work may fall into a change, such as a sweep. What belongs to a change runs every time.
  const named = written();
  let unnamed = [...seen].filter(
    (line) => /src\/servers\/|platform\/decisions\//.test(line) && !named.includes(line),
  );
  for (let count = 0; count < 10 && unnamed.length > 0; count += 1) {
    const ran = new Set((await renaming.again()).map(lineOf));
    unnamed = unnamed.filter((line) => ran.has(line));
  }
  renaming.end();
  expect(missing()).toEqual([]);
  expect(written().length).toBeGreaterThan(60);
  expect(unnamed).toEqual([]);
});
