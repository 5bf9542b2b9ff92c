import { describe, expect, it } from 'vitest';
import { assumeVisible, shown, visible, type Visible } from '../../src/domain/visible.ts';
import type { Output } from '../../src/domain/ports.ts';
import { createOutput, type TextStream } from '../../src/host/output.ts';

function aStream(isTTY = false): TextStream & { readonly written: string[] } {
  const written: string[] = [];
  return { isTTY, columns: 20, written, write: (piece) => written.push(Buffer.from(piece).toString()) };
}

function anOutput({ tty = false, noColour = false, quiet = false } = {}) {
  const [stdout, stderr] = [aStream(tty), aStream(tty)];
  return { stdout, stderr, output: createOutput({ stdout, stderr, noColour, quiet }) };
}

describe('output', () => {
  it('sends results to stdout and words to stderr, each ending its line', () => {
    const { output, stdout, stderr } = anOutput();
    output.result(shown`a result`);
    output.say(shown`a word\n`);
    expect(stdout.written).toEqual(['a result\n']);
    expect(stderr.written).toEqual(['a word\n']);
  });

  it('keeps quiet about everything but results and failures', () => {
    const { output, stderr } = anOutput({ quiet: true, tty: true });
    output.say(shown`a word`);
    output.progress(shown`1/2`);
    output.fail(shown`a failure`);
    expect(stderr.written).toEqual(['a failure\n']);
  });

  it.each([
    ['stdout', (output: Output, text: Visible): void => output.result(text)],
    ['stdout', (output: Output, text: Visible): void => void output.stream(text)],
    ['stderr', (output: Output, text: Visible): void => output.say(text)],
    ['stderr', (output: Output, text: Visible): void => output.fail(text)],
  ] as const)('lets nothing out on %s that a terminal or a CI runner obeys', (to, print) => {
    const ran = anOutput();
    print(ran.output, assumeVisible('a\u001b[2J\u009b\u202e\n  ::error::x\n##vso[task.x]y\n'));
    expect(ran[to].written.join('')).toBe(
      'a\\u{1b}[2J\\u{9b}\\u{202e}\n  \\u{3a}:error::x\n#\\u{23}vso[task.x]y\n',
    );
  });

  it('lets colour through where there is colour, and nothing else', () => {
    const text = assumeVisible('\u001b[31mred\u001b[0m \u001b[2J\n');
    const [coloured, plain] = [anOutput({ tty: true }), anOutput({ tty: true, noColour: true })];
    coloured.output.result(text);
    plain.output.result(text);
    expect(coloured.stdout.written).toEqual(['\u001b[31mred\u001b[0m \\u{1b}[2J\n']);
    expect(plain.stdout.written).toEqual(['\\u{1b}[31mred\\u{1b}[0m \\u{1b}[2J\n']);
  });

  it('keeps progress on one line, whatever it quotes', () => {
    const { output, stderr } = anOutput({ tty: true });
    output.progress(assumeVisible('a\nb\u001b[2J'));
    expect(stderr.written).toEqual(['a\\nb\\u{1b}[2J']);
  });

  it('shows progress on a terminal only, on one line that is written over', () => {
    const piped = anOutput();
    piped.output.progress(shown`1/2`);
    expect(piped.stderr.written).toEqual([]);
    const { output, stderr } = anOutput({ tty: true });
    output.progress(shown`a line that is longer than the terminal`);
    output.say(shown`done`);
    expect(stderr.written).toEqual(['a line that is long', '\r\u001b[2K', 'done\n']);
  });

  it.each([
    ['wide characters', '名前名前名前名前名前名前', '名前名前名前名前名'],
    ['pictures of two units', '🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉', '🎉🎉🎉🎉🎉🎉🎉🎉🎉'],
  ])('cuts progress where it would wrap: %s', (_what, text, shown) => {
    const { output, stderr } = anOutput({ tty: true });
    output.progress(visible(text));
    expect(stderr.written).toEqual([shown]);
  });

  it('never writes progress over a line that a result has begun', async () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 60, write: (text: unknown) => written.push(String(text)) };
    const output = createOutput({ stdout: stream, stderr: stream, noColour: true, quiet: false });
    await output.stream(shown`[\n  {"id":"1"}`);
    output.progress(shown`1 row, page 1`);
    await output.stream(shown`\n]\n`);
    output.progress(shown`over`);
    expect(written.join('')).toBe('[\n  {"id":"1"}\n]\nover');
  });

  it('keeps progress on one line of the narrowest terminal', () => {
    const stderr = { ...aStream(true), columns: 5 };
    createOutput({ stdout: aStream(true), stderr, noColour: true, quiet: false }).progress(shown`reading`);
    expect(stderr.written).toEqual(['read']);
  });

  it('has colour on a terminal unless it is declined', () => {
    expect(anOutput({ tty: true }).output.colour).toBe(true);
    expect(anOutput({ tty: true, noColour: true }).output.colour).toBe(false);
    expect(anOutput().output.colour).toBe(false);
  });
});

it.each([
  ['in its columns', { isTTY: true, columns: 100 }, 100],
  ['in 80 columns', { isTTY: true, columns: 0 }, 80],
  ['in 20 columns', { isTTY: true, columns: 1 }, 20],
  ['without breaking a line', { columns: 100 }, Number.POSITIVE_INFINITY],
])('text is drawn %s where stdout is %j', (_, stream, width) => {
  const silent = { write: () => true };
  const output = createOutput({
    stdout: { ...silent, ...stream },
    stderr: silent,
    noColour: true,
    quiet: false,
  });
  expect(output.width).toBe(width);
});
