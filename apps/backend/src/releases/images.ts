/** Names of container images. Pure. */

/** `registry/path:tag@digest`, as docker accepts it. A match never looks like a command-line option. */
const IMAGE =
  /^[a-z0-9]([\w.-]*)(:\d{1,5})?(\/[a-z0-9][\w.-]*)*(:[\w][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/i;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

export const isImage = (image: string): boolean => IMAGE.test(image);
export const isDigest = (digest: string): boolean => DIGEST.test(digest);

/** Without tag and digest. */
export const repositoryOf = (image: string): string => image.replace(/@[^]*$/, '').replace(/:[^/:]*$/, '');

/** Reference to exact contents. `digest`: the digest of an image, or the integrity of an npm package. */
export const byDigest = (image: string, digest: string): string =>
  isDigest(digest) ? `${repositoryOf(image)}@${digest}` : `${image.replace(/#[^]*$/, '')}#${digest}`;

/** The host, with its port. */
export const registryOf = (image: string): string => {
  const [first = '', ...rest] = image.split('/');
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : 'docker.io';
};
