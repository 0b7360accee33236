/** Unique names within a workspace, ignoring case and the spaces around them. */
import type { ClientBase } from 'pg';
import type { Claimed, Claims } from './claims';
import { DomainError, invalidField, NameNotClaimed } from '../errors';
import { atPresent, ifRecorded } from '../as-of';

export interface Naming {
  /** First part of the claim's scope. Never changes: `server-alias`. */
  scope: string;
  /** The input field that a refusal names, and its message. */
  field: string;
  taken: string;
  /** `select workspace, id, name …`: all names and their holders from the read models, the oldest first. */
  bearers: string;
  /** Extracts the name from the column `name` of `bearers`. Default: the column's value. */
  nameIn?(selected: unknown): string | undefined;
  /** The thing's present name, or names, according to its stream; `undefined` if it does not exist. */
  nameOf(workspace: string, id: string): Promise<string | readonly string[] | undefined>;
  /** True if removed after `since`: removals driven by runs never release names. */
  isOver?(workspace: string, id: string, since: Date): Promise<boolean>;
}

export const nameKey = (name: string): string => name.normalize('NFC').trim().toLowerCase();

const keysOf = (names: string | readonly string[] = []): string[] =>
  (typeof names === 'string' ? [names] : names).map(nameKey);

export class UniqueNames {
  constructor(
    private readonly claims: Claims,
    private readonly naming: Naming,
  ) {
    claims.owners.push({ name: naming.scope, remake: (client) => this.claimAgain(client) });
  }

  /** @throws DomainError on the name's field if another thing has the name */
  async claim(workspace: string, name: string, id: string, field = this.naming.field): Promise<Claimed> {
    const holds = async (holder: string): Promise<boolean> =>
      (await this.held(workspace, holder)).has(nameKey(name));
    const scope = this.scopeOf(workspace);
    const key = nameKey(name);
    const claimed = await this.claims.claim(scope, key, id, holds);
    if (claimed) return claimed;
    const held = await this.claims.heldBy(scope, key);
    const isOver = held && atPresent(() => this.naming.isOver?.(workspace, held.holder, held.since));
    if (held && (await isOver)) {
      await this.claims.release(scope, key, held.holder);
      const freed = await this.claims.claim(scope, key, id, holds);
      if (freed) return freed;
    }
    throw invalidField(field, this.naming.taken);
  }

  /** Claims one name for each thing. @returns why not, by the id of the thing */
  async claimAll(
    workspace: string,
    wanted: readonly { id: string; name: string }[],
  ): Promise<Map<string, DomainError>> {
    const keys = wanted.map(({ id, name }) => ({ key: nameKey(name), holder: id }));
    const holders = await this.claims.claimFree(this.scopeOf(workspace), keys);
    const refused = new Map<string, DomainError>();
    for (const { id, name } of wanted)
      if (!holders.has(id))
        await this.claim(workspace, name, id).catch((error: unknown) => {
          if (!(error instanceof DomainError)) throw error;
          refused.set(id, error);
        });
    return refused;
  }

  /** @throws DomainError on the name's field if another thing has the name */
  async refuseTaken(workspace: string, name: string, id: string, field = this.naming.field): Promise<void> {
    if ((await this.otherHolder(workspace, name, id)) !== undefined)
      throw invalidField(field, this.naming.taken);
  }

  /** Another thing that has the name. */
  async otherHolder(workspace: string, name: string, id: string): Promise<string | undefined> {
    const claim = await this.claims.heldBy(this.scopeOf(workspace), nameKey(name));
    if (!claim || claim.holder === id) return undefined;
    return (await this.held(workspace, claim.holder)).has(nameKey(name)) ? claim.holder : undefined;
  }

