/**
 * Events about the console's own changes to repositories at the source-code host: one stream per repository. Changes
 * made by others are not recorded.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

const where = { organization: z.string(), repo: z.string() };
/** Full commit id, and the URL of its page at the source-code host. */
const commit = { commit: z.string(), url: z.string() };

export const repositoryEvents = {
  RepositoryCreated: defineEvent(z.object({ ...where, template: z.string(), url: z.string() })),
  /** The repository was given the name of the software developed in it. */
  RepositoryInitialized: defineEvent(z.object({ ...where, name: z.string(), ...commit })),
  /** `version`: the number of the model's version. */
  RepositoryModelAdded: defineEvent(z.object({ ...where, product: z.uuid(), version: z.int(), ...commit })),
  /** A workflow that publishes a package at each release. */
  RepositoryPublishingAdded: defineEvent(
    z.object({ ...where, package: z.enum(['container', 'npm']), ...commit }),
  ),
  RepositoryReleased: defineEvent(z.object({ ...where, tag: z.string(), url: z.string() })),
  RepositoryWorkflowTriggered: defineEvent(
    z.object({ ...where, workflow: z.object({ id: z.int(), name: z.string() }), ref: z.string() }),
  ),
  RepositoryDeleted: defineEvent(z.object(where)),
};
