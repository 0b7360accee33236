import { catalogue, type EventType } from './catalogue';
import { placement } from './placement';
import { readSamples } from '../samples/read-samples';

describe('the placement table', () => {
  test('places every event of the catalogue and nothing else', () => {
    expect(Object.keys(placement).sort()).toEqual(Object.keys(catalogue).sort());
  });

  test.each(readSamples().filter((sample) => sample.v === catalogue[sample.type as EventType].version))(
    '$type reads as a sentence',
    ({ type, data }) => {
      const says = placement[type as EventType].says(data as never);
      expect(says).toMatch(/^\S.*\S$/);
      expect(says).not.toMatch(/undefined|\[object|null|NaN/);
    },
  );
});
