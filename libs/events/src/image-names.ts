/**
 * References to container images, by the grammar of Docker: `[registry[:port]/]path[:tag][@digest]`. The field of a
 * package, the deploy and the logins of registries all read them here. Pure.
 */
import { hasInvisible } from './invisible';

/** What Docker Hub is called. Docker leaves it out of the names of its images. */
const DOCKER_HUB = 'docker.io';
const HUB_NAMES = /^(index\.|registry-1\.|registry\.hub\.|hub\.)?docker\.(io|com)$/;

const LABEL = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = new RegExp(String.raw`^(?:${LABEL}(?:\.${LABEL})*|\[[a-fA-F0-9:]+\])(?::(\d+))?$`);
const PART = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^[A-Za-z0-9_][\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const MAX_NAME = 255;
const MAX_PORT = 65_535;

const EXAMPLE = 'ghcr.io/acme/shop:1.4.2';

/** Absent parts are undefined: `shop:` has the empty tag, `shop` has none. */
interface ImageParts {
  host?: string | undefined;
  path: string;
  tag?: string | undefined;
  digest?: string | undefined;
}

const partsOf = (image: string): ImageParts => {
  const [, name = '', digest] = /^([^@]*)(?:@([^]*))?$/.exec(image) ?? [];
  const [, whole = '', tag] = /^([^]*?)(?::([^:/]*))?$/.exec(name) ?? [];
  const at = whole.indexOf('/');
  const first = at === -1 ? '' : whole.slice(0, at);
  const hasHost = /[.:[]/.test(first) || first === 'localhost';
  return { host: hasHost ? first : undefined, path: hasHost ? whole.slice(at + 1) : whole, tag, digest };
};

export const isDigest = (digest: string): boolean => DIGEST.test(digest);

/** Why a registry is refused; undefined if it is not. */
export const refusedRegistry = (host: string): string | undefined => {
  const [found, port] = HOST.exec(host) ?? [];
  if (found === undefined || found.length > MAX_NAME)
    return 'a host is expected, as in the names of its images: registry.example.com:5000';
  return port !== undefined && (Number(port) < 1 || Number(port) > MAX_PORT)
    ? `${port} is no port: 1 to ${MAX_PORT} are`
    : undefined;
};

const refusedPath = (path: string): string | undefined => {
  if (path === '') return `the name of an image is expected, such as ${EXAMPLE}`;
  if (/[A-Z]/.test(path)) return `an image name has lower-case letters only: ${path.toLowerCase()}`;
  const parts = path.split('/');
  if (parts.includes(''))
    return `an image name has one / between its parts, and none at its ends: ${EXAMPLE}`;
  const wrong = parts.find((part) => !PART.test(part));
  if (wrong !== undefined)
    return `${wrong} cannot be in the name of an image: lower-case letters and digits are expected, with one ".", "_", "__" or dashes between them`;
  return /^[0-9a-f]{64}$/.test(path)
    ? `this is the id of an image: its name is expected, such as ${EXAMPLE}`
    : undefined;
};

/** Docker Hub keeps images without a person or organization under `library`. */
const fullPath = (image: string): string => {
  const { path } = partsOf(image);
  return registryOf(image) === DOCKER_HUB && !path.includes('/') ? `library/${path}` : path;
};

/** Why a reference to an image is refused; undefined if docker accepts it. */
export const refusedImage = (image: string): string | undefined => {
  if (hasInvisible(image)) return `the image alone is expected, without spaces or options: ${EXAMPLE}`;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(image))
    return `the image alone is expected, without ${image.slice(0, image.indexOf('//') + 2)}: ${EXAMPLE}`;
  const { host, path, tag, digest } = partsOf(image);
  if (digest !== undefined && !isDigest(digest))
    return 'after the @ a digest is expected: sha256: and 64 hexadecimal digits in lower case';
  if (tag !== undefined && !TAG.test(tag))
    return 'after the last colon a tag is expected: at most 128 letters, digits, "_", "." and "-", not beginning with "." or "-"';
  const refused = (host === undefined ? undefined : refusedRegistry(host)) ?? refusedPath(path);
  if (refused !== undefined) return refused;
  return fullPath(image).length > MAX_NAME
    ? `an image name has at most ${MAX_NAME} characters after its registry`
    : undefined;
};

export const isImage = (image: string): boolean => refusedImage(image) === undefined;

/** One name for each registry: Docker Hub has several, and case never matters. */
export const registryNamed = (host: string): string => {
  const name = host.trim().toLowerCase();
  return HUB_NAMES.test(name) ? DOCKER_HUB : name;
};

/** The registry of an image, with its port. */
export const registryOf = (image: string): string => registryNamed(partsOf(image).host ?? DOCKER_HUB);

/** One name for each image: docker accepts several for those of Docker Hub. */
export const imageNamed = (image: string): string => {
  if (!isImage(image)) return image;
  const { tag, digest } = partsOf(image);
  const end = `${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
  return `${registryOf(image)}/${fullPath(image)}${end}`;
};

/** Without tag and digest. */
export const repositoryOf = (image: string): string => image.replace(/@[^]*$/, '').replace(/:[^/:]*$/, '');
