/**
 * A changed port of a service: the sites of its server lead to the earlier one. The proxy of the next deploy answers at
 * both, so no site is down at any moment, and the deploy makes the locations lead to the new port. They go live when
 * somebody applies their sites: a deploy applies no pending changes of sites. The deploy after that gives the earlier port
 * up. Until then each deploy keeps it, also a rollback, and one after the service was stopped.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { EventData } from '@quarterdeck/events';
import type { MovedLocation, DeployRow, WaitingSite } from '@quarterdeck/projections';
import { changedPort, DomainRegistry, liveTextsOfServer, locationsAtPorts, ReviseLocation } from '../domains';
import { followUp } from '../platform/decisions';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import type { LocalStep } from '../runs';
import type { DeployDeps } from './deploy-deps';

type Moves = Pick<EventData<'ReleaseRequested'>, 'alsoAt' | 'moves'>;

/** The ports of the server itself that a configuration of nginx passes requests to. */
const portsIn = (text: string): number[] =>
  [...text.matchAll(/:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):(\d+)/g)].map(([, port]) => Number(port));

/** All ports at which the proxy of a release answers. */
export const portsOf = ({ port, alsoAt = [] }: Pick<DeployRow, 'port' | 'alsoAt'>): number[] => [
  port,
  ...alsoAt,
];

@Injectable()
export class MovedLocations {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
    private readonly domains: DomainRegistry,
  ) {}

  /**
   * What a deploy of a service to a server takes along, if the service had another port there.
   *
   * @param last the last releases to have served there, one of each service
   */
  async of(
    { id, port }: { id: string; port: number },
    server: string,
    last: readonly DeployRow[],
    workspace: string,
  ): Promise<Moves & { waiting: WaitingSite[] }> {
    const own = last.filter((one) => one.service.id === id);
    const ports = own.flatMap(portsOf);
    if (ports.every((one) => one === port)) return { waiting: [] };
    // What other services have in their forms only is no reason to give a port up: they do not answer there yet.
    const others = new Set(last.filter((one) => one.serves && !own.includes(one)).flatMap(portsOf));
    const earlier = [...new Set(ports)].filter((one) => one !== port && !others.has(one));
    const [found, texts] = await Promise.all([
      locationsAtPorts(this.db, workspace, server, earlier),
      liveTextsOfServer(this.db, workspace, server),
    ]);
    const moves = found.map(({ id: location, location: path, domain, port: from }): MovedLocation => ({
      domain: { id: domain.id, name: domain.serverName },
      location: { id: location, path },
      from,
    }));
    const waiting = texts.flatMap(({ serverName: site, text }) => {
      const led = new Set(portsIn(text));
      return earlier.filter((one) => led.has(one)).map((at) => ({ site, port: at }));
    });
    const led = new Set([...moves.map(({ from }) => from), ...waiting.map(({ port: at }) => at)]);
    const alsoAt = earlier.filter((one) => led.has(one));
    return { ...(alsoAt.length > 0 && { alsoAt }), ...(moves.length > 0 && { moves }), waiting };
  }

  /** @returns whether the location still led to the earlier port */
  async move(moved: MovedLocation, to: number, meta: CommandMeta): Promise<boolean> {
    const { workspace } = meta;
    const { domain, location, from } = moved;
    // A command of its own for each location: two of one domain would be recorded as one. Its revision comes first, so an edit that comes between the two is a conflict, and not lost.
    const { revision } = await this.domains.head(domain.id, workspace);
    const { locations } = await this.domains.domain(domain.id, workspace);
    const known = locations.find(({ id }) => id === location.id);
    const changed = known && changedPort(known, from, to);
    if (!changed) return false;
    await this.commands.execute(new ReviseLocation(domain.id, changed, followUp(meta), revision));
    return true;
  }
}

/** After the switch: until then a failed deploy leaves everything as it was. */
export const moveStep = (deps: DeployDeps): LocalStep => ({
  name: 'locations',
  on: 'console',
  when: ({ request }) => request.input['moves'] === true,
  perform: async ({ run }, { meta, print }) => {
    const { moves = [], port } = await deps.asked(run, meta.workspace);
    for (const one of moves)
      print(
        (await deps.move(one, port, meta))
          ? `${one.domain.name} ${one.location.path} now leads to port ${port} instead of ${one.from}. Its site goes live with that when it is applied; until then the service answers at both ports.\n`
          : `${one.domain.name} ${one.location.path} no longer leads to port ${one.from}.\n`,
      );
    return {};
  },
  timeoutMs: 120_000,
  repeatable: true,
});
