import { defineNoun } from './define-noun';
import type { repositoryEvents } from './repositories.events';

const called = ({ organization, repo }: { organization: string; repo: string }): string =>
  `${organization}/${repo}`;
const short = (commit: string): string => commit.slice(0, 7);

export const repository = defineNoun<typeof repositoryEvents>()({
  category: 'repository',
  words: { many: 'Repositories', one: 'One repository' },
  stale: ['repositories'],
  audience: 'admin',
  named: {
    RepositoryCreated: called,
    RepositoryInitialized: called,
    RepositoryModelAdded: called,
    RepositoryPublishingAdded: called,
    RepositoryReleased: called,
    RepositoryWorkflowTriggered: called,
    RepositoryDeleted: called,
  },
  events: {
    RepositoryCreated: (d) => `created from the template ${d.template}`,
    RepositoryInitialized: (d) => `initialized as ${d.name}, commit ${short(d.commit)}`,
    RepositoryModelAdded: (d) => `added version ${d.version} of the data model, commit ${short(d.commit)}`,
    RepositoryPublishingAdded: (d) =>
      `added the workflow that publishes the ${d.package} package, commit ${short(d.commit)}`,
    RepositoryReleased: (d) => `released ${d.tag}`,
    RepositoryWorkflowTriggered: (d) => `triggered the workflow ${d.workflow.name} on ${d.ref}`,
    RepositoryDeleted: () => 'deleted at the source-code host',
  },
  removedBy: 'RepositoryDeleted',
});
