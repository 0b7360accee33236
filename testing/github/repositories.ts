/** The fake GitHub's repositories: git objects, branches, releases, workflows and their runs. */
import { createHash } from 'node:crypto';

export interface WorkflowRun {
  id: number;
  workflow: number;
  ref: string;
  sha: string;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: 'success' | 'failure' | null;
}

export interface Release {
  id: number;
  tag: string;
  sha: string;
}

interface Commit {
  tree: string;
  parents: string[];
  message: string;
}

/** Contents by path. */
export type Files = Record<string, string>;

const idOf = (kind: string, content: string): string =>
  createHash('sha1')
    .update(`${kind} ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex');

let last = 1000;
export const nextId = (): number => ++last;

export class Repository {
  readonly id = nextId();
  readonly blobs = new Map<string, string>();
  /** Blobs by path. Each tree holds all paths of the repository, without subtrees. */
  readonly trees = new Map<string, Record<string, string>>();
  readonly commits = new Map<string, Commit>();
  readonly branches = new Map<string, string>();
  readonly tags = new Map<string, string>();
  readonly releases: Release[] = [];
  readonly runs: WorkflowRun[] = [];
  private readonly workflowIds = new Map<string, number>();
  /** GitHub fills a repository from its template only after the call was answered. */
  private filling: { looks: number; files: Files } | undefined;

  constructor(
    readonly owner: string,
    readonly name: string,
    readonly is: {
      template?: boolean;
      private?: boolean;
      branch?: string;
      description?: string;
    } = {},
  ) {}

  get branch(): string {
    return this.is.branch ?? 'main';
  }

  get head(): string | undefined {
    return this.branches.get(this.branch);
  }

  /** @param looks number of requests for a branch before the files exist */
  fillLater(files: Files, looks: number): void {
    this.filling = { files, looks };
    this.looked();
  }

  /** Counts a request for a branch. */
  looked(): void {
    if (!this.filling || this.filling.looks-- > 0) return;
    this.commit(this.filling.files, 'Initial commit');
    this.filling = undefined;
  }

  commit(files: Files, message: string): string {
    const sha = this.addCommit({
      tree: this.addTree(this.head === undefined ? undefined : this.treeOf(this.head), files),
      parents: this.head === undefined ? [] : [this.head],
      message,
    });
    this.branches.set(this.branch, sha);
    return sha;
  }

  addTree(base: string | undefined, files: Files): string {
    const paths = { ...(base === undefined ? {} : this.trees.get(base)) };
    for (const [path, content] of Object.entries(files)) {
      const blob = idOf('blob', content);
      this.blobs.set(blob, content);
      paths[path] = blob;
    }
    const sorted = Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const tree = idOf('tree', JSON.stringify(sorted));
    this.trees.set(tree, sorted);
    return tree;
  }

  addCommit(commit: Commit): string {
    const sha = idOf('commit', JSON.stringify(commit));
    this.commits.set(sha, commit);
    return sha;
  }

  treeOf(commit: string): string {
    return this.commits.get(commit)?.tree ?? '';
  }

  files(commit = this.head ?? ''): Files {
    const paths = this.trees.get(this.treeOf(commit)) ?? {};
    return Object.fromEntries(
      Object.entries(paths).map(([path, blob]) => [path, this.blobs.get(blob) ?? '']),
    );
  }

  /** Subjects of the commits of the branch, newest first. */
  history(): string[] {
    const subjects: string[] = [];
    for (let at = this.head; at !== undefined;) {
      const commit: Commit | undefined = this.commits.get(at);
      if (!commit) break;
      subjects.push(commit.message.split('\n')[0] ?? '');
      [at] = commit.parents;
    }
    return subjects;
  }

  workflows(): { id: number; path: string; name: string; text: string }[] {
    return Object.entries(this.files())
      .filter(([path]) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path))
      .map(([path, text]) => {
        const id = this.workflowIds.get(path) ?? nextId();
        this.workflowIds.set(path, id);
        return { id, path, text, name: /^name: *(.+)$/m.exec(text)?.[1] ?? path };
      });
  }
}
