export { throwawayHostLacks } from './throwaway-lacks';

/**
 * The first test of a file that needs throw-away servers. It fails on machines that cannot run them, and lists what
 * they lack. `THROWAWAY_SERVERS=off` accepts that, and skips those tests.
 */
export const needs = (what: string, lacking: readonly string[]): void => {
  const accepted = process.env.THROWAWAY_SERVERS === 'off';
  test(accepted && lacking.length > 0 ? `${what}: accepted as missing here` : what, () => {
    expect(accepted ? [] : lacking).toEqual([]);
  });
};
