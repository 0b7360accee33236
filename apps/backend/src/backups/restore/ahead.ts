/** Requests the next piece while the current one is being processed. */
export async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const pieces = source[Symbol.asyncIterator]();
  const ask = (): Promise<IteratorResult<T>> => {
    const asked = pieces.next();
    // An error is reported when the consumer reaches this piece. Until then it must not count as unhandled.
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
