/** Where a thing of a plain noun belongs, and what it refers to. */
import { fieldsOfKind, inWords, nounOf, plainNounOf, streamName, type PlainNoun } from '@quarterdeck/events';
import { invalidField, notFound } from '../errors';
import type { EventStore } from '../tokens';
import type { Values } from './plain.decider';

/** Ids of what it is in, by category: its parent, the parent of that, and so on. */
type Ancestors = Readonly<Record<string, string>>;

export class PlainPlaces {
  constructor(
    private readonly noun: PlainNoun,
    private readonly store: EventStore,
  ) {}

  /** @throws DomainError `notFound` if something that it belongs to is not there */
  async ancestors(fields: Values, workspace: string): Promise<Ancestors> {
    return this.ancestorsOf(this.noun, fields, workspace);
  }

  /**
   * @param before references that it had before are not checked again: what they lead to may have been removed since
   * @throws DomainError on a reference to something that does not exist, or is elsewhere
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

  /** What the first event of a thing says, unless the thing was removed. */
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
