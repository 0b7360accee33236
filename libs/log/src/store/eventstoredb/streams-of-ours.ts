/** Facts about our streams that only a search through the server's own events shows. */
import { START, type Position } from '../../envelope';
import type { TruncatedStream } from '../engine';
import { StreamCut } from '../event-store';
import { dataOf, metaOf, streamOf, typeOf, type Names } from './events';
import type { Reader } from './reader';
import type { Filter } from './requests';

/** `workspace-0190…`: the form of this console's stream names. */
const OURS = '^[a-z][A-Za-z0-9]*-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
const OUR_META = ['actor', 'workspace', 'correlationId', 'causationId', 'v'];

const METADATA = '$metadata';
const METADATA_OF = '$$';
const TOMBSTONE = '$streamDeleted';
/** `$tb` of a deleted stream. JavaScript numbers are not exact at this size. */
const DELETED = 2 ** 63;

/** Whether the log has events of ours from before streams had a prefix. */
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

/**
 * Our streams that the server hides from readers, in part or as a whole. The newest metadata of each stream decides.
 */
export class TruncatedStreams {
  /** By their names in the log. */
  readonly #found = new Map<string, string[]>();
  /** Everything before this position was searched already. */
  #from: Position = START;

  constructor(
    private readonly reader: Reader,
    private readonly names: Names,
  ) {}

  /** @throws StreamCut if the last look found limits of the stream */
  refuse(stream: string): void {
    const limits = this.#found.get(this.names.inLog(stream)) ?? [];
    if (limits.length > 0) throw new StreamCut(stream, limits.join(', '));
  }

  /** Looks at what was added since the last look. */
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
