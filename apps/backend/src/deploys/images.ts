/** References to exact contents. Pure. */
import { isDigest, repositoryOf } from '@quarterdeck/events';

/** `digest`: the digest of an image, or the integrity of an npm package. */
export const byDigest = (image: string, digest: string): string =>
  isDigest(digest) ? `${repositoryOf(image)}@${digest}` : `${image.replace(/#[^]*$/, '')}#${digest}`;
