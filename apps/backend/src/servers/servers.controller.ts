import { Body, Controller, Header, HttpCode, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  byId,
  DEFAULT_PORT,
  nothing,
  serverDelete,
  serverHostKeyAccept,
  serverInsert,
  serverKeyUpdate,
  serverUpdate,
} from '@quarterdeck/events/inputs';
import type { ServerView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { done, orAsItIs, written } from '../platform/answers';
import { notFound } from '../platform/errors';
import type { CommandMeta, Session } from '../platform/session';
import { DB, type Pool, PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import { valid } from '../platform/validation';
import { ServerConnections } from './server-connections';
import { ServerRegistry } from './server-registry';
import { AcceptHostKey, RecordKeyDownload } from './servers.decider';
import { listServers, serverDetail } from './servers.queries';

/** A name that every file system takes. */
const fileName = (alias: string): string =>
  `${alias.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '') || 'server'}.pem`;

@Controller('server')
export class ServersController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(ServerRegistry) private readonly registry: ServerRegistry,
    @Inject(ServerConnections) private readonly connections: ServerConnections,
  ) {}

  @Post('list')
  @HttpCode(200)
  @Access('admin', { summary: 'The servers of the workspace', receipt: false, past: true })
  list(@CurrentSession() session: Session, @Body(valid(nothing)) _input: object): Promise<ServerView[]> {
    return listServers(this.db, session.workspace);
  }

  @Post('detail')
  @HttpCode(200)
  @Access('admin', { summary: 'One server', receipt: false, past: true })
  async detail(@CurrentSession() session: Session, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    const server = await serverDetail(this.db, session.workspace, id);
    if (!server) throw notFound('server');
    return server;
  }

  @Post('insert')
  @HttpCode(200)
  @Access('admin', { summary: 'Registers a server with its private key' })
  async insert(@Meta() meta: CommandMeta, @Body(valid(serverInsert)) input: z.infer<typeof serverInsert>) {
    const { privateKey, passphrase, port = DEFAULT_PORT, ...fields } = input;
    return done(await this.registry.register({ ...fields, port }, { privateKey, passphrase }, meta));
  }

  @Post('update')
  @HttpCode(200)
  @Access('admin', { summary: 'Renames or moves a server, or changes its paths' })
  async update(
    @Meta() meta: CommandMeta,
    @Body(valid(serverUpdate)) { id, data, revision }: z.infer<typeof serverUpdate>,
  ) {
    const fields = { ...data, port: data.port ?? DEFAULT_PORT };
    const edit = () => this.registry.edit(id, fields, meta, revision);
    const shown = () => serverDetail(this.db, meta.workspace, id);
    return done(await orAsItIs(this.projections, edit, shown));
  }

  @Post('update/private-key')
  @HttpCode(200)
  @Access('admin', { summary: 'Replaces the private key of a server' })
  async replaceKey(
    @Meta() meta: CommandMeta,
    @Body(valid(serverKeyUpdate)) { id, ...key }: z.infer<typeof serverKeyUpdate>,
  ) {
    return done(await this.registry.replaceKey(id, key, meta));
  }

  @Post('private-key/download')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Access('admin', { summary: 'Hands out the private key of a server; that is recorded', receipt: false })
  async download(@Meta() meta: CommandMeta, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    const server = await this.registry.server(id, meta.workspace);
    const { privateKey } = await this.connections.privateKey({ id, server, meta });
    const { fingerprint } = server.key;
    const { position } = await this.commands.execute(new RecordKeyDownload(id, { fingerprint }, meta));
    return written({ privateKey, filename: fileName(server.alias) }, position);
  }

  @Post('delete')
  @HttpCode(200)
  @Access('admin', { summary: 'Removes a server; `alias` is what was typed to confirm' })
  async delete(
    @Meta() meta: CommandMeta,
    @Body(valid(serverDelete)) { id, alias }: z.infer<typeof serverDelete>,
  ) {
    return done(await this.registry.remove(id, alias, meta));
  }

  @Post('host-key/accept')
  @HttpCode(200)
  @Access('admin', { summary: 'Trusts the changed host key with exactly this fingerprint' })
  async acceptHostKey(
    @Meta() meta: CommandMeta,
    @Body(valid(serverHostKeyAccept)) { id, fingerprint }: z.infer<typeof serverHostKeyAccept>,
  ) {
    return done(await this.commands.execute(new AcceptHostKey(id, { fingerprint }, meta)));
  }
}
