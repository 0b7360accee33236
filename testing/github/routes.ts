/** Implements each call as GitHub does, with GitHub's wording of refusals. */
import { filled, type Match } from './checked';
import { nextId, Repository, type Files } from './repositories';

type Json = Record<string, unknown>;

export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly more: Json = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

export interface GitHubToken {
  login: string;
  /** Only of classic tokens; answers to fine-grained ones have no scopes header. */
  scopes?: string[];
  /** In GitHub's format: `2026-12-01 08:15:54 UTC`. */
  expires?: string;
  /** Organizations with single sign-on that the token is authorized for. */
  authorized?: string[];
}

export interface Organization {
  members: string[];
  /** Whether tokens must be authorized for the organization's single sign-on. */
  sso?: boolean;
}

export interface PackageVersion {
  id: number;
  digest: string;
  tags: string[];
}

export interface GitHubState {
  organizations: Map<string, Organization>;
  /** By `owner/name` in lower case. */
  repositories: Map<string, Repository>;
  /** By `owner/name`, newest first. */
  packages: Map<string, PackageVersion[]>;
  /** Number of requests for a branch before a generated repository has its files. */
  generationLooks: number;
}

export interface GitHubRequest {
  match: Match;
  token: GitHubToken;
  query: URLSearchParams;
  body: Json;
  state: GitHubState;
  /** The rate limit. */
  left: { limit: number; remaining: number; reset: number };
}

