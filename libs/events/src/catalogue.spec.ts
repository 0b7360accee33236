import { catalogue, isEventType, type EventType } from './catalogue';
import { readSamples } from '../samples/read-samples';

const samples = readSamples();

describe('the event catalogue', () => {
  test('has a recorded sample of every version of every event, and no sample of an unknown one', () => {
    const recorded = new Set(samples.map(({ type, v }) => `${type} ${v}`));
    const written = Object.entries(catalogue).flatMap(([type, { version }]) =>
      Array.from({ length: version }, (_, i) => `${type} ${i + 1}`),
    );
    expect([...recorded].sort()).toEqual(written.sort());
  });

  test.each(samples)('still reads $type of version $v', ({ type, v, data }) => {
    const { schema, upcasts } = catalogue[type as EventType];
    const newest = upcasts.slice(v - 1).reduce((older, upcast) => upcast(older), data);
    const read = schema.parse(newest);
    // A schema that drops or adds a field would change what the history shows.
    expect(read).toEqual(newest);
    expect(JSON.parse(JSON.stringify(read))).toEqual(read);
  });

  test('names events by a noun and a past participle', () => {
    for (const type of Object.keys(catalogue)) {
      expect(type).toMatch(/^([A-Z][a-z]+)+$/);
      expect(type).toMatch(/(ed|en|awn|[Dd]one|In|Out|Left)$/);
      expect(type).not.toMatch(/Updated$/);
    }
  });

  test('knows its own types and nothing that objects inherit', () => {
    expect(isEventType('ServerRegistered')).toBe(true);
    expect(isEventType('toString')).toBe(false);
  });
});
