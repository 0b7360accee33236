/** An organization at the stand-in of GitHub, with templates, and an operator whose token may change it. */
import { openWorld, type World } from '../backend/world';
import { startGitHub, type GitHubPeer } from '../../testing/github';
import { PATIENCE_MS } from '../../testing/patience';
import type { Operator } from '../../testing/operator';
import { Repositories, SourceHost } from '../../apps/backend/src/repositories';

export const TOKEN = 'ghp_the-token-of-ada-that-nobody-may-see';
export const SCOPES = ['repo', 'workflow', 'delete_repo', 'read:packages'];

export const serverFiles = {
  'package.json': '{\n  "name": "server-template",\n  "version": "0.0.0"\n}\n',
  'README.md': '# Template\n\nHow to start.\n',
  '.github/workflows/ci.yml': 'name: CI\non: [push, workflow_dispatch]\n',
};
const clientFiles = {
  'package.json': '{\n\t"name": "@acme/client-template",\n\t"version": "0.0.0"\n}\n',
  '.github/workflows/pages.yml': 'name: Pages\non: [push]\n',
};

export interface Ground {
  github: GitHubPeer;
  world: World;
  ada: Operator;
  /** Patience of the console with the stand-in. */
  patience: { callMs: number };
  end(): Promise<void>;
}

/** The stand-in with an organization, its templates, and a token that may change them. */
export const startOrganization = async (): Promise<GitHubPeer> => {
  const github = await startGitHub();
  github.tokens.set(TOKEN, { login: 'ada', scopes: SCOPES });
  github.organizations.set('acme', { members: ['ada'] });
  github.add('acme', 'server-template', serverFiles, { template: true, branch: 'master' });
  github.add('acme', 'client-template', clientFiles, { template: true });
  return github;
};

/** Stores the token, and chooses the templates for the workspace. */
export const chooseOrganization = async (ada: Operator): Promise<void> => {
  await ada.post('profile/gh-token/update', { value: TOKEN });
  await ada.post('workspace/source-host', {
    organization: 'acme',
    isPrivate: true,
    serverTemplate: 'acme/server-template',
    clientTemplate: 'acme/client-template',
  });
};

/** @param env of the back end, besides the address of the stand-in */
export const openGround = async (env: Record<string, string> = {}): Promise<Ground> => {
  const github = await startOrganization();
  const world = await openWorld({ env: { GITHUB_API_URL: github.url, ...env } });
  const { app } = world.backend;
  app.get(Repositories, { strict: false }).patience.pauseMs = 5;
  const { patience } = app.get(SourceHost, { strict: false });
  patience.callMs = PATIENCE_MS;
  const ada = await world.backend.signIn({ email: 'ada@example.org' });
  await chooseOrganization(ada);
  const end = async (): Promise<void> => {
    github.go();
    await world.end();
    await github.stop();
  };
  return { github, world, ada, patience, end };
};
