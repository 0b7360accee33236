/** Adds, edits and removes domains: the decision and everything around it. */
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isWildcard, type Position } from '@quarterdeck/events';
import { namesOfSite } from '@quarterdeck/projections';
import { WorkspaceDns } from '../dns';
import type { Decision } from '../platform/decider';
import { Decisions, followUp } from '../platform/decisions';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { type Hold, refuseHeld } from '../platform/holds';
import { Hooks, moment } from '../platform/hooks';
import { type CommandMeta, idFor } from '../platform/sessions';
import { ExclusiveRuns } from '../runs';
import { ServerRegistry } from '../servers';
import { RecordDnsAnswer, type DnsAnswer } from './domain-answers';
import { DomainCleanup } from './domain-cleanup';
import { DomainNames } from './domain-names';
import { answerOf, isFault, refusalOf } from './domain-pointing';
import {
  AddDomain,
  domainsDecider,
  EditDomain,
  RecordLeftRemoval,
  RemoveDomain,
  RestoreDomain,
  type DomainOfWorkspace,
  type LeftOnServer,
  type PresentDomain,
} from './domains.decider';
import { ChangeSiteNames, nameField, type SiteName } from './site-names';

export interface DomainFields {
  /** In ASCII, lower case, without the final dot. */
  serverName: string;
  /** Id of a server of the workspace. */
  server: string;
}

/** A DNS answer with its question. */
export interface AskedDns extends DomainFields {
  answer: DnsAnswer;
}

/** One site may have 40 other names. */
const ASKED_AT_ONCE = 8;

/** Whether something on the server has to be removed before the domain. */
const goesFirst = ({ config, certificate }: PresentDomain, keep: LeftOnServer): boolean =>
  (config !== undefined && !keep.config) || (certificate.issued !== undefined && !keep.certificate);

export const isGone = (error: unknown): boolean => error instanceof DomainError && error.code === 'notFound';

/** Can prevent a domain from leaving its server. */
export const beforeDomainMove = moment<Hold<DomainOfWorkspace>>('before a move of a domain');

@Injectable()
export class DomainRegistry {
  constructor(
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly names: DomainNames,
    private readonly servers: ServerRegistry,
    private readonly dns: WorkspaceDns,
    private readonly cleanup: DomainCleanup,
    private readonly exclusive: ExclusiveRuns,
    private readonly hooks: Hooks,
  ) {}

  /** Read from the log, so it is always current. @throws DomainError `notFound` */
  async domain(id: string, workspace: string): Promise<DomainOfWorkspace> {
    const { state } = await this.decisions.load(domainsDecider, id, workspace);
    if (state.is !== 'present') throw notFound('domain');
    return { ...state, id };
  }

  /** Position of the domain's newest event. */
  async head(id: string, workspace: string): Promise<{ position: Position; revision: number }> {
    return this.decisions.load(domainsDecider, id, workspace);
  }

  /** @throws DomainError on `serverName` if DNS does not point to the server, or if the name is taken */
  async add({ serverName, server }: DomainFields, meta: CommandMeta): Promise<Decision> {
    const { workspace } = meta;
    const id = idFor('domain', meta);
    await this.refuseUnprovable(serverName, workspace);
    const place = await this.servers.server(server, workspace);
    const pointing = await this.dns.pointing(serverName, place, workspace);
    const refusal = refusalOf(serverName, place, pointing);
    if (refusal !== undefined) throw invalidField('serverName', refusal);
    const answer = answerOf(pointing);
    const { addresses } = answer;
    const decision = await this.names.withClaimedName(workspace, serverName, id, () =>
      this.commands.execute(new AddDomain(id, { serverName, server, addresses }, meta)),
    );
    await this.undoWithoutServer({ id, serverName, server }, meta);
    if (answer.pointsHere) return decision;
    const asked = { serverName, server, answer };
    return { ...decision, position: await this.recordAnswer(id, asked, followUp(meta)) };
  }

