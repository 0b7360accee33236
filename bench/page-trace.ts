/** Reads what a trace of Chromium says about the opening of one page. */

/** Times in milliseconds since the beginning of the navigation. */
export interface Opened {
  requests: number;
  scripts: number;
  /** As sent, headers included. */
  bytes: number;
  scriptBytes: number;
  /** Script bytes before the first paint. */
  firstScriptBytes: number;
  fcp: number;
  lcp: number;
  /** Sum of all layout shifts that no input caused. */
  shift: number;
}

interface TraceEvent {
  name: string;
  ts: number;
  pid: number;
  args: {
    frame?: string;
    data?: {
      requestId?: string;
      resourceType?: string;
      encodedDataLength?: number;
      mimeType?: string;
      score?: number;
      had_recent_input?: boolean;
    };
  };
}

const MICROSECONDS = 1000;

export function readTrace(text: string, address: string): Opened {
  const { traceEvents } = JSON.parse(text) as { traceEvents: TraceEvent[] };
  const events = traceEvents.toSorted((a, b) => a.ts - b.ts);
  // Chromium does not name the address of every navigation, but every page that is drawn has a first paint.
  const painted = events.findLast(({ name }) => name === 'firstContentfulPaint');
  const began = events.findLast(
    ({ name, args, ts }) =>
      name === 'navigationStart' && args.frame === painted?.args.frame && ts <= Number(painted?.ts),
  );
  if (!began) throw new Error(`the trace does not contain the opening of ${address}`);
  const { frame } = began.args;
  const after = events.filter(({ ts, pid }) => ts >= began.ts && pid === began.pid);
  const timesOf = (wanted: string): number[] =>
    after
      .filter(({ name, args }) => name === wanted && args.frame === frame)
      .map(({ ts }) => (ts - began.ts) / MICROSECONDS);

  const responses = new Map<string, string>();
  for (const { name, args } of after)
    if (name === 'ResourceReceiveResponse' && args.data?.requestId !== undefined)
      responses.set(args.data.requestId, args.data.mimeType ?? '');
  // Some requests are reported as finished more than once.
  const finished = new Map<string, { bytes: number; at: number }>();
  for (const { name, args, ts } of after)
    if (name === 'ResourceFinish' && args.data?.requestId !== undefined)
      finished.set(args.data.requestId, {
        bytes: args.data.encodedDataLength ?? 0,
        at: (ts - began.ts) / MICROSECONDS,
      });
  const sent = [...finished].map(([id, end]) => ({ ...end, mime: responses.get(id) ?? '' }));
  const scripts = sent.filter(({ mime }) => mime.includes('javascript'));
  const sum = (of: readonly { bytes: number }[]): number => of.reduce((all, { bytes }) => all + bytes, 0);
  const fcp = timesOf('firstContentfulPaint')[0] ?? NaN;

  return {
    requests: sent.length,
    scripts: scripts.length,
    bytes: sum(sent),
    scriptBytes: sum(scripts),
    firstScriptBytes: sum(scripts.filter(({ at }) => at <= fcp)),
    fcp,
    lcp: timesOf('largestContentfulPaint::Candidate').at(-1) ?? fcp,
    shift: after
      .filter(({ name, args }) => name === 'LayoutShift' && args.data?.had_recent_input !== true)
      .reduce((all, { args }) => all + (args.data?.score ?? 0), 0),
  };
}
