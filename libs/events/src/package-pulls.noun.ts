import { defineNoun } from './define-noun';
import type { packagePullEvents } from './package-pulls.events';

export const packagePull = defineNoun<typeof packagePullEvents>()({
  category: 'deploy',
  words: { many: 'Deploys', one: 'One deploy' },
  rows: 'deploys',
  audience: 'admin',
  named: 'slug',
  events: {
    DeployRequested: (d) => `requested a deploy of ${d.slug}`,
    DeploySucceeded: (d) => `deployed ${d.slug} ${d.version}`,
    DeployFailed: (d) => `could not deploy ${d.slug}: ${d.reason}`,
    DeployLogRemoved: (d) => `removed the deploy log of ${d.slug}`,
  },
  removedBy: 'DeployLogRemoved',
});
