/** A certificate authority for tests: a root, an intermediate, and leaves that take a millisecond or two each. */
import 'reflect-metadata';
import { webcrypto, type X509Certificate as NodeCertificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';

// `never`: the DOM and Node types declare the same `webcrypto` differently.
x509.cryptoProvider.set(webcrypto as never);

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const DAY_MS = 86_400_000;

export interface Leaf {
  /** PEM of the chain that a server sends. */
  cert: string;
  key: string;
  serial: NodeCertificate['serialNumber'];
}

export interface LeafWish {
  names: string[];
  commonName?: string;
  notBefore: Date;
  notAfter: Date;
  keyType?: 'ecdsa' | 'rsa';
  /** Makes the certificate self-signed. */
  selfSigned?: boolean;
  /** For a client, instead of a server. */
  isClient?: boolean;
  /** Leaves out the intermediate. */
  alone?: boolean;
}

export interface TestAuthority {
  /** PEM of the root. */
  root: string;
  leaf(wish: LeafWish): Promise<Leaf>;
}

const pemOfKey = async ({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');

const serialNumber = (): string => {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  // Neither negative nor with a leading zero, because tools print such serial numbers differently.
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f);
  return Buffer.from(bytes).toString('hex');
};

const keyPair = (type: 'ecdsa' | 'rsa'): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(type === 'rsa' ? rsa : ecdsa, true, [
    'sign',
    'verify',
  ]) as Promise<webcrypto.CryptoKeyPair>;

const { digitalSignature, keyCertSign, cRLSign } = x509.KeyUsageFlags;

export const testAuthority = async (name = 'Quarterdeck Test'): Promise<TestAuthority> => {
  const [rootKeys, middleKeys] = [await keyPair('ecdsa'), await keyPair('ecdsa')];
  // All leaves of a key type share one pair, because making keys takes longer than everything else.
  const leafKeys = new Map<string, Promise<{ pair: webcrypto.CryptoKeyPair; key: string }>>();
  const keysFor = (type: 'ecdsa' | 'rsa') => {
    const keys =
      leafKeys.get(type) ?? keyPair(type).then(async (pair) => ({ pair, key: await pemOfKey(pair) }));
    leafKeys.set(type, keys);
    return keys;
  };
  const lasting = {
    notBefore: new Date(Date.now() - 3650 * DAY_MS),
    notAfter: new Date(Date.now() + 3650 * DAY_MS),
  };
  const authority = [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(keyCertSign | cRLSign, true),
  ];
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=${name} Root,O=${name}`,
    keys: rootKeys,
    signingAlgorithm: ecdsa,
    ...lasting,
    extensions: [...authority, await x509.SubjectKeyIdentifierExtension.create(rootKeys.publicKey)],
  });
  const middle = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${name} E1,O=${name}`,
    issuer: root.subject,
    publicKey: middleKeys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: ecdsa,
    ...lasting,
    extensions: [
      ...authority,
      await x509.SubjectKeyIdentifierExtension.create(middleKeys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(rootKeys.publicKey),
    ],
  });

  const leaf = async (wish: LeafWish): Promise<Leaf> => {
    const { names, commonName = names[0] ?? '', notBefore, notAfter, keyType = 'ecdsa' } = wish;
    const { pair, key } = await keysFor(keyType);
    const subject = `CN=${commonName}`;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject,
      issuer: wish.selfSigned ? subject : middle.subject,
      notBefore,
      notAfter,
      publicKey: pair.publicKey,
      signingKey: (wish.selfSigned ? pair : middleKeys).privateKey,
      signingAlgorithm: wish.selfSigned && keyType === 'rsa' ? rsa : ecdsa,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([
          wish.isClient ? x509.ExtendedKeyUsage.clientAuth : x509.ExtendedKeyUsage.serverAuth,
        ]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({
            type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const),
            value,
          })),
        ),
        ...(wish.selfSigned ? [] : [await x509.AuthorityKeyIdentifierExtension.create(middleKeys.publicKey)]),
      ],
    });
    const chain = wish.selfSigned || wish.alone ? [certificate] : [certificate, middle];
    return {
      cert: chain.map((one) => one.toString('pem')).join('\n'),
      key,
      serial: certificate.serialNumber.toUpperCase(),
    };
  };
  return { root: root.toString('pem'), leaf };
};
