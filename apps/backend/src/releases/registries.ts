/**
 * Package registries. The GitHub token of the person who deploys is sent only to the registries in the configuration.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Credentials } from '../credentials';
import { hostOf, Outbound } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { CONFIG, type Config } from '../platform/tokens';
import { findPackage, type FoundPackage } from './npm-packages';

@Injectable()
export class Registries {
  private readonly outbound: Outbound;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly credentials: Credentials,
    outbound: Outbound,
  ) {
    // The address comes from the environment, so it needs no entry in OUTBOUND_ALLOW.
    this.outbound = outbound.alsoTo(hostOf(config.NPM_REGISTRY));
  }

  async login(registry: string, { actor, workspace }: CommandMeta) {
    return registry === this.config.CONTAINER_REGISTRY
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
