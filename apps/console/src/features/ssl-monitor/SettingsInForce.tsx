import { workspaces } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';
import { settingsInWords } from './monitor-words';

/** The settings in one line; empty until they have loaded. */
export const SettingsInForce = () => {
  const { data } = useAnswer(workspaces.detail);
  return data && settingsInWords(data.sslMonitor);
};
