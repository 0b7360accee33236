/** What went wrong with a call of a bucket, in one line: which call, what the server said, and what to do. Pure. */
import { DomainError } from '../../platform/errors';
import { failureWords } from '../../platform/outbound';
import { BucketFault } from './bucket-limits';

/** A call, as its reader knows it. */
export interface Called {
  /** Such as `s3:PutObject`, which is also the name of the right. */
  right: string;
  /** Undefined: the call is about the bucket itself. */
  key?: string | undefined;
}

export interface BucketPlace {
  host: string;
  bucket: string;
  region: string;
  prefix: string;
  isPlain: boolean;
  inPath: boolean;
}

interface Fault {
  name?: string;
  message?: string;
  code?: string;
  Code?: string;
  Region?: string;
  Endpoint?: string;
  errors?: readonly { code?: string }[];
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number; headers?: Record<string, string> };
}

const MAX_CHARS = 480;

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** What to do about a refusal, by its code. */
const advice = (
  code: string,
  status: number,
  { right, key }: Called,
  place: BucketPlace,
  fault: Fault,
): string | undefined => {
  const { bucket, prefix, region } = place;
  const right_ = key === undefined ? `${right} on ${bucket}` : `${right} on ${bucket}/${prefix}*`;
  switch (code) {
    case 'SignatureDoesNotMatch':
      return 'check the secret access key';
    case 'InvalidAccessKeyId':
      return 'check the access key ID';
    case 'InvalidToken':
    case 'ExpiredToken':
      return 'check the session token';
    case 'NoSuchBucket':
      return `make the bucket ${bucket}, or correct its name`;
    case 'RequestTimeTooSkewed':
      return 'set the clock of this machine';
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
    case 'AuthorizationQueryParametersError': {
      const other = fault.Region ?? fault.$response?.headers?.['x-amz-bucket-region'];
      if (other !== undefined && other !== region)
        return `the bucket is in the region ${other}, not in ${region}`;
      return fault.Endpoint === undefined
        ? `check the region ${region} and the endpoint`
        : `the endpoint of the bucket is ${fault.Endpoint}`;
    }
    case 'QuotaExceeded':
    case 'XMinioStorageFull':
    case 'EntityTooLarge':
      return 'make room, or keep fewer archives';
    case 'InvalidObjectState':
      return 'it has to be restored from its storage class first';
    default:
  }
  if (status === 507) return 'make room, or keep fewer archives';
  if (status === 403 || status === 401) return `allow ${right_}`;
  return undefined;
};

const networkWords = (code: string, message: string, place: BucketPlace): string => {
  const { host, bucket, isPlain, inPath } = place;
  if (/wrong version number|packet length too long/i.test(message))
    return `${host} does not speak TLS: the endpoint should begin with http://`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' && bucket.includes('.') && !inPath)
    return `${host} has no certificate for a bucket name with dots: choose "Bucket in the path"`;
  if (code === 'ENOTFOUND' && !inPath)
    return `${host} is not known: check the endpoint, or choose "Bucket in the path"`;
  const words = failureWords[code];
  if (code.startsWith('HPE_') && isPlain && words === undefined)
    return `${host} does not answer in HTTP: if it speaks TLS, the endpoint should begin with https://`;
  if (words === undefined) return `${host} could not be called: ${message}${code === '' ? '' : ` (${code})`}`;
  const isUnknown = /AUTHORITY|SELF_SIGNED|UNABLE_TO/.test(code);
  return `${host} ${words} (${code})${isUnknown ? ': name its certificate authority' : ''}`;
};

/**
 * @param error of Amazon's client, or of the connection
 * @returns a BucketFault, or the error itself if it says in one line why no call was made
 */
export const bucketFault = (error: unknown, called: Called, place: BucketPlace): Error => {
  if (error instanceof BucketFault || error instanceof DomainError) return error;
  const fault = error as Fault;
  const what = called.key === undefined ? called.right : `${called.right} of ${called.key}`;
  const status = fault.$metadata?.httpStatusCode ?? fault.$response?.statusCode;
  if (status === undefined) {
    const code = fault.code ?? fault.errors?.[0]?.code ?? '';
    const words = networkWords(code, plain(fault.message ?? ''), place);
    return new BucketFault(`${words} [${what}]`.slice(0, MAX_CHARS));
  }
  if (status < 300 || error instanceof SyntaxError)
    return new BucketFault(
      `${place.host} answered ${what} with ${status} and not as S3 does: check the endpoint`,
      { status, code: undefined },
    );
  const code =
    fault.Code ?? (fault.name === 'Error' || fault.name === 'UnknownError' ? undefined : fault.name);
  const said = [code, plain(fault.message ?? '')].filter(
    (one) => one !== undefined && one !== '' && one !== 'UnknownError',
  );
  const todo = advice(code ?? '', status, called, place, fault);
  const text = `${place.host} refused ${what} with ${status}${said.length > 0 ? `: ${[...new Set(said)].join(', ')}` : ''}`;
  return new BucketFault(`${text.slice(0, MAX_CHARS - 120)}${todo === undefined ? '' : `; ${todo}`}`, {
    status,
    code,
  });
};
