import { Controller, Header, Inject, Req } from '@nestjs/common';
import { variables as calls, type InputOf } from '@quarterdeck/contract';
import { variableLines } from '@quarterdeck/events/inputs';
import type { FastifyRequest } from 'fastify';
import { CommandBus } from '@nestjs/cqrs';
import { callerAddress } from '../platform/caller-address';
import { Answers, type Asker, done, written } from '../platform/http';
import { notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { AppTokens } from './app-tokens';
import { VariableImport } from './variable-import';
import { Variables } from './variables';
import { VariableReader } from './variable-reader';
import { ShowVariables } from './variables.decider';
import { requireService, variableDetail, variablesOf } from './variables.queries';

const EXPORT_SECONDS = 3600;

@Controller()
export class VariablesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly variables: Variables,
    private readonly imports: VariableImport,
    private readonly tokens: AppTokens,
    private readonly open: VariableReader,
    private readonly commands: CommandBus,
  ) {}

  @Answers(calls.list)
  async list({ service, product, env }: InputOf<typeof calls.list>, { session: { workspace } }: Asker) {
    const { id } = await requireService(this.db, workspace, service.id, product?.id);
    const all = await variablesOf(this.db, workspace, id);
    return env === undefined ? all : all.filter((one) => one.env.id === env);
  }

  @Answers(calls.detail)
  async detail({ id }: InputOf<typeof calls.detail>, { session: { workspace } }: Asker) {
    const found = await variableDetail(this.db, workspace, id);
    if (!found) throw notFound('environment variable');
    return found.variable;
  }

  @Answers(calls.prints)
  async prints({ service, product, env }: InputOf<typeof calls.prints>, { session: { workspace } }: Asker) {
    const { id } = await requireService(this.db, workspace, service.id, product?.id);
    return this.open.prints(id, env, workspace);
  }

  @Answers(calls.insert)
  async insert({ data, product, serviceDeploy }: InputOf<typeof calls.insert>, { meta }: Asker) {
    return done(await this.variables.add(serviceDeploy.id, product?.id, data, meta));
  }

  @Answers(calls.update)
  async update({ id, data, revision }: InputOf<typeof calls.update>, { meta }: Asker) {
    return done(await this.variables.revise(id, data, revision, meta));
  }

  @Answers(calls.delete)
  async delete({ id }: InputOf<typeof calls.delete>, { meta }: Asker) {
    return done(await this.variables.remove(id, meta));
  }

  @Answers(calls.reveal)
  @Header('cache-control', 'no-store')
  async reveal({ id }: InputOf<typeof calls.reveal>, { meta }: Asker) {
    const { value, position } = await this.variables.reveal(id, meta);
    return written({ value }, position);
  }

  @Answers(calls.preview)
  preview(asked: InputOf<typeof calls.preview>, { meta }: Asker) {
    return this.imports.preview(asked, meta);
  }

  @Answers(calls.import)
  async import(asked: InputOf<typeof calls.import>, { meta }: Asker) {
    const { preview, position } = await this.imports.carryOut(asked, meta);
    const { added, changed, removed } = preview;
    const { id } = asked.service;
    const msg = 'env vars were imported successfully';
    return written({ id, uuid: id, msg, added, changed, removed }, position);
  }

  @Answers(calls.generateExport)
  @Header('cache-control', 'no-store')
  generateExport(asked: InputOf<typeof calls.generateExport>, { meta }: Asker) {
    return this.issue(asked, EXPORT_SECONDS, meta);
  }

  @Answers(calls.getAppToken)
  @Header('cache-control', 'no-store')
  getAppToken(asked: InputOf<typeof calls.getAppToken>, { meta }: Asker) {
    return this.issue(asked, undefined, meta);
  }

  @Answers(calls.tokens)
  async listTokens({ service, product }: InputOf<typeof calls.tokens>, { session: { workspace } }: Asker) {
    const { id } = await requireService(this.db, workspace, service.id, product?.id);
    return this.tokens.list(id, workspace);
  }

  @Answers(calls.revoke)
  async revoke({ id }: InputOf<typeof calls.revoke>, { meta }: Asker) {
    return done(await this.tokens.revoke(id, meta));
  }

  @Answers(calls.own)
  @Header('cache-control', 'no-store')
  async own(of: InputOf<typeof calls.own>, _asker: Asker, @Req() request: FastifyRequest) {
    const [, token = ''] = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '') ?? [];
    const { service, env, workspace } = await this.tokens.read(token, of, callerAddress(request));
    const { id, name } = service;
    return { service: { id, name }, env: { id: env }, ...(await this.valuesOf(id, env, workspace)) };
  }

  private async issue(
    { service, product, env }: InputOf<typeof calls.getAppToken>,
    seconds: number | undefined,
    meta: CommandMeta,
  ) {
    const known = await requireService(this.db, meta.workspace, service.id, product?.id);
    const values = await this.valuesOf(known.id, env, meta.workspace);
    const count = values.envVars.length;
    await this.commands.execute(new ShowVariables(known.id, { service: known.name, env, count }, meta));
    const { position, ...issued } = await this.tokens.issue(known, env, seconds, meta);
    return written({ ...issued, ...values }, position);
  }

  private async valuesOf(service: string, env: number, workspace: string) {
    const open = await this.open.read(service, env, workspace);
    const envVars = open.map(({ key, value }) => ({ key, value }));
    return { envVars, lines: variableLines(envVars) };
  }
}
