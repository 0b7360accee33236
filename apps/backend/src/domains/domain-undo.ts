/** Undoes changes of a domain or its locations, and removals of a domain, alone or together with its server. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { UndoableType } from '@quarterdeck/events';
import type { Decision } from '../platform/decider';
import {
  Decisions,
  setBack,
  Undoing,
  type Undone,
  type UndoPlan,
  type UndoWork,
} from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { ServerRegistry } from '../servers';
import { AddLocation, RemoveLocation, ReviseLocation, type Location } from './domain-locations';
import { DomainNames } from './domain-names';
import { DomainRegistry } from './domain-registry';
import {
  ChangeSiteSettings,
  ConfigureDomainAlerts,
  domainsDecider,
  EditDomain,
  RestoreDomain,
  type DomainCommand,
  type DomainState,
  type PresentDomain,
} from './domains.decider';
import { ChangeSiteNames } from './site-names';

const present = (state: DomainState): PresentDomain => {
  if (state.is === 'present') return state;
  throw state.is === 'removed'
    ? new DomainError('conflict', `${state.was.serverName} has been removed since: restore it first`)
    : notFound('domain');
};

const SERVED_AS_IT_IS =
  'The served configuration stays as it is until the configuration of the domain is applied to its server.';

/** How a change is set back. */
interface Back {
  command(asker: CommandMeta): DomainCommand;
  /** Default: executes the command. */
  carryOut?(asker: CommandMeta): Promise<Decision>;
  note?: string;
}

/** The domain now, and its revision as it was read. */
interface Edited extends Undone {
  now: PresentDomain;
  revision: number;
}

@Injectable()
export class DomainUndo implements OnModuleInit {
  constructor(
    private readonly undoing: Undoing,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly registry: DomainRegistry,
    private readonly names: DomainNames,
    private readonly servers: ServerRegistry,
  ) {}

  onModuleInit(): void {
    this.use(
      ['DomainRenamed', 'DomainMoved'],
      ({ serverName, server }) => ({ serverName, server }),
      async (fields, { id, now, revision, meta: { workspace } }) => {
        if (fields.server !== now.server) await this.refuseWithoutServer(fields.server, workspace);
        if (fields.serverName !== now.serverName)
          await this.names.refuseTaken(workspace, fields.serverName, id);
        return {
          command: (asker) => new EditDomain(id, { ...fields, nameClaimed: true }, asker),
          carryOut: (asker) => this.registry.edit(id, fields, asker, revision),
          note: 'DNS is checked again; no DNS record is changed.',
        };
      },
    );
    this.use(
      ['DomainAlertsConfigured'],
      ({ thresholds }) => ({ thresholds }),
      ({ thresholds }, { id, revision }) => ({
        command: (asker) =>
          new ConfigureDomainAlerts(id, { thresholds: thresholds && [...thresholds] }, asker, revision),
      }),
    );
    this.use(
      ['SiteSettingsChanged'],
      ({ settings = {} }) => settings,
      (settings, { id, revision }) => ({
        command: (asker) => new ChangeSiteSettings(id, { settings }, asker, revision),
        note: SERVED_AS_IT_IS,
      }),
    );
    this.use(
      ['SiteNamesChanged'],
      ({ names }) => ({ names: [...names] }),
      async ({ names }, { id, revision, meta }) => {
        await this.names.refuseAnyTaken(meta.workspace, names, id);
        return {
          command: (asker) => new ChangeSiteNames(id, { names, claimed: true }, asker),
          carryOut: (asker) => this.registry.changeNames(id, names, asker, revision),
          note: SERVED_AS_IT_IS,
        };
      },
    );
    this.use<{ location?: Location | undefined }>(
      ['LocationAdded', 'LocationRevised', 'LocationRemoved'],
      ({ locations }, { events }) => ({ location: locations.find(({ id }) => id === locationIn(events)) }),
      ({ location: back }, { id, now, revision, events }) => {
        const location = locationIn(events);
        const Put = now.locations.some((one) => one.id === location) ? ReviseLocation : AddLocation;
        return {
          command: (asker) =>
            back ? new Put(id, back, asker, revision) : new RemoveLocation(id, { location }, asker),
          note: SERVED_AS_IT_IS,
        };
      },
    );
    this.undoing.use(['DomainRemoved'], (undone) => this.putBack(undone));
  }

