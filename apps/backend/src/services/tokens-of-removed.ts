/** Revokes the app tokens of services that are removed, alone or with their product. A restored service gets new ones. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { product, service } from '@quarterdeck/events';
import { PlainRecords, recordsOf } from '../platform/kit';
import { AppTokens } from '../variables';

@Injectable()
export class TokensOfRemoved implements OnModuleInit {
  constructor(
    private readonly tokens: AppTokens,
    @Inject(recordsOf(service)) private readonly services: PlainRecords,
    @Inject(recordsOf(product)) private readonly products: PlainRecords,
  ) {}

  onModuleInit(): void {
    this.services.onRemoval((id, meta) => this.tokens.revokeAll({ service: id }, meta));
    this.products.onRemoval((id, meta) => this.tokens.revokeAll({ product: id }, meta));
  }
}