  /** DNS is asked again afterwards: another name or another server has another answer. */
  async edit(
    id: string,
    { leave = false, ...fields }: DomainFields & { leave?: boolean | undefined },
    meta: CommandMeta,
    revision?: number,
  ): Promise<Decision> {
    const { workspace } = meta;
    const before = await this.domain(id, workspace);
    if (fields.serverName !== before.serverName) await this.refuseUnprovable(fields.serverName, workspace);
    if (fields.server !== before.server) {
      await this.servers.server(fields.server, workspace);
      // Nothing can be stopped on a server that is gone.
      if (!leave) await refuseHeld(this.hooks.of(beforeDomainMove), before, workspace);
    }
    const left = leave ? { alias: (await this.servers.server(before.server, workspace)).alias } : undefined;
    const rewrite = () => this.rewrite(id, { ...fields, ...(left && { leave: left }) }, meta, revision);
    const away = fields.serverName !== before.serverName || fields.server !== before.server;
    const decision = await (away ? this.withLock({ ...before, id }, workspace, rewrite) : rewrite());
    if (decision.written === 0) return decision;
    const { position } = await this.check(id, followUp(meta));
    return { ...decision, position };
  }

  private rewrite(
    id: string,
    fields: DomainFields & { leave?: { alias: string } },
    meta: CommandMeta,
    revision?: number,
  ): Promise<Decision> {
    return this.names.renamed({ id, workspace: meta.workspace, name: fields.serverName }, (claim) =>
      this.commands.execute(new EditDomain(id, { ...fields, ...claim }, meta, revision)),
    );
  }

  /** A wildcard without a DNS provider would never get a certificate. */
  private async refuseUnprovable(serverName: string, workspace: string, field = 'serverName'): Promise<void> {
    if (!isWildcard(serverName)) return;
    const why = await this.dns.whyUnprovable(serverName, workspace);
    if (why === undefined) return;
    const orElse = `enter one name, such as www${serverName.slice(1)}`;
    throw invalidField(field, `a certificate for a wildcard is proved in DNS, but ${why}; or ${orElse}`);
  }

  /** Asks DNS now, and retries if there is no answer. A changed answer is recorded. */
  async check(id: string, meta: CommandMeta): Promise<{ answer: DnsAnswer; position: Position }> {
    const first = await this.ask(id, meta.workspace);
    const asked = isFault(first.answer) ? await this.ask(id, meta.workspace) : first;
    return { answer: asked.answer, position: await this.recordAnswer(id, asked, meta) };
  }

  /** Where the domain points now. @throws DomainError `notFound` if it or its server is gone */
  async ask(id: string, workspace: string): Promise<AskedDns> {
    const { serverName, server, names } = await this.domain(id, workspace);
    const place = await this.servers.server(server, workspace);
    const asked = async (name: string) => answerOf(await this.dns.pointing(name, place, workspace));
    const answer = await asked(serverName);
    const others: NonNullable<DnsAnswer['names']> = [];
    for (let from = 0; from < names.length; from += ASKED_AT_ONCE) {
      const some = names.slice(from, from + ASKED_AT_ONCE);
      others.push(...(await Promise.all(some.map(async ({ name }) => ({ name, ...(await asked(name)) })))));
    }
    return { serverName, server, answer: others.length > 0 ? { ...answer, names: others } : answer };
  }

  /**
   * Gives the site these other names, in place of those that it had. Whether DNS points here is asked afterwards.
   * @throws DomainError on the row of a name that another domain has
   */
  async changeNames(
    id: string,
    names: readonly SiteName[],
    meta: CommandMeta,
    revision?: number,
  ): Promise<Decision> {
    const { workspace } = meta;
    const before = await this.domain(id, workspace);
    const change = new ChangeSiteNames(id, { names: [...names], claimed: true }, meta, revision);
    // Refuses before any name is claimed.
    domainsDecider.decide(change, before);
    // The provider may have been removed since: a wildcard that is there does not hold up other changes.
    const had = namesOfSite(before);
    for (const [index, { name }] of names.entries())
      if (!had.includes(name)) await this.refuseUnprovable(name, workspace, nameField(index));
    const decision = await this.names.whileAllClaimed(workspace, names, id, () =>
      this.commands.execute(change),
    );
    await this.names.releaseUnlessHeld(workspace, namesOfSite(before), id);
    if (decision.written === 0) return decision;
    const { position } = await this.check(id, followUp(meta));
    return { ...decision, position };
  }

  /** @returns the position of the domain's newest event */
  async recordAnswer(id: string, asked: AskedDns, meta: CommandMeta): Promise<Position> {
    const { position } = await this.commands.execute(new RecordDnsAnswer(id, asked, meta));
    return position;
  }

