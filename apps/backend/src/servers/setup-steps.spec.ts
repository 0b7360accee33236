import { changedSoFar } from './setup-steps';

const attempt = (step: string, number: number, changed?: string) => ({
  step,
  attempt: number,
  outcome: 'succeeded' as const,
  report: { os: 'debian', ...(changed !== undefined && { changed }) },
});

it('lists changes in order, including those of failed attempts', () => {
  const attempts = [
    attempt('system', 1),
    attempt('folders', 1, 'made the folder /srv/static'),
    attempt('folders', 2, 'made the folder /srv/nginx\nmade the folder /srv'),
    attempt('nginx', 1, ''),
  ];
  expect(changedSoFar({ attempts })).toEqual([
    'made the folder /srv/static',
    'made the folder /srv/nginx',
    'made the folder /srv',
  ]);
});

it('lists a change once that two attempts made', () => {
  const attempts = [
    attempt('nginx', 1, 'started nginx'),
    attempt('nginx', 2, 'started nginx\nnginx starts with the server'),
  ];
  expect(changedSoFar({ attempts })).toEqual(['started nginx', 'nginx starts with the server']);
});
