export type { SecretName, Vault } from '../secrets';
export { fingerprintOf, orShred, PLAIN_RELEASE_VARIABLE, PostgresVault, replacingSecrets } from './vault';
export { KeyFile, keyFromEnvironment, masterKey, type MasterKeySource, newMasterKey } from './vault-key';
export { vaultTables } from './vault.tables';
