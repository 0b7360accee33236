export { throwawayHostLacks } from './throwaway-lacks';

/**
 * The first test of a file that stands on throw-away servers: a machine that cannot have them fails it, with what it lacks.
 * Where that is known and cannot be helped, `THROWAWAY_SERVERS=off` says so, and those tests are left out.
 */
export const needs = (what: string, lacking: readonly string[]): void => {
  const accepted = process.env.THROWAWAY_SERVERS === 'off';
  test(accepted && lacking.length > 0 ? `${what}: not here, and that is known` : what, () => {
    expect(accepted ? [] : lacking).toEqual([]);
  });
};
