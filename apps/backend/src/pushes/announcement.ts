/** What a webhook of the source host announces. Everything in it is untrusted, also when it is signed. Pure. */
import { isPreRelease, type PushedVersion } from '@quarterdeck/events';

interface Told {
  /** `package published` */
  event: string;
  /** Why nothing can be deployed because of it. */
  says: string;
}

export interface AnnouncedVersion {
  event: string;
  version: PushedVersion;
  /** `acme/shop`. Empty: the source host names none. */
  repository: string;
  /** The organization and the name of the package. Empty for a release. */
  owner: string;
  name: string;
  /** The image, or the npm package with its version. Empty for a release. */
  image: string;
  /** Empty: unknown. */
  digest: string;
  /** The account that caused it. */
  by: string;
  publishedAt?: string;
}

export type Announcement = ({ is: 'ping' | 'ignored' } & Told) | ({ is: 'version' } & AnnouncedVersion);

const MAX_TEXT = 200;
const TAG = /^[\w.][\w.+/@-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Source hosts write the year 1 for a time that they do not know. */
const FIRST_YEAR = 2000;
/** A clock may go ahead of ours by so much. Later times would hold up all versions that follow. */
const MAX_AHEAD_MS = 5 * 60_000;

const within = (value: unknown, path: string): unknown => {
  let at = value;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
};

/** The first of the texts that is there and not empty, in one line. */
const textIn = (value: unknown, ...paths: string[]): string => {
  for (const path of paths) {
    const found = within(value, path);
    if (typeof found !== 'string') continue;
    const text = found.replaceAll(/\p{C}/gu, '').trim().slice(0, MAX_TEXT);
    if (text !== '') return text;
  }
  return '';
};

const timeIn = (value: unknown, now: Date, ...paths: string[]): string | undefined => {
  for (const path of paths) {
    const time = new Date(textIn(value, path));
    const ms = time.getTime();
    if (Number.isNaN(ms) || time.getUTCFullYear() < FIRST_YEAR) continue;
    if (ms <= now.getTime() + MAX_AHEAD_MS) return time.toISOString();
  }
  return undefined;
};

const branchOf = (name: string): string => name.replace(/^refs\/heads\//, '');

/** `ghcr.io/Acme/shop:v1` as an image is written, without its tag. */
const imageOf = (pack: unknown, owner: string, name: string): string => {
  const address = textIn(pack, 'package_version.package_url');
  const named = address.replace(/:[^/:]*$/, '');
  return (named === '' ? `ghcr.io/${owner}/${name}` : named).toLowerCase();
};

const isContainer = (pack: unknown): boolean =>
  within(pack, 'package_version.container_metadata') !== undefined ||
  textIn(pack, 'registry.type', 'package_type').toLowerCase() === 'container';

const packaged = (event: string, pack: unknown, body: unknown, now: Date): Announcement => {
  const ignored = (says: string): Announcement => ({ is: 'ignored', event, says });
  const container = isContainer(pack);
  const type = textIn(pack, 'package_type').toLowerCase();
  if (!container && type !== 'npm')
    return ignored(
      `a package of the type ${type || 'unknown'} is not deployed: only containers and npm packages are`,
    );
  const named = (path: string): string => textIn(pack, `package_version.${path}`);
  const tag = container ? named('container_metadata.tag.name') : named('version');
  if (tag === '') return ignored('this package has no tag: most likely it is a part of another one');
  if (!TAG.test(tag)) return ignored('its tag has characters that no tag has');
  const owner = textIn(pack, 'owner.login', 'namespace').split('/')[0] ?? '';
  const name = textIn(pack, 'name');
  const scoped = name.startsWith('@') ? name : `@${owner.toLowerCase()}/${name}`;
  const digests = ['container_metadata.tag.digest', 'container_metadata.manifest.digest', 'version'].map(
    named,
  );
  return {
    is: 'version',
    event,
    version: {
      starts: 'package',
      tag,
      branch: branchOf(named('target_commitish')),
      preRelease: isPreRelease(tag) || within(pack, 'package_version.prerelease') === true,
    },
    repository: textIn(body, 'repository.full_name') || textIn(pack, 'repository.full_name'),
    owner,
    name,
    image: container ? `${imageOf(pack, owner, name)}:${tag}` : `${scoped}@${tag}`,
    digest: container ? (digests.find((digest) => DIGEST.test(digest)) ?? '') : '',
    by: textIn(body, 'sender.login') || 'somebody',
    ...publishedIn(
      timeIn(
        pack,
        now,
        'package_version.updated_at',
        'package_version.created_at',
        'updated_at',
        'created_at',
      ),
    ),
  };
};

const publishedIn = (publishedAt: string | undefined) => (publishedAt === undefined ? {} : { publishedAt });

const released = (event: string, body: unknown, now: Date): Announcement => {
  const ignored = (says: string): Announcement => ({ is: 'ignored', event, says });
  const tag = textIn(body, 'release.tag_name');
  if (!TAG.test(tag)) return ignored('this release has no tag');
  if (within(body, 'release.draft') === true) return ignored('a draft is not deployed');
  return {
    is: 'version',
    event,
    version: {
      starts: 'release',
      tag,
      branch: branchOf(textIn(body, 'release.target_commitish')),
      preRelease: isPreRelease(tag) || within(body, 'release.prerelease') === true,
    },
    repository: textIn(body, 'repository.full_name'),
    owner: '',
    name: '',
    image: '',
    digest: '',
    by: textIn(body, 'sender.login') || 'somebody',
    ...publishedIn(timeIn(body, now, 'release.published_at', 'release.created_at')),
  };
};

/** @param event `X-GitHub-Event` */
export const announcedBy = (event: string, body: unknown, now: Date): Announcement => {
  const action = textIn(body, 'action');
  const what = [event, action].filter(Boolean).join(' ').slice(0, MAX_TEXT);
  const ignored = (says: string): Announcement => ({ is: 'ignored', event: what, says });
  if (event === 'ping') return { is: 'ping', event: what, says: 'The source host reaches this address.' };
  if (event === 'release')
    return action === 'published' || action === 'released'
      ? released(what, body, now)
      : ignored('only a published release is deployed');
  if (event !== 'package' && event !== 'registry_package')
    return ignored('only packages and releases are deployed: choose these events at the source host');
  if (action !== 'published' && action !== 'updated') return ignored('only a published package is deployed');
  const pack = within(body, event);
  return pack === undefined ? ignored('it names no package') : packaged(what, pack, body, now);
};
