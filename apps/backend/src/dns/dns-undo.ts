/**
 * Undoes changes of the DNS settings. The secret of an earlier provider was destroyed, so it has to be entered again.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SettingUndo } from '../workspaces';
import { DnsSetup } from './dns-setup';

const TO_COME = { ref: '', fingerprint: 'of the secret that is given' };

@Injectable()
export class DnsUndo implements OnModuleInit {
  constructor(
    private readonly undo: SettingUndo,
    private readonly setup: DnsSetup,
  ) {}

  onModuleInit(): void {
    this.undo.use('DnsConfigured', (back, now) => {
      const { provider, ...rest } = back;
      const notes = ['No record of any zone is changed.'];
      const kept = provider === undefined || provider.secret.ref === now.provider?.secret.ref;
      const data = provider && !kept ? { ...rest, provider: { ...provider, secret: TO_COME } } : back;
      return {
        data,
        ...(!kept && { needs: ['secret'] }),
        notes: kept
          ? notes
          : [`The secret of ${provider.zone} was destroyed when it was replaced: give it again.`, ...notes],
        set: ({ secret }, meta, revision) =>
          this.setup.set({ ...rest, ...(provider && { provider: { ...provider, secret } }) }, meta, revision),
      };
    });
  }
}
