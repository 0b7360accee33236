/** What only a search through the server's own events tells about the streams of ours. */
import { START, type Position } from '../../envelope';
import type { TruncatedStream } from '../engine';
import { dataOf, metaOf, streamOf, typeOf, type Names } from './events';
import type { Reader } from './reader';
import type { Filter } from './requests';

/** `workspace-0190…`: a name that this console gives. */
const OURS = '^[a-z][A-Za-z0-9]*-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
const OUR_META = ['actor', 'workspace', 'correlationId', 'causationId', 'v'];

const METADATA = '$metadata';
const METADATA_OF = '$$';
const TOMBSTONE = '$streamDeleted';
/** What the server writes as `$tb` when a stream is deleted; a number of JavaScript does not hold it exactly. */
const DELETED = 2 ** 63;

/** Whether there are events of ours from before streams had a prefix. */
export async function writtenWithoutPrefix(reader: Reader): Promise<boolean> {
  let found = false;
  await reader.search({ on: 'stream', regex: OURS }, (event) => {
    const meta = metaOf(event);
    found = typeof meta === 'object' && meta !== null && OUR_META.every((key) => key in meta);
    return found;
  });
  return found;
}

const limitsIn = (metadata: unknown): string[] => {
  const { $maxAge, $maxCount, $tb } = (metadata ?? {}) as Record<string, unknown>;
  if (typeof $tb === 'number' && $tb >= DELETED) return ['deleted'];
  return [
    ...($maxAge === undefined ? [] : [`$maxAge ${JSON.stringify($maxAge)}`]),
    ...($maxCount === undefined ? [] : [`$maxCount ${JSON.stringify($maxCount)}`]),
    ...($tb === undefined ? [] : [`$tb ${JSON.stringify($tb)}`]),
  ];
};

/** Streams of ours whose beginning, or all of it, the server keeps from its readers, by the newest word on each. */
export class TruncatedStreams {
  readonly #found = new Map<string, string[]>();
  /** What is before it was searched already. */
  #from: Position = START;

  constructor(
    private readonly reader: Reader,
    private readonly names: Names,
  ) {}

  async list(): Promise<TruncatedStream[]> {
    const end = await this.reader.end();
    const filter: Filter = { on: 'type', prefixes: [METADATA, TOMBSTONE] };
    await this.reader.search(
      filter,
      (event) => {
        const [name, type] = [streamOf(event), typeOf(event)];
        const described = name.slice(METADATA_OF.length);
        if (type === TOMBSTONE && this.names.holds(name)) this.#found.set(name, ['deleted']);
        else if (type === METADATA && name.startsWith(METADATA_OF) && this.names.holds(described))
          this.#found.set(described, limitsIn(dataOf(event)));
      },
      this.#from,
    );
    this.#from = end;
    return [...this.#found]
      .filter(([, limits]) => limits.length > 0)
      .map(([stream, limits]) => ({ stream: this.names.outside(stream), limits: limits.join(', ') }));
  }
}
