/** Records changes that the console made to a repository at the source-code host, after they were made. */
import type { EventsOf } from '@quarterdeck/events';
import type { repositoryEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';

export type RepositoryEvent = EventsOf<typeof repositoryEvents>;

/** `new RecordRepository(id, { type: 'RepositoryReleased', data }, meta)`. Refuses nothing: the host decides what is possible. */
export class RecordRepository extends command('RecordRepository')((event: RepositoryEvent) => [event]) {}

export const repositoriesDecider = deciderOf<null, RepositoryEvent>()({
  category: 'repository',
  commands: [RecordRepository],
  initial: null,
  evolve: {},
});
