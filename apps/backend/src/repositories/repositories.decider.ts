/** Records changes that the console made to a repository at the source-code host, after they were made. */
import type { EventsOf } from '@quarterdeck/events';
import type { repositoryEvents } from '@quarterdeck/events/catalogue';
import { command, type Decider } from '../platform/decider';

export type RepositoryEvent = EventsOf<typeof repositoryEvents>;

/** `new RecordRepository(id, { type: 'RepositoryReleased', data }, meta)` */
export class RecordRepository extends command('RecordRepository')<RepositoryEvent>() {}

/** Refuses nothing, because the host decides what is possible. */
export const repositoriesDecider: Decider<null, RecordRepository, RepositoryEvent> = {
  category: 'repository',
  commands: [RecordRepository],
  initial: null,
  decide: ({ data }) => [data],
  evolve: () => null,
};
