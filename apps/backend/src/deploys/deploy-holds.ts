/**
 * What serves holds back the removal of its service, product and server, and a move to another server: nobody would see
 * any more what still runs, or sites would lead to nothing.
 */
import { Injectable } from '@nestjs/common';
import { product, service } from '@quarterdeck/events';
import type { DeployRow } from '@quarterdeck/projections';
import { locationsOfService, type DomainOfWorkspace } from '../domains';
import type { Held } from '../platform/holds';
import type { Edited } from '../platform/kit';
import { portsOf } from './moved-locations';
import { Deploys } from './deploys';
import { openDeploys, servingDeploys, type DeployReads, type DeploysOf } from './deploys.queries';

/** How many the sentence names. The answer has all of them. */
const MAX_NAMED = 5;

type IdOrNone = { id: string } | null;

@Injectable()
export class DeployHolds {
  constructor(private readonly releases: Deploys) {}

  async holdsMove({ id, before, after }: Edited, workspace: string): Promise<Held | undefined> {
    const [from, to] = [before, after].map(({ server }) => (server as IdOrNone)?.id);
    return from === undefined || from === to
      ? undefined
      : this.holds({ service: id, server: from }, workspace);
  }

  async holds(of: DeploysOf, workspace: string): Promise<Held | undefined> {
    const { reads } = this.releases;
    const serving = await servingDeploys(reads, workspace, of);
    if (serving.length > 0) {
      const where = [...new Set(serving.map(({ server }) => server.name))].map(
        (name) => `${serve(serving.filter(({ server }) => server.name === name))} on ${name}`,
      );
      return { reason: `${where.join(', ')}: stop ${themOf(serving)} first`, by: heldBy(serving) };
    }
    return underWayOf(reads, workspace, of);
  }

  async leadsTo({ id, server, serverName }: DomainOfWorkspace, workspace: string): Promise<Held | undefined> {
    const { reads } = this.releases;
    const there = await servingDeploys(reads, workspace, { server });
    const reached: DeployRow[] = [];
    for (const one of there) {
      const leading = { id: one.service.id, ports: portsOf(one), server: one.server };
      const locations = await locationsOfService(reads.db, workspace, leading);
      if (locations.some(({ domain }) => domain.id === id)) reached.push(one);
    }
    const [first] = reached;
    if (!first) return undefined;
    const names = namesOf(reached);
    const reason = `${serverName} leads to ${names}, which ${reached.length === 1 ? 'serves' : 'serve'} on ${first.server.name}: stop ${themOf(reached)}, or remove the ${reached.length === 1 ? 'location' : 'locations'} first`;
    return { reason, by: heldBy(reached) };
  }
}

export const underWayOf = async (
  reads: DeployReads,
  workspace: string,
  of: DeploysOf,
): Promise<Held | undefined> => {
  const underWay = await openDeploys(reads, workspace, of);
  const [first] = underWay;
  if (!first) return undefined;
  const reason = `${first.service.name} is being deployed to ${first.server.name}: wait for the end of the run, or cancel it`;
  return { reason, by: heldBy(underWay) };
};

const themOf = ({ length }: readonly unknown[]): string => (length === 1 ? 'it' : 'them');

const heldBy = (releases: readonly DeployRow[]): Held['by'] =>
  releases.map(({ id, product: of, service: { id: serviceId, name }, package: { version } }) => ({
    category: 'release' as const,
    id,
    name: `${name} ${version}`,
    within: [
      { category: product.category, id: of },
      { category: service.category, id: serviceId },
    ],
  }));

const namesOf = (releases: readonly DeployRow[]): string => {
  const names = releases.slice(0, MAX_NAMED).map((one) => one.service.name);
  const more = releases.length - names.length;
  return new Intl.ListFormat('en').format([...names, ...(more > 0 ? [`${more} more`] : [])]);
};

const serve = (releases: readonly DeployRow[]): string =>
  `${namesOf(releases)} ${releases.length === 1 ? 'serves' : 'serve'}`;
