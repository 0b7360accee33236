/** Revokes the app tokens of services that are removed, alone or with their product. A restored service gets new ones. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { product, service } from '@quarterdeck/events';
import { PlainThings, thingsOf } from '../platform/kit';
import { AppTokens } from '../variables';

@Injectable()
export class TokensOfRemoved implements OnModuleInit {
  constructor(
    private readonly tokens: AppTokens,
    @Inject(thingsOf(service)) private readonly services: PlainThings,
    @Inject(thingsOf(product)) private readonly products: PlainThings,
  ) {}

  onModuleInit(): void {
    this.services.onRemoval((id, meta) => this.tokens.revokeAll({ service: id }, meta));
    this.products.onRemoval((id, meta) => this.tokens.revokeAll({ product: id }, meta));
  }
}