  /**
   * Keeps the claim of a name that the thing has: another request may have given it this name since then.
   *
   * @param before only claims from before this instant
   */
  async releaseUnlessHeld(
    workspace: string,
    names: string | readonly string[],
    id: string,
    before?: string,
  ): Promise<void> {
    const held = await this.held(workspace, id);
    for (const key of keysOf(names))
      if (!held.has(key))
        await this.claims.release(this.scopeOf(workspace), key, id, before === undefined ? {} : { before });
  }

  /**
   * Releases a name that the thing has lost.
   *
   * @param before an instant before the loss was recorded: who gives the name back to the thing claims it after that
   */
  async releaseLost(workspace: string, name: string, id: string, before: string): Promise<void> {
    await this.claims.release(this.scopeOf(workspace), nameKey(name), id, { before });
  }

  /**
   * Runs `work`, which gives the thing this name. Only a refusal guarantees that nothing was written, and releases the
   * name.
   */
  async withClaimedName<T>(
    workspace: string,
    name: string,
    id: string,
    work: (claimed?: Claimed) => Promise<T>,
    field?: string,
  ): Promise<T> {
    const repeated = await ifRecorded(work);
    if (repeated) return repeated.done;
    const claimed = await this.claim(workspace, name, id, field);
    try {
      return await work(claimed);
    } catch (error) {
      // What the thing had already belongs to the thing, or to another call about it.
      if (error instanceof DomainError && claimed.isNew)
        await this.claims.release(this.scopeOf(workspace), nameKey(name), id, { at: claimed.at });
      throw error;
    }
  }

  /** Like `withClaimedName` for different names of many things: those that are free are claimed in one statement. */
  async withClaimedNames<T>(
    workspace: string,
    all: readonly { name: string; id: string; work: () => Promise<T> }[],
  ): Promise<PromiseSettledResult<T>[]> {
    const wanted = all.map(({ name, id }) => ({ key: nameKey(name), holder: id }));
    const holders = await this.claims.claimFree(this.scopeOf(workspace), wanted);
    return Promise.allSettled(
      all.map(({ name, id, work }) =>
        holders.has(id)
          ? work().catch(async (error: unknown) => {
              if (error instanceof DomainError) await this.releaseUnlessHeld(workspace, name, id);
              throw error;
            })
          : this.withClaimedName(workspace, name, id, work),
      ),
    );
  }

  /**
   * Runs an edit that may rename the thing. Only a rename claims the new name, and then releases the old one.
   *
   * @param edit executes the command; without a claim, its decider throws `NameNotClaimed` for a new name
   */
  async renamed<T>(
    { id, workspace, name }: { id: string; workspace: string; name: string },
    edit: (claim: { nameClaimed?: true }) => Promise<T>,
  ): Promise<T> {
    try {
      return await edit({});
    } catch (error) {
      if (!(error instanceof NameNotClaimed)) throw error;
    }
    const before = await this.naming.nameOf(workspace, id);
    let since: string | undefined;
    const done = await this.withClaimedName(workspace, name, id, (claimed) => {
      since = claimed?.at;
      return edit({ nameClaimed: true });
    });
    if (before !== undefined && before !== name) await this.releaseUnlessHeld(workspace, before, id, since);
    return done;
  }

  private async claimAgain(client: ClientBase): Promise<void> {
    const { nameIn = (name) => name as string, bearers } = this.naming;
    const { rows } = await client.query<{ workspace: string; id: string; name: unknown }>(bearers);
    const held = rows.flatMap(({ workspace, id, name: selected }) => {
      const name = nameIn(selected);
      return name === undefined ? [] : [{ scope: this.scopeOf(workspace), key: nameKey(name), holder: id }];
    });
    await this.claims.assign(held, client);
  }

  private scopeOf(workspace: string): string {
    return `${this.naming.scope}:${workspace}`;
  }

  /** The keys that the thing has now, also while a call is repeated. */
  private async held(workspace: string, id: string): Promise<Set<string>> {
    return new Set(keysOf(await atPresent(() => this.naming.nameOf(workspace, id))));
  }
}
