/** The log with the events of the catalogue. Node only. */
import { openLog, type AuthenticStore, type Codec, type LogConfig } from '@quarterdeck/log/store';
import { codec as catalogueCodec } from './codec';

export interface EventStoreConfig extends LogConfig {
  /** Default: the catalogue's. */
  codec?: Codec;
}

/** @throws UnusableLogAddress, WrongLogKey, LogWithoutPrefix */
export const openEventStore = ({
  codec = catalogueCodec,
  ...config
}: EventStoreConfig): Promise<AuthenticStore> => openLog(codec, config);
