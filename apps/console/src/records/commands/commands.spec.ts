import { changesServer, commandTypes } from '@quarterdeck/events';
import { changing, looking } from './commands';

describe('the ten commands', () => {
  it('are each listed exactly once (covers: SRV-05)', () => {
    const types = [...looking, ...changing].map(({ cmdType }) => cmdType);
    expect(types.toSorted((a, b) => a - b)).toEqual(commandTypes.map(({ cmdType }) => cmdType));
  });

  it('carry a warning exactly when they change something', () => {
    for (const { cmdType, warning } of [...looking, ...changing])
      expect(Boolean(warning)).toBe(changesServer(cmdType));
  });
});
