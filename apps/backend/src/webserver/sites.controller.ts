import { Controller, Inject } from '@nestjs/common';
import { sites, servers, type InputOf } from '@quarterdeck/contract';
import { v7 as uuidv7 } from 'uuid';
import { locationOf } from '../domains';
import { Answers, type Asker, done, written } from '../platform/http';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { DB, type Pool } from '../platform/tokens';
import { RunEngine } from '../runs';
import { appliedText } from './applied-texts';
import { sha256OfText } from './apply-scripts/apply';
import { ServerSites } from './server-sites';
import { siteText } from './site-config';
import { tooLong } from './site-input';
import { chosenLineage, withLineage } from './site-lineage';
import { withDraft } from './site-of';
import { siteProblems } from './site-problems';
import { Sites } from './sites';
import { idFor } from '../platform/sessions';

@Controller()
export class SitesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly sites: Sites,
    private readonly serverSites: ServerSites,
    private readonly runs: RunEngine,
  ) {}

  @Answers(sites.generate)
  async generate(
    { id, options, draft, lineage }: InputOf<typeof sites.generate>,
    { session: { workspace } }: Asker,
  ) {
    const domain = await this.sites.domain(id, workspace);
    const planned = await this.sites.site(domain, workspace, undefined);
    const { serverName } = domain;
    const taken = lineage ? withLineage(planned, chosenLineage(serverName, lineage)) : planned;
    const site = { ...taken, options: options ?? planned.options };
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

  @Answers(sites.exec)
  async exec({ id, runId: chosen, ...how }: InputOf<typeof sites.exec>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { text: nginxStatement, position } = await this.sites.apply(id, { runId, ...how }, meta);
    return written({ nginxStatement, runId }, position);
  }

  @Answers(sites.restore)
  async restore({ id, runId: chosen, ...what }: InputOf<typeof sites.restore>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { text: nginxStatement, position } = await this.sites.restore(id, { runId, ...what }, meta);
    return written({ nginxStatement, runId }, position);
  }

  @Answers(sites.appliedText)
  async applied({ id, sha256 }: InputOf<typeof sites.appliedText>, { session: { workspace } }: Asker) {
    const { configs } = await this.sites.live(id, workspace);
    const known = configs.find((config) => config.sha256 === sha256);
    const text = known && (await appliedText(this.db, workspace, known.position));
    if (text === undefined) throw notFound('configuration');
    return { text };
  }

  @Answers(sites.look)
  async look({ id, runId: chosen }: InputOf<typeof sites.look>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
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

  @Answers(sites.adopt)
  async adopt({ id, sha256 }: InputOf<typeof sites.adopt>, { meta }: Asker) {
    const { position } = await this.sites.adopt(id, sha256, meta);
    return done({ id, position });
  }

  @Answers(sites.remove)
  async remove({ id, runId: chosen }: InputOf<typeof sites.remove>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const domain = await this.sites.domain(id, meta.workspace);
    if (!domain.config) throw invalidField('id', 'this domain has no configuration on its server');
    const { position } = await this.sites.remove(id, runId, meta);
    return written({ runId }, position);
  }

  @Answers(servers.config)
  config({ id }: InputOf<typeof servers.config>, { session: { workspace } }: Asker) {
    return this.serverSites.config(id, workspace);
  }
}
