import { describe, expect, it } from 'vitest';
import { StateError } from '../../src/domain/state-error.ts';
import { LineRecorder } from '../../src/ledger/line-recorder.ts';

const GONE = new StateError('state-unreachable', 'the database cannot be reached', 'Check the server.');
const FENCED = new StateError('state-lease-lost', 'another run has the lease', 'herald plan');

/** A recorder with a store that fails with these errors, one for each line, and then takes every line. */
function aRecorder(errors: Error[], keep?: (lines: readonly string[]) => Promise<string>) {
  const stored: string[] = [];
  let asked = 0;
  const recorder = new LineRecorder({
    writer: {
      append: async (line) => {
        asked += 1;
        const error = errors.shift();
        if (error !== undefined) throw error;
        stored.push(line);
      },
      readAdded: () => Promise.resolve([]),
      close: () => Promise.resolve(),
    },
    name: 'the ledger',
    rescue: keep === undefined ? undefined : { keep: (_run, lines) => keep([...lines]) },
    run: 'run',
  });
  return { recorder, stored, asked: () => asked };
}

describe('lines that a ledger does not take', () => {
  it('are kept in a file, all of them, in order', async () => {
    let file: readonly string[] = [];
    const made = aRecorder([GONE], async (lines) => {
      file = lines;
      return 'rescue.ndjson';
    });
    await made.recorder.keep('1');
    await Promise.all([made.recorder.keep('2'), made.recorder.keep('3')]);
    expect([file, made.stored]).toEqual([['1', '2', '3'], []]);
    expect(made.recorder.rescuedIn).toBe('rescue.ndjson');
    expect(made.recorder.problem).toContain('the database cannot be reached');
    expect(made.asked(), 'a database that is gone is not waited for once for each line').toBe(1);
  });

  it('do not announce anything, and are not kept: what they announce does not happen', async () => {
    const kept: string[] = [];
    const made = aRecorder([GONE], async (lines) => {
      kept.push(...lines);
      return 'rescue.ndjson';
    });
    expect(await made.recorder.announce('intent 1')).toBe(false);
    expect(await made.recorder.announce('intent 2')).toBe(false);
    expect([kept, made.asked(), made.recorder.next]).toEqual([[], 1, 'Check the server.']);
  });

  it('are tried again on a full disk', async () => {
    const made = aRecorder([GONE, GONE], () => Promise.reject(new Error('no space left on device')));
    await made.recorder.keep('1');
    await made.recorder.keep('2');
    await made.recorder.keep('3');
    expect([made.stored, made.recorder.rescuedIn]).toEqual([['3'], null]);
  });

  it('are kept, and no more is announced, once another run has the lease', async () => {
    const file: string[][] = [];
    const made = aRecorder([FENCED], async (lines) => {
      file.push([...lines]);
      return 'rescue.ndjson';
    });
    await made.recorder.keep('the answer');
    expect(await made.recorder.announce('the next intent')).toBe(false);
    expect(file).toEqual([['the answer']]);
    expect(made.recorder.leaseLost).toBe('another run has the lease');
    expect(made.recorder.problem).toContain('another run has the lease');
  });

  it('are not lost where a first line is refused because another run has the lease', async () => {
    const made = aRecorder([FENCED]);
    expect(await made.recorder.announce('intent')).toBe(false);
    expect([made.recorder.problem, made.recorder.leaseLost]).toEqual([null, 'another run has the lease']);
  });
});