  /** Restores the domains that were removed together with their server. */
  async domainsWithServer(undone: Undone): Promise<readonly UndoWork[]> {
    const ids = await undone.alsoDone('DomainRemoved');
    const works = (await Promise.all(ids.map((id) => this.withServer(id, undone)))).flat();
    return works.toSorted((a, b) => (a.subject.name < b.subject.name ? -1 : 1));
  }

  /** @param of the part of a domain that these events change. One request changes one location */
  private use<V extends object>(
    types: readonly UndoableType[],
    of: (domain: PresentDomain, undone: Undone) => V,
    plan: (back: V, edited: Edited) => Back | Promise<Back>,
  ): void {
    this.undoing.use(types, async (undone) => {
      const part = (state: DomainState): V => of(present(state), undone);
      const { now: state, revision, back } = await setBack(this.decisions, domainsDecider, undone, part);
      const now = present(state);
      const {
        command,
        note,
        carryOut = (asker) => this.commands.execute(command(asker)),
      } = await plan(back, { ...undone, now, revision });
      const work: UndoWork = {
        subject: { category: 'domain', id: undone.id, name: now.serverName },
        would: domainsDecider.decide(command(undone.meta), now),
        carryOut: (_, asker) => carryOut(asker),
      };
      return { works: [work], ...(note !== undefined && { notes: [note] }) };
    });
  }

  private async load(id: string, { meta }: Undone): Promise<DomainState> {
    return (await this.decisions.load(domainsDecider, id, meta.workspace)).state;
  }

  private async putBack(undone: Undone): Promise<UndoPlan> {
    const state = await this.load(undone.id, undone);
    if (state.is !== 'removed') throw new DomainError('conflict', 'it has already been restored');
    const { was } = state;
    await this.refuseWithoutServer(was.server, undone.meta.workspace);
    await this.refuseNamesTaken(undone.id, was, undone);
    const there = [was.config && 'configuration', was.certificate.issued && 'certificate'].filter(Boolean);
    return {
      works: [this.restoration(undone.id, state, undone)],
      notes: [
        there.length > 0
          ? `Its ${there.join(' and ')} stayed on the server and counts again.`
          : 'Its server has nothing of it until its configuration is applied.',
      ],
    };
  }

  /** The domains that can be restored. A domain whose name is taken by now stays removed. */
  private async withServer(id: string, undone: Undone): Promise<UndoWork[]> {
    const state = await this.load(id, undone);
    if (state.is !== 'removed' || state.was.server !== undone.id) return [];
    const work = this.restoration(id, state, undone);
    try {
      await this.refuseNamesTaken(id, state.was, undone);
      return [work];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return [{ ...work, refused: error.msg }];
    }
  }

  private restoration(id: string, state: DomainState & { is: 'removed' }, { meta }: Undone): UndoWork {
    const { serverName, names } = state.was;
    return {
      subject: { category: 'domain', id, name: serverName },
      would: domainsDecider.decide(new RestoreDomain(id, {}, meta), state),
      carryOut: (_, asker) => this.registry.restore({ id, serverName, names }, asker),
    };
  }

  private async refuseNamesTaken(
    id: string,
    { serverName, names }: PresentDomain,
    { meta: { workspace } }: Undone,
  ): Promise<void> {
    await this.names.refuseTaken(workspace, serverName, id);
    await this.names.refuseAnyTaken(workspace, names, id);
  }

  private async refuseWithoutServer(server: string, workspace: string): Promise<void> {
    if (!(await this.servers.exists(server, workspace)))
      throw new DomainError('conflict', 'its server was removed: restore the server first');
  }
}

/** Id of the location of these events. */
const locationIn = (events: Undone['events']): string => {
  for (const event of events) {
    if (event.type === 'LocationRemoved') return event.data.id;
    if (event.type === 'LocationAdded' || event.type === 'LocationRevised') return event.data.location.id;
  }
  throw notFound('location');
};
