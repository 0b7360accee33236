export { AddFactor } from './AddFactor';
export { ProofHost, withProof } from './fresh-proof';
export { GiveFactor } from './GiveFactor';
export { RecoveryCodes } from './RecoveryCodes';
