import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { byId, siteAdopt, siteExec, siteGenerate, siteLook, siteRestore } from '@quarterdeck/events/inputs';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { done, written } from '../platform/answers';
import { DomainError, invalidField, notFound } from '../platform/errors';
import type { CommandMeta, Session } from '../platform/session';
import { DB, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { RunEngine } from '../runs';
import { locationOf } from '../domains';
import { appliedText } from './applied-texts';
import { sha256OfText } from './apply-scripts/apply';
import { ServerSites } from './server-sites';
import { siteText } from './site-config';
import { tooLong } from './site-input';
import { withDraft } from './site-of';
import { siteProblems } from './site-problems';
import { Sites } from './sites';

@Controller()
export class SitesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(Sites) private readonly sites: Sites,
    @Inject(ServerSites) private readonly serverSites: ServerSites,
    @Inject(RunEngine) private readonly runs: RunEngine,
  ) {}

  @Post('nginx/generate')
  @HttpCode(200)
  @Access('admin', { summary: 'The configuration of a domain as it would be', receipt: false, past: true })
  async generate(
    @CurrentSession() { workspace }: Session,
    @Body(valid(siteGenerate)) { id, options, draft }: z.infer<typeof siteGenerate>,
  ) {
    const domain = await this.sites.domain(id, workspace);
    const planned = await this.sites.site(domain, workspace, undefined);
    const site = { ...planned, options: options ?? planned.options };
    const edited = draft ? withDraft(site, locationOf(draft.id ?? uuidv7(), draft.data)) : site;
    const problems = siteProblems(edited);
    const nginxStatement = Object.keys(problems).length === 0 ? siteText(edited).text : '';
    const long = tooLong(nginxStatement);
    if (long !== undefined) problems['locations'] = long;
    const applied = (await this.sites.live(id, workspace)).config?.text ?? null;
    const sha256 = sha256OfText(nginxStatement);
    const same = applied !== null && domain.config?.sha256 === sha256;
    return { nginxStatement, sha256, applied, same, problems };
  }

  @Post('nginx/exec')
  @HttpCode(200)
  @Access('admin', { summary: 'Applies the configuration of a domain, as a recorded run', receipt: false })
  async exec(
    @Meta() meta: CommandMeta,
    @Body(valid(siteExec)) { id, runId = uuidv7(), ...how }: z.infer<typeof siteExec>,
  ) {
    const { text: nginxStatement, position } = await this.sites.apply(id, { runId, ...how }, meta);
    return written({ nginxStatement, runId }, position);
  }

  @Post('nginx/restore')
  @HttpCode(200)
  @Access('admin', { summary: 'Puts an earlier configuration back, as a recorded run', receipt: false })
  async restore(
    @Meta() meta: CommandMeta,
    @Body(valid(siteRestore)) { id, runId = uuidv7(), ...what }: z.infer<typeof siteRestore>,
  ) {
    const { text: nginxStatement, position } = await this.sites.restore(id, { runId, ...what }, meta);
    return written({ nginxStatement, runId }, position);
  }

  @Post('nginx/applied')
  @HttpCode(200)
  @Access('admin', { summary: 'The text of a configuration that was live once', receipt: false, past: true })
  async applied(
    @CurrentSession() { workspace }: Session,
    @Body(valid(siteAdopt)) { id, sha256 }: z.infer<typeof siteAdopt>,
  ) {
    const { configs } = await this.sites.live(id, workspace);
    const known = configs.find((config) => config.sha256 === sha256);
    const text = known && (await appliedText(this.db, workspace, known.position));
    if (text === undefined) throw notFound('configuration');
    return { text };
  }

  @Post('nginx/look')
  @HttpCode(200)
  @Access('admin', { summary: 'Reads the file of a domain from its server now', receipt: false })
  async look(
    @Meta() meta: CommandMeta,
    @Body(valid(siteLook)) { id, runId = uuidv7() }: z.infer<typeof siteLook>,
  ) {
    await this.sites.look(id, runId, meta);
    const { end, lastStep, position } = await this.runs.ended(runId, meta.workspace);
    if (end.is !== 'succeeded') {
      const code = 'code' in end ? end.code : end.is;
      const ours = code === 'conflict' ? 'conflict' : 'upstream';
      throw new DomainError(ours, end.reason, undefined, { code, recorded: position });
    }
    const { sha256 = null, text } = lastStep?.report ?? {};
    const domain = await this.sites.domain(id, meta.workspace);
    const known = (await this.sites.live(id, meta.workspace)).config;
    const drifted = domain.drift !== undefined;
    const shown = sha256 === null ? null : sha256 === known?.sha256 ? known.text : (text ?? null);
    return written({ runId, sha256, text: shown, drifted }, position);
  }

  @Post('nginx/adopt')
  @HttpCode(200)
  @Access('admin', { summary: 'Takes what was found on the server as what ought to be there' })
  async adopt(@Meta() meta: CommandMeta, @Body(valid(siteAdopt)) { id, sha256 }: z.infer<typeof siteAdopt>) {
    const { position } = await this.sites.adopt(id, sha256, meta);
    return done({ id, position });
  }

  @Post('nginx/remove')
  @HttpCode(200)
  @Access('admin', {
    summary: 'Takes the configuration of a domain from its server, as a recorded run',
    receipt: false,
  })
  async remove(
    @Meta() meta: CommandMeta,
    @Body(valid(siteLook)) { id, runId = uuidv7() }: z.infer<typeof siteLook>,
  ) {
    const domain = await this.sites.domain(id, meta.workspace);
    if (!domain.config) throw invalidField('id', 'this domain has no configuration on its server');
    const { position } = await this.sites.remove(id, runId, meta);
    return written({ runId }, position);
  }

  @Post('server/config')
  @HttpCode(200)
  @Access('admin', {
    summary: 'nginx statement and compose file of a whole server',
    receipt: false,
    past: true,
  })
  config(@CurrentSession() { workspace }: Session, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    return this.serverSites.config(id, workspace);
  }
}
