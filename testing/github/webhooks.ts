/** Webhooks of GitHub in their published form, cut down to what tells one from another. */
import { createHmac, randomUUID } from 'node:crypto';

export interface Announced {
  tag: string;
  branch?: string;
  /** When it was published. */
  at?: string;
  repository?: string;
  /** Of the image. */
  name?: string;
  /** With its name, without its tag. */
  image?: string;
  digest?: string;
  sender?: string;
}

export const digestOf = (what: string): string =>
  `sha256:${createHmac('sha256', 'digest').update(what).digest('hex')}`;

const about = (repository: string, sender: string) => ({
  repository: { id: 185_882_436, name: repository.split('/')[1], full_name: repository, private: true },
  sender: { login: sender, id: 21_031_067, type: 'User', site_admin: false },
});

/** Of a container, as `package` or `registry_package`. */
export const publishedContainer = (
  {
    tag,
    branch = 'main',
    at = '2026-11-30T10:00:00Z',
    repository = 'acme/orders',
    name = 'orders',
    image = `ghcr.io/acme/${name}`,
    digest = digestOf(tag),
    sender = 'octocat',
  }: Announced,
  event: 'package' | 'registry_package' = 'package',
) => ({
  action: 'published',
  [event]: {
    id: 10_696,
    name,
    namespace: repository,
    ecosystem: 'CONTAINER',
    package_type: 'CONTAINER',
    created_at: '2019-05-09T23:28:29Z',
    updated_at: at,
    owner: { login: repository.split('/')[0], type: 'Organization' },
    package_version: {
      id: 57_755_790,
      version: digest,
      name: digest,
      target_commitish: branch,
      created_at: at,
      updated_at: at,
      container_metadata: {
        tag: { name: tag, digest },
        labels: { source: `https://github.com/${repository}`, revision: '' },
        manifest: { digest, media_type: 'application/vnd.docker.distribution.manifest.v2+json', size: 1782 },
      },
      package_files: [],
      installation_command: `docker pull ${image}:${tag}`,
      package_url: `${image}:${tag}`,
    },
    registry: { name: 'GitHub CONTAINER registry', type: 'CONTAINER', vendor: 'GitHub Inc' },
  },
  ...about(repository, sender),
});

export const publishedRelease = ({
  tag,
  branch = 'main',
  at = '2026-11-30T10:00:00Z',
  repository = 'acme/orders',
  sender = 'octocat',
  preRelease = false,
  draft = false,
  action = 'published',
}: Announced & { preRelease?: boolean; draft?: boolean; action?: string }) => ({
  action,
  release: {
    id: 17_372_790,
    tag_name: tag,
    target_commitish: branch,
    name: null,
    draft,
    prerelease: preRelease,
    created_at: '2019-05-15T15:19:25Z',
    published_at: at,
    assets: [],
    body: null,
  },
  ...about(repository, sender),
});

export const ping = {
  zen: 'Anything added dilutes everything else.',
  hook_id: 109_948_940,
  hook: { type: 'Repository', id: 109_948_940, name: 'web', active: true, events: ['package', 'release'] },
};

export const hubSignature = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** The headers with which GitHub sends a body. */
export const hookHeaders = (
  event: string,
  body: string,
  secret: string,
  delivery: string = randomUUID(),
): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'GitHub-Hookshot/044aadd',
  'x-github-event': event,
  'x-github-delivery': delivery,
  'x-github-hook-id': '109948940',
  'x-hub-signature-256': hubSignature(body, secret),
});
