import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { byId, deployLogs, deployPull } from '@quarterdeck/events/inputs';
import type { DeployView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { done } from '../platform/answers';
import type { CommandMeta, Session } from '../platform/session';
import { DB, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { Deployer } from './deployer';
import { RemoveDeployLog } from './deploys.decider';
import { PackageAddresses } from './package-addresses';
import { listDeploys } from './deploys.queries';

@Controller('deploy')
export class DeploysController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(Deployer) private readonly deployer: Deployer,
    @Inject(PackageAddresses) private readonly addresses: PackageAddresses,
  ) {}

  @Post('pull')
  @HttpCode(200)
  @Access('admin', { summary: 'Has the address of a package deploy its newest version onto a server' })
  pull(@Meta() meta: CommandMeta, @Body(valid(deployPull)) input: z.infer<typeof deployPull>) {
    return this.deployer.pull(input, meta);
  }

  @Post('logs/list')
  @HttpCode(200)
  @Access('admin', {
    summary: 'The deploy log, newest first; of one server, or of all',
    receipt: false,
    past: true,
  })
  list(
    @CurrentSession() { workspace }: Session,
    @Body(valid(deployLogs)) { filters }: z.infer<typeof deployLogs>,
  ): Promise<DeployView[]> {
    return listDeploys(this.db, workspace, filters?.server?.id);
  }

  @Post('logs/delete')
  @HttpCode(200)
  @Access('admin', { summary: 'Takes an entry out of the deploy log; nothing changes on the server' })
  async delete(@Meta() meta: CommandMeta, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    const { position } = await this.commands.execute(new RemoveDeployLog(id, {}, meta));
    await this.addresses.release(id, meta.workspace);
    return done({ id, position });
  }
}
