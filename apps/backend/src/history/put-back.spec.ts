import { StoreUnavailable } from '@quarterdeck/log/store';
import { DomainError } from '../platform/errors';
import type { UndoWork } from '../platform/decisions/undoing';
import { putBack } from './put-back';

const works = Array.from({ length: 60 }, (_, index): UndoWork => ({
  subject: { category: 'domain', id: String(index), name: `shop-${index}` },
  would: [],
  carryOut: () => Promise.reject(new Error('it is told how')),
}));
/** Records one turn of the event loop later, in order, until `refuse` returns an error. */
const recording = (refuse: (work: UndoWork) => Error | undefined) => {
  const recorded: string[] = [];
  const carryOut = async (work: UndoWork): Promise<{ position: string }> => {
    await new Promise(setImmediate);
    const error = refuse(work);
    if (error) throw error;
    recorded.push(work.subject.id);
    return { position: String(100 + recorded.length) };
  };
  return { recorded, carryOut };
};

describe('undoing many changes', () => {
  it('reports the last recorded position, and what was not undone', async () => {
    const taken = new DomainError('conflict', 'a domain with this name already exists');
    const { recorded, carryOut } = recording(({ subject }) => (subject.id === '7' ? taken : undefined));
    expect(await putBack(works, '100', carryOut)).toEqual({
      position: '159',
      left: [{ name: 'shop-7', reason: 'a domain with this name already exists' }],
    });
    expect(recorded).toHaveLength(59);
  });

  it('ends when the log cannot be reached: it reports its progress, and records nothing after that answer', async () => {
    const away = new StoreUnavailable(new Error('no log'));
    const { recorded, carryOut } = recording(({ subject }) => (subject.id === '20' ? away : undefined));
    const failure = await putBack(works, '100', carryOut).catch((error: unknown) => error);
    const position = String(100 + recorded.length);
    expect(failure).toMatchObject({ code: 'unavailable', detail: { recorded: position, retryAfter: 2 } });
    const before = [...recorded];
    expect(before.length).toBeLessThan(works.length / 2 + 6);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(recorded).toEqual(before);
  });

  it('does not hide unexpected errors', async () => {
    const { carryOut } = recording(({ subject }) =>
      subject.id === '3' ? new TypeError('a bug') : undefined,
    );
    await expect(putBack(works, '100', carryOut)).rejects.toThrow(TypeError);
  });
});
