/** Undoes changes of a domain or its locations, and removals of a domain, alone or together with its server. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { foldEvents } from '../platform/decider';
import {
  Decisions,
  fieldsBack,
  type Loaded,
  Undoing,
  type Undone,
  type UndoPlan,
  type UndoWork,
} from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
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
  type DomainEvent,
  type DomainState,
  type PresentDomain,
} from './domains.decider';
import { ChangeSiteNames } from './site-names';

const stateOf = (events: Undone['events']): DomainState =>
  foldEvents(domainsDecider, events as unknown as readonly DomainEvent[]);

const present = (state: DomainState): PresentDomain => {
  if (state.is === 'present') return state;
  throw state.is === 'removed'
    ? new DomainError('conflict', `${state.was.serverName} has been removed since: restore it first`)
    : notFound('domain');
};

const SERVED_AS_IT_IS =
  'The served configuration stays as it is until the configuration of the domain is applied to its server.';

/** What can be undone for an existing domain. */
interface Edited {
  was: PresentDomain;
  made: PresentDomain;
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
    this.undoing.use(['DomainRenamed', 'DomainMoved'], (undone) => this.editBack(undone));
    this.undoing.use(['DomainAlertsConfigured'], (undone) => this.alertsBack(undone));
    this.undoing.use(['SiteSettingsChanged'], (undone) => this.settingsBack(undone));
    this.undoing.use(['SiteNamesChanged'], (undone) => this.namesBack(undone));
    this.undoing.use(['LocationAdded', 'LocationRevised', 'LocationRemoved'], (undone) =>
      this.locationsBack(undone),
    );
    this.undoing.use(['DomainRemoved'], (undone) => this.putBack(undone));
  }

  /** Restores the domains that were removed together with their server. */
  async domainsWithServer(undone: Undone): Promise<readonly UndoWork[]> {
    const ids = await undone.alsoDone('DomainRemoved');
    const works = (await Promise.all(ids.map((id) => this.withServer(id, undone)))).flat();
    return works.toSorted((a, b) => (a.subject.name < b.subject.name ? -1 : 1));
  }

  private load(id: string, { meta }: Undone): Promise<Loaded<DomainState>> {
    return this.decisions.load(domainsDecider, id, meta.workspace);
  }

  private async edited(undone: Undone): Promise<Edited> {
    const { before, events, id } = undone;
    const { state, revision } = await this.load(id, undone);
    const now = present(state);
    return { now, revision, was: present(stateOf(before)), made: present(stateOf([...before, ...events])) };
  }

  private async editBack(undone: Undone): Promise<UndoPlan> {
    const { id, meta } = undone;
    const { was, made, now, revision } = await this.edited(undone);
    const fieldsOf = ({ serverName, server }: PresentDomain) => ({ serverName, server });
    const fields = fieldsBack(fieldsOf(was), fieldsOf(made), fieldsOf(now));
    if (fields.server !== now.server) await this.refuseWithoutServer(fields.server, meta.workspace);
    if (fields.serverName !== now.serverName)
      await this.names.refuseTaken(meta.workspace, fields.serverName, id);
    const work = workOn(id, now, [new EditDomain(id, { ...fields, nameClaimed: true }, meta)], (_, asker) =>
      this.registry.edit(id, fields, asker, revision),
    );
    return { works: [work], notes: ['DNS is checked again; no DNS record is changed.'] };
  }

  private async alertsBack(undone: Undone): Promise<UndoPlan> {
    const { id, meta } = undone;
    const { was, made, now, revision } = await this.edited(undone);
    const fieldsOf = ({ thresholds }: PresentDomain) => ({ thresholds });
    const { thresholds } = fieldsBack(fieldsOf(was), fieldsOf(made), fieldsOf(now));
    const data = { thresholds: thresholds && [...thresholds] };
    const configure = (asker: typeof meta) => new ConfigureDomainAlerts(id, data, asker, revision);
    return {
      works: [workOn(id, now, [configure(meta)], (_, asker) => this.commands.execute(configure(asker)))],
    };
  }

  private async settingsBack(undone: Undone): Promise<UndoPlan> {
    const { id, meta } = undone;
    const { was, made, now, revision } = await this.edited(undone);
    const of = ({ settings = {} }: PresentDomain) => settings;
    const settings = fieldsBack(of(was), of(made), of(now));
    const change = (asker: typeof meta) => new ChangeSiteSettings(id, { settings }, asker, revision);
    return {
      works: [workOn(id, now, [change(meta)], (_, asker) => this.commands.execute(change(asker)))],
      notes: [SERVED_AS_IT_IS],
    };
  }

  private async namesBack(undone: Undone): Promise<UndoPlan> {
    const { id, meta } = undone;
    const { was, made, now, revision } = await this.edited(undone);
    const of = ({ names }: PresentDomain) => ({ names });
    const names = [...fieldsBack(of(was), of(made), of(now)).names];
    await this.names.refuseAnyTaken(meta.workspace, names, id);
    const change = new ChangeSiteNames(id, { names, claimed: true }, meta);
    return {
      works: [workOn(id, now, [change], (_, asker) => this.registry.changeNames(id, names, asker, revision))],
      notes: [SERVED_AS_IT_IS],
    };
  }

  /** One request changes one location. */
  private async locationsBack(undone: Undone): Promise<UndoPlan> {
    const { id, meta, events } = undone;
    const { was, made, now, revision } = await this.edited(undone);
    const location = locationIn(events);
    const of = ({ locations }: PresentDomain) => locations.find((known) => known.id === location);
    const back = backOf(of(was), of(made), of(now));
    const command = (asker: typeof meta) =>
      back === undefined
        ? new RemoveLocation(id, { location }, asker)
        : new (of(now) ? ReviseLocation : AddLocation)(id, back, asker, revision);
    return {
      works: [workOn(id, now, [command(meta)], (_, asker) => this.commands.execute(command(asker)))],
      notes: [SERVED_AS_IT_IS],
    };
  }

  private async putBack(undone: Undone): Promise<UndoPlan> {
    const { state } = await this.load(undone.id, undone);
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
    const { state } = await this.load(id, undone);
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

const workOn = (
  id: string,
  now: PresentDomain,
  commands: readonly DomainCommand[],
  carryOut: UndoWork['carryOut'],
): UndoWork => ({
  subject: { category: 'domain', id, name: now.serverName },
  would: commands.flatMap((command) => domainsDecider.decide(command, now)),
  carryOut,
});

/** Id of the location of these events. */
const locationIn = (events: Undone['events']): string => {
  for (const event of events) {
    if (event.type === 'LocationRemoved') return event.data.id;
    if (event.type === 'LocationAdded' || event.type === 'LocationRevised') return event.data.location.id;
  }
  throw notFound('location');
};

/** The earlier location; undefined if there was none. */
const backOf = (
  was: Location | undefined,
  made: Location | undefined,
  now: Location | undefined,
): Location | undefined => fieldsBack({ location: was }, { location: made }, { location: now }).location;
