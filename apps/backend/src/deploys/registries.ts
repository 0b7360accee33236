/**
 * Package registries. The GitHub token of the person who deploys is sent only to the registries in the configuration, and
 * the token of a registry of the workspace only to that one.
 */
import { Inject, Injectable } from '@nestjs/common';
import { registryNamed } from '@quarterdeck/events';
import { Credentials } from '../credentials';
import { hostOf, Outbound } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { CONFIG, type Config } from '../platform/tokens';
import { RegistryLogins } from '../registries';
import { findPackage, type FoundPackage } from './npm-packages';

@Injectable()
export class Registries {
  private readonly outbound: Outbound;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly credentials: Credentials,
    private readonly logins: RegistryLogins,
    outbound: Outbound,
  ) {
    // The address comes from the environment, so it needs no entry in OUTBOUND_ALLOW.
    this.outbound = outbound.alsoTo(hostOf(config.NPM_REGISTRY));
  }

  /** The workspace's login for that registry. Without one, the configured registry gets the token of the person who deploys. */
  async login(registry: string, { actor, workspace }: CommandMeta) {
    const listed = await this.logins.of(registry, workspace);
    if (listed) return listed;
    return registryNamed(registry) === registryNamed(this.config.CONTAINER_REGISTRY)
      ? this.credentials.opened(actor, workspace)
      : undefined;
  }

  async npmToken(address: string, { actor, workspace }: CommandMeta): Promise<string | undefined> {
    return new URL(address).origin === new URL(this.config.NPM_REGISTRY).origin
      ? (await this.credentials.opened(actor, workspace))?.token
      : undefined;
  }

  /** @throws DomainError */
  async find(image: string, meta: CommandMeta, signal: AbortSignal): Promise<FoundPackage> {
    const url = this.config.NPM_REGISTRY;
    const token = await this.npmToken(url, meta);
    return findPackage(image, { url, outbound: this.outbound, token, signal });
  }
}
