// covers: DOM-03, DOM-07
import { problemsInWords, problemsOfLocation } from './site-problem-words';

const problems = {
  'locations.0.url': 'this leads back',
  'locations.2.location': 'is there twice',
  serverName: 'no',
};

test('separates the problems of a location, by field, from the others', () => {
  expect(problemsOfLocation(problems, 2)).toEqual({
    own: { location: 'is there twice' },
    others: { 'locations.0.url': 'this leads back', serverName: 'no' },
  });
  expect(problemsOfLocation(problems, 1).own).toEqual({});
});

test('names a location by its path', () => {
  expect(problemsInWords(problems, [{ location: '/api/' }])).toEqual([
    'Location /api/, url: this leads back',
    'locations.2.location: is there twice',
    'serverName: no',
  ]);
});
