/**
 * How much work it takes to check the passphrase of an encrypted PKCS#8 key (RFC 5958, 8018, 7914). The key itself says
 * it, and OpenSSL obeys whatever it says. Pure.
 */

/** Iterations of PBKDF2. A million take four seconds at worst; OpenSSL makes keys with 2,048, careful programs 600,000. */
export const MAX_KDF_WORK = 1_000_000;

const PBKDF2 = '2a864886f70d01050c';
const SCRYPT = '2b06010401da47040b';
const OF_PBES1 = ['2a864886f70d0105', '2a864886f70d010c01'];
/** A block of scrypt (N = r = p = 1) takes about as long as this many iterations. */
const BLOCK_OF_SCRYPT = 0.5;
/** Half of what OpenSSL allows. */
const MAX_SCRYPT_BLOCKS = 2 ** 17;

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const OBJECT = 0x06;

interface Element {
  tag: number;
  content: Buffer;
  /** Bytes after the element. */
  rest: Buffer;
}

/** The first element of DER-encoded bytes; undefined if they are none. */
const elementOf = (bytes: Buffer): Element | undefined => {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return undefined;
  const sizeBytes = first < 0x80 ? 0 : first & 0x7f;
  if (sizeBytes > 4 || (first >= 0x80 && sizeBytes === 0) || bytes.length < 2 + sizeBytes) return undefined;
  const size = sizeBytes === 0 ? first : bytes.readUIntBE(2, sizeBytes);
  const from = 2 + sizeBytes;
  if (bytes.length < from + size) return undefined;
  return { tag, content: bytes.subarray(from, from + size), rest: bytes.subarray(from + size) };
};

const partsOf = (bytes: Buffer): Element[] => {
  const parts: Element[] = [];
  for (let next = elementOf(bytes); next; next = elementOf(next.rest)) parts.push(next);
  return parts;
};

const within = (element: Element | undefined): Element[] =>
  element?.tag === SEQUENCE ? partsOf(element.content) : [];

/** Infinity for a number of more than six bytes. */
const numberOf = ({ content }: Element): number =>
  content.length === 0 || content.length > 6 ? Infinity : content.readUIntBE(0, content.length);

const oidOf = (element: Element | undefined): string =>
  element?.tag === OBJECT ? element.content.toString('hex') : '';

/** @returns iterations of PBKDF2, or as much work; undefined if the key is damaged or of an unknown kind */
export const kdfWork = (key: Buffer): number | undefined => {
  const [algorithm] = within(elementOf(key));
  const [kind, parameters] = within(algorithm);
  const [kdf] = within(parameters);
  // PBES2 names its KDF; in PBES1 the parameters are the salt and the iterations.
  if (kdf?.tag !== SEQUENCE)
    return OF_PBES1.some((family) => oidOf(kind).startsWith(family))
      ? numbersIn(within(parameters))[0]
      : undefined;
  const [name, its] = within(kdf);
  const numbers = numbersIn(within(its));
  if (oidOf(name) === PBKDF2) return numbers[0];
  if (oidOf(name) !== SCRYPT) return undefined;
  const [n = Infinity, r = Infinity, p = Infinity] = numbers;
  return n * r > MAX_SCRYPT_BLOCKS * 8 ? Infinity : n * r * p * BLOCK_OF_SCRYPT;
};

const numbersIn = (elements: readonly Element[]): number[] =>
  elements.filter(({ tag }) => tag === INTEGER).map(numberOf);
