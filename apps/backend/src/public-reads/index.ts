import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications';
import { PublicTokensModule } from '../public-tokens';
import { PublicDoor } from './public-door';
import { PublicReads } from './public-reads';

@Module({
  imports: [NotificationsModule, PublicTokensModule],
  providers: [PublicDoor, PublicReads],
})
export class PublicReadsModule {}
