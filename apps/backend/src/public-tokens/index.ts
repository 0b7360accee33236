import { Module } from '@nestjs/common';
import { product } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { afterRemoval } from '../platform/kit';
import { PublicTokens } from './public-tokens';
import { PublicTokensController } from './public-tokens.controller';

export { PublicTokens, type Reader } from './public-tokens';

@Module({
  controllers: [PublicTokensController],
  providers: [
    PublicTokens,
    // A restored product gets new tokens.
    hook({
      on: afterRemoval(product),
      by: PublicTokens,
      does: (tokens) => (id, meta) => tokens.revokeAll(id, meta),
    }),
  ],
  exports: [PublicTokens],
})
export class PublicTokensModule {}
