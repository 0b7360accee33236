/** The server through which the e-mails of a workspace are sent again. User name and password are in the vault. */
import { Inject, Injectable } from '@nestjs/common';
import type { EventData } from '@quarterdeck/events';
import type { workspaceMailServer } from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import { DomainError, invalidField } from '../platform/errors';
import type { Ids, Written } from '../platform/http';
import { Outbound } from '../platform/outbound';
import { type CommandMeta, idFor } from '../platform/sessions';
import { VAULT, type Vault } from '../platform/tokens';
import { fingerprintOf, replacingSecrets } from '../platform/vault';
import { WorkspaceSettings } from '../workspaces';

type Input = NonNullable<z.infer<typeof workspaceMailServer>['server']>;
type Configured = NonNullable<EventData<'MailServerConfigured'>['server']>;

interface Login {
  username: string;
  password: string;
}

export interface MailServer extends Pick<Configured, 'host' | 'port' | 'security'> {
  login?: Login;
}

@Injectable()
export class MailServers {
  constructor(
    private readonly settings: WorkspaceSettings,
    private readonly outbound: Outbound,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  /** @throws DomainError `unprocessable` if none is set */
  async of(workspace: string): Promise<MailServer> {
    const { server } = await this.settings.get('MailServerConfigured', workspace);
    if (!server)
      throw new DomainError('unprocessable', 'no mail server is set: an administrator sets one in Settings');
    const { secret, ...place } = server;
    const login = secret && (await this.login(secret.ref, workspace));
    return { ...place, ...(login && { login }) };
  }

  /** @throws DomainError that names the field, or `conflict` with the current setting */
  set(server: Input | undefined, meta: CommandMeta, revision: number | undefined): Promise<Written<Ids>> {
    const { workspace } = meta;
    return this.settings.replace('MailServerConfigured', workspace, revision, async (before, seen) => {
      const after = server && (await this.configured(server, before.server, meta));
      const secrets = { before: [before.server?.secret], after: [after?.secret] };
      return replacingSecrets(this.vault, workspace, secrets, () => {
        const data = after ? { server: after } : {};
        return this.settings.set({ type: 'MailServerConfigured', data }, meta, seen);
      });
    });
  }

  private async configured(
    { host, port, security, username = '', password, signIn = username !== '' }: Input,
    before: Configured | undefined,
    meta: CommandMeta,
  ): Promise<Configured> {
    const refusal = this.outbound.refusalOfHost(host);
    if (refusal !== undefined) throw invalidField('server.host', refusal);
    const place = { host, port, security };
    if (!signIn && (username !== '' || password !== undefined))
      throw invalidField('server.signIn', 'sign in, or leave user name and password empty');
    if (!signIn) return place;
    const kept = before?.secret && (await this.login(before.secret.ref, meta.workspace));
    // Another place could read it, and so could the network with less encryption.
    const same = before?.host === host && before.port === port && before.security === security;
    if (password === undefined && !(kept && same))
      throw invalidField(
        'server.password',
        'type the password: the stored one is only sent where it was stored for',
      );
    const login: Login = {
      username: username || (kept?.username ?? ''),
      password: password ?? kept?.password ?? '',
    };
    if (login.username === '') throw invalidField('server.username', 'type the user name: none is stored');
    if (before?.secret && kept?.username === login.username && kept.password === login.password)
      return { ...place, secret: before.secret };
    const ref = idFor('mail server', meta);
    const fingerprint = fingerprintOf(login.password);
    const name = { workspace: meta.workspace, ref };
    await this.vault.put(name, JSON.stringify(login), { kind: 'mail-server', fingerprint });
    return { ...place, secret: { ref, fingerprint } };
  }

  private async login(ref: string, workspace: string): Promise<Login | undefined> {
    const stored = await this.vault.get({ workspace, ref });
    return stored === undefined ? undefined : (JSON.parse(stored) as Login);
  }
}
