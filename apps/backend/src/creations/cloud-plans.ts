/** What the sections Database and Server would create at the workspace's cloud provider. */
import { Injectable } from '@nestjs/common';
import type { SectionValues } from '@quarterdeck/events/inputs';
import { CloudGround } from '../cloud';
import { CloudSections } from './cloud-sections';

interface Planned {
  creates: { kind: string; name: string }[];
  exists: { kind: string; name: string }[];
  problems: Record<string, string>;
}

/** For a person who waits for the plan. */
const MANNER = { waitSeconds: 3 };

@Injectable()
export class CloudPlans {
  constructor(
    private readonly ground: CloudGround,
    private readonly sections: CloudSections,
  ) {}

  async database(
    { creates, exists, problems }: Planned,
    { create, cloudDatabase }: Pick<SectionValues<'database'>, 'create' | 'cloudDatabase'>,
    workspace: string,
  ): Promise<void> {
    if (create) {
      const { name, engine, size, region } = create;
      creates.push({ kind: 'cloud database', name: `${name} (${engine}, ${size}, ${region})` });
      creates.push({ kind: 'database', name });
      // Without a token, nothing can be created. Names of databases are unique in an account.
      const all = await (await this.ground.provider(workspace, MANNER)).clusters();
      if (!all.some((one) => one.name === name)) return;
      creates.splice(0);
      exists.push({ kind: 'cloud database', name });
      problems['create.name'] =
        `DigitalOcean has a database ${name} already: choose another name, or use that one`;
      return;
    }
    const { found } = await this.ground.database(cloudDatabase?.id ?? '', workspace);
    exists.push({ kind: 'cloud database', name: found.name });
    creates.push({ kind: 'database', name: found.name });
  }

  async server(
    { creates, exists, problems }: Planned,
    { create, droplet }: Pick<SectionValues<'server'>, 'create' | 'droplet'>,
    workspace: string,
  ): Promise<void> {
    if (!create) {
      const { found, server } = await this.ground.droplet(droplet?.id ?? '', workspace);
      exists.push({ kind: 'droplet', name: found.name });
      if (server) problems['droplet'] = `${found.name} is the server ${server.alias} already`;
      else creates.push({ kind: 'server', name: found.name });
      return;
    }
    const { name, region, size: slug, image, backups } = create;
    const { sizes } = await (await this.ground.provider(workspace, MANNER)).options();
    const size = sizes.find((one) => one.slug === slug);
    const price = size ? `, ${size.priceMonthly} USD a month` : '';
    const saved = backups ? ', with backups' : '';
    creates.push({ kind: 'droplet', name: `${name} (${slug}, ${region}, ${image}${price}${saved})` });
    creates.push({ kind: 'server', name });
    if (!size?.regions.includes(region))
      problems['create.size'] = `DigitalOcean does not offer this size in ${region}`;
    await this.sections.refuseAlias(name, workspace);
  }
}
