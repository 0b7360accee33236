// covers: SRV-16
import type { LiveMessage } from '../platform/live/live-messages';
import { MAX_LIVE_BYTES } from '../platform/live/live-messages';
import type { KeptSample } from './health-samples';
import { newsOf, SampleBatches } from './sample-batches';

const sample = (server: number, more: Partial<KeptSample> = {}): KeptSample => ({
  workspace: 'harbour',
  server: `server-${server}`,
  at: '2026-11-20T12:00:00.000Z',
  ok: true,
  tookMs: 12,
  ...more,
});
const many = (count: number, more?: Partial<KeptSample>): KeptSample[] =>
  Array.from({ length: count }, (_, index) => sample(index, more));
const samplesIn = (messages: readonly LiveMessage[]): number =>
  messages.reduce((sum, { body }) => sum + (body as { samples: unknown[] }).samples.length, 0);

describe('messages about samples', () => {
  it("go only to the workspace's administrators, without the workspace name in each", () => {
    const news = newsOf([sample(1), sample(2, { workspace: 'shipyard' }), sample(3)]);
    expect(news.map(({ workspace, audience, name }) => [workspace, audience, name])).toEqual([
      ['harbour', 'admin', 'health'],
      ['shipyard', 'admin', 'health'],
    ]);
    expect(samplesIn(news)).toBe(3);
    expect(news[0]?.body).not.toHaveProperty('samples.0.workspace');
  });

  it('never exceed the size limit, however long the reasons are', () => {
    for (const reason of ['x'.repeat(500), 'é"\\'.repeat(150), '🚢'.repeat(250)]) {
      const news = newsOf(many(300, { ok: false, code: 'refused', reason }));
      expect(samplesIn(news)).toBe(300);
      for (const message of news)
        expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(MAX_LIVE_BYTES);
    }
  });
});

describe('waiting samples', () => {
  const outlets = ({ refused = [] }: { refused?: readonly KeptSample[] } = {}) => {
    const kept: number[] = [];
    const told: LiveMessage[] = [];
    const faults: unknown[] = [];
    let broken = false;
    const batches = new SampleBatches({
      keep: async (samples) => {
        if (broken) throw new Error('no database');
        // As Postgres does: refuse the whole statement.
        if (samples.some((one) => refused.includes(one)))
          throw Object.assign(new Error('unsupported Unicode escape sequence'), { code: '22P05' });
        kept.push(samples.length);
      },
      tell: async (messages) => void told.push(...messages),
      onFault: (error) => faults.push(error),
    });
    return { batches, kept, told, faults, set: (to: boolean) => void (broken = to) };
  };

  it('are written together, at most five hundred at once', async () => {
    const { batches, kept } = outlets();
    for (const one of many(1200)) batches.add(one);
    await batches.flush();
    expect(kept).toEqual([500, 500, 200]);
  });

  it('wait during a database outage, the newest five thousand of them', async () => {
    const { batches, kept, faults, set } = outlets();
    set(true);
    for (const one of many(6000)) batches.add(one);
    await batches.flush();
    expect(faults).toHaveLength(1);
    set(false);
    await batches.flush();
    expect(kept.reduce((sum, count) => sum + count, 0)).toBe(5000);
    await batches.flush();
    expect(kept.reduce((sum, count) => sum + count, 0)).toBe(5000);
  });

  it('are kept and pushed without those that cannot be stored', async () => {
    const all = many(1200);
    const refused = all.filter((_, index) => index === 7 || index === 400 || index === 900);
    const { batches, kept, told, faults } = outlets({ refused });
    for (const one of all) batches.add(one);
    await batches.flush();
    expect(kept.reduce((sum, count) => sum + count, 0)).toBe(1197);
    expect(samplesIn(told)).toBe(1197);
    expect(faults).toHaveLength(3);
    batches.add(sample(2000));
    await batches.flush();
    expect(kept.at(-1)).toBe(1);
  });
});
