import { LEASE_MS, LeaseSightings } from './lease-sightings';

describe('a lease of another process', () => {
  let now = 0;
  const sightings = (): LeaseSightings => {
    now = 0;
    return new LeaseSightings(() => now);
  };
  const lease = { name: 'run-1', mark: '7', dead: false };

  it('expires once it was seen unchanged for long enough, counted from the end of the first look', () => {
    const seen = sightings();
    now = 300;
    expect(seen.isOver(lease, 0)).toBe(false);
    now = LEASE_MS + 300;
    expect(seen.isOver(lease, LEASE_MS + 299)).toBe(false);
    expect(seen.isOver(lease, LEASE_MS + 300)).toBe(true);
  });

  it('is held for as long again after each renewal', () => {
    const seen = sightings();
    seen.isOver(lease, 0);
    now = LEASE_MS - 1;
    expect(seen.isOver({ ...lease, mark: '8' }, now)).toBe(false);
    now = 2 * LEASE_MS - 2;
    expect(seen.isOver({ ...lease, mark: '8' }, now)).toBe(false);
  });

  it('expires early if its connection stays gone, but not at the first look', () => {
    const seen = sightings();
    expect(seen.isOver({ ...lease, dead: true }, now)).toBe(false);
    now = 500;
    expect(seen.isOver({ ...lease, dead: true }, now)).toBe(false);
    now = 1000;
    expect(seen.isOver(lease, now)).toBe(false);
    now = 1100;
    expect(seen.isOver({ ...lease, dead: true }, now)).toBe(false);
    now = 2000;
    expect(seen.isOver({ ...lease, dead: true }, now)).toBe(true);
  });

  it('is watched from the beginning after a fault of the database', () => {
    const seen = sightings();
    seen.isOver(lease, 0);
    seen.forget();
    now = LEASE_MS;
    expect(seen.isOver(lease, now)).toBe(false);
  });
});
