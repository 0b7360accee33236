/** `rotate-key`: replaces the master key of the vault. */
import type { Command } from './command-line';
import { UsageError } from './command-line';
import { openLog } from '../boot';
import { KeyFile, masterKey, newMasterKey } from '../vault';

const newKeyFrom = ({ NEW_MASTER_KEY: text }: NodeJS.ProcessEnv): string => {
  if (!text) throw new UsageError('MASTER_KEY is set, so the new key is expected in NEW_MASTER_KEY');
  try {
    masterKey(text);
  } catch {
    throw new UsageError('NEW_MASTER_KEY is not 32 bytes as 64 hexadecimal digits or as base64');
  }
  return text;
};

export const rotateKeyCommand: Command = {
  usage: ['rotate-key    (with MASTER_KEY in the environment: the new one in NEW_MASTER_KEY)'],
  run: async (args, { config, logger, tables, env, print }) => {
    if (args.length > 0) throw new UsageError('rotate-key takes no arguments');
    const file = config.MASTER_KEY ? undefined : new KeyFile(config.DATA_DIR);
    const text = file ? newMasterKey() : newKeyFrom(env);
    const { vault, store, close } = await openLog({ config, logger, tables });
    try {
      const next = file ? file.prepare(text) : masterKey(text);
      // Before the vault: until the vault is rotated too, the log opens with either key.
      await store.rewrapKeys(next.key);
      const count = await vault.rotate(next);
      file?.following(next.id);
      print(`rotated to master key ${next.id}; secrets wrapped again: ${count}`);
      if (!file) print('restart with MASTER_KEY set to the new key');
      return 0;
    } finally {
      await close();
    }
  },
};
