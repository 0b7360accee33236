/**
 * The unique fields of a plain noun: each value belongs to one thing in its workspace, in its parent, or at what it
 * refers to.
 */
import { idOrValue, inWords, type PlainNoun } from '@quarterdeck/events';
import { tableOf } from '@quarterdeck/projections';
import { type Claims, UniqueNames } from '../decisions';
import type { DomainError } from '../errors';
import type { Rules, Values } from './plain.decider';

/** The fields of the thing according to its stream; `undefined` if it does not exist, or is hidden with its parent. */
type FieldsOf = (workspace: string, id: string) => Promise<Values | undefined>;

export class PlainNames {
  private readonly byField: readonly (readonly [field: string, names: UniqueNames])[];

  constructor(
    private readonly noun: PlainNoun,
    private readonly derived: NonNullable<Rules['derived']>,
    claims: Claims,
    fieldsOf: FieldsOf,
  ) {
    const { category, unique, uniqueAt } = noun;
    const where = (field: string): string => {
      const at = uniqueAt[field];
      if (at === undefined) return '';
      if (typeof at === 'string') return ` of the ${inWords(at)}`;
      const shown = at.filter((one) => one !== noun.within);
      return ` with the same ${shown.map((one) => (noun.fields[one]?.label ?? inWords(one)).toLowerCase()).join(' and ')}`;
    };
    this.byField = [...unique, ...Object.keys(uniqueAt)].map((field) => [
      field,
      new UniqueNames(claims, {
        // Claims from before there were keys are made anew under them.
        scope: `${category}-${field}${noun.fields[field]?.keyOf ? '-key' : ''}`,
        field,
        taken: `another ${inWords(category)}${where(field)} already has this ${inWords(field)}`,
        bearers: `select workspace, id, view as name from read.${tableOf(noun)} order by position`,
        nameIn: (view) => this.keyOf(field, view as Values),
        nameOf: async (workspace, id) => {
          const fields = await fieldsOf(workspace, id);
          return fields && this.keyOf(field, fields);
        },
      }),
    ]);
  }

  /**
   * Claims the values while `work` gives them to the thing. It is told when the first one was claimed, if any was.
   *
   * @param before the fields before an edit. A value that stays is not claimed again, also one that things shared before
   * it had to be unique
   */
  async withClaimedName<T>(
    workspace: string,
    fields: Values,
    id: string,
    work: (since?: string) => Promise<T>,
    before: Values = {},
  ): Promise<T> {
    let since: string | undefined;
    const claimed = this.byField.reduceRight(
      (inner, [field, names]) => {
        const key = this.keyOf(field, fields);
        if (key === undefined) return inner;
        const isLater = field in this.noun.uniqueAt || this.noun.fields[field]?.keyOf !== undefined;
        // The same key can be made of another value, which the edit then sets.
        const isSame = fields[field] !== '' && fields[field] === before[field];
        if ((isLater || isSame) && key === this.keyOf(field, before)) return inner;
        return () =>
          names.withClaimedName(workspace, key, id, (one) => {
            since ??= one?.at;
            return inner();
          });
      },
      () => work(since),
    );
    return claimed();
  }

  /** Claims the values of new things, all at once. @returns why not, by the id of the thing */
  async claimAll(
    workspace: string,
    things: readonly { id: string; fields: Values }[],
  ): Promise<ReadonlyMap<string, DomainError>> {
    const refused = new Map<string, DomainError>();
    for (const [field, names] of this.byField) {
      const wanted = things.flatMap(({ id, fields }) => {
        const name = this.keyOf(field, fields);
        return name === undefined || refused.has(id) ? [] : [{ id, name }];
      });
      for (const [id, why] of await names.claimAll(workspace, wanted)) refused.set(id, why);
    }
    return refused;
  }

  /** Releases those of the values that the thing no longer has. */
  async release(workspace: string, fields: Values, id: string): Promise<void> {
    for (const [field, names] of this.byField) {
      const key = this.keyOf(field, fields);
      if (key !== undefined) await names.releaseUnlessHeld(workspace, key, id);
    }
  }

  /**
   * Releases the values that an edit has replaced.
   *
   * @param since when it claimed its first new value; undefined if it claimed none
   */
  async releaseReplaced(
    workspace: string,
    { id, before, after }: { id: string; before: Values; after: Values },
    since: string | undefined,
  ): Promise<void> {
    for (const [field, names] of this.byField) {
      const key = this.keyOf(field, before);
      if (key === undefined || key === this.keyOf(field, after)) continue;
      if (since === undefined) await names.releaseUnlessHeld(workspace, key, id);
      else await names.releaseLost(workspace, key, id, since);
    }
  }

  /** @throws DomainError on the field if another thing has its value */
  async refuseTaken(workspace: string, fields: Values, id: string): Promise<void> {
    for (const [field, names] of this.byField) {
      const key = this.keyOf(field, fields);
      if (key !== undefined) await names.refuseTaken(workspace, key, id);
    }
  }

  /** An empty value is replaced by the derived one. Without a derived value, there is nothing to claim. */
  private keyOf(field: string, fields: Values): string | undefined {
    const { within, uniqueAt, fields: declared } = this.noun;
    const given = fields[field] as string | number | boolean | undefined;
    const value = given === '' ? this.derived[field]?.(fields) : given;
    if (value === undefined || value === '') return undefined;
    const key = declared[field]?.keyOf?.(value) ?? String(value).trim();
    const at = uniqueAt[field];
    const target = (one: string) => (idOrValue(fields[one]) ?? undefined) as string | number | undefined;
    if (typeof at === 'string') return target(at) === undefined ? undefined : `${target(at)} ${key}`;
    if (at !== undefined) return `${at.map((one) => target(one) ?? '').join(' ')} ${key}`;
    return within === undefined ? key : `${String(fields[within])} ${key}`;
  }
}
