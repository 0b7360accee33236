/** Why a service that a section makes would be refused: its name, port or host name is taken. Known before anything begins. */
import { Inject, Injectable } from '@nestjs/common';
import { service, type CreationSection, type ValuesOf } from '@quarterdeck/events';
import { clientPartOf } from '@quarterdeck/events/inputs';
import { DomainError } from '../platform/errors';
import { listOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { ServerRegistry } from '../servers';
import { refusedServerPort } from '../services';
import { ContainerSections } from './container-sections';
import { hasClient } from './product-sections';
import { productOf, serverOf, type SectionInput } from './section-work';

type Service = Pick<ValuesOf<typeof service>, 'name' | 'port' | 'server'> & { id: string };
/** What was entered and made so far. */
type Entered = Pick<SectionInput, 'values' | 'made'>;

interface PlannedService {
  name: string;
  port: number;
  /** Where they are entered. */
  fields: { name: string; port: string };
  /** What follows from the other fields. */
  byDefault?: { name: boolean; port: boolean };
}

interface ServicePlace {
  product: string;
  server?: { id: string; alias: string; port: number };
}

const wantedBy = (section: CreationSection, entered: Entered): PlannedService[] => {
  const { service: values, dns } = entered.values;
  if (section === 'dns' && dns)
    return [{ name: dns.subdomain, port: dns.port, fields: { name: 'subdomain', port: 'port' } }];
  if (section !== 'service' || !values) return [];
  const { name, port } = values;
  const server = { name, port, fields: { name: 'name', port: 'port' } };
  if (!hasClient(entered)) return [server];
  const byDefault = { name: !values.nameFront, port: values.portFront === undefined };
  return [server, { ...clientPartOf(values), fields: { name: 'nameFront', port: 'portFront' }, byDefault }];
};

@Injectable()
export class ServicePlans {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly servers: ServerRegistry,
    private readonly container: ContainerSections,
  ) {}

  /** @returns by field of the section */
  async problems(
    section: CreationSection,
    entered: Entered,
    workspace: string,
  ): Promise<Record<string, string>> {
    const wanted = wantedBy(section, entered);
    if (wanted.length === 0) return {};
    const at = await this.placeOf(section, entered, workspace);
    const all = (await listOf(service, this.db, workspace)) as unknown as (Service & { product: string })[];
    const found: Record<string, string> = {};
    for (const { name, port, fields, byDefault } of wanted) {
      const tell = (field: 'name' | 'port', is: string, why: string | undefined): void => {
        if (why !== undefined)
          found[fields[field]] = byDefault?.[field] ? `left empty, this is ${is}: ${why}` : why;
      };
      const named = all.find(
        (one) => one.product === at.product && one.name.trim().toLowerCase() === name.trim().toLowerCase(),
      );
      tell('name', name, named && `there is a service ${named.name} already`);
      if (!at.server) continue;
      const { server } = at;
      const there = all.find((one) => one.port === port && one.server?.id === server.id);
      tell(
        'port',
        String(port),
        refusedServerPort(port, server) ??
          (there &&
            `the service ${there.name} has the port ${port} on ${server.alias} already: choose another`),
      );
    }
    if (section !== 'dns' || found['subdomain'] !== undefined) return found;
    const refused = await this.container.refusedName(entered, workspace);
    return refused === undefined ? found : { ...found, subdomain: refused };
  }

  /** The server is unknown before it is made. */
  private async placeOf(
    section: CreationSection,
    entered: Entered,
    workspace: string,
  ): Promise<ServicePlace> {
    if (section === 'dns') return this.container.placeOf(entered, workspace);
    const id = serverOf(entered);
    const product = productOf(entered);
    if (id === '') return { product };
    try {
      return { product, server: { id, ...(await this.servers.server(id, workspace)) } };
    } catch (error) {
      // The run says so.
      if (error instanceof DomainError && error.code === 'notFound') return { product };
      throw error;
    }
  }
}
