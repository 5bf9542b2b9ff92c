import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { shown } from '../../src/domain/visible.ts';
import { ask } from '../../src/host/ask.ts';

const NEVER = new AbortController().signal;
const PLAIN = { text: shown`Pause it?`, prompt: shown`Type y or n: `, wanted: 'y' };
const TYPED = { text: shown`Send it?`, prompt: shown`Type yes to send it: `, wanted: 'yes' };

/** A terminal of two streams; `onPrompt` is what happens once the answer can be typed. */
function aTerminal(onPrompt: (input: PassThrough) => void) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shownText = '';
  let isAsked = false;
  output.on('data', (piece: Buffer) => {
    shownText += piece.toString();
    if (isAsked || !shownText.includes('Type ')) return;
    isAsked = true;
    setImmediate(() => onPrompt(input));
  });
  return { input, output, shown: () => shownText };
}

const typing = (keys: string) => (input: PassThrough) => void input.write(keys);

describe('a question on the terminal', () => {
  it.each([
    ['y and Enter', 'y\r', true],
    ['a capital Y between blanks', ' Y \r', true],
    ['y after a mistake that Backspace removes', 'x\u007fy\r', true],
    ['n and Enter', 'n\r', false],
    ['Enter alone', '\r', false],
    ['a word with a y', 'yum\r', false],
  ])('that wants y is answered by %s', async (_what, keys, answer) => {
    const terminal = aTerminal(typing(keys));
    expect(await ask(PLAIN, terminal, NEVER)).toBe(answer);
    expect(terminal.shown()).toMatch(/^Pause it\?\n[^]*Type y or n: /);
  });

  it.each([
    ['yes\r', true],
    ['YES\r', true],
    ['y\r', false],
    ['Y E S\r', false],
    ['ls\r', false],
    ['ls\ryes\r', false],
  ])('that wants yes is answered by %j', async (keys, answer) => {
    expect(await ask(TYPED, aTerminal(typing(keys)), NEVER)).toBe(answer);
  });

  it.each<[string, (input: PassThrough) => void]>([
    ['Ctrl-C', typing('\u0003')],
    ['Ctrl-D', typing('\u0004')],
    ['the end of the input', (input) => void input.end()],
    ['the end of the input after a word', (input) => void input.end('yes')],
  ])('is left by %s, which is neither yes nor no', async (_what, onPrompt) => {
    const terminal = aTerminal(onPrompt);
    await expect(ask(TYPED, terminal, NEVER)).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('is left by a signal, before it is asked and after', async () => {
    const controller = new AbortController();
    const terminal = aTerminal(() => controller.abort());
    for (const _when of ['after', 'before'])
      await expect(ask(TYPED, terminal, controller.signal)).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('is not asked without a terminal', async () => {
    await expect(ask(TYPED, undefined, NEVER)).rejects.toMatchObject({ code: 'interrupted' });
  });

  it.each(['ls yes\r', 'yes\r', 'ye'])(
    'is not answered by %j that was typed before it was there',
    async (keys) => {
      const terminal = aTerminal(typing('s\r'));
      terminal.input.write(keys);
      expect(await ask(TYPED, terminal, NEVER)).toBe(false);
    },
  );

  it('waits until nothing is typed any more', async () => {
    const terminal = aTerminal(typing('\r'));
    // Fast enough for each key to come within the wait for silence that the one before began.
    let keys = 20;
    const key = setInterval(() => {
      terminal.input.write('yes\r');
      keys -= 1;
      if (keys === 0) clearInterval(key);
    }, 10);
    expect(await ask(TYPED, terminal, NEVER)).toBe(false);
    expect(keys).toBe(0);
  });

  it('is left where the input had ended', async () => {
    const terminal = aTerminal(() => undefined);
    terminal.input.end();
    await expect(ask(TYPED, terminal, NEVER)).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('leaves nothing behind, so that the next one is answered for itself', async () => {
    const terminal = aTerminal(typing('yes\r'));
    let isRaw = false;
    Object.assign(terminal.input, { setRawMode: (mode: boolean) => (isRaw = mode) });
    expect(await ask(TYPED, terminal, NEVER)).toBe(true);
    expect([isRaw, terminal.input.isPaused()]).toEqual([false, true]);
    expect(terminal.input.listenerCount('keypress')).toBe(0);
    expect(terminal.output.listenerCount('resize')).toBe(0);
    const { output } = aTerminal(() => terminal.input.write('n\r'));
    expect(await ask(PLAIN, { input: terminal.input, output }, NEVER)).toBe(false);
  });
});
