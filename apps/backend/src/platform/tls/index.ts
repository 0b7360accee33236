export { certificatesProblem } from './authorities';
export {
  type CertificateFacts,
  CertificateUnreadable,
  issuedCertificate,
  type IssuedCertificate,
} from './certificate-facts';
export { identityProblem } from './identity.program';
export { checkTls, expiryAnswer, type ExpiryAnswer, type TlsCheck, type TlsReached } from './tls-check';
export { trusting } from './trusting.program';
