/** Input schemas of the calls about repositories at the source-code host. */
import { repositoryNamed } from './services.noun';
import { boolean, integer, numericId, object, oneOf, text, uuid } from './rules';

/** GitHub's rules for names of organizations and accounts. */
export const repositoryOwner = text(100).regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/, {
  error: 'the name of an organization or account is expected, such as octocat',
});
export const repositoryName = text(100)
  .transform(repositoryNamed)
  .pipe(
    text(100)
      .regex(/^[\w.-]+$/, { error: 'letters, digits, ".", "-" and "_" are accepted' })
      .refine((value) => !/^\.{1,2}$/.test(value), { error: 'this name is reserved' }),
  );
const at = { organization: repositoryOwner, repo: repositoryName };

/** The part of a service that a repository is for. */
export const repositoryParts = ['server', 'client'] as const;

export const repositoryClone = object({ ...at, clientOrServer: oneOf(repositoryParts) });
export const repositoryInit = object({ ...at, name: text(100) });
export const repositoryModel = object({ ...at, product: object({ id: uuid }) });
/** `isNpm`: the version is also written into the package file. */
export const repositoryRelease = object({ ...at, isNpm: boolean.optional() });
/** `https://github.com/acme/shop`, `git@github.com:acme/shop.git`, `acme/shop`: its groups are the host and the two names. */
export const repositoryAddress =
  /^(?:(?:https?:\/\/|ssh:\/\/git@|git@)([^/:]+)(?::\d+)?[/:])?([A-Za-z0-9-]+)\/(?!\.{1,2}(?:\.git)?\/?$)([\w.-]+?)(?:\.git)?\/?$/;
/** URL of a repository, or `organization/repo`. */
export const repositoryUrl = text(300).regex(repositoryAddress, {
  error: 'the address of a repository is expected, such as https://github.com/acme/shop',
});
/** `dockerName`: if it differs from the repository name. */
export const containerList = object({ repoUrl: repositoryUrl, dockerName: text(200).optional() });
export const publishing = object({ org: repositoryOwner, repo: repositoryName });

export const serviceWorkflows = object({ serviceId: uuid });
/** `ref`: a branch or tag. */
export const workflowTrigger = object({
  serviceId: uuid,
  workflowId: numericId(Number.MAX_SAFE_INTEGER),
  ref: text(200).optional(),
});

const template = text(200).regex(/^[A-Za-z0-9][A-Za-z0-9-]*\/[\w.-]+$/, {
  error: 'organization and repository are expected, such as octocat/service-template',
});
const sourceHost = {
  organization: repositoryOwner.optional(),
  serverTemplate: template.optional(),
  clientTemplate: template.optional(),
  isPrivate: boolean,
};
/** Form schema of `workspaceSourceHost`. */
export const sourceHostSettings = object(sourceHost);
/** Where new repositories are created, and from which templates. */
export const workspaceSourceHost = object({ ...sourceHost, revision: integer().optional() });
