// covers: AUD-02
import { createHash } from 'node:crypto';
import type { RunStepView, RunView } from '@quarterdeck/projections';
import { castFilename, castOf, checkOutput, type RecordedChunk } from './run-replay';

const START = Date.parse('2026-11-20T10:00:00.400Z');
const instant = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

const step = (name: string, attempt: number, startedAfter: number, printed?: string): RunStepView => ({
  step: name,
  attempt,
  state: 'succeeded',
  startedAt: instant(startedAfter),
  ...(printed !== undefined && { output: measure(printed) }),
});

const measure = (text: string) => ({
  bytes: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
});

const run = (...steps: RunStepView[]): RunView => ({
  id: '1',
  uuid: '1',
  workspace: 'w',
  kind: 'command',
  label: 'Docker images',
  parent: '',

  subject: { kind: 'server', id: 's', name: 'web-1' },
  subjectId: 's',
  serverId: 's',
  input: { cmdType: 10 },
  state: 'succeeded',
  requestedBy: 'p',
  requestedAt: instant(-1),
  startedAt: instant(0),
  requestedPosition: '1',
  correlationId: 'c',
  revision: 3,
  position: '4',
  steps,
});

/** Output printed this many seconds after the start. */
async function* printed(
  ...chunks: [seconds: number, text: string, step?: string, attempt?: number][]
): AsyncGenerator<RecordedChunk> {
  for (const [index, [seconds, text, name = null, attempt = null]] of chunks.entries())
    yield { seq: index + 1, at: new Date(START + seconds * 1000), text, step: name, attempt };
}

const lines = async (of: RunView, chunks: AsyncIterable<RecordedChunk>): Promise<unknown[]> => {
  const all: unknown[] = [];
  for await (const line of castOf(of, chunks)) {
    expect(line.endsWith('\n') && !line.slice(0, -1).includes('\n')).toBe(true);
    all.push(JSON.parse(line));
  }
  return all;
};

describe('a run as an asciicast', () => {
  it('begins with a header that says what ran, where and when', async () => {
    const [header] = await lines(run(), printed());
    expect(header).toEqual({
      version: 2,
      width: 120,
      height: 32,
      timestamp: Math.floor(START / 1000),
      idle_time_limit: 2,
      title: 'Docker images on web-1',
      env: { TERM: 'xterm-256color' },
    });
  });

  it('ends its lines as a terminal expects, even if a chunk boundary splits a line end', async () => {
    const chunks = printed([0, '\na\nb\r\n\n'], [1, '50%\r'], [2, '\n\n'], [3, ''], [4, '\n']);
    const [, ...events] = await lines(run(), chunks);
    expect(events.map((event) => (event as [number, string, string])[2])).toEqual([
      '\r\na\r\nb\r\n\r\n',
      '50%\r',
      '\n\r\n',
      '',
      '\r\n',
    ]);
  });

  it('keeps colours, emoji and Unicode line separators', async () => {
    const odd = '\u001b[31mé😀\u2028\u2029\u0007\u001b[0m';
    const [, event] = await lines(run(), printed([0.25, odd]));
    expect(event).toEqual([0.25, 'o', odd]);
  });

  it('marks where steps begin, even those without output, and never goes back in time', async () => {
    const of = run(step('dockerImages', 1, 0), step('silent', 1, 2), step('dockerImages', 2, 3));
    const [, ...events] = await lines(of, printed([0.5, 'a'], [0.4, 'b'], [2.5, 'c']));
    expect(events).toEqual([
      [0, 'm', 'Docker images'],
      [0.5, 'o', 'a'],
      [0.5, 'o', 'b'],
      [2, 'm', 'silent'],
      [2.5, 'o', 'c'],
      [3, 'm', 'Docker images, attempt 2'],
    ]);
  });

  it('has a file name that every file system accepts', () => {
    const { subject } = run();
    expect(castFilename({ ...run(), subject: { ...subject, name: '../"Wéb" 1' } })).toBe(
      'docker-images-w-b-1-2026-11-20T09-59-59.cast',
    );
  });
});

describe('the check of an output', () => {
  it('finds each attempt of each step as it was recorded', async () => {
    const of = run(step('install', 1, 0, 'a😀'), step('install', 2, 1, 'b'), step('quiet', 1, 2, ''));
    const found = await checkOutput(
      of,
      printed([0, 'a', 'install', 1], [0, '😀', 'install', 1], [1, 'b', 'install', 2]),
    );
    expect(found).toEqual([
      { step: 'install', attempt: 1, recorded: measure('a😀'), actual: measure('a😀'), matches: true },
      { step: 'install', attempt: 2, recorded: measure('b'), actual: measure('b'), matches: true },
      { step: 'quiet', attempt: 1, recorded: measure(''), actual: measure(''), matches: true },
    ]);
  });

  it('assigns chunks without a step to the only step', async () => {
    expect(await checkOutput(run(step('old', 1, 0, 'ab')), printed([0, 'a'], [1, 'b']))).toMatchObject([
      { step: 'old', matches: true },
    ]);
  });

  it('finds output that was changed, removed, added, or moved to another step', async () => {
    const of = run(step('a', 1, 0, 'one'), step('b', 1, 1, 'two'));
    const verdicts = async (...chunks: Parameters<typeof printed>) =>
      (await checkOutput(of, printed(...chunks))).map(({ matches }) => matches);
    expect(await verdicts([0, 'one', 'a', 1], [1, 'two', 'b', 1])).toEqual([true, true]);
    expect(await verdicts([0, 'One', 'a', 1], [1, 'two', 'b', 1])).toEqual([false, true]);
    expect(await verdicts([1, 'two', 'b', 1])).toEqual([false, true]);
    expect(await verdicts([0, 'one', 'b', 1], [1, 'two', 'a', 1])).toEqual([false, false]);
    expect(await verdicts([0, 'one', 'a', 1], [1, 'two', 'b', 1], [2, '!', 'c', 1])).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('reports nothing for a step whose end was not seen', async () => {
    const [found] = await checkOutput(run(step('lost', 1, 0)), printed([0, 'half', 'lost', 1]));
    expect(found).toEqual({ step: 'lost', attempt: 1, actual: measure('half') });
  });
});
