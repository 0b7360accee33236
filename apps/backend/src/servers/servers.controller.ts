import { Controller, Header, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { servers, type InputOf } from '@quarterdeck/contract';
import { DEFAULT_PORT } from '@quarterdeck/events/inputs';
import { Answers, type Asker, done, withCurrentOnConflict, written } from '../platform/http';
import { notFound } from '../platform/errors';
import { DB, type Pool, PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import { ServerConnections } from './server-connections';
import { ServerRegistry } from './server-registry';
import { AcceptHostKey, RecordKeyDownload } from './servers.decider';
import { listServers, serverDetail } from './servers.queries';

/** A file name that every file system accepts. */
const fileName = (alias: string): string =>
  `${alias.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '') || 'server'}.pem`;

@Controller()
export class ServersController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly commands: CommandBus,
    private readonly registry: ServerRegistry,
    private readonly connections: ServerConnections,
  ) {}

  @Answers(servers.list)
  list(_: object, { session }: Asker) {
    return listServers(this.db, session.workspace);
  }

  @Answers(servers.detail)
  async detail({ id }: InputOf<typeof servers.detail>, { session }: Asker) {
    const server = await serverDetail(this.db, session.workspace, id);
    if (!server) throw notFound('server');
    return server;
  }

  @Answers(servers.insert)
  async insert(input: InputOf<typeof servers.insert>, { meta }: Asker) {
    const { privateKey, passphrase, port = DEFAULT_PORT, ...fields } = input;
    return done(await this.registry.register({ ...fields, port }, { privateKey, passphrase }, meta));
  }

  @Answers(servers.update)
  async update({ id, data, revision }: InputOf<typeof servers.update>, { meta }: Asker) {
    const { port = (await this.registry.server(id, meta.workspace)).port } = data;
    const fields = { ...data, port };
    const edit = () => this.registry.edit(id, fields, meta, revision);
    const shown = () => serverDetail(this.db, meta.workspace, id);
    return done(await withCurrentOnConflict(this.projections, edit, shown));
  }

  @Answers(servers.replaceKey)
  async replaceKey({ id, ...key }: InputOf<typeof servers.replaceKey>, { meta }: Asker) {
    return done(await this.registry.replaceKey(id, key, meta));
  }

  @Answers(servers.download)
  @Header('cache-control', 'no-store')
  async download({ id }: InputOf<typeof servers.download>, { meta }: Asker) {
    const server = await this.registry.server(id, meta.workspace);
    const { privateKey } = await this.connections.privateKey({ id, server, meta });
    const { fingerprint } = server.key;
    const { position } = await this.commands.execute(new RecordKeyDownload(id, { fingerprint }, meta));
    return written({ privateKey, filename: fileName(server.alias) }, position);
  }

  @Answers(servers.delete)
  async delete({ id, alias }: InputOf<typeof servers.delete>, { meta }: Asker) {
    return done(await this.registry.remove(id, alias, meta));
  }

  @Answers(servers.acceptHostKey)
  async acceptHostKey({ id, fingerprint }: InputOf<typeof servers.acceptHostKey>, { meta }: Asker) {
    return done(await this.commands.execute(new AcceptHostKey(id, { fingerprint }, meta)));
  }
}
