/** Secret fields of plain nouns: they arrive as text, and are then stored only in the vault. */
import { fieldsOfKind, type PlainNoun, type Secret } from '@quarterdeck/events';
import { invalidField } from '../errors';
import { type CommandMeta, idFor } from '../sessions';
import type { Vault } from '../tokens';
import { orShred } from '../vault';
import type { Values } from './plain.decider';

export class PlainSecrets {
  private readonly keys: readonly string[];

  constructor(
    private readonly noun: PlainNoun,
    private readonly vault: Vault,
  ) {
    this.keys = fieldsOfKind(noun.fields, 'secret').map(([key]) => key);
  }

  /** Runs `work` with references in place of new secrets, and destroys these secrets if it is refused. */
  async withStoredSecrets<T>(
    data: Values,
    before: Values,
    meta: CommandMeta,
    work: (fields: Values) => Promise<T>,
  ): Promise<T> {
    const { workspace } = meta;
    const key = this.keys.find((one) => typeof data[one] === 'string');
    if (key === undefined) return work(data);
    const withOthers = (secret: Secret | null): Promise<T> =>
      this.withStoredSecrets({ ...data, [key]: secret }, before, meta, work);
    const text = data[key] as string;
    if (text === '') return withOthers(null);
    const old = before[key] as Secret | null | undefined;
    if (old && (await this.vault.get({ workspace, ref: old.ref })) === text) return withOthers(old);
    const secret = { ref: idFor(`${this.noun.category}-${key}`, meta) };
    await this.vault.put({ workspace, ...secret }, text, { kind: `${this.noun.category}-${key}` });
    return orShred(this.vault, workspace, [secret.ref], () => withOthers(secret));
  }

  /**
   * The edit without the secrets that it would set to what they are. It must not record their references again: another
   * edit may replace such a secret at the same time, and then destroys it.
   */
  async withoutSame(data: Values, before: Values, workspace: string): Promise<Values> {
    const same: string[] = [];
    for (const key of this.keys) {
      const old = before[key] as Secret | null | undefined;
      if (typeof data[key] === 'string' && old)
        if ((await this.vault.get({ workspace, ref: old.ref })) === data[key]) same.push(key);
    }
    return Object.fromEntries(Object.entries(data).filter(([key]) => !same.includes(key)));
  }

  /** Whether an edit sets or removes one. */
  areIn(data: Values): boolean {
    return this.keys.some((key) => data[key] !== undefined);
  }

  /**
   * After an edit: destroys the secrets that were replaced or removed, including those that an earlier process did not
   * get to.
   * @param events of the thing
   */
  async shredReplaced(data: Values, events: readonly { data: unknown }[], workspace: string): Promise<void> {
    for (const key of this.keys.filter((one) => data[one] !== undefined)) {
      const told = events.filter(({ data: recorded }) => key in (recorded as object));
      const known = told.map((event) => (event.data as Values)[key] as Secret | null);
      const present = known.at(-1)?.ref;
      for (const ref of new Set(known.map((secret) => secret?.ref)))
        if (ref !== undefined && ref !== present) await this.vault.shred({ workspace, ref });
    }
  }

  /** For an administrator. @throws DomainError if the field is no secret, or the secret is sealed or gone */
  async revealed(field: string, of: Values, workspace: string): Promise<string> {
    if (this.noun.fields[field]?.sealed)
      throw invalidField('field', 'it is never shown again: enter a new one to replace it');
    return this.shown(field, of, workspace);
  }

  private async shown(field: string, of: Values, workspace: string): Promise<string> {
    const secret = this.keys.includes(field) ? (of[field] as Secret | null | undefined) : undefined;
    const value = secret ? await this.vault.get({ workspace, ref: secret.ref }) : undefined;
    if (value === undefined) throw invalidField('field', 'there is no such secret');
    return value;
  }

  /** An absent secret is `''`. @throws DomainError if a secret is gone */
  async opened(of: Values, workspace: string): Promise<Values> {
    const shown = async (key: string) =>
      [key, of[key] === null ? '' : await this.shown(key, of, workspace)] as const;
    return { ...of, ...Object.fromEntries(await Promise.all(this.keys.map(shown))) };
  }

  /** The fields that an undo can restore: replaced secrets were destroyed. */
  without(fields: Values): Values {
    return Object.fromEntries(Object.entries(fields).filter(([key]) => !this.keys.includes(key)));
  }
}
