// covers: SRV-16
import { unreachablePeriods, type HealthChange } from './health-history';

const at = (hour: number): string => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`;
const down = (hour: number, reason?: string): HealthChange => ({
  at: at(hour),
  data: { to: 'unreachable', ...(reason ? { reason } : {}) },
});
const up = (hour: number): HealthChange => ({ at: at(hour), data: { to: 'reachable' } });

describe('the periods in which a server was unreachable', () => {
  it('last from one event to the next, and are open without a next one', () => {
    expect(unreachablePeriods([up(1), down(3, 'refused'), up(5), down(7)], at(2))).toEqual([
      { from: at(3), to: at(5), reason: 'refused' },
      { from: at(7) },
    ]);
  });

  it('begin with the range if the server was unreachable before', () => {
    expect(unreachablePeriods([down(1), up(5)], at(2))).toEqual([{ from: at(2), to: at(5) }]);
    expect(unreachablePeriods([down(1)], at(2))).toEqual([{ from: at(2) }]);
  });

  it('are empty if the server was back before the range', () => {
    expect(unreachablePeriods([down(1), up(2)], at(2))).toEqual([]);
    expect(unreachablePeriods([], at(2))).toEqual([]);
  });
});
