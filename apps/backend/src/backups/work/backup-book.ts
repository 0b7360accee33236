/** The log's records about backups: the plan, requests, the process that began each one, and how it ended. */
import { hostname } from 'node:os';
import { BACKUPS_ID } from '@quarterdeck/events/catalogue';
import type { Decision } from '../../platform/decider';
import type { Decisions } from '../../platform/decisions';
import { type CommandMeta, ownMeta } from '../../platform/sessions';
import {
  backupsDecider,
  CancelBackup,
  CheckArchives,
  ConfigureBackups,
  EndBackup,
  RequestBackup,
  RequestDrill,
  StartBackup,
  TellNotRemoved,
  ThinArchives,
  type BackupState,
} from '../backups.decider';
import type { Plan } from '../plan';

/** Backups concern the whole installation, so they belong to no workspace. */
const INSTALLATION = '-';
const PROCESS = `${hostname()}:${process.pid}`;

const installationMeta = (meta: CommandMeta): CommandMeta => ({ ...meta, workspace: INSTALLATION });

type Command = Parameters<typeof backupsDecider.decide>[0];

export class BackupBook {
  constructor(private readonly decisions: Decisions) {}

  async state(): Promise<BackupState> {
    return (await this.decisions.load(backupsDecider, BACKUPS_ID, INSTALLATION)).state;
  }

  configure(plan: Plan, meta: CommandMeta): Promise<Decision> {
    return this.carryOut(new ConfigureBackups(BACKUPS_ID, plan, installationMeta(meta)));
  }

  /** @throws DomainError `conflict` while another one is open */
  request(wanted: RequestBackup['data'], meta: CommandMeta): Promise<Decision> {
    return this.carryOut(new RequestBackup(BACKUPS_ID, wanted, installationMeta(meta)));
  }

  /** @throws DomainError `conflict` while other work is running, or without an archive */
  drill(wanted: RequestDrill['data'], meta: CommandMeta): Promise<Decision> {
    return this.carryOut(new RequestDrill(BACKUPS_ID, wanted, installationMeta(meta)));
  }

  /** @throws DomainError `notFound` if it has ended */
  cancel(work: string, meta: CommandMeta): Promise<Decision> {
    const given = { work, at: new Date().toISOString() };
    return this.carryOut(new CancelBackup(BACKUPS_ID, given, installationMeta(meta)));
  }

  /**
   * @returns whether this process should do the work. It should not if the work was cancelled or attempted too often.
   */
  async start(work: string, now: Date): Promise<boolean> {
    const given = { work, process: PROCESS, at: now.toISOString() };
    await this.carryOut(new StartBackup(BACKUPS_ID, given, ownMeta('system', INSTALLATION)));
    return (await this.state()).current?.work === work;
  }

  end(outcome: EndBackup['data']): Promise<Decision> {
    return this.carryOut(new EndBackup(BACKUPS_ID, outcome, ownMeta('system', INSTALLATION)));
  }

  async thin(archives: string[]): Promise<void> {
    await this.carryOut(new ThinArchives(BACKUPS_ID, { archives }, ownMeta('system', INSTALLATION)));
  }

  async tellNotRemoved(what: TellNotRemoved['data']): Promise<void> {
    await this.carryOut(new TellNotRemoved(BACKUPS_ID, what, ownMeta('system', INSTALLATION)));
  }

  async check(found: CheckArchives['data']): Promise<void> {
    await this.carryOut(new CheckArchives(BACKUPS_ID, found, ownMeta('system', INSTALLATION)));
  }

  private carryOut(command: Command): Promise<Decision> {
    return this.decisions.execute(backupsDecider, command);
  }
}
