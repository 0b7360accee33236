/**
 * Undoes changes of alert settings. The vault entries of a replaced webhook were destroyed, so that webhook needs a new
 * address and secret.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { dequal } from 'dequal/lite';
import { DomainError } from '../platform/errors';
import { SettingUndo } from '../workspaces';
import { AlertSettings } from './alert-settings';

@Injectable()
export class AlertUndo implements OnModuleInit {
  constructor(
    private readonly undo: SettingUndo,
    private readonly settings: AlertSettings,
  ) {}

  onModuleInit(): void {
    this.undo.use('AlertsConfigured', (back, now) => {
      const { webhook, thresholds } = back;
      if (webhook && !dequal(webhook, now.webhook))
        throw new DomainError(
          'conflict',
          `the address and the secret of the webhook ${webhook.url} were destroyed when it was replaced: set it up again`,
        );
      return {
        data: back,
        // A shortened address means that the stored address stays.
        set: (_, meta, revision) =>
          this.settings.set(
            { thresholds, ...(webhook && { webhook: { url: webhook.url } }), revision },
            meta,
          ),
      };
    });
  }
}
