import { Port } from './port';

class Answer extends Port<number> {
  constructor() {
    super('what the answer is');
  }
  get value(): number {
    return this.given;
  }
}

it('ends the start when nobody has given it, and refuses a second giver', () => {
  const answer = new Answer();
  expect(() => answer.onApplicationBootstrap()).toThrow('no feature says what the answer is');
  answer.give(42);
  answer.onApplicationBootstrap();
  expect(answer.value).toBe(42);
  expect(() => answer.give(43)).toThrow('two features say what the answer is');
});