  /**
   * If something on the server is not to be kept, a run removes it first, and then the domain. Otherwise the domain is
   * removed at once.
   *
   * @param how `serverName`: typed by the operator as confirmation; `runId`: the same id joins the same run
   */
  async remove(
    id: string,
    { serverName, keep, runId }: { serverName?: string | undefined; keep: LeftOnServer; runId: string },
    meta: CommandMeta,
  ): Promise<{ position: Position; runId?: string }> {
    const { workspace } = meta;
    const removal = new RemoveDomain(id, { serverName, kept: keep }, meta);
    const domain = await this.domain(id, workspace);
    // Refuses before anything on the server is touched.
    domainsDecider.decide(removal, domain);
    if (!goesFirst(domain, keep)) {
      const removed = await this.withLock(domain, workspace, async () =>
        // A run may have installed something on the server since.
        goesFirst(await this.domain(id, workspace), keep) ? undefined : this.removeAtOnce(removal),
      );
      if (removed) return removed;
    }
    return this.cleanup.start(await this.domain(id, workspace), keep, runId, meta);
  }

  /**
   * Removes what the domain left under an earlier name, or on an earlier server. If that server was removed, nobody can
   * reach it, and the files are only forgotten.
   */
  async removeLeft(
    id: string,
    { runId, ...where }: DomainFields & { runId: string },
    meta: CommandMeta,
  ): Promise<{ position: Position; runId?: string }> {
    const { workspace } = meta;
    const domain = await this.domain(id, workspace);
    const left = domain.left.find(
      ({ serverName, server }) => serverName === where.serverName && server === where.server,
    );
    if (!left) throw invalidField('serverName', 'this domain left nothing there under this name');
    if (!(await this.servers.exists(where.server, workspace)))
      return this.commands.execute(new RecordLeftRemoval(id, where, meta));
    await this.refuseFilesOfAnother(where.serverName, id, workspace);
    return this.cleanup.startLeft(domain, left, runId, meta);
  }

  /** The files may be those of the domain that has the name now. They are called by its main name. */
  private async refuseFilesOfAnother(serverName: string, id: string, workspace: string): Promise<void> {
    const holder = await this.names.otherHolder(workspace, serverName, id);
    if (holder === undefined) return;
    const other = await this.domain(holder, workspace);
    if (other.serverName === serverName) await this.names.refuseTaken(workspace, serverName, id);
  }

  /** Leaves everything on the server and waits for no run: for a server that is gone. */
  leave(id: string, meta: CommandMeta): Promise<{ position: Position }> {
    return this.removeAtOnce(new RemoveDomain(id, { kept: { config: true, certificate: true } }, meta));
  }

  private async removeAtOnce(removal: RemoveDomain): Promise<{ position: Position }> {
    const { id, meta } = removal;
    const domain = await this.domain(id, meta.workspace);
    const { position } = await this.commands.execute(removal);
    await this.names.releaseUnlessHeld(meta.workspace, namesOfSite(domain), id);
    return { position };
  }

  /** Refuses `work` while a run is active: the run would leave something on the server that nobody knows about. */
  private withLock<T>(
    { id, serverName }: Pick<DomainOfWorkspace, 'id' | 'serverName'>,
    workspace: string,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.exclusive.withLock({ kind: 'domain', id, name: serverName }, workspace, work);
  }

  /**
   * Restores the domain as it was when it was removed, and asks DNS where it points now. @throws DomainError on
   * `serverName`, or on the row of another name, if it is taken
   */
  async restore(
    { id, serverName, names }: { id: string; serverName: string; names: readonly SiteName[] },
    meta: CommandMeta,
  ): Promise<{ position: Position }> {
    const { server } = await this.names.withClaimedName(meta.workspace, serverName, id, () =>
      this.names.whileAllClaimed(meta.workspace, names, id, async () => {
        await this.commands.execute(new RestoreDomain(id, {}, meta));
        return this.domain(id, meta.workspace);
      }),
    );
    await this.undoWithoutServer({ id, serverName, server }, meta);
    const { position } = await this.check(id, followUp(meta));
    return { position };
  }

  /** The server may have been removed between the check and the event, without removing this domain. */
  private async undoWithoutServer({ id, server }: DomainFields & { id: string }, meta: CommandMeta) {
    try {
      await this.servers.server(server, meta.workspace);
    } catch (error) {
      if (!isGone(error)) throw error;
      await this.leave(id, followUp(meta));
      throw error;
    }
  }
}
