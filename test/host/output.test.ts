import { describe, expect, it } from 'vitest';
import { createOutput, widthOf, type TextStream } from '../../src/host/output.ts';

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
    output.result('a result');
    output.say('a word\n');
    expect(stdout.written).toEqual(['a result\n']);
    expect(stderr.written).toEqual(['a word\n']);
  });

  it('keeps quiet about everything but results and failures', () => {
    const { output, stderr } = anOutput({ quiet: true, tty: true });
    output.say('a word');
    output.progress('1/2');
    output.fail('a failure');
    expect(stderr.written).toEqual(['a failure\n']);
  });

  it('shows progress on a terminal only, on one line that is written over', () => {
    const piped = anOutput();
    piped.output.progress('1/2');
    expect(piped.stderr.written).toEqual([]);
    const { output, stderr } = anOutput({ tty: true });
    output.progress('a line that is longer than the terminal');
    output.say('done');
    expect(stderr.written).toEqual(['a line that is long', '\r\u001b[2K', 'done\n']);
  });

  it.each([
    ['wide characters', '名前名前名前名前名前名前', '名前名前名前名前名'],
    ['pictures of two units', '🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉', '🎉🎉🎉🎉🎉🎉🎉🎉🎉'],
  ])('cuts progress where it would wrap: %s', (_what, text, shown) => {
    const { output, stderr } = anOutput({ tty: true });
    output.progress(text);
    expect(stderr.written).toEqual([shown]);
  });

  it.each([
    [undefined, 80],
    [0, 80],
    [-1, 80],
    [Number.NaN, 80],
    [1, 20],
    [19, 20],
    [40, 40],
  ])('draws on a terminal that says it has %s columns in %i', (columns, width) => {
    expect(widthOf(columns === undefined ? {} : { columns })).toBe(width);
  });

  it('keeps progress on one line of the narrowest terminal', () => {
    const stderr = { ...aStream(true), columns: 5 };
    createOutput({ stdout: aStream(true), stderr, noColour: true, quiet: false }).progress('reading');
    expect(stderr.written).toEqual(['read']);
  });

  it('passes bytes on as they arrive', async () => {
    const { output, stdout } = anOutput();
    await output.bytes(new Blob(['one', 'two']).stream());
    expect(stdout.written.join('')).toBe('onetwo');
  });

  it('only prints on a terminal that can do no more', () => {
    const stderr = aStream(true);
    const options = { stdout: aStream(true), stderr, noColour: false, quiet: false, isDumb: true };
    const output = createOutput(options);
    output.progress('1/2');
    expect(stderr.written).toEqual([]);
    expect(output.colour).toBe(false);
  });

  it('has colour on a terminal unless it is declined', () => {
    expect(anOutput({ tty: true }).output.colour).toBe(true);
    expect(anOutput({ tty: true, noColour: true }).output.colour).toBe(false);
    expect(anOutput().output.colour).toBe(false);
  });
});