export interface Answered {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

const WEB = 'https://github.com';
const notFound = (): Refusal => new Refusal(404, 'Not Found');
const ok = (body: unknown): Answered => ({ status: 200, body });

const hasScope = ({ scopes }: GitHubToken, scope: string): boolean =>
  scopes === undefined || scopes.some((one) => one === scope || one === scope.replace(/^read:/, 'write:'));

/** Finds a repository. One that the token may not see is refused like one that does not exist. */
const seen = ({ state, token }: GitHubRequest, owner: string, name: string): Repository => {
  const organization = state.organizations.get(owner);
  if (organization?.members.includes(token.login) && organization.sso && !token.authorized?.includes(owner))
    throw new Refusal(
      403,
      'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.',
      {},
      { 'x-github-sso': `required; url=${WEB}/orgs/${owner}/sso?authorization_request=A1` },
    );
  const found = state.repositories.get(`${owner}/${name}`.toLowerCase());
  if (!found) throw notFound();
  if (!found.is.private) return found;
  if (!hasScope(token, 'repo') || !mayWrite(state, token, owner)) throw notFound();
  return found;
};

const mayWrite = ({ organizations }: GitHubState, { login }: GitHubToken, owner: string): boolean =>
  login === owner || organizations.get(owner)?.members.includes(login) === true;

const changed = (asked: GitHubRequest): Repository => {
  const { owner = '', repo = '' } = asked.match.params;
  const found = seen(asked, owner, repo);
  if (!hasScope(asked.token, 'repo') || !mayWrite(asked.state, asked.token, owner)) throw notFound();
  return found;
};

const looked = (asked: GitHubRequest): Repository => {
  const { owner = '', repo = '' } = asked.match.params;
  return seen(asked, owner, repo);
};

const user = (login: string): Json => filled('simple-user', { login, type: 'User' });

const repositoryOf = ({ state }: GitHubRequest, { id, owner, name, branch, is }: Repository): Json =>
  filled('full-repository', {
    id,
    name,
    full_name: `${owner}/${name}`,
    default_branch: branch,
    html_url: `${WEB}/${owner}/${name}`,
    private: is.private ?? false,
    description: is.description ?? null,
    is_template: is.template ?? false,
    owner: { ...user(owner), type: state.organizations.has(owner) ? 'Organization' : 'User' },
  });

const generate = (asked: GitHubRequest): Answered => {
  const { template_owner: from = '', template_repo: template = '' } = asked.match.params;
  const { state, token, body } = asked;
  const source = seen(asked, from, template);
  if (!source.is.template) throw notFound();
  const owner = typeof body['owner'] === 'string' ? body['owner'] : token.login;
  if (!hasScope(token, 'repo') || !mayWrite(state, token, owner)) throw notFound();
  const name = String(body['name']);
  const key = `${owner}/${name}`.toLowerCase();
  if (state.repositories.has(key))
    throw new Refusal(422, 'Could not clone: Name already exists on this account', {
      errors: ['Could not clone: Name already exists on this account'],
    });
  const made = new Repository(owner, name, {
    private: body['private'] === true,
    branch: source.branch,
    ...(typeof body['description'] === 'string' && { description: body['description'] }),
  });
  made.fillLater(source.files(), state.generationLooks);
  state.repositories.set(key, made);
  return { status: 201, body: repositoryOf(asked, made) };
};

const remove = (asked: GitHubRequest): Answered => {
  const found = changed(asked);
  if (!hasScope(asked.token, 'delete_repo')) throw new Refusal(403, 'Must have admin rights to Repository.');
  asked.state.repositories.delete(`${found.owner}/${found.name}`.toLowerCase());
  return { status: 204 };
};

const refOf = (ref: string, sha: string): Json =>
  filled('git-ref', { ref: `refs/${ref}`, object: { type: 'commit', sha, url: 'https://api.github.com/' } });

const ref = (asked: GitHubRequest): Answered => {
  const found = looked(asked);
  found.looked();
  if (found.commits.size === 0) throw new Refusal(409, 'Git Repository is empty.');
  const { ref: name = '' } = asked.match.params;
  const sha = name.startsWith('tags/')
    ? found.tags.get(name.slice('tags/'.length))
    : found.branches.get(name.slice('heads/'.length));
  if (sha === undefined) throw notFound();
  return ok(refOf(name, sha));
};

const moveRef = (asked: GitHubRequest): Answered => {
  const found = changed(asked);
  const { ref: name = '' } = asked.match.params;
  const branch = name.slice('heads/'.length);
  const sha = String(asked.body['sha']);
  const at = found.branches.get(branch);
  if (at === undefined) throw new Refusal(422, 'Reference does not exist');
  if (!found.commits.get(sha)?.parents.includes(at)) throw new Refusal(422, 'Update is not a fast forward');
  found.branches.set(branch, sha);
  return ok(refOf(name, sha));
};

const commitOf = (found: Repository, sha: string): Json => {
  const commit = found.commits.get(sha);
  if (!commit) throw notFound();
  return filled('git-commit', {
    sha,
    message: commit.message,
    html_url: `${WEB}/${found.owner}/${found.name}/commit/${sha}`,
    tree: { sha: commit.tree, url: 'https://api.github.com/' },
  });
};

const addCommit = (asked: GitHubRequest): Answered => {
  const found = changed(asked);
  const { tree, parents, message } = asked.body as { tree: string; parents?: string[]; message: string };
  if (!found.trees.has(tree)) throw new Refusal(422, 'Tree SHA does not exist');
  return { status: 201, body: commitOf(found, found.addCommit({ tree, parents: parents ?? [], message })) };
};

const treeOf = (found: Repository, sha: string): Json => {
  const paths = found.trees.get(sha);
  if (!paths) throw notFound();
  const tree = Object.entries(paths).map(([path, blob]) => ({
    path,
    mode: '100644',
    type: 'blob',
    sha: blob,
    url: 'https://api.github.com/',
    size: Buffer.byteLength(found.blobs.get(blob) ?? ''),
  }));
  return { sha, url: 'https://api.github.com/', truncated: false, tree };
};

const addTree = (asked: GitHubRequest): Answered => {
  const found = changed(asked);
  const { tree, base_tree: base } = asked.body as {
    tree: { path: string; content: string }[];
    base_tree?: string;
  };
  // GitHub gives no reason for this refusal.
  if (tree.some(({ path }) => path.startsWith('.github/workflows/')) && !hasScope(asked.token, 'workflow'))
    throw notFound();
  const files: Files = Object.fromEntries(tree.map(({ path, content }) => [path, content]));
  return { status: 201, body: treeOf(found, found.addTree(base, files)) };
};

const blob = (asked: GitHubRequest): Answered => {
  const { file_sha: sha = '' } = asked.match.params;
  const content = looked(asked).blobs.get(sha);
  if (content === undefined) throw notFound();
  return ok(
    filled('blob', {
      sha,
      content: Buffer.from(content).toString('base64'),
      encoding: 'base64',
      size: Buffer.byteLength(content),
    }),
  );
};

/** The requested page, with a link to the next one. */
const paged = (
  asked: GitHubRequest,
  all: readonly Json[],
): { page: readonly Json[]; headers: Record<string, string> } => {
  const size = Number(asked.query.get('per_page') ?? 30);
  const page = Number(asked.query.get('page') ?? 1);
  const rest = all.slice((page - 1) * size);
  const next = `<https://api.github.com/next?per_page=${size}&page=${page + 1}>; rel="next"`;
  return { page: rest.slice(0, size), headers: rest.length > size ? { link: next } : {} };
};

const releaseOf = (found: Repository, { id, tag }: { id: number; tag: string }): Json =>
  filled('release', {
    id,
    tag_name: tag,
    name: tag,
    author: user(found.owner),
    html_url: `${WEB}/${found.owner}/${found.name}/releases/tag/${tag}`,
  });

const addRelease = (asked: GitHubRequest): Answered => {
  const found = changed(asked);
  if (found.head === undefined) throw new Refusal(422, 'Repository is empty.');
  const tag = String(asked.body['tag_name']);
  if (found.releases.some((one) => one.tag === tag))
    throw new Refusal(422, 'Validation Failed', {
      errors: [{ resource: 'Release', code: 'already_exists', field: 'tag_name' }],
    });
  const release = { id: nextId(), tag, sha: found.tags.get(tag) ?? found.head };
  found.tags.set(tag, release.sha);
  found.releases.unshift(release);
  return { status: 201, body: releaseOf(found, release) };
};

const workflowOf = (
  found: Repository,
  { id, path, name }: { id: number; path: string; name: string },
): Json =>
  filled('workflow', {
    id,
    path,
    name,
    state: 'active',
    html_url: `${WEB}/${found.owner}/${found.name}/blob/${found.branch}/${path}`,
  });

const dispatch = (asked: GitHubRequest): Answered => {
  const found = changed(asked);
  const { workflow_id: wanted = '' } = asked.match.params;
  const workflow = found
    .workflows()
    .find(({ id, path }) => String(id) === wanted || path.endsWith(`/${wanted}`));
  if (!workflow) throw notFound();
  const at = String(asked.body['ref']);
  const sha = found.branches.get(at) ?? found.tags.get(at);
  if (sha === undefined) throw new Refusal(422, `No ref found for: ${at}`);
  if (!workflow.text.includes('workflow_dispatch'))
    throw new Refusal(422, "Workflow does not have 'workflow_dispatch' trigger");
  const run = {
    id: nextId(),
    workflow: workflow.id,
    ref: at,
    sha,
    status: 'queued',
    conclusion: null,
  } as const;
  found.runs.unshift({ ...run });
  return { status: 204 };
};

const runsOf = (asked: GitHubRequest): Answered => {
  const found = looked(asked);
  const all = found.runs.map(({ id, workflow, ref: at, sha, status, conclusion }, index) =>
    filled('workflow-run', {
      id,
      workflow_id: workflow,
      head_branch: at,
      head_sha: sha,
      status,
      conclusion,
      run_number: found.runs.length - index,
      event: 'workflow_dispatch',
      html_url: `${WEB}/${found.owner}/${found.name}/actions/runs/${id}`,
    }),
  );
  const { page, headers } = paged(asked, all);
  return { status: 200, body: { total_count: all.length, workflow_runs: page }, headers };
};

const packageVersions = (asked: GitHubRequest, owner: string): Answered => {
  if (!hasScope(asked.token, 'read:packages'))
    throw new Refusal(403, "You need at least read:packages scope to get a package's versions.");
  const found = asked.state.packages.get(`${owner}/${asked.match.params['package_name']}`);
  if (!found || !mayWrite(asked.state, asked.token, owner)) throw new Refusal(404, 'Package not found.');
  const all = found.map(({ id, digest, tags }) =>
    filled('package-version', {
      id,
      name: digest,
      metadata: { package_type: 'container', container: { tags } },
    }),
  );
  const { page, headers } = paged(asked, all);
  return { status: 200, body: page, headers };
};

const listed = (asked: GitHubRequest, all: readonly Json[]): Answered => {
  const { page, headers } = paged(asked, all);
  return { status: 200, body: page, headers };
};

const repo = '/repos/{owner}/{repo}';
export const routes: Record<string, (asked: GitHubRequest) => Answered> = {
  'GET /rate_limit': ({ left }) => {
    const core = { ...left, used: left.limit - left.remaining };
    return ok(filled('rate-limit-overview', { resources: { core, search: core }, rate: core }));
  },
  'GET /user': ({ token: { login } }) =>
    ok({ ...filled('public-user', { login, id: 583_231, type: 'User', user_view_type: 'public' }) }),
  [`GET ${repo}`]: (asked) => ok(repositoryOf(asked, looked(asked))),
  [`DELETE ${repo}`]: remove,
  'POST /repos/{template_owner}/{template_repo}/generate': generate,
  [`GET ${repo}/git/ref/{ref}`]: ref,
  [`PATCH ${repo}/git/refs/{ref}`]: moveRef,
  [`POST ${repo}/git/commits`]: addCommit,
  [`GET ${repo}/git/commits/{commit_sha}`]: (asked) =>
    ok(commitOf(looked(asked), asked.match.params['commit_sha'] ?? '')),
  [`POST ${repo}/git/trees`]: addTree,
  [`GET ${repo}/git/trees/{tree_sha}`]: (asked) =>
    ok(treeOf(looked(asked), asked.match.params['tree_sha'] ?? '')),
  [`GET ${repo}/git/blobs/{file_sha}`]: blob,
  [`GET ${repo}/tags`]: (asked) =>
    listed(
      asked,
      [...looked(asked).tags].map(([name, sha]) =>
        filled('tag', { name, commit: { sha, url: 'https://api.github.com/' } }),
      ),
    ),
  [`GET ${repo}/releases`]: (asked) => {
    const found = looked(asked);
    return listed(
      asked,
      found.releases.map((one) => releaseOf(found, one)),
    );
  },
  [`POST ${repo}/releases`]: addRelease,
  [`GET ${repo}/actions/workflows`]: (asked) => {
    const found = looked(asked);
    const all = found.workflows().map((one) => workflowOf(found, one));
    const { page, headers } = paged(asked, all);
    return { status: 200, body: { total_count: all.length, workflows: page }, headers };
  },
  [`POST ${repo}/actions/workflows/{workflow_id}/dispatches`]: dispatch,
  [`GET ${repo}/actions/runs`]: runsOf,
  'GET /orgs/{org}/packages/{package_type}/{package_name}/versions': (asked) =>
    packageVersions(asked, asked.match.params['org'] ?? ''),
  'GET /users/{username}/packages/{package_type}/{package_name}/versions': (asked) =>
    packageVersions(asked, asked.match.params['username'] ?? ''),
};
