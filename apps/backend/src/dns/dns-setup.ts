/** DNS settings of a workspace. Secrets go into the vault; the settings contain a reference and a fingerprint. */
import { Inject, Injectable } from '@nestjs/common';
import { messages, type workspaceDns } from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import type { Ids, Written } from '../platform/http';
import { DomainError, invalidField } from '../platform/errors';
import { type CommandMeta, idFor } from '../platform/sessions';
import { VAULT, type Vault } from '../platform/tokens';
import { fingerprintOf, replacingSecrets } from '../platform/vault';
import { WorkspaceSettings } from '../workspaces';
import { hostNameOf } from './host-name';
import { readTsigSecret } from './rfc2136';
import type { DnsConfigured } from './workspace-dns';

type Input = Omit<z.infer<typeof workspaceDns>, 'revision'>;
type ProviderInput = NonNullable<Input['provider']>;
type Provider = NonNullable<DnsConfigured['provider']>;
type Secret = Provider['secret'];

/** @throws DomainError on `provider.secret` */
const readable = (kind: Provider['kind'], secret: string): string => {
  const plain = secret.trim();
  if (kind !== 'rfc2136') return plain;
  try {
    readTsigSecret(plain);
    return plain;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw invalidField('provider.secret', error.msg);
  }
};

const parentIn = (zone: string | undefined, parent: string): string => {
  const name = hostNameOf(parent, 'parent');
  if (!name.includes('.')) throw invalidField('parent', 'two parts are expected, such as example.org');
  if (zone !== undefined && name !== zone && !name.endsWith(`.${zone}`))
    throw invalidField('parent', `${name} is not in the provider's zone ${zone}`);
  return name;
};

@Injectable()
export class DnsSetup {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    private readonly settings: WorkspaceSettings,
  ) {}

  /**
   * @param revision of the workspace, as the editor saw it
   * @throws DomainError that names the wrong field, or `conflict` with the current settings
   */
  set(input: Input, meta: CommandMeta, revision?: number): Promise<Written<Ids>> {
    return this.settings.replace('DnsConfigured', meta.workspace, revision, (before, seen) =>
      this.setOver(before, input, meta, seen),
    );
  }

  private async setOver(
    { provider: before }: DnsConfigured,
    input: Input,
    meta: CommandMeta,
    revision: number,
  ): Promise<Written<Ids>> {
    const { workspace } = meta;
    const zone = input.provider && hostNameOf(input.provider.zone, 'provider.zone');
    const parent = input.parent === undefined ? undefined : parentIn(zone, input.parent);
    const provider =
      input.provider && (await this.provider({ ...input.provider, zone: zone ?? '' }, before, meta));
    const data: DnsConfigured = {
      resolvers: input.resolvers,
      ttl: input.ttl,
      ...(parent !== undefined && { parent }),
      ...(provider && { provider }),
    };
    const secrets = { before: [before?.secret], after: [provider?.secret] };
    return replacingSecrets(this.vault, workspace, secrets, () =>
      this.settings.set({ type: 'DnsConfigured', data }, meta, revision),
    );
  }

  private async provider(
    { secret, ...fields }: ProviderInput,
    before: Provider | undefined,
    meta: CommandMeta,
  ): Promise<Provider> {
    const stored = before?.kind === fields.kind ? before.secret : undefined;
    return { ...fields, secret: await this.secret(fields.kind, secret, stored, meta) };
  }

  private async secret(
    kind: Provider['kind'],
    given: string | undefined,
    stored: Secret | undefined,
    meta: CommandMeta,
  ): Promise<Secret> {
    const { workspace } = meta;
    if (given === undefined || given === '') {
      if (stored) return stored;
      throw invalidField('provider.secret', messages.required);
    }
    const plain = readable(kind, given);
    const fingerprint = fingerprintOf(plain);
    if (stored?.fingerprint === fingerprint) return stored;
    const ref = idFor('dns-secret', meta);
    await this.vault.put({ workspace, ref }, plain, { kind: `dns-${kind}`, fingerprint });
    return { ref, fingerprint };
  }
}
