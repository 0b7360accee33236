/** Asks for the next piece while the present one is worked on. */
export async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const pieces = source[Symbol.asyncIterator]();
  const ask = (): Promise<IteratorResult<T>> => {
    const asked = pieces.next();
    // It is told when its turn comes.
    asked.catch(() => undefined);
    return asked;
  };
  try {
    for (let next = ask(); ;) {
      const { done, value } = await next;
      if (done) return;
      next = ask();
      yield value;
    }
  } finally {
    await pieces.return?.();
  }
}
