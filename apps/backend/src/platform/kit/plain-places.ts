/** Where a thing of a plain noun belongs, and what it refers to. */
import { fieldsOfKind, inWords, nounOf, plainNounOf, streamName, type PlainNoun } from '@quarterdeck/events';
import { DomainError, invalidField, notFound } from '../errors';
import type { EventStore } from '../tokens';
import type { Values } from './plain.decider';

/** Ids of the ancestors of a thing, by category: its parent, the parent's parent, and so on. */
type Ancestors = Readonly<Record<string, string>>;

export class PlainPlaces {
  constructor(
    private readonly noun: PlainNoun,
    private readonly store: Pick<EventStore, 'readStream'>,
  ) {}

  /** Reads each stream once: for many things that are judged together. */
  together(): PlainPlaces {
    const read = new Map<string, ReturnType<EventStore['readStream']>>();
    return new PlainPlaces(this.noun, {
      readStream: (stream) => {
        const events = read.get(stream) ?? this.store.readStream(stream);
        read.set(stream, events);
        return events;
      },
    });
  }

  /** @throws DomainError `notFound` if one of the ancestors does not exist */
  async ancestors(fields: Values, workspace: string): Promise<Ancestors> {
    return this.ancestorsOf(this.noun, fields, workspace);
  }

  /** False for a thing that is hidden because one of its ancestors was removed. */
  async isHome(fields: Values, workspace: string): Promise<boolean> {
    const found = await this.ancestors(fields, workspace).catch((error: unknown) => {
      if (error instanceof DomainError) return undefined;
      throw error;
    });
    return found !== undefined;
  }

  /**
   * @param before the earlier fields: unchanged references are not checked again, since their targets may be gone by
   * now
   * @throws DomainError on a reference to something that does not exist, or belongs to other ancestors
   */
  async refuseDangling(
    fields: Values,
    here: Ancestors,
    workspace: string,
    before: Values = {},
  ): Promise<void> {
    for (const [key, { to = '' }] of fieldsOfKind(this.noun.fields, 'reference')) {
      const id = idIn(fields[key]);
      if (id === undefined || id === idIn(before[key])) continue;
      const missing = () => invalidField(`${key}.id`, `this ${inWords(to)} could not be found`);
      const target = plainNounOf(to);
      const first = await this.firstOf(to, id, workspace);
      if (!first) throw missing();
      const there = target ? await this.ancestorsOf(target, first, workspace) : {};
      if (Object.entries(there).some(([category, parent]) => here[category] !== parent)) throw missing();
    }
  }

  private async ancestorsOf(noun: PlainNoun, fields: Values, workspace: string): Promise<Ancestors> {
    const { within } = noun;
    if (within === undefined) return {};
    const id = String(fields[within]);
    const first = await this.firstOf(within, id, workspace);
    if (!first) throw notFound(inWords(within));
    const parent = plainNounOf(within);
    return { ...(parent && (await this.ancestorsOf(parent, first, workspace))), [within]: id };
  }

  /** Data of a thing's first event; undefined if the thing was removed. */
  private async firstOf(category: string, id: string, workspace: string): Promise<Values | undefined> {
    const events = await this.store.readStream(streamName(category, id));
    const { removedBy, restoredBy } = nounOf(category) ?? {};
    const last = events.findLast(({ type }) => type === removedBy || type === restoredBy);
    const [first] = events;
    const isThere = first?.meta.workspace === workspace && (!last || last.type !== removedBy);
    return isThere ? (first.data as Values) : undefined;
  }
}

const idIn = (value: unknown): string | undefined => (value as { id?: string } | null | undefined)?.id;
