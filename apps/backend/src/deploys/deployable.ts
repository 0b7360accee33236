/** Determines the image or npm package that a service is deployed from. Pure. */
import {
  refusedDigest,
  refusedPackage,
  type EventData,
  type service,
  type servicePackage,
  type ValuesOf,
} from '@quarterdeck/events';
import { DomainError, invalidField } from '../platform/errors';
import { byDigest } from './images';

type Deployed = Pick<EventData<'ReleaseRequested'>, 'client'> & { image: string };

const FOLDER = /^(?!\.)[\w.@-]+(\/(?!\.)[\w.@-]+)*$/;

/** @throws DomainError that names the invalid field of the package or of the service */
export const deployable = (
  { image, digest }: ValuesOf<typeof servicePackage>,
  { packageType, packageSubfolder: folder }: ValuesOf<typeof service>,
): Deployed => {
  const isClient = packageType === 'npm';
  const refused = (reason: string) => invalidField('packageId', `the package has no valid ${reason}`);
  const unlike = refusedPackage(image, packageType);
  if (unlike !== undefined) throw refused(`${isClient ? 'npm package' : 'image'} (${image}): ${unlike}`);
  const wrong = refusedDigest(digest, packageType);
  if (wrong !== undefined) throw refused(`digest: ${wrong}`);
  if (isClient && folder !== '' && !FOLDER.test(folder))
    throw new DomainError(
      'unprocessable',
      `the service has ${folder} as the path of its package: a folder inside the package is expected, such as dist`,
    );
  return {
    image: digest === '' ? image : byDigest(image, digest),
    ...(isClient && { client: { folder } }),
  };
};
