/** The databases of a service: one for each environment, each of that environment. */
import { Inject, Injectable } from '@nestjs/common';
import { database, environments, service, serviceDatabases, type ValuesOf } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { Held } from '../platform/holds';
import { detailOf, listOf, type Edited, type Values } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';

type Databases = Pick<ValuesOf<typeof service>, (typeof serviceDatabases)[number]>;

const environmentOf = (fields: Values): number => (fields as ValuesOf<typeof database>).env.id;

@Injectable()
export class ServiceDatabases {
  constructor(@Inject(DB) private readonly db: Pool) {}

  /** @throws DomainError on a database of another environment */
  async judge(given: Values, was: Values | undefined, workspace: string): Promise<void> {
    const [after, before] = [given as unknown as Databases, was as unknown as Databases | undefined];
    for (const [at, key] of serviceDatabases.entries()) {
      const id = after[key]?.id;
      if (id === undefined || id === before?.[key]?.id) continue;
      const found = await detailOf(database, this.db, workspace, id);
      if (found && environmentOf(found) !== at + 1)
        throw invalidField(
          `${key}.id`,
          `${String(found['name'])} is a database of ${environments[environmentOf(found) - 1]}: choose one of ${environments[at]}`,
        );
    }
  }

  /** A database keeps its environment while a service uses it there. */
  async holds({ id, before, after }: Edited, workspace: string): Promise<Held | undefined> {
    const [from, to] = [environmentOf(before), environmentOf(after)];
    const key = serviceDatabases[from - 1];
    if (from === to || key === undefined) return undefined;
    const services = (await listOf(service, this.db, workspace)) as unknown as (Databases & {
      name: string;
    })[];
    const user = services.find((one) => one[key]?.id === id);
    return (
      user && {
        reason: `${user.name} uses it in ${environments[from - 1]}: remove it from that service first`,
      }
    );
  }
}
