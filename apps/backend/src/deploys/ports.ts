/** The port of a service that is deployed. Services from before the rules about ports may have one that cannot work. */
import { refusedPort, service, type ValuesOf } from '@quarterdeck/events';
import type { DeployRow } from '@quarterdeck/projections';
import { DomainError } from '../platform/errors';
import { listOf } from '../platform/kit';
import type { Pool } from '../platform/tokens';
import { refusedServerPort } from '../services';
import { portsOf } from './moved-locations';

type Service = Pick<ValuesOf<typeof service>, 'name' | 'port' | 'server'> & { id: string };

/**
 * @param on the server that it is deployed to
 * @param serving the releases that serve there
 * @throws DomainError for a port that nginx would refuse at the end of the deploy, or where another service answers
 */
export const refusePort = async (
  { id, name, port, server }: Service,
  on: { alias: string; port: number },
  serving: readonly DeployRow[],
  db: Pool,
  workspace: string,
): Promise<void> => {
  const refused = (reason: string) =>
    new DomainError('unprocessable', `${name} cannot have the port ${port}: ${reason}`);
  const reason = refusedPort(port) ?? refusedServerPort(port, on);
  if (reason !== undefined) throw refused(reason);
  const all = (await listOf(service, db, workspace)) as unknown as Service[];
  const other = all.find(
    (one) => one.id !== id && one.port === port && one.server !== null && one.server.id === server?.id,
  );
  if (other) throw refused(`${other.name} has it on the same server. Give one of them another`);
  const there = serving.find((one) => one.service.id !== id && portsOf(one).includes(port));
  if (there)
    throw refused(
      `${there.service.name} still answers there. Apply the sites that lead to it there, and deploy ${there.service.name} again, or choose another`,
    );
};
