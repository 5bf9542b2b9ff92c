import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shown } from '../../src/domain/visible.ts';
import { createOutput, type TextStream } from '../../src/host/output.ts';

const CLEAR = '\r\u001b[2K';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A terminal with what stands on its last line, as people see it. */
function aTerminal({ columns = 60, isTTY = true } = {}) {
  let written = '';
  const stream: TextStream = { isTTY, columns, write: (text) => (written += String(text)) };
  const output = createOutput({ stdout: stream, stderr: stream, noColour: true, quiet: false });
  const line = () => written.split('\n').at(-1)?.split(CLEAR).at(-1) ?? '';
  return { output, line, written: () => written };
}

/** An answer that comes after a while. */
const after = <Answer>(ms: number, answer: Answer) =>
  new Promise<Answer>((resolve) => setTimeout(() => resolve(answer), ms));

describe('an answer that is awaited', () => {
  it('is shown after a second, with how long it takes', async () => {
    const { output, line } = aTerminal();
    const answer = output.awaiting(after(5_500, 'yes'));
    await vi.advanceTimersByTimeAsync(900);
    expect(line()).toBe('');
    await vi.advanceTimersByTimeAsync(200);
    expect(line()).toBe('waiting for the service, 1 s');
    await vi.advanceTimersByTimeAsync(4_000);
    expect(line()).toBe('waiting for the service, 5 s');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toBe('yes');
    expect(line()).toBe('');
    expect(vi.getTimerCount(), 'nothing goes on').toBe(0);
  });

  it('stands behind how far the work is, of which it takes the end on a narrow terminal', async () => {
    const { output, line } = aTerminal({ columns: 48 });
    output.progress(shown`applying 1/8  create alice/campaign/Welcome`);
    void output.awaiting(after(3_000, null));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(line()).toBe('applying 1/8  c · waiting for the service, 2 s');
    await vi.advanceTimersByTimeAsync(1_500);
    expect(line()).toBe('applying 1/8  create alice/campaign/Welcome');
  });

  it('is shown by the longest of many', async () => {
    const { output, line } = aTerminal();
    void output.awaiting(after(4_000, 1));
    void output.awaiting(after(1_500, 2));
    await vi.advanceTimersByTimeAsync(3_100);
    expect(line()).toBe('waiting for the service, 3 s');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(line()).toBe('');
  });

  it('passes a failure on', async () => {
    const { output } = aTerminal();
    await expect(output.awaiting(Promise.reject(new Error('cut')))).rejects.toThrow('cut');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not shown where no one looks', async () => {
    const { output, written } = aTerminal({ isTTY: false });
    void output.awaiting(after(9_000, null));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(written()).toBe('');
  });
});

describe('progress next to a result', () => {
  it('never writes over a line that the result has begun', async () => {
    const { output, written } = aTerminal();
    await output.stream(shown`[\n  {"id":"1"}`);
    output.progress(shown`1 row, page 1`);
    void output.awaiting(after(3_000, null));
    await vi.advanceTimersByTimeAsync(2_000);
    await output.stream(shown`,\n  {"id":"2"}\n]\n`);
    expect(written()).toBe('[\n  {"id":"1"},\n  {"id":"2"}\n]\n');
    output.progress(shown`over`);
    expect(written()).toContain(']\nover');
  });
});
