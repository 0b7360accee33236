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
    const [key, ...more] = this.keys.filter((one) => typeof data[one] === 'string');
    if (key === undefined) return work(data);
    const old = before[key] as Secret | undefined;
    const text = data[key] as string;
    const isSame = old && (await this.vault.get({ workspace, ref: old.ref })) === text;
    const secret = isSame ? old : { ref: idFor(`${this.noun.category}-${key}`, meta) };
    const fields = { ...data, [key]: secret };
    const { ref } = secret;
    if (!isSame) await this.vault.put({ workspace, ref }, text, { kind: `${this.noun.category}-${key}` });
    const inner = () => (more.length > 0 ? this.withStoredSecrets(fields, before, meta, work) : work(fields));
    return orShred(this.vault, workspace, isSame ? [] : [ref], inner);
  }

  /**
   * After an edit: destroys the secrets that were replaced, including those that an earlier process did not get to.
   * @param events of the thing
   */
  async shredReplaced(data: Values, events: readonly { data: unknown }[], workspace: string): Promise<void> {
    for (const key of this.keys.filter((one) => typeof data[one] === 'string')) {
      const known = events.flatMap((event) => ((event.data as Values)[key] as Secret | undefined)?.ref ?? []);
      for (const ref of new Set(known)) if (ref !== known.at(-1)) await this.vault.shred({ workspace, ref });
    }
  }

  /** @throws DomainError if the field is no secret, or the secret is gone */
  async shown(field: string, of: Values, workspace: string): Promise<string> {
    const secret = this.keys.includes(field) ? (of[field] as Secret | undefined) : undefined;
    const value = secret && (await this.vault.get({ workspace, ref: secret.ref }));
    if (value === undefined) throw invalidField('field', 'there is no such secret');
    return value;
  }

  /** @throws DomainError if a secret is gone */
  async opened(of: Values, workspace: string): Promise<Values> {
    const shown = async (key: string) => [key, await this.shown(key, of, workspace)] as const;
    return { ...of, ...Object.fromEntries(await Promise.all(this.keys.map(shown))) };
  }

  /** The fields that an undo can restore: replaced secrets were destroyed. */
  without(fields: Values): Values {
    return Object.fromEntries(Object.entries(fields).filter(([key]) => !this.keys.includes(key)));
  }
}
