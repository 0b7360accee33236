/** Who deletes a service is told which locations are linked to it. */
import { Inject, Injectable } from '@nestjs/common';
import { DB, type Pool } from '../platform/tokens';
import { namesOfLinked } from './locations.queries';

@Injectable()
export class LinkedLocations {
  constructor(@Inject(DB) private readonly db: Pool) {}

  names(services: readonly string[], workspace: string): Promise<string[]> {
    return namesOfLinked(this.db, workspace, services);
  }
}
