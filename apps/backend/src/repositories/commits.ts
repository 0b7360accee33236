/** One commit with several files, through GitHub's git data calls. Files that need no change are left out. */
import { createHash } from 'node:crypto';
import { DomainError } from '../platform/errors';
import type { About } from './refusals';
import { codeOf, type Source } from './source-host';

export interface RepositoryName {
  organization: string;
  repo: string;
}

export interface Committed {
  commit: string;
  url: string;
  /** False if no file had to change: then this is the branch's newest commit. */
  changed: boolean;
}

export interface Repository {
  has(path: string): boolean;
  /** Undefined if there is no such file. */
  read(path: string): Promise<string | undefined>;
}

/** The new contents of files, by path. */
export type Edit = (repository: Repository) => Promise<Record<string, string>>;

/** Maximum number of attempts, as others may commit at the same time. */
const ATTEMPTS = 3;

export const blobId = (content: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex');

export const nameOf = ({ organization, repo }: RepositoryName): string => `${organization}/${repo}`;
const at = ({ organization, repo }: RepositoryName) => ({ owner: organization, repo });

/** @param about describes the write for error messages, such as the scope that it needs */
export const commit = async (
  source: Source,
  place: RepositoryName,
  message: string,
  edit: Edit,
  about: About = { what: nameOf(place) },
): Promise<Committed> => {
  const { default_branch: branch } = await source.call(about, (rest) => rest.repos.get(at(place)));
  for (let attempt = 1; ; attempt += 1) {
    const head = await headOf(source, place, branch);
    try {
      return await commitOn(source, place, { head, branch, message, edit, about });
    } catch (error) {
      const outrun = codeOf(error) === 'refused' && /fast.forward/i.test(String(error));
      if (!outrun || attempt === ATTEMPTS) throw error;
    }
  }
};

/** The newest commit of a branch. @throws DomainError with code `empty` if it has none */
export const headOf = async (source: Source, place: RepositoryName, branch: string): Promise<string> => {
  const what = `the branch ${branch} of ${nameOf(place)}`;
  try {
    const { object } = await source.call({ what }, (rest) =>
      rest.git.getRef({ ...at(place), ref: `heads/${branch}` }),
    );
    return object.sha;
  } catch (error) {
    if (codeOf(error) === 'refused' && /empty/i.test(String(error)))
      throw new DomainError('unprocessable', `${nameOf(place)} is empty`, undefined, { code: 'empty' });
    throw error;
  }
};

interface Order {
  head: string;
  branch: string;
  message: string;
  edit: Edit;
  about: About;
}

const commitOn = async (
  source: Source,
  place: RepositoryName,
  { head, branch, message, edit, about }: Order,
): Promise<Committed> => {
  const before = await source.call(about, (rest) => rest.git.getCommit({ ...at(place), commit_sha: head }));
  const found = await source.call(about, (rest) =>
    rest.git.getTree({ ...at(place), tree_sha: before.tree.sha, recursive: '1' }),
  );
  const blobs = new Map(
    found.tree.flatMap(({ path, type, sha }) =>
      type === 'blob' && path && sha ? [[path, sha] as const] : [],
    ),
  );
  const files = await edit({
    has: (path) => blobs.has(path),
    read: async (path) => {
      const sha = blobs.get(path);
      if (sha === undefined) return undefined;
      const blob = await source.call(about, (rest) => rest.git.getBlob({ ...at(place), file_sha: sha }));
      return Buffer.from(blob.content, 'base64').toString();
    },
  });
  const tree = Object.entries(files)
    .filter(([path, content]) => blobs.get(path) !== blobId(content))
    .map(([path, content]) => ({ path, content, mode: '100644' as const, type: 'blob' as const }));
  if (tree.length === 0) return { commit: head, url: before.html_url, changed: false };
  const made = await source.call(about, (rest) =>
    rest.git.createTree({ ...at(place), base_tree: before.tree.sha, tree }),
  );
  const after = await source.call(about, (rest) =>
    rest.git.createCommit({ ...at(place), message, tree: made.sha, parents: [head] }),
  );
  await source.call(about, (rest) =>
    rest.git.updateRef({ ...at(place), ref: `heads/${branch}`, sha: after.sha }),
  );
  return { commit: after.sha, url: after.html_url, changed: true };
};
