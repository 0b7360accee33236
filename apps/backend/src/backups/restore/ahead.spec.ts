// covers: BAK-02
import { ahead } from './put-back';

let made: string[];
beforeEach(() => (made = []));

async function* pieces(count: number): AsyncGenerator<number> {
  try {
    for (let nth = 1; nth <= count; nth++) {
      made.push(`made ${nth}`);
      yield nth;
    }
    if (count === 2) throw new Error('the source broke');
  } finally {
    made.push('ended');
  }
}

it('has the next piece made while the present one is worked on', async () => {
  const got: number[] = [];
  for await (const piece of ahead(pieces(3))) {
    await Promise.resolve();
    got.push(piece);
    made.push(`worked on ${piece}`);
  }
  expect(got).toEqual([1, 2, 3]);
  expect(made.indexOf('made 2')).toBeLessThan(made.indexOf('worked on 1'));
});

it('hands on every piece before the fault that followed it', async () => {
  const got: number[] = [];
  const read = async (): Promise<void> => {
    for await (const piece of ahead(pieces(2))) got.push(piece);
  };
  await expect(read()).rejects.toThrow('the source broke');
  expect(got).toEqual([1, 2]);
});

it('ends the source when no more pieces are wanted', async () => {
  for await (const piece of ahead(pieces(9))) if (piece === 2) break;
  expect(made.at(-1)).toBe('ended');
  expect(made).not.toContain('made 4');
});
