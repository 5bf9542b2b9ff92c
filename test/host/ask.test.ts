import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { QuestionLeftError } from '../../src/domain/ports.ts';
import { ask } from '../../src/host/ask.ts';

const NEVER = { colour: true, left: new AbortController().signal };

/** A terminal of two streams; `onQuestion` is what happens once the question stands on it. */
function aTerminal(onQuestion: (input: PassThrough) => void) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  let isAsked = false;
  output.on('data', (piece: Buffer) => {
    shown += piece.toString();
    if (isAsked || !shown.includes('No')) return;
    isAsked = true;
    // The prompt listens once it has drawn itself.
    setImmediate(() => onQuestion(input));
  });
  return { input, output, shown: () => shown };
}

const typing = (keys: string) => (input: PassThrough) => void input.write(keys);

describe('a question on the terminal', () => {
  it.each([
    ['y', 'y', true],
    ['n', 'n', false],
    ['Enter alone', '\r', false],
    ['an arrow to Yes, and Enter', '\u001b[D\r', true],
    ['something else first', 'xq7\ry', false],
  ])('is answered by %s', async (_what, keys, answer) => {
    const terminal = aTerminal(typing(keys));
    expect(await ask('Send it?', terminal, NEVER)).toBe(answer);
    expect(terminal.shown()).toContain('Send it?');
  });

  it.each<[string, (input: PassThrough) => void]>([
    ['Ctrl-C', typing('\u0003')],
    ['Ctrl-D', typing('\u0004')],
    ['Escape', typing('\u001b')],
    ['the end of the input', (input) => void input.end()],
  ])('is left by %s, which is neither yes nor no', async (_what, onQuestion) => {
    const terminal = aTerminal(onQuestion);
    await expect(ask('Send it?', terminal, NEVER)).rejects.toBeInstanceOf(QuestionLeftError);
  });

  it('is left by a signal, before it is asked and after', async () => {
    const controller = new AbortController();
    const terminal = aTerminal(() => controller.abort());
    await expect(ask('Send it?', terminal, { colour: true, left: controller.signal })).rejects.toBeInstanceOf(
      QuestionLeftError,
    );
    await expect(ask('Send it?', terminal, { colour: true, left: controller.signal })).rejects.toBeInstanceOf(
      QuestionLeftError,
    );
  });

  it('is not asked without a terminal', async () => {
    await expect(ask('Send it?', undefined, NEVER)).rejects.toBeInstanceOf(QuestionLeftError);
  });

  it('is not answered by what was typed before it stood there', async () => {
    const terminal = aTerminal(typing('n'));
    terminal.input.write('ls yes\r');
    expect(await ask('Send it?', terminal, NEVER)).toBe(false);
    expect(terminal.shown()).toContain('Send it?');
  });

  it('is left where the input had ended before it stood there', async () => {
    const terminal = aTerminal(() => undefined);
    terminal.input.end();
    await expect(ask('Send it?', terminal, NEVER)).rejects.toBeInstanceOf(QuestionLeftError);
  });

  it('has no colour where none is wanted, in no state of it', async () => {
    for (const keys of ['y', '\u0003']) {
      const terminal = aTerminal(typing(keys));
      await ask('Send it?', terminal, { ...NEVER, colour: false }).catch(() => undefined);
      expect(terminal.shown()).toContain('Send it?');
      expect(terminal.shown()).not.toMatch(/\u001b\[[\d;]*m/);
    }
  });

  it('stands on its lines although the terminal says that it has no columns', async () => {
    const terminal = aTerminal(typing('y'));
    Object.assign(terminal.output, { columns: 0 });
    await ask('Send it at once?', terminal, NEVER);
    expect(terminal.shown()).toContain('Send it at once?');
    expect(terminal.output.listenerCount('resize')).toBe(0);
  });

  it('leaves nothing behind, so that the next one is answered for itself', async () => {
    const controller = new AbortController();
    let keys = 'y';
    const terminal = aTerminal((input) => input.write(keys));
    const before = terminal.input.listenerCount('pause');
    expect(await ask('Send it?', terminal, { colour: true, left: controller.signal })).toBe(true);
    expect(terminal.input.listenerCount('pause')).toBe(before);
    keys = 'n';
    const next = { ...aTerminal((input) => input.write(keys)) };
    expect(await ask('And this?', next, { colour: true, left: controller.signal })).toBe(false);
  });
});
