export {
  fingerprintOf,
  orShred,
  PLAIN_RELEASE_VARIABLE,
  PostgresVault,
  type SecretName,
  type Vault,
} from './vault';
export {
  isMasterKey,
  KeyFile,
  keyFromEnvironment,
  masterKey,
  type MasterKeySource,
  newMasterKey,
} from './vault-key';
export { vaultTables } from './vault.tables';
