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
  /** The body is a text if the client did not understand it. */
  $response?: { statusCode?: number; headers?: Record<string, string>; body?: unknown };
}

const MAX_CHARS = 480;
const PAGE_CHARS = 4_000;
const PAGE_WORDS_CHARS = 120;
/** Names of errors in which the client found no code of S3. */
const NO_CODE = new Set(['Error', 'Unknown', 'UnknownError', 'SyntaxError']);

const FULL = 'make room, or keep fewer archives';

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** What a page says that is no answer of S3, for example of a proxy: its title, or else its text. */
const pageWords = (body: unknown): string => {
  if (typeof body !== 'string') return '';
  const page = body.slice(0, PAGE_CHARS);
  const title = /<title>([^<]*)</i.exec(page)?.[1] ?? '';
  const text = page.replaceAll(/<(style|script)\b.*?<\/\1>/gis, ' ').replaceAll(/<[^>]*>/g, ' ');
  return (plain(title) || plain(text)).slice(0, PAGE_WORDS_CHARS);
};

/** What to do about an answer that S3 does not give. */
const adviceOfPage = (status: number, rights: string, { $response: answer }: Fault): string | undefined => {
  // What follows may be a secret.
  const elsewhere = answer?.headers?.location?.replace(/[?#].*/s, '');
  if (status < 400)
    return elsewhere === undefined
      ? 'check the endpoint'
      : `it sends the call to ${plain(elsewhere).slice(0, PAGE_WORDS_CHARS)}: check the endpoint`;
  if (status === 401 || status === 403)
    return `allow ${rights}, or check the endpoint: this is no answer of S3`;
  if (status === 413)
    return 'a proxy in front of it has to let bodies of 16 MB pass (in nginx: client_max_body_size)';
  if (status === 429 || status >= 500) return undefined;
  return 'check the endpoint: this is no answer of S3';
};

/** What to do about a refusal, by its code. */
const advice = (
  code: string | undefined,
  status: number,
  { right, key }: Called,
  place: BucketPlace,
  fault: Fault,
): string | undefined => {
  const { bucket, prefix, region } = place;
  const rights = key === undefined ? `${right} on ${bucket}` : `${right} on ${bucket}/${prefix}*`;
  switch (code) {
    case undefined:
      return status === 507 ? FULL : adviceOfPage(status, rights, fault);
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
      return FULL;
    case 'InvalidObjectState':
      return 'it has to be restored from its storage class first';
    default:
  }
  if (status === 507) return FULL;
  // It speaks of neither the bucket nor an object.
  if (status === 405 || (status === 404 && key === undefined)) return 'check the endpoint, and its path';
  if (key !== undefined && status === 403 && /object.?lock|retention|\bWORM\b/i.test(fault.message ?? ''))
    return 'it can be removed once its time of retention is over';
  if (status === 403 || status === 401) return `allow ${rights}`;
  return undefined;
};

const networkWords = (code: string, message: string, place: BucketPlace): string => {
  const { host, bucket, isPlain, inPath } = place;
  if (/wrong version number|packet length too long/i.test(message))
    return `${host} does not speak TLS: the endpoint should begin with http://`;
  // Names with dots are in the path anyway: the client puts them there.
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' && !inPath)
    return `${host} has no certificate for ${bucket}.${host}: choose "Bucket in the path", or check the endpoint`;
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
 * @returns a BucketFault, or the error itself if it says in one line why no call was allowed
 */
export const bucketFault = (error: unknown, called: Called, place: BucketPlace): Error => {
  if (error instanceof DomainError) return error;
  const fault = error as Fault;
  const what = called.key === undefined ? called.right : `${called.right} of ${called.key}`;
  // The server did not answer in time, or too much.
  if (error instanceof BucketFault) return new BucketFault(`${error.message} [${what}]`, error.answered);
  const status = fault.$metadata?.httpStatusCode ?? fault.$response?.statusCode;
  if (status === undefined) {
    const code = fault.code ?? fault.errors?.[0]?.code ?? '';
    const words = networkWords(code, plain(fault.message ?? ''), place);
    return new BucketFault(`${words} [${what}]`.slice(0, MAX_CHARS));
  }
  if (status < 300)
    return new BucketFault(
      `${place.host} answered ${what} with ${status} and not as S3 does: check the endpoint`,
      { status, code: undefined },
    );
  const code = fault.Code ?? (NO_CODE.has(fault.name ?? 'Error') ? undefined : fault.name);
  const words =
    code === undefined ? pageWords(fault.$response?.body) : plain(fault.message ?? '').replace(/\.$/, '');
  if (place.isPlain && status === 400 && code === undefined && /\b(HTTPS|SSL|TLS)\b/.test(words))
    return new BucketFault(
      `${place.host} speaks TLS: the endpoint should begin with https:// [${what}, answered with ${status}: ${words}]`,
      { status, code },
    );
  const said = [...new Set([code, words])].filter((one) => one !== undefined && one !== '').join(', ');
  const todo = advice(code, status, called, place, fault);
  const text = `${place.host} refused ${what} with ${status}${said === '' ? '' : `: ${said}`}`;
  return new BucketFault(`${text.slice(0, MAX_CHARS - 120)}${todo === undefined ? '' : `; ${todo}`}`, {
    status,
    code,
  });
};
