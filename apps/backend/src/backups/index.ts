import { Module } from '@nestjs/common';
import { BackupsController } from './backups.controller';
import { BackupWork } from './work/backup-work';

export { backUpFirst } from './before-migration';
export type { Trouble } from './troubles';
export { BackupWork } from './work/backup-work';
export { backupCommand } from './backup.command';
export { restoreCommand } from './restore.command';

/** Backups of the whole installation. */
@Module({ controllers: [BackupsController], providers: [BackupWork], exports: [BackupWork] })
export class BackupsModule {}
