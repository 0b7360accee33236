// covers: SRV-16
import type { LiveMessage } from '../platform/live-messages';
import { MOST_LIVE_BYTES } from '../platform/live-messages';
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

describe('news of samples', () => {
  it('go to the administrators of the workspace alone, without its name in each', () => {
    const news = newsOf([sample(1), sample(2, { workspace: 'shipyard' }), sample(3)]);
    expect(news.map(({ workspace, audience, name }) => [workspace, audience, name])).toEqual([
      ['harbour', 'admin', 'health'],
      ['shipyard', 'admin', 'health'],
    ]);
    expect(samplesIn(news)).toBe(3);
    expect(news[0]?.body).not.toHaveProperty('samples.0.workspace');
  });

  it('are never too long to be carried, whatever the reasons say', () => {
    for (const reason of ['x'.repeat(500), 'é"\\'.repeat(150), '🚢'.repeat(250)]) {
      const news = newsOf(many(300, { ok: false, code: 'refused', reason }));
      expect(samplesIn(news)).toBe(300);
      for (const message of news)
        expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(MOST_LIVE_BYTES);
    }
  });
});

describe('samples on their way', () => {
  const outlets = () => {
    const kept: number[] = [];
    const faults: unknown[] = [];
    let broken = false;
    const batches = new SampleBatches({
      keep: (samples) => {
        if (broken) return Promise.reject(new Error('no database'));
        kept.push(samples.length);
        return Promise.resolve();
      },
      tell: () => Promise.resolve(),
      onFault: (error) => faults.push(error),
    });
    return { batches, kept, faults, set: (to: boolean) => void (broken = to) };
  };

  it('are written together, no more than five hundred at once', async () => {
    const { batches, kept } = outlets();
    for (const one of many(1200)) batches.add(one);
    await batches.flush();
    expect(kept).toEqual([500, 500, 200]);
  });

  it('wait while the database is away, the newest five thousand of them', async () => {
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
});
